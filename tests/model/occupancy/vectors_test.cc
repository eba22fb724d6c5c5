// SPDX-License-Identifier: MIT
// Residency against the answers of NVIDIA's own calculator, row by row of tests/validation/occupancy-vectors.csv, on
// the shipped GPUs.
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"

#include "tests/support/one_sm.h"

namespace vectors_test {

using namespace gpusim;
using stats::Limiter;

namespace {

constexpr int kRows = 887;

const std::map<std::string, std::string>& gpus() {
  static const std::map<std::string, std::string> kParts{{"7.0", "v100"},    {"7.5", "t4"},      {"8.0", "a100"},
                                                         {"8.6", "rtx3090"}, {"8.9", "rtx4090"}, {"9.0", "h100"},
                                                         {"10.0", "b200"},   {"12.0", "rtx5090"}};
  return kParts;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> cells{""};
  for (const char c : text) {
    if (c == separator) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// One row, by column.
using Row = std::map<std::string, std::string>;

std::vector<Row> vectors() {
  std::ifstream file(std::string(GPUSIM_SOURCE_DIR) + "/tests/validation/occupancy-vectors.csv");
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> columns = split(line, ',');
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line, ',');
    Row row;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      row[columns[i]] = cells.at(i);
    }
    rows.push_back(row);
  }
  return rows;
}

std::uint32_t number(const Row& row, const std::string& column) {
  const std::string& cell = row.at(column);
  return cell == "inf" ? std::numeric_limits<std::uint32_t>::max() : static_cast<std::uint32_t>(std::stoul(cell));
}

occupancy::LaunchShape shape_of(const Row& row) {
  occupancy::LaunchShape shape;
  shape.registers_per_thread = number(row, "regs_per_thread");
  shape.threads_per_cta = number(row, "threads_per_cta");
  shape.static_shared_bytes = number(row, "static_smem_bytes");
  shape.dynamic_shared_bytes = number(row, "dynamic_smem_bytes");
  shape.carveout_percent = std::stoi(row.at("carveout_pct"));
  shape.barriers = number(row, "barriers_per_cta");
  shape.opt_in = row.at("optin") == "1";
  return shape;
}

std::string names(const std::vector<Limiter>& limiters) {
  std::string text;
  for (const Limiter limiter : limiters) {
    text += (text.empty() ? "" : "|") + std::string(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  return text;
}

/// Every column that the calculator answers.
void compare(const occupancy::Residency& answer, const Row& row) {
  constexpr std::array kLimits{"block_limit_warps", "block_limit_registers", "block_limit_shared_mem", "block_limit_sm",
                               "block_limit_barriers"};
  const stats::Occupancy& occupancy = answer.occupancy;
  CHECK(occupancy.ctas_per_sm == number(row, "active_ctas_per_sm"));
  CHECK(names(occupancy.limiters) == row.at("binding_limits"));
  for (std::size_t i = 0; i < kLimits.size(); ++i) {
    INFO(kLimits[i]);
    CHECK(occupancy.limit[i] == number(row, kLimits[i]));
  }
  CHECK(answer.registers_per_cta == number(row, "allocated_regs_per_cta"));
  CHECK(answer.shared_bytes_per_cta == number(row, "allocated_smem_per_cta"));
  CHECK(occupancy.ctas_per_sm * occupancy.warps_per_cta == number(row, "active_warps_per_sm"));
  CHECK(occupancy.theoretical_pct() == Approx(std::stod(row.at("theoretical_occupancy_pct"))).margin(5e-5));
}

}  // namespace

TEST_CASE("residency, its limits and what is allocated are those of NVIDIA's calculator") {
  std::map<std::string, arch::Arch> archs;
  for (const auto& [cc, name] : gpus()) {
    archs[cc] = test::shipped_arch(name);
    CHECK(archs[cc].compute_capability == cc);
  }
  int compared = 0;
  for (const Row& row : vectors()) {
    INFO("row " << row.at("id") << ", compute capability " << row.at("cc"));
    const occupancy::LaunchShape shape = shape_of(row);
    CHECK(occupancy::is_valid(shape) == (row.at("status") == "ok"));
    if (row.at("status") == "ok") {
      compare(occupancy::residency(archs.at(row.at("cc")).sm, shape), row);
    }
    ++compared;
  }
  CHECK(compared == kRows);
}

TEST_CASE("a barrier limit is blamed where NVIDIA's flags keep the one that was set before it") {
  int corrected = 0;
  for (const Row& row : vectors()) {
    if (row.at("binding_limits") != row.at("header_limiting_factors")) {
      const arch::Arch arch = test::shipped_arch(gpus().at(row.at("cc")));
      CHECK(names(occupancy::residency(arch.sm, shape_of(row)).occupancy.limiters) == row.at("binding_limits"));
      ++corrected;
    }
  }
  CHECK(corrected > 0);
}

}  // namespace vectors_test
