// SPDX-License-Identifier: MIT
// What a kernel does, counted by walking it, and whether it can be walked at all: no machine is involved.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/footprint.h"

namespace gpusim::trace {

struct Kernel;
struct Trace;

/// Where a walk of a large kernel stops.
struct WalkLimit {
  std::uint64_t ctas = ~std::uint64_t{0};
  std::uint64_t steps = 100'000'000;  ///< warp instructions
  bool spread = false;                ///< CTAs from all over the grid, not its first
};

/// What of a kernel was walked.
struct Coverage {
  std::uint64_t ctas = 0;     ///< walked to their end
  std::uint64_t of_ctas = 0;  ///< in the grid
  std::uint64_t steps = 0;
  bool cut_off = false;  ///< the limit of steps was met
  [[nodiscard]] bool complete() const { return ctas == of_ctas; }
};

/// Executions of one static instruction.
struct InstructionCount {
  std::uint64_t issues = 0;  ///< warp instructions, also those whose guard was true for no lane
  std::uint64_t warps = 0;   ///< warp instructions with at least one lane
  std::uint64_t lanes = 0;   ///< thread instructions
};

/// Bytes that lanes asked for, before any coalescing.
struct RequestedBytes {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  std::uint64_t atomic = 0;
};
inline constexpr std::size_t kMemSpaces = 6;

struct OpcodeCount {
  std::string opcode;
  isa::Pipe pipe = isa::Pipe::kNone;
  InstructionCount count;
};

struct KernelSummary {
  Coverage walked;
  InstructionCount total;
  std::uint64_t active_lanes = 0;                ///< summed over warp instructions: on the path, whatever their guard
  std::vector<InstructionCount> by_instruction;  ///< parallel to Kernel::code
  std::vector<OpcodeCount> by_opcode;            ///< most issues first, then by name
  std::array<std::uint64_t, isa::kPipes> issues_by_pipe{};
  std::array<std::uint64_t, isa::kFlopClasses> flops{};  ///< by isa::FlopClass
  std::array<RequestedBytes, kMemSpaces> bytes{};        ///< by isa::MemSpace; LDGSTS reads global, writes shared
  [[nodiscard]] const RequestedBytes& of(isa::MemSpace space) const { return bytes[static_cast<std::size_t>(space)]; }
};

/// Walks CTAs in launch order (or spread) until the limit; `footprint`, if any, sees their global accesses. Counts are
/// those of the CTAs that were walked to their end, or of a part of the first when the limit came before: nothing is
/// scaled. Throws InputError where the trace's control flow is impossible.
[[nodiscard]] KernelSummary summarize(const Kernel& kernel, const WalkLimit& limit = {},
                                      Footprint* footprint = nullptr);

struct CheckResult {
  std::vector<Problem> problems;  ///< the first of each line of the trace
  std::vector<Coverage> walked;   ///< a kernel each
};

/// Some twenty seconds of walking.
inline constexpr WalkLimit kCheckLimit{~std::uint64_t{0}, 500'000'000};

/// Walks every kernel with all its addresses: all CTAs when the limit allows, else an even selection with the first
/// and the last. Each kernel has the limit for itself. Opcodes that are not known are problems, too.
[[nodiscard]] CheckResult check(const Trace& trace, const WalkLimit& limit = kCheckLimit);

}  // namespace gpusim::trace
