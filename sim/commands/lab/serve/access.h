// SPDX-License-Identifier: MIT
// Who may ask: a browser on this machine that was given the address with the token in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/commands/lab/serve/message.h"

namespace gpusim::lab {

/// 256 random bits of the system as hexadecimal digits. Throws InputError when it has none.
[[nodiscard]] std::string random_token();

/// Whether both are equal, in a time that does not tell where they differ.
[[nodiscard]] bool is_same_secret(std::string_view one, std::string_view other);

class Access {
 public:
  Access(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}

  /// Where the first page is.
  [[nodiscard]] std::string address() const;

  /// Why the request is refused, if it is. The host has to be this machine, or a name of another place could be made to
  /// lead here; each address has to begin with the token; and what changes something has to come from a page of ours.
  [[nodiscard]] std::optional<Reply> refusal(const Request& request) const;

  /// What stands behind the token, "/" at least, of a request that is not refused.
  [[nodiscard]] std::string_view place_of(const Request& request) const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;

  std::uint16_t port_;
  std::string token_;
};

}  // namespace gpusim::lab
