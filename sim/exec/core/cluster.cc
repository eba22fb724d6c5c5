// SPDX-License-Identifier: MIT
#include "sim/exec/core/cluster.h"

#include "sim/exec/core/cta.h"
#include "sim/exec/core/watch.h"

namespace gpusim::exec {

void Cluster::arrive(std::uint32_t threads) {
  arrived_ += threads;
  open_if_complete();
}

void Cluster::open_if_complete() {
  std::uint32_t live = 0;
  for (const Cta* member : members_) {
    live += member->live_threads();
  }
  if (arrived_ == 0 || arrived_ < live) {
    return;
  }
  arrived_ = 0;
  ++openings_;
  if (Watch* const watch = members_.front()->watch(); watch != nullptr) [[unlikely]] {
    watch->opens(*this);
  }
  for (Cta* member : members_) {
    for (Warp& warp : member->warps()) {
      warp.release(Path::Wait::kCluster, 0);
    }
  }
}

}  // namespace gpusim::exec
