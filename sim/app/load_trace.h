// SPDX-License-Identifier: MIT
// Which front end reads a trace file.
#pragma once

#include <filesystem>

#include "sim/trace/kernel.h"

namespace gpusim::app {

/// Throws InputError about a pipe or a device.
void require_file(const std::filesystem::path& path);

/// True for traces of Accel-Sim's tracer: by extension (kernelslist.g, .traceg, .xz), else by how the file begins.
[[nodiscard]] bool is_accelsim(const std::filesystem::path& path);

/// Reads the trace. Throws InputError; also for parameters of a trace that cannot have any.
[[nodiscard]] trace::Trace load_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice);

}  // namespace gpusim::app
