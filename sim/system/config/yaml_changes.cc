// SPDX-License-Identifier: MIT
#include "sim/system/config/yaml_changes.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/model/arch/override.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_node.h"

namespace gpusim::system {
using arch::in_quotes;
using arch::Override;
using arch::YamlDocument;
using arch::YamlNode;

namespace {

/// Lines from here on are those of changes.
constexpr std::uint32_t kFirstLineOfChanges = 0x8000'0000;

/// The key of a map with which a path begins: of several the longest, since names may hold dots.
struct PathStep {
  std::size_t key = 0;    ///< an index into the values of the map; its value is the next
  std::string_view rest;  ///< the rest of the path, behind the key
};

std::optional<PathStep> step_of(const YamlNode& map, std::string_view path) {
  std::optional<PathStep> found;
  std::size_t longest = 0;
  for (std::size_t i = 0; i + 1 < map.values.size(); i += 2) {
    const std::string_view key = map.values[i]->is_scalar() ? map.values[i]->text : "";
    const bool leads_on = path.size() > key.size() && path[key.size()] == '.';
    if (!key.empty() && key.size() > longest && path.starts_with(key) && (path.size() == key.size() || leads_on)) {
      longest = key.size();
      found = PathStep{i, leads_on ? path.substr(key.size() + 1) : std::string_view()};
    }
  }
  return found;
}

/// Makes the nodes that differ; the others are shared with the document as it was, in which aliases may share some.
class DocumentChanger {
 public:
  DocumentChanger(ProblemList& problems, YamlDocument& document, std::span<const std::string_view> may_lack)
      : problems_(problems), document_(document), may_lack_(may_lack), line_(kFirstLineOfChanges) {}

  const YamlNode& change(const YamlNode& root, const Override& change) {
    key_ = change.key;
    value_ = document_.keep(change.value);
    const YamlNode& made = changed(root, document_.keep(change.key));
    ++line_;
    return made;
  }

 private:
  YamlNode& add(YamlNode::Kind kind, std::string_view text) {
    YamlNode& node = document_.add(kind, {line_, 1});
    node.text = text;
    return node;
  }

  void refuse(std::string message, std::string hint) {
    problems_.add({{"", line_, 1}, std::move(message), std::move(hint)});
  }

  /// The map with the value under the path.
  const YamlNode& changed(const YamlNode& map, std::string_view path) {
    YamlNode& copy = document_.add(YamlNode::Kind::kMap, map.place);
    copy = map;
    if (const std::optional<PathStep> step = step_of(map, path)) {
      const YamlNode& old = *map.values[step->key + 1];
      if (old.is_map() == step->rest.empty()) {
        refuse_path(old, step->rest);
      } else {
        copy.values[step->key + 1] =
            step->rest.empty() ? &add(YamlNode::Kind::kScalar, value_) : &changed(old, step->rest);
      }
      return copy;
    }
    const std::string_view name = path.substr(0, path.find('.'));
    const bool is_last = name.size() == path.size();
    if (!is_last && std::ranges::find(may_lack_, name) == may_lack_.end()) {
      refuse("unknown key " + in_quotes(key_), nearest_in(map, path));
      return copy;
    }
    copy.values.push_back(&add(YamlNode::Kind::kScalar, name));
    copy.values.push_back(is_last ? &add(YamlNode::Kind::kScalar, value_)
                                  : &changed(add(YamlNode::Kind::kMap, ""), path.substr(name.size() + 1)));
    return copy;
  }

  /// The path ends at a map, or goes on where there is none.
  void refuse_path(const YamlNode& old, std::string_view rest) {
    if (rest.empty()) {
      refuse("is a group of keys", nearest_in(old, ""));
      return;
    }
    refuse(in_quotes(key_.substr(0, key_.size() - rest.size() - 1)) + " has no keys in this file", "it is one value");
  }

  /// The keys that a path may go on with.
  std::string nearest_in(const YamlNode& map, std::string_view path) const {
    const std::string before = key_.substr(0, key_.size() - path.size());
    std::vector<std::string> known;
    for (std::size_t i = 0; i + 1 < map.values.size(); i += 2) {
      known.push_back((path.empty() && !before.empty() ? before + "." : before) + std::string(map.values[i]->text));
    }
    const std::string word = before + std::string(path.substr(0, path.find('.')));
    return suggestion(word, std::vector<std::string_view>(known.begin(), known.end()));
  }

  ProblemList& problems_;
  YamlDocument& document_;
  std::span<const std::string_view> may_lack_;
  std::uint32_t line_;      ///< line of the nodes of the change that is made
  std::string key_;         ///< key of the change that is made
  std::string_view value_;  ///< ditto
};

}  // namespace

const YamlNode& changed_root(ProblemList& problems, YamlDocument& document, std::span<const Override> changes,
                             std::span<const std::string_view> may_lack) {
  DocumentChanger changer(problems, document, may_lack);
  const YamlNode* root = &document.root();
  for (const Override& change : changes) {
    root = &changer.change(*root, change);
  }
  return *root;
}

void throw_if_any(const ProblemList& problems, std::span<const Override> changes) {
  try {
    problems.throw_if_any();
  } catch (const InputError& error) {
    std::vector<Problem> named = error.problems();
    for (Problem& problem : named) {
      if (problem.where.line >= kFirstLineOfChanges) {
        problem.where = {"--set " + changes[problem.where.line - kFirstLineOfChanges].key, 0, 0};
      }
    }
    throw InputError(std::move(named));
  }
}

std::string text_at(const YamlNode& root, std::string_view path) {
  const YamlNode* node = &root;
  while (!path.empty()) {
    const std::optional<PathStep> step = node->is_map() ? step_of(*node, path) : std::nullopt;
    if (!step) {
      return "";
    }
    node = node->values[step->key + 1];
    path = step->rest;
  }
  if (node->is_sequence() && !node->values.empty()) {
    node = node->values.front();
  }
  return node->is_scalar() ? std::string(node->text) : "";
}

}  // namespace gpusim::system
