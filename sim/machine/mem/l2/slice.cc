// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/slice.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gpusim::mem::l2 {

Slice::Slice(const Shared& shared, std::uint16_t local)
    : shared_(shared),
      local_(local),
      global_(shared.ports.wiring().index * shared.map.slices_per_partition() + local),
      config_(shared.arch.l2),
      is_ideal_(config_.model == arch::L2Model::kIdeal),
      input_(shared.arch, local, shared.ports, shared.calendar),
      tags_(config_, global_),
      home_misses_(config_.mshrs),
      copy_misses_(config_.mshrs),
      atomic_unit_(config_),
      output_(shared.arch, global_, shared.ports) {}

void Slice::restart() {
  input_.restart();
  output_.restart();
  resume_from_ = 0;
  atomic_unit_.restart();
  counters_ = {};
}

// ---- Requests behind the tag pipeline, and stalls -----------------------------------------------------------------

void Slice::look_up(std::uint32_t slot, Cycle now) {
  const Request& request = input_.passed(slot);
  Stalled& stalled = is_from_mirror(request.message) ? far_ : near_;
  if (stalled.requests.empty()) {
    stalled.need = process(request, now);
  }
  if (stalled.need != Need::kNothing || !stalled.requests.empty()) {
    stalled.requests.push_back(request);
  }
  input_.drop_passed(slot);
}

/// One stalled request of each origin moves a cycle, as long as what they need is there.
void Slice::wake(Cycle now) {
  if (resume_pending_ || !(can_resume(near_) || can_resume(far_))) {
    return;
  }
  if (now >= resume_from_) {
    resume(now);
  } else {
    resume_pending_ = true;
    shared_.calendar.push(resume_from_, {Work::kResume, local_, 0});
  }
}

void Slice::resume(Cycle now) {
  resume_pending_ = false;
  resume_from_ = now + 1;
  for (Stalled* stalled : {&near_, &far_}) {
    if (can_resume(*stalled)) {
      stalled->need = process(stalled->requests.front(), now);
      if (stalled->need == Need::kNothing) {
        stalled->requests.pop_front();
      }
    }
  }
  wake(now);
}

// ---- Results ----------------------------------------------------------------------------------------------------

stats::L2Counters Slice::counters() const {
  stats::L2Counters result = counters_;
  result.atomic_cycles = atomic_unit_.busy_cycles();
  output_.add_to(result);
  return result;
}

std::string Slice::leftovers() const {
  const std::pair<const char*, std::size_t> kinds[] = {
      {"queued requests", input_.size()},
      {"stalled requests", near_.requests.size() + far_.requests.size()},
      {"MSHRs", std::size_t{home_misses_.size()} + copy_misses_.size()},
      {"requests to the other half", far_operations_.used()},
      {"atomics", atomic_unit_.held()},
  };
  std::string text;
  for (const auto& [name, count] : kinds) {
    if (count != 0) {
      text += "slice " + std::to_string(global_) + ": " + std::to_string(count) + " " + name + " left\n";
    }
  }
  return text;
}

}  // namespace gpusim::mem::l2
