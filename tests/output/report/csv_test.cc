// SPDX-License-Identifier: MIT
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/output/report/report.h"

#include "tests/output/report/sample.h"

namespace csv_test {

using namespace gpusim;

namespace {

/// The cells of one line of CSV, quotes undone.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::vector<std::vector<std::string>> rows_of(const stats::Result& result) {
  std::istringstream lines(report::to_csv(result));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(cells_of(line));
  }
  return rows;
}

std::string cell(const std::vector<std::vector<std::string>>& rows, std::size_t row, const std::string& column) {
  const auto found = std::find(rows[0].begin(), rows[0].end(), column);
  REQUIRE(found != rows[0].end());
  return rows[row][static_cast<std::size_t>(found - rows[0].begin())];
}

}  // namespace

TEST_CASE("CSV has a header and one row per kernel, all equally long") {
  stats::Result result = report::sample_result();
  result.kernels.assign(3, result.kernels[0]);
  const auto rows = rows_of(result);
  REQUIRE(rows.size() == 4);
  for (const auto& row : rows) {
    CHECK(row.size() == rows[0].size());
  }
}

TEST_CASE("CSV has the keys of JSON as its columns") {
  const auto rows = rows_of(report::sample_result());
  CHECK(cell(rows, 1, "name") == "axpy");
  CHECK(cell(rows, 1, "cycles") == "8000");
  CHECK(cell(rows, 1, "grid") == "16x1x1");
  CHECK(cell(rows, 1, "bound") == "l2");
  CHECK(cell(rows, 1, "occupancy.limiters") == "registers|shared_mem");
  CHECK(cell(rows, 1, "stalls.long_scoreboard") == "60000");
  CHECK(cell(rows, 1, "throughput.dram_gbs") == "400");
  CHECK(cell(rows, 1, "parameters") == "n=4096 unroll=2");
  CHECK(cell(rows, 1, "complete") == "true");
}

TEST_CASE("CSV quotes what holds a comma or a quote") {
  stats::Result result = report::sample_result();
  result.kernels[0].name = "gemm<int, \"x\">";
  const std::string text = report::to_csv(result);
  CHECK(text.find("\"gemm<int, \"\"x\"\">\"") != std::string::npos);
}

TEST_CASE("CSV of no kernels is the header alone") {
  stats::Result result = report::sample_result();
  result.kernels.clear();
  CHECK(rows_of(result).size() == 1);
}

TEST_CASE("control characters of names do not reach the terminal, nor end a row") {
  stats::Result result = report::sample_result();
  result.kernels[0].name = "a\x1b[31mb\nc\x7f";
  const auto rows = rows_of(result);
  REQUIRE(rows.size() == 2);
  CHECK(cell(rows, 1, "name") == "a?[31mb?c?");
  CHECK_THAT(report::to_ncu_csv(result), Catch::Matchers::Contains("\"a?[31mb?c?\""));
}

}  // namespace csv_test
