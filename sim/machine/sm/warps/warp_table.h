// SPDX-License-Identifier: MIT
// The warp slots of an SM. Slot w belongs to sub-core w % sub_cores, as the hardware numbers warps. Owns the warps;
// their fields are written by the units that the fields concern.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/sm/warps/warp.h"

namespace gpusim::sm {

class WarpTable {
 public:
  WarpTable(std::uint32_t slots, std::uint32_t sub_cores) : sub_cores_(sub_cores), warps_(slots) {
    for (std::uint32_t i = 0; i < slots; ++i) {
      warps_[i].sub_core = i % sub_cores;
      warps_[i].slot = i / sub_cores;
    }
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(warps_.size()); }
  [[nodiscard]] Warp& operator[](std::uint32_t slot) { return warps_[slot]; }
  [[nodiscard]] const Warp& operator[](std::uint32_t slot) const { return warps_[slot]; }
  /// The warp in a slot of a sub-core.
  [[nodiscard]] Warp& at(std::uint32_t sub_core, std::uint32_t slot) { return warps_[slot * sub_cores_ + sub_core]; }
  /// Its slot in the SM.
  [[nodiscard]] std::uint16_t slot_of(const Warp& warp) const {
    return static_cast<std::uint16_t>(&warp - warps_.data());
  }
  [[nodiscard]] auto begin() const { return warps_.begin(); }
  [[nodiscard]] auto end() const { return warps_.end(); }

 private:
  std::uint32_t sub_cores_;
  std::vector<Warp> warps_;
};

}  // namespace gpusim::sm
