// SPDX-License-Identifier: MIT
// Runs the points of a study that have no result yet: one thread per point, on all cores, each result stored the moment
// it is there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/commands/sweep/store/point.h"
#include "sim/commands/sweep/store/store.h"
#include "sim/machine/gpu/simulate_options.h"

namespace gpusim::sweep {

class Inputs;
struct Candidate;

struct RunOptions {
  unsigned jobs = 1;                  ///< threads, all points together
  bool retry = false;                 ///< run points that failed once more
  std::string name;                   ///< name of the study; may be empty
  std::string text;                   ///< text of the study, to be recorded
  Share share;                        ///< which of the points
  std::optional<std::uint64_t> only;  ///< run only the point at this position among them
  gpu::SimulateOptions how;           ///< cache, ctas, max_cycles: of every point
};

/// Where a run stands.
struct Tally {
  std::uint64_t points = 0;   ///< points of this share
  std::uint64_t known = 0;    ///< had an end in the database before
  std::uint64_t skipped = 0;  ///< contradict themselves
  std::uint64_t done = 0;     ///< now
  std::uint64_t failed = 0;   ///< now
  std::uint64_t running = 0;
  double work_left = 0;  ///< share of the work that was there to do, 1 at the start
  [[nodiscard]] std::uint64_t waiting() const { return points - known - skipped - done - failed - running; }
};

/// What only the program knows or may do.
struct Host {
  std::function<double()> seconds;                  ///< seconds on a clock that never goes back
  std::function<bool()> interrupted;                ///< asked a few times a second
  std::function<std::uint64_t()> memory_available;  ///< bytes that nobody uses
  std::function<std::uint64_t()> peak_memory;       ///< bytes, of this process so far
  std::function<void(const Tally&)> progress;       ///< a few times a second, from the calling thread
};

struct Outcome {
  std::int64_t study = 0;
  Tally tally;
  bool complete = true;  ///< false: interrupted
};

/// What became of a point.
struct PointEnd {
  PointRow row;          ///< with the key
  std::string result;    ///< JSON
  bool stopped = false;  ///< before it ended
};

/// How points of some sort are run.
struct PointRunner {
  /// Runs one on so many threads, and sets what it came to; `keep_going` says when to stop.
  using Run = std::function<void(unsigned threads, const std::function<bool()>& keep_going, PointEnd& end)>;
  /// Reads what the point needs. May be called by several threads. Throws InputError where the point is no longer what
  /// it was when its key was made.
  std::function<Run(const Candidate& point)> make;
  std::string program;  ///< the version that computes results
};

/// Records the study, runs what is missing, longest points first, and stores each. While fewer points than jobs are
/// left, a point has several threads; results do not depend on it. A point is not begun while others run and the
/// memory that it may need is not available. Throws StoreError when a result cannot be stored.
Outcome run(const PointRunner& runner, const std::vector<Candidate>& points, Store& store, const RunOptions& options,
            const Host& host);

/// The same for kernels.
Outcome run(Inputs& inputs, const std::vector<Candidate>& points, Store& store, const RunOptions& options,
            const Host& host);

/// Positions (from 0) of a share of `points`: every count-th.
[[nodiscard]] bool is_in(const Share& share, std::uint64_t position);

}  // namespace gpusim::sweep
