// SPDX-License-Identifier: MIT
// What an instruction asks of an mbarrier or of the TMA. Here it is done at once; a machine with time takes it from
// here and does it in its own.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::exec {

inline constexpr unsigned kMbarrierBytes = 8;

inline constexpr unsigned kMostDimensions = 5;

/// A box of a tensor in global memory; the innermost dimension first.
struct TensorBox {
  std::uint32_t element_bytes = 1;
  std::uint8_t dimensions = 0;                           ///< 0: no box, but consecutive bytes
  std::array<std::uint64_t, kMostDimensions> sizes{};    ///< size of the tensor, in elements
  std::array<std::uint64_t, kMostDimensions> strides{};  ///< bytes from one to the next; [0] is the element
  std::array<std::uint32_t, kMostDimensions> box{};      ///< elements
  std::array<std::int64_t, kMostDimensions> begin{};     ///< the first element
  bool has_gaps = false;                                 ///< takes not every element of the box
};

struct AsyncEffect {
  enum class Kind : std::uint8_t {
    kNone,
    kInitialise,  ///< the mbarrier expects `count` arrivals a phase
    kInvalidate,
    kArrive,      ///< `count` arrivals of each lane, after `bytes` more are expected
    kDrop,        ///< the same, and later phases expect one arrival less for each
    kComplete,    ///< `bytes` have come, for each lane
    kSignal,      ///< a store or a reduction: `bytes` of it have come, for each lane
    kAsk,         ///< whether the phase of parity `parity` is over; the answer is in a predicate
    kLoad,        ///< global to shared memory: `bytes` come to the mbarrier
    kStore,       ///< shared to global memory
    kMove,        ///< shared memory to that of a CTA of the cluster, whose mbarrier `bytes` come to
    kMoveReduce,  ///< the same, added there
  };
  Kind kind = Kind::kNone;
  bool lanes_agree = true;  ///< all lanes that take part ask the same
  bool parity = false;
  std::uint16_t ranks = 0;     ///< kLoad: a mask of the CTAs of the cluster that get it; 0: the own one
  std::uint8_t predicate = 0;  ///< kAsk: as Warp::set_predicate() numbers it
  LaneMask mask = 0;           ///< lanes that take part
  std::uint32_t count = 0;
  Address barrier = 0;  ///< in shared memory, perhaps that of another CTA of the cluster
  std::uint64_t bytes = 0;
  Address global = 0;  ///< address of the tensor, or of the first byte; for a move in the other shared memory
  TensorBox box;
};

}  // namespace gpusim::exec
