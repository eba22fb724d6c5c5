// SPDX-License-Identifier: MIT
// One map of an application's file, read key by key; what nobody asked for is unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/arch/schema.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::application {

/// What a number may be, in base units: bytes, nanoseconds, or a count.
struct Range64 {
  arch::Unit unit = arch::Unit::kCount;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

class Fields {
 public:
  /// `node` is a map; a scalar or a list stands for the map that has it under `main`, which may be empty where there is
  /// no such short form. `path` names the map in messages.
  Fields(arch::YamlReader& yaml, const arch::YamlNode& node, std::string path, std::string_view main = {});

  /// What stands under the key; null when it is absent.
  [[nodiscard]] const arch::YamlItem* find(std::string_view key);
  /// Ditto; its absence is a problem, and `meaning` says what lacks.
  [[nodiscard]] const arch::YamlItem* need(std::string_view key, std::string_view meaning);
  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view key, const Range64& range);
  [[nodiscard]] std::optional<std::uint64_t> number_of(const arch::YamlItem& item, const Range64& range);
  /// One of `words`, as its position among them.
  [[nodiscard]] std::optional<std::size_t> word(std::string_view key, std::span<const std::string_view> words);
  [[nodiscard]] bool flag(std::string_view key, bool otherwise);

  /// Adds a problem for each key that was not asked for.
  void refuse_others();
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const arch::YamlNode& node() const { return node_; }

 private:
  arch::YamlReader& yaml_;
  const arch::YamlNode& node_;
  std::string path_;
  std::vector<arch::YamlItem> items_;
  std::vector<std::string_view> asked_;
};

}  // namespace gpusim::application
