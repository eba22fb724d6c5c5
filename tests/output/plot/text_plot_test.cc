// SPDX-License-Identifier: MIT
// What text plots look like, compared with committed pages, and what they make of hostile input.
#include "sim/output/plot/text_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/support/golden.h"

using namespace gpusim;
using namespace gpusim::plot;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A GPU with 1 PFLOP/s, 2 TB/s of DRAM and 8 TB/s of L2.
Plot roofline() {
  Plot plot{"A roof",
            {"FLOP/byte", Scale::kLog10, Ticks::kPlain, 0.1, 10000},
            {"FLOP/s", Scale::kLog10, Ticks::kSi, {}, {}},
            {},
            {}};
  plot.series = {{"dram, 2 TB/s", {{0.1, 0.2e12}, {500, 1e15}, {10000, 1e15}}, Style::kLine},
                 {"l2, 8 TB/s", {{0.1, 0.8e12}, {125, 1e15}}, Style::kLine}};
  plot.labels = {{"add", {0.125, 0.25e12}},
                 {"softmax", {1, 2e12}},
                 {"attention", {12, 24e12}},
                 {"gemm, achieved", {2000, 0.6e15}}};
  return plot;
}

/// Warps of CTAs that share 64 slots, `registers` a thread allowing fewer.
Series warps(const std::string& name, int registers) {
  Series series{name, {}, Style::kSteps};
  for (int block = 32; block <= 1024; block += 32) {
    const int of_cta = block / 32;
    const int ctas = std::min(64 / of_cta, 65536 / (registers * block));
    series.points.push_back({static_cast<double>(block), static_cast<double>(ctas * of_cta)});
  }
  return series;
}

Plot occupancy() {
  Plot plot{"Warps against block size",
            {"threads per CTA", Scale::kLinear, Ticks::kEven, 0, 1024},
            {"warps per SM", Scale::kLinear, Ticks::kEven, 0, 64},
            {},
            {}};
  plot.series = {warps("64 registers", 64), warps("40 registers", 40)};
  plot.labels = {{"now: 128 threads", {128, 32}}};
  return plot;
}

Plot scaling() {
  Plot plot{"", {"SMs", Scale::kLog2, Ticks::kEven, {}, {}}, {"speed-up", Scale::kLog2, Ticks::kPlain, {}, {}}, {}, {}};
  Series ideal{"ideal", {}, Style::kLine};
  Series gemm{"gemm", {}, Style::kMarks};
  Series saxpy{"saxpy", {}, Style::kMarks};
  for (double sms = 1; sms <= 128; sms *= 2) {
    ideal.points.push_back({sms, sms});
    gemm.points.push_back({sms, sms * 0.85});
    saxpy.points.push_back({sms, sms / (1 + sms / 16)});
  }
  plot.series = {ideal, gemm, saxpy};
  return plot;
}

/// A straight line from (x0, y0) to (x1, y1) on linear axes.
Plot line(double x0, double y0, double x1, double y1) {
  Plot plot;
  plot.series = {{"", {{x0, y0}, {x1, y1}}, Style::kLine}};
  return plot;
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& line : lines_of(text)) {
    widest = std::max(widest, columns_of(line));
  }
  return widest;
}

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

void check_page(const Plot& plot, Size size, const std::string& name) {
  const std::string utf8 = to_text(plot, size, true);
  const std::string ascii = to_text(plot, size, false);
  CHECK(utf8 == golden("tests/output/plot/golden/" + name + ".utf8.txt", utf8));
  CHECK(ascii == golden("tests/output/plot/golden/" + name + ".ascii.txt", ascii));
}

}  // namespace

TEST_CASE("a roofline looks as committed") {
  check_page(roofline(), {80, 16}, "roofline");
}

TEST_CASE("an occupancy curve looks as committed") {
  check_page(occupancy(), {80, 14}, "occupancy");
}

TEST_CASE("a scaling curve looks as committed") {
  check_page(scaling(), {60, 12}, "scaling");
}

TEST_CASE("without UTF-8 every character is printable ASCII") {
  for (const Plot& plot : {roofline(), occupancy(), scaling()}) {
    const std::string text = to_text(plot, {}, false);
    CHECK(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  }
}

TEST_CASE("no line is wider than asked for, nor ends in a space") {
  for (const Plot& plot : {roofline(), occupancy(), scaling()}) {
    for (const std::size_t width : {0U, 1U, 7U, 19U, 20U, 21U, 33U, 80U, 133U, 400U}) {
      for (const std::size_t height : {0U, 2U, 3U, 5U, 24U}) {
        for (const bool utf8 : {false, true}) {
          const std::string text = to_text(plot, {width, height}, utf8);
          INFO(width << " x " << height << "\n" << text);
          CHECK(widest_line(text) <= width);
          CHECK(std::ranges::none_of(lines_of(text), [](const std::string& l) { return l.ends_with(' '); }));
        }
      }
    }
  }
}

TEST_CASE("absurd sizes neither exhaust memory nor draw a page that nobody can read") {
  const std::string large = to_text(roofline(), {std::size_t{1} << 60U, std::size_t{1} << 60U}, true);
  CHECK(widest_line(large) == 400);
  CHECK(lines_of(large).size() < 220);
  CHECK(to_text(roofline(), {19, 16}, true) == "A roof\n");
}

TEST_CASE("a plot of nothing is an empty frame") {
  const std::string text = to_text(Plot{}, {40, 5}, false);
  CHECK(lines_of(text).size() == 7);
  CHECK_FALSE(contains(text, "@"));
}

TEST_CASE("values that are not numbers interrupt a line and do not stretch the axes") {
  Plot plot = line(0, 0, 10, 10);
  const std::string whole = to_text(plot, {40, 10}, false);
  plot.series[0].points.push_back({kNan, 5});
  plot.series[0].points.push_back({kInfinity, kInfinity});
  plot.series[0].points.push_back({5, -kInfinity});
  CHECK(to_text(plot, {40, 10}, false) == whole);
  plot.series[0].points.insert(plot.series[0].points.begin() + 1, {5, kNan});
  CHECK(to_text(plot, {40, 10}, false) != whole);
}

TEST_CASE("values at the ends of what a double holds are drawn") {
  for (const Plot& plot :
       {line(-1.7e308, -1.7e308, 1.7e308, 1.7e308), line(0, 0, 5e-324, 5e-324), line(1e18, 1, 1e18 + 256, 1)}) {
    for (const Scale scale : {Scale::kLinear, Scale::kLog2, Scale::kLog10}) {
      for (const Ticks ticks : {Ticks::kPlain, Ticks::kSi, Ticks::kEven, Ticks::kBinary}) {
        Plot changed = plot;
        changed.x.scale = changed.y.scale = scale;
        changed.x.ticks = changed.y.ticks = ticks;
        const std::string text = to_text(changed, {60, 12}, false);
        CHECK_FALSE(contains(text, "nan"));
        CHECK_FALSE(contains(text, "inf"));
        CHECK(widest_line(text) <= 60);
      }
    }
  }
}

TEST_CASE("a logarithmic axis leaves out what is not positive") {
  Plot plot{"",
            {"", Scale::kLog10, Ticks::kPlain, {}, {}},
            {"", Scale::kLog10, Ticks::kPlain, {}, {}},
            {{"", {{1, 1}, {100, 100}}, Style::kMarks}},
            {}};
  const std::string whole = to_text(plot, {40, 10}, false);
  plot.series[0].points.push_back({0, 10});
  plot.series[0].points.push_back({10, -3});
  CHECK(to_text(plot, {40, 10}, false) == whole);
}

TEST_CASE("the ends of an axis cut off what lies beyond") {
  Plot plot = line(-1000, -1000, 1000, 1000);
  plot.x.low = plot.y.low = 0;
  plot.x.high = plot.y.high = 10;
  Plot inside = line(0, 0, 10, 10);
  CHECK(to_text(plot, {40, 10}, true) == to_text(inside, {40, 10}, true));
}

TEST_CASE("steps hold their height until the next point") {
  Plot plot;
  plot.y.ticks = Ticks::kEven;
  plot.series = {{"", {{0, 0}, {10, 4}, {20, 2}}, Style::kSteps}};
  CHECK(to_text(plot, {24, 5}, false) ==
        "4 +          +---------+\n"
        "  |          |         |\n"
        "  |          |         +\n"
        "  |          |\n"
        "0 +----------+\n"
        "  ++-------------------+\n"
        "   0                  20\n");
}

TEST_CASE("a name stands beside its mark") {
  Plot plot = line(0, 0, 10, 10);
  plot.labels = {{"here", {2, 8}}};
  CHECK(contains(to_text(plot, {60, 11}, false), "@ here"));
  CHECK(contains(to_text(plot, {60, 11}, true), "\u25cf here"));
}

TEST_CASE("a name without room becomes a letter that the legend explains") {
  Plot plot;
  plot.series = {{"", {}, Style::kSteps}};
  for (int x = 0; x <= 40; ++x) {
    plot.series[0].points.push_back({static_cast<double>(x), x % 2 == 0 ? 0.0 : 10.0});
  }
  plot.labels = {{"crowded", {20, 5}}, {"the same", {20, 5}}};
  const std::string text = to_text(plot, {40, 5}, false);
  CHECK(contains(text, "A crowded, the same\n"));
}

TEST_CASE("a label that the axes do not reach is named below the plot") {
  Plot plot = line(0, 0, 10, 10);
  plot.x.high = 10;
  plot.labels = {{"far away", {11, 5}}, {"nowhere", {kNan, 5}}};
  const std::string text = to_text(plot, {60, 8}, false);
  CHECK(contains(text, "? far away (beyond the axes)"));
  CHECK(contains(text, "? nowhere (beyond the axes)"));
}

TEST_CASE("names from files cannot write escapes or break lines") {
  Plot plot = line(0, 0, 1, 1);
  plot.title = plot.x.title = plot.y.title = "a\x1b[31mb\nc";
  plot.labels = {{"\x1b[2J\n", {0, 1}}};
  const std::string text = to_text(plot, {40, 6}, false);
  CHECK_FALSE(contains(text, "\x1b"));
  CHECK(lines_of(text).size() == 11);
}
