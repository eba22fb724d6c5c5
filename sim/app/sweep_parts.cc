// SPDX-License-Identifier: MIT
#include "sim/app/sweep_parts.h"

#include <algorithm>
#include <cmath>

#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/arch/schema.h"
#include "sim/arch/value.h"
#include "sim/base/problem.h"
#include "sim/sweep/study/study.h"

namespace gpusim::app {

SweptParts::SweptParts(const std::vector<std::string>& set) {
  for (const std::string& text : set) {
    const arch::Override parsed = arch::parse_override(text);
    set_.emplace_back(parsed.key, parsed.value);
  }
}

std::optional<std::string> SweptParts::find(const sweep::PointRow& row, const std::string& key) {
  if (key != sweep::kBandwidthKey) {
    const arch::Resolved* const part = resolve(row.arch);
    const arch::Entry* const entry = part == nullptr ? nullptr : part->sheet.find(key);
    return entry == nullptr ? std::nullopt : std::optional(entry->text);
  }
  // No key of the file, so it is not among what followed: a row that changes the DRAM has a bandwidth of its own.
  const auto is_dram = [](const auto& pair) { return pair.first.starts_with("dram."); };
  Overrides varied;
  if (std::ranges::any_of(row.parameters, is_dram)) {
    const auto is_key = [](const auto& pair) { return arch::find_key(pair.first).has_value(); };
    std::ranges::copy_if(row.parameters, std::back_inserter(varied), is_key);
  }
  const arch::Resolved* const part = resolve(row.arch, varied);
  if (part == nullptr) {
    return std::nullopt;
  }
  const double peak = std::round(part->arch.dram.peak_bytes_per_second());
  return arch::format_decimal(arch::Unit::kBytesPerSecond, static_cast<std::uint64_t>(peak));
}

sweep::TextPairs SweptParts::changes(const std::string& name, SweptParts& from) {
  sweep::TextPairs out;
  if (set_ == from.set_) {
    return out;
  }
  const arch::Resolved* const was = from.resolve(name);
  const arch::Resolved* const is = resolve(name);
  if (was == nullptr || is == nullptr) {
    return out;
  }
  for (const arch::Key& key : arch::schema()) {
    const arch::Entry* const before = was->sheet.find(key.path);
    const arch::Entry* const now = is->sheet.find(key.path);
    if (now != nullptr && (before == nullptr || before->text != now->text)) {
      out.emplace_back(key.path, now->text);
    }
  }
  return out;
}

const arch::Resolved* SweptParts::resolve(const std::string& name, const Overrides& more) {
  const auto [known, is_new] = parts_.try_emplace({name, more});
  std::optional<arch::Resolved>& part = known->second;
  if (is_new && (more.empty() || resolve(name) != nullptr)) {
    std::vector<arch::Override> overrides;
    for (const Overrides& settings : {set_, more}) {
      std::ranges::transform(settings, std::back_inserter(overrides), [](const auto& pair) {
        return arch::Override{pair.first, pair.second};
      });
    }
    try {
      part = arch::resolve_arch(find_file(name, architecture_files()), overrides, search_folders(architecture_files()));
    } catch (const InputError& error) {
      // The points are there even where their architecture has gone.
      log_warning(error.what());
    }
  }
  return part ? &*part : nullptr;
}

}  // namespace gpusim::app
