// SPDX-License-Identifier: MIT
// Where the local memory of the threads on an SM lies. It belongs to the places of warps, not to warps: the next warp
// in a place gets the addresses of the one before it, whose values are worth nothing by then. Owns how many warps each
// place has had.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/address_space.h"
#include "sim/base/types.h"
#include "sim/machine/mem/cache/line.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::sm {

class LocalFrames {
 public:
  /// `warps`: places of an SM.
  LocalFrames(std::uint32_t sm, std::uint32_t warps, const trace::LocalMemory& local)
      : any_(local.bytes != 0),
        words_(std::max<std::uint64_t>(1, (local.bytes + kLocalWordBytes - 1) / kLocalWordBytes)),
        first_word_(kLocalBegin / kLineBytes + std::uint64_t{sm} * warps * words_),
        base_(local.base),
        generations_(warps) {}

  [[nodiscard]] bool any() const { return any_; }
  /// What a thread of the warp calls address 0, as local_line() wants it.
  [[nodiscard]] Address zero_of(std::uint32_t warp) const {
    return (first_word_ + warp * words_) * kLocalWordBytes - base_;
  }
  /// The warp has left its place.
  void leave(std::uint32_t warp) { ++generations_[warp]; }

  /// Which warp writes a line, and which of its sectors wholly: the owner's byte of its tags.
  [[nodiscard]] std::uint8_t mark(std::uint32_t warp, mem::cache::SectorMask full) const {
    return static_cast<std::uint8_t>(generations_[warp] << 4U | full);
  }
  [[nodiscard]] static mem::cache::SectorMask full_sectors(std::uint8_t mark) { return mark & mem::cache::kAllSectors; }
  /// Whether the warp that wrote a line is still there. (After sixteen others an older one is taken for it.)
  [[nodiscard]] bool is_of(std::uint8_t mark, std::uint32_t warp) const {
    return mark >> 4U == (generations_[warp] & 0xfU);
  }
  [[nodiscard]] bool is_alive(const mem::cache::LineState& line) const {
    const std::uint64_t warp = (line.line - first_word_) / words_;
    return warp < generations_.size() && is_of(line.user, static_cast<std::uint32_t>(warp));
  }

 private:
  bool any_;
  std::uint64_t words_;       ///< words of a thread: lines of a warp
  std::uint64_t first_word_;  ///< number of the first warp's first line
  Address base_;
  std::vector<std::uint8_t> generations_;  ///< by place: counts the warps that have left it
};

}  // namespace gpusim::sm
