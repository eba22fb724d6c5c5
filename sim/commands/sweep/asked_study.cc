// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/asked_study.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "sim/base/cache_state.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/formula/formula.h"
#include "sim/commands/sweep/steps/step_keys.h"
#include "sim/commands/sweep/study/expand.h"

namespace gpusim::commands {
namespace {

/// Stands for every architecture there is.
constexpr std::string_view kEveryOne = "all";

/// Whoever mistypes the name of a command, or leaves an option out, gets here, too.
sweep::LocatedStudy read_file(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    const std::string other(cli::other_kind(file, nullptr).hint);
    throw InputError({{file, 0, 0},
                      "no such study",
                      other.empty() ? suggestion(file, std::vector<std::string_view>{"show", "merge"}) : other});
  }
  sweep::LocatedStudy study = sweep::read_study(file, &sweep::step_keys());
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (study.file.study.keys != nullptr) {
    for (std::string& name : study.file.study.archs) {
      name = cli::name_beside(folder, name, cli::system_files());
    }
    for (std::string& name : study.file.study.traces) {
      name = name.starts_with(sweep::kMadePrefix) ? name : cli::name_beside(folder, name, cli::application_files());
    }
    return study;
  }
  for (std::string& name : study.file.study.archs) {
    name = name == kEveryOne ? name : cli::name_beside(folder, name, cli::architecture_files());
  }
  for (std::string& name : study.file.study.traces) {
    name = cli::name_beside(folder, name, cli::trace_files());
  }
  return study;
}

void set_combination(const SweepOptions& options, sweep::Study& study) {
  if (int{options.zip} + int{options.one_at_a_time} + int{!options.random.empty()} > 1) {
    throw UsageError("--zip, --one-at-a-time and --random exclude each other");
  }
  if (options.zip) {
    study.combination = sweep::Combination::kZip;
  } else if (options.one_at_a_time) {
    study.combination = sweep::Combination::kOneAtATime;
  } else if (!options.random.empty()) {
    study.combination = sweep::Combination::kRandom;
    study.random_count = cli::parse_count("--random", options.random, 1, sweep::kMostPoints);
  }
  if (!options.seed.empty()) {
    if (options.random.empty()) {
      throw UsageError("--seed is of --random, which is not given");
    }
    study.seed = cli::parse_count("--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max());
  }
}

sweep::LocatedStudy study_of(const SweepOptions& options) {
  sweep::StudyFile file;
  sweep::Study& study = file.study;
  const bool is_of_steps = !options.app.empty();
  study.archs = is_of_steps ? options.system : options.arch;
  study.traces = is_of_steps ? options.app : options.trace;
  study.keys = is_of_steps ? &sweep::step_keys() : nullptr;
  study.set = options.set;
  study.param = options.param;
  for (const std::string& text : options.vary) {
    study.axes.push_back(sweep::parse_axis(text));
  }
  set_combination(options, study);
  study.where = options.where;
  study.cache = options.cache.empty() ? study.cache : options.cache;
  study.test_params = options.test_params;
  study.kernel = options.kernel;
  study.ctas = options.ctas;
  study.max_cycles = options.max_cycles;
  ProblemList problems;
  sweep::check(study, sweep::on_command_line, problems);
  problems.throw_if_any();
  return {std::move(file), sweep::on_command_line};
}

void expand_all(std::vector<std::string>& archs) {
  std::vector<std::string> names;
  for (const std::string& name : archs) {
    if (name != kEveryOne) {
      names.push_back(name);
      continue;
    }
    for (const std::filesystem::path& file : cli::known_files(cli::architecture_files())) {
      names.push_back(file.stem().string());
    }
  }
  archs = std::move(names);
}

/// The traces that are kernels of the library, looked up once: a sweep loads each for every point.
std::map<std::string, cli::FoundTrace> library_kernels(const std::vector<std::string>& traces) {
  std::map<std::string, cli::FoundTrace> kernels;
  for (const std::string& name : traces) {
    if (const std::optional<cli::FoundTrace> kernel = cli::find_kernel(name)) {
      kernels.emplace(name, *kernel);
    }
  }
  return kernels;
}

/// The name of a file that came along is its own, however it was typed: points of "H100" and "h100.yaml" are points of
/// "h100". Other files keep the name under which the user gave them.
std::string own_name(const std::string& name, const cli::FileKind& kind) {
  const std::optional<std::filesystem::path> found = cli::look_for_file(name, kind);
  const std::vector<std::filesystem::path> folders = cli::search_folders(kind);
  if (!found || std::filesystem::path(name).has_parent_path() ||
      std::ranges::find(folders, found->parent_path()) == folders.end()) {
    return name;
  }
  std::string own = found->stem().string();
  return cli::look_for_file(own, kind) == found ? own : name;  // a file of the current folder may have that name, too
}

/// One that is named twice, by itself and by "all" for example, is swept once.
void drop_repeats(std::vector<std::string>& names) {
  std::set<std::string> seen;
  std::erase_if(names, [&seen](const std::string& name) { return !seen.insert(name).second; });
}

}  // namespace

sweep::LocatedStudy sweep_study(const SweepOptions& options) {
  sweep::LocatedStudy study = options.file.empty() ? study_of(options) : read_file(options.file);
  if (study.file.study.keys == nullptr) {
    expand_all(study.file.study.archs);
  }
  const cli::FileKind& kind = study.file.study.keys == nullptr ? cli::architecture_files() : cli::system_files();
  for (std::string& name : study.file.study.archs) {
    name = own_name(name, kind);
  }
  drop_repeats(study.file.study.archs);
  drop_repeats(study.file.study.traces);
  if (!options.cost.empty()) {
    // What cannot be read is to be known before hours of simulation, not after.
    static_cast<void>(sweep::Formula::number("--cost", options.cost));
    study.file.cost = options.cost;
  }
  return study;
}

gpu::SimulateOptions sweep_how(const sweep::Study& study) {
  gpu::SimulateOptions how;
  how.cache = cache_state_of(study.cache);
  if (!study.ctas.empty()) {
    how.ctas = cli::parse_ctas(study.ctas);
  }
  if (!study.max_cycles.empty()) {
    how.max_cycles = cli::parse_count("--max-cycles", study.max_cycles, 1, kNever - 1);
  }
  return how;
}

sweep::Sources sweep_sources(const sweep::Study& study) {
  sweep::Sources sources;
  sources.find_arch = [](const std::string& name) { return cli::find_file(name, cli::architecture_files()); };
  sources.arch_folders = cli::search_folders(cli::architecture_files());
  sources.load_trace = [kernel = study.kernel, kernels = library_kernels(study.traces)](
                           const std::string& name, const trace::ParameterChoice& choice) {
    const auto of_library = kernels.find(name);
    trace::Trace trace =
        cli::load_trace(of_library == kernels.end() ? cli::find_trace(name) : of_library->second, choice);
    cli::log_warnings(trace);
    cli::keep_kernels(trace, kernel);
    trace.path = name;
    return trace;
  };
  return sources;
}

}  // namespace gpusim::commands
