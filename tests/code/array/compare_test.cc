// SPDX-License-Identifier: MIT
#include "sim/code/array/compare.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace compare_test {

using namespace gpusim::array;

namespace {

/// Elements that keep their bytes.
struct Elements {
  Elements(Element type, const std::vector<Number>& numbers) : element(type) {
    for (const Number& number : numbers) {
      bytes.resize(bytes.size() + bytes_of(type));
      put_bits(bytes.data() + bytes.size() - bytes_of(type), encode(type, number).value(), bytes_of(type));
    }
  }
  [[nodiscard]] View view() const { return {element, bytes.size() / bytes_of(element), bytes.data()}; }
  Element element;
  std::string bytes;
};

Elements floats(const std::vector<double>& numbers, Element type = Element::kF32) {
  std::vector<Number> all;
  for (const double number : numbers) {
    all.push_back(real(number));
  }
  return {type, all};
}

}  // namespace

TEST_CASE("a comparison names the first mismatch, how many there are, and the worst error") {
  const Elements actual = floats({1, 2.5, 3, 4.5});
  const Elements expected = floats({1, 2, 3, 3});
  const Comparison found = compare(actual.view(), expected.view(), 1e-5);
  CHECK(found.mismatches == 2);
  CHECK(found.first == 1);
  CHECK(found.worst == 0.5);
  CHECK(found.worst_at == 3);
  CHECK(to_text(found, 1e-5) ==
        "2 of 4 elements differ: the first at [1] is 2.5 instead of 2, the worst error is 0.5 at [3] (allowed: 1e-05)");
}

TEST_CASE("errors are relative above one, and absolute below") {
  CHECK(compare(floats({1000.5}).view(), floats({1000}).view(), 0.001).mismatches == 0);
  CHECK(compare(floats({1000.5}).view(), floats({1000}).view(), 0.0001).mismatches == 1);
  CHECK(compare(floats({0.0005}).view(), floats({0}).view(), 0.001).mismatches == 0);
}

TEST_CASE("NaN matches NaN alone, and infinity its like") {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(compare(floats({nan, infinity}).view(), floats({nan, infinity}).view(), 0).mismatches == 0);
  const Comparison found = compare(floats({nan, infinity, 1}).view(), floats({1, -infinity, nan}).view(), 1e9);
  CHECK(found.mismatches == 3);
  CHECK(std::isinf(found.worst));
}

TEST_CASE("a reference may be of a wider type") {
  CHECK(compare(floats({0.1}).view(), floats({0.1}, Element::kF64).view(), 1e-6).mismatches == 0);
  CHECK(compare(floats({0.1}).view(), floats({0.1}, Element::kF64).view(), 0).mismatches == 1);
  CHECK(compare(Elements(Element::kI32, {whole(7)}).view(), Elements(Element::kI64, {whole(7)}).view(), 0).mismatches ==
        0);
}

TEST_CASE("large integers that are the same double still differ") {
  const Elements actual(Element::kI64, {whole((std::int64_t{1} << 60) + 1)});
  const Elements expected(Element::kI64, {whole(std::int64_t{1} << 60)});
  CHECK(compare(actual.view(), expected.view(), 0).mismatches == 1);
  CHECK(to_text(compare(actual.view(), actual.view(), 0), 0) == "1 element as expected, all exactly");
}

}  // namespace compare_test
