// SPDX-License-Identifier: MIT
#include "sim/code/array/fill.h"

#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace fill_test {

using namespace gpusim;
using namespace gpusim::array;
using Catch::Contains;

namespace {

std::string filled(const std::string& text, Element element, std::uint64_t count, std::uint64_t seed = 0) {
  std::string bytes(count * bytes_of(element), '\0');
  fill_elements(parse_fill(text, {}), element, count, seed, {"--arg x", 0, 0}, bytes.data());
  return bytes;
}

std::vector<double> values(const std::string& text, Element element, std::uint64_t count, std::uint64_t seed = 0) {
  const std::string bytes = filled(text, element, count, seed);
  std::vector<double> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    out.push_back(decode(element, bytes.data() + i * bytes_of(element)));
  }
  return out;
}

std::string error_of(const std::string& text, Element element = Element::kI32) {
  try {
    static_cast<void>(filled(text, element, 4));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("patterns fill with what they say") {
  CHECK(values("zeros", Element::kF32, 3) == std::vector<double>{0, 0, 0});
  CHECK(values("ones", Element::kF16, 2) == std::vector<double>{1, 1});
  CHECK(values("-2.5", Element::kF64, 2) == std::vector<double>{-2.5, -2.5});
  CHECK(values("iota", Element::kI32, 4) == std::vector<double>{0, 1, 2, 3});
  CHECK(values("iota(5, -2)", Element::kI16, 3) == std::vector<double>{5, 3, 1});
  CHECK(values(" iota( 0 , 0.5 ) ", Element::kF32, 3) == std::vector<double>{0, 0.5, 1});
}

TEST_CASE("random numbers are the same for the same seed, and others for another") {
  CHECK(filled("random", Element::kF32, 100, 1) == filled("random", Element::kF32, 100, 1));
  CHECK(filled("random", Element::kF32, 100, 1) != filled("random", Element::kF32, 100, 2));
  CHECK(filled("uniform(0, 1, seed=2)", Element::kF32, 100, 1) == filled("random", Element::kF32, 100, 2));
  CHECK(filled("normal(0, 1, seed=7)", Element::kF32, 10, 1) == filled("normal(0, 1, seed=7)", Element::kF32, 10, 2));
}

TEST_CASE("random numbers are the same bytes on every machine") {
  CHECK(values("uniform(0, 1, seed=1)", Element::kF64, 2) ==
        std::vector<double>{0x1.b9c847f90581ap-1, 0x1.7906ac21d0e58p-2});
  CHECK(values("normal(0, 1, seed=1)", Element::kF64, 2) ==
        std::vector<double>{0x1.15704ac7e287ep+0, -0x1.f61f75a05bd9cp-1});
}

TEST_CASE("uniform numbers stay in their range and fill it evenly") {
  const std::vector<double> floats = values("uniform(-1, 3, seed=5)", Element::kF32, 20000);
  double sum = 0;
  for (const double value : floats) {
    REQUIRE((value >= -1 && value < 3));
    sum += value;
  }
  CHECK(std::fabs(sum / 20000 - 1) < 0.05);
  std::vector<int> counts(6);
  for (const double value : values("uniform(-2, 4, seed=5)", Element::kI8, 12000)) {
    REQUIRE((value >= -2 && value < 4));
    ++counts[static_cast<std::size_t>(value + 2)];
  }
  for (const int count : counts) {
    CHECK(std::abs(count - 2000) < 250);
  }
}

TEST_CASE("normal numbers have their mean, deviation and tails") {
  const std::vector<double> all = values("normal(10, 2, seed=3)", Element::kF64, 40000);
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  for (const double value : all) {
    sum += value - 10;
    squares += (value - 10) * (value - 10);
    beyond_two += std::fabs(value - 10) > 4 ? 1 : 0;
  }
  CHECK(std::fabs(sum / 40000) < 0.05);
  CHECK(std::fabs(squares / 40000 - 4) < 0.1);
  CHECK(std::fabs(beyond_two / 40000.0 - 0.0455) < 0.005);
}

TEST_CASE("a fill that makes no sense is refused with what does") {
  CHECK_THAT(error_of("zeroes"), Contains("unknown fill 'zeroes' (did you mean 'zeros'?)"));
  CHECK_THAT(error_of("wave"), Contains("expected zeros, ones, a number"));
  CHECK_THAT(error_of("iota(1"), Contains("the '(' of 'iota(1' is not closed"));
  CHECK_THAT(error_of("uniform(2, 1)"), Contains("has no numbers (the first must be below the second)"));
  CHECK_THAT(error_of("uniform(1)"), Contains("has the wrong arguments"));
  CHECK_THAT(error_of("iota(seed=3)"), Contains("has the wrong arguments"));
  CHECK_THAT(error_of("random(seed=x)"), Contains("'seed=x' is not a seed (such as seed=7)"));
  CHECK_THAT(error_of("uniform(0, 0.5)"), Contains("needs whole numbers"));
  CHECK_THAT(error_of("2.5"), Contains("--arg x: 2.500000 is not a number of type i32"));
  CHECK_THAT(error_of("300", Element::kU8), Contains("300 is not a number of type u8"));
  CHECK_THAT(error_of("iota(254, 1)", Element::kU8), Contains("256 is not a number of type u8"));
}

}  // namespace fill_test
