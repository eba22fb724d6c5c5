// SPDX-License-Identifier: MIT
#include "sim/commands/validate/run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/commands/validate/metric.h"
#include "sim/commands/validate/program.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/model/arch/loader.h"

namespace gpusim::validate {
namespace {

/// What an inline program may take: one that never ends is a mistake.
constexpr Cycle kMostCycles = 10'000'000;

/// Everything that warps of CTA 0 issued, in order, without the passes before the last.
std::vector<Issue> issues_of(const stats::Result& result, const Program& program) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Issue>> by_place;  // warp and pc
  const auto& texts = program.trace.kernels[0].texts;
  for (const stats::WatchInterval& interval : result.watch) {
    if (interval.kernel != 0 || interval.cta != 0 || interval.state != stats::Stall::kSelected) {
      continue;
    }
    const std::uint32_t line = texts[interval.pc].line;
    for (Cycle cycle = interval.begin; cycle < interval.end && line > program.lines_before; ++cycle) {
      by_place[{interval.warp, interval.pc}].push_back(
          {cycle, interval.warp, interval.sub_core, line - program.lines_before, interval.pc});
    }
  }
  std::vector<Issue> issues;
  for (const auto& [place, all] : by_place) {
    const auto before = static_cast<std::ptrdiff_t>(all.size() - all.size() / program.passes);
    issues.insert(issues.end(), all.begin() + before, all.end());
  }
  std::ranges::sort(issues, {}, [](const Issue& i) { return std::pair(i.warp, i.cycle); });
  return issues;
}

void require_marks(const Case& of, const Program& program) {
  for (const std::string* const text : {&of.of, &of.from, &of.to}) {
    const std::optional<Mark> mark = parse_mark(*text);
    if (!mark) {
      continue;  // not given: the metric does without
    }
    if (!program.labels.contains(mark->label)) {
      throw InputError({of.where, "case '" + of.id + "': the program has no label '" + mark->label + "'", ""});
    }
    if (mark->warp >= program.trace.kernels[0].warps_per_cta()) {
      throw InputError({of.where, "case '" + of.id + "': '" + *text + "' is of a warp that the program has not", ""});
    }
  }
}

/// Simulates one case after the other; architectures are read once.
class Runner {
 public:
  explicit Runner(const Sources& sources) : sources_(sources) {}

  [[nodiscard]] double simulate(const Case& of) {
    double value = value_of(of);
    if (!of.less.empty()) {
      value -= value_of(of.less.front());
    }
    if (!of.relative_to.empty()) {
      value /= divisor(of, value_of(of.relative_to.front()), "in the run it is relative to");
    }
    if (of.per > 0) {
      return value / of.per;
    }
    return of.rate_of > 0 ? of.rate_of / divisor(of, value, "and no rate") : value;
  }

 private:
  static double divisor(const Case& of, double value, const std::string& where) {
    if (value == 0) {
      throw InputError({of.where, "case '" + of.id + "': '" + of.metric + "' is 0 " + where, ""});
    }
    return value;
  }
  [[nodiscard]] double value_of(const Case& of);
  const arch::Arch& arch_of(const Case& of);
  [[nodiscard]] gpu::SimulateOptions options_of(const Case& of) const;
  [[nodiscard]] double run_trace(const Case& of);
  [[nodiscard]] double run_program(const Case& of);

  const Sources& sources_;
  std::map<std::pair<std::string, std::vector<NamedText>>, arch::Arch> archs_;
  /// Values of slow cases by architecture, trace, cache and metric. A case runs once, even if several quotients use it.
  std::map<std::vector<std::string>, double> values_;
};

void append(std::vector<std::string>& key, const std::vector<NamedText>& pairs) {
  for (const NamedText& pair : pairs) {
    key.push_back(pair.first + "=" + pair.second);
  }
}

double Runner::value_of(const Case& of) {
  if (of.trace.empty()) {
    return run_program(of);
  }
  if (!of.slow) {
    return run_trace(of);
  }
  std::vector<std::string> key{of.arch, of.trace, of.metric, of.warm ? "warm" : "cold", std::to_string(of.clock_mhz)};
  append(key, of.set);
  append(key, of.params);
  const auto known = values_.find(key);
  return known != values_.end() ? known->second : values_.emplace(std::move(key), run_trace(of)).first->second;
}

const arch::Arch& Runner::arch_of(const Case& of) {
  std::vector<NamedText> set = of.set;
  const bool has_clock = std::ranges::any_of(set, [](const NamedText& pair) { return pair.first == "clocks.sm"; });
  if (of.clock_mhz > 0 && !has_clock) {
    set.emplace_back("clocks.sm", std::to_string(std::llround(of.clock_mhz * 1e6)) + " Hz");
  }
  const auto known = archs_.find({of.arch, set});
  if (known != archs_.end()) {
    return known->second;
  }
  std::vector<arch::Override> overrides;
  std::ranges::transform(set, std::back_inserter(overrides), [](const NamedText& pair) {
    return arch::Override{pair.first, pair.second};
  });
  arch::Arch arch = arch::load_arch(sources_.find_arch(of.arch), overrides, sources_.arch_folders);
  return archs_.emplace(std::pair(of.arch, std::move(set)), std::move(arch)).first->second;
}

gpu::SimulateOptions Runner::options_of(const Case& of) const {
  gpu::SimulateOptions options;
  options.cache = of.warm ? CacheState::kWarm : CacheState::kCold;
  options.threads = sources_.threads;
  options.on_progress = [this](const gpu::Progress&) { return sources_.keep_going(); };
  return options;
}

double Runner::run_trace(const Case& of) {
  const trace::Trace trace = sources_.load_trace(of.trace, of.params);
  if (trace.kernels.empty()) {
    throw InputError({of.where, "trace '" + of.trace + "' has no kernel", "a metric is that of its last one"});
  }
  const stats::Result result = gpu::simulate(arch_of(of), trace, options_of(of));
  return measure({&of, &result, nullptr, {}});
}

double Runner::run_program(const Case& of) {
  const arch::Arch& arch = arch_of(of);
  const Program program = make_program(of);
  require_marks(of, program);
  gpu::SimulateOptions options = options_of(of);
  options.threads = 1;
  options.max_cycles = kMostCycles;
  if (find_metric(of.metric) != nullptr) {
    options.watch = {gpu::WatchRequest{}};  // a number of the result needs none
  }
  const stats::Result result = gpu::simulate(arch, program.trace, options);
  return measure({&of, &result, &program, issues_of(result, program)});
}

/// The same problems, with the case's name and place where they have none in its file.
void keep(const InputError& error, const Case& of, ProblemList& problems) {
  for (const Problem& problem : error.problems()) {
    const bool is_placed = problem.where.file == of.where.file;
    problems.add(is_placed
                     ? problem
                     : Problem{of.where,
                               "case '" + of.id + "': " + gpusim::to_text(Problem{problem.where, problem.message, ""}),
                               problem.hint});
  }
}

void compare(Outcome& outcome) {
  outcome.measured = outcome.of.measured.nearest(outcome.simulated.value_or(outcome.of.measured.low));
  const double off = outcome.simulated.value_or(outcome.measured) - outcome.measured;
  outcome.error_pct = 100.0 * off / (outcome.measured == 0 ? 1.0 : outcome.measured);
}

}  // namespace

bool Outcome::is_within() const {
  const double off = std::abs(simulated.value_or(measured) - measured);
  const Tolerance& allowed = of.tolerance;
  constexpr double kRounding = 1e-9;
  return off <= (allowed.is_percent ? allowed.value / 100.0 * measured : allowed.value) + kRounding;
}

std::string arch_name(const std::string& file) {
  const std::filesystem::path path(file);
  return path.extension() == ".yaml" ? path.stem().string() : path.filename().string();
}

void run_cases(std::span<const Case> cases, const Sources& sources, std::vector<Outcome>& outcomes) {
  Runner runner(sources);
  ProblemList problems;
  for (const Case& of : cases) {
    Outcome outcome;
    outcome.of = of;
    outcome.arch = arch_name(of.arch);
    try {
      if (of.can_run() && (!of.slow || sources.slow_ones)) {
        outcome.simulated = runner.simulate(of);
      }
    } catch (const InputError& error) {
      if (sources.keep_going()) {  // else it may be for the want of what was not simulated any more
        keep(error, of, problems);
      }
    } catch (const CannotFinishError& error) {
      throw CannotFinishError("case '" + of.id + "': " + error.what());
    }
    if (!sources.keep_going()) {
      break;  // perhaps in the midst of this case
    }
    compare(outcome);
    outcomes.push_back(std::move(outcome));
  }
  problems.throw_if_any();
}

}  // namespace gpusim::validate
