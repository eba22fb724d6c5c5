// SPDX-License-Identifier: MIT
// What an architecture file says of the L2: its slices, tags, queues and atomic units.
#pragma once

#include <cstdint>

#include "sim/base/ratio.h"
#include "sim/base/types.h"
#include "sim/model/arch/words.h"

namespace gpusim::policy {
enum class Replacement : std::uint8_t;
}  // namespace gpusim::policy

namespace gpusim::arch {

struct L2Config {
  L2Model model{};
  std::uint64_t bytes = 0;
  std::uint32_t halves = 0;      ///< 1, or 2: near and far partition with copies of far lines in the near one
  std::uint32_t partitions = 0;  ///< memory partitions (controllers), all halves together
  std::uint32_t slices = 0;      ///< all together, a multiple of partitions
  std::uint32_t ways = 0;
  policy::Replacement replacement{};
  std::uint32_t tag_latency = 0;   ///< cycles from arrival to hit or miss
  std::uint32_t data_latency = 0;  ///< cycles from hit to the reply's departure
  std::uint32_t slice_bytes_per_cycle = 0;
  std::uint32_t mshrs = 0;           ///< lines outstanding a slice
  std::uint32_t queue_entries = 0;   ///< requests waiting a slice
  std::uint32_t atomic_entries = 0;  ///< atomics and reductions a slice has taken in and not ended
  Ratio write_request_cycles{0, 1};  ///< cycles for which a slice takes nothing in after the bytes of an SM's write
  std::uint32_t atomic_request_cycles = 0;  ///< cycles of a slice's atomic unit for a request, besides its passes
  std::uint32_t atomic_interval = 0;        ///< cycles between integer operations on one word
  std::uint32_t atomic_float_interval = 0;  ///< cycles between atomics of 32 and 64 bits
  std::uint32_t atomic_half_interval = 0;   ///< cycles between atomics of 16 bits, one or several
  std::uint64_t persisting_bytes = 0;       ///< most that a kernel may set aside for lines that persist; 0: none
  std::uint64_t interleave_bytes = 0;       ///< consecutive bytes that share a memory partition
  std::uint64_t slice_share_bytes = 0;      ///< consecutive bytes that each slice has before the next one's turn
  std::uint32_t joined_reads = 1;           ///< reads of a line that one lookup answers
  std::uint32_t dirty_percent = 100;        ///< percent of a set's lines that may be modified at once
  std::uint32_t fill_bytes = kSectorBytes;  ///< aligned bytes that a miss reads of DRAM, those that are there left out
  friend bool operator==(const L2Config&, const L2Config&) = default;
};

}  // namespace gpusim::arch
