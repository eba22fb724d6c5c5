// SPDX-License-Identifier: MIT
#include "sim/base/pattern.h"

#include <string>

#include <catch2/catch.hpp>

namespace gpusim {
namespace {

TEST_CASE("a pattern is found anywhere in a text, unless it is anchored") {
  CHECK(Pattern("gemm").is_in("fp16_gemm_nt"));
  CHECK(Pattern("^fp16").is_in("fp16_gemm_nt"));
  CHECK_FALSE(Pattern("^gemm$").is_in("fp16_gemm_nt"));
}

TEST_CASE("an empty pattern is in every text") {
  CHECK(Pattern("").is_in("kernel"));
}

TEST_CASE("what is not a regular expression is refused with the reason") {
  CHECK_THROWS_WITH(Pattern("(a"), Catch::Contains("missing"));
}

TEST_CASE("brackets that are nested by the thousand do not exhaust the stack") {
  CHECK(Pattern(std::string(4'999, '(') + "a" + std::string(4'999, ')')).is_in("bab"));
}

TEST_CASE("an expression of absurd length is refused") {
  CHECK_THROWS_WITH(Pattern(std::string(10'001, 'a')), Catch::Contains("longer than 10000"));
}

TEST_CASE("nested repetitions take no more time than others") {
  // A search that tries every split of the text would not end in a lifetime.
  CHECK_FALSE(Pattern("(a+)+$b").is_in(std::string(100'000, 'a') + "c"));
}

TEST_CASE("a text is searched to its end, zero bytes included") {
  CHECK(Pattern("z$").is_in(std::string("a\0b", 3) + std::string(5'000, 'y') + "z"));
}

}  // namespace
}  // namespace gpusim
