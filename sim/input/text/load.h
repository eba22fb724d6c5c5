// SPDX-License-Identifier: MIT
// The text form of traces (docs/trace-format.md, docs/trace-machine.md), read into a Trace of program kernels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/trace/trace.h"

namespace gpusim::frontend {

/// Reads a text trace, plain or compressed with zstd, and the matrices that it names. Throws InputError with every
/// problem of the file, of the chosen parameters, or of reading it.
[[nodiscard]] trace::Trace load_trace_text(const std::filesystem::path& path, const trace::ParameterChoice& choice);

/// The same from memory; `name` stands for the file in messages.
[[nodiscard]] trace::Trace load_trace_text(std::string_view text, std::string_view name,
                                           const trace::ParameterChoice& choice);

/// The lines of a text with something to be filled in, each once. Throws InputError where the text makes no sense.
[[nodiscard]] std::vector<Problem> holes_of_trace_text(std::string_view text, std::string_view name);

/// A name of the trace in the library.
struct LibraryName {
  std::string family;
  std::string name;
  std::string title;
  std::vector<std::pair<std::string, std::int64_t>> presets;  ///< defaults under this name
};

/// What a trace says of itself, without its kernels.
struct Description {
  std::string title;
  std::vector<LibraryName> library;
  std::vector<trace::Parameter> parameters;
  std::vector<std::string> holes;  ///< parameters whose default is still to be filled in
};
/// Reads only what stands outside kernels. Throws InputError.
[[nodiscard]] Description describe_trace_text(std::string_view text, std::string_view name);

/// The same text with the chosen values as the parameters' defaults and in the test set, and with the title unless that
/// is empty; all else stays as it is, comments included. Where the rest of the test set does not fit the chosen values,
/// it becomes the defaults. Throws InputError where loading with this choice would.
[[nodiscard]] std::string text_with_defaults(std::string_view text, std::string_view name,
                                             const trace::ParameterChoice& choice, std::string_view title = {});

}  // namespace gpusim::frontend
