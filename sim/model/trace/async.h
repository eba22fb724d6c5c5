// SPDX-License-Identifier: MIT
// What the asynchronous engines of an SM are told: mbarriers in shared memory, tensor maps, and the operands of the
// instructions that use them, as far as they decide time.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace gpusim::trace {

/// Consecutive mbarriers of eight bytes in a CTA's shared memory, declared under one name.
struct MbarrierArray {
  std::string name;          ///< empty: any eight bytes of the shared memory may be one
  std::uint64_t offset = 0;  ///< bytes into the CTA's shared memory
  std::uint32_t count = 1;
  std::uint32_t first = 0;  ///< number of the first one among all of the CTA
};

inline constexpr std::uint64_t kMbarrierBytes =
    8;  ///< PTX ISA, mbarrier: an object in shared memory, and its alignment
inline constexpr std::uint32_t kMostTensorRank = 5;
/// PTX ISA, mbarrier: the range of the counts of arrivals and of transactions, in bytes.
inline constexpr std::int64_t kMostMbarrierCount = (1 << 20) - 1;
inline constexpr std::uint64_t kBulkUnit = 16;  ///< PTX ISA, cp.async.bulk: sizes and addresses are multiples of it
inline constexpr std::uint32_t kMostMulticast = 16;  ///< PTX ISA, cp.async.bulk.tensor: the mask has 16 bits

/// A tensor in global memory and the box of it that one command copies (PTX ISA, tensors; cuTensorMapEncodeTiled).
/// Dimension 0 is the innermost.
struct TensorMap {
  std::string name;
  Address base = 0;
  std::uint32_t element_bytes = 1;
  std::uint32_t rank = 1;
  std::array<std::int64_t, kMostTensorRank> size{1, 1, 1, 1, 1};     ///< elements
  std::array<std::uint64_t, kMostTensorRank> stride{0, 0, 0, 0, 0};  ///< bytes; of dimension 0 an element
  std::array<std::uint32_t, kMostTensorRank> box{1, 1, 1, 1, 1};     ///< elements

  /// What a copy of a box moves into or out of shared memory, parts outside the tensor included.
  [[nodiscard]] std::uint64_t box_bytes() const {
    std::uint64_t bytes = element_bytes;
    for (const std::uint32_t elements : box) {
      bytes *= elements;
    }
    return bytes;
  }
};

/// What an instruction asks of an mbarrier or of the TMA.
enum class AsyncAction : std::uint8_t {
  kNone,            ///< nothing is known of it: it takes its time and signals nobody
  kInitialise,      ///< the mbarrier expects `count` arrivals a phase from now on
  kInvalidate,      ///< its memory is free for other uses
  kArrive,          ///< `count` arrivals of each lane, after `bytes` more are expected
  kDrop,            ///< the same, and as many fewer arrivals are expected in later phases
  kComplete,        ///< `bytes` have come
  kArriveOnCopies,  ///< each lane arrives once when its LDGSTS so far have
  kWait,            ///< whether the phase of parity `parity` is over
  kSignalStores,    ///< STAS, REDAS: the bytes stored have come
  kLoad,            ///< global to shared; `bytes` are signalled to the mbarrier
  kStore,           ///< shared to global
  kReduce,          ///< shared to global, added there
  kPrefetch,        ///< global to L2
  kMove,            ///< shared to shared of a CTA of the cluster; `bytes` are signalled to an mbarrier there
  kMoveReduce       ///< the same, added there
};

[[nodiscard]] constexpr bool is_copy(AsyncAction action) {
  return action >= AsyncAction::kLoad;
}
/// Copies that global memory has no part in. Walker::target_rank() is the rank of the CTA that they go to.
[[nodiscard]] constexpr bool is_move(AsyncAction action) {
  return action >= AsyncAction::kMove;
}

/// The operands of one execution. Addresses are bytes.
struct AsyncOperands {
  static constexpr std::uint32_t kNoBarrier = 0xffffffffU;
  AsyncAction action = AsyncAction::kNone;
  bool parity = false;
  std::uint32_t barrier = kNoBarrier;  ///< number among the CTA's
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;
  std::uint16_t multicast = 0;                     ///< mask of the ranks that a load goes to; 0: its own CTA
  const TensorMap* map = nullptr;                  ///< null: `bytes` consecutive ones from `global` on
  std::array<std::int64_t, kMostTensorRank> at{};  ///< the box's first element
  /// Without a map, or what is added to the map's base. For a move: its first byte in the shared memory it goes to.
  Address global = 0;
};

}  // namespace gpusim::trace
