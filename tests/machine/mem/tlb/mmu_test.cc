// SPDX-License-Identifier: MIT
#include "sim/machine/mem/tlb/mmu.h"

#include <array>
#include <memory>

#include <catch2/catch.hpp>

#include "sim/machine/engine/engine.h"
#include "sim/model/arch/arch.h"

#include "tests/support/stand_in.h"

namespace mmu_test {

using namespace gpusim;
using mem::tlb::Mmu;
using test::StandIn;

namespace {

constexpr std::uint64_t kPage = 2 << 20;
constexpr Cycle kLink = 20;

/// Domains 0 and 1 are routers, 2 the MMU: one set of two entries, hit or miss after 5 cycles, walks of 100.
struct Bench {
  explicit Bench(std::uint32_t walkers) {
    arch::TlbConfig config;
    config.model = arch::TlbModel::kModelled;
    config.page_bytes = kPage;
    config.l3 = {2, 2, 1, 5};
    config.walkers = walkers;
    config.walk_latency = 100;
    mmu = std::make_unique<Mmu>(2, config, kLink);
  }
  /// A request that arrives at `at`.
  void ask(std::uint32_t router, std::uint64_t page, Cycle at) {
    const msg::Message m = msg::make(msg::Kind::kTranslate, msg::Translation{page * kPage});
    routers[router].plan(at - kLink, 2, kLink, m);
  }
  void run(unsigned threads = 1) {
    engine::Engine({&routers[0], &routers[1], mmu.get()}, {kLink, threads, false}).run(100'000, {});
    CHECK(mmu->idle());
  }
  /// When the MMU's answers left it, and for which pages.
  [[nodiscard]] std::vector<std::pair<Cycle, std::uint64_t>> answers(std::uint32_t router) const {
    std::vector<std::pair<Cycle, std::uint64_t>> result;
    for (const msg::Message& m : routers[router].of_kind(msg::Kind::kTranslated)) {
      result.emplace_back(m.time - kLink, m.as<msg::Translation>().address / kPage);
    }
    return result;
  }

  std::array<StandIn, 2> routers{StandIn(0), StandIn(1)};
  std::unique_ptr<Mmu> mmu;
};

using Answers = std::vector<std::pair<Cycle, std::uint64_t>>;

}  // namespace

TEST_CASE("the GPU's TLB answers after its latency, one request per cycle") {
  Bench bench(1);
  bench.ask(0, 10, 100);
  bench.ask(1, 11, 100);
  bench.run();
  CHECK(bench.answers(0) == Answers{{105, 10}});
  CHECK(bench.answers(1) == Answers{{106, 11}});
  CHECK(bench.mmu->counters().walks == 0);
}

TEST_CASE("a miss takes a page walk more, and the page is known then") {
  Bench bench(1);
  for (const std::uint64_t page : {10, 11, 12}) {
    bench.ask(0, page, 100 * (page - 9));
  }
  bench.ask(0, 12, 500);
  bench.run();
  CHECK(bench.answers(0) == Answers{{105, 10}, {205, 11}, {405, 12}, {505, 12}});
  CHECK(bench.mmu->counters().walks == 1);
}

TEST_CASE("misses on one page share a walk, and each GPC gets its answer") {
  Bench bench(4);
  bench.ask(0, 10, 100);
  bench.ask(0, 11, 101);
  bench.ask(0, 12, 200);
  bench.ask(1, 12, 250);
  bench.run();
  CHECK(bench.answers(0).back() == std::pair<Cycle, std::uint64_t>{305, 12});
  CHECK(bench.answers(1) == Answers{{305, 12}});
  const stats::TlbCounters& counters = bench.mmu->counters();
  CHECK(counters.walks == 1);
  CHECK(counters.l3_misses == 2);
  CHECK(counters.l3_merges == 1);
}

TEST_CASE("walks wait while all walkers are busy") {
  // Misses at 200, 201 and 202 know at 205, 206 and 207 that they need a walk. Two walkers: 305, 306, and the third one
  // begins at 305.
  const auto last_answer = [](std::uint32_t walkers) {
    Bench bench(walkers);
    bench.ask(0, 10, 100);
    bench.ask(0, 11, 101);
    for (const std::uint64_t page : {12, 13, 14}) {
      bench.ask(0, page, 200 + page - 12);
    }
    bench.run();
    return bench.answers(0).back();
  };
  CHECK(last_answer(1) == std::pair<Cycle, std::uint64_t>{505, 14});
  CHECK(last_answer(2) == std::pair<Cycle, std::uint64_t>{405, 14});
  CHECK(last_answer(3) == std::pair<Cycle, std::uint64_t>{307, 14});
}

TEST_CASE("a request that comes in a walk's last cycles is not answered before it is looked up") {
  Bench bench(1);
  bench.ask(0, 10, 100);
  bench.ask(0, 11, 101);
  bench.ask(0, 12, 200);
  bench.ask(1, 12, 303);
  bench.run();
  CHECK(bench.answers(1) == Answers{{308, 12}});
}

}  // namespace mmu_test
