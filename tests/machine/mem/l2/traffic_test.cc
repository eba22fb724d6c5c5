// SPDX-License-Identifier: MIT
// SMs, routers and partitions together under random traffic.
#include <algorithm>
#include <random>
#include <tuple>

#include <catch2/catch.hpp>

#include "sim/machine/mem/l2/partition.h"
#include "sim/machine/mem/noc/router.h"
#include "sim/model/arch/arch.h"

#include "tests/machine/mem/l2/bench.h"

namespace traffic_test {

using gpusim::Cycle;
using gpusim::mem::l2::AddressMap;
using gpusim::mem::l2::MemoryPartition;
using gpusim::mem::l2::PartitionWiring;
using gpusim::mem::noc::GpcRouter;
using gpusim::mem::noc::RouterWiring;
using gpusim::mem::noc::slice_window;
using gpusim::mem::noc::sm_window;
using gpusim::msg::Kind;
using gpusim::msg::Message;
using gpusim::test::CreditedSender;

namespace {

/// Four GPCs of two SMs each, two a half, and two partitions a half. Domains: SMs, routers, partitions.
struct Machine {
  static constexpr std::uint32_t kSms = 8;
  static constexpr std::uint32_t kRouters = 4;

  explicit Machine(const gpusim::arch::Arch& config) : arch(config), map(arch.l2, arch.dram.channels) {
    for (std::uint32_t i = 0; i < kSms; ++i) {
      sms.push_back(std::make_unique<CreditedSender>(
          i, CreditedSender::Link{kSms + gpc_of(i), arch.noc.sm_to_gpc_latency, sm_window(arch.noc).places, 1}));
    }
    for (std::uint32_t i = 0; i < kRouters; ++i) {
      add_router(i);
    }
    for (std::uint32_t i = 0; i < map.partitions(); ++i) {
      add_partition(i);
    }
    for (auto& sm : sms) {
      domains.push_back(sm.get());
    }
    for (auto& router : routers) {
      domains.push_back(router.get());
    }
    for (auto& partition : partitions) {
      domains.push_back(partition.get());
    }
  }
  static std::uint32_t half_of(std::uint32_t sm) { return sm / (kSms / 2); }
  static std::uint32_t gpc_of(std::uint32_t sm) { return sm / (kSms / kRouters); }

  void add_router(std::uint32_t index) {
    RouterWiring wiring;
    for (std::uint16_t sm = 0; sm < kSms; ++sm) {
      if (gpc_of(sm) == index) {
        wiring.sms.push_back({sm, sm});
      }
    }
    for (std::uint32_t slice = 0; slice < map.slices(); ++slice) {
      wiring.partition_domain.push_back(kSms + kRouters + map.partition_of_slice(slice));
    }
    routers.push_back(std::make_unique<GpcRouter>(kSms + index, arch, wiring));
  }
  void add_partition(std::uint32_t index) {
    PartitionWiring wiring;
    wiring.index = index;
    wiring.credit_batch = slice_window(arch.noc, arch.l2).batch;
    for (std::uint32_t sm = 0; sm < kSms; ++sm) {
      wiring.router_of_sm.push_back(kSms + gpc_of(sm));
    }
    wiring.mirror = kSms + kRouters + map.partition_of_slice(map.mirror_slice(index * map.slices_per_partition()));
    partitions.push_back(std::make_unique<MemoryPartition>(kSms + kRouters + index, arch, map, wiring));
  }
  void add_traffic(std::uint32_t seed, std::uint32_t requests) {
    std::mt19937 random(seed);
    for (std::uint32_t i = 0; i < kSms * requests; ++i) {
      const std::uint32_t sm = i % kSms;
      const Kind kind =
          std::array{Kind::kRead, Kind::kRead, Kind::kWrite, Kind::kAtomic, Kind::kReduction}[random() % 5];
      gpusim::msg::SmAccess m;
      m.address = random() % (random() % 4 == 0 ? 2000 : 40) * 128;
      const auto sectors = static_cast<std::uint8_t>(1 + random() % 15);
      const auto depth = static_cast<std::uint8_t>(1 + random() % 32);
      if (kind == Kind::kAtomic || kind == Kind::kReduction) {
        m.atomic = {depth, depth, static_cast<gpusim::AtomicType>(random() % 3)};
      } else {
        m.full = sectors & random() & 0xfU;
        m.leaves_soon = random() % 2;
        m.is_bulk = kind == Kind::kRead ? random() % 2 : 0;
      }
      m.requester = static_cast<std::uint16_t>(sm);
      const auto near = map.near_slice(m.address, half_of(sm));
      m.slice = static_cast<std::uint16_t>(near.slice);
      m.is_copy = near.is_mirror ? 1 : 0;
      m.token = i;
      sms[sm]->requests.push_back(gpusim::msg::make(kind, m, sectors));
    }
  }
  void run(gpusim::engine::EngineOptions options = {8, 1, false}) {
    CHECK(gpusim::engine::Engine(domains, options).run(10'000'000, {}) == gpusim::engine::Outcome::kIdle);
  }
  [[nodiscard]] gpusim::stats::L2Counters counters() const {
    gpusim::stats::L2Counters sum;
    for (const auto& partition : partitions) {
      gpusim::stats::add(sum, partition->l2_counters());
    }
    return sum;
  }

  gpusim::arch::Arch arch;
  AddressMap map;
  std::vector<std::unique_ptr<CreditedSender>> sms;
  std::vector<std::unique_ptr<GpcRouter>> routers;
  std::vector<std::unique_ptr<MemoryPartition>> partitions;
  std::vector<gpusim::engine::Domain*> domains;
};

gpusim::arch::Arch tight_arch(std::uint32_t seed) {
  auto arch = gpusim::test::small_arch(2);
  arch.noc.gpcs = Machine::kRouters;
  arch.l2.partitions = 4;
  arch.l2.slices = 8;
  arch.l2.bytes = arch.l2.slices * 2048;
  arch.l2.ways = 8;
  arch.dram.channels = 8;
  arch.l2.mshrs = 1 + seed % 3;
  arch.l2.queue_entries = 1 + seed % 2;
  arch.l2.atomic_entries = 1 + seed % 4;
  arch.l2.fill_bytes = 32U << seed % 3;
  arch.l2.joined_reads = 1 + seed % 2;
  arch.l2.dirty_percent = 100 - 30 * (seed % 4);
  arch.dram.queue_entries = 2 + seed;
  return arch;
}

/// Every token once among the answers, of the right kind.
void check_answers(const CreditedSender& sm) {
  std::vector<std::tuple<std::uint32_t, Kind, std::uint8_t>> asked;
  std::vector<std::tuple<std::uint32_t, Kind, std::uint8_t>> answered;
  for (const Message& m : sm.requests) {
    const bool has_data = m.kind() == Kind::kRead || m.kind() == Kind::kAtomic;
    asked.emplace_back(gpusim::test::token_of(m), has_data ? Kind::kReadReply : Kind::kWriteAck, m.sectors);
  }
  for (const Message& m : sm.received) {
    answered.emplace_back(gpusim::test::token_of(m), m.kind(), m.sectors);
  }
  std::sort(answered.begin(), answered.end());
  CHECK(asked == answered);
}

}  // namespace

TEST_CASE("under random traffic every request is answered once and nothing is left anywhere") {
  const auto seed = GENERATE(0U, 1U, 2U, 3U, 4U, 5U);
  Machine machine(tight_arch(seed));
  machine.add_traffic(seed, 600);
  machine.run();
  for (const auto& sm : machine.sms) {
    CHECK(sm->all_sent());
    check_answers(*sm);
    CHECK(sm->credits + sm_window(machine.arch.noc).batch > sm_window(machine.arch.noc).places);
  }
  for (const auto& router : machine.routers) {
    CHECK(router->idle());
  }
  for (const auto& partition : machine.partitions) {
    CHECK(partition->idle());
    CHECK(partition->drain_problem() == "");
  }
}

TEST_CASE("under random traffic sectors and bytes are conserved from level to level") {
  const auto seed = GENERATE(0U, 1U, 2U, 3U);
  Machine machine(tight_arch(seed));
  machine.add_traffic(seed, 600);
  std::uint64_t reads = 0, writes = 0, atomics = 0, replies = 0;
  for (const auto& sm : machine.sms) {
    for (const Message& m : sm->requests) {
      const auto sectors = static_cast<std::uint64_t>(__builtin_popcount(m.sectors));
      (m.kind() == Kind::kRead ? reads : m.kind() == Kind::kWrite ? writes : atomics) += sectors;
      replies += m.kind() == Kind::kRead || m.kind() == Kind::kAtomic ? sectors : 0;
    }
  }
  machine.run();
  const auto counters = machine.counters();
  CHECK(counters.requests == Machine::kSms * 600);
  CHECK(counters.read_sectors + counters.joined_sectors == reads);
  CHECK((counters.joined_requests > 0) == (machine.arch.l2.joined_reads > 1));
  CHECK(counters.joined_sectors >= counters.joined_requests);
  CHECK(counters.read_hits + counters.read_misses == counters.read_sectors);
  CHECK(counters.write_sectors == writes);
  CHECK(counters.atomic_sectors == atomics);
  CHECK(counters.reply_sectors == replies);
  CHECK(counters.far_hits + counters.far_misses == counters.far_sectors);
  CHECK(counters.atomic_hits + counters.atomic_misses == atomics);
  CHECK(counters.read_misses + counters.far_misses + counters.atomic_misses + counters.beside_sectors ==
        counters.mshr_merges + counters.far_sectors + counters.dram_read_sectors);
  CHECK(counters.dram_write_sectors == counters.evicted_dirty_sectors + counters.cleaned_sectors);
  gpusim::stats::DramCounters dram;
  for (const auto& partition : machine.partitions) {
    gpusim::stats::add(dram, partition->dram_counters());
  }
  CHECK(dram.read_bytes == counters.dram_read_sectors * 32);
  CHECK(dram.write_bytes == counters.dram_write_sectors * 32);
  CHECK(dram.bursts * 32 == dram.read_bytes + dram.write_bytes);
  CHECK(dram.row_hits + dram.row_misses + dram.row_conflicts == dram.bursts);
  CHECK(counters.evicted_dirty_sectors > 0);
  CHECK(counters.atomic_misses > 0);
}

TEST_CASE("of reads alone, DRAM gets what missed at home and was not on its way") {
  Machine machine(tight_arch(2));
  machine.add_traffic(7, 600);
  for (auto& sm : machine.sms) {
    for (Message& m : sm->requests) {
      m = m.as_kind(Kind::kRead);
    }
  }
  machine.run();
  const auto counters = machine.counters();
  CHECK(counters.far_sectors > 0);
  CHECK(counters.mshr_merges > 0);
  CHECK(counters.dram_read_sectors == counters.read_misses + counters.far_misses + counters.beside_sectors -
                                          counters.far_sectors - counters.mshr_merges);
}

TEST_CASE("the same traffic ends the same for any window, order of domains and number of threads") {
  const auto run = [](gpusim::engine::EngineOptions options) {
    Machine machine(tight_arch(3));
    machine.add_traffic(11, 400);
    machine.run(options);
    std::vector<std::tuple<std::uint32_t, Cycle, std::uint32_t>> trace;
    for (const auto& sm : machine.sms) {
      for (const Message& m : sm->received) {
        trace.emplace_back(gpusim::test::requester_of(m), m.time, gpusim::test::token_of(m));
      }
    }
    return trace;
  };
  const auto expected = run({10, 1, false});
  CHECK(expected.size() == Machine::kSms * 400);
  CHECK(run({5, 1, false}) == expected);
  CHECK(run({1, 1, false}) == expected);
  CHECK(run({10, 1, true}) == expected);
  CHECK(run({10, 2, false}) == expected);
}

TEST_CASE("an ideal network and a crossbar carry the same requests") {
  auto arch = tight_arch(1);
  arch.noc.model = gpusim::arch::NocModel::kIdeal;
  Machine machine(arch);
  machine.add_traffic(3, 300);
  machine.run();
  for (const auto& sm : machine.sms) {
    check_answers(*sm);
  }
  CHECK(machine.counters().requests == Machine::kSms * 300);
}

}  // namespace traffic_test
