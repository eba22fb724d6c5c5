// SPDX-License-Identifier: MIT
// Reads the traces of Accel-Sim's NVBit tracer, the field's interchange format, as a program with recorded behaviour.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "sim/model/trace/recorded.h"
#include "sim/model/trace/trace.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::frontend::accelsim {

/// How much of a trace has been read, in bytes of its files; each is read twice. Asked often; what it throws ends the
/// reading.
using OnProgress = std::function<void(std::uint64_t bytes, std::uint64_t of)>;

/// Loads a list of kernels (kernelslist.g) or one kernel's trace (.traceg), plain or in xz, or in Accel-Sim 2.0's
/// binary form (.tracez): the content decides which. Tracer versions 3 to 6, and the older form with the CTA's place on
/// each line.
///
/// The code of a kernel is every instruction the trace shows, by program counter, with the control-flow edges that
/// occurred; a CTA's number is its place in the grid. Predicates and uniform registers are not in these traces: a
/// comparison is taken to feed the next branch or exit or the first instruction with fewer lanes, a ULDC or R2UR the
/// next memory or uniform instruction. Lanes that a guard switched off are not recorded either (active_lanes.h).
///
/// Memory use follows the size of the file, never what a header claims. Throws InputError with all problems found (at
/// most ProblemList::kMostKept), each with file, line and column.
[[nodiscard]] trace::Trace load_accelsim(const std::filesystem::path& path, const OnProgress& on_progress = {});

/// Takes kernels one after the other: for those who do not want all of a trace in memory.
class KernelSink {
 public:
  virtual ~KernelSink() = default;
  /// A kernel without its behaviour, which lives until end_kernel(); returns the sink that takes the behaviour, CTA
  /// after CTA.
  [[nodiscard]] virtual trace::WarpSink& begin_kernel(const trace::Kernel& kernel) = 0;
  virtual void end_kernel() = 0;
  /// A kernel that came before, by its number from 0, is launched once more.
  virtual void launch_again(std::uint32_t number) = 0;
};

/// As load_accelsim, in memory that does not grow with the number of CTAs. The trace has no kernels: `sink` has.
[[nodiscard]] trace::Trace read_accelsim(const std::filesystem::path& path, KernelSink& sink,
                                         const OnProgress& on_progress = {});

}  // namespace gpusim::frontend::accelsim
