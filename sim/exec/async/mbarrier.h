// SPDX-License-Identifier: MIT
// An mbarrier as it lies in shared memory: 64 bits. The kernel writes its first state itself (SYNCS.EXCH), as ptxas
// 13.0 calculates it for mbarrier.init: bits 1 to 20 are how many arrivals a phase needs, negative, bits 43 to 62 how
// many are missing, negative too, so that the last arrival carries into bit 63, the phase. Between them lie, so we take
// it, the bytes that are missing.
#pragma once

#include <cstdint>

namespace gpusim::exec {

class Mbarrier {
 public:
  explicit Mbarrier(std::uint64_t state);
  [[nodiscard]] std::uint64_t state() const;
  [[nodiscard]] bool phase() const { return phase_; }
  [[nodiscard]] std::uint32_t needed() const { return needed_; }  ///< arrivals a phase

  void arrive(std::uint32_t count) {
    missing_ = (missing_ - count) & kCountMask;
    complete_if_due();
  }
  /// One arrival less from the next phase on.
  void drop() { needed_ = (needed_ - 1) & kCountMask; }
  /// Bytes that are to come; those that have come, negative.
  void expect(std::int64_t bytes) {
    bytes_ += bytes;
    complete_if_due();
  }
  /// The phase expects bytes before the arrival counts.
  void arrive_and_expect(std::uint32_t bytes) {
    bytes_ += bytes;
    arrive(1);
  }

 private:
  static constexpr std::uint32_t kCountMask = (1U << 20U) - 1;

  void complete_if_due() {
    if (missing_ == 0 && bytes_ == 0) {
      phase_ = !phase_;
      missing_ = needed_;
    }
  }

  std::uint32_t needed_;
  std::uint32_t missing_;
  std::int64_t bytes_;
  bool phase_;
};

}  // namespace gpusim::exec
