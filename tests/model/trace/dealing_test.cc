// SPDX-License-Identifier: MIT
// Which tiles of causal attention a persistent kernel's CTAs take.
#include "sim/model/trace/dealing.h"

#include <catch2/catch.hpp>

namespace dealing_test {

using namespace gpusim::trace;

TEST_CASE("a tile has as many steps as its last row sees keys, and no more than there are") {
  // Two heads, of four blocks of 192 rows each, and steps of 128 keys: 768 rows see 6 steps, of which there are 5.
  const Dealing dealing{1, 2, 2, 4, 192, 128, 5};
  CHECK(dealing.steps(0) == 5);
  CHECK(dealing.steps(1) == 5);
  CHECK(dealing.steps(2) == 5);
  CHECK(dealing.steps(4) == 3);
  CHECK(dealing.steps(6) == 2);
  CHECK(dealing.steps(7) == 2);
}

TEST_CASE("rows that have keys before their own have more steps") {
  // Four blocks of 128 rows, 640 keys: 128 of them are before the first row's own.
  const Dealing dealing{1, 1, 1, 4, 128, 128, 5, 128};
  CHECK(dealing.steps(0) == 5);
  CHECK(dealing.steps(1) == 4);
  CHECK(dealing.steps(3) == 2);
}

TEST_CASE("the last section of heads has what is left of them") {
  const Dealing dealing{1, 3, 2, 2, 128, 128, 2};
  CHECK(dealing.steps(3) == 1);
  CHECK(dealing.steps(4) == 2);
  CHECK(dealing.steps(5) == 1);
}

TEST_CASE("the worker that is free first takes the next tile") {
  // One head of four blocks: tiles of 4, 3, 2 and 1 steps, each of which takes one more.
  const std::vector<std::uint32_t> entries = dealt({2, 1, 1, 4, 128, 128, 4});
  // Worker 0 takes tile 0 up to 5, and then the last; worker 1 takes tile 1 up to 4, and then tile 2.
  CHECK(entries == std::vector<std::uint32_t>{0, 2, 4, 0, 3, 1, 2, 0, 4, 0, 3});
}

TEST_CASE("a worker that comes too late has no tiles") {
  const std::vector<std::uint32_t> entries = dealt({3, 1, 1, 2, 128, 128, 2});
  CHECK(entries == std::vector<std::uint32_t>{0, 1, 2, 2, 0, 1, 0, 0});
}

}  // namespace dealing_test
