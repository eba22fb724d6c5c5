// SPDX-License-Identifier: MIT
#include "sim/system/run/thread_walk.h"

namespace gpusim::run {

using application::Call;

const Call* ThreadWalk::next(double now, std::vector<EndedRange>& ended) {
  while (!frames_.empty()) {
    ++steps_;
    Frame& frame = frames_.back();
    if (frame.at == frame.calls->size()) {
      if (--frame.left > 0) {
        frame.at = 0;
        continue;
      }
      if (frame.range.range != nullptr) {
        ended.push_back(frame.range);
      }
      frames_.pop_back();
      continue;
    }
    const Call& call = (*frame.calls)[frame.at++];
    if (const auto* const repeat = std::get_if<application::Repeat>(&call.is)) {
      frames_.push_back({&repeat->body, 0, repeat->times, {}});
    } else if (const auto* const range = std::get_if<application::Range>(&call.is)) {
      frames_.push_back({&range->body, 0, 1, {range, now}});
    } else {
      return &call;
    }
  }
  return nullptr;
}

std::string ThreadWalk::ranges() const {
  std::string text;
  for (const Frame& frame : frames_) {
    if (frame.range.range != nullptr) {
      text += (text.empty() ? "" : " > ") + frame.range.range->name;
    }
  }
  return text;
}

}  // namespace gpusim::run
