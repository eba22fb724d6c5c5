// SPDX-License-Identifier: MIT
#include "sim/model/arch/provenance.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/source_kind.h"
#include "sim/model/arch/sheet.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::arch {
namespace {

constexpr std::size_t kLongestSource = 500;

/// The kind, and the sources behind it.
void read_kind(YamlReader& yaml, std::span<const YamlNode* const> parts, const Citations& citations, Entry& entry) {
  const std::optional<std::string> kind = yaml.scalar(*parts[1], "the kind");
  if (!kind) {
    return;
  }
  const auto known = std::ranges::find(kSourceKinds, *kind);
  if (known == kSourceKinds.end()) {
    yaml.add(*parts[1], "unknown kind " + in_quotes(*kind), suggestion(*kind, kSourceKinds));
    return;
  }
  entry.kind = static_cast<SourceKind>(known - kSourceKinds.begin());
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::optional<std::string> source = yaml.scalar(*parts[i], "a source");
    if (!source) {
      return;
    }
    const bool explains = source->find(' ') != std::string::npos && source->size() <= kLongestSource;
    const bool is_named = *source == kUserSource || *source == kSetSource || citations.contains(*source);
    if (!explains && !is_named) {
      std::vector<std::string_view> names{kUserSource, kSetSource};
      for (const auto& [name, citation] : citations) {
        names.push_back(name);
      }
      yaml.add(*parts[i], "unknown source " + in_quotes(*source), suggestion(*source, names));
      return;
    }
    entry.sources.push_back(*source);
  }
}

/// The text of a value, or of a list of values.
bool read_text(YamlReader& yaml, const SourcedKey& key, const YamlNode& node, Entry& entry) {
  if (!key.is_list || !node.is_sequence()) {
    const std::optional<std::string> text = yaml.scalar(node, "the value of '" + key.path + "'");
    entry.text = text.value_or("");
    return text.has_value();
  }
  for (const YamlNode* const part : node.values) {
    const std::optional<std::string> text = yaml.scalar(*part, "a size");
    if (!text) {
      return false;
    }
    entry.text += (entry.text.empty() ? "" : ", ") + *text;
  }
  return true;
}

}  // namespace

void read_citations(YamlReader& yaml, const YamlNode& map, Citations& citations) {
  if (!map.is_map()) {
    yaml.add(map, "'sources' must be a map", "such as  h100wp: NVIDIA H100 whitepaper");
    return;
  }
  for (const YamlItem& item : yaml.items(map)) {
    const std::optional<std::string> citation = yaml.scalar(item.value, "source " + in_quotes(item.name));
    if (!citation) {
      continue;
    }
    const auto [known, is_new] = citations.emplace(item.name, *citation);
    if (item.name.find(' ') != std::string::npos || item.name == kUserSource || item.name == kSetSource) {
      yaml.add(item.key, in_quotes(item.name) + " cannot name a source", "one word, neither 'user' nor '--set'");
    } else if (!is_new && known->second != *citation) {
      yaml.add(item.key, "source " + in_quotes(item.name) + " means something else in the extended file",
               "choose another name");
    }
  }
}

void read_sourced(YamlReader& yaml, const SourcedKey& key, const Citations& citations, Entry& entry) {
  const YamlNode& value = key.item.value;
  const std::string form = key.has_source ? key.item.name + ": [value, kind, source]" : key.item.name + ": text";
  entry.where = yaml.place(value);
  entry.unreadable = true;
  if (value.is_null() || value.is_map() || (value.is_sequence() && !key.has_source)) {
    yaml.add(value.is_null() ? key.item.key : value, "'" + key.path + "' needs a value", "write " + form);
    return;
  }
  const std::span<const YamlNode* const> parts =
      value.is_sequence() ? std::span(value.values) : std::span<const YamlNode* const>();
  const bool plain_list = key.is_list && !parts.empty() && !parts.front()->is_sequence();
  if (parts.empty() && value.is_sequence()) {
    yaml.add(value, "'" + key.path + "' is empty", "write " + form);
  } else if (parts.empty() || plain_list) {
    entry.sources = {std::string(kUserSource)};
    entry.unreadable = !read_text(yaml, key, value, entry);
  } else {
    entry.unreadable = !read_text(yaml, key, *parts.front(), entry);
    if (parts.size() < 3) {
      yaml.add(value, "'" + key.path + "' lacks its kind or source", "write " + form);
    } else {
      read_kind(yaml, parts, citations, entry);
    }
  }
}

}  // namespace gpusim::arch
