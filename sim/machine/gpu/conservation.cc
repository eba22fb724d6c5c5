// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/conservation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/rate_server.h"
#include "sim/base/rounding.h"
#include "sim/base/types.h"
#include "sim/machine/gpu/noc_ports.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"

namespace gpusim::gpu {
namespace {

/// The left side lies between the right one's least and most, which mostly are one number.
struct Invariant {
  Invariant(std::string_view name, std::uint64_t one, std::uint64_t other) : Invariant(name, one, other, other) {}
  Invariant(std::string_view name, std::uint64_t one, std::uint64_t from, std::uint64_t to, std::string_view of = {})
      : what(name), left(one), least(from), most(to), where(of) {}
  [[nodiscard]] bool holds() const { return least <= left && left <= most; }
  [[nodiscard]] std::string right_text() const {
    return std::to_string(least) + (least == most ? "" : " to " + std::to_string(most));
  }
  [[nodiscard]] std::string where_text() const { return where.empty() ? "" : " (" + std::string(where) + ")"; }
  std::string_view what;
  std::uint64_t left;
  std::uint64_t least;
  std::uint64_t most;
  std::string_view where;  ///< a level of ports; empty where the invariant is about one thing
};

/// Every sector moves in a burst, and no burst without a sector: where a burst is larger, sectors may share one.
Invariant bytes_of_sectors(std::string_view what, std::uint64_t bytes, std::uint64_t sectors, const arch::Arch& arch) {
  return {what, bytes, sectors * kSectorBytes, sectors * arch.dram.burst_bytes};
}

std::uint64_t by_pc(const stats::KernelResult& kernel, std::uint64_t stats::PcResult::*count) {
  std::uint64_t sum = 0;
  for (const stats::PcResult& pc : kernel.pcs) {
    sum += pc.*count;
  }
  return sum;
}

using Invariants = std::vector<Invariant>;

Invariants invariants_of_warps(const stats::KernelResult& k) {
  const auto selected = k.stalls[static_cast<std::size_t>(stats::Stall::kSelected)];
  return {
      Invariant{"warp states = warp-cycles", stats::total(k.stalls), k.sm.warp_cycles},
      Invariant{"selected = warp instructions", selected, k.sm.warp_instructions},
      Invariant{"instructions by program counter = warp instructions", by_pc(k, &stats::PcResult::warp_instructions),
                k.sm.warp_instructions},
      Invariant{"bank conflicts by program counter = of the SMs",
                by_pc(k, &stats::PcResult::shared_wavefronts) - by_pc(k, &stats::PcResult::shared_ideal_wavefronts),
                k.sm.shared_wavefronts - k.sm.shared_ideal_wavefronts},
      Invariant{"CTAs completed = CTAs simulated", k.sm.ctas, k.simulated_ctas},
      Invariant{"instructions of the load/store unit and the ADU <= those of the MIO queue",
                k.sm.lsu_instructions + k.sm.adu_instructions, 0,
                k.pipe_instructions[static_cast<std::size_t>(isa::Pipe::kLsu)]},
      Invariant{"registers of data = one a shuffle, up to four another instruction of the load/store unit",
                k.sm.lsu_data_registers, k.sm.shuffles, 4 * k.sm.lsu_instructions - 3 * k.sm.shuffles},
  };
}

Invariants invariants_of_fetch(const stats::KernelResult& k) {
  return {
      Invariant{"L0 instruction hits + misses = lookups", k.fetch.l0_hits + k.fetch.l0_misses, k.fetch.l0_lookups},
      Invariant{"L0 instruction misses + prefetches = merges + lines streamed + lines asked of L1",
                k.fetch.l0_misses + k.fetch.prefetches,
                k.fetch.l0_merges + k.fetch.stream_hits + k.fetch.l1_lookups - k.constant.l1_requests},
      Invariant{"L1 instruction hits + misses = lookups", k.fetch.l1_hits + k.fetch.l1_misses, k.fetch.l1_lookups},
      Invariant{"constant operand hits + misses = lookups", k.constant.operand_hits + k.constant.operand_misses,
                k.constant.operand_lookups},
      Invariant{"constant load hits + misses = lookups", k.constant.load_hits + k.constant.load_misses,
                k.constant.load_lookups},
  };
}

Invariants invariants_of_l1(const stats::KernelResult& k) {
  return {
      Invariant{"memory requests by program counter = requests to L1", by_pc(k, &stats::PcResult::memory_requests),
                k.l1.requests},
      Invariant{"requests to L1 = loads + stores + atomics, global and local", k.l1.requests,
                k.l1.global_load_requests + k.l1.global_store_requests + k.l1.global_atomic_requests +
                    k.local.load_requests + k.local.store_requests},
      Invariant{"sectors by program counter = of loads + stores + atomics, global and local",
                by_pc(k, &stats::PcResult::memory_sectors),
                k.l1.global_load_sectors + k.l1.global_store_sectors + k.l1.global_atomic_sectors +
                    k.local.load_sectors + k.local.store_sectors},
      Invariant{"ideal sectors by program counter = of requests to L1",
                by_pc(k, &stats::PcResult::memory_ideal_sectors), k.l1.ideal_sectors},
      Invariant{"sectors of global requests, local loads and bulk copies = sectors loaded, stored and added to",
                k.l1.global_load_sectors + k.l1.global_store_sectors + k.l1.global_atomic_sectors +
                    k.local.load_sectors + k.l1.bulk_sectors,
                k.l1.load_sectors + k.l1.bypass_sectors + k.l1.store_sectors + k.l1.atomic_sectors},
      Invariant{"L1 load hits + misses = sectors", k.l1.load_hits + k.l1.load_misses, k.l1.load_sectors},
      Invariant{"L1 misses + bypasses = merges + sectors asked of L2", k.l1.load_misses + k.l1.bypass_sectors,
                k.l1.mshr_merges + k.l1.fill_sectors},
      Invariant{"sectors L1s asked for = sectors L2 looked up + those of reads that joined others", k.l1.fill_sectors,
                k.l2.read_sectors + k.l2.joined_sectors},
      Invariant{"sectors L1s asked for = one to eight a read request", k.l1.fill_sectors, k.l1.read_requests,
                2 * kSectorsPerLine * k.l1.read_requests},
      Invariant{"looked-up sectors already on their way <= those of all", k.l1.load_merges, 0,
                std::min(k.l1.mshr_merges, k.l1.load_misses)},
      Invariant{"store sectors that L1s have <= store sectors", k.l1.store_hits, 0, k.l1.store_sectors},
      Invariant{"local load hits + misses = sectors", k.local.load_hits + k.local.load_misses, k.local.load_sectors},
      Invariant{"local sectors made dirty = written back + not needed any more", k.local.dirtied_sectors,
                k.local.written_back_sectors + k.local.dropped_sectors},
      Invariant{"sectors L1s wrote = sectors L2 was given", k.l1.store_sectors + k.local.written_back_sectors,
                k.l2.write_sectors},
      Invariant{"atomic sectors sent = atomic sectors received", k.l1.atomic_sectors, k.l2.atomic_sectors},
      Invariant{"sectors L2 sent = sectors L1s received", k.l2.reply_sectors, k.l1.reply_sectors},
      Invariant{"sectors accessed in other SMs' shared memory = sectors SMs served",
                k.dsmem.read_sectors + k.dsmem.write_sectors + k.dsmem.atomic_sectors, k.dsmem.served_sectors},
      Invariant{"bytes sent from SM to SM = bytes received", k.dsmem.sent_bytes, k.dsmem.received_bytes},
      Invariant{"sectors asked of L2 for other CTAs = sectors those CTAs received", k.dsmem.multicast_asked_sectors,
                k.dsmem.multicast_sectors},
  };
}

Invariants invariants_of_tlbs(const stats::KernelResult& k, const arch::Arch& arch) {
  return {
      Invariant{"first-level TLB hits + misses = requests", k.tlb.l1_hits + k.tlb.l1_misses, k.tlb.l1_lookups},
      Invariant{"requests translated = requests to L2", k.tlb.l1_lookups, arch.tlb.is_modelled() ? k.l2.requests : 0},
      Invariant{"first-level TLB misses = merges + requests to TLBs of GPCs", k.tlb.l1_misses,
                k.tlb.l1_merges + k.tlb.l2_lookups},
      Invariant{"hits + misses of TLBs of GPCs = requests", k.tlb.l2_hits + k.tlb.l2_misses, k.tlb.l2_lookups},
      Invariant{"misses of TLBs of GPCs = merges + requests to the GPU's TLB", k.tlb.l2_misses,
                k.tlb.l2_merges + k.tlb.l3_lookups},
      Invariant{"hits + misses of the GPU's TLB = requests", k.tlb.l3_hits + k.tlb.l3_misses, k.tlb.l3_lookups},
      Invariant{"misses of the GPU's TLB = merges + page walks", k.tlb.l3_misses, k.tlb.l3_merges + k.tlb.walks},
  };
}

Invariants invariants_of_l2(const stats::KernelResult& k) {
  return {
      Invariant{"L2 hits + misses = sectors", k.l2.read_hits + k.l2.read_misses, k.l2.read_sectors},
      Invariant{"far hits + misses = far sectors", k.l2.far_hits + k.l2.far_misses, k.l2.far_sectors},
      Invariant{"L2 atomic hits + misses = sectors", k.l2.atomic_hits + k.l2.atomic_misses, k.l2.atomic_sectors},
      Invariant{"L2 misses = merges + sectors asked of the other half + of DRAM",
                k.l2.read_misses + k.l2.far_misses + k.l2.atomic_misses + k.l2.beside_sectors,
                k.l2.mshr_merges + k.l2.far_sectors + k.l2.dram_read_sectors},
      Invariant{"dirty sectors L2 evicted + wrote back early = sectors it wrote to DRAM",
                k.l2.evicted_dirty_sectors + k.l2.cleaned_sectors, k.l2.dram_write_sectors},
  };
}

Invariants invariants_of_noc(const stats::KernelResult& k, const arch::Arch& arch) {
  const bool ideal = arch.noc.model == arch::NocModel::kIdeal;
  const std::uint64_t header = arch.noc.request_header_bytes;
  const std::uint64_t requests = ideal ? 0 : k.l2.requests;
  const std::uint64_t sent_sectors = ideal ? 0 : k.l2.write_sectors + k.l2.atomic_sectors;
  const std::uint64_t reply_sectors = ideal ? 0 : k.l2.reply_sectors;
  const std::uint64_t joined_headers = ideal ? 0 : k.l2.joined_requests * header;
  const std::uint64_t joined_bytes = joined_headers + (ideal ? 0 : k.l2.joined_sectors * kSectorBytes);
  const std::uint64_t multicast_sectors = ideal ? 0 : k.dsmem.multicast_sectors;
  return {
      Invariant{"bytes of requests = their headers and the sectors that SMs send", k.noc.sm_request_bytes,
                requests * header + sent_sectors * kSectorBytes},
      Invariant{"bytes of requests that pass GPCs = that leave SMs", k.noc.gpc_request_bytes, k.noc.sm_request_bytes},
      Invariant{"bytes of requests that L2 slices take in, or that join others = that pass GPCs",
                k.noc.slice_request_bytes + joined_headers, k.noc.gpc_request_bytes},
      Invariant{"bytes of replies, repeated ones too = their headers and the sectors that L2 sends",
                k.noc.slice_reply_bytes + joined_bytes, requests * header + reply_sectors * kSectorBytes},
      Invariant{"bytes of replies that come into GPCs, shared ones too = that L2 slices send, repeated ones too",
                k.noc.gpc_reply_bytes + k.noc.shared_reply_bytes, k.noc.slice_reply_bytes + joined_bytes},
      Invariant{"bytes of replies that SMs get, and those kept from them = that come into GPCs, and multicast lines",
                k.noc.sm_reply_bytes + k.noc.multicast_kept_sectors * kSectorBytes,
                k.noc.gpc_reply_bytes + k.noc.shared_reply_bytes + k.noc.multicast_lines * header +
                    multicast_sectors * kSectorBytes},
      Invariant{"bytes of requests that pass TPCs' ports = that pass GPCs", k.noc.tpc_request_bytes,
                arch.noc.tpc_request_bytes_per_cycle == 0 ? 0 : k.noc.gpc_request_bytes},
      Invariant{"bytes of replies that pass TPCs' ports = that SMs get", k.noc.tpc_reply_bytes,
                arch.noc.tpc_reply_bytes_per_cycle == 0 ? 0 : k.noc.sm_reply_bytes},
      Invariant{"bytes between the halves of L2 = headers of requests, answers and invalidations, and sectors",
                k.noc.link_bytes,
                ideal ? 0
                      : (2 * k.l2.far_requests + k.l2.far_invalidations) * header +
                            (k.l2.far_sectors + k.l2.far_write_sectors + 2 * k.l2.far_atomic_sectors) * kSectorBytes},
      Invariant{"bytes that pass the switch between SMs = headers of its messages, and data sent",
                k.noc.dsmem_send_bytes, k.noc.dsmem_messages * header + (ideal ? 0 : k.dsmem.sent_bytes)},
      Invariant{"bytes that leave the switch between SMs = that pass it", k.noc.dsmem_receive_bytes,
                k.noc.dsmem_send_bytes},
      Invariant{"places at GPCs taken = requests", k.noc.sm_credits_taken, requests},
      Invariant{"places at GPCs given back = taken", k.noc.sm_credits_returned, k.noc.sm_credits_taken},
      Invariant{"places at L2 slices taken = requests", k.noc.slice_credits_taken, requests},
      Invariant{"places at L2 slices given back = taken", k.noc.slice_credits_returned, k.noc.slice_credits_taken},
  };
}

/// How many messages pass a level whose messages wait at its ports.
std::uint64_t messages_of(const stats::NocLevel& level, const stats::KernelResult& k) {
  if (level.key == "link") {
    return 2 * k.l2.far_requests + k.l2.far_invalidations;
  }
  return level.key.starts_with("dsmem") ? k.noc.dsmem_messages : k.l2.requests + k.noc.multicast_lines;
}

/// What must hold of each level of ports. A port may be taken beyond the end by the last message that passed it.
Invariants invariants_of_ports(const stats::KernelResult& k, const arch::Arch& arch) {
  const std::array<LevelPorts, stats::kNocLevels.size()> all = noc_ports(arch);
  const Cycle end = k.drained_cycles;
  Invariants invariants;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const stats::NocLevel& level = stats::kNocLevels[i];
    const std::uint64_t ports = all[i].count;
    const std::uint64_t busy = k.noc.*level.busy;
    const std::uint32_t width = std::max(all[i].bytes_per_cycle, 1U);
    const std::uint64_t needed = k.noc.*level.bytes / width;
    const std::uint64_t at_end = ports * ceil_divide(arch.noc.request_header_bytes + kLineBytes, width);
    // The queues of slices are there without ports, too (noc.model ideal).
    const bool is_of_slices = level.queues == stats::QueuesOf::kSlices || level.key == "slice_request";
    const std::uint64_t queue_cycles =
        end * (is_of_slices ? arch.l2.slices : level.queue_count(ports, arch.sm.count, arch.l2.slices));
    invariants.emplace_back("busy cycles = what their bytes take", busy, needed - std::min(needed, at_end),
                            needed + ports, level.name);
    invariants.emplace_back("busy cycles <= all cycles", busy, 0, ports * (end + 1), level.name);
    if (level.full != nullptr) {
      invariants.emplace_back("cycles of full queues <= all cycles", k.noc.*level.full, 0, queue_cycles, level.name);
    }
    if (level.stall != nullptr) {
      invariants.emplace_back("cycles of stalled queues <= all cycles", k.noc.*level.stall, 0, queue_cycles,
                              level.name);
    }
    if (level.wait != nullptr) {
      const std::uint64_t messages = ports == 0 ? 0 : messages_of(level, k);
      invariants.emplace_back("a message's wait <= busy cycles", k.noc.*level.wait / std::max<std::uint64_t>(busy, 1),
                              0, messages, level.name);
    }
  }
  return invariants;
}

Invariants invariants_of_stalls(const stats::KernelResult& k, const arch::Arch& arch) {
  return {
      Invariant{"cycles that requests waited for TPCs' ports <= busy cycles of those", k.noc.tpc_request_stall_cycles,
                0, k.noc.tpc_request_busy_cycles * arch.noc.sms_per_tpc(arch.sm.count)},
      Invariant{"cycles that slices stalled for the other half <= cycles that they stalled", k.noc.link_stall_cycles, 0,
                k.noc.slice_request_stall_cycles},
      Invariant{"cycles that slices stalled for DRAM <= cycles that they stalled", k.noc.dram_stall_cycles, 0,
                k.noc.slice_request_stall_cycles},
      Invariant{"cycles of full queues of DRAM <= all cycles", k.noc.dram_full_cycles, 0,
                k.drained_cycles * arch.dram.channels},
  };
}

/// The data buses move a burst in BL clocks. The last burst may be under way when nothing else is.
Invariants invariants_of_time(const stats::KernelResult& k, const arch::Arch& arch) {
  const arch::DramTimings& timing = arch.dram.timing;
  const Cycle clocks = ClockConverter(arch.clocks.sm, arch.dram.command_hz).convert(k.drained_cycles);
  const std::uint64_t banked_channels = arch.dram.model == arch::DramModel::kBanked ? arch.dram.channels : 0;
  const std::uint64_t on_buses =
      banked_channels == 0 ? k.dram.bus_busy_clocks : banked_channels * (clocks + timing.CL + timing.CWL + timing.BL);
  return {
      Invariant{"clocks with data on the buses of DRAM = bursts", k.dram.bus_busy_clocks, k.dram.bursts * timing.BL},
      Invariant{"clocks with data on the buses of DRAM <= all clocks", k.dram.bus_busy_clocks, 0, on_buses},
      Invariant{"clocks with requests in the queues of DRAM <= all clocks", k.dram.queued_clocks, 0,
                banked_channels * clocks},
      Invariant{"busy cycles of the slices' data ports <= all cycles", k.l2.busy_cycles, 0,
                arch.l2.slices * (k.drained_cycles + 1)},
      Invariant{"busy cycles of the slices' atomic units <= all cycles", k.l2.atomic_cycles, 0,
                arch.l2.slices * (k.drained_cycles + arch.l2.atomic_request_cycles)},
      Invariant{"cycles of the kernel <= cycles until nothing is on its way", k.cycles, 0, k.drained_cycles},
  };
}

Invariants invariants_of_dram(const stats::KernelResult& k, const arch::Arch& arch) {
  const bool has_rows = arch.dram.model == arch::DramModel::kBanked;
  const bool has_check_bits = arch.dram.ecc == arch::DramEcc::kInline;
  const std::uint64_t data_bytes = k.dram.read_bytes + k.dram.write_bytes;
  return {
      bytes_of_sectors("bytes DRAM read = sectors L2 filled or completed", k.dram.read_bytes,
                       k.l2.dram_read_sectors + k.l2.completed_sectors, arch),
      bytes_of_sectors("bytes DRAM wrote = sectors L2 wrote back", k.dram.write_bytes, k.l2.dram_write_sectors, arch),
      Invariant{"bytes DRAM read and wrote, check bits included = bursts", k.dram.moved_bytes(),
                k.dram.bursts * arch.dram.burst_bytes},
      Invariant{"bytes of check bits = a burst with one to four of data", k.dram.ecc_bytes,
                has_check_bits ? data_bytes / (kLineBytes / arch.dram.burst_bytes) : 0,
                has_check_bits ? data_bytes : 0},
      Invariant{"row hits + misses + conflicts = bursts", k.dram.row_hits + k.dram.row_misses + k.dram.row_conflicts,
                has_rows ? k.dram.bursts : 0},
  };
}

}  // namespace

std::string conservation_problem(const stats::KernelResult& kernel, const arch::Arch& arch) {
  for (const Invariants& invariants :
       {invariants_of_warps(kernel), invariants_of_fetch(kernel), invariants_of_l1(kernel),
        invariants_of_tlbs(kernel, arch), invariants_of_l2(kernel), invariants_of_noc(kernel, arch),
        invariants_of_ports(kernel, arch), invariants_of_stalls(kernel, arch), invariants_of_dram(kernel, arch),
        invariants_of_time(kernel, arch)}) {
    for (const Invariant& invariant : invariants) {
      if (!invariant.holds()) {
        return std::string(invariant.what) + invariant.where_text() +
               " does not hold: " + std::to_string(invariant.left) + " against " + invariant.right_text();
      }
    }
  }
  return {};
}

}  // namespace gpusim::gpu
