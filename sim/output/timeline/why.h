// SPDX-License-Identifier: MIT
// Why a warp does not issue in one cycle: what --why answers, from the recorded intervals alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/model/stats/result.h"
#include "sim/output/timeline/timeline.h"

namespace gpusim::timeline {

/// A warp slot of an SM in a cycle of a kernel.
struct Moment {
  std::uint32_t kernel = 0;
  std::uint32_t sm = 0;
  std::uint32_t warp_slot = 0;
  Cycle cycle = 0;
};

struct Reason {
  Moment moment;
  stats::WatchInterval interval;                ///< what the warp does in that cycle, since when and until when
  std::optional<stats::WatchInterval> next{};   ///< what it does then
  std::optional<std::uint32_t> previous{};      ///< index of the instruction it issued before
  std::optional<Cycle> produced_at{};           ///< when it issued the instruction it waits for
  std::optional<stats::WatchInterval> other{};  ///< what another warp of its sub-core issued in that cycle
};

/// Throws InputError when there is no such kernel, SM, warp slot or cycle, with what there is; when the cycle is not
/// recorded; and when no warp is in that slot in that cycle.
[[nodiscard]] Reason why(const stats::Result& result, const Moment& moment);

/// What the warp waits for, on as many lines as that takes; and a line each: since when and until when; what releases
/// it; what is in the way; what the sub-core did in that cycle.
[[nodiscard]] std::string to_text(const stats::Result& result, const Reason& reason, const TextOptions& options);

/// What the instruction `waiter` and the one it waits for have in common: "R7", "R4..R7, P0"; empty when nothing is
/// known.
[[nodiscard]] std::string shared_registers(const stats::PcResult& producer, const stats::PcResult& waiter);

}  // namespace gpusim::timeline
