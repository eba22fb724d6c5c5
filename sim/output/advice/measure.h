// SPDX-License-Identifier: MIT
// What rules measure a kernel by: shares of the warps' time, how busy units are, and the instruction that stands out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "sim/output/view/view.h"

namespace gpusim::advice {

/// The share of the warps' time that they spend in these states together.
[[nodiscard]] double share_pct(const report::KernelView& view, std::initializer_list<stats::Stall> states);
/// The share of the warps' time in waits that other warps could fill. A wait for the warp's turn, or for room in a pipe
/// or queue, is no such wait.
[[nodiscard]] double latency_pct(const report::KernelView& view);
/// How near a unit is to its peak; 0 when it was not counted.
[[nodiscard]] double unit_pct(const report::KernelView& view, stats::Bound unit);
/// How near the unit nearest its peak is to it, when these units are left out.
[[nodiscard]] double busiest_pct_without(const report::KernelView& view, std::initializer_list<stats::Bound> left_out);
/// What the unit nearest its peak leaves of the time: no change gains more that leaves the units' work as it is.
[[nodiscard]] double room_pct(const report::KernelView& view);
/// What falls away when a unit is not a limit any more, down to the next one.
[[nodiscard]] double above_others_pct(const report::KernelView& view, double pct,
                                      std::initializer_list<stats::Bound> left_out);

[[nodiscard]] bool begins_with(std::string_view opcode, std::initializer_list<std::string_view> prefixes);
/// "LDG.E.128 at line 12".
[[nodiscard]] std::string place_of(const report::KernelView& view, std::uint32_t index);
/// "; most of it: LDG.E.128 at line 12"; empty without an index.
[[nodiscard]] std::string most_at(const report::KernelView& view, std::optional<std::uint32_t> index);

}  // namespace gpusim::advice
