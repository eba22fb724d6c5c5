// SPDX-License-Identifier: MIT
#include "sim/model/arch/yaml_reader.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "sim/base/text.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_parser.h"

namespace gpusim::arch {

namespace fs = std::filesystem;

namespace {

/// What keeps a file from being read; empty when nothing is seen.
std::string obstacle(const fs::path& file, std::uint64_t most) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (error == std::errc::too_many_symbolic_link_levels) {
    return "is a symbolic link that leads back to itself";
  }
  switch (status.type()) {
    case fs::file_type::regular: break;
    case fs::file_type::not_found: return "does not exist";
    case fs::file_type::directory: return "is a folder, not a file";
    default: return "is not a regular file";
  }
  return fs::file_size(file, error) > most ? "is larger than " + with_binary_prefix(most) : "";
}

/// The first tab among the blanks that a line begins with; line 0 where there is none.
Place tab_in_indentation(std::string_view text) {
  std::uint32_t line = 1;
  while (!text.empty()) {
    const std::string_view blanks = text.substr(0, std::min(text.find_first_not_of(" \t"), text.size()));
    if (const std::size_t tab = blanks.find('\t'); tab != std::string_view::npos) {
      return {line, static_cast<std::uint32_t>(tab + 1)};
    }
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line;
  }
  return {};
}

}  // namespace

std::optional<std::string> read_yaml_text(const fs::path& file, std::string& why, std::uint64_t most) {
  why = obstacle(file, most);
  if (!why.empty()) {
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad() || !in.is_open()) {
    why = "cannot be read";
    return std::nullopt;
  }
  return text;
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
    const bool is_plain = parse_plain_yaml(*document);
    if (!is_plain && document->open_quote()) {
      throw YamlError{*document->open_quote(), "this quote is never closed"};
    }
    if ((is_plain || parse_any_yaml(*document)) && document->root().is_map()) {
      return document;
    }
    problems_.add({{file, 0, 0}, "is not " + what, form});
  } catch (const YamlError& error) {
    const Place tab = tab_in_indentation(document->text());
    if (tab.line != 0 && tab.line <= std::max(error.place.line, std::uint32_t{1}) + 1) {
      problems_.add({{file, tab.line, tab.column}, "a tab is not allowed here", "indent with spaces"});
      return nullptr;
    }
    const bool too_early = error.message.starts_with("end of ");  // "end of map not found", or of a sequence
    problems_.add({{file, error.place.line, error.place.column},
                   "is not YAML: " + in_quotes(error.message),
                   too_early ? "is a quote or a bracket above it left open?" : ""});
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
