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

TEST_CASE("a number with a suffix of thousands is told as an integer") {
  CHECK(integers_only("1M") == "integers only, such as 1048576 or 1000000 for 1M");
  CHECK(integers_only("4k") == "integers only, such as 4096 or 4000 for 4k");
  CHECK(integers_only("1e6") == "integers only, such as 8192");
  CHECK(integers_only("99999999999G") == "integers only, such as 8192");
  CHECK(integers_only("M", "decimal") == "integers only, decimal");
}

TEST_CASE(
    "a cell of CSV is in quotes only where a reader would take it for more than one, and its quotes are doubled") {
  CHECK(csv_cell("").empty());
  CHECK(csv_cell("add f32; a = b") == "add f32; a = b");
  CHECK(csv_cell("a,b") == "\"a,b\"");
  CHECK(csv_cell("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(csv_cell("two\nlines") == "\"two\nlines\"");
  CHECK(csv_cell("old\rend") == "\"old\rend\"");
}
