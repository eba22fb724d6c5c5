// SPDX-License-Identifier: MIT
// How values are taken from the JSON of a saved result: typed, with every problem under the name of its key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/stats/stall.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/json_parse.h"

namespace gpusim::report {

/// Collects what is wrong, under the name of the file.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  void wrong(const std::string& key, const std::string& what) {
    problems_.add({{file_, 0, 0}, "'" + key + "': " + what, ""});
  }
  [[nodiscard]] bool is_content() const { return problems_.empty() && missing_.empty(); }
  /// Throws InputError when something is wrong or missing.
  void finish();

  /// The value at a dotted path, or nothing with a problem noted. `prefix`: the key of what `in` looks through.
  std::optional<JsonValue> find(JsonFinder& in, const std::string& prefix, std::string_view path) {
    const std::optional<JsonValue> at = in.find(path);
    if (!at) {
      missing_.push_back(prefix + std::string(path));
    }
    return at;
  }

  /// The list at a dotted path, or nothing with a problem noted: it is missing, or something else.
  std::optional<JsonList> find_list(JsonFinder& in, const std::string& prefix, std::string_view path);

  /// The whole number at a dotted path; 0 with a problem noted when it is missing, or something else.
  std::uint64_t count(JsonFinder& in, const std::string& prefix, std::string_view path) {
    const std::optional<JsonValue> at = find(in, prefix, path);
    const std::optional<std::uint64_t> count = at ? count_of(*at) : std::nullopt;
    if (at && !count) {
      wrong_type(prefix, path, ValueKind::kInteger);
    }
    return count.value_or(0);
  }

  /// Notes that a value is not of its kind.
  void wrong_type(const std::string& prefix, std::string_view path, ValueKind kind);

 private:
  std::string file_;
  ProblemList problems_;
  std::vector<std::string> missing_;  ///< keys
};

/// Nothing when the JSON has another type.
[[nodiscard]] std::optional<Value> value_of(const JsonValue& json, ValueKind kind);

/// "a whole number".
[[nodiscard]] std::string_view name_of(ValueKind kind);

/// "is 0; allowed: 1 or more"; empty when the value is allowed. `is_whole`: of a run that was not stopped.
[[nodiscard]] std::string complaint_about(const Value& value, const Allowed& allowed, bool is_whole);

/// Nothing when no warp state has this key.
[[nodiscard]] std::optional<stats::Stall> state_of(std::string_view key);

/// Reads one value of a type; a default and a problem when it is not there.
template <class T>
T read_one(Reader& reader, JsonFinder& in, const std::string& prefix, std::string_view path, ValueKind kind) {
  const std::optional<JsonValue> at = reader.find(in, prefix, path);
  const std::optional<Value> value = at ? value_of(*at, kind) : std::nullopt;
  if (at && !value) {
    reader.wrong_type(prefix, path, kind);
  }
  return value ? std::get<T>(*value) : T();
}

/// Reads a value of an enumeration by its word; the first value, and a problem, when it is not there.
template <class E>
E read_word(Reader& reader, JsonFinder& in, const std::string& prefix, std::string_view path,
            std::span<const std::string_view> words) {
  const std::optional<JsonValue> at = reader.find(in, prefix, path);
  const std::optional<Value> word = at ? value_of(*at, ValueKind::kText) : std::nullopt;
  if (at && !word) {
    reader.wrong_type(prefix, path, ValueKind::kText);
  }
  if (!word) {
    return E();
  }
  const auto found = std::ranges::find(words, std::get<std::string>(*word));
  if (found == words.end()) {
    reader.wrong(prefix + std::string(path), complaint_about(*word, {.words = words}, true));
    return E();
  }
  return static_cast<E>(found - words.begin());
}

/// A list of whole numbers; nothing, with a problem noted, when it is none.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> read_numbers(Reader& reader, const JsonValue& json,
                                                                     const std::string& key);

}  // namespace gpusim::report
