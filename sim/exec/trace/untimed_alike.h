// SPDX-License-Identifier: MIT
// A run without a machine in which records stand for CTAs.
#pragma once

#include "sim/model/trace/executed.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::exec {

class AlikeCtas;
class GlobalMemory;
struct Image;
class PatternTable;

/// As run_untimed(), which executes the CTAs that no record stands for. CTAs do not wait for one another.
trace::RunEnd run_alike(const Image& image, const trace::Kernel& kernel, AlikeCtas& alike, PatternTable& patterns,
                        GlobalMemory& memory, const trace::RunRange& range, trace::RunVisitor& visitor);

}  // namespace gpusim::exec
