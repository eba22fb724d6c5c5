// SPDX-License-Identifier: MIT
#include "sim/gpu/conservation.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace gpusim::gpu {
namespace {

struct Law {
  std::string_view what;
  std::uint64_t left;
  std::uint64_t right;
};

std::uint64_t instructions_by_pc(const stats::KernelResult& kernel) {
  std::uint64_t sum = 0;
  for (const stats::PcResult& pc : kernel.pcs) {
    sum += pc.warp_instructions;
  }
  return sum;
}

}  // namespace

std::string conservation_problem(const stats::KernelResult& k) {
  const auto selected = k.stalls[static_cast<std::size_t>(stats::Stall::kSelected)];
  const std::array laws{
      Law{"warp states = warp-cycles", stats::total(k.stalls), k.sm.warp_cycles},
      Law{"selected = warp instructions", selected, k.sm.warp_instructions},
      Law{"instructions by program counter = warp instructions", instructions_by_pc(k), k.sm.warp_instructions},
      Law{"CTAs completed = CTAs simulated", k.sm.ctas, k.simulated_ctas},
      Law{"L0 instruction hits + misses = lookups", k.fetch.l0_hits + k.fetch.l0_misses, k.fetch.l0_lookups},
      Law{"L0 instruction misses + prefetches = merges + lines streamed + lines asked of L1",
          k.fetch.l0_misses + k.fetch.prefetches,
          k.fetch.l0_merges + k.fetch.stream_hits + k.fetch.l1_lookups - k.constant.l1_requests},
      Law{"L1 instruction hits + misses = lookups", k.fetch.l1_hits + k.fetch.l1_misses, k.fetch.l1_lookups},
      Law{"constant operand hits + misses = lookups", k.constant.operand_hits + k.constant.operand_misses,
          k.constant.operand_lookups},
      Law{"constant load hits + misses = lookups", k.constant.load_hits + k.constant.load_misses,
          k.constant.load_lookups},
      Law{"L1 load hits + misses = sectors", k.l1.load_hits + k.l1.load_misses, k.l1.load_sectors},
      Law{"L1 misses + bypasses = merges + sectors asked of L2", k.l1.load_misses + k.l1.bypass_sectors,
          k.l1.mshr_merges + k.l1.fill_sectors},
      Law{"sectors L1s asked for = sectors L2 was asked for", k.l1.fill_sectors, k.l2.read_sectors},
      Law{"local load hits + misses = sectors", k.local.load_hits + k.local.load_misses, k.local.load_sectors},
      Law{"local sectors made dirty = written back + not needed any more", k.local.dirtied_sectors,
          k.local.written_back_sectors + k.local.dropped_sectors},
      Law{"sectors L1s wrote = sectors L2 was given", k.l1.store_sectors + k.local.written_back_sectors,
          k.l2.write_sectors},
      Law{"atomic sectors sent = atomic sectors received", k.l1.atomic_sectors, k.l2.atomic_sectors},
      Law{"sectors L2 sent = sectors L1s received", k.l2.reply_sectors, k.l1.reply_sectors},
      Law{"sectors accessed in other SMs' shared memory = sectors SMs served",
          k.dsmem.read_sectors + k.dsmem.write_sectors + k.dsmem.atomic_sectors, k.dsmem.served_sectors},
      Law{"bytes sent from SM to SM = bytes received", k.dsmem.sent_bytes, k.dsmem.received_bytes},
      Law{"sectors asked of L2 for other CTAs = sectors those CTAs received", k.dsmem.multicast_asked_sectors,
          k.dsmem.multicast_sectors},
      Law{"first-level TLB hits + misses = requests", k.tlb.l1_hits + k.tlb.l1_misses, k.tlb.l1_lookups},
      Law{"requests translated = requests to L2", k.tlb.l1_lookups, k.tlb.l1_lookups == 0 ? 0 : k.l2.requests},
      Law{"first-level TLB misses = merges + requests to TLBs of GPCs", k.tlb.l1_misses,
          k.tlb.l1_merges + k.tlb.l2_lookups},
      Law{"hits + misses of TLBs of GPCs = requests", k.tlb.l2_hits + k.tlb.l2_misses, k.tlb.l2_lookups},
      Law{"misses of TLBs of GPCs = merges + requests to the GPU's TLB", k.tlb.l2_misses,
          k.tlb.l2_merges + k.tlb.l3_lookups},
      Law{"hits + misses of the GPU's TLB = requests", k.tlb.l3_hits + k.tlb.l3_misses, k.tlb.l3_lookups},
      Law{"misses of the GPU's TLB = merges + page walks", k.tlb.l3_misses, k.tlb.l3_merges + k.tlb.walks},
      Law{"L2 hits + misses = sectors", k.l2.read_hits + k.l2.read_misses, k.l2.read_sectors},
      Law{"far hits + misses = far sectors", k.l2.far_hits + k.l2.far_misses, k.l2.far_sectors},
      Law{"bytes DRAM read = sectors L2 filled", k.dram.read_bytes, k.l2.dram_read_sectors * kSectorBytes},
      Law{"bytes DRAM wrote = sectors L2 wrote back", k.dram.write_bytes, k.l2.dram_write_sectors * kSectorBytes},
  };
  for (const Law& law : laws) {
    if (law.left != law.right) {
      return std::string(law.what) + " does not hold: " + std::to_string(law.left) + " against " +
             std::to_string(law.right);
    }
  }
  return {};
}

}  // namespace gpusim::gpu
