// SPDX-License-Identifier: MIT
#include "sim/system/run/cpu.h"

#include <algorithm>
#include <utility>

namespace gpusim::run {

/// Nanoseconds of work a nanosecond.
double Cpu::rate_of(std::size_t users) const {
  return std::min(1.0, threads_ / static_cast<double>(std::max<std::size_t>(users, 1)));
}

void Cpu::change_rate(double before, double after, double now) {
  if (before == after) {
    return;
  }
  for (const Index thread : running_) {
    due_[thread] = now + std::max(0.0, due_[thread] - now) * before / after;
  }
  changed_.insert(changed_.end(), running_.begin(), running_.end());
}

void Cpu::begin(Index thread, double ns, double now) {
  const double before = rate_of(running_.size());
  const double after = rate_of(running_.size() + 1);
  change_rate(before, after, now);
  running_.push_back(thread);
  due_[thread] = now + ns / after;
  changed_.push_back(thread);
}

void Cpu::end(Index thread, double now) {
  const double before = rate_of(running_.size());
  std::erase(running_, thread);
  due_[thread] = kIdle;
  change_rate(before, rate_of(running_.size()), now);
}

std::vector<Index> Cpu::take_changed() {
  return std::exchange(changed_, {});
}

}  // namespace gpusim::run
