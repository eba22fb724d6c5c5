// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/swept_gpus.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/sweep/study/expand.h"
#include "sim/model/arch/resolved.h"

namespace gpusim::commands {

SweptGpus::SweptGpus(const std::vector<std::string>& set) : set_(arch::parse_overrides(set)) {}

std::optional<std::string> SweptGpus::find(const sweep::PointRow& row, const std::string& key) {
  const arch::Resolved* const gpu = resolve(row.arch);
  std::string text = gpu == nullptr ? "" : sweep::text_of_key(*gpu, key);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

sweep::TextPairs SweptGpus::changes(const std::string& name, SweptGpus& from) {
  const arch::Resolved* const was = from.resolve(name);
  const arch::Resolved* const is = set_.empty() && from.set_.empty() ? was : resolve(name);
  return was == nullptr || is == nullptr ? sweep::TextPairs() : sweep::changed_keys(*was, *is);
}

const arch::Resolved* SweptGpus::resolve(const std::string& name) {
  const auto [known, is_new] = gpus_.try_emplace(name);
  std::optional<arch::Resolved>& gpu = known->second;
  if (is_new) {
    try {
      gpu = arch::resolve_arch(cli::find_file(name, cli::architecture_files()), set_,
                               cli::search_folders(cli::architecture_files()));
    } catch (const InputError& error) {
      // The points are there even where their architecture has gone.
      cli::log_warning(error.what());
    }
  }
  return gpu ? &*gpu : nullptr;
}

}  // namespace gpusim::commands
