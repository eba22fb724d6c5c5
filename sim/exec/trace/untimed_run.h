// SPDX-License-Identifier: MIT
// A run of a kernel without a machine, CTA after CTA: what the untimed pass before a simulation and recordings are made
// from.
#pragma once

#include "sim/model/trace/executed.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::exec {

class GlobalPort;
struct Image;
class PatternTable;

/// Each warp goes on until it waits or has had its turn. The next CTA begins when those in flight wait, or have had
/// their turns: CTAs that wait for one another go on in the end as long as they are in flight together. Throws as
/// trace::Executable::run() does.
trace::RunEnd run_untimed(const Image& image, const trace::Kernel& kernel, PatternTable& patterns, GlobalPort& port,
                          const trace::RunRange& range, trace::RunVisitor& visitor);

}  // namespace gpusim::exec
