// SPDX-License-Identifier: MIT
// The text form of traces (docs/trace-format.md), read into a Trace of program kernels.
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/trace/kernel.h"

namespace gpusim::frontend {

/// Reads a text trace, plain or compressed with zstd. Throws InputError with every problem of the file, of the chosen
/// parameters, or of reading it.
[[nodiscard]] trace::Trace load_trace_text(const std::filesystem::path& path, const trace::ParameterChoice& choice);

/// The same from memory; `name` stands for the file in messages.
[[nodiscard]] trace::Trace load_trace_text(std::string_view text, std::string_view name,
                                           const trace::ParameterChoice& choice);

}  // namespace gpusim::frontend
