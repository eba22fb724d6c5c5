// SPDX-License-Identifier: MIT
// What the code of a kernel must be as a whole: checks when all of it is there.
#pragma once

#include "sim/input/text/environment.h"
#include "sim/input/text/labels.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::frontend {

/// Reports code that can run past its end, and labels at the end. False where it can, or where lines are missing.
[[nodiscard]] bool check_end(const Syntax& syntax, const KernelSyntax& source, const trace::ProgramDraft& draft,
                             Labels& labels, Reporter& reporter);

/// Reports guards that depend on a poll's answer when no poll writes their predicate. A run-time predicate is one that
/// some poll writes; which one answers is decided by that.
void check_live_guards(const trace::Kernel& kernel, Reporter& reporter);

/// Reports registers beyond those that the kernel declares, and gives the kernel those that its code names when it
/// declares none. Registers decide how many CTAs an SM holds: fewer than the code names would not be a kernel.
void check_registers(const KernelSyntax& source, trace::Kernel& kernel, Reporter& reporter);

/// Reports a loop that never ends; false when there is one.
[[nodiscard]] bool check_loops(const trace::ProgramDraft& draft, Reporter& reporter);

}  // namespace gpusim::frontend
