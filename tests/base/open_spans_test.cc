// SPDX-License-Identifier: MIT
#include "sim/base/open_spans.h"

#include <catch2/catch.hpp>

using gpusim::OpenSpans;

TEST_CASE("spans that overlap all count, those that are open up to the end of the run") {
  OpenSpans full;
  CHECK(full.cycles(100) == 0);
  full.begin(10);
  full.begin(12);
  CHECK(full.cycles(20) == 18);
  full.end(15);
  CHECK(full.any());
  CHECK(full.cycles(20) == 5 + 8);
  full.end(17);
  CHECK_FALSE(full.any());
  CHECK(full.cycles(20) == 5 + 5);
  CHECK(full.cycles(1000) == 5 + 5);
}

TEST_CASE("a single thing that holds already does not begin again") {
  OpenSpans full;
  full.hold(false, 3);
  full.hold(true, 10);
  full.hold(true, 12);
  CHECK(full.any());
  CHECK(full.cycles(13) == 3);
  full.hold(false, 15);
  full.hold(false, 16);
  CHECK_FALSE(full.any());
  full.hold(true, 20);
  full.hold(false, 21);
  CHECK(full.cycles(21) == 6);
}
