// SPDX-License-Identifier: MIT
#include "sim/exec/async/mbarrier.h"

#include <catch2/catch.hpp>

using namespace gpusim::exec;

namespace {

/// What ptxas 13.0 has the kernel write for mbarrier.init with so many arrivals.
std::uint64_t first_state(std::uint32_t arrivals) {
  const std::uint32_t negative = 0x100000U - arrivals;
  return std::uint64_t{negative << 11U} << 32U | negative << 1U;
}

}  // namespace

TEST_CASE("an mbarrier's state survives being read and written") {
  for (const std::uint32_t arrivals : {1U, 2U, 128U, 0xfffffU}) {
    CHECK(Mbarrier(first_state(arrivals)).state() == first_state(arrivals));
  }
}

TEST_CASE("the last arrival ends the phase, and the next one needs as many") {
  Mbarrier barrier(first_state(3));
  barrier.arrive(1);
  barrier.arrive(1);
  CHECK_FALSE(barrier.phase());
  barrier.arrive(1);
  CHECK(barrier.phase());
  barrier.arrive(2);
  CHECK(barrier.phase());
  barrier.arrive(1);
  CHECK_FALSE(barrier.phase());
  CHECK(barrier.state() == first_state(3));
}

TEST_CASE("a phase waits for its bytes, whether they come before or after the arrival") {
  Mbarrier late(first_state(1));
  late.arrive_and_expect(4096);
  late = Mbarrier(late.state());
  CHECK_FALSE(late.phase());
  late.expect(-4096);
  CHECK(late.phase());

  Mbarrier early(first_state(1));
  early.expect(-4096);
  early = Mbarrier(early.state());
  CHECK_FALSE(early.phase());
  early.arrive_and_expect(4096);
  CHECK(early.phase());
}

TEST_CASE("a thread that drops out is missed from the next phase on") {
  Mbarrier barrier(first_state(2));
  barrier.drop();
  barrier.arrive(1);
  CHECK_FALSE(barrier.phase());
  barrier.arrive(1);
  CHECK(barrier.phase());
  barrier.arrive(1);
  CHECK_FALSE(barrier.phase());
}
