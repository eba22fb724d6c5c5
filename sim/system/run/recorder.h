// SPDX-License-Identifier: MIT
// Keeps the activities of a run, with their names as numbers.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/system/run/timeline.h"

namespace gpusim::run {

class Recorder {
 public:
  Index name(std::string_view text) {
    const auto found = index_.find(text);
    if (found != index_.end()) {
      return found->second;
    }
    timeline.names.emplace_back(text);
    return index_.emplace(std::string(text), static_cast<Index>(timeline.names.size() - 1)).first->second;
  }
  Index add(const Activity& activity) {
    timeline.activities.push_back(activity);
    return static_cast<Index>(timeline.activities.size() - 1);
  }
  [[nodiscard]] Activity& operator[](Index activity) { return timeline.activities[activity]; }

  Timeline timeline;

 private:
  std::map<std::string, Index, std::less<>> index_;
};

}  // namespace gpusim::run
