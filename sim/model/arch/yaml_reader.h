// SPDX-License-Identifier: MIT
// YAML files as text with places: the form that all our files share, and its errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/arch/yaml_node.h"

namespace gpusim::arch {

/// A key of a map with its value, both of a document that lives on.
struct YamlItem {
  std::string name;
  const YamlNode& key;
  const YamlNode& value;
};

/// More bytes than a person writes: the shipped architectures have some 30 KB.
inline constexpr std::uint64_t kMostYamlBytes = std::uint64_t{1} << 20U;

/// The text of a file; nothing when it cannot be read, or has more than `most` bytes. `why` then says what is in the
/// way, as "is a folder, not a file".
[[nodiscard]] std::optional<std::string> read_yaml_text(const std::filesystem::path& file, std::string& why,
                                                        std::uint64_t most = kMostYamlBytes);

/// Text as a scalar in double quotes.
[[nodiscard]] std::string double_quoted(std::string_view text);

/// Reads nodes of one file; what is wrong is added to the problems with its place.
class YamlReader {
 public:
  explicit YamlReader(ProblemList& problems) : problems_(problems) {}

  /// The document of which a text is one, with a map as its root; null when it is none. `what` and `form` tell what it
  /// should be.
  std::unique_ptr<YamlDocument> parse(std::string text, const std::string& what, const std::string& form);
  /// The keys of a map, each once.
  std::vector<YamlItem> items(const YamlNode& map);
  /// The text of a scalar.
  std::optional<std::string> scalar(const YamlNode& node, const std::string& what);

  void add(const YamlNode& at, std::string message, std::string hint = {});
  [[nodiscard]] SourceLocation place(const YamlNode& node) const;

  std::string file;  ///< for messages

 private:
  ProblemList& problems_;
};

}  // namespace gpusim::arch
