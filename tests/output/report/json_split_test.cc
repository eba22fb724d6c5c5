// SPDX-License-Identifier: MIT
#include "sim/output/report/json_split.h"

#include <catch2/catch.hpp>

namespace json_split_test {

using gpusim::report::split_kernels;
using gpusim::report::SplitText;
using Parts = std::vector<std::string_view>;

TEST_CASE("kernels are taken out of a result's text, and null stands in their place") {
  const SplitText split = split_kernels(R"({"a": [1], "kernels" : [ {"x": [{}]}, {"y": 2} ], "b": {"c": 3}})");
  CHECK(split.rest == R"({"a": [1], "kernels" : [ null, null ], "b": {"c": 3}})");
  CHECK(split.kernels == Parts{R"({"x": [{}]})", R"({"y": 2})"});
  CHECK(split.depth == 5);
}

TEST_CASE("brackets and quotes within strings are text") {
  const SplitText split = split_kernels(R"({"kernels": [{"name": "}]\"[{"}], "\"kernels": [5]})");
  CHECK(split.kernels.size() <= 1);
  const SplitText plain = split_kernels(R"({"kernels": [{"name": "}]\"[{"}]})");
  CHECK(plain.kernels == Parts{R"({"name": "}]\"[{"})"});
  CHECK(plain.rest == R"({"kernels": [null]})");
  const SplitText backslashes = split_kernels(R"({"kernels": [{"a\\": "\\\"}", "b": "\\"}, {"c\\\\": 1}]})");
  CHECK(backslashes.kernels == Parts{R"({"a\\": "\\\"}", "b": "\\"})", R"({"c\\\\": 1})"});
}

TEST_CASE("a text whose list of kernels is not what it should be stays whole") {
  for (const std::string_view text :
       {R"({"kernels": [1, {}]})", R"({"kernels": [{}, 1]})", R"({"kernels": [{} x]})", R"({"kernels": []})",
        R"({"kernels": [{}], "kernels": [{}]})", R"({"kernels": 5})", R"({"a": {"kernels": [{}]}})", "", "]]]"}) {
    INFO(text);
    CHECK(split_kernels(text).rest == text);
    CHECK(split_kernels(text).kernels.empty());
  }
}

TEST_CASE("what separates kernels is left for the parser to judge") {
  CHECK(split_kernels(R"({"kernels": [{} {}]})").rest == R"({"kernels": [null null]})");
  CHECK(split_kernels(R"({"kernels": [{},,{}]})").rest == R"({"kernels": [null,,null]})");
  CHECK(split_kernels(R"({"kernels": [{}, {"cut": )").rest == R"({"kernels": [null, {"cut": )");
}

}  // namespace json_split_test
