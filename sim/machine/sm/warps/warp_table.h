// SPDX-License-Identifier: MIT
// The warp slots of an SM. Slot w belongs to sub-core w % sub_cores, as the hardware numbers warps. Owns the warps and
// their walkers; the fields of a warp are written by the units that they concern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sim/base/prefetch.h"
#include "sim/machine/sm/warps/warp.h"

namespace gpusim::sm {

class WarpTable {
 public:
  WarpTable(std::uint32_t slots, std::uint32_t sub_cores);
  ~WarpTable();
  WarpTable(const WarpTable&) = delete;
  WarpTable& operator=(const WarpTable&) = delete;

  [[nodiscard]] std::uint32_t size() const { return slots_; }
  [[nodiscard]] Warp& operator[](std::uint32_t slot) { return warps_[slot]; }
  [[nodiscard]] const Warp& operator[](std::uint32_t slot) const { return warps_[slot]; }
  /// The warp in a slot of a sub-core.
  [[nodiscard]] Warp& at(std::uint32_t sub_core, std::uint32_t slot) { return warps_[slot * sub_cores_ + sub_core]; }
  /// Its slot in the SM.
  [[nodiscard]] std::uint16_t slot_of(const Warp& warp) const {
    return static_cast<std::uint16_t>(&warp - warps_.get());
  }
  [[nodiscard]] auto begin() const { return std::span(warps_.get(), slots_).begin(); }
  [[nodiscard]] auto end() const { return std::span(warps_.get(), slots_).end(); }

  /// For the host's speed alone: what every instruction of the warp in the slot may touch.
  void prefetch(std::uint32_t slot) const {
    gpusim::prefetch(&warps_[slot], Warp::kHotBytes);
    gpusim::prefetch(first_walker_ + std::size_t{slot} * walker_bytes_, kHotWalkerBytes);
  }

 private:
  static constexpr std::size_t kHotWalkerBytes = 4 * kHostLineBytes;  ///< nearly all of a walker

  std::uint32_t slots_;
  std::uint32_t sub_cores_;
  std::unique_ptr<Warp[]> warps_;
  std::unique_ptr<trace::Walker[]> walkers_;  ///< by slot
  const char* first_walker_;
  std::size_t walker_bytes_;
};

}  // namespace gpusim::sm
