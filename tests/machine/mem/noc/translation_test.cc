// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/engine/engine.h"
#include "sim/machine/mem/noc/router.h"
#include "sim/model/arch/arch.h"

#include "tests/support/messages.h"
#include "tests/support/stand_in.h"

namespace translation_test {

using namespace gpusim;
using mem::noc::GpcRouter;
using msg::Kind;
using msg::Message;
using test::StandIn;

namespace {

constexpr std::uint64_t kPage = 2 << 20;
constexpr Cycle kToL2 = 20;

arch::Arch small_arch(arch::TlbModel tlb_model) {
  arch::Arch arch;
  arch.noc.model = gpusim::arch::NocModel::kIdeal;
  arch.noc.gpcs = 1;
  arch.noc.sm_to_gpc_latency = 20;
  arch.noc.gpc_to_l2_latency = kToL2;
  arch.noc.l2_to_gpc_latency = 20;
  arch.noc.gpc_to_sm_latency = 20;
  arch.tlb.model = tlb_model;
  arch.tlb.page_bytes = kPage;
  arch.tlb.l1_sms = 2;
  arch.tlb.l1 = {1, 1, 1, 0};
  arch.tlb.l2 = {1, 1, 1, 10};
  return arch;
}

/// An SM (0), the router (1), the partition with all slices (2), and an MMU (3) that answers 200 cycles later.
struct Bench {
  explicit Bench(const arch::Arch& arch)
      : router(1, arch, {{{0, 0}}, {2}, 1, 3}), mmu(3, [](StandIn& self, const Message& m, Cycle now) {
          self.plan(now + 180, 1, 20, m.as_kind(Kind::kTranslated));
        }) {}
  void ask(std::uint64_t page, std::uint32_t token, Cycle arrives) {
    Message m = test::numbered(token);
    test::l2(m).address = page * kPage;
    sm.plan(arrives - 20, 1, 20, m);
  }
  /// When each request left the router, and its token.
  std::vector<std::pair<Cycle, std::uint32_t>> run(unsigned threads = 1) {
    engine::Engine({&sm, &router, &partition, &mmu}, {20, threads, false}).run(100'000, {});
    CHECK(router.idle());
    std::vector<std::pair<Cycle, std::uint32_t>> left;
    for (const Message& m : partition.received) {
      left.emplace_back(m.time - kToL2, test::token_of(m));
    }
    return left;
  }

  StandIn sm{0};
  GpcRouter router;
  StandIn partition{2};
  StandIn mmu;
};

using Departures = std::vector<std::pair<Cycle, std::uint32_t>>;

void ask_pages(Bench& bench) {
  bench.ask(0, 0, 100);  // known to the TPC
  bench.ask(1, 1, 101);  // to the GPC
  bench.ask(2, 2, 102);  // to neither: asked at 112, answered at 112 + 20 + 200
  bench.ask(2, 3, 103);  // joins it
  bench.ask(0, 4, 104);  // still known
}

}  // namespace

TEST_CASE("a translation holds up the requests for its pages and no others") {
  Bench bench(small_arch(arch::TlbModel::kModelled));
  ask_pages(bench);
  CHECK(bench.run() == Departures{{100, 0}, {104, 4}, {111, 1}, {332, 2}, {332, 3}});
  const stats::TlbCounters counters = bench.router.tlb_counters();
  CHECK(counters.l1_lookups == 5);
  CHECK(counters.l1_hits == 2);
  CHECK(counters.l1_merges == 1);
  CHECK(counters.l2_lookups == 2);
  CHECK(counters.l2_hits == 1);
  CHECK(counters.wait_cycles == 10 + 230 + 229);
}

TEST_CASE("with tlb.model off addresses are translated in no time") {
  Bench bench(small_arch(arch::TlbModel::kOff));
  ask_pages(bench);
  CHECK(bench.run() == Departures{{100, 0}, {101, 1}, {102, 2}, {103, 3}, {104, 4}});
  CHECK(bench.mmu.received.empty());
  CHECK(bench.router.tlb_counters().l1_lookups == 0);
}

TEST_CASE("translations come out the same for any number of threads") {
  Bench one(small_arch(arch::TlbModel::kModelled));
  ask_pages(one);
  Bench four(small_arch(arch::TlbModel::kModelled));
  ask_pages(four);
  CHECK(one.run(1) == four.run(4));
}

}  // namespace translation_test
