// SPDX-License-Identifier: MIT
// The header of a kernel's trace: the lines "-key = value" up to the first that begins with '#'.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/problem.h"
#include "sim/base/types.h"
#include "sim/input/accelsim/extra_lines.h"
#include "sim/input/accelsim/instruction_line.h"
#include "sim/input/accelsim/line_source.h"
#include "sim/input/accelsim/warnings.h"

namespace gpusim::frontend::accelsim {

/// Each window of CUDA's generic address space.
inline constexpr std::uint64_t kWindowBytes = 16ULL << 20;

struct TraceHeader {
  std::string kernel_name;
  SourceLocation where;  ///< place of the name
  Dim3 grid;
  Dim3 block;
  std::uint64_t shared_bytes = 0;
  std::uint32_t registers = 0;
  std::uint32_t binary_version = 0;  ///< 0 unknown
  std::uint64_t stream = 0;
  Address shared_window = 0;  ///< generic addresses from here on lie in shared memory; 0 unknown
  Address local_window = 0;
  std::uint32_t tracer_version = 0;  ///< 0: older than the versions that say so
  LineForm form;
  ExtraLines extra;
};

/// Reads to the end of the header. Problems (a missing or malformed key, an absurd size, a version this reader does not
/// know) go to `problems`; keys it does not know to `warnings`.
[[nodiscard]] TraceHeader read_header(LineSource& source, ProblemList& problems, Warnings& warnings);

}  // namespace gpusim::frontend::accelsim
