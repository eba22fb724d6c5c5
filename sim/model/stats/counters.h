// SPDX-License-Identifier: MIT
// What each unit counts while a kernel runs. Raw numbers only; ratios are derived in metrics.h.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/stats/field.h"

namespace gpusim::stats {

/// One SM (or the sum over SMs).
struct SmCounters {
  std::uint64_t active_cycles = 0;
  std::uint64_t warp_cycles = 0;
  std::uint64_t issue_cycles = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t active_lanes = 0;
  std::uint64_t branches = 0;
  std::uint64_t divergent_branches = 0;
  std::uint64_t ctas = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_ideal_wavefronts = 0;
  std::uint64_t shared_read_bytes = 0;
  std::uint64_t shared_write_bytes = 0;
  std::uint64_t lsu_instructions = 0;
  std::uint64_t adu_instructions = 0;
  std::uint64_t shuffles = 0;
  std::uint64_t lsu_data_registers = 0;

  static const std::array<Field<SmCounters>, 18> kFields;
};
inline constexpr std::array<Field<SmCounters>, 18> SmCounters::kFields{{
    {"active_cycles", Unit::kCycles, "cycles with at least one resident warp", &SmCounters::active_cycles},
    {"warp_cycles", Unit::kWarpCycles, "resident warps summed over cycles", &SmCounters::warp_cycles},
    {"issue_cycles", Unit::kCycles, "sub-core cycles in which an instruction issued", &SmCounters::issue_cycles},
    {"warp_instructions", Unit::kInstructions, "warp instructions issued", &SmCounters::warp_instructions},
    {"thread_instructions", Unit::kInstructions, "instructions times lanes whose guard is true",
     &SmCounters::thread_instructions},
    {"active_lanes", Unit::kInstructions, "instructions times lanes on the path, guard or not",
     &SmCounters::active_lanes},
    {"branches", Unit::kInstructions, "branch instructions", &SmCounters::branches},
    {"divergent_branches", Unit::kInstructions, "branches whose lanes went both ways", &SmCounters::divergent_branches},
    {"ctas", Unit::kCount, "CTAs completed", &SmCounters::ctas},
    {"shared_requests", Unit::kRequests, "shared-memory instructions with at least one lane",
     &SmCounters::shared_requests},
    {"shared_wavefronts", Unit::kCycles, "passes through the shared-memory banks", &SmCounters::shared_wavefronts},
    {"shared_ideal_wavefronts", Unit::kCycles, "passes that the bytes alone would need",
     &SmCounters::shared_ideal_wavefronts},
    {"shared_read_bytes", Unit::kBytes, "bytes lanes read from shared memory", &SmCounters::shared_read_bytes},
    {"shared_write_bytes", Unit::kBytes, "bytes lanes wrote to shared memory", &SmCounters::shared_write_bytes},
    {"lsu_instructions", Unit::kInstructions, "instructions for the load/store unit, shuffles among them",
     &SmCounters::lsu_instructions},
    {"adu_instructions", Unit::kInstructions,
     "instructions for the address divergence unit: constant loads, barriers, special registers",
     &SmCounters::adu_instructions},
    {"shuffles", Unit::kInstructions, "shuffles, each of which passes the data stage of L1 once",
     &SmCounters::shuffles},
    {"lsu_data_registers", Unit::kCount, "registers that instructions bring to the load/store unit as data",
     &SmCounters::lsu_data_registers},
}};
static_assert(covers_every_field<SmCounters>());

/// Instruction fetch of one SM (or the sum over SMs), in lines of 128 bytes: a warp looks one up when it begins to read
/// from it. A line that is on its way counts as a miss.
struct FetchCounters {
  std::uint64_t l0_lookups = 0;
  std::uint64_t l0_hits = 0;
  std::uint64_t l0_misses = 0;
  std::uint64_t l0_merges = 0;
  std::uint64_t stream_hits = 0;
  std::uint64_t prefetches = 0;
  std::uint64_t l1_lookups = 0;
  std::uint64_t l1_hits = 0;
  std::uint64_t l1_misses = 0;

  static const std::array<Field<FetchCounters>, 9> kFields;
};
inline constexpr std::array<Field<FetchCounters>, 9> FetchCounters::kFields{{
    {"l0_lookups", Unit::kCount, "lines that warps began to fetch from", &FetchCounters::l0_lookups},
    {"l0_hits", Unit::kCount, "looked-up lines that the L0 instruction cache has", &FetchCounters::l0_hits},
    {"l0_misses", Unit::kCount, "looked-up lines that it lacks (merged ones included)", &FetchCounters::l0_misses},
    {"l0_merges", Unit::kCount, "missed lines already on their way to the L0", &FetchCounters::l0_merges},
    {"stream_hits", Unit::kCount, "missed lines that the stream buffer had asked for", &FetchCounters::stream_hits},
    {"prefetches", Unit::kCount, "lines that the stream buffer asked for", &FetchCounters::prefetches},
    {"l1_lookups", Unit::kCount, "lines that first-level caches asked of the L1 instruction cache",
     &FetchCounters::l1_lookups},
    {"l1_hits", Unit::kCount, "lines that the L1 instruction cache has", &FetchCounters::l1_hits},
    {"l1_misses", Unit::kCount, "lines that it lacks (merged ones included)", &FetchCounters::l1_misses},
}};
static_assert(covers_every_field<FetchCounters>());

/// Constant caches of one SM (or the sum over SMs). `operand`: the constant operand of an instruction of fixed latency,
/// looked up once, when it is about to issue; `load`: LDC.
struct ConstantCounters {
  std::uint64_t operand_lookups = 0;
  std::uint64_t operand_hits = 0;
  std::uint64_t operand_misses = 0;
  std::uint64_t load_lookups = 0;
  std::uint64_t load_hits = 0;
  std::uint64_t load_misses = 0;
  std::uint64_t l1_requests = 0;

  static const std::array<Field<ConstantCounters>, 7> kFields;
};
inline constexpr std::array<Field<ConstantCounters>, 7> ConstantCounters::kFields{{
    {"operand_lookups", Unit::kCount, "instructions with a constant operand", &ConstantCounters::operand_lookups},
    {"operand_hits", Unit::kCount, "operands that the sub-core's cache has", &ConstantCounters::operand_hits},
    {"operand_misses", Unit::kCount, "operands that it lacks (merged ones included)",
     &ConstantCounters::operand_misses},
    {"load_lookups", Unit::kCount, "constant loads with at least one lane", &ConstantCounters::load_lookups},
    {"load_hits", Unit::kCount, "loads whose line the SM's constant cache has", &ConstantCounters::load_hits},
    {"load_misses", Unit::kCount, "loads whose line it lacks (merged ones included)", &ConstantCounters::load_misses},
    {"l1_requests", Unit::kCount, "lines that constant caches asked of the L1 instruction cache",
     &ConstantCounters::l1_requests},
}};
static_assert(covers_every_field<ConstantCounters>());

/// One L1 (or the sum over SMs). A sector that joins an outstanding miss counts as a miss.
struct L1Counters {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t load_sectors = 0;
  std::uint64_t load_hits = 0;
  std::uint64_t load_misses = 0;
  std::uint64_t store_sectors = 0;
  std::uint64_t atomic_sectors = 0;
  std::uint64_t bypass_sectors = 0;
  std::uint64_t mshr_merges = 0;
  std::uint64_t requested_bytes = 0;
  std::uint64_t fill_sectors = 0;
  std::uint64_t reply_sectors = 0;
  std::uint64_t global_load_requests = 0;
  std::uint64_t global_load_sectors = 0;
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_store_sectors = 0;
  std::uint64_t global_atomic_requests = 0;
  std::uint64_t global_atomic_sectors = 0;
  std::uint64_t bulk_sectors = 0;
  std::uint64_t ideal_sectors = 0;
  std::uint64_t store_hits = 0;
  std::uint64_t load_merges = 0;
  std::uint64_t read_requests = 0;

  static const std::array<Field<L1Counters>, 23> kFields;
};
inline constexpr std::array<Field<L1Counters>, 23> L1Counters::kFields{{
    {"requests", Unit::kRequests, "global and local instructions with at least one lane", &L1Counters::requests},
    {"wavefronts", Unit::kCycles, "passes through the data stage", &L1Counters::wavefronts},
    {"load_sectors", Unit::kSectors, "sectors loads looked up", &L1Counters::load_sectors},
    {"load_hits", Unit::kSectors, "looked-up sectors found valid", &L1Counters::load_hits},
    {"load_misses", Unit::kSectors, "looked-up sectors not found (merged ones included)", &L1Counters::load_misses},
    {"store_sectors", Unit::kSectors, "sectors written through to L2", &L1Counters::store_sectors},
    {"atomic_sectors", Unit::kSectors, "sectors of atomics and reductions sent to L2", &L1Counters::atomic_sectors},
    {"bypass_sectors", Unit::kSectors, "load sectors that go to L2 without a lookup", &L1Counters::bypass_sectors},
    {"mshr_merges", Unit::kSectors, "missed sectors already on their way", &L1Counters::mshr_merges},
    {"requested_bytes", Unit::kBytes, "bytes that lanes asked for", &L1Counters::requested_bytes},
    {"fill_sectors", Unit::kSectors, "sectors requested from L2", &L1Counters::fill_sectors},
    {"reply_sectors", Unit::kSectors, "sectors that came back from L2", &L1Counters::reply_sectors},
    {"global_load_requests", Unit::kRequests, "global loads, those to shared memory included",
     &L1Counters::global_load_requests},
    {"global_load_sectors", Unit::kSectors, "sectors those touch", &L1Counters::global_load_sectors},
    {"global_store_requests", Unit::kRequests, "global stores", &L1Counters::global_store_requests},
    {"global_store_sectors", Unit::kSectors, "sectors those touch", &L1Counters::global_store_sectors},
    {"global_atomic_requests", Unit::kRequests, "global atomics and reductions", &L1Counters::global_atomic_requests},
    {"global_atomic_sectors", Unit::kSectors, "sectors those touch", &L1Counters::global_atomic_sectors},
    {"bulk_sectors", Unit::kSectors, "sectors of bulk copies, which are not requests", &L1Counters::bulk_sectors},
    {"ideal_sectors", Unit::kSectors,
     "sectors that global and local requests need where the lanes' bytes lie side by side", &L1Counters::ideal_sectors},
    {"store_hits", Unit::kSectors, "store sectors that L1 has", &L1Counters::store_hits},
    {"load_merges", Unit::kSectors, "looked-up sectors already on their way", &L1Counters::load_merges},
    {"read_requests", Unit::kRequests,
     "requests to L2 that read: for two lines of 256 aligned bytes one of an instruction; for bulk copies one for each "
     "line",
     &L1Counters::read_requests},
}};
static_assert(covers_every_field<L1Counters>());

/// Local memory in one SM's L1 (or the sum over SMs). Its sectors are among L1's, too; what is written stays there,
/// dirty, until its line has to leave.
struct LocalCounters {
  std::uint64_t load_requests = 0;
  std::uint64_t store_requests = 0;
  std::uint64_t load_sectors = 0;
  std::uint64_t load_hits = 0;
  std::uint64_t load_misses = 0;
  std::uint64_t store_sectors = 0;
  std::uint64_t store_hits = 0;
  std::uint64_t fill_sectors = 0;
  std::uint64_t dirtied_sectors = 0;
  std::uint64_t written_back_sectors = 0;
  std::uint64_t dropped_sectors = 0;

  static const std::array<Field<LocalCounters>, 11> kFields;
};
inline constexpr std::array<Field<LocalCounters>, 11> LocalCounters::kFields{{
    {"load_requests", Unit::kRequests, "local loads with at least one lane", &LocalCounters::load_requests},
    {"store_requests", Unit::kRequests, "local stores with at least one lane", &LocalCounters::store_requests},
    {"load_sectors", Unit::kSectors, "sectors local loads looked up", &LocalCounters::load_sectors},
    {"load_hits", Unit::kSectors, "looked-up sectors found valid", &LocalCounters::load_hits},
    {"load_misses", Unit::kSectors, "looked-up sectors not found (merged ones included)", &LocalCounters::load_misses},
    {"store_sectors", Unit::kSectors, "sectors local stores wrote in L1", &LocalCounters::store_sectors},
    {"store_hits", Unit::kSectors, "written sectors that L1 had before", &LocalCounters::store_hits},
    {"fill_sectors", Unit::kSectors, "sectors of local memory requested from L2", &LocalCounters::fill_sectors},
    {"dirtied_sectors", Unit::kSectors, "sectors that a store made dirty", &LocalCounters::dirtied_sectors},
    {"written_back_sectors", Unit::kSectors, "dirty sectors written back to L2", &LocalCounters::written_back_sectors},
    {"dropped_sectors", Unit::kSectors,
     "dirty sectors not needed any more: read for the last time, or their warp is gone",
     &LocalCounters::dropped_sectors},
}};
static_assert(covers_every_field<LocalCounters>());

/// One SM's share of the traffic between the shared memories of clusters (or the sum over SMs). An access to the CTA's
/// own rank stays in the SM and counts as one of shared memory.
struct DsmemCounters {
  std::uint64_t requests = 0;
  std::uint64_t read_sectors = 0;
  std::uint64_t write_sectors = 0;
  std::uint64_t atomic_sectors = 0;
  std::uint64_t served_sectors = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t multicast_asked_sectors = 0;
  std::uint64_t multicast_sectors = 0;

  static const std::array<Field<DsmemCounters>, 9> kFields;
};
inline constexpr std::array<Field<DsmemCounters>, 9> DsmemCounters::kFields{{
    {"requests", Unit::kRequests, "instructions that access the shared memory of another CTA",
     &DsmemCounters::requests},
    {"read_sectors", Unit::kSectors, "sectors read there", &DsmemCounters::read_sectors},
    {"write_sectors", Unit::kSectors, "sectors written there", &DsmemCounters::write_sectors},
    {"atomic_sectors", Unit::kSectors, "sectors of atomics and reductions there", &DsmemCounters::atomic_sectors},
    {"served_sectors", Unit::kSectors, "sectors that other SMs accessed here", &DsmemCounters::served_sectors},
    {"sent_bytes", Unit::kBytes, "data sent to other SMs", &DsmemCounters::sent_bytes},
    {"received_bytes", Unit::kBytes, "data that came from other SMs", &DsmemCounters::received_bytes},
    {"multicast_asked_sectors", Unit::kSectors, "sectors asked of L2 for other CTAs, once for each of them",
     &DsmemCounters::multicast_asked_sectors},
    {"multicast_sectors", Unit::kSectors, "sectors received that another CTA asked of L2",
     &DsmemCounters::multicast_sectors},
}};
static_assert(covers_every_field<DsmemCounters>());

/// One L2 slice (or the sum). Sectors are counted where requests from SMs enter; traffic between the halves apart.
struct L2Counters {
  std::uint64_t requests = 0;
  std::uint64_t read_sectors = 0;
  std::uint64_t read_hits = 0;
  std::uint64_t read_misses = 0;
  std::uint64_t write_sectors = 0;
  std::uint64_t atomic_sectors = 0;
  std::uint64_t atomic_hits = 0;
  std::uint64_t atomic_misses = 0;
  std::uint64_t far_requests = 0;
  std::uint64_t far_sectors = 0;
  std::uint64_t far_hits = 0;
  std::uint64_t far_misses = 0;
  std::uint64_t far_write_sectors = 0;
  std::uint64_t far_atomic_sectors = 0;
  std::uint64_t far_invalidations = 0;
  std::uint64_t mshr_merges = 0;
  std::uint64_t reply_sectors = 0;
  std::uint64_t joined_requests = 0;
  std::uint64_t joined_sectors = 0;
  std::uint64_t beside_sectors = 0;
  std::uint64_t dram_read_sectors = 0;
  std::uint64_t completed_sectors = 0;
  std::uint64_t dram_write_sectors = 0;
  std::uint64_t evicted_dirty_sectors = 0;
  std::uint64_t cleaned_sectors = 0;
  std::uint64_t atomic_cycles = 0;
  std::uint64_t busy_cycles = 0;

  static const std::array<Field<L2Counters>, 27> kFields;
};
inline constexpr std::array<Field<L2Counters>, 27> L2Counters::kFields{{
    {"requests", Unit::kRequests, "requests from SMs", &L2Counters::requests},
    {"read_sectors", Unit::kSectors, "sectors looked up for reads of SMs", &L2Counters::read_sectors},
    {"read_hits", Unit::kSectors, "read sectors valid in the slice asked first", &L2Counters::read_hits},
    {"read_misses", Unit::kSectors, "read sectors not valid there (merged ones included)", &L2Counters::read_misses},
    {"write_sectors", Unit::kSectors, "sectors SMs wrote", &L2Counters::write_sectors},
    {"atomic_sectors", Unit::kSectors, "sectors of atomics and reductions", &L2Counters::atomic_sectors},
    {"atomic_hits", Unit::kSectors, "sectors of atomics valid at the line's home", &L2Counters::atomic_hits},
    {"atomic_misses", Unit::kSectors, "sectors of atomics not valid there (merged ones included)",
     &L2Counters::atomic_misses},
    {"far_requests", Unit::kRequests, "requests that a slice passed on to the other half", &L2Counters::far_requests},
    {"far_sectors", Unit::kSectors, "sectors asked of the other half, on a near miss", &L2Counters::far_sectors},
    {"far_hits", Unit::kSectors, "sectors valid in the other half", &L2Counters::far_hits},
    {"far_misses", Unit::kSectors, "sectors not valid in the other half", &L2Counters::far_misses},
    {"far_write_sectors", Unit::kSectors, "sectors of writes and reductions passed on to the other half",
     &L2Counters::far_write_sectors},
    {"far_atomic_sectors", Unit::kSectors, "sectors of atomics passed on to the other half",
     &L2Counters::far_atomic_sectors},
    {"far_invalidations", Unit::kRequests, "copies in the other half that a write at the line's home invalidates",
     &L2Counters::far_invalidations},
    {"mshr_merges", Unit::kSectors, "missed sectors already on their way", &L2Counters::mshr_merges},
    {"reply_sectors", Unit::kSectors, "sectors sent back to SMs", &L2Counters::reply_sectors},
    {"joined_requests", Unit::kRequests, "reads from SMs that the lookup for another GPC's read answers",
     &L2Counters::joined_requests},
    {"joined_sectors", Unit::kSectors, "sectors of these, which are no `read_sectors`", &L2Counters::joined_sectors},
    {"beside_sectors", Unit::kSectors, "sectors read from DRAM because they lie beside a missing one",
     &L2Counters::beside_sectors},
    {"dram_read_sectors", Unit::kSectors, "sectors read from DRAM", &L2Counters::dram_read_sectors},
    {"completed_sectors", Unit::kSectors,
     "partly written sectors read from DRAM before they are written back, which are no `dram_read_sectors`",
     &L2Counters::completed_sectors},
    {"dram_write_sectors", Unit::kSectors, "sectors written to DRAM", &L2Counters::dram_write_sectors},
    {"evicted_dirty_sectors", Unit::kSectors, "dirty sectors evicted", &L2Counters::evicted_dirty_sectors},
    {"cleaned_sectors", Unit::kSectors, "dirty sectors written back early, whose lines stay",
     &L2Counters::cleaned_sectors},
    {"atomic_cycles", Unit::kCycles, "cycles the slice's atomic unit was busy", &L2Counters::atomic_cycles},
    {"busy_cycles", Unit::kCycles, "cycles the slice's data port was busy", &L2Counters::busy_cycles},
}};
static_assert(covers_every_field<L2Counters>());

/// TLBs of one GPC or of the whole GPU (or the sum), for requests from SMs to L2. A request for a page whose
/// translation is on its way counts as a miss. A level whose ways are not all used yet hits: an earlier launch has left
/// there what fits.
struct TlbCounters {
  std::uint64_t l1_lookups = 0;
  std::uint64_t l1_hits = 0;
  std::uint64_t l1_misses = 0;
  std::uint64_t l1_merges = 0;
  std::uint64_t l2_lookups = 0;
  std::uint64_t l2_hits = 0;
  std::uint64_t l2_misses = 0;
  std::uint64_t l2_merges = 0;
  std::uint64_t l3_lookups = 0;
  std::uint64_t l3_hits = 0;
  std::uint64_t l3_misses = 0;
  std::uint64_t l3_merges = 0;
  std::uint64_t walks = 0;
  std::uint64_t wait_cycles = 0;

  static const std::array<Field<TlbCounters>, 14> kFields;
};
inline constexpr std::array<Field<TlbCounters>, 14> TlbCounters::kFields{{
    {"l1_lookups", Unit::kRequests, "requests to L2 whose page the TLB of their TPC was asked for",
     &TlbCounters::l1_lookups},
    {"l1_hits", Unit::kRequests, "requests whose page the TLB of their TPC knew", &TlbCounters::l1_hits},
    {"l1_misses", Unit::kRequests, "requests whose page it did not know (merged ones included)",
     &TlbCounters::l1_misses},
    {"l1_merges", Unit::kRequests, "missed pages that it was waiting for", &TlbCounters::l1_merges},
    {"l2_lookups", Unit::kCount, "pages that the TLB of a GPC was asked for", &TlbCounters::l2_lookups},
    {"l2_hits", Unit::kCount, "pages that the TLB of a GPC knew", &TlbCounters::l2_hits},
    {"l2_misses", Unit::kCount, "pages that it did not know (merged ones included)", &TlbCounters::l2_misses},
    {"l2_merges", Unit::kCount, "missed pages that it was waiting for", &TlbCounters::l2_merges},
    {"l3_lookups", Unit::kCount, "pages that the GPU's TLB was asked for", &TlbCounters::l3_lookups},
    {"l3_hits", Unit::kCount, "pages that the GPU's TLB knew", &TlbCounters::l3_hits},
    {"l3_misses", Unit::kCount, "pages that it did not know (merged ones included)", &TlbCounters::l3_misses},
    {"l3_merges", Unit::kCount, "missed pages that a walk was under way for", &TlbCounters::l3_merges},
    {"walks", Unit::kCount, "page walks", &TlbCounters::walks},
    {"wait_cycles", Unit::kCycles, "requests times cycles that they waited for a translation",
     &TlbCounters::wait_cycles},
}};
static_assert(covers_every_field<TlbCounters>());

/// One DRAM pseudo-channel (or the sum).
struct DramCounters {
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t ecc_bytes = 0;
  std::uint64_t bursts = 0;
  std::uint64_t row_hits = 0;
  std::uint64_t row_misses = 0;
  std::uint64_t row_conflicts = 0;
  std::uint64_t activates = 0;
  std::uint64_t precharges = 0;
  std::uint64_t refreshes = 0;
  std::uint64_t bank_refreshes = 0;
  std::uint64_t bus_busy_clocks = 0;
  std::uint64_t queued_clocks = 0;

  /// Data and check bits, read and written.
  [[nodiscard]] std::uint64_t moved_bytes() const { return read_bytes + write_bytes + ecc_bytes; }
  static const std::array<Field<DramCounters>, 13> kFields;
};
inline constexpr std::array<Field<DramCounters>, 13> DramCounters::kFields{{
    {"read_bytes", Unit::kBytes, "bytes read", &DramCounters::read_bytes},
    {"write_bytes", Unit::kBytes, "bytes written", &DramCounters::write_bytes},
    {"ecc_bytes", Unit::kBytes, "bytes of check bits read and written among the data", &DramCounters::ecc_bytes},
    {"bursts", Unit::kCount, "column commands", &DramCounters::bursts},
    {"row_hits", Unit::kCount, "bursts that found their row open", &DramCounters::row_hits},
    {"row_misses", Unit::kCount, "bursts that found their bank closed", &DramCounters::row_misses},
    {"row_conflicts", Unit::kCount, "bursts that found another row open", &DramCounters::row_conflicts},
    {"activates", Unit::kCount, "ACT commands", &DramCounters::activates},
    {"precharges", Unit::kCount, "PRE commands", &DramCounters::precharges},
    {"refreshes", Unit::kCount, "REF commands, of all banks", &DramCounters::refreshes},
    {"bank_refreshes", Unit::kCount, "REF commands of single banks or pairs", &DramCounters::bank_refreshes},
    {"bus_busy_clocks", Unit::kCycles, "DRAM clocks with data on the bus", &DramCounters::bus_busy_clocks},
    {"queued_clocks", Unit::kCycles, "pseudo-channels times DRAM clocks with a request in their queues",
     &DramCounters::queued_clocks},
}};
static_assert(covers_every_field<DramCounters>());

}  // namespace gpusim::stats
