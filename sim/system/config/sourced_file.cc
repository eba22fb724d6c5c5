// SPDX-License-Identifier: MIT
#include "sim/system/config/sourced_file.h"

namespace gpusim::system {

using arch::YamlItem;

const YamlItem* item_of(const std::vector<YamlItem>& items, std::string_view name) {
  const auto found = std::ranges::find(items, name, &YamlItem::name);
  return found == items.end() ? nullptr : &*found;
}

/// The sources of a value as a reader wants them: citations in place of the words that stand for them.
std::vector<std::string> citations_of(const arch::Entry& entry, const arch::Citations& citations) {
  std::vector<std::string> out;
  for (const std::string& source : entry.sources) {
    const auto found = citations.find(source);
    out.push_back(found == citations.end() ? source : found->second);
  }
  return out;
}

std::vector<arch::YamlItem> SourcedFile::items_of(const YamlItem* item, const std::string& form) {
  if (item == nullptr) {
    return {};
  }
  if (!item->value.is_map()) {
    yaml.add(item->value.is_null() ? item->key : item->value, "'" + item->name + "' must be a map", "write " + form);
    return {};
  }
  return yaml.items(item->value);
}

void SourcedFile::read_text(const YamlItem* item, std::string& into) {
  if (item != nullptr) {
    into = yaml.scalar(item->value, "'" + item->name + "'").value_or("");
  }
}

}  // namespace gpusim::system
