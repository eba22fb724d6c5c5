// SPDX-License-Identifier: MIT
// How values are taken from the JSON of a saved result: typed, with every problem under the name of its key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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
  void finish() const { problems_.throw_if_any(); }

  /// The value at a dotted path below `root`, or nullptr with a problem noted.
  const nlohmann::ordered_json* find(const nlohmann::ordered_json& root, const std::string& prefix,
                                     std::string_view path) {
    const nlohmann::ordered_json* const at = find_if_any(root, path);
    if (at == nullptr) {
      wrong(prefix + std::string(path), "is missing");
    }
    return at;
  }

  /// The value at a dotted path below `root`, or nullptr.
  static const nlohmann::ordered_json* find_if_any(const nlohmann::ordered_json& root, std::string_view path) {
    const nlohmann::ordered_json* at = &root;
    std::string_view rest = path;
    while (at != nullptr && !rest.empty()) {
      const std::size_t dot = rest.find('.');
      const std::string key(rest.substr(0, dot));
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
      const auto found = at->is_object() ? at->find(key) : at->end();
      at = at->is_object() && found != at->end() ? &*found : nullptr;
    }
    return at;
  }

 private:
  std::string file_;
  ProblemList problems_;
};

/// Nothing when the JSON has another type.
[[nodiscard]] std::optional<Value> value_of(const nlohmann::ordered_json& json, ValueKind kind);

/// "a whole number".
[[nodiscard]] std::string_view name_of(ValueKind kind);

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
