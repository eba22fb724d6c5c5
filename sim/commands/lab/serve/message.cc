// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/message.h"

#include <nlohmann/json.hpp>

namespace gpusim::lab {

std::string text_in(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Reply problem_reply(unsigned status, const std::string& problem) {
  const nlohmann::json json{{"problem", problem}};
  return {status, "application/json", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), false};
}

}  // namespace gpusim::lab
