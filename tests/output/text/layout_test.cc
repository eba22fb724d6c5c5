// SPDX-License-Identifier: MIT
#include "sim/output/text/layout.h"

#include <string>

#include <catch2/catch.hpp>

using gpusim::layout::wrapped;

TEST_CASE("words fill lines up to the width, and no line is wider") {
  CHECK(wrapped("one two three", 2, 9) == "  one two\n  three\n");
  CHECK(wrapped("one two three", 0, 100) == "one two three\n");
  CHECK(wrapped("immeasurable", 0, 5) == "immeasurable\n");
  CHECK(wrapped("", 4, 20).empty());
}

TEST_CASE("a number stays on the line of its unit") {
  CHECK(wrapped("busy 64 % of", 0, 7) == "busy\n64 % of\n");
  CHECK(wrapped("reach 3.35 TB/s, or", 0, 10) == "reach\n3.35 TB/s,\nor\n");
  CHECK(wrapped("after 2.38 us.", 0, 12) == "after\n2.38 us.\n");
  CHECK(wrapped("of (32 KiB) a", 0, 6) == "of\n(32 KiB)\na\n");
  CHECK(wrapped("takes 989 TFLOP/s", 0, 10) == "takes\n989 TFLOP/s\n");
}

TEST_CASE("a number before another word is parted from it where the line ends") {
  CHECK(wrapped("of 12 SMs", 0, 6) == "of 12\nSMs\n");
  CHECK(wrapped("line 12 %x", 0, 8) == "line 12\n%x\n");
  CHECK(wrapped("a % b", 0, 3) == "a %\nb\n");
  CHECK(wrapped("at 7 ", 0, 4) == "at 7\n");
}
