// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/mem/dram/banks.h"

namespace bank_queues_test {

using namespace gpusim::mem::dram;

namespace {

constexpr std::uint32_t kBank = 3;
constexpr std::uint64_t kOpenRow = 7;
constexpr std::uint64_t kOtherRow = 8;

/// Queues of four banks with six places, and requests numbered as they come.
struct Bench {
  BankQueues queues{4, 6};
  std::uint32_t next = 0;

  void push(std::uint64_t row, bool hit = false, std::uint8_t bursts = 1) {
    queues.push(kBank, {row, next, next, bursts, false}, hit);
    ++next;
  }
  /// Tokens in the order in which their last bursts go.
  std::vector<std::uint32_t> drain_hits() {
    std::vector<std::uint32_t> tokens;
    while (queues.banks_with_hits().contains(kBank)) {
      if (const Queued request = queues.take_burst(kBank); request.bursts == 1) {
        tokens.push_back(request.token);
      }
    }
    return tokens;
  }
};

}  // namespace

TEST_CASE("a set of banks is visited in ascending order") {
  BankSet set;
  for (const std::uint32_t bank : {63U, 0U, 17U}) {
    set.insert(bank);
  }
  std::vector<std::uint32_t> banks;
  set.for_each([&](std::uint32_t bank) { banks.push_back(bank); });
  CHECK(banks == std::vector<std::uint32_t>{0, 17, 63});
}

TEST_CASE("an opened row's requests become hits in their order, those of other rows wait") {
  Bench bench;
  for (const std::uint64_t row : {kOtherRow, kOpenRow, kOtherRow, kOpenRow}) {
    bench.push(row);
  }
  bench.queues.open(kBank, kOpenRow);
  CHECK(bench.queues.oldest_waiting(kBank).token == 0);
  CHECK(bench.drain_hits() == std::vector<std::uint32_t>{1, 3});
  bench.queues.open(kBank, kOtherRow);
  CHECK_FALSE(bench.queues.banks_waiting().contains(kBank));
  CHECK(bench.drain_hits() == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("a closed row's requests wait again in their old order, also one that has begun") {
  Bench bench;
  bench.push(kOpenRow, true, 2);
  bench.push(kOtherRow);
  bench.push(kOpenRow, true);
  bench.queues.take_burst(kBank);
  bench.queues.close(kBank);
  CHECK(bench.queues.banks_with_hits().empty());
  CHECK(bench.queues.oldest_waiting(kBank).token == 0);
  bench.queues.open(kBank, kOtherRow);
  CHECK(bench.drain_hits() == std::vector<std::uint32_t>{1});
  bench.queues.open(kBank, kOpenRow);
  CHECK(bench.drain_hits() == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("a request keeps its place until its last burst has gone") {
  Bench bench;
  for (int i = 0; i < 6; ++i) {
    bench.push(kOpenRow, true, 2);
  }
  CHECK(bench.queues.bursts() == 12);
  bench.queues.take_burst(kBank);
  CHECK(bench.queues.full());
  bench.queues.take_burst(kBank);
  CHECK_FALSE(bench.queues.full());
  CHECK(bench.queues.requests() == 5);
  CHECK(bench.queues.bursts() == 10);
}

TEST_CASE("only the burst that a row command was sent for counts, and once") {
  Bench bench;
  bench.push(kOpenRow, false, 2);
  CHECK(bench.queues.count_waiting(kBank));
  CHECK_FALSE(bench.queues.count_waiting(kBank));
  bench.queues.open(kBank, kOpenRow);
  CHECK(bench.queues.take_burst(kBank).counted);
  CHECK_FALSE(bench.queues.take_burst(kBank).counted);
}

}  // namespace bank_queues_test
