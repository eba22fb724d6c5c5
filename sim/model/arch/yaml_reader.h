// SPDX-License-Identifier: MIT
// YAML as text with places. yaml-cpp is lenient (it keeps duplicate keys, converts octal and infinities), so only its
// structure and places are used: every scalar is taken as text.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "sim/base/problem.h"

namespace gpusim::arch {

/// A key of a map with its value.
struct YamlItem {
  std::string name;
  YAML::Node key;
  YAML::Node value;
};

/// What read_yaml_text() takes.
inline constexpr std::string_view kYamlFileHint = "a YAML file of at most 1 MiB";

/// The text of a file; nothing when it cannot be read, or is far too large to be written by a person.
[[nodiscard]] std::optional<std::string> read_yaml_text(const std::filesystem::path& file);

/// Text as a scalar in double quotes.
[[nodiscard]] std::string double_quoted(std::string_view text);

/// Reads nodes of one file; what is wrong is added to the problems with its place.
class YamlReader {
 public:
  explicit YamlReader(ProblemList& problems) : problems_(problems) {}

  /// The map that a text is; `what` and `form` tell what it should be.
  std::optional<YAML::Node> parse(const std::string& text, const std::string& what, const std::string& form);
  /// The keys of a map, each once.
  std::vector<YamlItem> items(const YAML::Node& map);
  /// The text of a scalar.
  std::optional<std::string> scalar(const YAML::Node& node, const std::string& what);

  void add(const YAML::Node& at, std::string message, std::string hint = {});
  [[nodiscard]] SourceLocation place(const YAML::Node& node) const;

  std::string file;  ///< for messages

 private:
  ProblemList& problems_;
};

}  // namespace gpusim::arch
