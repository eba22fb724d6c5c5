// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/scope.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

lab::Scope scope() {
  lab::Scope scope;
  scope.set_text("n", "65536");
  scope.set_text("type", "f32");
  return scope;
}

}  // namespace

TEST_CASE("braces in a sentence become values") {
  CHECK(scope().filled("{{n}} elements of {{type}}: {{ 4 * n }} bytes", "t") ==
        "65,536 elements of f32: 262,144 bytes");
  CHECK(scope().filled("`--param n={{n}}` of {{n}}:\n```\ngpusim --param n={{n}}\n```\n", "t") ==
        "`--param n=65536` of 65,536:\n```\ngpusim --param n=65536\n```\n");
  CHECK(scope().filled("no braces, {one}, {{ open", "t") == "no braces, {one}, {{ open");
}

TEST_CASE("braces in a file for programs become numbers to the last digit") {
  CHECK(scope().filled_exactly("bytes: {{16 * n}} B, half: {{n / 1000}}, {{type}}", "t") ==
        "bytes: 1048576 B, half: 65.536, f32");
}

TEST_CASE("braces around something unknown are refused") {
  CHECK_THROWS_WITH(scope().filled("{{m}}", "text.yaml"), Contains("text.yaml: 'm' has no value"));
  CHECK_THROWS_WITH(scope().filled("{{n +}}", "text.yaml"), Contains("text.yaml"));
  CHECK_THROWS_WITH(scope().filled("{{type + 1}}", "text.yaml"), Contains("'type' is not a number"));
}

TEST_CASE("a value of a run is a formula of known names, or stays as it is") {
  CHECK(scope().resolved("n / 4") == "16384");
  CHECK(scope().resolved("type") == "f32");
  CHECK(scope().resolved("aos") == "aos");
  CHECK(scope().resolved("4.8TB/s") == "4.8TB/s");
  CHECK(scope().resolved("8") == "8");
}

TEST_CASE("names that a scope lacks are looked up") {
  lab::Scope with = scope();
  with.set_lookup([](std::string_view name) {
    return name == "student.time_us" ? std::optional<lab::Scope::Value>(2.5) : std::nullopt;
  });
  CHECK(with.filled("{{student.time_us}} us", "t") == "2.5 us");
  CHECK_THROWS(with.filled("{{other.time_us}} us", "t"));
}

TEST_CASE("numbers are shown as people read them") {
  CHECK(lab::number_text(1048576) == "1,048,576");
  CHECK(lab::number_text(4.25) == "4.25");
  CHECK(lab::number_text(-3) == "-3");
  CHECK(lab::number_text(1.125) == "1.125");
  CHECK(lab::number_text(0.0123456) == "0.0123");
  CHECK(lab::number_text(27.348) == "27.3");
  CHECK(lab::number_text(999.44) == "999");
  CHECK(lab::number_text(999.9) == "1,000");
  CHECK(lab::number_text(1541.6) == "1,542");
  CHECK(lab::number_text(123456.7) == "123,457");
  CHECK(lab::number_text(1.0 / 0.0) == "no number");
}
