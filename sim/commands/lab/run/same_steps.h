// SPDX-License-Identifier: MIT
// Whether a kernel does the same while the check looks into it: the steps of two walks, side by side.
#pragma once

#include <string>

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::lab {

/// How the walk of `seen` differs from that of `timed`; empty when each warp does the same instructions for the same
/// lanes at the same addresses, but for what `seen` stores to the buffer `witness`. Throws InputError when the
/// behaviour of one is impossible, CannotFinishError beyond kMostWalked.
[[nodiscard]] std::string other_steps(const trace::Trace& seen, const trace::Trace& timed, const std::string& witness);

}  // namespace gpusim::lab
