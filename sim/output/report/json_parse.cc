// SPDX-License-Identifier: MIT
#include "sim/output/report/json_parse.h"

#include <string>

#include <nlohmann/json.hpp>

namespace gpusim::report {

std::optional<JsonValue> JsonParser::parse(std::string_view text) {
  JsonValue root;
  if (parser_.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS) {
    return root;
  }
  // A text that simdjson does not take may be right: whole numbers of 30 digits, which the other library makes real.
  const auto tree = nlohmann::ordered_json::parse(text, nullptr, false);
  if (tree.is_discarded()) {
    return std::nullopt;
  }
  const std::string taken = tree.dump();
  return parser_.parse(taken.data(), taken.size()).get(root) == simdjson::SUCCESS ? std::optional(root) : std::nullopt;
}

std::optional<JsonValue> JsonFinder::find(std::string_view path) {
  std::optional<JsonValue> at = root_;
  for (std::size_t depth = 0; at && !path.empty(); ++depth) {
    const std::size_t dot = path.find('.');
    at = member(*at, path.substr(0, dot), depth);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return at;
}

std::optional<JsonValue> JsonFinder::member(const JsonValue& json, std::string_view key, std::size_t depth) {
  const std::optional<JsonObject> object = object_of(json);
  if (!object) {
    return std::nullopt;
  }
  const auto begin = object->begin();
  const auto end = object->end();
  if (levels_.size() <= depth) {
    levels_.push_back({begin, begin});
  }
  Level& level = levels_[depth];
  if (level.begin != begin) {
    level = {begin, begin};
  }
  const auto search = [&](JsonObject::iterator from, const JsonObject::iterator& to) -> std::optional<JsonValue> {
    for (; from != to; ++from) {
      if (from.key() == key) {
        level.at = from;
        return from.value();
      }
    }
    return std::nullopt;
  };
  const auto last = level.at;
  const std::optional<JsonValue> ahead = search(last, end);
  return ahead ? ahead : search(begin, last);
}

}  // namespace gpusim::report
