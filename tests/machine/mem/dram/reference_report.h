// SPDX-License-Identifier: MIT
// Every row of reference.csv beside what this model gives, and the tables of docs/model/dram.md made of them.
#pragma once

#include <string>
#include <vector>

#include "tests/machine/mem/dram/reference.h"

namespace gpusim::test {

struct Compared {
  ReferenceRow row;
  StreamResult ours;
  double error = 0;  ///< the error of the latency for loaded streams, else of the fraction; relative, with its sign
  double bound = 0;
  std::string cause;  ///< why it may miss; empty: it may not

  [[nodiscard]] bool misses() const;
};

/// All streams, run once.
[[nodiscard]] const std::vector<Compared>& compared_streams();
/// The generated part of docs/model/dram.md.
[[nodiscard]] std::string reference_tables();

}  // namespace gpusim::test
