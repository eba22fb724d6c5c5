// SPDX-License-Identifier: MIT
// What handlers use beside the warp. An SM has one, or a thread of a run without timing.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/core/async_effect.h"
#include "sim/exec/core/image.h"
#include "sim/model/isa/instr.h"

namespace gpusim::exec {

class GlobalPort;

/// What a memory instruction accessed.
struct Access {
  isa::MemSpace space = isa::MemSpace::kNone;  ///< kNone: no such access
  std::uint8_t bytes = 0;                      ///< bytes of each lane
  bool is_mixed = false;  ///< a generic access led its lanes to several spaces; `space` is the last of them
  AddressRow addresses;   ///< in the space: global, or bytes from the begin of shared or local memory
};

/// What one step did.
struct Executed {
  std::uint32_t pc = 0;  ///< index of the instruction
  LaneMask active = 0;   ///< lanes of the path
  LaneMask mask = 0;     ///< those of the lanes whose guard is true
};

class Context {
 public:
  Context(const Image& of_image, GlobalPort& port) : image(of_image), global(port) {}

  const Image& image;
  GlobalPort& global;
  /// What SR_CLOCK reads: cycles, or executed instructions where there is no time. Its owner counts it.
  std::uint64_t clock = 0;
  std::uint32_t sm = 0;  ///< what SR_VIRTUALSMID reads
  Executed executed;
  /// What the last instruction accessed. LDGSTS has both: what it loads, and where in shared memory it stores.
  Access access;
  Access shared_destination;
  AsyncEffect async;  ///< what it asked of an mbarrier or of the TMA
};

}  // namespace gpusim::exec
