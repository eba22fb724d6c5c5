// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/machine.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/commands/arch/tables.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/sweep/formula/quantity.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_node.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::lab {
namespace {

/// How many keys that must not differ a message names.
constexpr std::size_t kOthersShown = 3;

std::string or_nothing(const std::string& text) {
  return text.empty() ? "nothing" : text;
}

namespace fs = std::filesystem;

struct Extended {
  std::string name;
  SourceLocation where;
};

/// What a file says that it extends; nothing when it extends none, or cannot be read, of which its reader tells.
std::optional<Extended> extended_by(const fs::path& file) {
  std::string why;
  const std::optional<std::string> text = arch::read_yaml_text(file, why);
  ProblemList ignored;
  arch::YamlReader yaml(ignored);
  yaml.file = file.string();
  const auto document = text ? yaml.parse(*text, "an architecture", "YAML") : nullptr;
  const arch::YamlNode* const node = document ? document->root().find("extends") : nullptr;
  const std::optional<std::string> name = node != nullptr ? yaml.scalar(*node, "'extends'") : std::nullopt;
  return name ? std::optional(Extended{*name, yaml.place(*node)}) : std::nullopt;
}

/// The file of this name in the folder, as an architecture finds what it extends; empty when there is none.
fs::path file_beside(const fs::path& folder, const std::string& name) {
  for (const fs::path& candidate : {folder / name, folder / (name + ".yaml")}) {
    std::error_code error;
    if (fs::is_regular_file(candidate, error)) {
      return candidate;
    }
  }
  return {};
}

}  // namespace

void require_own_files(const fs::path& own) {
  constexpr int kLongestChain = 16;  // whatever is longer is refused by its reader
  fs::path file = own;
  for (int link = 0; link < kLongestChain && !file.empty(); ++link) {
    std::error_code error;
    if (fs::is_symlink(file, error)) {
      throw InputError({{file.string(), 0, 0}, "is a link: put the file itself there", ""});
    }
    const std::optional<Extended> extended = extended_by(file);
    if (!extended) {
      return;
    }
    if (fs::path(extended->name).has_parent_path()) {
      throw InputError({extended->where, "'extends' names " + arch::in_quotes(extended->name) + ", which is a path",
                        "write the name of a file of this folder, or of an architecture such as t4.yaml"});
    }
    file = file_beside(own.parent_path(), extended->name);
  }
}

Machine compare_machine(const std::filesystem::path& own, const std::filesystem::path& base,
                        const std::vector<NamedFormula>& costs) {
  require_own_files(own);
  const std::vector<std::filesystem::path> folders = cli::search_folders(cli::architecture_files());
  const arch::Resolved resolved = arch::resolve_arch(own, {}, folders);
  const arch::Resolved start = arch::resolve_arch(base, {}, folders);
  Machine machine;
  for (const NamedFormula& cost : costs) {
    const arch::Entry* const entry = resolved.sheet.find(cost.key);
    const auto quantity = entry == nullptr ? std::nullopt : sweep::parse_quantity(entry->text);
    if (!quantity) {
      throw InputError({{own.string(), 0, 0}, "'" + cost.key + "' is not a number, and cannot be paid for", ""});
    }
    machine.values[cost.key] = {entry->text, quantity->value};
  }
  std::size_t others = 0;
  for (const arch_tables::Difference& difference : arch_tables::differences(start.sheet, resolved.sheet)) {
    if (std::ranges::find(costs, difference.key, &NamedFormula::key) == costs.end() && ++others <= kOthersShown) {
      machine.other += fmt::format("{} is {}, that of {} {}. ", difference.key, or_nothing(difference.right),
                                   base.filename().string(), or_nothing(difference.left));
    }
  }
  return machine;
}

}  // namespace gpusim::lab
