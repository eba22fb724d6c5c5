// SPDX-License-Identifier: MIT
// The timeline for terminals.
#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/output/timeline/timeline.h"

#include "tests/output/timeline/sample.h"
#include "tests/support/golden.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using stats::Stall;

namespace {

timeline::TextOptions wide(std::size_t width, bool colour = false) {
  timeline::TextOptions options;
  options.width = width;
  options.colour = colour;
  return options;
}

/// One warp that changes its state in each cycle, so that there is no stretch, and issues in 150 of 300.
stats::Result restless_result() {
  stats::Result result = timeline::recorded_result();
  std::vector<stats::WatchInterval>& watch = result.watch;
  watch.resize(1);
  for (Cycle c = 101; c < 400; ++c) {
    watch.push_back(watch.back());
    watch.back().begin = c;
    watch.back().end = c + 1;
    watch.back().state = c % 2 == 0 ? Stall::kSelected : Stall::kNotSelected;
  }
  return result;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, line.size());
  }
  return longest;
}

}  // namespace

TEST_CASE("the timeline is the committed one") {
  const std::string text = timeline::to_text(timeline::recorded_result(), wide(80));
  CHECK(text == golden("tests/output/timeline/golden/timeline.txt", text));
}

TEST_CASE("a stretch in which no warp changes is one glyph and its length") {
  const std::string text = timeline::to_text(timeline::recorded_result(), wide(80));
  CHECK_THAT(text, Contains("L(576)") && Contains("S(576)"));
  CHECK(text.find("LLLL") == std::string::npos);
}

TEST_CASE("a timeline fits its page, and a wider page takes fewer lines") {
  const stats::Result result = restless_result();
  const std::string narrow = timeline::to_text(result, wide(80));
  const std::string broad = timeline::to_text(result, wide(200));
  CHECK(longest_line(narrow) <= 80);
  CHECK(longest_line(timeline::to_text(timeline::recorded_result(), wide(80))) <= 80);
  CHECK(longest_line(broad) <= 200);
  CHECK(std::count(broad.begin(), broad.end(), '\n') < std::count(narrow.begin(), narrow.end(), '\n'));
}

TEST_CASE("every cycle of a timeline stands on its page once") {
  std::istringstream lines(timeline::to_text(restless_result(), wide(80)));
  std::size_t issued = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  w3 ")) {
      issued += static_cast<std::size_t>(std::count(line.begin(), line.end(), 'X'));
    }
  }
  CHECK(issued == 150);
}

TEST_CASE("each wait names the instruction it is for") {
  CHECK_THAT(
      timeline::to_text(timeline::recorded_result(), wide(80)),
      Contains("waited 576 L long_scoreboard for line 12: LDG.E R4, [R2.64]\n") && Contains("waited 20 B barrier\n"));
}

TEST_CASE("a wait that the cycles watched cut is said to have lasted at least so long") {
  timeline::TextOptions options = wide(80);
  options.begin = 127;  // the load's wait begins there
  CHECK_THAT(timeline::to_text(timeline::recorded_result(), options),
             Contains("waited at least 576 L long_scoreboard for line 12") && Contains("waited 20 B barrier\n"));
  options = wide(80);
  options.end = 703;
  CHECK_THAT(timeline::to_text(timeline::recorded_result(), options),
             Contains("waited at least 576 L long_scoreboard") && Contains("waited 20 S short_scoreboard"));
}

TEST_CASE("a timeline is coloured for terminals only, and says the same") {
  const stats::Result result = timeline::recorded_result();
  std::string coloured = timeline::to_text(result, wide(80, true));
  const std::string plain = timeline::to_text(result, wide(80));
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK_THAT(coloured, Contains("\x1b[31mL(576)\x1b[0m"));
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  }
  CHECK(coloured == plain);
}

TEST_CASE("a timeline says how much was simulated") {
  stats::Result result = timeline::recorded_result();
  CHECK_THAT(timeline::to_text(result, wide(80)), Contains("simulated: all kernels, to their ends"));
  result.complete = false;
  result.stopped_after_watch = true;
  CHECK_THAT(timeline::to_text(result, wide(80)), Contains("simulated: cycles 0 to 799 of kernel 1; the run stopped"));
  result.stopped_after_watch = false;
  CHECK_THAT(timeline::to_text(result, wide(80)), Contains("there it was interrupted"));
}

TEST_CASE("a timeline of nothing says that nothing was resident") {
  stats::Result result = timeline::recorded_result();
  result.watch.clear();
  CHECK_THAT(timeline::to_text(result, wide(80)), Contains("no warp was resident"));
}

TEST_CASE("names of kernels and instructions cannot smuggle escapes into a timeline") {
  stats::Result result = timeline::recorded_result();
  result.kernels[1].name = "evil\x1b[2J";
  result.kernels[1].pcs[2].text = "LDG\x1b[2J";
  CHECK(timeline::to_text(result, wide(80)).find('\x1b') == std::string::npos);
}
