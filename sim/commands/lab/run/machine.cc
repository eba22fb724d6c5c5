// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/machine.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/commands/arch/tables.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/sweep/formula/quantity.h"
#include "sim/model/arch/loader.h"

namespace gpusim::lab {
namespace {

/// How many keys that must not differ a message names.
constexpr std::size_t kOthersShown = 3;

std::string or_nothing(const std::string& text) {
  return text.empty() ? "nothing" : text;
}

}  // namespace

Machine compare_machine(const std::filesystem::path& own, const std::filesystem::path& base,
                        const std::vector<NamedFormula>& costs) {
  const std::vector<std::filesystem::path> folders = cli::search_folders(cli::architecture_files());
  const arch::Resolved part = arch::resolve_arch(own, {}, folders);
  const arch::Resolved start = arch::resolve_arch(base, {}, folders);
  Machine machine;
  for (const NamedFormula& cost : costs) {
    const arch::Entry* const entry = part.sheet.find(cost.key);
    const auto quantity = entry == nullptr ? std::nullopt : sweep::parse_quantity(entry->text);
    if (!quantity) {
      throw InputError({{own.string(), 0, 0}, "'" + cost.key + "' is not a number, and cannot be paid for", ""});
    }
    machine.values[cost.key] = {entry->text, quantity->value};
  }
  std::size_t others = 0;
  for (const arch_tables::Difference& difference : arch_tables::differences(start.sheet, part.sheet)) {
    if (std::ranges::find(costs, difference.key, &NamedFormula::key) == costs.end() && ++others <= kOthersShown) {
      machine.other += fmt::format("{} is {}, that of {} {}. ", difference.key, or_nothing(difference.right),
                                   base.filename().string(), or_nothing(difference.left));
    }
  }
  return machine;
}

}  // namespace gpusim::lab
