// SPDX-License-Identifier: MIT
// Messages that tests send and look at.
#pragma once

#include "sim/machine/msg/message.h"

namespace gpusim::test {

/// A request like any other, told from others by its token.
[[nodiscard]] inline msg::Message numbered(std::uint32_t token) {
  msg::SmAccess access;
  access.token = token;
  return msg::make(msg::Kind::kRead, access, 1);
}

/// What an access of L2, or its answer, says.
[[nodiscard]] inline const msg::L2Access& l2(const msg::Message& message) {
  return message.as<msg::L2Access>();
}
[[nodiscard]] inline msg::L2Access& l2(msg::Message& message) {
  return message.as<msg::L2Access>();
}
/// The SM that asks, or that is answered.
[[nodiscard]] inline std::uint16_t requester_of(const msg::Message& message) {
  return message.as<msg::SmAccess>().requester;
}
[[nodiscard]] inline std::uint32_t token_of(const msg::Message& message) {
  return l2(message).token;
}

}  // namespace gpusim::test
