// SPDX-License-Identifier: MIT
// What `gpusim collective` says, as text, JSON and CSV.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/text/layout.h"
#include "sim/system/collective/model.h"

namespace gpusim::collective {

struct Row {
  Estimate estimate;
  double measured_us = 0;  ///< 0: nothing was measured
  [[nodiscard]] double error_pct() const { return 100 * (estimate.microseconds - measured_us) / measured_us; }
};

struct Report {
  std::string system;
  Collective of = Collective::kAllReduce;
  Launch launch = Launch::kOneProcess;
  std::uint32_t gpus = 2;
  double line_rate = 0;    ///< bytes a second, each way, of the slowest link
  bool is_fitted = false;  ///< the system's file says what was measured
  std::vector<Row> rows;
  std::string note;  ///< what a reader should know of the sizes; empty: nothing
  /// What the data alone, without flags, takes on the slowest link at its line rate: microseconds.
  [[nodiscard]] double line_us(const Row& row) const;
  [[nodiscard]] bool has_measured() const { return !rows.empty() && rows.front().measured_us > 0; }
};

/// Sizes that behave alike, from the smallest: where latency, a mixture, and bandwidth decide.
struct SizeClass {
  std::string_view name;
  std::uint64_t below = 0;  ///< bytes
};
[[nodiscard]] const SizeClass& class_of(std::uint64_t bytes);

[[nodiscard]] std::string to_text(const Report& report, const layout::Look& look);
/// Schema gpusim.collective/1 (docs/collectives.md).
[[nodiscard]] std::string to_json(const Report& report);
[[nodiscard]] std::string to_csv(const Report& report);

}  // namespace gpusim::collective
