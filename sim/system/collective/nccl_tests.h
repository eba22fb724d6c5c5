// SPDX-License-Identifier: MIT
// Reads what nccl-tests printed.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/system/collective/collective.h"

namespace gpusim::collective {

/// A line of its table, out of place.
struct MeasuredRow {
  std::uint64_t bytes = 0;
  double microseconds = 0;
  std::uint32_t line = 0;
};

struct Measured {
  std::vector<MeasuredRow> rows;
  std::optional<std::uint32_t> ranks;  ///< where it lists them
  std::optional<Collective> of;        ///< where it names the test
  SourceLocation ranks_at;
  SourceLocation of_at;
};

/// `name` stands for the file in messages. Throws InputError for a table that breaks off or is not of nccl-tests.
[[nodiscard]] Measured read_nccl_tests(std::istream& in, const std::string& name);

}  // namespace gpusim::collective
