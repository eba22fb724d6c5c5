// SPDX-License-Identifier: MIT
#include "sim/output/report/json_plain.h"

#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/hash.h"
#include "sim/output/report/report.h"

#include "tests/output/report/sample.h"

using namespace gpusim;
using nlohmann::ordered_json;

namespace {

/// Writes down what a parser calls.
struct Calls {
  bool note(const std::string& call) {
    log += call + "\n";
    return true;
  }
  bool null() { return note("null"); }
  bool boolean(bool value) { return note(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return note("integer " + std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return note("unsigned " + std::to_string(value)); }
  bool number_float(double value, const std::string& /*text*/) { return note("float " + ordered_json(value).dump()); }
  bool string(const std::string& value) { return note("text " + value); }
  bool binary(ordered_json::binary_t& /*value*/) { return false; }
  bool key(const std::string& value) { return note("key " + value); }
  bool start_object(std::size_t /*size*/) { return note("{"); }
  bool start_array(std::size_t /*size*/) { return note("["); }
  bool end_object() { return note("}"); }
  bool end_array() { return note("]"); }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const nlohmann::detail::exception& /*error*/) {
    return false;
  }
  std::string log;
};

std::optional<std::string> plain_calls(std::string_view text) {
  Calls calls;
  return report::PlainJson(text, calls).parse() ? std::optional(calls.log) : std::nullopt;
}

std::optional<std::string> library_calls(std::string_view text) {
  Calls calls;
  return ordered_json::sax_parse(text, &calls) ? std::optional(calls.log) : std::nullopt;
}

}  // namespace

TEST_CASE("a saved result is plain JSON, and makes the calls that the library makes of it") {
  const std::string text = report::to_json(report::sample_result());
  REQUIRE(plain_calls(text).has_value());
  CHECK(plain_calls(text) == library_calls(text));
}

TEST_CASE("each kind of plain value makes the calls that the library makes of it") {
  for (const std::string_view text :
       {"null", "true", "false", "0", "-0", "18446744073709551615", "-9223372036854775808", "0.1", "-2.5e3", "1E+2",
        "1e-7", "\"\"", "\"a text\"", "[]", "{}", " { \"a\" : [ 1 , 2.50 , { } ] ,\n\"b\" : \"c\" } "}) {
    INFO(text);
    REQUIRE(plain_calls(text).has_value());
    CHECK(plain_calls(text) == library_calls(text));
  }
}

TEST_CASE("what is not plain is left to the library") {
  for (const std::string_view text :
       {"\"a\\n\"", "\"\xc3\xa9\"", "18446744073709551616", "1e999", "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]"}) {
    INFO(text);
    CHECK(!plain_calls(text).has_value());
  }
}

TEST_CASE("no damaged text is plain JSON that is none to the library") {
  const std::string text = R"({"a": [1, -2.5e3, 10, true, null], "bb": {"ccc": "d", "eeee": []}, "f": [{}, false]})";
  const std::string bytes("0123456789eE.-+\"{}[],:ntf \n\0\xff\\", 30);
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const std::uint64_t random = mix64(seed + 1);
    std::string damaged = text;
    damaged[random % damaged.size()] = bytes[(random >> 40U) % bytes.size()];
    damaged.resize(seed % 3 == 0 ? (random >> 20U) % damaged.size() : damaged.size());
    damaged.append(seed % 5 == 0 ? 1 : 0, bytes[(random >> 50U) % bytes.size()]);
    if (const auto calls = plain_calls(damaged)) {
      ++accepted;
      INFO(damaged);
      CHECK(calls == library_calls(damaged));
    }
  }
  CHECK(accepted > 1000);
}
