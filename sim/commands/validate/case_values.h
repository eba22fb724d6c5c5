// SPDX-License-Identifier: MIT
// Values of keys as texts, numbers and words. What is wrong with one is a problem of its reader, and the value that
// comes back then is a harmless one. Internal to the module.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/validate/case.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::validate {

class CaseValues {
 public:
  /// `yaml` outlives it.
  explicit CaseValues(arch::YamlReader& yaml) : yaml_(yaml) {}

  [[nodiscard]] arch::YamlReader& yaml() const { return yaml_; }
  /// Not empty.
  [[nodiscard]] std::string text(const arch::YamlItem& item) const;
  /// `node`, a value of the item, as a number from 0 on.
  [[nodiscard]] double number(const arch::YamlItem& item, const arch::YamlNode& node) const;
  /// A number above 0.
  [[nodiscard]] double amount(const arch::YamlItem& item) const;
  /// 1 to `most`.
  [[nodiscard]] std::uint32_t count(const arch::YamlItem& item, std::uint32_t most) const;
  /// One of `words`.
  [[nodiscard]] std::string word(const arch::YamlItem& item, std::span<const std::string_view> words) const;
  /// `true` or `false`.
  [[nodiscard]] bool truth(const arch::YamlItem& item) const;
  /// Adds the pairs of a map. What a second run says of a name that the first one knows wins.
  void add_pairs(const arch::YamlItem& item, std::vector<NamedText>& pairs) const;

 private:
  arch::YamlReader& yaml_;
};

/// A whole text as a number from 0 on.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace gpusim::validate
