// SPDX-License-Identifier: MIT
// Copies for several CTAs that are under way through a GPC's router: which replies of L2 go to whom besides the SM that
// asked, and what they complete there.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "sim/machine/msg/message.h"

namespace gpusim::mem::noc {

struct Multicast {
  std::uint64_t cluster = 0;
  std::uint16_t others = 0;  ///< ranks (mask) that get the lines, but for the CTA that asks
  bool also_here = false;    ///< that CTA gets them too
  std::uint16_t mbarrier = 0;
  std::uint32_t pc = 0;
  std::uint16_t units = 0;  ///< of msg::kBulkUnit bytes that are complete with the last line
  std::uint32_t lines = 0;  ///< not yet passed on
};

class MulticastTable {
 public:
  [[nodiscard]] bool empty() const { return copies_.empty(); }
  /// kMulticastTo, then kMulticastSize.
  Multicast& announce(const msg::Message& message) { return copies_[key_of(message)]; }
  /// The copy that a reply belongs to; null for most.
  [[nodiscard]] Multicast* find(const msg::Message& reply) {
    if (copies_.empty()) {
      return nullptr;
    }
    const auto found = copies_.find(key_of(reply));
    return found == copies_.end() ? nullptr : &found->second;
  }
  void forget(const msg::Message& message) { copies_.erase(key_of(message)); }

 private:
  /// An SM has one request for several lines under way by a token.
  static std::uint64_t key_of(const msg::Message& message) {
    return std::uint64_t{message.requester} << 32U | message.token;
  }

  std::unordered_map<std::uint64_t, Multicast> copies_;  ///< never walked through
};

}  // namespace gpusim::mem::noc
