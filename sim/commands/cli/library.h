// SPDX-License-Identifier: MIT
// The library of kernels: the trace files found by name that say they belong to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/trace/trace.h"

namespace gpusim::frontend {
struct LibraryKernel;
}  // namespace gpusim::frontend

namespace gpusim::cli {

/// What a name means where a trace is wanted: a file, or a kernel of the library, which is a file with values of its
/// own.
struct FoundTrace {
  std::filesystem::path file;
  std::vector<std::pair<std::string, std::int64_t>> presets;
  std::string title;  ///< empty: the file's
};
/// The kernel of the library with this name; nothing when a file has the name.
[[nodiscard]] std::optional<FoundTrace> find_kernel(const std::string& name);
/// A path, a file that came along, or a name of the library, in this order. Throws InputError when it is none.
[[nodiscard]] FoundTrace find_trace(const std::string& name);
/// What the program itself calls so: a file that came along, or a name of the library, and no file of the current
/// folder. Throws InputError when it is none.
[[nodiscard]] FoundTrace find_shipped_trace(const std::string& name);
/// The presets hold where the choice does not name their parameters.
[[nodiscard]] trace::Trace load_trace(const FoundTrace& found, const trace::ParameterChoice& choice);

/// The choice, and of the presets those that it does not replace.
[[nodiscard]] trace::ParameterChoice with_presets(trace::ParameterChoice choice,
                                                  const std::vector<std::pair<std::string, std::int64_t>>& presets);

/// All kernels of the library, file by file. A file that cannot be read is left out with a warning; recordings have no
/// names.
[[nodiscard]] std::vector<frontend::LibraryKernel> read_library();

}  // namespace gpusim::cli
