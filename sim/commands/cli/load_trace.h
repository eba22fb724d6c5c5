// SPDX-License-Identifier: MIT
// Which front end reads a trace file.
#pragma once

#include <filesystem>

#include "sim/model/trace/trace.h"

namespace gpusim::cli {

/// What to do with the Python program in which kernels of Triton stand.
inline constexpr const char* kRunPython =
    "run it, so that Triton compiles its kernels; then give the kernel's folder in Triton's cache, and the launch";

/// Throws InputError about a pipe or a device.
void require_file(const std::filesystem::path& path);

/// A file that begins as machine code in one of the forms that are read.
[[nodiscard]] bool is_machine_code(const std::filesystem::path& path);
/// Compiled kernels: machine code in any of the forms that are read, source that a compiler makes some of, or a folder
/// with cubins.
[[nodiscard]] bool is_compiled(const std::filesystem::path& path);
/// A listing of SASS, which is executed where its encodings and a launch are there.
[[nodiscard]] bool is_listing(const std::filesystem::path& path);
/// Throws InputError for compiled kernels and for their source, with what to do instead.
void refuse_compiled(const std::filesystem::path& path);
/// Throws InputError for a file that its name says is compiled code or Python, and that is neither machine code nor a
/// trace, with what to do instead.
void refuse_misnamed(const std::filesystem::path& path);
/// Throws InputError for what is neither compiled code nor a folder that may hold some, with what to do instead.
void require_compiled(const std::filesystem::path& path);

/// Logs what is doubtful in the trace, such as an unknown opcode; each text once, however many traces have it.
void log_warnings(const trace::Trace& trace);

/// Reads a trace that is not text, or throws InputError about it.
using LoadOther = trace::Trace (*)(const std::filesystem::path& path, const trace::ParameterChoice& choice);
/// Sets what reads traces that are not text; call it once, before load_trace(). gpusim-core has no reader of
/// recordings.
void load_others_with(LoadOther load);

/// Reads the trace. Throws InputError; also for parameters of a trace that cannot have any.
[[nodiscard]] trace::Trace load_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice);

}  // namespace gpusim::cli
