// SPDX-License-Identifier: MIT
// Requests and replies, as far as the pages of labs need them.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace gpusim::lab {

struct Request {
  std::string method;  ///< "GET"
  std::string target;  ///< "/..." as it was sent
  std::string host;    ///< here and below: empty when there is none
  std::string origin;
  std::string type;  ///< content type of the body
  std::string body;
};

struct Reply {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  bool may_be_framed = false;  ///< by a page of ours
};

/// Sends the reply to a request; may be called later, once.
using Respond = std::function<void(Reply reply)>;

/// A text of an object; empty where there is none.
[[nodiscard]] std::string text_in(const nlohmann::json& object, const char* key);

/// A JSON object with the key "problem".
[[nodiscard]] Reply problem_reply(unsigned status, const std::string& problem);

}  // namespace gpusim::lab
