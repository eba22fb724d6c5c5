// SPDX-License-Identifier: MIT
// A change of 10 % matters more where its unit is busy than where it idles: so its weight is the logarithm of the ratio
// times how busy the unit is in the slower of both results, which is the one that waits for it.
#include "sim/output/compare/causes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/run_facts.h"
#include "sim/output/compare/comparison.h"

namespace gpusim::compare {
namespace {

using report::KernelView;
using stats::Bound;

/// Changes below this share say nothing.
constexpr double kLeastChange = 0.01;
/// What appears or vanishes has no ratio; it counts as one of this size.
constexpr double kLogOfNew = 3.0;
/// A unit that idles is not the reason, but a change of what it does may be a sign of it.
constexpr double kLeastShare = 0.02;

struct Candidate {
  std::string_view key;
  std::string_view what;
  std::string_view unit;
  bool more_is_slower = true;
  std::optional<Bound> served_by;  ///< empty: it concerns everything
  double (*get)(const Summed& run, const KernelView& sum);
};

/// What a result does not have is neither a number nor a cause.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What was done for each unit that was needed. Nothing done is nothing too much.
double excess_of(std::uint64_t done, std::uint64_t needed) {
  if (needed == 0) {
    return done == 0 ? 1.0 : kNone;
  }
  return static_cast<double>(done) / static_cast<double>(needed);
}

/// Those that tensor cores do are not among them.
double plain_flops(const KernelView& sum) {
  double flops = 0;
  for (std::size_t c = 1; c < isa::kFlopClasses; ++c) {
    flops += isa::is_tensor(static_cast<isa::FlopClass>(c)) ? 0 : static_cast<double>(sum.counts.flops[c]);
  }
  return flops;
}

/// Work that moves to the tensor cores is not more work: only where both use them.
double tensor_cycles(const KernelView& sum) {
  const std::uint64_t cycles = sum.counts.pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kTensor)];
  return cycles == 0 ? kNone : static_cast<double>(cycles);
}

double hit_pct(const KernelView& sum, std::size_t level) {
  return sum.levels[level].hit_pct.value_or(kNone);
}

const std::vector<Candidate>& candidates() {
  using V = const Summed&;
  using K = const KernelView&;
  static const std::vector<Candidate> kCandidates{
      {"machine.sms", "SMs of the GPU", "", false, {}, [](V v, K) { return double{1.0 * v.view.run.machine.sms}; }},
      {"clock_mhz", "clock of the SMs", "MHz", false, {}, [](V v, K) { return v.view.run.sm_clock_mhz; }},
      {"machine.dram_bytes_per_second", "bandwidth of DRAM", "bytes/s", false, Bound::kDram,
       [](V v, K) { return v.view.run.machine.dram_bytes_per_second; }},
      {"machine.l2_bytes_per_cycle", "bandwidth of L2 a cycle", "bytes", false, Bound::kL2,
       [](V v, K) { return v.view.run.machine.l2_bytes_per_cycle; }},
      {"warp_instructions", "warp instructions", "", true, Bound::kIssue,
       [](V, K k) { return static_cast<double>(k.counts.sm.warp_instructions); }},
      {"avg_lanes_on", "lanes at work in an instruction", "", false, Bound::kIssue,
       [](V, K k) { return k.avg_lanes_on; }},
      {"sum of flops but those of tensor types", "FLOPs without the tensor cores", "", true, Bound::kFp,
       [](V, K k) { return plain_flops(k); }},
      {"pipes.tensor.busy_cycles", "busy cycles of the tensor pipes", "", true, Bound::kTensor,
       [](V, K k) { return tensor_cycles(k); }},
      {"sum of hotspots[].memory_sectors / sum of hotspots[].memory_ideal_sectors", "sectors for each one needed", "",
       true, Bound::kL2, [](V v, K) { return excess_of(v.code.memory_sectors, v.code.memory_ideal_sectors); }},
      {"counters.l1.wavefronts", "passes through the L1s", "", true, Bound::kL1,
       [](V, K k) { return static_cast<double>(k.counts.l1.wavefronts); }},
      {"counters.sm.shared_wavefronts", "passes through shared memory", "", true, Bound::kShared,
       [](V, K k) { return static_cast<double>(k.counts.sm.shared_wavefronts); }},
      {"counters.sm.shared_wavefronts / counters.sm.shared_ideal_wavefronts", "passes for each one needed (conflicts)",
       "", true, Bound::kShared,
       [](V, K k) { return excess_of(k.counts.sm.shared_wavefronts, k.counts.sm.shared_ideal_wavefronts); }},
      {"memory.l2.all_sectors", "sectors asked of L2", "", true, Bound::kL2,
       [](V, K k) { return static_cast<double>(k.levels[2].sectors); }},
      {"100 x memory.l1.hits / memory.l1.sectors", "hits in L1", "%", false, Bound::kL2,
       [](V, K k) { return hit_pct(k, 0); }},
      {"100 x memory.l2.hits / memory.l2.sectors", "hits in L2", "%", false, Bound::kDram,
       [](V, K k) { return hit_pct(k, 2); }},
      {"memory.dram.read_bytes + memory.dram.write_bytes", "bytes of DRAM", "bytes", true, Bound::kDram,
       [](V, K k) { return static_cast<double>(k.levels[3].bytes); }},
      {"counters.dram.activates", "rows of DRAM opened", "", true, Bound::kDramRows,
       [](V, K k) { return static_cast<double>(k.counts.dram.activates); }},
      {"32 x (counters.local.fill_sectors + counters.local.written_back_sectors)", "bytes of local memory", "bytes",
       true, Bound::kL2, [](V, K k) { return static_cast<double>(k.local_memory.moved_bytes); }},
      {"occupancy.achieved_pct", "achieved occupancy", "%", false, {}, [](V, K k) { return k.achieved_pct; }},
  };
  return kCandidates;
}

/// Nothing of it is a ratio when one of them is zero.
double size_of(double first, double second) {
  if (!(first > 0) || !(second > 0)) {
    return first == second ? 0 : kLogOfNew;
  }
  return std::min(std::abs(std::log(second / first)), kLogOfNew);
}

/// Occupancy is a means to hide latency, and not the only one: instructions of a warp that do not wait for each other
/// do it, too. Where a unit is the bound it hardly matters.
double share_of_all(const Candidate& candidate, const KernelView& slower) {
  if (candidate.key != "occupancy.achieved_pct") {
    return 1.0;
  }
  return slower.bound == Bound::kLatency ? 0.5 : 0.25;
}

Cause cause_of(const Candidate& candidate, const Summed& first, const Summed& second) {
  const KernelView& a = first.kernel();
  const KernelView& b = second.kernel();
  const KernelView& slower = b.time_us > a.time_us ? b : a;
  Cause cause{std::string(candidate.key), std::string(candidate.what), std::string(candidate.unit),
              candidate.get(first, a), candidate.get(second, b)};
  cause.speeds_up = (cause.second < cause.first) == candidate.more_is_slower;
  double share = share_of_all(candidate, slower);
  if (candidate.served_by) {
    const auto unit = std::ranges::find(slower.units, *candidate.served_by, &report::UnitRow::bound);
    if (unit != slower.units.end()) {
      cause.served_by = unit->name;
      cause.served_pct = unit->pct;
      share = std::clamp(unit->pct / 100, kLeastShare, 1.0);
    }
  }
  cause.weight = size_of(cause.first, cause.second) * share;
  return cause;
}

}  // namespace

std::vector<Cause> causes_of(const Summed& first, const Summed& second) {
  std::vector<Cause> causes;
  for (const Candidate& candidate : candidates()) {
    Cause cause = cause_of(candidate, first, second);
    const double size = size_of(cause.first, cause.second);
    if (size >= kLeastChange && std::isfinite(cause.first) && std::isfinite(cause.second)) {
      causes.push_back(std::move(cause));
    }
  }
  std::ranges::stable_sort(causes, std::ranges::greater(), &Cause::weight);
  return causes;
}

}  // namespace gpusim::compare
