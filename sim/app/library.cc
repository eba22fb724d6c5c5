// SPDX-License-Identifier: MIT
#include "sim/app/library.h"

#include <algorithm>

#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/load_trace.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/frontend/text/load.h"
#include "sim/frontend/text/source_text.h"

namespace gpusim::app {
namespace {

struct Entry {
  inspect::LibraryKernel kernel;
  std::vector<std::pair<std::string, std::int64_t>> presets;
};

Entry entry_of(const frontend::Description& told, const frontend::LibraryName& name, const std::string& file) {
  Entry entry{{name.name, name.family, name.title, file, told.parameters}, name.presets};
  for (const auto& [preset, value] : name.presets) {
    const auto parameter = std::ranges::find(entry.kernel.parameters, preset, &trace::Parameter::name);
    if (parameter != entry.kernel.parameters.end()) {
      parameter->default_value = value;
    }
  }
  return entry;
}

std::vector<Entry> read_entries() {
  std::vector<Entry> entries;
  for (const std::filesystem::path& file : known_files(trace_files())) {
    try {
      const frontend::Description told = frontend::describe_trace_text(frontend::read_text(file), file.string());
      for (const frontend::LibraryName& name : told.library) {
        entries.push_back(entry_of(told, name, file.string()));
      }
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
trace::ParameterChoice with_presets(trace::ParameterChoice choice, const Entry& entry) {
  const std::vector<std::pair<std::string, std::int64_t>> given = choice.overrides;
  for (const auto& [name, value] : entry.presets) {
    const bool chosen = std::ranges::find(given, name, &std::pair<std::string, std::int64_t>::first) != given.end();
    if (!chosen && !names(choice.words, name)) {
      choice.overrides.emplace_back(name, value);
    }
  }
  return choice;
}

}  // namespace

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
  const auto found = std::ranges::find_if(library, [&](const Entry& entry) { return entry.kernel.name == name; });
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
  return frontend::text_with_defaults(frontend::read_text(file), file, with_presets(choice, *found));
}

}  // namespace gpusim::app
