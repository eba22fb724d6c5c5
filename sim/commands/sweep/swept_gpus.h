// SPDX-License-Identifier: MIT
// The architectures that stored points name, as they are described today.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/commands/sweep/store/point.h"
#include "sim/model/arch/loader.h"

namespace gpusim::commands {

/// Each is read when it is first asked for.
class SweptGpus {
 public:
  /// `set`: what a study fixed of all of them, as KEY=VALUE.
  explicit SweptGpus(const std::vector<std::string>& set);

  /// The text of a key that the row does not vary; nothing where its architecture has none, or has gone.
  [[nodiscard]] std::optional<std::string> find(const sweep::PointRow& row, const std::string& key);

  /// What differs from another reading of the architecture: keys and their texts here.
  [[nodiscard]] sweep::TextPairs changes(const std::string& name, SweptGpus& from);

 private:
  /// Null where it cannot be read, which is said once of each.
  const arch::Resolved* resolve(const std::string& name);

  std::vector<arch::Override> set_;
  std::map<std::string, std::optional<arch::Resolved>> gpus_;
};

}  // namespace gpusim::commands
