// SPDX-License-Identifier: MIT
// The CPU threads of a system, shared by the threads of an application. Times are nanoseconds.
#pragma once

#include <vector>

#include "sim/system/run/timeline.h"

namespace gpusim::run {

/// Where more threads want the CPU than it has threads, all go on alike, slower by as much. A thread may run on any of
/// them: nothing binds it to a socket.
class Cpu {
 public:
  /// `threads`: of the CPU, above 0; `users`: threads of the application.
  Cpu(double threads, std::size_t users) : threads_(threads), due_(users, kIdle) {}

  /// A thread that does not use the CPU begins `ns` of work on it.
  void begin(Index thread, double ns, double now);
  /// It has done its work.
  void end(Index thread, double now);
  /// Whether the thread's work ends now.
  [[nodiscard]] bool is_due(Index thread, double now) const { return due_[thread] == now; }
  /// When the work of a thread ends if nothing changes; below 0 for one that has none.
  [[nodiscard]] double due(Index thread) const { return due_[thread]; }
  /// Threads for which that changed since they were asked for.
  [[nodiscard]] std::vector<Index> take_changed();

 private:
  static constexpr double kIdle = -1;
  [[nodiscard]] double rate_of(std::size_t users) const;
  void change_rate(double before, double after, double now);

  double threads_;
  std::vector<double> due_;     ///< by thread
  std::vector<Index> running_;  ///< in the order in which they came
  std::vector<Index> changed_;
};

}  // namespace gpusim::run
