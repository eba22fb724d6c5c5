// SPDX-License-Identifier: MIT
#include "sim/machine/engine/work_share.h"

#include <algorithm>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

using namespace gpusim;
using engine::WorkShare;

namespace {

std::vector<WorkShare::Item> take_all(WorkShare& share, unsigned worker) {
  std::vector<WorkShare::Item> taken;
  for (WorkShare::Item id = share.take(worker); id != WorkShare::kNone; id = share.take(worker)) {
    taken.push_back(id);
  }
  return taken;
}

}  // namespace

TEST_CASE("a worker takes its own share from the last item on, then helps the next worker") {
  WorkShare share(2);
  const std::vector<WorkShare::Item> items{0, 1, 2, 3, 4};
  share.deal(items);
  CHECK(take_all(share, 1) == std::vector<WorkShare::Item>{3, 1, 4, 2, 0});
  CHECK(take_all(share, 0).empty());
}

TEST_CASE("a worker has the same items first each time") {
  WorkShare share(3);
  for (int time = 0; time < 3; ++time) {
    const std::vector<WorkShare::Item> items{2, 5, 6, 7, 11};
    share.deal(items);
    CHECK(share.take(2) == 11);
    CHECK(share.take(1) == 7);
    CHECK(share.take(2) == 5);
    CHECK(take_all(share, 0) == std::vector<WorkShare::Item>{6, 2});
  }
}

TEST_CASE("workers that take at the same time take every item once, time after time") {
  constexpr unsigned kWorkers = 4;
  WorkShare share(kWorkers);
  std::vector<WorkShare::Item> items(200);
  std::generate(items.begin(), items.end(), [next = 0U]() mutable { return next++; });
  for (int time = 0; time < 50; ++time) {
    share.deal(items);
    std::vector<std::vector<WorkShare::Item>> taken(kWorkers);
    {
      std::vector<std::jthread> threads;
      for (unsigned worker = 0; worker < kWorkers; ++worker) {
        threads.emplace_back([&share, &taken, worker] { taken[worker] = take_all(share, worker); });
      }
    }
    std::vector<WorkShare::Item> all;
    for (const std::vector<WorkShare::Item>& part : taken) {
      all.insert(all.end(), part.begin(), part.end());
    }
    std::sort(all.begin(), all.end());
    REQUIRE(all == items);
  }
}
