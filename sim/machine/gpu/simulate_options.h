// SPDX-License-Identifier: MIT
// What the caller of simulate() may choose, and what it is told while the machine runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/cache_state.h"
#include "sim/base/types.h"
#include "sim/model/stats/watch_interval.h"
#include "sim/model/trace/step.h"

namespace gpusim::engine {
class WindowObserver;
}

namespace gpusim::trace {
class DeviceMemory;
}

namespace gpusim::gpu {

/// CTAs [first, last] of each kernel in linear order, the rest left out. Must lie within every kernel's grid.
struct CtaRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// What a recording is for, when it is for one cycle of one warp slot.
struct WatchQuestion {
  std::uint32_t warp_slot = 0;
  Cycle cycle = 0;
};

/// Which warps' states to record, for a timeline. Cycles are of the kernel, [begin, end).
struct WatchRequest {
  std::uint32_t sm = 0;
  std::optional<std::uint32_t> warp_slot{};  ///< all slots of the SM when empty
  Cycle begin = 0;
  Cycle end = kNever;
  std::optional<std::uint32_t> kernel{};  ///< index in the trace; all kernels when empty
  bool clip = true;  ///< intervals end with the cycles; otherwise they are whole, up to the issue that ends a wait
  /// stop_after_watch then stops when it is recorded what a warp does in this slot and cycle, and next; in a cycle in
  /// which none is there, when the next one has come.
  std::optional<WatchQuestion> question{};
};

/// Told to the caller now and then, from the caller's thread.
struct Progress {
  std::string kernel;
  std::uint32_t kernel_index = 0;
  std::uint32_t kernel_count = 0;
  Cycle cycle = 0;   ///< 0: its caches are being warmed
  double share = 0;  ///< share of the whole run that is done: an estimate from the CTAs and instructions of its kernels
};

struct SimulateOptions {
  CacheState cache = CacheState::kWarm;
  unsigned threads = 1;
  std::optional<CtaRange> ctas;
  std::vector<WatchRequest> watch;  ///< at most one per SM
  /// The run ends when the cycles watched of a kernel have passed, and every wait that began in them; its Result then
  /// has stopped_after_watch. What was recorded up to there is what a whole run records.
  bool stop_after_watch = false;
  std::size_t most_intervals = stats::kMostWatchIntervals;  ///< recorded; reaching it is a warning of the Result
  bool record_series = false;  ///< states and traffic over time, CTAs and SMs, into KernelResult::record
  Cycle max_cycles = kNever;   ///< limit of one kernel; reaching it throws CannotFinishError, unless keep_at_limit
  std::string_view limit_name = "--max-cycles";  ///< what messages call max_cycles: the option that raises it
  /// Reaching max_cycles ends the run there, and its Result then has stopped_at_limit.
  bool keep_at_limit = false;
  std::uint64_t most_walked = trace::kMostWalked;  ///< instructions of one warp in loops; more throws CannotFinishError
  /// Called about ten times a second at most as often as windows allow; returning false stops the run, whose Result
  /// then has complete == false.
  std::function<bool(const Progress&)> on_progress;

  /// Given, when the last kernel has run, what device memory holds then: once for each memory that kernels which are
  /// executed share, in the order of their first kernels. May be empty.
  std::function<void(std::unique_ptr<trace::DeviceMemory>)> take_memory{};

  // For the tests of exactness; results must not depend on them.
  bool reverse_domain_order = false;
  std::uint32_t window_divisor = 1;  ///< uses a window of W / divisor

  engine::WindowObserver* observer = nullptr;  ///< sees the timed kernels, for measuring the host's work
};

}  // namespace gpusim::gpu
