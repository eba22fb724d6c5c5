// SPDX-License-Identifier: MIT
// The coalescer: which lines and sectors the lanes of a global or local access touch, and how many cycles (wavefronts)
// the access takes in L1's data stage. Owns a cache of results, because a program's accesses repeat few patterns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/rounding.h"
#include "sim/machine/sm/memory/bank_conflicts.h"

namespace gpusim::sm {

/// One line of a global access.
struct LineAccess {
  std::int64_t line = 0;     ///< byte address of the line, or its distance from the access's base line
  std::uint8_t sectors = 0;  ///< mask of sectors touched
  std::uint8_t full = 0;     ///< mask of sectors all of whose bytes are touched
  std::uint8_t lanes = 0;    ///< lanes that touch the line
  std::uint8_t passes = 0;   ///< for atomics: the sum over its sectors of the lanes on the most wanted word of each
  std::uint8_t depth = 0;    ///< for atomics: lanes on its most wanted word
  std::uint16_t pairs = 0;   ///< for writes: as msg::WriteParts, pairs of bytes in sectors that are not full
};

/// A lane's access is at most 16 bytes and so touches at most two lines of global memory.
inline constexpr std::size_t kMaxGlobalLines = 2 * kWarpLanes;
/// And at most four of local memory, whose words lie in a line each.
inline constexpr std::size_t kMaxLines = 2 * kMaxGlobalLines;

/// What the coalescer makes of an access to global or local memory.
struct CoalescedAccess {
  std::uint32_t line_count = 0;
  std::uint32_t wavefronts = 0;  ///< cycles in the L1 data stage
  std::uint32_t bytes = 0;       ///< that lanes asked for
  std::uint32_t sectors = 0;     ///< sectors of all lines
  std::array<LineAccess, kMaxLines> lines;

  /// How many sectors the bytes would need if they lay side by side; at most `sectors`.
  [[nodiscard]] std::uint32_t ideal_sectors() const { return std::min(sectors, ceil_divide(bytes, kSectorBytes)); }
};

/// The line of a thread's word in local memory.
[[nodiscard]] constexpr Address local_line(Address of_thread) {
  return of_thread / kLocalWordBytes * kLineBytes;
}

struct L1DataStage {
  std::uint32_t tag_lines_per_cycle = 4;  ///< banks of tags; a power of two
  std::uint32_t bytes_per_cycle = 128;
};

/// The bank of tags a line is looked up in: the exclusive or of its number's digits, in base `banks`. It gives the tag
/// wavefronts of 130 strides on A100 and A40 within 9 %, but for those of two and three lines (te42kyfo/gpu-benches,
/// gpu-strides).
[[nodiscard]] std::uint32_t tag_bank(std::uint64_t line_number, std::uint32_t banks);

/// Lines in order of their first lane; of local accesses `addresses` are of threads. An access without lanes has no
/// line and no wavefront.
void coalesce(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
              CoalescedAccess& access);

/// Remembers what it made of accesses by (pattern, mask, base modulo a line, width). Not shared between threads, nor
/// between kernels: each kernel numbers its patterns anew.
class Coalescer {
 public:
  Coalescer();

  /// As coalesce(), with absolute line addresses.
  void coalesce(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
                CoalescedAccess& access);
  /// The lines alone, until the next call.
  [[nodiscard]] std::span<const LineAccess> lines(const trace::LaneAddresses& addresses, LaneMask mask,
                                                  AccessWidth width);

 private:
  static constexpr unsigned kEntryBits = 10;

  struct Entry {
    PatternKey key;
    std::uint32_t data_cycles = 0;
    std::uint32_t bytes = 0;
    std::uint32_t sectors = 0;
    std::vector<LineAccess> lines;
  };

  /// What is remembered of the access, from now on if it was not.
  [[nodiscard]] const Entry& recall(const trace::LaneAddresses& addresses, LaneMask mask, const AccessWidth& width,
                                    const L1DataStage& stage, CoalescedAccess& access);

  std::vector<Entry> entries_;
  CoalescedAccess scratch_;
};

}  // namespace gpusim::sm
