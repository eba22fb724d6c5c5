// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/swept_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/sweep/study/expand.h"

namespace gpusim::commands {

SweptParts::SweptParts(const std::vector<std::string>& set) : set_(arch::parse_overrides(set)) {}

std::optional<std::string> SweptParts::find(const sweep::PointRow& row, const std::string& key) {
  const arch::Resolved* const part = resolve(row.arch);
  std::string text = part == nullptr ? "" : sweep::text_of_key(*part, key);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

sweep::TextPairs SweptParts::changes(const std::string& name, SweptParts& from) {
  const arch::Resolved* const was = from.resolve(name);
  const arch::Resolved* const is = set_.empty() && from.set_.empty() ? was : resolve(name);
  return was == nullptr || is == nullptr ? sweep::TextPairs() : sweep::changed_keys(*was, *is);
}

const arch::Resolved* SweptParts::resolve(const std::string& name) {
  const auto [known, is_new] = parts_.try_emplace(name);
  std::optional<arch::Resolved>& part = known->second;
  if (is_new) {
    try {
      part = arch::resolve_arch(cli::find_file(name, cli::architecture_files()), set_,
                                cli::search_folders(cli::architecture_files()));
    } catch (const InputError& error) {
      // The points are there even where their architecture has gone.
      cli::log_warning(error.what());
    }
  }
  return part ? &*part : nullptr;
}

}  // namespace gpusim::commands
