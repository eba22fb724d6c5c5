// SPDX-License-Identifier: MIT
#include "sim/model/arch/yaml_reader.h"

#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "sim/model/arch/value.h"

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

SourceLocation YamlReader::place(const YAML::Node& node) const {
  const YAML::Mark mark = node.Mark();
  if (mark.is_null()) {
    return {file, 0, 0};
  }
  return {file, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

void YamlReader::add(const YAML::Node& at, std::string message, std::string hint) {
  problems_.add({place(at), std::move(message), std::move(hint)});
}

std::optional<YAML::Node> YamlReader::parse(const std::string& text, const std::string& what, const std::string& form) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() == 1 && documents.front().IsMap()) {
      return documents.front();
    }
    problems_.add({{file, 0, 0}, "is not " + what, form});
  } catch (const YAML::Exception& error) {
    const auto line = static_cast<std::uint32_t>(error.mark.line + 1);
    problems_.add(
        {{file, line, static_cast<std::uint32_t>(error.mark.column + 1)}, "is not YAML: " + in_quotes(error.msg), ""});
  }
  return std::nullopt;
}

std::optional<std::string> YamlReader::scalar(const YAML::Node& node, const std::string& what) {
  if (!node.IsScalar()) {
    add(node, what + " must be one word or text");
    return std::nullopt;
  }
  if (node.Tag() != "?" && node.Tag() != "!" && !node.Tag().empty()) {
    add(node, what + " has the tag " + in_quotes(node.Tag()), "write values without tags");
    return std::nullopt;
  }
  return node.Scalar();
}

std::vector<YamlItem> YamlReader::items(const YAML::Node& map) {
  std::vector<YamlItem> all;
  std::map<std::string, SourceLocation> seen;
  for (const auto& pair : map) {
    const std::optional<std::string> name = scalar(pair.first, "a key");
    if (!name) {
      continue;
    }
    const auto [first, is_new] = seen.emplace(*name, place(pair.first));
    if (!is_new) {
      add(pair.first, "key " + in_quotes(*name) + " is given twice",
          "first in line " + std::to_string(first->second.line));
      continue;
    }
    all.push_back({*name, pair.first, pair.second});
  }
  return all;
}

}  // namespace gpusim::arch
