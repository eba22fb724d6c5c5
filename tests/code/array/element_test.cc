// SPDX-License-Identifier: MIT
#include "sim/code/array/element.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "sim/code/array/small_float.h"

namespace element_test {

using namespace gpusim::array;
using Catch::Contains;

namespace {

/// The element that a number becomes, read again.
double round_trip(Element element, double value) {
  char bytes[8] = {};
  put_bits(bytes, encode(element, real(value)).value(), bytes_of(element));
  return decode(element, bytes);
}

std::uint64_t bits(Element element, double value) {
  return encode(element, real(value)).value();
}

}  // namespace

TEST_CASE("a type of elements has the names of CUDA, Triton and NumPy") {
  for (const char* const name : {"f32", "float", "fp32", "float32"}) {
    CHECK(find_element(name) == Element::kF32);
  }
  CHECK(find_element("unsigned int") == Element::kU32);
  CHECK(find_element("__half") == Element::kF16);
  CHECK_FALSE(find_element("f33"));
  CHECK(element_suggestion("f33") == "did you mean 'f32'?");
  CHECK_THAT(element_suggestion("quaternion"), Contains("known: bool, i8"));
}

TEST_CASE("numbers become half precision with rounding to nearest, ties to even") {
  CHECK(bits(Element::kF16, 1.0) == 0x3c00);
  CHECK(bits(Element::kF16, -2.0) == 0xc000);
  CHECK(bits(Element::kF16, 2049.0) == 0x6800);  // between 2048 and 2050: the even one
  CHECK(bits(Element::kF16, 2051.0) == 0x6802);
  CHECK(bits(Element::kF16, 65504.0) == 0x7bff);
  CHECK(bits(Element::kF16, 65519.9) == 0x7bff);
  CHECK(bits(Element::kF16, 65520.0) == 0x7c00);  // infinity
  CHECK(bits(Element::kF16, 0x1p-24) == 1);       // the smallest
  CHECK(bits(Element::kF16, 0x1p-25) == 0);
  CHECK(bits(Element::kF16, 0x1.8p-25) == 1);
  CHECK(bits(Element::kF16, 0x1.ff8p-15) == 0x3ff);
  CHECK(bits(Element::kF16, 0x1.ffcp-15) == 0x400);  // rounds up to the least normal one
}

TEST_CASE("the other small types have their own ranges") {
  CHECK(bits(Element::kBF16, 1.0) == 0x3f80);
  CHECK(bits(Element::kBF16, 3.0e38) == 0x7f62);
  CHECK(bits(Element::kF8E5M2, 57344.0) == 0x7b);
  CHECK(bits(Element::kF8E5M2, 1e9) == 0x7c);
  CHECK(bits(Element::kF8E4M3, 448.0) == 0x7e);
  CHECK(bits(Element::kF8E4M3, 1e9) == 0x7f);  // it has no infinity
  CHECK(bits(Element::kF8E4M3, -0x1p-9) == 0x81);
}

TEST_CASE("every number of a small type is read and written as the same bits") {
  for (const Element element : {Element::kF16, Element::kBF16, Element::kF8E4M3, Element::kF8E5M2}) {
    const unsigned width = bytes_of(element);
    for (std::uint32_t i = 0; i < 1U << (8 * width); ++i) {
      char bytes[2] = {};
      put_bits(bytes, i, width);
      const double value = decode(element, bytes);
      if (!std::isnan(value) && encode(element, real(value)) != i) {
        FAIL(info(element).name << " " << i);
      }
    }
  }
  CHECK(std::isnan(round_trip(Element::kF8E4M3, std::nan(""))));
  CHECK(round_trip(Element::kF16, -std::numeric_limits<double>::infinity()) ==
        -std::numeric_limits<double>::infinity());
}

TEST_CASE("an integer that a type has no place for is refused") {
  CHECK(encode(Element::kI8, whole(-128)) == std::uint64_t(-128));
  CHECK_FALSE(encode(Element::kI8, whole(128)));
  CHECK(encode(Element::kU8, whole(255)) == 255U);
  CHECK_FALSE(encode(Element::kU8, whole(-1)));
  CHECK_FALSE(encode(Element::kU64, whole(-1)));
  CHECK_FALSE(encode(Element::kBool, whole(2)));
  CHECK(encode(Element::kI32, real(3.0)) == 3U);
  CHECK_FALSE(encode(Element::kI32, real(3.5)));
  CHECK_FALSE(encode(Element::kI64, real(1e30)));
}

TEST_CASE("numbers are read strictly, integers with all their digits") {
  CHECK(parse_number("9223372036854775807") == whole(std::numeric_limits<std::int64_t>::max()));
  CHECK(parse_number("-12") == whole(-12));
  CHECK(parse_number("1e-3") == real(1e-3));
  CHECK(std::isinf(parse_number("inf")->real));
  CHECK_FALSE(parse_number(""));
  CHECK_FALSE(parse_number("1.5f"));
  CHECK_FALSE(parse_number("n"));
}

TEST_CASE("an element is written as people write it") {
  char bytes[8] = {};
  put_bits(bytes, bits(Element::kF32, 0.1), 4);
  CHECK(text_of(Element::kF32, bytes) == "0.1");
  put_bits(bytes, bits(Element::kF64, 0.1), 8);
  CHECK(text_of(Element::kF64, bytes) == "0.1");
  put_bits(bytes, 0xff, 1);
  CHECK(text_of(Element::kI8, bytes) == "-1");
  CHECK(text_of(Element::kU8, bytes) == "255");
}

}  // namespace element_test
