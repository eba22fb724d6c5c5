// SPDX-License-Identifier: MIT
// Walks through all calls of a list.
#include "sim/system/application/each_call.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/system/application/loader.h"

namespace each_call_test {

using namespace gpusim::application;

namespace {

/// Works a to d, of which b is repeated within a range, and c stands in a range within a repetition.
Calls nested_calls() {
  return parse_application(
             "threads: {main: [work: {time: 1 us, name: a},\n"
             "  range: {name: r, calls: [repeat: {times: 5, calls: [work: {time: 1 us, name: b}]}]},\n"
             "  repeat: {times: 2, calls: [range: {name: s, calls: [work: {time: 1 us, name: c}]}]},\n"
             "  work: {time: 1 us, name: d}]}\n",
             "step.yaml")
      .bodies.front();
}

bool is_work(const Call& call, const std::string& name) {
  const auto* const work = std::get_if<Work>(&call.is);
  return work != nullptr && work->name == name;
}

}  // namespace

TEST_CASE("calls in repetitions and ranges are visited once, in their order, and those two are not") {
  std::vector<std::string> names;
  for_each_call(nested_calls(), [&names](const Call& call) { names.push_back(std::get<Work>(call.is).name); });
  CHECK(names == std::vector<std::string>{"a", "b", "c", "d"});
}

TEST_CASE("a call is found in a repetition within a range, and the other way about") {
  const auto has = [](const std::string& name) {
    return any_call(nested_calls(), [&name](const Call& call) { return is_work(call, name); });
  };
  CHECK(has("b"));
  CHECK(has("c"));
  CHECK_FALSE(has("e"));
}

TEST_CASE("repetitions and ranges have a body, which may be changed, and other calls have none") {
  Calls calls = nested_calls();
  CHECK(body_of(calls.at(0)) == nullptr);
  Calls* const body = body_of(calls.at(1));
  REQUIRE(body != nullptr);
  body->clear();
  CHECK(std::get<Range>(calls.at(1).is).body.empty());
}

}  // namespace each_call_test
