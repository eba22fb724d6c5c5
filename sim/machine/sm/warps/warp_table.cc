// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/warp_table.h"

#include "sim/model/trace/walker.h"

namespace gpusim::sm {

// Not value-initialised: a fifth of a warp is the intervals of states, of which those that hold have a value.
WarpTable::WarpTable(std::uint32_t slots, std::uint32_t sub_cores)
    : slots_(slots),
      sub_cores_(sub_cores),
      warps_(std::make_unique_for_overwrite<Warp[]>(slots)),
      walkers_(std::make_unique_for_overwrite<trace::Walker[]>(slots)),
      first_walker_(reinterpret_cast<const char*>(walkers_.get())),
      walker_bytes_(sizeof(trace::Walker)) {
  for (std::uint32_t i = 0; i < slots; ++i) {
    warps_[i].walker = &walkers_[i];
    warps_[i].sub_core = i % sub_cores;
    warps_[i].slot = i / sub_cores;
  }
}

WarpTable::~WarpTable() = default;

}  // namespace gpusim::sm
