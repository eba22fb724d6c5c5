// SPDX-License-Identifier: MIT
// What `gpusim fit` says, as text for people and JSON for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/commands/fit/answer.h"
#include "sim/output/text/layout.h"

namespace gpusim::fit {

struct Report {
  std::string model;
  std::uint64_t parameters = 0;
  std::string gpu;
  std::string what;  ///< "training, 1 sequence of 2,048 tokens, bf16"
  memory::Offer offer;
  Trial trial;
  std::vector<std::string> notes;
  std::vector<Change> changes;  ///< where it does not fit
  std::optional<Room> room;     ///< for a model that is used
  std::uint64_t context = 0;    ///< tokens of a sequence that `room` counts
};

[[nodiscard]] std::string to_text(const Report& report, const layout::Look& look);
/// Schema gpusim.fit/1, sizes in bytes.
[[nodiscard]] std::string to_json(const Report& report);

}  // namespace gpusim::fit
