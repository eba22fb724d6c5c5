// SPDX-License-Identifier: MIT
#include "sim/app/library.h"

#include <algorithm>

#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/load_trace.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/input/container/reader.h"
#include "sim/input/text/load.h"
#include "sim/input/text/source_text.h"

namespace gpusim::app {
namespace {

using Presets = std::vector<std::pair<std::string, std::int64_t>>;

struct Entry {
  inspect::LibraryKernel kernel;
  Presets presets;
};

Entry entry_of(const frontend::Description& told, const frontend::LibraryName& name, const std::string& file) {
  Entry entry{{name.name, name.family, name.title, file, told.parameters, told.holes}, name.presets};
  for (const auto& [preset, value] : name.presets) {
    const auto parameter = std::ranges::find(entry.kernel.parameters, preset, &trace::Parameter::name);
    if (parameter != entry.kernel.parameters.end()) {
      parameter->default_value = value;
      std::erase(entry.kernel.holes, preset);
    }
  }
  return entry;
}

std::vector<Entry>::const_iterator entry_called(const std::string& name, const std::vector<Entry>& library) {
  return std::ranges::find_if(library, [&](const Entry& entry) { return entry.kernel.name == name; });
}

/// Names and parameters are things of the text form.
bool is_recording(const std::filesystem::path& file) {
  return container::is_container(file) || is_accelsim(file);
}

/// Of two kernels with one name the first stays: the project's own come first.
void add_entries(std::vector<Entry>& entries, const frontend::Description& told, const std::string& file) {
  std::string taken;
  for (const frontend::LibraryName& name : told.library) {
    const auto known = entry_called(name.name, entries);
    if (known == entries.end()) {
      entries.push_back(entry_of(told, name, file));
    } else {
      taken += (taken.empty() ? "'" : ", '") + name.name + "' of " + known->kernel.file;
    }
  }
  if (!taken.empty()) {
    log_warning(file + ": left out of the library, which has a kernel called so: " + taken);
  }
}

std::vector<Entry> read_entries() {
  std::vector<Entry> entries;
  for (const std::filesystem::path& file : known_files(trace_files())) {
    if (is_recording(file)) {
      continue;
    }
    try {
      const frontend::Description told = frontend::describe_trace_text(frontend::read_text(file), file.string());
      add_entries(entries, told, file.string());
    } catch (const InputError& error) {
      log_warning("left out of the library: " + to_text(error.problems().front()));
    }
  }
  return entries;
}

bool names(const std::vector<std::pair<std::string, std::string>>& words, const std::string& name) {
  return std::ranges::find(words, name, &std::pair<std::string, std::string>::first) != words.end();
}

/// The user's values, and the presets that they do not replace.
trace::ParameterChoice with_presets(trace::ParameterChoice choice, const Presets& presets) {
  const Presets given = choice.overrides;
  for (const auto& [name, value] : presets) {
    const bool chosen = std::ranges::find(given, name, &Presets::value_type::first) != given.end();
    if (!chosen && !names(choice.words, name)) {
      choice.overrides.emplace_back(name, value);
    }
  }
  return choice;
}

/// No path, and nothing is called so.
bool may_be_kernel(const std::string& name) {
  std::error_code ignored;
  return !std::filesystem::path(name).has_parent_path() && !std::filesystem::exists(name, ignored) &&
         !look_for_file(name, trace_files());
}

/// Throws when what was meant is rather a kernel than a file.
void refuse_misspelt_kernel(const std::string& name) {
  std::vector<std::string> known;
  for (const std::filesystem::path& file : known_files(trace_files())) {
    known.push_back(file.stem().string());
  }
  const std::size_t files = known.size();
  for (const inspect::LibraryKernel& kernel : read_library()) {
    known.push_back(kernel.name);
  }
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string_view meant = nearest(name, words);
  if (!meant.empty() && std::find(words.begin(), words.end(), meant) >= words.begin() + static_cast<long>(files)) {
    throw InputError({{name, 0, 0}, "no such file, and no such kernel of the library", suggestion(name, words)});
  }
}

}  // namespace

std::optional<FoundTrace> find_kernel(const std::string& name) {
  if (!may_be_kernel(name)) {
    return std::nullopt;
  }
  const std::vector<Entry> library = read_entries();
  const auto found = entry_called(name, library);
  return found == library.end() ? std::nullopt
                                : std::optional(FoundTrace{found->kernel.file, found->presets, found->kernel.title});
}

FoundTrace find_trace(const std::string& name) {
  if (std::optional<FoundTrace> kernel = find_kernel(name)) {
    return *std::move(kernel);
  }
  if (may_be_kernel(name)) {
    refuse_misspelt_kernel(name);
  }
  return {find_file(name, trace_files()), {}, ""};
}

trace::Trace load_trace(const FoundTrace& found, const trace::ParameterChoice& choice) {
  trace::Trace trace = load_trace(found.file, with_presets(choice, found.presets));
  trace.title = found.title.empty() ? trace.title : found.title;
  return trace;
}

std::vector<inspect::LibraryKernel> read_library() {
  std::vector<inspect::LibraryKernel> kernels;
  for (const Entry& entry : read_entries()) {
    kernels.push_back(entry.kernel);
  }
  inspect::sort_library(kernels);
  return kernels;
}

std::string make_trace(const std::string& name, const trace::ParameterChoice& choice) {
  const std::vector<Entry> library = read_entries();
  const auto found = entry_called(name, library);
  if (found == library.end()) {
    std::vector<std::string_view> known;
    for (const Entry& entry : library) {
      known.push_back(entry.kernel.name);
    }
    throw InputError({{name, 0, 0},
                      "no kernel of the library is called so",
                      suggestion(name, known) + "; 'gpusim trace make --list' has all"});
  }
  const std::string& file = found->kernel.file;
  const trace::ParameterChoice chosen = with_presets(choice, found->presets);
  if (std::vector<Problem> problems = inspect::launch_problems(load_trace(file, chosen)); !problems.empty()) {
    throw InputError(std::move(problems));
  }
  return frontend::text_with_defaults(frontend::read_text(file), file, chosen, found->kernel.title);
}

}  // namespace gpusim::app
