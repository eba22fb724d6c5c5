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

/// Of the warps' time, in these states together.
[[nodiscard]] double share_pct(const report::KernelView& view, std::initializer_list<stats::Stall> states);
/// Of the warps' time, in waits that other warps could fill: not for their turn, nor for room in a pipe or queue.
[[nodiscard]] double latency_pct(const report::KernelView& view);
/// Of a unit's peak; 0 when it was not counted.
[[nodiscard]] double unit_pct(const report::KernelView& view, stats::Bound unit);
/// Of the unit nearest its peak, these left out.
[[nodiscard]] double busiest_pct_without(const report::KernelView& view, std::initializer_list<stats::Bound> left_out);
/// What the unit nearest its peak leaves of the time: no change gains more that leaves the units' work as it is.
[[nodiscard]] double room_pct(const report::KernelView& view);
/// What falls away when a unit is no limit any more, down to the next one.
[[nodiscard]] double above_others_pct(const report::KernelView& view, double pct,
                                      std::initializer_list<stats::Bound> left_out);

[[nodiscard]] bool begins_with(std::string_view opcode, std::initializer_list<std::string_view> prefixes);
/// "LDG.E.128 at line 12".
[[nodiscard]] std::string place_of(const report::KernelView& view, std::uint32_t index);
/// "; most of it: LDG.E.128 at line 12"; empty without an index.
[[nodiscard]] std::string most_at(const report::KernelView& view, std::optional<std::uint32_t> index);

}  // namespace gpusim::advice
