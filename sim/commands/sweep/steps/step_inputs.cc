// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/steps/step_inputs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/app/kinds/kinds.h"
#include "sim/commands/app/report.h"
#include "sim/commands/app/step/step.h"
#include "sim/commands/app/step/what_if.h"
#include "sim/commands/app/times/recorded.h"
#include "sim/commands/cli/clock.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/sweep/run/key.h"
#include "sim/commands/sweep/run/reason.h"
#include "sim/commands/sweep/steps/step_keys.h"
#include "sim/commands/sweep/steps/step_row.h"
#include "sim/commands/sweep/steps/step_version.h"
#include "sim/commands/sweep/store/digest.h"
#include "sim/commands/system/find_system.h"
#include "sim/model/arch/files.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/yaml_reader.h"
#include "sim/model/trace/trace.h"
#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/config/yaml_changes.h"
#include "sim/system/generate/forms.h"
#include "sim/system/run/binding.h"

namespace gpusim::sweep {
namespace {

/// What a point sets: options of the generator, and keys of files.
struct StepChanges {
  app::KindOptions make;
  std::vector<arch::Override> keys;
  bool has_make = false;
};

StepChanges changes_of(const Study& study, const std::vector<Setting>& settings) {
  std::vector<arch::Override> all = arch::parse_overrides(study.set);
  for (const Setting& setting : settings) {
    if (!setting.is_base) {
      all.push_back({setting.key, setting.text});
    }
  }
  StepChanges changes;
  for (arch::Override& change : all) {
    if (!change.key.starts_with(kMakePrefix)) {
      changes.keys.push_back(std::move(change));
      continue;
    }
    const auto fields = app::kind_fields();
    const auto field =
        std::ranges::find(fields, std::string_view(change.key).substr(kMakePrefix.size()), &app::KindField::name);
    if (field == fields.end() || !step_keys().find(change.key)) {
      throw InputError(
          {{"--set " + change.key, 0, 0}, "unknown key '" + change.key + "'", step_keys().suggest(change.key)});
    }
    changes.make.*field->member = std::move(change.value);
    changes.has_make = true;
  }
  return changes;
}

/// A generated step has no base without a model, so a study that varies the model has its first one as the base.
std::vector<Setting> base_settings(const Study& study) {
  std::vector<Setting> settings;
  for (const Axis& axis : study.axes) {
    if (axis.key == "make.model") {
      settings.push_back({axis.key, axis.items.front()});
    }
  }
  return settings;
}

/// The system's first GPU, with what is changed of all.
arch::Resolved first_gpu(const system::System& system) {
  const auto& gpu = std::get<system::Gpu>(system.nodes[system::nodes_of<system::Gpu>(system).front()].is);
  const std::vector<std::filesystem::path> folders = cli::search_folders(cli::architecture_files());
  return arch::resolve_arch(arch::resolve_arch_path(gpu.arch, folders), arch::parse_overrides(system.gpu_set), folders);
}

/// What a key is, as --set takes it: an option of the generator as it is given, or a key of a file with its changes.
/// Empty where it has no value. `yaml` is the text of the application.
std::string text_of(const std::string& key, const StepChanges& changes, const system::System& system,
                    const std::string& yaml) {
  if (key.starts_with(kMakePrefix)) {
    const auto fields = app::kind_fields();
    const auto field =
        std::ranges::find(fields, std::string_view(key).substr(kMakePrefix.size()), &app::KindField::name);
    return field == fields.end() ? "" : changes.make.*field->member;
  }
  if (key.starts_with(system::kGpuPrefix)) {
    return text_of_key(first_gpu(system), std::string_view(key).substr(system::kGpuPrefix.size()));
  }
  if (system::find_system_key(key)) {
    return system::text_of_key(system, key);
  }
  ProblemList problems;
  arch::YamlReader reader(problems);
  const auto document = reader.parse(yaml, "an application", "");
  return document == nullptr ? "" : system::text_at(document->root(), key);
}

/// The digest of everything of a system that a step depends on.
void add_system(const system::System& system, Digest& digest) {
  digest.add(system.name);
  for (const system::GivenValue& value : system.values) {
    digest.add(value.key).add(value.text);
  }
  for (const system::Node& node : system.nodes) {
    digest.add(node.name);
  }
  for (const system::Link& link : system.links) {
    digest.add(std::uint64_t{link.from}).add(std::uint64_t{link.to});
    digest.add(system.link_types[link.type].name).add(std::uint64_t{link.count});
  }
  const system::CollectiveRates& rates = system.collectives;
  digest.add(rates.ring).add(rates.chain).add(rates.pairs).add(rates.nvls);
}

/// The digest of what recorded kernels take on the GPUs of a system: of the GPUs on which they were recorded, and of
/// the traces of the library that stand for them on those and on the system's.
class RecordedDigest {
 public:
  RecordedDigest(const application::Application& of, const std::vector<arch::Arch>& gpus, TraceDigester& traces,
                 Digest& digest)
      : application_(of), gpus_(gpus), traces_(traces), digest_(digest) {}

  void add();

 private:
  const arch::Arch& source_of(const std::string& name);
  void add_stand_in(const arch::Arch& gpu, const application::Operation& operation);

  const application::Application& application_;
  const std::vector<arch::Arch>& gpus_;
  TraceDigester& traces_;
  Digest& digest_;
  std::map<std::string, arch::Arch> sources_;  ///< by name
};

/// Each is added once.
const arch::Arch& RecordedDigest::source_of(const std::string& name) {
  auto known = sources_.find(name);
  if (known == sources_.end()) {
    known = sources_.emplace(name, cli::read_named_arch(name, {})).first;
    digest_.add(arch_digest(known->second));
  }
  return known->second;
}

void RecordedDigest::add_stand_in(const arch::Arch& gpu, const application::Operation& operation) {
  const auto form = generate::form_of(generate::target_on(gpu), operation);
  const auto* const how = form ? std::get_if<application::Simulated>(&form->how) : nullptr;
  if (how == nullptr) {
    return;
  }
  try {
    digest_.add(traces_(app::read_library_trace(*how)));
  } catch (const InputError&) {  // a shape that the library's kernel does not have: the time goes with peaks
    digest_.add("none");
  }
}

void RecordedDigest::add() {
  const std::vector<bool> is_worth = app::worth_simulating(application_);
  std::set<std::pair<std::string, application::Operation>> added;
  for (std::size_t i = 0; i < application_.kernels.size(); ++i) {
    const auto* const how = std::get_if<application::Recorded>(&application_.kernels[i].how);
    if (how == nullptr || how->of.empty()) {
      continue;
    }
    const arch::Arch& source = source_of(how->of);
    if (is_worth[i] && added.emplace(how->of, *how->does).second) {
      add_stand_in(source, *how->does);
      for (const arch::Arch& gpu : gpus_) {
        add_stand_in(gpu, *how->does);
      }
    }
  }
}

}  // namespace

StepInputs::StepInputs(const Study& study) : study_(study), conditions_(conditions(study)) {
  cli::Attempts attempts;
  for (std::size_t arch = 0; arch < study_.archs.size(); ++arch) {
    for (std::size_t trace = 0; trace < study_.traces.size(); ++trace) {
      attempts.attempt([&] {
        Base base{read(arch, trace, base_settings(study_)), {}};
        base.yaml = application::to_yaml(base.read.application);
        bases_.push_back(std::move(base));
      });
    }
  }
  attempts.throw_if_any();
}

StepInputs::Read StepInputs::read(std::size_t arch, std::size_t trace, const std::vector<Setting>& settings) const {
  StepChanges changes = changes_of(study_, settings);
  const app::WhatIf what_if = app::sort_changes(changes.keys);
  const std::string& name = study_.traces[trace];
  Read out{{}, cli::find_system(study_.archs[arch], what_if.of_system), what_if.text()};
  if (!name.starts_with(kMadePrefix)) {
    if (changes.has_make) {
      throw InputError({{name, 0, 0},
                        "is not generated, so that no 'make.' key changes it",
                        "sweep an application such as make:transformer-train"});
    }
    out.application =
        application::load_application(cli::find_file(name, cli::application_files()), what_if.of_application);
    return out;
  }
  changes.make.kind = name.substr(kMadePrefix.size());
  changes.make.system = study_.archs[arch];
  try {
    out.application = app::make_application(changes.make, what_if.of_system);
  } catch (const UsageError& error) {
    throw InputError({{name, 0, 0}, error.what(), ""});
  }
  if (!what_if.of_application.empty()) {
    out.application =
        application::parse_application(application::to_yaml(out.application), name, what_if.of_application);
  }
  return out;
}

std::string StepInputs::text(std::size_t arch, std::size_t trace, const std::string& key) const {
  const Base& base = bases_[arch * study_.traces.size() + trace];
  if (key.starts_with(kMakePrefix) && !study_.traces[trace].starts_with(kMadePrefix)) {
    return "";
  }
  return text_of(key, changes_of(study_, {}), base.read.system, base.yaml);
}

bool StepInputs::is_left_out(const Point& point, const Read& step) const {
  if (conditions_.empty()) {
    return false;
  }
  const StepChanges changes = changes_of(study_, point.settings);
  const std::string yaml = application::to_yaml(step.application);
  const StepValues values{[&](const std::string& key) { return text_of(key, changes, step.system, yaml); },
                          first_gpu(step.system).arch.dram.command_hz};
  return !std::ranges::all_of(conditions_, [&](const Condition& condition) { return condition.holds(values); });
}

std::string StepInputs::key_of(const Read& step) const {
  Digest digest;
  digest.add(step_version()).add(application::to_yaml(step.application)).add(step.application.path);
  add_system(step.system, digest);
  std::vector<arch::Arch> gpus;
  for (const system::NodeId id : system::nodes_of<system::Gpu>(step.system)) {
    const std::string& name = std::get<system::Gpu>(step.system.nodes[id].is).arch;
    const bool is_first = id == system::nodes_of<system::Gpu>(step.system).front();
    if (is_first || name != std::get<system::Gpu>(step.system.nodes[id - 1].is).arch) {
      gpus.push_back(cli::read_named_arch(name, step.system.gpu_set));
      digest.add(arch_digest(gpus.back()));
    }
  }
  TraceDigester traces;
  const std::filesystem::path folder = std::filesystem::path(step.application.path).parent_path();
  for (const application::Kernel& kernel : step.application.kernels) {
    if (const auto* const how = std::get_if<application::Simulated>(&kernel.how)) {
      digest.add(traces(app::read_kernel_trace(folder, *how)));
    }
  }
  RecordedDigest(step.application, gpus, traces, digest).add();
  return digest.hex();
}

Prepared StepInputs::prepare(const Plan& plan, const std::function<bool(std::uint64_t)>& tell) const {
  Prepared out;
  for (std::uint64_t i = 0; i < plan.size(); ++i) {
    if (tell && !tell(i)) {
      return {};
    }
    Candidate candidate{plan[i], {}, 1};
    PointRow& row = candidate.row;
    row.arch = study_.archs[candidate.point.arch];
    row.trace = study_.traces[candidate.point.trace];
    for (const Setting& setting : candidate.point.settings) {
      row.parameters.emplace_back(setting.key, setting.text);
    }
    try {
      const Read step = read(candidate.point.arch, candidate.point.trace, candidate.point.settings);
      if (is_left_out(candidate.point, step)) {
        ++out.left_out;
        continue;
      }
      const system::Fabric fabric(step.system);
      static_cast<void>(run::Binding(step.application, step.system, fabric));
      row.key = key_of(step);
    } catch (const InputError& error) {
      row.status = kSkipped;
      row.reason = reason_of(error);
    }
    out.points.push_back(std::move(candidate));
  }
  return out;
}

PointRunner StepInputs::runner(app::Database& database) const {
  const auto make = [this, &database](const Candidate& candidate) -> PointRunner::Run {
    const auto step =
        std::make_shared<Read>(read(candidate.point.arch, candidate.point.trace, candidate.point.settings));
    if (key_of(*step) != candidate.row.key) {
      throw InputError({{candidate.row.trace, 0, 0},
                        "was changed while the sweep ran",
                        "start the sweep again; what it stored stays"});
    }
    return [step, &database](unsigned threads, const std::function<bool()>&, PointEnd& end) {
      app::TimesOptions options;
      options.open = &database;
      options.threads = threads;
      const double begin = cli::host_seconds();
      try {
        app::Step ran = app::run_step(step->application, step->system, options);
        const app::Report report = app::make_report(
            std::move(step->application), step->system.name + (step->what_if.empty() ? "" : " " + step->what_if),
            std::move(ran.times), std::move(ran.timeline));
        if (report.timeline.step_ns() <= 0) {
          throw InputError({{end.row.trace, 0, 0}, "does nothing that takes time", ""});
        }
        end.result = app::to_json(report);
        summarize_step(report, end.row);
        end.row.host_seconds = cli::host_seconds() - begin;
      } catch (const cli::Interrupted&) {
        end.stopped = true;
      }
    };
  };
  return {make, step_version()};
}

}  // namespace gpusim::sweep
