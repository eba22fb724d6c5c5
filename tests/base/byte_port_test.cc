// SPDX-License-Identifier: MIT
#include "sim/base/byte_port.h"

#include <catch2/catch.hpp>

using gpusim::BytePort;

TEST_CASE("a port counts what passes it, what that takes, and what waited") {
  BytePort port(64);
  CHECK(port.pass(10, 128) == 10);
  CHECK(port.pass(10, 32) == 12);
  CHECK(port.pass(11, 32) == 12);
  CHECK(port.pass(100, 1) == 100);
  CHECK(port.bytes() == 193);
  CHECK(port.busy_cycles(101) == 4);
  CHECK(port.wait_cycles() == 3);
}

TEST_CASE("a port that is taken beyond the end was busy up to there") {
  BytePort port(32);
  port.take(0, 320);
  CHECK(port.busy_cycles(4) == 4);
  CHECK(port.busy_cycles(10) == 10);
  CHECK(port.busy_cycles(20) == 10);
}

TEST_CASE("a port that is taken where it is free counts its bytes alone") {
  BytePort port(32);
  CHECK(port.is_free(5));
  port.take(5, 96);
  CHECK_FALSE(port.is_free(7));
  CHECK(port.free_at(6) == 8);
  CHECK(port.busy_cycles(8) == 3);
  CHECK(port.wait_cycles() == 0);
}
