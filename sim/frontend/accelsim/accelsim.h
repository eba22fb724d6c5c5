// SPDX-License-Identifier: MIT
// Reads the traces of Accel-Sim's NVBit tracer, the field's interchange format, as a program with recorded behaviour.
#pragma once

#include <filesystem>

#include "sim/trace/kernel.h"

namespace gpusim::frontend::accelsim {

/// Loads a list of kernels (kernelslist.g) or one kernel's trace (.traceg), plain or in xz: the content decides which.
/// Tracer versions 3 to 6 in text form, and the older form with the CTA's place on each line.
///
/// The code of a kernel is every instruction the trace shows, by program counter, with the control-flow edges that
/// occurred; CTAs are numbered in the order of the file, which is the order of launch. Predicates and uniform registers
/// are not in these traces: a comparison is taken to feed the next branch or exit or the first instruction with fewer
/// lanes, a ULDC or R2UR the next memory or uniform instruction. Lanes that a guard switched off are not recorded
/// either; where a guard was inferred, the lanes of the instruction before it count as active.
///
/// Memory use follows the size of the file, never what a header claims. Throws InputError with all problems found (at
/// most ProblemList::kMostKept), each with file, line and column.
[[nodiscard]] trace::Trace load_accelsim(const std::filesystem::path& path);

}  // namespace gpusim::frontend::accelsim
