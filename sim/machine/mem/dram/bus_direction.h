// SPDX-License-Identifier: MIT
// Whether the data bus of a pseudo-channel reads or writes: writes are put off, then drained in batches between two
// marks of their queue (`dram.write_high_percent`, `dram.write_low_percent`, `dram.write_wait`). Owns the direction and
// how far its batch has got.
#pragma once

#include <cstdint>

#include "sim/machine/mem/dram/bank_queues.h"
#include "sim/machine/mem/dram/timing_table.h"

namespace gpusim::arch {
struct DramConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::dram {

class BusDirection {
 public:
  explicit BusDirection(const arch::DramConfig& config);

  [[nodiscard]] bool writes() const { return writing_; }
  /// When writes below the mark may go if no read comes before; kNever: none wait for that.
  [[nodiscard]] Clock pause_at() const { return pause_at_; }
  /// A burst of this direction has gone.
  void note_burst() { ++sent_since_turn_; }
  /// Turns if that is due; returns whether it has.
  bool turn(const BankQueues& reads, const BankQueues& writes, Clock now);
  void reset();

 private:
  [[nodiscard]] bool should_turn(std::uint32_t reads, std::uint32_t writes) const;
  [[nodiscard]] bool should_wait(std::uint32_t reads, std::uint32_t writes, Clock now);

  bool writing_ = false;
  Clock pause_at_ = kNever;
  std::uint32_t sent_since_turn_ = 0;  ///< bursts
  std::uint32_t batch_ = 0;            ///< bursts after which this direction yields to the other's need
  std::uint32_t high_;                 ///< hundredths of a request
  std::uint32_t low_;
  Clock wait_;
};

}  // namespace gpusim::mem::dram
