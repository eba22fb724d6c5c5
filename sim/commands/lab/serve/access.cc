// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/access.h"

#include <array>
#include <cstddef>

#include <sys/random.h>

#include "sim/base/problem.h"

namespace gpusim::lab {
namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::string_view kHexDigits = "0123456789abcdef";

/// The part of a target behind its first "/", up to the next one.
std::string_view first_part(std::string_view target) {
  target.remove_prefix(target.starts_with('/') ? 1 : 0);
  return target.substr(0, target.find('/'));
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, kTokenBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw InputError({{"", 0, 0}, "this system has no random numbers, so there is no safe address", ""});
  }
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kHexDigits[byte >> 4U];
    token += kHexDigits[byte & 15U];
  }
  return token;
}

bool is_same_secret(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) {
    return false;  // the length of a token is not a secret
  }
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned>(static_cast<unsigned char>(other[i]));
  }
  return difference == 0;
}

std::string Access::address() const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/" + token_ + "/";
}

bool Access::is_own_host(std::string_view host) const {
  const std::string port = ":" + std::to_string(port_);
  return host == "127.0.0.1" + port || host == "localhost" + port;
}

std::optional<Reply> Access::refusal(const Request& request) const {
  constexpr std::string_view kScheme = "http://";
  if (!is_own_host(request.host)) {
    return problem_reply(403, "This server is for its own machine only: open the address that it printed.");
  }
  if (!is_same_secret(first_part(request.target), token_)) {
    return problem_reply(403, "The address lacks the token: open the address that gpusim lab serve printed.");
  }
  if (request.method == "GET") {
    return std::nullopt;
  }
  if (request.method != "POST") {
    return problem_reply(405, "Only GET and POST are known here.");
  }
  const std::string_view origin = request.origin;
  if (!origin.starts_with(kScheme) || !is_own_host(origin.substr(kScheme.size()))) {
    return problem_reply(403, "The request comes from another page.");
  }
  if (request.type != "application/json") {
    return problem_reply(415, "The request has to be JSON.");
  }
  return std::nullopt;
}

std::string_view Access::place_of(const Request& request) const {
  const std::string_view place = std::string_view(request.target).substr(1 + token_.size());
  return place.empty() ? "/" : place;
}

}  // namespace gpusim::lab
