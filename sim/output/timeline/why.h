// SPDX-License-Identifier: MIT
// Why a warp does not issue in one cycle: what --why answers, from the recorded intervals alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/types.h"
#include "sim/model/stats/watch_interval.h"

namespace gpusim::stats {
struct PcResult;
struct Result;
}  // namespace gpusim::stats

namespace gpusim::timeline {

struct TextOptions;

/// A warp slot of an SM in a cycle of a kernel.
struct Moment {
  std::uint32_t kernel = 0;
  std::uint32_t sm = 0;
  std::uint32_t warp_slot = 0;
  Cycle cycle = 0;
  /// From which cycle on all warps of the SM are recorded; unknown of a saved result.
  std::optional<Cycle> recorded_from{};
};

struct Reason {
  Moment moment;
  stats::WatchInterval interval;                ///< what the warp does in that cycle, since when and until when
  std::optional<stats::WatchInterval> next{};   ///< what it does then
  std::optional<std::uint32_t> previous{};      ///< index of the instruction it issued before
  std::optional<Cycle> produced_at{};           ///< when it issued the instruction it waits for
  std::optional<stats::WatchInterval> other{};  ///< what a warp of its sub-core issued in that cycle
  bool leaves = false;                          ///< what it does then is leave the SM
  /// At a barrier, the issue of the warp that arrives last; nothing where not all of the CTA is recorded.
  std::optional<stats::WatchInterval> last_arrival{};
};

/// Throws InputError when there is no such kernel, SM, warp slot or cycle, with what there is; when the cycle is not
/// recorded; and when no warp is in that slot in that cycle, with when one arrives and leaves.
[[nodiscard]] Reason why(const stats::Result& result, const Moment& moment);

/// Five lines, each wrapped where the page is too narrow for it: what the warp waits for, or issues; since when and
/// until when, and what it does then; what releases it; what is in the way; what the sub-core did in that cycle.
[[nodiscard]] std::string to_text(const stats::Result& result, const Reason& reason, const TextOptions& options);

/// The same facts as an object, "gpusim.why/1" (docs/timelines.md).
[[nodiscard]] std::string to_json(const stats::Result& result, const Reason& reason);

/// What the instruction `waiter` and the one it waits for have in common: "R7", "R4..R7, P0"; empty when nothing is
/// known.
[[nodiscard]] std::string shared_registers(const stats::PcResult& producer, const stats::PcResult& waiter);

}  // namespace gpusim::timeline
