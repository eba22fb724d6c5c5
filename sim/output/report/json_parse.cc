// SPDX-License-Identifier: MIT
#include "sim/output/report/json_parse.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

namespace gpusim::report {
namespace {

/// Takes all that is JSON, and keeps nothing but the place of the first fault.
class FaultFinder : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::size_t at = 0;  ///< bytes read up to the fault, its own included

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*elements*/) override { return true; }
  bool key(string_t& /*value*/) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*elements*/) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& /*e*/) override {
    at = position;
    return false;
  }
};

}  // namespace

std::optional<JsonFault> first_fault(std::string_view text) {
  FaultFinder finder;
  if (nlohmann::json::sax_parse(text, &finder)) {
    return std::nullopt;
  }
  const std::string_view before = text.substr(0, std::max<std::size_t>(finder.at, 1) - 1);
  const auto line = static_cast<std::uint32_t>(1 + std::ranges::count(before, '\n'));
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 in the first line, where npos + 1 is 0
  return JsonFault{{line, static_cast<std::uint32_t>(before.size() - line_start + 1)}, before.size() >= text.size()};
}

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
