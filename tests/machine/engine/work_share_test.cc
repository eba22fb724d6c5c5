// SPDX-License-Identifier: MIT
#include "sim/machine/engine/work_share.h"

#include <algorithm>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

using namespace gpusim;
using engine::WorkShare;

namespace {

std::vector<msg::DomainId> take_all(WorkShare& share, unsigned worker) {
  std::vector<msg::DomainId> taken;
  for (msg::DomainId id = share.take(worker); id != WorkShare::kNone; id = share.take(worker)) {
    taken.push_back(id);
  }
  return taken;
}

}  // namespace

TEST_CASE("a worker takes its own share from the last domain on, then helps the next worker") {
  WorkShare share(2);
  const std::vector<msg::DomainId> domains{0, 1, 2, 3, 4};
  share.deal(domains);
  CHECK(take_all(share, 1) == std::vector<msg::DomainId>{3, 1, 4, 2, 0});
  CHECK(take_all(share, 0).empty());
}

TEST_CASE("a worker has the same domains first in every window") {
  WorkShare share(3);
  for (int window = 0; window < 3; ++window) {
    const std::vector<msg::DomainId> domains{2, 5, 6, 7, 11};
    share.deal(domains);
    CHECK(share.take(2) == 11);
    CHECK(share.take(1) == 7);
    CHECK(share.take(2) == 5);
    CHECK(take_all(share, 0) == std::vector<msg::DomainId>{6, 2});
  }
}

TEST_CASE("workers that take at the same time take every domain once, window after window") {
  constexpr unsigned kWorkers = 4;
  WorkShare share(kWorkers);
  std::vector<msg::DomainId> domains(200);
  std::generate(domains.begin(), domains.end(), [next = 0U]() mutable { return next++; });
  for (int window = 0; window < 50; ++window) {
    share.deal(domains);
    std::vector<std::vector<msg::DomainId>> taken(kWorkers);
    {
      std::vector<std::jthread> threads;
      for (unsigned worker = 0; worker < kWorkers; ++worker) {
        threads.emplace_back([&share, &taken, worker] { taken[worker] = take_all(share, worker); });
      }
    }
    std::vector<msg::DomainId> all;
    for (const std::vector<msg::DomainId>& part : taken) {
      all.insert(all.end(), part.begin(), part.end());
    }
    std::sort(all.begin(), all.end());
    REQUIRE(all == domains);
  }
}
