// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/stalled_requests.h"

namespace gpusim::mem::l2 {

[[gnu::noinline]] void StalledRequests::push(const Request& request, Need need, Cycle now) {
  Stalled& stalled = is_from_mirror(request.message) ? far_ : near_;
  const bool is_first = stalled.requests.empty();
  stalled.requests.push_back(request);
  if (is_first) {
    stalled.need = need;
    count(now);
  }
}

void StalledRequests::add_to(stats::NocCounters& counters, Cycle end) const {
  counters.slice_request_stall_cycles += any_.cycles(end);
  counters.link_stall_cycles += for_mirror_.cycles(end);
  counters.dram_stall_cycles += for_dram_.cycles(end);
}

void StalledRequests::restart() {
  resume_from_ = 0;
  any_ = {};
  for_mirror_ = {};
  for_dram_ = {};
}

void StalledRequests::count(Cycle now) {
  any_.hold(size() != 0, now);
  for_mirror_.hold(near_.lacks(Need::kCopyMshr) || near_.lacks(Need::kFarWrite), now);  // the mirror's lack neither
  for_dram_.hold(near_.lacks(Need::kWritePlace) || far_.lacks(Need::kWritePlace), now);
}

}  // namespace gpusim::mem::l2
