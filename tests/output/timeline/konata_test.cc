// SPDX-License-Identifier: MIT
// Logs for Konata: every line follows the grammar of Kanata 0004, and says what the recording has.
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/output/timeline/timeline.h"

#include "tests/output/timeline/sample.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

std::vector<std::string> lines_of(const std::string& text) {
  return parts_of(text, '\n');
}

/// What the grammar asks of the commands of one instruction.
struct Op {
  std::optional<std::string> stage{};  ///< open
  bool labelled = false;
  bool retired = false;
};

/// Reads a log as the format's description has it, and stops at the first line that is wrong.
class Reader {
 public:
  void read(const std::vector<std::string>& lines) {
    REQUIRE(lines.size() > 2);
    CHECK(lines[0] == "Kanata\t0004");
    REQUIRE(std::regex_match(lines[1], std::regex("C=\t[0-9]+")));
    now = std::stoull(lines[1].substr(3));
    for (std::size_t i = 2; i < lines.size(); ++i) {
      INFO("line " << i << ": " << lines[i]);
      REQUIRE(std::regex_match(lines[i], line_));
      take(parts_of(lines[i], '\t'));
    }
    for (const auto& [id, op] : ops) {
      INFO("op " << id);
      CHECK(op.retired);
    }
  }

  std::map<std::size_t, Op> ops;
  Pairs wakes;                                ///< consumer, producer
  std::map<std::string, Cycle> stage_cycles;  ///< by name
  Cycle now = 0;

 private:
  Op& living(const std::string& id) {
    const auto op = ops.find(std::stoull(id));
    REQUIRE(op != ops.end());
    REQUIRE_FALSE(op->second.retired);
    return op->second;
  }

  void take(const std::vector<std::string>& f) {
    if (f[0] == "C") {
      REQUIRE(std::stoull(f[1]) > 0);
      now += std::stoull(f[1]);
    } else if (f[0] == "I") {
      REQUIRE(std::stoull(f[1]) == ops.size());  // numbered as they appear
      ops[ops.size()] = {};
    } else if (f[0] == "L") {
      living(f[1]).labelled = true;
    } else if (f[0] == "S" || f[0] == "E") {
      take_stage(f[0] == "S", living(f[1]), f[3]);
    } else if (f[0] == "W") {
      (void)living(f[1]);
      REQUIRE(ops.contains(std::stoull(f[2])));
      wakes.emplace_back(std::stoull(f[1]), std::stoull(f[2]));
    } else {
      Op& op = living(f[1]);
      REQUIRE_FALSE(op.stage);
      REQUIRE(std::stoull(f[2]) == retired_++);
      op.retired = true;
    }
  }

  void take_stage(bool begins, Op& op, const std::string& name) {
    REQUIRE(op.labelled);
    REQUIRE(op.stage.has_value() != begins);
    if (begins) {
      op.stage = name;
      stage_cycles[name] -= now;
    } else {
      REQUIRE(op.stage == name);
      op.stage.reset();
      stage_cycles[name] += now;
    }
  }

  const std::regex line_{
      "C\t[0-9]+|I\t[0-9]+\t[0-9]+\t[0-9]+|L\t[0-9]+\t[01]\t[ -~]+|[SE]\t[0-9]+\t0\t[ -~]+|"
      "W\t[0-9]+\t[0-9]+\t0|R\t[0-9]+\t[0-9]+\t0"};
  std::size_t retired_ = 0;
};

}  // namespace

TEST_CASE("a log for Konata follows the grammar of Kanata 0004") {
  Reader reader;
  reader.read(lines_of(timeline::to_konata(timeline::recorded_result())));
  CHECK(reader.ops.size() == 9);  // seven of one warp, two of the other, whose third never issues
}

TEST_CASE("stages last as long as the states that they stand for") {
  Reader reader;
  reader.read(lines_of(timeline::to_konata(timeline::recorded_result())));
  CHECK(reader.stage_cycles["X"] == 9);
  CHECK(reader.stage_cycles["L"] == 576);
  CHECK(reader.stage_cycles["S"] == 20 + 601);
  CHECK(reader.stage_cycles["ns"] == 1);
  CHECK(reader.stage_cycles["D"] == 16);
  CHECK_FALSE(reader.stage_cycles.contains("p"));  // the stage of the instruction that never issues
}

TEST_CASE("a log begins and ends in the cycles of the recording, counted from the run's first kernel") {
  const std::vector<std::string> lines = lines_of(timeline::to_konata(timeline::recorded_result()));
  CHECK(lines[1] == "C=\t600");  // 100 cycles behind the 500 of the kernel before
  Reader reader;
  reader.read(lines);
  CHECK(reader.now == 500 + 750);
}

TEST_CASE("an arrow leads from each instruction to the one that waits for it") {
  const std::string text = timeline::to_konata(timeline::recorded_result());
  Reader reader;
  reader.read(lines_of(text));
  // In order of their first cycles: S2R, then IMAD and S2R of both warps, IMAD, LDG, FFMA, BAR.
  CHECK(reader.wakes == Pairs{{1, 0}, {4, 1}, {3, 2}, {5, 4}, {6, 5}});
  CHECK_THAT(text, Contains("L\t5\t0\tw3 5.3 line 13: FFMA R5, R4, R6, R7\n") &&
                       Contains("L\t5\t1\tlong_scoreboard 576 cycles for line 12: LDG.E R4, [R2.64]; not_selected 1"));
}

TEST_CASE("a log for Konata is of one SM") {
  stats::Result result = timeline::recorded_result();
  result.watch.back().sm = 3;
  CHECK_THROWS_WITH(timeline::to_konata(result), Contains("is of one SM: the result has the warps of 2 SMs"));
  result.watch.clear();
  CHECK_THROWS_WITH(timeline::to_konata(result), Contains("--record warps=SM[:A..B]"));
}

TEST_CASE("a tab or a line end in a name cannot break a log") {
  stats::Result result = timeline::recorded_result();
  result.kernels[1].pcs[2].text = "LDG.E\tR4,\n[R2.64]";
  Reader reader;
  reader.read(lines_of(timeline::to_konata(result)));
  CHECK(reader.ops.size() == 9);
}
