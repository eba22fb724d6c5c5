// SPDX-License-Identifier: MIT
// Writes one JSON object as one line. The machine that measures may have no JSON library, and writing needs little.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpusim::silicon {

/// `text` between quotes, with everything escaped that JSON does not allow inside a string. Bytes that are not UTF-8
/// become U+FFFD, so that a reader takes the line whatever a driver calls its device.
[[nodiscard]] std::string json_string(std::string_view text);

/// The shortest text that reads back to the same number; "null" for what JSON cannot say (infinities, NaN).
[[nodiscard]] std::string json_number(double value);

/// Keys in the order they were added.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view text) { return add_raw(key, json_string(text)); }
  JsonObject& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
  JsonObject& add(std::string_view key, bool value) { return add_raw(key, value ? "true" : "false"); }
  JsonObject& add(std::string_view key, double value) { return add_raw(key, json_number(value)); }
  JsonObject& add(std::string_view key, std::integral auto value) { return add_raw(key, std::to_string(value)); }
  JsonObject& add(std::string_view key, const JsonObject& object) { return add_raw(key, object.text()); }
  JsonObject& add(std::string_view key, std::span<const std::uint32_t> values);
  JsonObject& add(std::string_view key, std::span<const std::string> values);

  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  JsonObject& add_raw(std::string_view key, std::string_view json);

  std::string members_;
};

}  // namespace gpusim::silicon
