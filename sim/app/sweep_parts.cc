// SPDX-License-Identifier: MIT
#include "sim/app/sweep_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/base/problem.h"
#include "sim/commands/sweep/study/expand.h"

namespace gpusim::app {

SweptParts::SweptParts(const std::vector<std::string>& set) {
  std::ranges::transform(set, std::back_inserter(set_), &arch::parse_override);
}

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
      part = arch::resolve_arch(find_file(name, architecture_files()), set_, search_folders(architecture_files()));
    } catch (const InputError& error) {
      // The points are there even where their architecture has gone.
      log_warning(error.what());
    }
  }
  return part ? &*part : nullptr;
}

}  // namespace gpusim::app
