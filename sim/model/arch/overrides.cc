// SPDX-License-Identifier: MIT
#include "sim/model/arch/overrides.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/model/arch/derive.h"
#include "sim/model/arch/override.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::arch {
namespace {

/// What people call a thing, and the word in the key's name.
struct Synonym {
  std::string_view word;
  std::string_view key_word;
};
constexpr std::array<Synonym, 9> kSynonyms{{{"size", "bytes"},
                                            {"size", "capacity_bytes"},
                                            {"bytes", "capacity_bytes"},
                                            {"capacity", "bytes"},
                                            {"size", "unified_bytes"},
                                            {"associativity", "ways"},
                                            {"frequency", "command_hz"},
                                            {"clock", "command_hz"},
                                            {"number", "count"}}};

/// "l1.hit_latency" for "sm.l1.hit_latency": the keys that end so, or nothing where they are many.
std::string keys_ending_in(std::string_view ending) {
  constexpr int kMostNamed = 3;
  int found = 0;
  std::string names;
  for (const Key& row : schema()) {
    const std::string_view path = row.path;
    if (path.size() > ending.size() && path.ends_with(ending) && path[path.size() - ending.size() - 1] == '.') {
      names += (found++ == 0 ? "'" : " or '") + std::string(path) + "'";
    }
  }
  return found > kMostNamed ? std::string() : names;
}

/// The key directly below `group` that is called by a synonym of `word`, or the only one with `word` in its name.
std::string key_about(std::string_view group, std::string_view word) {
  const std::string prefix = std::string(group) + ".";
  for (const Synonym& synonym : kSynonyms) {
    const std::string path = prefix + std::string(synonym.key_word);
    if (synonym.word == word && find_key(path)) {
      return path;
    }
  }
  std::vector<std::string> found;
  for (const std::string_view child : children_of(group)) {
    const std::string path = prefix + std::string(child);
    if (child.find(word) != std::string_view::npos && find_key(path)) {
      found.push_back(path);
    }
  }
  return found.size() == 1 ? found.front() : std::string();
}

void set(const Override& change, Derivation& derivation, Sheet& sheet, ProblemList& problems) {
  const SourceLocation where{"--set " + change.key, 0, 0};
  if (!derivation.give(change.key,
                       {change.value, where, "--set " + change.key, "--set " + change.key + "=" + change.value})) {
    problems.add({where, "is given twice", ""});
  } else if (const std::optional<std::size_t> index = find_key(change.key)) {
    put_changed(sheet, *index, {change.value, SourceKind::kSet, {std::string(kSetSource)}, where});
  } else if (is_group(change.key)) {
    problems.add({where, "is a group of keys", suggestion("", children_of(change.key))});
  } else if (!is_derived_key(change.key)) {
    problems.add({where, "unknown key " + in_quotes(change.key), suggest_key(change.key)});
  }
}

}  // namespace

std::string suggest_key(std::string_view key) {
  if (const std::string whole = keys_ending_in(key); !whole.empty()) {
    return "did you mean " + whole + "?";
  }
  const std::size_t dot = key.rfind('.');
  const std::string_view group = dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
  const bool in_group = !group.empty() && is_group(group);
  if (in_group && dot + 1 < key.size()) {
    if (const std::string about = key_about(group, key.substr(dot + 1)); !about.empty()) {
      return "did you mean '" + about + "'?";
    }
  }
  std::vector<std::string_view> known;
  for (const DerivedKey& derived : kDerivedKeys) {
    known.push_back(derived.key);
  }
  for (const Key& row : schema()) {
    known.push_back(row.path);
  }
  if (const std::string_view near = nearest(key, known); !near.empty()) {
    return "did you mean '" + std::string(near) + "'?";
  }
  return in_group ? "in '" + std::string(group) + "', " + suggestion("", children_of(group))
                  : "docs/architecture-keys.md lists all keys";
}

void apply_overrides(std::span<const Override> overrides, Sheet& sheet, ProblemList& problems) {
  Derivation derivation(sheet, SourceKind::kSet);
  for (const Override& change : overrides) {
    set(change, derivation, sheet, problems);
  }
  derivation.follow(sheet, problems);
}

}  // namespace gpusim::arch
