// SPDX-License-Identifier: MIT
// The caches that instructions come from: an L0 a sub-core with a stream buffer, or one for each warp, an L1 an SM that
// constants share, and behind it a fixed latency. A line that is asked for is told at once when it will be there, so
// nobody waits in a queue here and nothing happens between a request and its arrival. The L0 and the L1 each own their
// tags, their counters, and when lines on their way arrive.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/sm/fetch/line_cache.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct FrontEndConfig;
}

namespace gpusim::sm {

/// Lines of 128 bytes: those of the kernel's code from 0 on, behind them those of its constants.
class InstructionL1 {
 public:
  InstructionL1(const arch::FrontEndConfig& config, std::uint32_t code_lines, std::uint32_t constant_lines);

  /// The kernel ran before and has left its code and constants here, as much as fits.
  void load_all();

  enum class Kind : std::uint8_t { kDemand, kPrefetch };
  /// A first-level cache asks for a line at `now`. Returns when the line is there, if the way
  /// to the L1 and back takes `latency` cycles. One request per cycle enters; a prefetch lets everybody else go first.
  Cycle request(std::uint32_t line, Kind kind, Cycle now, std::uint32_t latency);

  [[nodiscard]] const stats::FetchCounters& counters() const { return counters_; }

 private:
  std::uint32_t miss_latency_;
  std::uint32_t all_lines_;
  LineCache lines_;
  Cycle demand_free_ = 0;  ///< first cycle in which a demand can enter
  Cycle any_free_ = 0;     ///< first cycle in which a prefetch can
  stats::FetchCounters counters_;
};

class InstructionL0 {
 public:
  InstructionL0(const arch::FrontEndConfig& config, std::uint32_t code_lines);

  /// Whether the line is there at `now`; then a fetch has begun to read from it, as by look_up. Else nothing is done.
  [[nodiscard]] bool hits(std::uint32_t line, Cycle now) {
    if (line >= code_lines_) {
      return true;
    }
    if (!lines_.use_if_there(line, now)) {
      return false;
    }
    ++counters_.l0_lookups;
    ++counters_.l0_hits;
    return true;
  }

  /// A fetch at `now` for a warp (its slot in the sub-core) begins to read from a line. Returns the cycle from which it
  /// can; `now` when it hits. Lines beyond the kernel's code are read as NOPs that nobody counts.
  Cycle look_up(std::uint32_t line, Cycle now, InstructionL1& l1, std::uint32_t warp = 0);

  [[nodiscard]] const stats::FetchCounters& counters() const { return counters_; }

 private:
  struct Streamed {
    std::uint32_t line = 0;
    Cycle arrival = 0;
  };
  struct Stream {
    std::deque<Streamed> lines;       ///< asked for ahead, ascending
    std::uint32_t prefetched_to = 0;  ///< the last line that it has considered
  };
  [[nodiscard]] Cycle miss(std::uint32_t line, Cycle now, InstructionL1& l1, Stream& own);
  void prefetch_behind(std::uint32_t line, Cycle now, InstructionL1& l1, Stream& own);
  /// What a stream has asked for; null when none has asked for the line.
  [[nodiscard]] const Streamed* streamed(std::uint32_t line) const;

  std::uint32_t l1_latency_;
  std::uint32_t prefetch_lines_;
  bool is_per_warp_;
  std::uint32_t code_lines_;
  LineCache lines_;
  std::vector<Stream> streams_;  ///< one, or by warp as far as they have missed
  stats::FetchCounters counters_;
};

}  // namespace gpusim::sm
