// SPDX-License-Identifier: MIT
// What the roofs rest on: the keys that their peaks are computed from.
#include <algorithm>
#include <iterator>

#include "sim/commands/roofline/roofline.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"

namespace gpusim::roofline {
namespace {

void add_keys(const Ceiling& ceiling, std::vector<std::string>& keys) {
  const auto info = std::ranges::find(arch::peak_infos(), ceiling.name, &arch::PeakInfo::name);
  if (info != arch::peak_infos().end()) {
    for (const std::string_view key : info->keys) {
      if (!key.empty()) {
        keys.emplace_back(key);
      }
    }
  }
  keys.push_back("clocks." + ceiling.clock);
}

}  // namespace

std::vector<std::string> keys_behind(const Roofs& roofs) {
  std::vector<std::string> keys;
  add_keys(roofs.levels[roofs.level], keys);
  for (const Ceiling& compute : roofs.compute) {
    add_keys(compute, keys);
  }
  return keys;
}

std::vector<arch::Guess> guesses_behind(const arch::Arch& arch, const Roofs& roofs) {
  const std::vector<std::string> keys = keys_behind(roofs);
  std::vector<arch::Guess> guesses;
  std::ranges::copy_if(arch.guesses, std::back_inserter(guesses),
                       [&](const arch::Guess& guess) { return std::ranges::find(keys, guess.key) != keys.end(); });
  return guesses;
}

}  // namespace gpusim::roofline
