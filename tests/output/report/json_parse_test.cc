// SPDX-License-Identifier: MIT
#include "sim/output/report/json_parse.h"

#include <string>

#include <catch2/catch.hpp>

#include "sim/base/hash.h"
#include "sim/output/report/report.h"

#include "tests/output/report/sample.h"

namespace json_parse_test {

using namespace gpusim;
using nlohmann::ordered_json;

TEST_CASE("a tree is the one that the library makes") {
  const std::string text = report::to_json(report::sample_result());
  CHECK(report::parse_tree(text) == ordered_json::parse(text));
  for (const std::string small : {"null", "true", "-5", "1e3", "\"a\\u00e9\\n\"", "[]", "{}", "[1,[2,{\"a\":[]}],3]",
                                  "{\"a\":{\"b\":1},\"c\":[{}],\"d\":null}"}) {
    INFO(small);
    CHECK(report::parse_tree(small) == ordered_json::parse(small));
  }
}

TEST_CASE("a text is refused where the library refuses it") {
  const std::string text = R"({"a": [1, -2.5e3, true, null], "b": {"c": "d\\\"", "e": []}})";
  const std::string bytes = "0123456789eE.-+\"{}[],:ntf \n\xff\\";
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const std::uint64_t random = mix64(seed + 1);
    std::string damaged = text;
    damaged[random % damaged.size()] = bytes[(random >> 40U) % bytes.size()];
    damaged.resize(seed % 3 == 0 ? (random >> 20U) % damaged.size() : damaged.size());
    INFO(damaged);
    CHECK(report::parse_tree(damaged).has_value() == ordered_json::accept(damaged));
  }
}

TEST_CASE("of a key that is there twice the first is found") {
  const auto tree = report::parse_tree(R"({"a": 1, "b": 2, "a": 3})");
  REQUIRE(tree.has_value());
  CHECK(tree->find("a").value() == 1);
}

}  // namespace json_parse_test
