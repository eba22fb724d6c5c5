// SPDX-License-Identifier: MIT
#include "sim/exec/trace/cluster_window.h"

#include <algorithm>
#include <iterator>

#include "sim/model/trace/step.h"

namespace gpusim::exec {

void RunningCtas::add(std::uint64_t number, Cta& cta) {
  const std::scoped_lock lock(mutex_);
  ctas_[number] = &cta;
}

void RunningCtas::remove(std::uint64_t number) {
  const std::scoped_lock lock(mutex_);
  ctas_.erase(number);
}

void RunningCtas::exchange(std::span<ClusterWindow> windows) {
  std::vector<ClusterWindow::Kept> all;
  for (ClusterWindow& window : windows) {
    std::ranges::move(window.take(), std::back_inserter(all));
  }
  std::ranges::stable_sort(all, {}, &ClusterWindow::Kept::at);
  for (const ClusterWindow::Kept& kept : all) {
    if (const auto cta = ctas_.find(kept.cta); cta != ctas_.end()) {
      kept.action(cta->second->shared());
    }
  }
}

ClusterSeat::ClusterSeat(Cta& cta, const Place& place, RunningCtas& running, ClusterWindow& window)
    : place_(place), running_(running), window_(window) {
  cta.run_apart(trace::cluster_place(place.cta, place.grid, place.cluster).rank, *this);
  running.add(place.cta, cta);
}

void ClusterSeat::later(std::uint32_t rank, Action action) {
  const trace::ClusterPlace own = trace::cluster_place(place_.cta, place_.grid, place_.cluster);
  window_.keep(trace::cta_of({own.cluster, rank}, place_.grid, place_.cluster), std::move(action));
}

}  // namespace gpusim::exec
