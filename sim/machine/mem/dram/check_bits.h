// SPDX-License-Identifier: MIT
// Check bits that lie among the data (`dram.ecc: inline`), as on boards with GDDR6, which has no bits of its own for
// them. A burst of them belongs to 16 bursts of data: an A40 shows 45 of its 48 GiB. It lies in the row of its data
// (guess), so that it costs a burst and no ACT, and a pseudo-channel keeps the latest ones.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

class CheckBits {
 public:
  static constexpr std::uint32_t kBurstsCovered = 16;

  explicit CheckBits(const arch::DramConfig& config)
      : lines_(kBurstsCovered * config.burst_bytes / kLineBytes),
        kept_(config.ecc == arch::DramEcc::kInline ? 2 * std::size_t{config.ecc_entries} : 0, kNever) {}

  /// Whether a request for this line moves check bits, too: those it needs are not here, or, of a write, not among
  /// those to be written yet. They are from now on.
  bool must_move(std::uint64_t line, bool write) {
    if (kept_.empty()) {
      return false;
    }
    const std::uint64_t block = line / lines_;
    std::uint64_t& place = kept_[2 * (block % (kept_.size() / 2)) + (write ? 1 : 0)];
    const bool is_new = place != block;
    place = block;
    return is_new;
  }
  void reset() { kept_.assign(kept_.size(), kNever); }

 private:
  std::uint64_t lines_;
  std::vector<std::uint64_t> kept_;  ///< numbers of blocks of lines; read and written in turn
};

}  // namespace gpusim::mem::dram
