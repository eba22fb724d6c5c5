// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/dram_port.h"

namespace gpusim::mem::l2 {

void DramPort::run(Cycle now, std::vector<dram::Completion>& done, std::vector<std::uint32_t>& taken) {
  channel_.run(now, done);
  while (!reads_.empty() && channel_.can_accept(false)) {
    channel_.accept(reads_.front().request, now);
    reads_.pop_front();
  }
  while (!writes_.empty() && channel_.can_accept(true)) {
    channel_.accept(writes_.front().request, now);
    taken.push_back(writes_.front().slice);
    writes_.pop_front();
  }
  full_.hold(!reads_.empty() || !writes_.empty(), now);
}

}  // namespace gpusim::mem::l2
