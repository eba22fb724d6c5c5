// SPDX-License-Identifier: MIT
// Memory partitions of a small machine, with a stand-in for the routers that sends what a test plans.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/machine/engine/engine.h"
#include "sim/machine/mem/l2/partition.h"
#include "sim/model/arch/arch.h"

#include "tests/support/messages.h"
#include "tests/support/stand_in.h"

namespace gpusim::test {

/// Small and quick to fill: 4 KiB a slice. Timings of DRAM are round numbers of no GPU.
inline arch::Arch small_arch(std::uint32_t halves) {
  arch::Arch arch;
  arch.clocks.sm = 1'000'000'000;
  arch.noc.model = gpusim::arch::NocModel::kCrossbar;
  arch.noc.gpcs = 1;
  arch.noc.sm_to_gpc_latency = 10;
  arch.noc.gpc_to_l2_latency = 20;
  arch.noc.l2_to_gpc_latency = 30;
  arch.noc.gpc_to_sm_latency = 15;
  arch.noc.partition_link_latency = 25;
  arch.noc.partition_link_bytes_per_cycle = 64;
  arch.noc.sm_request_bytes_per_cycle = 64;
  arch.noc.sm_reply_bytes_per_cycle = 64;
  arch.noc.gpc_request_bytes_per_cycle = 256;
  arch.noc.gpc_reply_bytes_per_cycle = 256;
  arch.noc.slice_request_bytes_per_cycle = 32;
  arch.noc.slice_reply_bytes_per_cycle = 160;
  arch.noc.request_header_bytes = 32;
  arch.l2.model = gpusim::arch::L2Model::kSectored;
  arch.l2.halves = halves;
  arch.l2.partitions = halves;
  arch.l2.slices = 2 * halves;
  arch.l2.bytes = arch.l2.slices * 4096;
  arch.l2.ways = 32;
  arch.l2.tag_latency = 6;
  arch.l2.data_latency = 9;
  arch.l2.slice_bytes_per_cycle = 64;
  arch.l2.mshrs = 8;
  arch.l2.queue_entries = 8;
  arch.l2.atomic_entries = 8;
  arch.l2.atomic_request_cycles = 1;
  arch.l2.atomic_interval = 3;
  arch.l2.atomic_float_interval = 5;
  arch.l2.atomic_half_interval = 7;
  arch.l2.interleave_bytes = 1024;
  arch.l2.slice_share_bytes = 128;
  arch.dram.model = gpusim::arch::DramModel::kBanked;
  arch.dram.type = "HBM3";
  arch.dram.capacity_bytes = std::uint64_t{1} << 30;
  arch.dram.stacks = 1;
  arch.dram.channels = 2 * halves;
  arch.dram.channel_bits = 32;
  arch.dram.bank_groups = 4;
  arch.dram.banks_per_group = 4;
  arch.dram.row_bytes = 1024;
  arch.dram.command_hz = 1'000'000'000;
  arch.dram.burst_bytes = 32;
  arch.dram.queue_entries = 16;
  arch.dram.write_high_percent = 80;
  arch.dram.write_low_percent = 20;
  arch.dram.controller_latency = 40;
  auto& t = arch.dram.timing;
  t.CL = 14, t.CWL = 4, t.RCDRD = 14, t.RCDWR = 10, t.RP = 14, t.RAS = 33, t.CCDS = 2, t.CCDL = 3, t.RRDS = 4;
  t.RRDL = 4, t.FAW = 16, t.WR = 15, t.RTP = 5, t.WTRS = 4, t.WTRL = 6, t.RTW = 12, t.RFC = 260, t.REFI = 3900,
  t.BL = 2;
  return arch;
}

/// Domain 0 stands in for every router; partition i is domain i + 1. SMs 0 and 1 are of half 0 and 1.
struct PartitionBench {
  explicit PartitionBench(const arch::Arch& config) : arch(config), map(arch.l2, arch.dram.channels), router(0) {
    domains.push_back(&router);
    for (std::uint32_t i = 0; i < map.partitions(); ++i) {
      mem::l2::PartitionWiring wiring;
      wiring.index = i;
      wiring.router_of_sm = {0, 0};
      wiring.mirror = 1 + map.partition_of_slice(map.mirror_slice(i * map.slices_per_partition()));
      partitions.push_back(std::make_unique<mem::l2::MemoryPartition>(i + 1, arch, map, wiring));
      domains.push_back(partitions.back().get());
    }
  }

  [[nodiscard]] msg::Message request(msg::Kind kind, Address address, std::uint8_t sectors,
                                     std::uint16_t half = 0) const {
    msg::SmAccess m;
    m.address = address / kLineBytes * kLineBytes;
    if (kind == msg::Kind::kAtomic || kind == msg::Kind::kReduction) {
      m.atomic = {static_cast<std::uint8_t>(msg::sector_count(sectors)), 1, AtomicType::kInteger};
    } else if (kind == msg::Kind::kWrite) {
      m.full = sectors & 0xfU;
    }
    m.requester = half;
    const mem::map::NearSlice near = map.near_slice(address, half);
    m.slice = static_cast<std::uint16_t>(near.slice);
    m.is_copy = near.is_mirror ? 1 : 0;
    return msg::make(kind, m, sectors);
  }
  /// The same access in no time.
  mem::l2::FunctionalResult access(const msg::Message& m) {
    const msg::L2Access& access = m.as<msg::L2Access>();
    return partitions[map.partition_of_slice(access.slice)]->access_functionally(
        access.slice,
        {access.address, map.slice_line(access.address), m.kind(), m.sectors, access.full, access.is_copy != 0,
         access.fetch_sectors, m.kind() == msg::Kind::kWrite ? access.parts : msg::WriteParts{}});
  }
  /// Arrives at its slice at `arrival` (at least 20).
  void plan(Cycle arrival, msg::Message m) {
    l2(m).token = planned++;
    router.plan(arrival - 20, 1 + map.partition_of_slice(l2(m).slice), 20, m);
  }
  void plan(Cycle arrival, msg::Kind kind, Address address, std::uint8_t sectors, std::uint16_t half = 0) {
    plan(arrival, request(kind, address, sectors, half));
  }
  void run(engine::EngineOptions options = {8, 1, false}) { engine::Engine(domains, options).run(1'000'000, {}); }

  /// When the answer to the n-th planned request left its slice; kNever when there is none.
  [[nodiscard]] Cycle departure(std::uint32_t n) const {
    for (const msg::Message& m : router.received) {
      if (m.kind() != msg::Kind::kSliceCredit && token_of(m) == n) {
        return m.time - arch.noc.l2_to_gpc_latency;
      }
    }
    return kNever;
  }
  [[nodiscard]] stats::L2Counters counters() const {
    stats::L2Counters sum;
    for (const auto& partition : partitions) {
      stats::add(sum, partition->l2_counters());
    }
    return sum;
  }
  /// The first line from `from` on whose home is in `half`.
  [[nodiscard]] Address line_of_half(std::uint32_t half, Address from = 0) const {
    while (map.half_of_partition(map.home_partition(from)) != half) {
      from += kLineBytes;
    }
    return from;
  }

  arch::Arch arch;
  mem::map::AddressMap map;
  StandIn router;
  std::vector<std::unique_ptr<mem::l2::MemoryPartition>> partitions;
  std::vector<engine::Domain*> domains;
  std::uint32_t planned = 0;
};

}  // namespace gpusim::test
