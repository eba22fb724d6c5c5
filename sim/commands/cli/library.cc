// SPDX-License-Identifier: MIT
#include "sim/commands/cli/library.h"

#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/input/kind/kind.h"
#include "sim/input/text/library_kernel.h"
#include "sim/input/text/load.h"
#include "sim/input/text/source_text.h"

namespace gpusim::cli {
namespace {

using Presets = std::vector<std::pair<std::string, std::int64_t>>;

std::vector<frontend::LibraryKernel>::const_iterator kernel_called(
    const std::string& name, const std::vector<frontend::LibraryKernel>& library) {
  return std::ranges::find(library, name, &frontend::LibraryKernel::name);
}

/// Names and parameters are things of the text form.
bool is_recording(const std::filesystem::path& file) {
  return frontend::is_container(file) || frontend::is_accelsim(file);
}

/// If two kernels have one name, the first stays: the project's own kernels come first.
void add_kernels(std::vector<frontend::LibraryKernel>& kernels, const frontend::Description& told,
                 const std::string& file) {
  std::string taken;
  for (const frontend::LibraryName& name : told.library) {
    const auto known = kernel_called(name.name, kernels);
    if (known == kernels.end()) {
      kernels.push_back(frontend::library_kernel(told, name, file));
    } else {
      taken += (taken.empty() ? "'" : ", '") + name.name + "' of " + known->file;
    }
  }
  if (!taken.empty()) {
    log_warning(file + ": left out of the library, which has a kernel called so: " + taken);
  }
}

/// True if `name` is not a path and no file has this name.
bool may_be_kernel(const std::string& name) {
  std::error_code ignored;
  return !std::filesystem::path(name).has_parent_path() && !std::filesystem::exists(name, ignored) &&
         !look_for_file(name, trace_files());
}

std::optional<FoundTrace> kernel_of_library(const std::string& name) {
  const std::vector<frontend::LibraryKernel> library = read_library();
  const auto found = kernel_called(name, library);
  return found == library.end() ? std::nullopt : std::optional(FoundTrace{found->file, found->presets, found->title});
}

/// Throws when what was meant is rather a kernel than a file.
void refuse_misspelt_kernel(const std::string& name) {
  std::vector<std::string> known;
  for (const std::filesystem::path& file : known_files(trace_files())) {
    known.push_back(file.stem().string());
  }
  for (const frontend::LibraryKernel& kernel : read_library()) {
    known.push_back(kernel.name);
  }
  std::ranges::sort(known);  // nearest() then takes the first of equally near names
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string_view meant = nearest(name, words);
  if (!meant.empty() && !look_for_file(std::string(meant), trace_files())) {
    throw InputError({{name, 0, 0}, "no such file, and no such kernel of the library", suggestion(name, words)});
  }
}

}  // namespace

std::optional<FoundTrace> find_kernel(const std::string& name) {
  return may_be_kernel(name) ? kernel_of_library(name) : std::nullopt;
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

FoundTrace find_shipped_trace(const std::string& name) {
  for (const std::filesystem::path& file : known_files(trace_files())) {
    if (file.stem() == name) {
      return {file, {}, ""};
    }
  }
  if (std::optional<FoundTrace> kernel = kernel_of_library(name)) {
    return *std::move(kernel);
  }
  throw InputError({{name, 0, 0}, "no such kernel of the library", ""});
}

trace::Trace load_trace(const FoundTrace& found, const trace::ParameterChoice& choice) {
  trace::Trace trace = load_trace(found.file, with_presets(choice, found.presets));
  trace.title = found.title.empty() ? trace.title : found.title;
  return trace;
}

trace::ParameterChoice with_presets(trace::ParameterChoice choice, const Presets& presets) {
  choice.presets = presets;
  return choice;
}

std::vector<frontend::LibraryKernel> read_library() {
  std::vector<frontend::LibraryKernel> kernels;
  for (const std::filesystem::path& file : known_files(trace_files())) {
    if (is_recording(file)) {
      continue;
    }
    try {
      const frontend::Description told = frontend::describe_trace_text(frontend::read_text(file), file.string());
      add_kernels(kernels, told, file.string());
    } catch (const InputError& error) {
      log_warning("left out of the library: " + to_text(error.problems().front()));
    }
  }
  return kernels;
}

}  // namespace gpusim::cli
