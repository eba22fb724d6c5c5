// SPDX-License-Identifier: MIT
// Launches as CSV: what is accepted has an answer on each line.
#include <algorithm>
#include <optional>
#include <string>

#include "sim/commands/occupancy/batch.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = fuzz::write("x.csv", fuzz::text_of(data, size)).string();
  std::optional<std::string> answers;
  if (fuzz::is_accepted([&] { answers = commands::occupancy_batch(file); })) {
    fuzz::require(answers.has_value() && answers->ends_with('\n'), "a file that is accepted has answers");
  }
  return 0;
}
