// SPDX-License-Identifier: MIT
#include "sim/system/application/fields.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/model/arch/value.h"

namespace gpusim::application {

using arch::in_quotes;
using arch::YamlItem;
using arch::YamlNode;

Fields::Fields(arch::YamlReader& yaml, const YamlNode& node, std::string path, std::string_view main)
    : yaml_(yaml), node_(node), path_(std::move(path)) {
  if (node.is_map()) {
    items_ = yaml_.items(node);
  } else if (!main.empty() && !node.is_null()) {
    items_.push_back({std::string(main), node, node});
  } else if (!node.is_null()) {
    yaml_.add(node, "'" + path_ + "' must be a map");
  }
}

const YamlItem* Fields::find(std::string_view key) {
  if (std::ranges::find(asked_, key) == asked_.end()) {
    asked_.push_back(key);
  }
  const auto found = std::ranges::find(items_, key, &YamlItem::name);
  return found == items_.end() ? nullptr : &*found;
}

const YamlItem* Fields::need(std::string_view key, std::string_view meaning) {
  const YamlItem* const item = find(key);
  if (item == nullptr && (node_.is_map() || node_.is_null())) {
    yaml_.add(node_, "'" + path_ + "' lacks '" + std::string(key) + "'", std::string(meaning));
  }
  return item;
}

std::optional<std::string> Fields::text(std::string_view key) {
  const YamlItem* const item = find(key);
  return item == nullptr ? std::nullopt : yaml_.scalar(item->value, "'" + std::string(key) + "'");
}

std::optional<std::uint64_t> Fields::number(std::string_view key, const Range64& range) {
  const YamlItem* const item = find(key);
  return item == nullptr ? std::nullopt : number_of(*item, range);
}

std::optional<std::uint64_t> Fields::number_of(const YamlItem& item, const Range64& range) {
  const std::optional<std::string> text = yaml_.scalar(item.value, "'" + item.name + "'");
  if (!text) {
    return std::nullopt;
  }
  const arch::Key key{item.name, range.unit, range.least, range.most, "", arch::PeakField{0}, {}};
  const arch::ParsedValue parsed = arch::parse_value(key, *text);
  if (!parsed.error.empty()) {
    yaml_.add(item.value, "'" + item.name + "': " + parsed.error, parsed.hint);
    return std::nullopt;
  }
  return parsed.value.number.numerator / parsed.value.number.denominator;
}

std::optional<std::size_t> Fields::word(std::string_view key, std::span<const std::string_view> words) {
  const YamlItem* const item = find(key);
  const std::optional<std::string> text = item == nullptr ? std::nullopt : this->text(key);
  if (!text) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(words, *text);
  if (found == words.end()) {
    yaml_.add(item->value, "'" + std::string(key) + "' cannot be " + in_quotes(*text), suggestion(*text, words));
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - words.begin());
}

bool Fields::flag(std::string_view key, bool otherwise) {
  static constexpr std::array<std::string_view, 4> kWords{"yes", "no", "true", "false"};
  const std::optional<std::size_t> found = word(key, kWords);
  return found ? *found % 2 == 0 : otherwise;
}

void Fields::refuse_others() {
  for (const YamlItem& item : items_) {
    if (std::ranges::find(asked_, item.name) == asked_.end()) {
      yaml_.add(item.key, "unknown key " + in_quotes(item.name) + " of '" + path_ + "'", suggestion(item.name, asked_));
    }
  }
}

}  // namespace gpusim::application
