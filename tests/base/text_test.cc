// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <limits>

#include <catch2/catch.hpp>

using namespace gpusim;

TEST_CASE("numbers are added to a text to their last digit, the largest and the smallest too") {
  std::string text = "[";
  append_number(text, std::numeric_limits<std::uint64_t>::max());
  text += ',';
  append_number(text, std::numeric_limits<std::int64_t>::min());
  text += ',';
  append_number(text, std::int64_t{0});
  CHECK(text == "[18446744073709551615,-9223372036854775808,0");
}
