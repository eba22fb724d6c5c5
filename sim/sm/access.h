// SPDX-License-Identifier: MIT
// A memory instruction of a warp, as the memory unit is given it.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/lower/kernel_image.h"
#include "sim/sm/access_shape.h"
#include "sim/trace/walker.h"

namespace gpusim::sm {

/// Of an access to the shared memory of a CTA of the cluster: which one, and who asks.
struct RemoteTarget {
  std::uint64_t cluster = 0;
  std::uint64_t asker = 0;  ///< CTA, and the instruction: for messages
  std::uint32_t pc = 0;
  std::uint16_t warp = 0;  ///< that asks: its slot
  std::uint16_t rank = 0;
  bool is_own = true;  ///< the asker's own
};

/// Which warp issued an access, for which lanes.
struct Origin {
  std::uint16_t warp = 0;  ///< warp slot of the SM
  std::uint16_t sub_core = 0;
  LaneMask mask = 0;
  RemoteTarget remote{};
};

/// A warp instruction on its way through the load/store unit.
struct Access {
  const lower::WarpOp* op = nullptr;
  Origin origin;
  SharedShape shared;  ///< of shared-memory accesses, and of LDGSTS's destination
  GlobalShape global;  ///< of global and local accesses, and of those to other CTAs' shared memory
};

/// How an operation ends: the counter it lowers (kNoBarrier: a kOperationDone).
struct Completion {
  std::uint16_t warp = 0;
  std::uint8_t counter = isa::kNoBarrier;
  lower::ProducerClass producer = lower::ProducerClass::kLong;
  std::uint32_t pc = 0;    ///< index of the instruction
  std::uint8_t banks = 0;  ///< register banks that the result is written to
};

/// Cycles after the first register's for the data of a wider load to reach the registers.
[[nodiscard]] std::uint32_t extra_cycles(std::uint8_t bytes_per_lane);

/// Where an access's lanes go, and who remembers what became of such addresses before.
struct LaneSource {
  trace::Walker& walker;
  ShapeCache& shapes;
};

}  // namespace gpusim::sm
