// SPDX-License-Identifier: MIT
// What is counted for each static instruction. A counter is a field and a row here: sums over threads and copies, the
// JSON of a result and its reading follow from the row.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/isa/instr_text.h"
#include "sim/model/stats/field.h"
#include "sim/model/stats/stall.h"

namespace gpusim::stats {

struct PcCounters {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t active_lanes = 0;
  std::uint64_t divergent_branches = 0;
  std::uint64_t memory_requests = 0;
  std::uint64_t memory_sectors = 0;
  std::uint64_t memory_ideal_sectors = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_ideal_wavefronts = 0;

  /// A new counter stands behind the others: saved results of earlier versions lack it.
  static const std::array<Field<PcCounters>, 9> kFields;
};
inline constexpr std::array<Field<PcCounters>, 9> PcCounters::kFields{{
    {"warp_instructions", Unit::kInstructions, "executions by a warp", &PcCounters::warp_instructions},
    {"thread_instructions", Unit::kInstructions, "those times lanes whose guard is true",
     &PcCounters::thread_instructions},
    {"active_lanes", Unit::kInstructions, "those times lanes on the path, guard or not", &PcCounters::active_lanes},
    {"divergent_branches", Unit::kInstructions, "executions in which its lanes went both ways",
     &PcCounters::divergent_branches},
    {"memory_requests", Unit::kRequests, "executions that access global or local memory with at least one lane",
     &PcCounters::memory_requests},
    {"memory_sectors", Unit::kSectors, "sectors those touch", &PcCounters::memory_sectors},
    {"memory_ideal_sectors", Unit::kSectors, "sectors that they need where the lanes' bytes lie side by side",
     &PcCounters::memory_ideal_sectors},
    {"shared_wavefronts", Unit::kCycles, "passes of its lanes through the shared-memory banks",
     &PcCounters::shared_wavefronts},
    {"shared_ideal_wavefronts", Unit::kCycles, "passes that the bytes alone would need; the rest are bank conflicts",
     &PcCounters::shared_ideal_wavefronts},
}};
static_assert(covers_every_field<PcCounters>());

/// Warp-cycles in which an instruction waited for another one.
struct Blame {
  std::uint32_t producer = 0;  ///< index into KernelResult::pcs: whose result, or operation, was waited for
  Stall state = Stall::kLongScoreboard;
  std::uint64_t cycles = 0;
  friend bool operator==(const Blame&, const Blame&) = default;
};

/// One static instruction's counts and where the cycles of warps that waited to issue it (and issued it) went.
struct PcProfile : PcCounters {
  StallCycles stalls{};
  /// Warp-cycles in which a cause held as well but one of higher precedence was charged. Throttles are known only once
  /// nothing else holds, so they have none.
  StallCycles concurrent{};
  /// What the cycles of gmma, long_scoreboard, short_scoreboard and wait were spent on: one entry per producer and
  /// state.
  std::vector<Blame> producers;

  /// Adds to the cycles of the same producer and state.
  void add_blame(const Blame& blame);
  void add(const PcProfile& other);
};

/// One static instruction's share of the run; its producers most cycles first, then by producer.
struct PcResult : PcProfile, isa::InstrText {};

}  // namespace gpusim::stats
