// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/choices.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/run/cuda.h"
#include "sim/commands/lab/serve/message.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kCaches{"warm", "cold", "flush-between", "dirty"};
constexpr std::size_t kMostSettings = 32;
constexpr std::size_t kLongestSetting = 200;
constexpr Cycle kMostCycles = 20'000;

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) {
    list.push_back(text);
  }
}

/// The files of the student that end so.
std::vector<std::string> files_ending(const Lab& lab, std::string_view end) {
  std::vector<std::string> names;
  for (const auto* const files : {&lab.files, &lab.given}) {
    std::ranges::copy_if(*files, std::back_inserter(names), [end](const std::string& f) { return f.ends_with(end); });
  }
  return names;
}

/// What a file of a run is called in the student's folder, a name that commands know otherwise; nothing for what the
/// student does not have: files of solutions, and those of the start that were meant to be changed.
std::optional<std::string> student_name_of(const Lab& lab, const std::string& file) {
  const std::string start = std::string(kStartFolder) + "/";
  const std::string name = file.starts_with(start) ? file.substr(start.size()) : file;
  const bool is_old = file.starts_with(start) && lab.is_of_student(name);
  const bool is_there = lab.is_of_student(name) || std::ranges::find(lab.given, name) != lab.given.end();
  return !is_old && (is_there || name.find('/') == std::string::npos) ? std::optional(name) : std::nullopt;
}

std::vector<std::string> settings_of(const std::vector<Setting>& settings, const Scope& scope) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : settings) {
    const std::string resolved = scope.resolved(value);
    if (resolved.find(kAnswers) == std::string::npos) {  // what is not chosen yet is left to the student
      texts.push_back(key + "=" + resolved);
    }
  }
  return texts;
}

std::vector<std::string> texts_in(const Json& asked, const char* key) {
  std::vector<std::string> texts;
  const Json list = asked.value(key, Json::array());
  if (!list.is_array() || list.size() > kMostSettings) {
    throw InputError({{key, 0, 0}, "is not a list of at most 32 texts", ""});
  }
  for (const Json& each : list) {
    if (!each.is_string() || each.get_ref<const std::string&>().size() > kLongestSetting) {
      throw InputError({{key, 0, 0}, "holds what is not text of at most 200 bytes", ""});
    }
    texts.push_back(each.get<std::string>());
  }
  return texts;
}

/// One of the list: that one, not the text that was sent.
template <class List>
std::string one_of(const List& list, const Json& asked, const char* key) {
  const std::string text = text_in(asked, key);
  const auto found = std::ranges::find(list, text);
  if (found == list.end()) {
    const std::vector<std::string_view> known(list.begin(), list.end());
    throw InputError({{key, 0, 0}, "'" + printable(clipped(text, 100)) + "' is not there", suggestion(text, known)});
  }
  return std::string(*found);
}

Cycle cycle_in(const Json& asked, const char* key, Cycle otherwise) {
  const auto found = asked.find(key);
  return found != asked.end() && found->is_number_unsigned() ? found->get<Cycle>() : otherwise;
}

}  // namespace

Choices choices_of(const Lab& lab, const Scope& scope, const fs::path& folder) {
  Choices choices;
  choices.traces = files_ending(lab, ".trace");
  for (const CudaForm& form : lab.cuda) {
    if (is_handed_in(form, folder)) {
      choices.traces.push_back(form.source);
    }
  }
  choices.archs = files_ending(lab, ".yaml");
  for (const Run& run : lab.runs) {
    const std::optional<std::string> trace = student_name_of(lab, run.trace);
    const std::optional<std::string> arch = student_name_of(lab, run.arch);
    if (trace && arch) {
      add_once(choices.traces, *trace);
      add_once(choices.archs, *arch);
    }
    // Settings of other runs may be the answer to a question; the handout has those that students are to know.
    if (trace && arch && (lab.is_of_student(run.trace) || lab.is_of_student(run.arch))) {
      const CudaForm* const form = lab.cuda_of(run.trace);
      const bool is_cuda = form != nullptr && is_handed_in(*form, folder);
      choices.runs.push_back({run.name, is_cuda ? form->source : *trace,
                              is_cuda && !form->arch.empty() ? form->arch : *arch, settings_of(run.params, scope),
                              settings_of(run.set, scope), run.cache});
    }
  }
  for (const fs::path& file : cli::known_files(cli::architecture_files())) {
    add_once(choices.archs, file.stem().string());
  }
  return choices;
}

Experiment experiment_of(const Json& asked, const Lab& lab, const Choices& choices, const Scope& scope,
                         const fs::path& folder) {
  Experiment experiment;
  experiment.trace = one_of(choices.traces, asked, "trace");
  experiment.arch = one_of(choices.archs, asked, "arch");
  const auto path_of = [&lab, &folder](const std::string& name) {
    const bool is_file = lab.is_of_student(name) || std::ranges::find(lab.given, name) != lab.given.end();
    return is_file ? (folder / name).string() : name;
  };
  experiment.job = {path_of(experiment.trace), path_of(experiment.arch),        texts_in(asked, "params"),
                    texts_in(asked, "set"),    one_of(kCaches, asked, "cache"), ""};
  experiment.job.has_own_arch = experiment.job.arch != experiment.arch;
  for (const CudaForm& form : lab.cuda) {
    if (experiment.trace == form.source) {
      take_cuda({form, lab.folder / kStartFolder, folder}, scope, experiment.job);
    }
  }
  experiment.begin = cycle_in(asked, "begin", 0);
  experiment.end = cycle_in(asked, "end", experiment.begin + 4000);
  if (experiment.end <= experiment.begin || experiment.end - experiment.begin > kMostCycles) {
    throw InputError({{"cycles", 0, 0}, "are not 1 to 20,000 of them", ""});
  }
  return experiment;
}

}  // namespace gpusim::lab
