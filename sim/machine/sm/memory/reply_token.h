// SPDX-License-Identifier: MIT
// What an SM remembers its own requests by: a reply or an acknowledgement brings the token back.
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/machine/msg/message.h"

namespace gpusim::sm {

/// A kind and a number that the kind gives its meaning. Messages carry the bits.
class ReplyToken {
  static constexpr unsigned kKindAt = 30;
  static constexpr std::uint32_t kMostIndex = (1U << kKindAt) - 1;

 public:
  /// The largest tenant that a write's token holds.
  static constexpr std::uint16_t kMostTenant = kMostIndex >> 16U;

  enum class Kind : std::uint8_t {
    kMshr,    ///< a line that L1 reads; the number of the MSHR
    kTma,     ///< a line of a bulk copy; the number of the TMA's command
    kAtomic,  ///< an atomic with a result; the number of the outstanding load
    kWrite,   ///< a write; the warp's slot and its tenant, or none
  };

  [[nodiscard]] static constexpr ReplyToken mshr(std::uint32_t index) { return {Kind::kMshr, index}; }
  [[nodiscard]] static constexpr ReplyToken tma(std::uint32_t index) { return {Kind::kTma, index}; }
  [[nodiscard]] static constexpr ReplyToken atomic(std::uint32_t load) { return {Kind::kAtomic, load}; }
  /// `tenant` (at most kMostTenant) counts the slot's warps.
  [[nodiscard]] static constexpr ReplyToken write(std::uint16_t warp, std::uint16_t tenant) {
    return {Kind::kWrite, warp | std::uint32_t{tenant} << 16U};
  }
  /// A line that had to leave L1: no warp waits for it.
  [[nodiscard]] static constexpr ReplyToken write_back() { return {Kind::kWrite, kMostIndex}; }
  /// The token of a request to a slice, and of what the slice sends back.
  [[nodiscard]] static ReplyToken of(const msg::Message& message) {
    return ReplyToken(message.as<msg::L2Access>().token);
  }

  constexpr explicit ReplyToken(std::uint32_t bits) : bits_(bits) {}
  [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(bits_ >> kKindAt); }
  [[nodiscard]] constexpr std::uint32_t index() const { return bits_ & kMostIndex; }
  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
  /// The slot of the warp that wrote.
  [[nodiscard]] constexpr std::uint16_t warp() const { return static_cast<std::uint16_t>(bits_); }
  constexpr bool operator==(const ReplyToken&) const = default;

 private:
  constexpr ReplyToken(Kind kind, std::uint32_t index) : bits_(static_cast<std::uint32_t>(kind) << kKindAt | index) {
    assert(index <= kMostIndex);
  }

  std::uint32_t bits_;
};

}  // namespace gpusim::sm
