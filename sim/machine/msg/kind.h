// SPDX-License-Identifier: MIT
// The kinds of messages between domains, and the one table of what each of them is made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gpusim::msg {

enum class Kind : std::uint8_t {
  kRead,           ///< SM -> L2: sectors of a line
  kWrite,          ///< SM -> L2: sectors written through
  kAtomic,         ///< SM -> L2: read-modify-write at the home slice
  kReduction,      ///< SM -> L2: as kAtomic without a value
  kReadReply,      ///< L2 -> SM: the sectors asked for
  kReadReplyCopy,  ///< L2 -> SM: the same, with the reply just before to another SM of the GPC, whose port it passes
                   ///< with it
  kWriteAck,       ///< L2 -> SM: a write or reduction is globally visible
  kFarRead,        ///< partition -> partition: sectors the near half does not hold
  kFarReadReply,   ///< partition -> partition: those sectors
  kFarWrite,       ///< partition -> partition: write-through of the near half to a line's home
  kFarAtomic,      ///< partition -> partition: an atomic on its way to its home
  kFarReduction,   ///< partition -> partition: a reduction on its way to its home
  kFarAck,         ///< partition -> partition: kFarWrite or kFarReduction done
  kFarInvalidate,  ///< partition -> partition: a copy whose line is written at its home
  kSliceCredit,    ///< L2 -> GPC router: places at a slice are free again
  kSmCredit,       ///< GPC router -> SM: places of its queue there are free again
  kCtaLaunch,      ///< dispatcher -> SM: run a CTA
  kCtaDone,        ///< SM -> dispatcher: a CTA has drained
  kTranslate,      ///< GPC router -> MMU: where is an address?
  kTranslated,     ///< MMU -> GPC router: the address as it was asked

  // Messages about clusters.
  kCtaPlaced,        ///< dispatcher -> GPC router: the CTA runs on an SM
  kClusterArrive,    ///< SM -> router: all warps of the CTA are at the barrier of their cluster
  kClusterExit,      ///< SM -> router: all warps of the CTA have exited: it is at every barrier from now on
  kClusterLeave,     ///< SM -> router: the CTA has drained
  kClusterRelease,   ///< router -> SM: all of the cluster have arrived
  kDsmemRead,        ///< SM -> SM: sectors of a CTA's shared memory
  kDsmemWrite,       ///< SM -> SM: sectors written there
  kDsmemAtomic,      ///< SM -> SM: read-modify-write there
  kDsmemReduction,   ///< SM -> SM: the same without a value
  kRemoteArrive,     ///< SM -> SM: arrivals at an mbarrier
  kRemoteDrop,       ///< SM -> SM: the same, and as many fewer are expected from then on
  kRemoteExpect,     ///< SM -> SM: the mbarrier expects bytes
  kRemoteComplete,   ///< SM -> SM: bytes have come
  kDsmemReply,       ///< SM -> SM: the sectors asked for
  kDsmemAck,         ///< SM -> SM: a write, a reduction or an operation on an mbarrier is done
  kDsmemAbsent,      ///< SM -> SM, instead of the answer: the CTA is not there
  kMbarrierRefusal,  ///< SM -> SM, instead of the answer: the mbarrier is not used as it may be

  // Copies that an SM's TMA asks for once and that several CTAs get. An SM announces one in two parts, before it asks
  // for lines.
  kMulticastTo,    ///< SM -> router: which CTAs get them
  kMulticastSize,  ///< SM -> router: how much it is
  kMulticastLine,  ///< router -> SM: sectors for a CTA
  kMulticastSent,  ///< router -> the SM that asked, instead of a kReadReply whose sectors are not for it
};

/// What a message says besides its header: a struct of payload.h each.
enum class PayloadType : std::uint8_t {
  kSmAccess,
  kFarAccess,
  kSliceCredit,
  kSmCredit,
  kCtaLaunch,
  kCtaDone,
  kTranslation,
  kClusterMember,
  kDsmemAccess,
  kMbarrierRequest,
  kDsmemAnswer,
  kMbarrierRefusal,
  kMulticastTargets,
  kMulticastSize,
  kMulticastLine,
};

struct KindRow {
  Kind kind;
  PayloadType payload;
  bool carries_data = false;        ///< 32 bytes on a link for each of its sectors
  std::optional<Kind> answer = {};  ///< the kind that comes back to the asker
};

/// By kind.
inline constexpr std::array kKinds{
    KindRow{Kind::kRead, PayloadType::kSmAccess, false, Kind::kReadReply},
    KindRow{Kind::kWrite, PayloadType::kSmAccess, true, Kind::kWriteAck},
    KindRow{Kind::kAtomic, PayloadType::kSmAccess, true, Kind::kReadReply},
    KindRow{Kind::kReduction, PayloadType::kSmAccess, true, Kind::kWriteAck},
    KindRow{Kind::kReadReply, PayloadType::kSmAccess, true},
    KindRow{Kind::kReadReplyCopy, PayloadType::kSmAccess, true},
    KindRow{Kind::kWriteAck, PayloadType::kSmAccess},
    KindRow{Kind::kFarRead, PayloadType::kFarAccess, false, Kind::kFarReadReply},
    KindRow{Kind::kFarReadReply, PayloadType::kFarAccess, true},
    KindRow{Kind::kFarWrite, PayloadType::kFarAccess, true, Kind::kFarAck},
    KindRow{Kind::kFarAtomic, PayloadType::kFarAccess, true, Kind::kFarReadReply},
    KindRow{Kind::kFarReduction, PayloadType::kFarAccess, true, Kind::kFarAck},
    KindRow{Kind::kFarAck, PayloadType::kFarAccess},
    KindRow{Kind::kFarInvalidate, PayloadType::kFarAccess},
    KindRow{Kind::kSliceCredit, PayloadType::kSliceCredit},
    KindRow{Kind::kSmCredit, PayloadType::kSmCredit},
    KindRow{Kind::kCtaLaunch, PayloadType::kCtaLaunch, false, Kind::kCtaDone},
    KindRow{Kind::kCtaDone, PayloadType::kCtaDone},
    KindRow{Kind::kTranslate, PayloadType::kTranslation, false, Kind::kTranslated},
    KindRow{Kind::kTranslated, PayloadType::kTranslation},
    KindRow{Kind::kCtaPlaced, PayloadType::kClusterMember},
    KindRow{Kind::kClusterArrive, PayloadType::kClusterMember, false, Kind::kClusterRelease},
    KindRow{Kind::kClusterExit, PayloadType::kClusterMember},
    KindRow{Kind::kClusterLeave, PayloadType::kClusterMember},
    KindRow{Kind::kClusterRelease, PayloadType::kClusterMember},
    KindRow{Kind::kDsmemRead, PayloadType::kDsmemAccess, false, Kind::kDsmemReply},
    KindRow{Kind::kDsmemWrite, PayloadType::kDsmemAccess, true, Kind::kDsmemAck},
    KindRow{Kind::kDsmemAtomic, PayloadType::kDsmemAccess, true, Kind::kDsmemReply},
    KindRow{Kind::kDsmemReduction, PayloadType::kDsmemAccess, true, Kind::kDsmemAck},
    KindRow{Kind::kRemoteArrive, PayloadType::kMbarrierRequest, false, Kind::kDsmemAck},
    KindRow{Kind::kRemoteDrop, PayloadType::kMbarrierRequest, false, Kind::kDsmemAck},
    KindRow{Kind::kRemoteExpect, PayloadType::kMbarrierRequest, false, Kind::kDsmemAck},
    KindRow{Kind::kRemoteComplete, PayloadType::kMbarrierRequest, false, Kind::kDsmemAck},
    KindRow{Kind::kDsmemReply, PayloadType::kDsmemAnswer, true},
    KindRow{Kind::kDsmemAck, PayloadType::kDsmemAnswer},
    KindRow{Kind::kDsmemAbsent, PayloadType::kDsmemAnswer},
    KindRow{Kind::kMbarrierRefusal, PayloadType::kMbarrierRefusal},
    KindRow{Kind::kMulticastTo, PayloadType::kMulticastTargets},
    KindRow{Kind::kMulticastSize, PayloadType::kMulticastSize},
    KindRow{Kind::kMulticastLine, PayloadType::kMulticastLine, true},
    KindRow{Kind::kMulticastSent, PayloadType::kSmAccess},
};
inline constexpr std::size_t kKindCount = kKinds.size();

namespace detail {

[[nodiscard]] constexpr bool rows_stand_by_kind() {
  for (std::size_t i = 0; i < kKindCount; ++i) {
    if (kKinds[i].kind != static_cast<Kind>(i)) {
      return false;
    }
  }
  return true;
}
static_assert(rows_stand_by_kind() && kKinds.back().kind == Kind::kMulticastSent && kKindCount <= 64);

/// The column `carries_data` as a mask, one bit per kind.
[[nodiscard]] constexpr std::uint64_t data_kinds() {
  std::uint64_t mask = 0;
  for (const KindRow& row : kKinds) {
    mask |= std::uint64_t{row.carries_data} << static_cast<unsigned>(row.kind);
  }
  return mask;
}

}  // namespace detail

[[nodiscard]] constexpr PayloadType payload_of(Kind kind) {
  return kKinds[static_cast<std::size_t>(kind)].payload;
}
[[nodiscard]] constexpr bool carries_data(Kind kind) {
  return (detail::data_kinds() >> static_cast<unsigned>(kind) & 1U) != 0;
}
/// The kind of the answer; `kind` must be one that is answered.
[[nodiscard]] constexpr Kind answer_to(Kind kind) {
  return *kKinds[static_cast<std::size_t>(kind)].answer;
}

/// Whether a message has to do with clusters: a CTA's coming and going, their barriers, their shared memories.
[[nodiscard]] constexpr bool is_of_cluster(Kind kind) {
  return kind >= Kind::kCtaPlaced;
}
/// Whether an SM asks another one for an operation on an mbarrier, and no more.
[[nodiscard]] constexpr bool is_mbarrier_operation(Kind kind) {
  return kind >= Kind::kRemoteArrive && kind <= Kind::kRemoteComplete;
}

}  // namespace gpusim::msg
