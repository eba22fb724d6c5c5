// SPDX-License-Identifier: MIT
// FP32 and FP64 arithmetic in the ways that are rare: rounded down, up or to zero, with a scaled product, or with 0
// times anything as 0. One lane after another, with the host's rounding mode set.
#pragma once

#include "sim/exec/core/lowering.h"

namespace gpusim::exec {

/// Keeps rounding, flushing, saturation, FMZ and scale in MicroOp::bytes, where the handlers below find them.
void keep_float_modes(Lowering& lowering);

void directed_add(Context& context, Warp& warp, const MicroOp& op, LaneMask mask);
void directed_multiply(Context& context, Warp& warp, const MicroOp& op, LaneMask mask);
void directed_multiply_add(Context& context, Warp& warp, const MicroOp& op, LaneMask mask);
void directed_add_double(Context& context, Warp& warp, const MicroOp& op, LaneMask mask);
void directed_multiply_double(Context& context, Warp& warp, const MicroOp& op, LaneMask mask);
void directed_multiply_add_double(Context& context, Warp& warp, const MicroOp& op, LaneMask mask);

}  // namespace gpusim::exec
