// SPDX-License-Identifier: MIT
// LDGSTS groups: copies join the warp's open group, LDGDEPBAR closes it, and its counter is lowered when all copies of
// the group and of all earlier groups have arrived in shared memory.
#include <algorithm>
#include <cassert>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {

std::uint32_t MemoryUnit::join_open_group(AsyncGroups& state) {
  if (state.groups.empty() || state.groups.back().committed) {
    state.groups.push_back({});
  }
  ++state.groups.back().copies;
  return state.first + static_cast<std::uint32_t>(state.groups.size()) - 1;
}

void MemoryUnit::copy_arrived(AsyncGroups& state, std::uint32_t copy_pc, std::uint32_t group, Cycle at) {
  AsyncGroups::Group& entry = state.groups[group - state.first];
  assert(entry.copies > 0);
  --entry.copies;
  if (at >= entry.written) {
    entry.written = at;
    entry.last_copy = copy_pc;
  }
  retire_groups(state, at);
}

AsyncGroups::Group& MemoryUnit::close_group(AsyncGroups& state) {
  if (state.groups.empty() || state.groups.back().committed) {
    state.groups.push_back({});
  }
  state.groups.back().committed = true;
  return state.groups.back();
}

void MemoryUnit::commit_group(AsyncGroups& state, const Completion& completion, Cycle now) {
  close_group(state).completion = completion;
  retire_groups(state, now + 1);
}

void MemoryUnit::retire_groups(AsyncGroups& state, Cycle at) {
  while (!state.groups.empty() && state.groups.front().committed && state.groups.front().copies == 0) {
    const AsyncGroups::Group& group = state.groups.front();
    state.released = std::max({state.released, group.written, at});
    Completion completion = group.completion;
    completion.pc = group.written != 0 ? group.last_copy : completion.pc;  // who waits, waits for the copy
    if (group.signal != AsyncGroups::kNoSignal) {
      events_.push(state.released, {SmEventKind::kMbarrierSignal, 0, completion.producer, 0, group.signal});
    } else {
      push_completion(completion, state.released);
    }
    state.groups.erase(state.groups.begin());
    ++state.first;
  }
}

}  // namespace gpusim::sm
