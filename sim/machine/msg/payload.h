// SPDX-License-Identifier: MIT
// What messages say, a struct a family of kinds (kind.h has the table). None is larger than 20 bytes, nor needs more
// than the alignment of 32 bits: a message has that much room behind its header.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/msg/kind.h"

namespace gpusim::msg {

/// 64 bits that need the alignment of 32 only. Compilers make one access of it.
class Packed64 {
 public:
  constexpr Packed64() = default;
  constexpr Packed64(std::uint64_t value) : halves_(std::bit_cast<Halves>(value)) {}          // NOLINT: is a number
  constexpr operator std::uint64_t() const { return std::bit_cast<std::uint64_t>(halves_); }  // NOLINT: is a number

 private:
  using Halves = std::array<std::uint32_t, 2>;
  Halves halves_{};
};

/// What an atomic or a reduction takes of L2's atomic unit.
struct AtomicWork {
  constexpr AtomicWork() = default;
  constexpr AtomicWork(std::uint8_t cycles, std::uint8_t lanes, AtomicType of)
      : passes(cycles), depth(lanes & 0x3fU), type(of) {}

  std::uint8_t passes = 0;     ///< cycles: of each sector as many as lanes want its most wanted word
  std::uint8_t depth : 6 = 0;  ///< lanes that want the most wanted word of all, at most 32
  AtomicType type : 2 = AtomicType::kInteger;
};

/// How much of each sector a write covers, where it does not cover all 32 bytes.
struct WriteParts {
  static constexpr std::uint32_t kBits = 4;

  [[nodiscard]] constexpr std::uint32_t pairs_of(std::uint32_t sector) const {
    return pairs >> (kBits * sector) & ((1U << kBits) - 1);
  }

  std::uint16_t pairs;  ///< four bits a sector: pairs of bytes that are written, 0 to 15
};

/// An access of a line in L2, and its answer, which says the same; who asks stands in the structs behind it. The
/// message's sectors are those of the line.
struct L2Access {
  Packed64 address;                  ///< address of the line, a multiple of kLineBytes
  std::uint32_t token = 0;           ///< the asker's own bookkeeping, returned unchanged
  std::uint16_t slice = 0;           ///< global index of the slice that is asked
  std::uint8_t full : 4 = 0;         ///< for a write: mask of sectors all of whose 32 bytes are written
  std::uint8_t is_last : 1 = 0;      ///< for a write or a reduction: its instruction's last line
  std::uint8_t leaves_soon : 1 = 0;  ///< for a read or a write: L2 is to evict the line first
  std::uint8_t is_copy : 1 = 0;      ///< the slice that is asked is not the line's home, but its mirror
  std::uint8_t is_bulk : 1 = 0;      ///< a read of the TMA for the CTA that asks alone
  std::uint8_t fetch_sectors = 0;    ///< for a read: what misses is fetched in aligned pieces of as many, 0 or 1: alone
  union {
    AtomicWork atomic{};  ///< work of an atomic or a reduction
    WriteParts parts;     ///< what a write covers
  };
};

/// An SM's access.
struct SmAccess : L2Access {
  static constexpr PayloadType kType = PayloadType::kSmAccess;
  std::uint16_t requester = 0;  ///< index of the SM
};
/// What a slice asks of its mirror in the other half.
struct FarAccess : L2Access {
  static constexpr PayloadType kType = PayloadType::kFarAccess;
  std::uint16_t asking_slice = 0;  ///< its global index
};

/// So many places at an L2 slice are free again, for a router.
struct SliceCredit {
  static constexpr PayloadType kType = PayloadType::kSliceCredit;
  std::uint16_t slice = 0;  ///< global index
  std::uint16_t places = 0;
};
/// So many places of an SM at its router are free again.
struct SmCredit {
  static constexpr PayloadType kType = PayloadType::kSmCredit;
  std::uint16_t places = 0;
};

struct CtaLaunch {
  static constexpr PayloadType kType = PayloadType::kCtaLaunch;
  Packed64 cta;  ///< its linear index
};
struct CtaDone {
  static constexpr PayloadType kType = PayloadType::kCtaDone;
  Packed64 cta;          ///< its linear index
  std::uint16_t sm = 0;  ///< index of the SM that it has left
};

struct Translation {
  static constexpr PayloadType kType = PayloadType::kTranslation;
  Packed64 address;
};

/// A CTA of a cluster, in the cluster's life.
struct ClusterMember {
  static constexpr PayloadType kType = PayloadType::kClusterMember;
  Packed64 cluster;        ///< its number
  std::uint16_t rank = 0;  ///< rank of the CTA
  std::uint16_t sm = 0;    ///< index of the SM where it runs
};

/// In the place of an mbarrier's number: none is signalled.
inline constexpr std::uint16_t kNoMbarrier = 0xffff;

/// What is asked of another CTA of the cluster; what it is stands in the structs behind it.
struct DsmemAsk {
  Packed64 cluster;                      ///< the number of the cluster
  std::uint32_t token = 0;               ///< the asker's own bookkeeping, returned unchanged
  std::uint16_t requester = 0;           ///< index of the SM that asks
  std::uint16_t mbarrier = kNoMbarrier;  ///< its number in the CTA
  std::uint8_t rank = 0;                 ///< rank of the CTA that is asked
};
/// An access to the CTA's shared memory. A store may signal an mbarrier there.
struct DsmemAccess : DsmemAsk {
  static constexpr PayloadType kType = PayloadType::kDsmemAccess;
  std::uint32_t signalled_bytes : 24 = 0;  ///< that the mbarrier hears of
};
/// An operation on an mbarrier of the CTA.
struct MbarrierRequest : DsmemAsk {
  static constexpr PayloadType kType = PayloadType::kMbarrierRequest;
  std::uint32_t amount : 24 = 0;  ///< that it counts
};

/// What comes back.
struct DsmemReply {
  std::uint32_t token = 0;
  std::uint16_t requester = 0;  ///< as asked
  std::uint16_t server = 0;     ///< index of the SM that answers
};
struct DsmemAnswer : DsmemReply {
  static constexpr PayloadType kType = PayloadType::kDsmemAnswer;
  std::uint8_t rank = 0;  ///< as asked
};
/// The mbarrier refuses the operation.
struct MbarrierRefusal : DsmemReply {
  static constexpr PayloadType kType = PayloadType::kMbarrierRefusal;
  std::uint32_t misuse : 8 = 0;   ///< sm::MbarrierMisuse
  std::uint32_t amount : 24 = 0;  ///< amount of the operation
  std::uint32_t pending = 0;      ///< arrivals that the mbarrier waits for
  std::uint32_t expected = 0;     ///< arrivals that it expects a phase
};

/// Bytes and addresses of bulk copies are multiples of it (PTX ISA, cp.async.bulk).
inline constexpr std::uint32_t kBulkUnit = 16;

/// The first part of what an SM announces: where a copy goes to. A copy's messages all have the token of its requests.
struct MulticastTargets {
  static constexpr PayloadType kType = PayloadType::kMulticastTargets;
  Packed64 cluster;
  std::uint32_t token = 0;
  std::uint16_t requester = 0;  ///< index of the SM that asks
  std::uint16_t ranks = 0;      ///< mask of those that get it, but for the CTA that asks
  std::uint16_t mbarrier = 0;   ///< in each of them, or kNoMbarrier
  bool also_here = false;       ///< the CTA that asks gets it, too
};
struct MulticastSize {
  static constexpr PayloadType kType = PayloadType::kMulticastSize;
  std::uint32_t token = 0;
  std::uint16_t requester = 0;
  std::uint16_t lines = 0;  ///< that will be asked for
  std::uint16_t units = 0;  ///< units of kBulkUnit bytes
  std::uint32_t pc = 0;     ///< index of the instruction
};
struct MulticastLine {
  static constexpr PayloadType kType = PayloadType::kMulticastLine;
  Packed64 cluster;
  std::uint32_t pc = 0;
  std::uint16_t rank = 0;  ///< rank of the CTA that gets it
  std::uint16_t mbarrier = 0;
  std::uint16_t complete_units = 0;  ///< units of kBulkUnit bytes: all of the copy with its last line, 0 before
};

}  // namespace gpusim::msg
