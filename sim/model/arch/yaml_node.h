// SPDX-License-Identifier: MIT
// A YAML document as values of ours, with places: texts, sequences and maps, every scalar as it is written.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::arch {

/// A node of a document, which owns it and its texts.
struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kSequence, kMap };

  Kind kind = Kind::kNull;
  Place place;
  std::string_view text;                ///< text of a scalar
  std::string_view tag;                 ///< where one is written
  std::vector<const YamlNode*> values;  ///< items of a sequence; for a map: a key, its value, the next key, ...

  [[nodiscard]] bool is_null() const { return kind == Kind::kNull; }
  [[nodiscard]] bool is_scalar() const { return kind == Kind::kScalar; }
  [[nodiscard]] bool is_sequence() const { return kind == Kind::kSequence; }
  [[nodiscard]] bool is_map() const { return kind == Kind::kMap; }

  /// What a map has under a key; null when it has none.
  [[nodiscard]] const YamlNode* find(std::string_view key) const {
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
      if (values[i]->is_scalar() && values[i]->text == key) {
        return values[i + 1];
      }
    }
    return nullptr;
  }
};

/// Nodes that stay where they are; the first is the root.
class YamlDocument {
 public:
  /// `text` is what scalars may be parts of.
  explicit YamlDocument(std::string text) : text_(std::move(text)) {}
  YamlDocument(const YamlDocument&) = delete;
  YamlDocument& operator=(const YamlDocument&) = delete;

  [[nodiscard]] const YamlNode& root() const { return nodes_.front(); }
  [[nodiscard]] bool is_empty() const { return nodes_.empty(); }
  [[nodiscard]] const std::string& text() const { return text_; }

  YamlNode& add(YamlNode::Kind kind, Place place) {
    YamlNode& node = nodes_.emplace_back();
    node.kind = kind;
    node.place = place;
    return node;
  }
  /// A text that is not a part of the document's.
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  /// Notes the first quote that is never closed: yaml-cpp takes it, with all that follows, for a text.
  void note_open_quote(Place place) { open_quote_ = open_quote_.value_or(place); }
  [[nodiscard]] const std::optional<Place>& open_quote() const { return open_quote_; }
  /// Forgets all nodes.
  void clear() {
    nodes_.clear();
    texts_.clear();
  }

 private:
  std::string text_;
  std::optional<Place> open_quote_;
  std::deque<YamlNode> nodes_;
  std::deque<std::string> texts_;
};

}  // namespace gpusim::arch
