// SPDX-License-Identifier: MIT
// Which front end reads a trace file.
#pragma once

#include <filesystem>

#include "sim/model/trace/kernel.h"

namespace gpusim::cli {

/// What to do with the Python program in which kernels of Triton stand.
inline constexpr const char* kRunPython =
    "run it, so that Triton compiles its kernels; then give the kernel's folder in Triton's cache, and the launch";

/// Throws InputError about a pipe or a device.
void require_file(const std::filesystem::path& path);

/// True for traces of Accel-Sim's tracer: by extension (kernelslist.g, .traceg, .xz), else by how the file begins.
[[nodiscard]] bool is_accelsim(const std::filesystem::path& path);

/// A disassembly, which is to be imported before it can be simulated.
[[nodiscard]] bool is_listing(const std::filesystem::path& path);
/// A file that begins as machine code in one of the forms that are read.
[[nodiscard]] bool is_machine_code(const std::filesystem::path& path);
/// Compiled kernels: machine code in any of the forms that are read, source that a compiler makes some of, or a folder
/// with cubins.
[[nodiscard]] bool is_compiled(const std::filesystem::path& path);
/// Throws InputError for compiled kernels and for their source, Python with kernels of Triton included, with what to do
/// instead.
void refuse_compiled(const std::filesystem::path& path);
/// Throws InputError for what is neither compiled code nor a folder that may hold some, with what to do instead.
void require_compiled(const std::filesystem::path& path);

/// Logs what is doubtful in the trace, such as an unknown opcode; each text once, however many traces have it.
void log_warnings(const trace::Trace& trace);

/// Reads the trace. Throws InputError; also for parameters of a trace that cannot have any.
[[nodiscard]] trace::Trace load_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice);

}  // namespace gpusim::cli
