// SPDX-License-Identifier: MIT
// Requests that wait behind a slice's tags: their order, when they move, and what is counted.
#include "sim/machine/mem/l2/stalled_requests.h"

#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

using namespace gpusim;
using namespace gpusim::mem::l2;

namespace {

Request request(msg::Kind kind, std::uint64_t line) {
  return {is_from_mirror(kind) ? msg::make(kind, msg::FarAccess{}, 1) : msg::make(kind, msg::SmAccess{}, 1), line};
}

struct Bench {
  void push(msg::Kind kind, std::uint64_t line, Need need, Cycle now) { stalled.push(request(kind, line), need, now); }
  /// Resumes with places of every kind but `missing`; the lines of those that move.
  std::vector<std::uint64_t> resume(Cycle now, Need missing = Need::kNothing) {
    std::vector<std::uint64_t> moved;
    stalled.resume(
        now, [missing](Need need) { return need == Need::kNothing || need != missing; },
        [&moved](const Request& one) {
          moved.push_back(one.slice_line);
          return Need::kNothing;
        });
    return moved;
  }
  bool wake(Cycle now) {
    return stalled.wake(now, [](Need) { return true; });
  }

  Calendar calendar;
  StalledRequests stalled{calendar, 0};
};

}  // namespace

TEST_CASE("the first stalled request of each origin moves in a cycle, the mirror's whether or not an SM's can") {
  Bench bench;
  bench.push(msg::Kind::kRead, 1, Need::kCopyMshr, 10);
  bench.push(msg::Kind::kRead, 2, Need::kNothing, 11);
  bench.push(msg::Kind::kFarRead, 3, Need::kHomeMshr, 12);
  CHECK(bench.stalled.size() == 3);
  CHECK(bench.resume(20, Need::kCopyMshr) == std::vector<std::uint64_t>{3});
  CHECK(bench.resume(21) == std::vector<std::uint64_t>{1});
  CHECK(bench.resume(22) == std::vector<std::uint64_t>{2});
  CHECK(bench.stalled.size() == 0);
}

TEST_CASE("stalled requests do not move twice in a cycle") {
  Bench bench;
  CHECK_FALSE(bench.wake(9));  // there is none
  bench.push(msg::Kind::kRead, 1, Need::kHomeMshr, 10);
  bench.push(msg::Kind::kRead, 2, Need::kNothing, 10);
  CHECK(bench.wake(20));
  bench.resume(20);
  CHECK_FALSE(bench.wake(20));  // a kResume of the next cycle does it
  CHECK_FALSE(bench.wake(21));
  bench.resume(21);
  CHECK(bench.stalled.size() == 0);
}

TEST_CASE("cycles with stalled requests are counted, and by what the first of an origin lacks") {
  Bench bench;
  bench.push(msg::Kind::kWrite, 1, Need::kFarWrite, 10);
  bench.push(msg::Kind::kFarWrite, 2, Need::kWritePlace, 15);
  bench.resume(30, Need::kWritePlace);  // the SM's goes
  bench.resume(45);
  stats::NocCounters counters;
  bench.stalled.add_to(counters, 100);
  CHECK(counters.slice_request_stall_cycles == 35);
  CHECK(counters.link_stall_cycles == 20);
  CHECK(counters.dram_stall_cycles == 30);
}
