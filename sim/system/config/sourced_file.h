// SPDX-License-Identifier: MIT
// A YAML file whose values have kinds and sources, read by tables of keys (key_row.h): problems with their places, and
// the list of what the file gives.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/model/arch/provenance.h"
#include "sim/model/arch/sheet.h"
#include "sim/model/arch/yaml_reader.h"
#include "sim/system/config/given_value.h"
#include "sim/system/config/key_row.h"

namespace gpusim::system {

/// The item with a name; null when there is none.
[[nodiscard]] const arch::YamlItem* item_of(const std::vector<arch::YamlItem>& items, std::string_view name);

/// The sources of a value as a reader wants them: citations in place of the words that stand for them.
[[nodiscard]] std::vector<std::string> citations_of(const arch::Entry& entry, const arch::Citations& citations);

struct SourcedFile {
  SourcedFile() = default;
  SourcedFile(const SourcedFile&) = delete;
  SourcedFile& operator=(const SourcedFile&) = delete;

  /// The keys of a map; none when the item is not there or is not a map, which is then a problem. `form` says what to
  /// write.
  std::vector<arch::YamlItem> items_of(const arch::YamlItem* item, const std::string& form);
  /// A text, where the item is there.
  void read_text(const arch::YamlItem* item, std::string& into);
  /// A T by its table of keys; `path` is its name in messages and in `values`.
  template <class T>
  T read_keys(const arch::YamlItem& item, const std::string& path);
  /// One key of it.
  template <class T>
  void read_key(const KeyRow<T>& row, const arch::YamlItem& item, const std::string& path, T& of);

  ProblemList problems;
  arch::YamlReader yaml{problems};
  arch::Citations citations;
  std::vector<GivenValue> values;
};

template <class T>
void SourcedFile::read_key(const KeyRow<T>& row, const arch::YamlItem& item, const std::string& path, T& of) {
  arch::Entry entry;
  arch::read_sourced(yaml, {item, path}, citations, entry);
  if (entry.unreadable) {
    return;
  }
  const arch::ParsedValue parsed = arch::parse_value(row.key, entry.text);
  if (!parsed.error.empty()) {
    const arch::YamlNode& at = item.value.is_sequence() ? *item.value.values.front() : item.value;
    yaml.add(at, "'" + path + "': " + parsed.error, parsed.hint);
    return;
  }
  row.set(of, parsed.value);
  values.push_back({path, entry.text, entry.kind, citations_of(entry, citations)});
}

template <class T>
T SourcedFile::read_keys(const arch::YamlItem& item, const std::string& path) {
  const std::span<const KeyRow<T>> rows = keys_of<T>();
  const std::string form = "{" + rows.front().key.path + ": [value, kind, source], ...}";
  const std::vector<arch::YamlItem> items = items_of(&item, item.name + ": " + form);
  T of;
  for (const arch::YamlItem& inner : items) {
    const auto row = std::ranges::find_if(rows, [&](const auto& r) { return r.key.path == inner.name; });
    if (row != rows.end()) {
      read_key(*row, inner, path + "." + inner.name, of);
      continue;
    }
    std::vector<std::string_view> known;
    std::ranges::transform(rows, std::back_inserter(known), [](const auto& r) { return std::string_view(r.key.path); });
    yaml.add(inner.key, "unknown key " + arch::in_quotes(path + "." + inner.name), suggestion(inner.name, known));
  }
  for (const KeyRow<T>& row : rows) {
    if (row.key.required && item.value.is_map() && item_of(items, row.key.path) == nullptr) {
      yaml.add(item.key, "'" + path + "' lacks '" + row.key.path + "'", row.key.meaning);
    }
  }
  return of;
}

}  // namespace gpusim::system
