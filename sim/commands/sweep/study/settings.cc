// SPDX-License-Identifier: MIT
// What is set at a point: of the architecture, and of the trace.
#include <optional>

#include "sim/base/file_name.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/study/domain.h"
#include "sim/commands/sweep/study/expand.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/overrides.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::sweep {

std::vector<arch::Override> overrides_of(const Study& study, const Point& point) {
  std::vector<arch::Override> all = arch::parse_overrides(study.set);
  for (const Setting& setting : point.settings) {
    if (!setting.is_base && !setting.key.starts_with(kParamPrefix)) {
      all.push_back({setting.key, setting.text});
    }
  }
  return all;
}

std::string text_of_key(const arch::Resolved& arch, std::string_view key) {
  if (key == kBandwidthKey) {
    const std::uint64_t bandwidth = static_cast<std::uint64_t>(dram_bandwidth(arch.arch).rounded());
    return arch::format_decimal(arch::Unit::kBytesPerSecond, bandwidth);
  }
  const arch::Entry* const entry = arch.sheet.find(key);
  return entry == nullptr ? "" : entry->text;
}

std::vector<std::pair<std::string, std::string>> changed_keys(const arch::Resolved& was, const arch::Resolved& is) {
  std::vector<std::pair<std::string, std::string>> changed;
  const std::span<const arch::Key> schema = arch::schema();
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const arch::Entry* const before = was.sheet.find(i);
    const arch::Entry* const now = is.sheet.find(i);
    if (now != nullptr && (before == nullptr || before->text != now->text)) {
      changed.emplace_back(schema[i].path, now->text);
    }
  }
  std::string bandwidth = text_of_key(is, kBandwidthKey);
  if (bandwidth != text_of_key(was, kBandwidthKey)) {
    changed.emplace_back(kBandwidthKey, std::move(bandwidth));
  }
  return changed;
}

std::vector<arch::Override> held_back(const Point& point, const arch::Resolved& base, const arch::Resolved& resolved) {
  std::vector<arch::Override> held;
  for (const Setting& setting : point.settings) {
    if (setting.is_base && text_of_key(base, setting.key) != text_of_key(resolved, setting.key)) {
      held.push_back({setting.key, setting.text});
    }
  }
  return held;
}

Choices parameters_of(const Study& study, const Point& point) {
  Choices all = fixed_parameters(study);
  for (const Setting& setting : point.settings) {
    if (!setting.is_base && setting.key.starts_with(kParamPrefix)) {
      if (!parse_signed(setting.text) && !is_word_or_file(setting.text)) {
        throw InputError(
            {on_command_line("vary", setting.key), arch::in_quotes(setting.text) + " is beyond 64 bits", ""});
      }
      all.emplace_back(setting.key.substr(kParamPrefix.size()), setting.text);
    }
  }
  return all;
}

}  // namespace gpusim::sweep
