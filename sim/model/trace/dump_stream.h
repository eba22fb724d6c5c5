// SPDX-License-Identifier: MIT
// Recorded addresses as text, where one expression says them.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/trace/recorded.h"

namespace gpusim::trace {

/// "0x7f0000000000 + 512*ctaid.x + 128*warp + 4*lane + 65536*i, i < 64" of one site, or what stands in the way of it.
/// What is said is said of the CTAs around the first one, which are named when they are not all.
[[nodiscard]] std::string describe_stream(const Recording& recording, std::uint32_t site);

}  // namespace gpusim::trace
