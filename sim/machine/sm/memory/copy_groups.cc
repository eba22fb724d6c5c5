// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/copy_groups.h"

#include <algorithm>
#include <cassert>

namespace gpusim::sm {

CopyGroups::Group& CopyGroups::open_group(WarpGroups& warp) {
  if (warp.groups.empty() || warp.groups.back().committed) {
    warp.groups.push_back({});
  }
  return warp.groups.back();
}

std::uint32_t CopyGroups::join(std::uint16_t warp) {
  WarpGroups& state = warps_[warp];
  ++open_group(state).copies;
  return state.first + static_cast<std::uint32_t>(state.groups.size()) - 1;
}

void CopyGroups::arrived(std::uint16_t warp, std::uint32_t group, std::uint32_t pc, Cycle at) {
  WarpGroups& state = warps_[warp];
  Group& entry = state.groups[group - state.first];
  assert(entry.copies > 0);
  --entry.copies;
  if (at >= entry.written) {
    entry.written = at;
    entry.last_copy = pc;
  }
  retire(state, at);
}

void CopyGroups::commit(const Completion& completion, Cycle now) {
  WarpGroups& state = warps_[completion.warp];
  Group& group = open_group(state);
  group.committed = true;
  group.completion = completion;
  retire(state, now + 1);
}

void CopyGroups::commit_signal(std::uint16_t warp, std::uint32_t signal, Cycle now) {
  WarpGroups& state = warps_[warp];
  Group& group = open_group(state);
  group.committed = true;
  group.signal = signal;
  retire(state, now + 1);
}

void CopyGroups::retire(WarpGroups& warp, Cycle at) {
  while (!warp.groups.empty() && warp.groups.front().committed && warp.groups.front().copies == 0) {
    const Group& group = warp.groups.front();
    warp.released = std::max({warp.released, group.written, at});
    Completion completion = group.completion;
    completion.pc = group.written != 0 ? group.last_copy : completion.pc;  // a warp that waits, waits for the copy
    if (group.signal != kNoSignal) {
      events_.push(warp.released, SmEvent(SignalDue{group.signal}));
    } else {
      push_completion(events_, completion, warp.released);
    }
    warp.groups.erase(warp.groups.begin());
    ++warp.first;
  }
}

}  // namespace gpusim::sm
