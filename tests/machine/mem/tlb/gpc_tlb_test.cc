// SPDX-License-Identifier: MIT
#include "sim/machine/mem/tlb/gpc_tlb.h"

#include <catch2/catch.hpp>

#include "sim/machine/mem/tlb/outstanding.h"
#include "sim/model/arch/arch.h"

#include "tests/support/messages.h"

namespace gpc_tlb_test {

using namespace gpusim;
using mem::tlb::GpcTlb;

namespace {

constexpr std::uint64_t kPage = 2 << 20;

/// Two entries a TPC, four the GPC, which takes 10 cycles.
arch::TlbConfig small_config() {
  arch::TlbConfig config;
  config.model = arch::TlbModel::kModelled;
  config.page_bytes = kPage;
  config.l1_sms = 2;
  config.l1 = {2, 2, 1, 0};
  config.l2 = {4, 4, 1, 10};
  return config;
}

msg::Message request(std::uint64_t page, std::uint32_t token = 0) {
  msg::Message m = test::numbered(token);
  test::l2(m).address = page * kPage + 128;
  return m;
}

struct Bench {
  GpcTlb::Outcome look_up(std::uint64_t page, std::uint32_t sm, Cycle now, std::uint32_t token = 0) {
    return tlb.look_up(request(page, token), sm, now);
  }
  std::vector<std::uint32_t> answered(Cycle now) {
    std::vector<std::uint32_t> tokens;
    tlb.answer(now, [&](const msg::Message& m) { tokens.push_back(test::token_of(m)); });
    return tokens;
  }
  std::vector<std::uint32_t> accepted(std::uint64_t page, Cycle now) {
    std::vector<std::uint32_t> tokens;
    tlb.accept(page * kPage, now, [&](const msg::Message& m) { tokens.push_back(test::token_of(m)); });
    return tokens;
  }
  /// Fills the TLB of the first TPC with pages 0 and 1.
  void fill_first() {
    REQUIRE(look_up(0, 0, 0).passes);
    REQUIRE(look_up(1, 0, 0).passes);
  }
  GpcTlb tlb{small_config(), 4};
};

}  // namespace

TEST_CASE("a page that the TPC knows passes at once, whichever of its SMs asks") {
  Bench bench;
  bench.fill_first();
  CHECK(bench.look_up(0, 1, 5).passes);
  CHECK(bench.tlb.next_answer() == kNever);
  CHECK(bench.tlb.counters().l1_hits == 3);
  CHECK(bench.tlb.counters().wait_cycles == 0);
}

TEST_CASE("a page that the GPC knows passes after its latency, and then the TPC knows it") {
  Bench bench;
  bench.fill_first();
  const GpcTlb::Outcome outcome = bench.look_up(2, 0, 100, 7);
  CHECK_FALSE(outcome.passes);
  CHECK_FALSE(outcome.asks_at);
  REQUIRE(bench.tlb.next_answer() == 110);
  CHECK(bench.answered(110) == std::vector<std::uint32_t>{7});
  CHECK(bench.tlb.idle());
  CHECK(bench.look_up(2, 0, 111).passes);
  CHECK(bench.tlb.counters().wait_cycles == 10);
}

TEST_CASE("requests for other pages pass those that wait") {
  Bench bench;
  bench.fill_first();
  REQUIRE_FALSE(bench.look_up(2, 0, 100).passes);
  CHECK(bench.look_up(0, 0, 101).passes);
  CHECK(bench.look_up(1, 1, 102).passes);
}

TEST_CASE("misses of a TPC on one page merge, and pass together in the order in which they came") {
  Bench bench;
  bench.fill_first();
  REQUIRE_FALSE(bench.look_up(2, 0, 100, 1).passes);
  REQUIRE_FALSE(bench.look_up(2, 1, 104, 2).passes);
  REQUIRE_FALSE(bench.look_up(2, 0, 104, 3).passes);
  CHECK(bench.answered(110) == std::vector<std::uint32_t>{1, 2, 3});
  const stats::TlbCounters& counters = bench.tlb.counters();
  CHECK(counters.l1_misses == 3);
  CHECK(counters.l1_merges == 2);
  CHECK(counters.l2_lookups == 1);
  CHECK(counters.wait_cycles == 10 + 6 + 6);
}

TEST_CASE("the GPC's TLB takes one request per cycle") {
  Bench bench;
  bench.fill_first();
  REQUIRE_FALSE(bench.look_up(2, 0, 100, 1).passes);
  REQUIRE_FALSE(bench.look_up(3, 0, 100, 2).passes);
  CHECK(bench.answered(110) == std::vector<std::uint32_t>{1});
  CHECK(bench.tlb.next_answer() == 111);
  CHECK(bench.answered(111) == std::vector<std::uint32_t>{2});
}

TEST_CASE("what the GPC does not know is asked of the MMU once, for all TPCs that want it") {
  Bench bench;
  bench.fill_first();
  for (const std::uint64_t page : {2, 3, 4, 5}) {  // the GPC's four entries; the TPC's two are the last of them
    REQUIRE_FALSE(bench.look_up(page, 0, 10 * page).passes);
    bench.answered(10 * page + 10);
  }
  REQUIRE(bench.look_up(8, 2, 90).passes);  // the second TPC's own two
  REQUIRE(bench.look_up(9, 2, 90).passes);
  const GpcTlb::Outcome first = bench.look_up(7, 0, 100, 1);
  REQUIRE(first.asks_at);
  CHECK(*first.asks_at == 110);
  const GpcTlb::Outcome second = bench.look_up(7, 3, 105, 2);
  CHECK_FALSE(second.passes);
  CHECK_FALSE(second.asks_at);
  CHECK(bench.tlb.next_answer() == kNever);
  CHECK(bench.accepted(7, 500) == std::vector<std::uint32_t>{1, 2});
  CHECK(bench.look_up(7, 1, 501).passes);
  CHECK(bench.look_up(7, 2, 501).passes);
  const stats::TlbCounters& counters = bench.tlb.counters();
  CHECK(counters.l2_misses == 2);
  CHECK(counters.l2_merges == 1);
  CHECK(counters.wait_cycles == 4 * 10 + 400 + 395);
  CHECK(bench.tlb.idle());
}

TEST_CASE("waiters of keys that share a bucket stay apart") {
  mem::tlb::OutstandingTable<int> table;
  std::vector<std::uint32_t> slots;
  for (int key = 0; key < 200; ++key) {  // more than there are buckets
    slots.push_back(table.open(static_cast<std::uint64_t>(key)));
    table.add(slots.back(), key);
    table.add(slots.back(), -key);
  }
  for (int key = 199; key >= 0; --key) {
    REQUIRE(table.find(static_cast<std::uint64_t>(key)) == slots[static_cast<std::size_t>(key)]);
    std::vector<int> waiters;
    table.close(slots[static_cast<std::size_t>(key)], [&](int target) { waiters.push_back(target); });
    REQUIRE(waiters == std::vector<int>{key, -key});
    REQUIRE(table.find(static_cast<std::uint64_t>(key)) == table.kNone);
  }
  CHECK(table.empty());
}

}  // namespace gpc_tlb_test
