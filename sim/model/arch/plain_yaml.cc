// SPDX-License-Identifier: MIT
// The plain form of YAML. Whatever could mean something else to YAML than it seems to is left to the full parser.
#include <algorithm>
#include <array>

#include "sim/model/arch/yaml_parser.h"

namespace gpusim::arch {
namespace {

constexpr std::uint32_t kDeepest = 32;
/// Longer ones are not keys for YAML either.
constexpr std::size_t kLongestKey = 100;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Texts that YAML takes for nothing at all.
bool is_null_word(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kNullWords{"", "~", "null", "Null", "NULL"};
  return std::ranges::find(kNullWords, text) != kNullWords.end();
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

class PlainParser {
 public:
  explicit PlainParser(YamlDocument& document) : document_(document), text_(document.text()) {}

  bool parse();

 private:
  [[nodiscard]] char at(std::size_t pos) const { return pos < text_.size() ? text_[pos] : '\n'; }
  [[nodiscard]] bool is_at_end() const { return pos_ == text_.size(); }
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(pos_ - line_start_); }
  [[nodiscard]] Place place() const { return {line_ + 1, column() + 1}; }
  void skip_spaces();
  void skip_line();
  void skip_to_content();
  YamlNode* scalar(Place place, std::string_view text);
  YamlNode* key();
  YamlNode* map(std::uint32_t depth);
  YamlNode* value(std::uint32_t block_column, std::uint32_t depth);
  YamlNode* bracketed(std::uint32_t block_column, std::uint32_t depth);
  YamlNode* item(std::uint32_t block_column, std::uint32_t depth);
  YamlNode* plain_text(bool in_brackets);
  YamlNode* quoted_text(std::uint32_t block_column);
  void look_for_closing_quote();
  bool fold_line(std::uint32_t block_column);

  YamlDocument& document_;
  std::string_view text_;
  std::size_t pos_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 0;
};

void PlainParser::skip_spaces() {
  while (at(pos_) == ' ') {
    ++pos_;
  }
}

void PlainParser::skip_line() {
  pos_ = std::min(text_.find('\n', pos_), text_.size());
}

/// Over blanks, line ends and comments, which are told from texts by the blank before them.
void PlainParser::skip_to_content() {
  while (!is_at_end()) {
    const bool may_comment = column() == 0 || at(pos_ - 1) == ' ';
    if (text_[pos_] == '\n') {
      line_start_ = ++pos_;
      ++line_;
    } else if (text_[pos_] == ' ') {
      skip_spaces();
    } else if (text_[pos_] == '#' && may_comment) {
      skip_line();
    } else {
      return;
    }
  }
}

YamlNode* PlainParser::scalar(Place place, std::string_view text) {
  YamlNode& node = document_.add(YamlNode::Kind::kScalar, place);
  node.text = text;
  return &node;
}

/// A word and its colon; nothing when something else stands here.
YamlNode* PlainParser::key() {
  const Place start = place();
  std::size_t end = pos_;
  while (is_word(at(end)) || (end > pos_ && (at(end) == '.' || at(end) == '-'))) {
    ++end;
  }
  const std::string_view word = text_.substr(pos_, end - pos_);
  const bool is_key = at(end) == ':' && (at(end + 1) == ' ' || at(end + 1) == '\n') && word.size() <= kLongestKey;
  if (!is_key || is_null_word(word)) {
    return nullptr;
  }
  pos_ = end + 1;
  return scalar(start, word);
}

/// A map whose keys begin in the column of the first.
YamlNode* PlainParser::map(std::uint32_t depth) {
  const std::uint32_t first = column();
  YamlNode& node = document_.add(YamlNode::Kind::kMap, place());
  while (!is_at_end() && column() == first) {
    const YamlNode* const name = key();
    if (name == nullptr) {
      return nullptr;
    }
    const YamlNode* const held = value(first, depth);
    if (held == nullptr) {
      return nullptr;
    }
    node.values.insert(node.values.end(), {name, held});
  }
  // What is deeper would go on with the last value; a key between two maps belongs to none.
  return is_at_end() || column() < first ? &node : nullptr;
}

/// The value behind a key's colon, and all up to the next key.
YamlNode* PlainParser::value(std::uint32_t block_column, std::uint32_t depth) {
  skip_spaces();
  const bool is_below = at(pos_) == '\n' || at(pos_) == '#';
  if (is_below) {
    skip_to_content();
    return is_at_end() || column() <= block_column || depth == kDeepest ? nullptr : map(depth + 1);
  }
  const bool is_plain = at(pos_) != '[' && at(pos_) != '{' && at(pos_) != '"' && at(pos_) != '\'';
  YamlNode* const node = is_plain ? plain_text(false) : item(block_column, depth);
  if (node == nullptr) {
    return nullptr;
  }
  const std::uint32_t last_line = line_;
  skip_to_content();
  const bool ends_line = is_at_end() || line_ > last_line;
  return ends_line && (is_at_end() || column() <= block_column) ? node : nullptr;
}

YamlNode* PlainParser::item(std::uint32_t block_column, std::uint32_t depth) {
  switch (at(pos_)) {
    case '[':
    case '{': return depth == kDeepest ? nullptr : bracketed(block_column, depth + 1);
    case '\'': look_for_closing_quote(); return nullptr;
    case '"': look_for_closing_quote(); return quoted_text(block_column);
    default: return plain_text(true);
  }
}

/// A sequence or a map in brackets; all of it is deeper than the key that it belongs to.
YamlNode* PlainParser::bracketed(std::uint32_t block_column, std::uint32_t depth) {
  const bool is_map = at(pos_) == '{';
  YamlNode& node = document_.add(is_map ? YamlNode::Kind::kMap : YamlNode::Kind::kSequence, place());
  do {
    ++pos_;
    if (is_map) {
      skip_to_content();
      node.values.push_back(column() > block_column ? key() : nullptr);
    }
    skip_to_content();
    node.values.push_back(column() > block_column ? item(block_column, depth) : nullptr);
    skip_to_content();
  } while (at(pos_) == ',' && column() > block_column);
  const bool is_closed = at(pos_) == (is_map ? '}' : ']') && column() > block_column;
  if (!is_closed || std::ranges::find(node.values, nullptr) != node.values.end()) {
    return nullptr;
  }
  ++pos_;
  return &node;
}

/// A text without quotes, in one line.
YamlNode* PlainParser::plain_text(bool in_brackets) {
  const char first = at(pos_);
  if (!is_word(first) && !(first == '-' && is_word(at(pos_ + 1)))) {
    return nullptr;
  }
  const Place start = place();
  const std::size_t begin = pos_;
  const std::string_view ends = in_brackets ? std::string_view("\n,]}") : std::string_view("\n");
  const std::string_view doubtful = in_brackets ? std::string_view("[{?:") : std::string_view();
  for (; ends.find(at(pos_)) == std::string_view::npos && !(at(pos_) == '#' && at(pos_ - 1) == ' '); ++pos_) {
    const char next = at(pos_ + 1);
    if (doubtful.find(at(pos_)) != std::string_view::npos || (at(pos_) == ':' && (next == ' ' || next == '\n'))) {
      return nullptr;
    }
  }
  const std::string_view text = text_.substr(begin, pos_ - begin);
  const std::string_view trimmed = text.substr(0, text.find_last_not_of(' ') + 1);
  return is_null_word(trimmed) ? nullptr : scalar(start, trimmed);
}

/// From the end of a line within quotes to the first letter of the next line.
bool PlainParser::fold_line(std::uint32_t block_column) {
  if (at(pos_ - 1) == ' ' || at(pos_ - 1) == '"') {
    return false;
  }
  line_start_ = ++pos_;
  ++line_;
  skip_spaces();
  return column() > block_column && at(pos_) != '\n' && at(pos_) != '"';
}

void PlainParser::look_for_closing_quote() {
  if (text_.find(at(pos_), pos_ + 1) == std::string_view::npos) {
    document_.note_open_quote(place());
  }
}

YamlNode* PlainParser::quoted_text(std::uint32_t block_column) {
  const Place start = place();
  std::size_t begin = ++pos_;
  std::string folded;
  while (at(pos_) != '"') {
    if (is_at_end() || at(pos_) == '\\') {
      return nullptr;
    }
    if (at(pos_) != '\n') {
      ++pos_;
      continue;
    }
    folded.append(text_.substr(begin, pos_ - begin)).push_back(' ');
    if (!fold_line(block_column)) {
      return nullptr;
    }
    begin = pos_;
  }
  const std::string_view last = text_.substr(begin, pos_ - begin);
  ++pos_;
  return scalar(start, folded.empty() ? last : document_.keep(folded.append(last)));
}

bool PlainParser::parse() {
  if (!is_printable(text_)) {
    return false;
  }
  skip_to_content();
  return !is_at_end() && map(0) != nullptr && is_at_end();
}

}  // namespace

bool parse_plain_yaml(YamlDocument& document) {
  const bool is_plain = PlainParser(document).parse();
  if (!is_plain) {
    document.clear();
  }
  return is_plain;
}

}  // namespace gpusim::arch
