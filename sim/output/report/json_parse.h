// SPDX-License-Identifier: MIT
// A JSON text as simdjson reads it, and how values are found there: results of many kernels are hundreds of megabytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "sim/base/problem.h"

namespace gpusim::report {

// Small handles. They hold as long as the JsonParser keeps their text.
using JsonValue = simdjson::dom::element;
using JsonList = simdjson::dom::array;
using JsonObject = simdjson::dom::object;

/// Keeps one text at a time; the next one uses its memory again.
class JsonParser {
 public:
  /// Nothing for a text that is not JSON. A key that is there twice stays so.
  [[nodiscard]] std::optional<JsonValue> parse(std::string_view text);

 private:
  /// Above the largest file that is read.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 31U;

  simdjson::dom::parser parser_{kMostBytes};
};

[[nodiscard]] inline std::optional<JsonObject> object_of(const JsonValue& json) {
  JsonObject object;
  return json.get(object) == simdjson::SUCCESS ? std::optional(object) : std::nullopt;
}
[[nodiscard]] inline std::optional<JsonList> list_of(const JsonValue& json) {
  JsonList list;
  return json.get(list) == simdjson::SUCCESS ? std::optional(list) : std::nullopt;
}
[[nodiscard]] inline std::optional<std::string_view> text_of(const JsonValue& json) {
  std::string_view text;
  return json.get(text) == simdjson::SUCCESS ? std::optional(text) : std::nullopt;
}
/// A whole number that is not negative.
[[nodiscard]] inline std::optional<std::uint64_t> count_of(const JsonValue& json) {
  std::uint64_t count = 0;
  return json.get(count) == simdjson::SUCCESS ? std::optional(count) : std::nullopt;
}

/// Where a text stops being JSON.
struct JsonFault {
  Place place;
  bool is_end = false;  ///< the text ends where more has to come
};
/// Nothing for a text that is JSON.
[[nodiscard]] std::optional<JsonFault> first_fault(std::string_view text);

/// Finds values by dotted paths below one value. Keys are asked for in about the order in which they were written, so
/// each object is searched from where the last key was found.
class JsonFinder {
 public:
  explicit JsonFinder(const JsonValue& root) : root_(root) {}

  /// Nothing where an object on the way lacks the key, or is not an object.
  [[nodiscard]] std::optional<JsonValue> find(std::string_view path);

 private:
  /// An object on the way, and where a key was found in it last.
  struct Level {
    JsonObject::iterator begin;
    JsonObject::iterator at;
  };

  [[nodiscard]] std::optional<JsonValue> member(const JsonValue& json, std::string_view key, std::size_t depth);

  JsonValue root_;
  std::vector<Level> levels_;
};

}  // namespace gpusim::report
