// SPDX-License-Identifier: MIT
#include "sim/machine/engine/crew.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/engine/worker.h"

using namespace gpusim;
using engine::Crew;

namespace {

std::vector<Crew::Item> items_up_to(Crew::Item count) {
  std::vector<Crew::Item> items(count);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

}  // namespace

TEST_CASE("a crew does every item once a run, for any number of threads") {
  const std::vector<Crew::Item> items = items_up_to(37);
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<std::atomic<int>> times(items.size());
    Crew crew(threads);
    for (int run = 1; run <= 300; ++run) {
      crew.run(items, [&times](Crew::Item id) { ++times[id]; });
      REQUIRE(std::all_of(times.begin(), times.end(), [run](const auto& n) { return n == run; }));
    }
  }
}

TEST_CASE("threads that sleep between runs wake for the next one") {
  const std::vector<Crew::Item> items = items_up_to(8);
  std::atomic<int> times = 0;
  Crew crew(3);
  for (int run = 1; run <= 3; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // long enough for the others to fall asleep
    crew.run(items, [&times](Crew::Item) { ++times; });
    REQUIRE(times == 8 * run);
  }
}

TEST_CASE("a run waits for an item that takes long, on whatever thread it is") {
  std::atomic<int> done = 0;
  Crew crew(2);
  crew.run(items_up_to(2), [&done](Crew::Item id) {
    if (id == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than a thread looks before it sleeps
    }
    ++done;
  });
  CHECK(done == 2);
}

TEST_CASE("the thread that asks has number 0, and every number is below that of the threads") {
  constexpr unsigned kThreads = 3;
  std::atomic<unsigned> highest = 0;
  Crew crew(kThreads);
  for (int run = 0; run < 100; ++run) {
    crew.run(items_up_to(50), [&highest](Crew::Item) {
      unsigned seen = highest;
      while (seen < engine::worker_index() && !highest.compare_exchange_weak(seen, engine::worker_index())) {
      }
    });
  }
  CHECK(highest < kThreads);
  CHECK(engine::worker_index() == 0);
}
