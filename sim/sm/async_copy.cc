// SPDX-License-Identifier: MIT
// LDGSTS groups: copies join the warp's open group, LDGDEPBAR closes it, and its counter is lowered when all copies of
// the group and of all earlier groups have arrived in shared memory.
#include <algorithm>
#include <cassert>

#include "sim/sm/memory_unit.h"

namespace gpusim::sm {

std::uint32_t MemoryUnit::join_open_group(std::uint16_t warp) {
  AsyncGroups& state = warps_[warp].async;
  if (state.groups.empty() || state.groups.back().committed) {
    state.groups.push_back({});
  }
  ++state.groups.back().copies;
  return state.first + static_cast<std::uint32_t>(state.groups.size()) - 1;
}

void MemoryUnit::copy_arrived(const Completion& copy, std::uint32_t group, Cycle at) {
  AsyncGroups& state = warps_[copy.warp].async;
  AsyncGroups::Group& entry = state.groups[group - state.first];
  assert(entry.copies > 0);
  --entry.copies;
  if (at >= entry.written) {
    entry.written = at;
    entry.last_copy = copy.pc;
  }
  retire_groups(copy.warp, at);
}

void MemoryUnit::commit_group(const Access& access, Cycle now) {
  AsyncGroups& state = warps_[access.origin.warp].async;
  if (state.groups.empty() || state.groups.back().committed) {
    state.groups.push_back({});
  }
  AsyncGroups::Group& group = state.groups.back();
  group.committed = true;
  group.completion = {access.origin.warp, access.op->write_barrier, access.op->producer, access.op->pc};
  retire_groups(access.origin.warp, now + 1);
}

void MemoryUnit::retire_groups(std::uint16_t warp, Cycle at) {
  AsyncGroups& state = warps_[warp].async;
  while (!state.groups.empty() && state.groups.front().committed && state.groups.front().copies == 0) {
    const AsyncGroups::Group& group = state.groups.front();
    state.released = std::max({state.released, group.written, at});
    Completion completion = group.completion;
    completion.pc = group.written != 0 ? group.last_copy : completion.pc;  // who waits, waits for the copy
    push_completion(completion, state.released);
    state.groups.erase(state.groups.begin());
    ++state.first;
  }
}

}  // namespace gpusim::sm
