// SPDX-License-Identifier: MIT
// Maps of YAML whose keys are known: each key is taken by a function of its own, others are refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::lab {

using arch::YamlItem;
using arch::YamlNode;

/// One file of YAML, and what is wrong with it.
class YamlMapReader {
 public:
  using Take = std::function<void(const YamlItem& item)>;
  using Fields = std::initializer_list<std::pair<std::string_view, Take>>;

  /// `name` stands for the file in messages.
  explicit YamlMapReader(const std::string& name) : yaml_(problems_) { yaml_.file = name; }

  /// Takes the keys of the file's map. `what` says what the file should be. Throws InputError with all problems.
  void read_file(const std::filesystem::path& file, const std::string& what, Fields fields);
  /// The same of a text.
  void read_text(const std::string& text, const std::string& what, Fields fields);

  /// The same, whatever the keys are called.
  void read_all_of(const std::string& text, const std::string& what, const Take& take);

  /// Takes the keys of a map; of a node that is none says so.
  void take(const YamlNode& map, const std::string& what, Fields fields);
  /// Takes all keys of a map, whatever they are called.
  void take_all(const YamlNode& map, const std::string& what, const Take& take);

  /// A text, "" after a problem.
  [[nodiscard]] std::string text(const YamlItem& item);
  /// A name of letters, digits, '-' and '_'.
  [[nodiscard]] std::string key(const YamlItem& item);
  /// The same without '-', which formulas take for a minus.
  [[nodiscard]] std::string name(const YamlItem& item);
  [[nodiscard]] std::uint32_t count(const YamlItem& item, std::uint32_t least, std::uint32_t most);
  /// A finite number.
  [[nodiscard]] double number(const YamlNode& node, const std::string& what);
  [[nodiscard]] std::vector<std::string> texts(const YamlItem& item);
  void refuse_unless_one_of(const YamlNode& node, const std::string& what, const std::string& word,
                            const std::vector<std::string_view>& known);

  void add(const YamlNode& at, std::string message, std::string hint = {}) {
    yaml_.add(at, std::move(message), std::move(hint));
  }
  void add(Problem problem) { problems_.add(std::move(problem)); }
  [[nodiscard]] SourceLocation place(const YamlNode& node) const { return yaml_.place(node); }
  [[nodiscard]] const std::string& file() const { return yaml_.file; }
  [[nodiscard]] bool is_clean() const { return problems_.empty(); }
  void throw_if_any() const { problems_.throw_if_any(); }

 private:
  ProblemList problems_;
  arch::YamlReader yaml_;
};

}  // namespace gpusim::lab
