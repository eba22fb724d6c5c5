// SPDX-License-Identifier: MIT
// How values are taken from the JSON of a saved result: typed, with every problem under the name of its key.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/output/report/columns.h"

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

  /// The value at a dotted path below `root`, or nullptr with a problem noted.
  const nlohmann::ordered_json* find(const nlohmann::ordered_json& root, const std::string& prefix,
                                     std::string_view path) {
    const nlohmann::ordered_json* const at = find_if_any(root, path);
    if (at == nullptr) {
      missing_.push_back(prefix + std::string(path));
    }
    return at;
  }

  /// The value at a dotted path below `root`, or nullptr.
  const nlohmann::ordered_json* find_if_any(const nlohmann::ordered_json& root, std::string_view path) {
    const nlohmann::ordered_json* at = &root;
    std::string_view rest = path;
    for (std::size_t depth = 0; at != nullptr && !rest.empty(); ++depth) {
      const std::size_t dot = rest.find('.');
      at = member(*at, rest.substr(0, dot), depth);
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
    return at;
  }

  /// The list at a dotted path below `root`, or nullptr with a problem noted: it is missing, or something else.
  const nlohmann::ordered_json* find_list(const nlohmann::ordered_json& root, const std::string& prefix,
                                          std::string_view path);

 private:
  static constexpr std::size_t kDepths = 4;

  /// Keys are read in the order in which they were written: the next one asked for is mostly the one found last, on the
  /// way to its neighbour, or the one behind it.
  const nlohmann::ordered_json* member(const nlohmann::ordered_json& object, std::string_view key, std::size_t depth) {
    if (!object.is_object()) {
      return nullptr;
    }
    const auto& members = object.get_ref<const nlohmann::ordered_json::object_t&>();
    std::size_t& last = last_[std::min(depth, kDepths - 1)];
    for (const std::size_t guess : {last, last + 1}) {
      if (guess < members.size() && members.begin()[static_cast<std::ptrdiff_t>(guess)].first == key) {
        last = guess;
        return &members.begin()[static_cast<std::ptrdiff_t>(guess)].second;
      }
    }
    const auto found = std::ranges::find_if(members, [key](const auto& each) { return each.first == key; });
    if (found == members.end()) {
      return nullptr;
    }
    last = static_cast<std::size_t>(found - members.begin());
    return &found->second;
  }

  std::string file_;
  ProblemList problems_;
  std::vector<std::string> missing_;         ///< keys
  std::array<std::size_t, kDepths> last_{};  ///< places of what was found last, by depth
};

/// Nothing when the JSON has another type.
[[nodiscard]] std::optional<Value> value_of(const nlohmann::ordered_json& json, ValueKind kind);

/// "a whole number".
[[nodiscard]] std::string_view name_of(ValueKind kind);

/// "is 0; allowed: 1 or more"; empty when the value is allowed. `is_whole`: of a run that was not stopped.
[[nodiscard]] std::string complaint_about(const Value& value, const Allowed& allowed, bool is_whole);

/// Nothing when no warp state has this key.
[[nodiscard]] std::optional<stats::Stall> state_of(std::string_view key);

/// Reads one value of a type; a default and a problem when it is not there.
template <class T>
T read_one(Reader& reader, const nlohmann::ordered_json& json, const std::string& prefix, std::string_view path,
           ValueKind kind) {
  const nlohmann::ordered_json* const at = reader.find(json, prefix, path);
  const std::optional<Value> value = at == nullptr ? std::nullopt : value_of(*at, kind);
  if (at != nullptr && !value) {
    reader.wrong(prefix + std::string(path), "is not " + std::string(name_of(kind)));
  }
  return value ? std::get<T>(*value) : T();
}

/// A list of whole numbers; nothing, with a problem noted, when it is none.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> read_numbers(Reader& reader, const nlohmann::ordered_json& json,
                                                                     const std::string& key);

}  // namespace gpusim::report
