// SPDX-License-Identifier: MIT
// What domains say to each other: one small record. Domains share nothing else, and every message takes at least the
// lookahead window to arrive.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/base/types.h"

namespace gpusim::msg {

/// A domain of the machine: an SM, a GPC router, a memory partition, the CTA dispatcher, the MMU. Dense from 0.
using DomainId = std::uint32_t;

enum class Kind : std::uint8_t {
  kRead,           ///< SM -> L2: sectors of a line, answered by kReadReply
  kWrite,          ///< SM -> L2: sectors written through, answered by kWriteAck
  kAtomic,         ///< SM -> L2: read-modify-write at the home slice, answered by kReadReply
  kReduction,      ///< SM -> L2: as kAtomic without a value, answered by kWriteAck
  kReadReply,      ///< L2 -> SM: the sectors asked for
  kWriteAck,       ///< L2 -> SM: a write or reduction is globally visible
  kFarRead,        ///< partition -> partition: sectors the near half does not hold
  kFarReadReply,   ///< partition -> partition: those sectors
  kFarWrite,       ///< partition -> partition: write-through of the near half to a line's home
  kFarAtomic,      ///< partition -> partition: an atomic on its way to its home, answered by kFarReadReply
  kFarReduction,   ///< partition -> partition: a reduction on its way to its home
  kFarAck,         ///< partition -> partition: kFarWrite or kFarReduction done
  kFarInvalidate,  ///< partition -> partition: a copy whose line is written at its home; not answered
  kCredit,         ///< receiver -> sender: `count` places are free again
  kCtaLaunch,      ///< dispatcher -> SM: run CTA `address` of kernel `token`
  kCtaDone,        ///< SM -> dispatcher: CTA `address` has drained
  kTranslate,      ///< GPC router -> MMU: where is `address`, answered by kTranslated
  kTranslated,     ///< MMU -> GPC router: `address` as it was asked

  // Of clusters. `address` is the cluster's number, `count` the rank of a CTA in it.
  kCtaPlaced,        ///< dispatcher -> GPC router: the CTA runs on SM `requester`
  kClusterArrive,    ///< SM -> router: all warps of the CTA are at the barrier of their cluster
  kClusterExit,      ///< SM -> router: all warps of the CTA have exited: it is at every barrier from now on
  kClusterLeave,     ///< SM -> router: the CTA has drained
  kClusterRelease,   ///< router -> SM: all of the cluster have arrived
  kRemoteRead,       ///< SM -> SM: sectors of a CTA's shared memory, answered by kRemoteReply
  kRemoteWrite,      ///< SM -> SM: sectors written there, answered by kRemoteAck; `slice`: 1 + the mbarrier it signals
  kRemoteAtomic,     ///< SM -> SM: read-modify-write there, answered by kRemoteReply
  kRemoteReduction,  ///< SM -> SM: the same without a value, answered by kRemoteAck; `slice` as of kRemoteWrite
  kRemoteArrive,     ///< SM -> SM: `amount` arrivals at mbarrier `slice`, answered by kRemoteAck
  kRemoteDrop,       ///< SM -> SM: the same, and as many fewer are expected from then on
  kRemoteExpect,     ///< SM -> SM: the mbarrier expects `amount` bytes more
  kRemoteComplete,   ///< SM -> SM: `amount` bytes have come
  kRemoteReply,      ///< SM -> SM: the sectors asked for
  kRemoteAck,        ///< SM -> SM: a write, a reduction or an operation on an mbarrier is done
  kRemoteFault,      ///< SM -> SM: it cannot be, `count` says why, and `address` what the mbarrier lacks

  // Copies that an SM's TMA asks for once and that several CTAs get. An SM announces one in two parts, before it asks
  // for lines; `token` and `requester` are those of its requests.
  kMulticastTo,    ///< SM -> router: ranks (mask `count`) of cluster `address`, mbarrier `slice`; `lanes`: 1 also here
  kMulticastSize,  ///< SM -> router: `count` lines, `slice` units of kBulkUnit bytes, instruction `address`
  kMulticastLine,  ///< router -> SM: sectors for a CTA. `slice`: mbarrier, `token`: instruction; with the last one
                   ///< `requester` units of kBulkUnit bytes are complete
  kMulticastSent,  ///< router -> the SM that asked, instead of sectors that are not for it
};
/// Bytes and addresses of bulk copies are multiples of it (PTX ISA, cp.async.bulk).
inline constexpr std::uint32_t kBulkUnit = 16;

/// One message. 32 bytes, trivially copyable: a simulation of a memory-bound kernel moves little else.
struct Message {
  Cycle time = 0;               ///< arrival, in the receiver's clock
  Address address = 0;          ///< line address (a multiple of kLineBytes), linear CTA index, or cluster
  std::uint32_t token = 0;      ///< the asker's own bookkeeping, returned unchanged
  std::uint16_t source = 0;     ///< DomainId of the sender: the tie-break of the total order
  std::uint16_t requester = 0;  ///< SM index (of far messages: the slice index that asks)
  std::uint16_t slice = 0;      ///< global slice index the request is for; kRemoteReply and such: the SM that answers
  std::uint16_t count = 0;      ///< kCredit: places; a write's request: 1 on its instruction's last line; a CTA's rank
  Kind kind = Kind::kCredit;
  std::uint8_t sectors = 0;     ///< mask of the line's four sectors
  std::uint8_t write_full = 0;  ///< of writes: mask of sectors all of whose 32 bytes are written
  std::uint8_t lanes = 0;       ///< of shared memory's: that take part; kRead, kWrite: 1: the line is to leave L2 soon
};
static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) == 32);

/// Sectors in a mask of a line's four. A table in a register: portable builds call a function for a popcount.
[[nodiscard]] constexpr std::uint32_t sector_count(std::uint8_t mask) {
  constexpr std::uint64_t kCounts = 0x4332322132212110ULL;
  return static_cast<std::uint32_t>(kCounts >> (4 * (mask & 0xfU)) & 0xfU);
}

/// Whether a message has to do with clusters: a CTA's coming and going, their barriers, their shared memories.
[[nodiscard]] constexpr bool is_of_cluster(Kind kind) {
  return kind >= Kind::kCtaPlaced;
}
/// Whether an SM asks another one for an access to its shared memory.
[[nodiscard]] constexpr bool asks_remotely(Kind kind) {
  return kind >= Kind::kRemoteRead && kind <= Kind::kRemoteComplete;
}
/// Whether that access is an operation on an mbarrier.
[[nodiscard]] constexpr bool signals_remotely(Kind kind) {
  return kind >= Kind::kRemoteArrive && kind <= Kind::kRemoteComplete;
}

/// What an atomic or a reduction takes of L2's atomic unit: in bytes that say something else of other messages.
struct AtomicWork {
  std::uint8_t passes = 1;  ///< cycles: of each sector as many as lanes want its most wanted word
  std::uint8_t depth = 1;   ///< lanes that want the most wanted word of all
  AtomicType type = AtomicType::kInteger;
};
inline constexpr unsigned kDepthBits = 6;
inline void set_atomic_work(Message& m, const AtomicWork& work) {
  m.lanes = work.passes;
  m.write_full = static_cast<std::uint8_t>(work.depth | static_cast<unsigned>(work.type) << kDepthBits);
}
[[nodiscard]] constexpr AtomicWork atomic_work(const Message& m) {
  constexpr unsigned kDepth = (1U << kDepthBits) - 1;
  return {m.lanes, static_cast<std::uint8_t>(m.write_full & kDepth),
          static_cast<AtomicType>(m.write_full >> kDepthBits)};
}

/// Of operations on mbarriers: a number below 2^24, in the bytes that say of other messages what data they move.
inline void set_amount(Message& m, std::uint32_t amount) {
  m.sectors = static_cast<std::uint8_t>(amount);
  m.write_full = static_cast<std::uint8_t>(amount >> 8U);
  m.lanes = static_cast<std::uint8_t>(amount >> 16U);
}
[[nodiscard]] constexpr std::uint32_t amount(const Message& m) {
  return m.sectors | std::uint32_t{m.write_full} << 8U | std::uint32_t{m.lanes} << 16U;
}

/// Bytes a message occupies on a link: a header, and 32 bytes a sector where it carries data.
[[nodiscard]] constexpr std::uint32_t wire_bytes(const Message& m, std::uint32_t header_bytes) {
  const auto data = sector_count(m.sectors) * kSectorBytes;
  switch (m.kind) {
    case Kind::kWrite:
    case Kind::kAtomic:
    case Kind::kReduction:
    case Kind::kReadReply:
    case Kind::kFarReadReply:
    case Kind::kFarWrite:
    case Kind::kFarAtomic:
    case Kind::kFarReduction:
    case Kind::kRemoteWrite:
    case Kind::kRemoteAtomic:
    case Kind::kRemoteReduction:
    case Kind::kRemoteReply:
    case Kind::kMulticastLine: return header_bytes + data;
    default: return header_bytes;
  }
}

}  // namespace gpusim::msg
