// SPDX-License-Identifier: MIT
#include "sim/output/report/json_parse.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/hash.h"
#include "sim/output/report/report.h"

#include "tests/output/report/sample.h"

namespace json_parse_test {

using namespace gpusim;
using nlohmann::ordered_json;
using report::JsonFinder;
using report::JsonParser;
using report::JsonValue;

namespace {

ordered_json tree_of(const JsonValue& value) {
  ordered_json tree;
  if (const auto object = report::object_of(value)) {
    tree = ordered_json::object();
    for (const auto& [key, member] : *object) {
      tree[std::string(key)] = tree_of(member);
    }
  } else if (const auto list = report::list_of(value)) {
    tree = ordered_json::array();
    for (const JsonValue item : *list) {
      tree.push_back(tree_of(item));
    }
  } else if (const auto text = report::text_of(value)) {
    tree = *text;
  } else if (const auto count = report::count_of(value)) {
    tree = *count;
  } else if (value.is_bool()) {
    tree = bool(value);
  } else if (!value.is_null()) {
    tree = double(value);
  }
  return tree;
}

}  // namespace

TEST_CASE("what is parsed is what the text says") {
  JsonParser parser;
  for (const std::string& text :
       {report::to_json(report::sample_result()), std::string("null"), std::string("true"), std::string("-5.5"),
        std::string("1e3"), std::string("18446744073709551615"), std::string("\"a\\u00e9\\n\""), std::string("[]"),
        std::string("{}"), std::string("[1,[2,{\"a\":[]}],3]"),
        std::string("{\"a\":{\"b\":1},\"c\":[{}],\"d\":null}")}) {
    INFO(text);
    const auto value = parser.parse(text);
    REQUIRE(value.has_value());
    CHECK(tree_of(*value) == ordered_json::parse(text));
  }
}

TEST_CASE("a whole number of 30 digits is a number, but not a count") {
  JsonParser parser;
  const auto value = parser.parse("[123456789012345678901234567890]");
  REQUIRE(value.has_value());
  CHECK(double(value->at(0)) == 123456789012345678901234567890.0);
  CHECK_FALSE(report::count_of(value->at(0)).has_value());
}

TEST_CASE("a text is parsed where it is JSON, and only there") {
  const std::string text = R"({"a": [1, -2.5e3, true, null], "b": {"c": "d\\\"", "e": []}})";
  const std::string bytes = "0123456789eE.-+\"{}[],:ntf \n\xff\\";
  JsonParser parser;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const std::uint64_t random = mix64(seed + 1);
    std::string damaged = text;
    damaged[random % damaged.size()] = bytes[(random >> 40U) % bytes.size()];
    damaged.resize(seed % 3 == 0 ? (random >> 20U) % damaged.size() : damaged.size());
    INFO(damaged);
    CHECK(parser.parse(damaged).has_value() == ordered_json::accept(damaged));
  }
}

TEST_CASE("a value is found by its path, in whatever order keys are asked for") {
  JsonParser parser;
  JsonFinder in(*parser.parse(R"({"a": 1, "b": {"a": 2, "c": {"d": 3}}, "c": {"d": 4}, "e": [5]})"));
  const auto found = [&in](std::string_view path) {
    const auto value = in.find(path);
    return value ? report::count_of(*value).value_or(99) : 0;
  };
  for (int round = 0; round < 2; ++round) {
    CHECK(found("b.c.d") == 3);
    CHECK(found("c.d") == 4);
    CHECK(found("b.a") == 2);
    CHECK(found("a") == 1);
    CHECK(found("e") == 99);
  }
  for (const std::string_view absent : {"d", "a.b", "b.c.e", "e.0", "b.d"}) {
    INFO(absent);
    CHECK_FALSE(in.find(absent).has_value());
  }
}

TEST_CASE("of a key that is there twice the first is found") {
  JsonParser parser;
  JsonFinder in(*parser.parse(R"({"a": 1, "b": 2, "a": 3})"));
  CHECK(report::count_of(in.find("a").value()) == 1);
}

}  // namespace json_parse_test
