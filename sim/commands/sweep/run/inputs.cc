// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/inputs.h"

#include <algorithm>
#include <optional>

#include "sim/base/text.h"
#include "sim/commands/sweep/study/expand.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/summary.h"

namespace gpusim::sweep {
namespace {

/// Traces that are kept loaded although no point uses them just now.
constexpr std::size_t kRecentTraces = 8;

void collect(ProblemList& problems, const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      problems.add(problem);
    }
  }
}

std::vector<arch::Override> fixed_overrides(const Study& study) {
  return arch::parse_overrides(study.set);
}

trace::ParameterChoice choice_of(const Choices& choices, bool use_test_set) {
  trace::ParameterChoice out;
  out.use_test_set = use_test_set;
  for (const auto& [name, text] : choices) {
    if (const std::optional<std::int64_t> number = parse_signed(text)) {
      out.overrides.emplace_back(name, *number);
    } else {
      out.words.emplace_back(name, text);
    }
  }
  return out;
}

}  // namespace

double estimate_work(const trace::Trace& trace, std::uint64_t most_walked) {
  const trace::WalkLimit limit{1, most_walked};
  double work = 0;
  for (const trace::Kernel& kernel : trace.kernels) {
    const trace::KernelSummary walked = trace::summarize(kernel, limit);
    work += static_cast<double>(walked.total.issues) * static_cast<double>(kernel.ctas());
  }
  return work;
}

Parameters LoadedTrace::parameters() const {
  Parameters out;
  for (const trace::Parameter& parameter : trace.parameters) {
    out.push_back({parameter.name, parameter.value, parameter.words, parameter.takes_file});
  }
  return out;
}

Inputs::Inputs(const Study& study, Sources sources) : study_(study), sources_(std::move(sources)) {
  ProblemList problems;
  read_archs(problems);
  read_traces(problems);
  problems.throw_if_any();
}

Inputs::~Inputs() = default;

std::span<const arch::Resolved> Inputs::bases() const {
  return bases_;
}

void Inputs::read_archs(ProblemList& problems) {
  const std::vector<arch::Override> overrides = fixed_overrides(study_);
  for (const std::string& name : study_.archs) {
    collect(problems, [&] {
      ProblemList of_file;
      arch::Sheet sheet = arch::read_sheet(sources_.find_arch(name), sources_.arch_folders, of_file);
      of_file.throw_if_any();
      bases_.push_back(arch::resolve_sheet(sheet, overrides));
      sheets_.push_back(std::move(sheet));
    });
  }
}

void Inputs::read_traces(ProblemList& problems) {
  for (std::size_t i = 0; i < study_.traces.size(); ++i) {
    collect(problems, [&] { base_parameters_.push_back(load({i, fixed_parameters(study_)})->parameters()); });
  }
}

arch::Resolved Inputs::resolve(const Point& point) const {
  std::vector<arch::Override> overrides = overrides_of(study_, point);
  arch::Resolved resolved = arch::resolve_sheet(sheets_.at(point.arch), overrides);
  const std::vector<arch::Override> held = held_back(point, bases_.at(point.arch), resolved);
  if (!held.empty()) {
    overrides.insert(overrides.end(), held.begin(), held.end());
    resolved = arch::resolve_sheet(sheets_.at(point.arch), overrides);
  }
  // One that is held may move another that is.
  for (const arch::Override& moved : held_back(point, bases_.at(point.arch), resolved)) {
    throw InputError({{"--vary " + moved.key, 0, 0},
                      "cannot stay at its base value '" + moved.value + "': another axis decides it",
                      "leave one of the two out"});
  }
  // Results name files as the user did, so that they are the same bytes on every machine.
  resolved.arch.path = study_.archs.at(point.arch);
  return resolved;
}

std::shared_ptr<const LoadedTrace> Inputs::load(const Point& point) {
  return load({point.trace, parameters_of(study_, point)});
}

std::shared_ptr<const LoadedTrace> Inputs::load(const TraceId& id) {
  const std::lock_guard guard(loading_);
  std::weak_ptr<const LoadedTrace>& known = loaded_[id];
  std::shared_ptr<const LoadedTrace> found = known.lock();
  if (found == nullptr) {
    auto fresh = std::make_shared<LoadedTrace>();
    fresh->trace = sources_.load_trace(study_.traces.at(id.first), choice_of(id.second, study_.test_params));
    fresh->digest = digest_(fresh->trace);
    fresh->work = estimate_work(fresh->trace);
    found = std::move(fresh);
    known = found;
    recent_.push_back(found);
    if (recent_.size() > kRecentTraces) {
      recent_.pop_front();
    }
  }
  return found;
}

}  // namespace gpusim::sweep
