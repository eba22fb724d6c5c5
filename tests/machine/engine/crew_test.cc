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

std::vector<msg::DomainId> domains_up_to(msg::DomainId count) {
  std::vector<msg::DomainId> domains(count);
  std::iota(domains.begin(), domains.end(), 0);
  return domains;
}

}  // namespace

TEST_CASE("a crew works on every domain once a window, for any number of threads") {
  const std::vector<msg::DomainId> domains = domains_up_to(37);
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<std::atomic<int>> times(domains.size());
    Crew crew(threads, [&times](msg::DomainId id) { ++times[id]; });
    for (int window = 1; window <= 300; ++window) {
      crew.run(domains);
      REQUIRE(std::all_of(times.begin(), times.end(), [window](const auto& n) { return n == window; }));
    }
  }
}

TEST_CASE("threads that sleep between windows wake for the next one") {
  const std::vector<msg::DomainId> domains = domains_up_to(8);
  std::atomic<int> times = 0;
  Crew crew(3, [&times](msg::DomainId) { ++times; });
  for (int window = 1; window <= 3; ++window) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // long enough for the others to fall asleep
    crew.run(domains);
    REQUIRE(times == 8 * window);
  }
}

TEST_CASE("a window waits for a domain that takes long, on whatever thread it is") {
  std::atomic<int> done = 0;
  Crew crew(2, [&done](msg::DomainId id) {
    if (id == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than a thread looks before it sleeps
    }
    ++done;
  });
  crew.run(domains_up_to(2));
  CHECK(done == 2);
}

TEST_CASE("the thread that asks has number 0, and every number is below that of the threads") {
  constexpr unsigned kThreads = 3;
  std::atomic<unsigned> highest = 0;
  Crew crew(kThreads, [&highest](msg::DomainId) {
    unsigned seen = highest;
    while (seen < engine::worker_index() && !highest.compare_exchange_weak(seen, engine::worker_index())) {
    }
  });
  for (int window = 0; window < 100; ++window) {
    crew.run(domains_up_to(50));
  }
  CHECK(highest < kThreads);
  CHECK(engine::worker_index() == 0);
}
