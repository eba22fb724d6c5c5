// SPDX-License-Identifier: MIT
#include "sim/model/arch/yaml_reader.h"

#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_parser.h"

namespace gpusim::arch {

namespace fs = std::filesystem;

std::optional<std::string> read_yaml_text(const fs::path& file) {
  /// The shipped architectures have some 30 KB.
  constexpr std::size_t kLargestFile = 1024 * 1024;
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kLargestFile) {
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return in.bad() ? std::nullopt : std::optional(std::move(text));
}

std::string double_quoted(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) {
      out += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    } else {
      out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    }
  }
  return out + '"';
}

SourceLocation YamlReader::place(const YamlNode& node) const {
  return {file, node.place.line, node.place.column};
}

void YamlReader::add(const YamlNode& at, std::string message, std::string hint) {
  problems_.add({place(at), std::move(message), std::move(hint)});
}

std::unique_ptr<YamlDocument> YamlReader::parse(std::string text, const std::string& what, const std::string& form) {
  auto document = std::make_unique<YamlDocument>(std::move(text));
  try {
    if ((parse_plain_yaml(*document) || parse_any_yaml(*document)) && document->root().is_map()) {
      return document;
    }
    problems_.add({{file, 0, 0}, "is not " + what, form});
  } catch (const YamlError& error) {
    problems_.add({{file, error.place.line, error.place.column}, "is not YAML: " + in_quotes(error.message), ""});
  }
  return nullptr;
}

std::optional<std::string> YamlReader::scalar(const YamlNode& node, const std::string& what) {
  if (!node.is_scalar()) {
    add(node, what + " must be one word or text");
    return std::nullopt;
  }
  if (!node.tag.empty()) {
    add(node, what + " has the tag " + in_quotes(node.tag), "write values without tags");
    return std::nullopt;
  }
  return std::string(node.text);
}

std::vector<YamlItem> YamlReader::items(const YamlNode& map) {
  std::vector<YamlItem> all;
  all.reserve(map.values.size() / 2);
  std::map<std::string_view, std::uint32_t> lines;
  for (std::size_t i = 0; i + 1 < map.values.size(); i += 2) {
    const YamlNode& key = *map.values[i];
    std::optional<std::string> name = scalar(key, "a key");
    if (!name) {
      continue;
    }
    const auto [first, is_new] = lines.emplace(key.text, key.place.line);
    if (!is_new) {
      add(key, "key " + in_quotes(*name) + " is given twice", "first in line " + std::to_string(first->second));
      continue;
    }
    all.push_back({*std::move(name), key, *map.values[i + 1]});
  }
  return all;
}

}  // namespace gpusim::arch
