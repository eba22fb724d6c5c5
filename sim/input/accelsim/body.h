// SPDX-License-Identifier: MIT
// The body of a kernel's trace: CTAs, their warps, and the instructions of each, checked for completeness.
#pragma once

#include <cstdint>

#include "sim/base/problem.h"
#include "sim/input/accelsim/header.h"
#include "sim/input/accelsim/instruction_line.h"
#include "sim/input/accelsim/line_source.h"
#include "sim/model/isa/instr.h"

namespace gpusim::frontend::accelsim {

/// Receives a body in the order of the file. Instructions come between begin_warp and end_warp.
class BodySink {
 public:
  virtual ~BodySink() = default;
  /// `cta` is the linear number of its place in the grid, whatever the order of the file; `rank` its rank in its
  /// cluster, as the file says it.
  virtual void begin_warp(std::uint64_t cta, std::uint32_t warp, std::uint32_t rank) = 0;
  /// `line_number` is the line's in the file; `line` is valid during the call.
  /// Returns what the instruction is, valid until the next call.
  virtual const isa::Instr& instruction(const InstructionLine& line, std::uint32_t line_number) = 0;
  /// `line_number` is of the line after its last.
  virtual void end_warp(std::uint32_t line_number) = 0;
};

/// What only a whole body shows.
struct BodyFacts {
  bool in_order = true;  ///< the CTAs came in the order of their numbers
  Dim3 cluster;          ///< CTAs of a cluster, by side
};

/// Reads the body behind `header` from `source`. Everything that is wrong goes to `problems`: a malformed line, a warp
/// that has more or fewer instructions than it says, has no EXIT or is missing from its CTA, a CTA that is cut off or
/// outside the grid or there twice, clusters that the CTAs do not agree on, an address that no GPU has, a number of
/// CTAs that is not the grid's. Stops when the list of problems is full.
BodyFacts read_body(LineSource& source, const TraceHeader& header, ProblemList& problems, BodySink& sink);

}  // namespace gpusim::frontend::accelsim
