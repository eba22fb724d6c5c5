// SPDX-License-Identifier: MIT
// The first thing a reader sees: one sentence that says what bounds the kernel, with its numbers.
#pragma once

#include <string>

#include "sim/output/view/view.h"

namespace gpusim::report {

/// The verdict on a kernel: "latency-bound: ..., mostly at line 41 (LDG.E.128)." One sentence, no line breaks. The view
/// must have its findings.
[[nodiscard]] std::string verdict(const KernelView& view);

}  // namespace gpusim::report
