// SPDX-License-Identifier: MIT
// Ratios derived from a finished Result, each a pure function with its zero case explicit. Formulas and bases are those
// of docs/metrics.md.
#pragma once

#include <array>
#include <optional>

#include "sim/model/isa/timing.h"
#include "sim/model/stats/stall.h"
#include "sim/model/stats/throughput.h"

namespace gpusim::stats {

struct KernelResult;
struct NocLevel;
struct Result;

/// Below this share of its peak a unit leaves room; the profiler's bottleneck rule draws the same line.
inline constexpr double kBoundPct = 60.0;

[[nodiscard]] double time_us(const Result& result, const KernelResult& kernel);
/// Millijoules that the GPU draws in the kernel's cycles, an estimate; 0 where nothing is known of its power.
[[nodiscard]] double energy_mj(const Result& result, const KernelResult& kernel);
[[nodiscard]] double ipc_active(const KernelResult& kernel);
[[nodiscard]] double achieved_occupancy_pct(const KernelResult& kernel);
[[nodiscard]] double avg_active_lanes(const KernelResult& kernel);
/// How many active lanes have a true guard, on average.
[[nodiscard]] double avg_lanes_on(const KernelResult& kernel);
/// Branches that are uniform, of all; 100 without any.
[[nodiscard]] double branch_efficiency_pct(const KernelResult& kernel);
/// Sectors that a global request touches on average, of each kind; 0 without any.
[[nodiscard]] double sectors_per_load(const KernelResult& kernel);
[[nodiscard]] double sectors_per_store(const KernelResult& kernel);
[[nodiscard]] double sectors_per_atomic(const KernelResult& kernel);
/// Hits among the sectors of all accesses to L1, without bulk copies, which pass it by; nothing without any. A sector
/// that is on its way is a hit, as the hardware counts it.
[[nodiscard]] std::optional<double> l1_all_hit_pct(const KernelResult& kernel);
/// Hits among the sectors of all requests to L2, those from one half to the other included. A write always hits, and so
/// does a sector that is on its way.
[[nodiscard]] std::optional<double> l2_all_hit_pct(const KernelResult& kernel);
/// Busy cycles of one pipe, of all sub-cores' elapsed cycles.
[[nodiscard]] double pipe_pct(const Result& result, const KernelResult& kernel, isa::Pipe pipe);
/// How near the tensor pipes are to their limit: their FLOPs against the dense peak or their busy cycles, whichever is
/// higher, because a pipe may be busy without pause and still miss the peak (mma.sync on Hopper).
[[nodiscard]] double tensor_share_pct(const Result& result, const KernelResult& kernel);
[[nodiscard]] Throughput throughput(const Result& result, const KernelResult& kernel);
/// Busy cycles of a level's ports, of all their elapsed cycles. A kernel ends with its last store's acknowledgement, so
/// only what nobody waits for passes ports later: prefetches and invalidations of copies. With many of those it is more
/// than 100.
[[nodiscard]] double noc_level_pct(const Result& result, const KernelResult& kernel, const NocLevel& level);
/// The busiest of kNocLevels; the first among equals.
[[nodiscard]] const NocLevel& busiest_noc_level(const Result& result, const KernelResult& kernel);
/// The units that may bound a kernel, tensor by tensor_share_pct(), in the order of Bound.
[[nodiscard]] std::array<UnitShare, 9> unit_shares(const Result& result, const KernelResult& kernel);
/// The one nearest its peak; the first among equals.
[[nodiscard]] UnitShare busiest_unit(const Result& result, const KernelResult& kernel);
/// What bounds the kernel. "launch" when launch, begin and end take longer than the cycles; else busiest_unit() when
/// that is at least kBoundPct of its peak; else "latency".
[[nodiscard]] Bound bound(const Result& result, const KernelResult& kernel);

/// The busiest of the pipes that throughput's fp_pct counts.
[[nodiscard]] isa::Pipe busiest_fp_pipe(const KernelResult& kernel);

/// The state with most cycles among those that wait (neither selected nor not_selected); empty when none does.
[[nodiscard]] std::optional<Stall> main_wait(const StallCycles& stalls);

}  // namespace gpusim::stats
