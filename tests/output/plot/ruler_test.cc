// SPDX-License-Identifier: MIT
// Which numbers stand along an axis, and how they are written.
#include "sim/output/plot/ruler.h"

#include <catch2/catch.hpp>

using namespace gpusim::plot;

namespace {

std::string numbers(const Axis& axis, const std::vector<double>& values, std::size_t most) {
  std::string text;
  const Ruler ruler(axis, values, most);
  for (const Tick& tick : ruler.ticks()) {
    text += (text.empty() ? "" : " ") + tick.text;
  }
  return text;
}

Axis axis(Scale scale, Ticks ticks) {
  return {"", scale, ticks, {}, {}};
}

}  // namespace

TEST_CASE("a linear axis counts in ones, twos and fives") {
  CHECK(numbers(axis(Scale::kLinear, Ticks::kPlain), {0, 10}, 6) == "0 2 4 6 8 10");
  CHECK(numbers(axis(Scale::kLinear, Ticks::kPlain), {0, 0.9}, 7) == "0 0.2 0.4 0.6 0.8 1.0");
  CHECK(numbers(axis(Scale::kLinear, Ticks::kPlain), {-3, 4}, 9) == "-3 -2 -1 0 1 2 3 4");
}

TEST_CASE("numbers along a linear axis share one prefix") {
  CHECK(numbers(axis(Scale::kLinear, Ticks::kSi), {0, 1.9e12}, 6) == "0 0.5T 1.0T 1.5T 2.0T");
}

TEST_CASE("an even axis counts in powers of two") {
  CHECK(numbers(axis(Scale::kLinear, Ticks::kEven), {0, 1024}, 6) == "0 256 512 768 1024");
  CHECK(numbers(axis(Scale::kLinear, Ticks::kBinary), {0, 227.0 * 1024}, 6) == "0 64Ki 128Ki 192Ki 256Ki");
}

TEST_CASE("a decimal logarithmic axis shows decades, and their parts where there is room") {
  CHECK(numbers(axis(Scale::kLog10, Ticks::kPlain), {0.1, 10000}, 8) == "0.1 1 10 100 1000 10000");
  CHECK(numbers(axis(Scale::kLog10, Ticks::kSi), {30e9, 0.9e12}, 8) == "20G 50G 100G 200G 500G 1T");
  CHECK(numbers(axis(Scale::kLog10, Ticks::kSi), {1, 1e12}, 5) == "1 1k 1M 1G 1T");
}

TEST_CASE("a logarithmic axis within one decade still has numbers") {
  CHECK(numbers({"", Scale::kLog10, Ticks::kPlain, 300, 450}, {}, 6) == "300 350 400 450");
}

TEST_CASE("a binary logarithmic axis shows powers of two") {
  CHECK(numbers(axis(Scale::kLog2, Ticks::kEven), {1, 132}, 9) == "1 2 4 8 16 32 64 128 256");
  CHECK(numbers(axis(Scale::kLog2, Ticks::kBinary), {512, 1 << 20}, 5) == "512 4Ki 32Ki 256Ki");
}

TEST_CASE("one value alone has room on both sides") {
  const Axis plain = axis(Scale::kLinear, Ticks::kPlain);
  const std::vector<double> values{7};
  CHECK(*Ruler(plain, values, 6).position(7) > 0.2);
  CHECK(*Ruler(plain, values, 6).position(7) < 0.8);
}

TEST_CASE("ends given the wrong way round are exchanged") {
  const Axis reversed{"", Scale::kLinear, Ticks::kPlain, 10, 0};
  CHECK(*Ruler(reversed, {}, 6).position(2.5) == 0.25);
}

TEST_CASE("positions follow the scale") {
  const Axis decades{"", Scale::kLog10, Ticks::kPlain, 1, 100};
  CHECK(*Ruler(decades, {}, 5).position(10) == Approx(0.5));
  CHECK_FALSE(Ruler(decades, {}, 5).position(0));
  CHECK_FALSE(Ruler(decades, {}, 5).position(-1));
}

TEST_CASE("a number has the digits that tell it from its neighbours") {
  CHECK(tick_text(2500, 500, 3000, Ticks::kSi) == "2.5k");
  CHECK(tick_text(1.25, 0.25, 2, Ticks::kPlain) == "1.25");
  CHECK(tick_text(0.002, 0.001, 0.002, Ticks::kSi) == "2m");
  CHECK(tick_text(3.0 * (1U << 20U), 1U << 20U, 1U << 22U, Ticks::kBinary) == "3Mi");
  CHECK(tick_text(1e9, 1e9, 1e9, Ticks::kPlain) == "1e+09");
}
