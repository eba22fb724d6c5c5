// SPDX-License-Identifier: MIT
// What the warps of one CTA did, and for which others it stands.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/exec/alike/region.h"
#include "sim/exec/alike/slope.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/step.h"

namespace gpusim::exec {

struct CtaRecord {
  static constexpr std::uint32_t kNoAccess = ~std::uint32_t{0};

  struct Access {
    trace::LaneAddresses addresses;  ///< those of the CTA that was recorded
    Slope slope;                     ///< what each address grows by
    isa::MemSpace space = isa::MemSpace::kNone;
  };
  struct WarpStep {
    trace::Step step;
    std::uint32_t access = kNoAccess;  ///< number of the primary one; that of a shared destination is behind it
  };
  /// So many steps of a warp, before another warp had its turn.
  struct Turn {
    std::uint32_t warp = 0;
    std::uint32_t steps = 0;
  };

  trace::CtaId place;  ///< that of the CTA that was recorded
  Region region;       ///< CTAs that do the same, at addresses that grow by the slopes
  std::vector<std::vector<WarpStep>> warps;
  std::vector<Access> accesses;
  std::vector<Turn> turns;
  std::deque<std::array<std::int64_t, kWarpLanes>> offsets;  ///< those of accesses that have no pattern

  /// Steps of the warp that has most.
  [[nodiscard]] std::size_t most_steps() const {
    std::size_t most = 0;
    for (const std::vector<WarpStep>& steps : warps) {
      most = std::max(most, steps.size());
    }
    return most;
  }
  [[nodiscard]] bool stands_for(trace::CtaId cta) const { return region.contains(distance(place, cta)); }
};

}  // namespace gpusim::exec
