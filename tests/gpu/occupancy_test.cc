// SPDX-License-Identifier: MIT
// Residency against the answers of NVIDIA's own calculator, row by row of tests/validation/occupancy-vectors.csv, and
// the choice of the carve-out, which the calculator leaves open.
#include "sim/gpu/occupancy.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

using namespace gpusim;
using stats::Limiter;

namespace {

constexpr std::uint64_t kWithoutOptIn = 48 * 1024;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
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

trace::Kernel kernel_of(const Row& row) {
  trace::Kernel kernel;
  kernel.block = {number(row, "threads_per_cta"), 1, 1};
  kernel.registers_per_thread = number(row, "regs_per_thread");
  kernel.shared_static_bytes = number(row, "static_smem_bytes");
  kernel.shared_dynamic_bytes = number(row, "dynamic_smem_bytes");
  kernel.barriers = number(row, "barriers_per_cta");
  return kernel;
}

/// Our kernels always opt in to the larger limit; a row beyond 48 KiB that does not is another question.
bool is_expressible(const Row& row) {
  return row.at("status") == "ok" &&
         (row.at("optin") == "1" ||
          number(row, "static_smem_bytes") + number(row, "dynamic_smem_bytes") <= kWithoutOptIn);
}

std::string names(const std::vector<Limiter>& limiters) {
  std::string text;
  for (const Limiter limiter : limiters) {
    text += (text.empty() ? "" : "|") + std::string(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  return text;
}

trace::Kernel small_kernel() {
  trace::Kernel kernel;
  kernel.block = {128, 1, 1};
  kernel.registers_per_thread = 32;
  return kernel;
}

constexpr std::uint64_t kKiB = 1024;

}  // namespace

TEST_CASE("residency and its limits are those of NVIDIA's calculator") {
  const std::map<std::string, arch::Arch> parts{{"8.0", test::shipped_arch("a100")},
                                                {"9.0", test::shipped_arch("h100")}};
  std::map<std::string, int> compared;
  for (const Row& row : vectors()) {
    if (!is_expressible(row)) {
      continue;
    }
    INFO("row " << row.at("id"));
    const stats::Occupancy result = gpu::occupancy(parts.at(row.at("cc")).sm, kernel_of(row));
    CHECK(result.ctas_per_sm == number(row, "active_ctas_per_sm"));
    CHECK(names(result.limiters) == row.at("binding_limits"));
    constexpr std::array columns{"block_limit_warps", "block_limit_registers", "block_limit_shared_mem",
                                 "block_limit_sm", "block_limit_barriers"};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      INFO(columns[i]);
      CHECK(result.limit[i] == number(row, columns[i]));
    }
    CHECK(result.theoretical_pct() == Approx(std::stod(row.at("theoretical_occupancy_pct"))));
    ++compared[row.at("cc")];
  }
  CHECK(compared["8.0"] > 60);
  CHECK(compared["9.0"] > 60);
}

TEST_CASE("the carve-out is the smallest that holds the CTAs, the rest is L1") {
  const arch::Arch a100 = test::shipped_arch("a100");
  trace::Kernel kernel = small_kernel();
  // 16 CTAs of the driver's 1 KiB each.
  const stats::Occupancy none = gpu::occupancy(a100.sm, kernel);
  CHECK(none.ctas_per_sm == 16);
  CHECK(none.shared_carveout_bytes == 16 * kKiB);
  CHECK(none.l1_bytes == 176 * kKiB);
  kernel.shared_dynamic_bytes = 163 * kKiB;
  const stats::Occupancy most = gpu::occupancy(a100.sm, kernel);
  CHECK(most.ctas_per_sm == 1);
  CHECK(most.shared_carveout_bytes == 164 * kKiB);
  CHECK(most.l1_bytes == 28 * kKiB);
}

TEST_CASE("a CTA that asks for a byte more than there is does not fit, and the limiter says why") {
  const arch::Arch h100 = test::shipped_arch("h100");
  trace::Kernel kernel = small_kernel();
  kernel.shared_dynamic_bytes = 227 * kKiB + 1;
  const stats::Occupancy shared = gpu::occupancy(h100.sm, kernel);
  CHECK(shared.ctas_per_sm == 0);
  CHECK(names(shared.limiters) == "shared_mem");
  kernel = small_kernel();
  kernel.block = {1024, 1, 1};
  kernel.registers_per_thread = 65;
  CHECK(names(gpu::occupancy(h100.sm, kernel).limiters) == "registers");
}

TEST_CASE("registers are a quarter's, not the SM's: four small pools hold fewer warps than one") {
  const arch::Arch a100 = test::shipped_arch("a100");
  trace::Kernel kernel = small_kernel();
  kernel.block = {224, 1, 1};
  kernel.registers_per_thread = 92;
  CHECK(gpu::occupancy(a100.sm, kernel).ctas_per_sm == 2);
}
