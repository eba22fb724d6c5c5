// SPDX-License-Identifier: MIT
// A warp instruction on its way through the memory unit.
#pragma once

#include <cstdint>

#include "sim/lower/kernel_image.h"
#include "sim/mem/map/address_map.h"
#include "sim/sm/access_shape.h"
#include "sim/trace/async.h"
#include "sim/trace/walker.h"

namespace gpusim::sm {

/// Where this SM stands in the machine.
struct SmPlace {
  std::uint16_t index = 0;
  std::uint32_t l2_half = 0;          ///< the half of L2 that is near
  std::uint32_t request_credits = 0;  ///< places in its FIFO at the GPC router; 0: no back-pressure
  const mem::map::AddressMap* map = nullptr;
};

/// Which warp issued an access, for which lanes.
struct Origin {
  std::uint16_t warp = 0;  ///< warp slot of the SM
  std::uint16_t sub_core = 0;
  LaneMask mask = 0;
  std::uint16_t cta = 0;  ///< CTA slot of the SM
};

/// A warp instruction on its way through the load/store unit.
struct Access {
  const lower::WarpOp* op = nullptr;
  Origin origin;
  SharedShape shared;          ///< of shared-memory accesses, and of LDGSTS's destination
  GlobalShape global;          ///< of global and local accesses
  trace::AsyncOperands async;  ///< of operations on mbarriers and bulk copies
};

/// Where an access's lanes go, and who remembers what became of such addresses before.
struct LaneSource {
  trace::Walker& walker;
  ShapeCache& shapes;
};

}  // namespace gpusim::sm
