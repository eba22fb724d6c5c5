// SPDX-License-Identifier: MIT
// What domains say to each other: one small record. Domains share nothing else, and every message takes at least the
// lookahead window to arrive.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "sim/base/types.h"
#include "sim/machine/msg/kind.h"
#include "sim/machine/msg/payload.h"

namespace gpusim::msg {

/// A domain of the machine: an SM, a GPC router, a memory partition, the CTA dispatcher, the MMU. Dense from 0.
using DomainId = std::uint32_t;

namespace detail {

inline constexpr std::size_t kPayloadBytes = 20;

/// Room for any payload; the message's kind says which one lives there.
union Payload {
  Payload() {}  // NOLINT: as long as nobody has made a message, no payload lives here
  SmAccess sm_access;
  FarAccess far_access;
  SliceCredit slice_credit;
  SmCredit sm_credit;
  CtaLaunch cta_launch;
  CtaDone cta_done;
  Translation translation;
  ClusterMember cluster_member;
  DsmemAccess dsmem_access;
  MbarrierRequest mbarrier_request;
  DsmemAnswer dsmem_answer;
  MbarrierRefusal mbarrier_refusal;
  MulticastTargets multicast_targets;
  MulticastSize multicast_size;
  MulticastLine multicast_line;
};
static_assert(std::is_trivially_copyable_v<Payload> && sizeof(Payload) == kPayloadBytes);

template <class View>
inline constexpr View Payload::*kMember = nullptr;
template <>
inline constexpr SmAccess Payload::*kMember<SmAccess> = &Payload::sm_access;
template <>
inline constexpr FarAccess Payload::*kMember<FarAccess> = &Payload::far_access;
template <>
inline constexpr SliceCredit Payload::*kMember<SliceCredit> = &Payload::slice_credit;
template <>
inline constexpr SmCredit Payload::*kMember<SmCredit> = &Payload::sm_credit;
template <>
inline constexpr CtaLaunch Payload::*kMember<CtaLaunch> = &Payload::cta_launch;
template <>
inline constexpr CtaDone Payload::*kMember<CtaDone> = &Payload::cta_done;
template <>
inline constexpr Translation Payload::*kMember<Translation> = &Payload::translation;
template <>
inline constexpr ClusterMember Payload::*kMember<ClusterMember> = &Payload::cluster_member;
template <>
inline constexpr DsmemAccess Payload::*kMember<DsmemAccess> = &Payload::dsmem_access;
template <>
inline constexpr MbarrierRequest Payload::*kMember<MbarrierRequest> = &Payload::mbarrier_request;
template <>
inline constexpr DsmemAnswer Payload::*kMember<DsmemAnswer> = &Payload::dsmem_answer;
template <>
inline constexpr MbarrierRefusal Payload::*kMember<MbarrierRefusal> = &Payload::mbarrier_refusal;
template <>
inline constexpr MulticastTargets Payload::*kMember<MulticastTargets> = &Payload::multicast_targets;
template <>
inline constexpr MulticastSize Payload::*kMember<MulticastSize> = &Payload::multicast_size;
template <>
inline constexpr MulticastLine Payload::*kMember<MulticastLine> = &Payload::multicast_line;

/// The payloads that a view is a view of: itself, or the two structs behind it.
template <class View>
struct Forms {
  using One = View;
  using Other = View;
};
template <>
struct Forms<L2Access> {
  using One = SmAccess;
  using Other = FarAccess;
};
template <>
struct Forms<DsmemAsk> {
  using One = DsmemAccess;
  using Other = MbarrierRequest;
};
template <>
struct Forms<DsmemReply> {
  using One = DsmemAnswer;
  using Other = MbarrierRefusal;
};

/// Both forms begin at the same place: where compilers optimise, no choice between them is left.
template <class View, class AnyPayload>
[[nodiscard]] auto& view_of(AnyPayload& payload, Kind kind) {
  using One = typename Forms<View>::One;
  using Other = typename Forms<View>::Other;
  assert(payload_of(kind) == One::kType || payload_of(kind) == Other::kType);
  using Result = std::conditional_t<std::is_const_v<AnyPayload>, const View, View>;
  Result& one = payload.*kMember<One>;
  Result& other = payload.*kMember<Other>;
  return payload_of(kind) == One::kType ? one : other;
}

}  // namespace detail

class Message;

/// A message that says `payload`, which has to be that of `kind`.
template <class View>
[[nodiscard]] Message make(Kind kind, const View& payload, std::uint8_t sectors = 0);

/// One message: a header and a payload. 32 bytes, trivially copyable: a simulation of a memory-bound kernel moves
/// little else. One that make() has not made is empty.
class Message {
 public:
  Cycle time = 0;            ///< arrival, in the receiver's clock
  std::uint16_t source = 0;  ///< DomainId of the sender: the tie-break of the total order
  std::uint8_t sectors = 0;  ///< mask of the four sectors of the line that it is about
  [[nodiscard]] Kind kind() const { return kind_; }

  /// The payload, which has to be that of the kind, or what it has in common with another one.
  template <class View>
  [[nodiscard]] const View& as() const {
    return detail::view_of<View>(payload_, kind_);
  }
  template <class View>
  [[nodiscard]] View& as() {
    return detail::view_of<View>(payload_, kind_);
  }
  /// The same message as another kind that has the same payload.
  [[nodiscard]] Message as_kind(Kind kind) const {
    assert(payload_of(kind) == payload_of(kind_));
    Message message = *this;
    message.kind_ = kind;
    return message;
  }

 private:
  template <class View>
  friend Message make(Kind kind, const View& payload, std::uint8_t sectors);

  Kind kind_ = Kind::kSmCredit;
  detail::Payload payload_;
};
static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) == 32);

template <class View>
Message make(Kind kind, const View& payload, std::uint8_t sectors) {
  assert(payload_of(kind) == View::kType);
  Message message;
  message.kind_ = kind;
  message.sectors = sectors;
  std::construct_at(&(message.payload_.*detail::kMember<View>), payload);
  return message;
}

/// Sectors in a mask of a line's four.
[[nodiscard]] constexpr std::uint32_t sector_count(std::uint8_t mask) {
  return static_cast<std::uint32_t>(std::popcount(mask & 0xfU));
}

/// Bytes a message occupies on a link: a header, and 32 bytes a sector where it carries data.
[[nodiscard]] inline std::uint32_t wire_bytes(const Message& m, std::uint32_t header_bytes) {
  return header_bytes + (carries_data(m.kind()) ? sector_count(m.sectors) * kSectorBytes : 0);
}

}  // namespace gpusim::msg
