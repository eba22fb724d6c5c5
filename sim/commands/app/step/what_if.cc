// SPDX-License-Identifier: MIT
#include "sim/commands/app/step/what_if.h"

#include <algorithm>
#include <array>
#include <set>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/units.h"
#include "sim/model/arch/overrides.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"
#include "sim/system/config/keys.h"

namespace gpusim::app {
namespace {

using arch::Unit;
using system::kGpuPrefix;

constexpr std::string_view kBandwidth = "dram.bandwidth";
constexpr std::string_view kParams = ".params.";

/// A key of an application's file: in a group with names ("kernels.relu.bytes"), or without ("repeats").
struct ApplicationKey {
  std::string_view group;  ///< empty: none
  std::string_view name;
  Unit unit;
  std::uint64_t most;
};
constexpr std::array<ApplicationKey, 15> kApplicationKeys{{{"", "warm_up", Unit::kCount, 10'000},
                                                           {"", "repeats", Unit::kCount, 10'000},
                                                           {"queues", "depth", Unit::kCount, 1'000'000},
                                                           {"streams", "waits_for_default", Unit::kText, 0},
                                                           {"kernels", "trace", Unit::kText, 0},
                                                           {"kernels", "time", Unit::kNanoseconds, 1000 * kGiga},
                                                           {"kernels", "of", Unit::kText, 0},
                                                           {"kernels", "bytes", Unit::kBytes, kKi* kTi},
                                                           {"kernels", "flops", Unit::kCount, kKi* kPeta},
                                                           {"kernels", "peak", Unit::kText, 0},
                                                           {"kernels", "reach", Unit::kPercent, 100},
                                                           {"kernels", "sm_cycles", Unit::kCycles, kKi* kTi},
                                                           {"kernels", "besides", Unit::kNanoseconds, 1000 * kGiga},
                                                           {"kernels", "ctas", Unit::kCount, std::uint64_t{1} << 40U},
                                                           {"kernels", "ctas_per_sm", Unit::kCount, 64}}};

std::string_view group_of(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

bool is_of_system(std::string_view key) {
  return std::ranges::find(system::kChangeable, group_of(key)) != system::kChangeable.end();
}

bool is_of_application(std::string_view key) {
  return std::ranges::any_of(kApplicationKeys, [key](const ApplicationKey& row) {
    return row.group.empty() ? row.name == key : row.group == group_of(key);
  });
}

bool has_one_dot(std::string_view key) {
  return std::ranges::count(key, '.') == 1;
}

std::string first_key_of(std::string_view group) {
  return std::string(std::ranges::find(kApplicationKeys, group, &ApplicationKey::group)->name);
}

std::optional<arch::Key> find_application_key(std::string_view key) {
  arch::Key found{std::string(key), Unit::kText, 0, 0, "", arch::PeakField{0}, {}};
  if (group_of(key) == "kernels" && key.find(kParams) != std::string_view::npos) {
    return found;
  }
  const std::size_t dot = key.rfind('.');
  const std::string_view name = dot == std::string_view::npos ? key : key.substr(dot + 1);
  const auto row = std::ranges::find_if(kApplicationKeys, [&](const ApplicationKey& r) {
    return r.name == name && r.group == group_of(key) && (r.group.empty() || dot != r.group.size());
  });
  if (row == kApplicationKeys.end()) {
    return std::nullopt;
  }
  found.unit = row->unit;
  found.max = row->most;
  return found;
}

}  // namespace

std::string WhatIf::text() const {
  std::string text;
  const auto add = [&text](std::string_view prefix, const std::vector<arch::Override>& changes) {
    for (const arch::Override& change : changes) {
      text += (text.empty() ? "with " : ", ") + std::string(prefix) + change.key + "=" + change.value;
    }
  };
  add("", of_system.keys);
  add(kGpuPrefix, of_system.of_gpus);
  add("", of_application);
  return text;
}

std::optional<arch::Key> find_what_if_key(std::string_view key) {
  if (key.starts_with(kGpuPrefix)) {
    const std::string_view own = key.substr(kGpuPrefix.size());
    arch::Key bandwidth{std::string(key), Unit::kBytesPerSecond, kMega, kPeta, "", arch::PeakField{0}, {}};
    const std::optional<std::size_t> index = arch::find_key(own);
    if (!index) {
      return own == kBandwidth ? std::optional(std::move(bandwidth)) : std::nullopt;
    }
    arch::Key found = arch::schema()[*index];
    found.path = key;
    return found;
  }
  return is_of_system(key) ? system::find_system_key(key) : find_application_key(key);
}

std::string suggest_what_if_key(const std::string& key) {
  if (arch::find_key(key) || key == kBandwidth) {
    return "did you mean '" + std::string(kGpuPrefix) + key + "'?";
  }
  std::vector<std::string> known;
  for (const arch::Key& row : arch::schema()) {
    known.push_back(std::string(kGpuPrefix) + row.path);
  }
  for (const auto& row : system::keys_of<system::CallCosts>()) {
    known.push_back("calls." + row.key.path);
  }
  for (const auto& row : system::keys_of<system::CollectiveRates>()) {
    known.push_back("collectives." + row.key.path);
  }
  known.insert(known.end(), {"gpu.dram.bandwidth", "gpus.count", "repeats", "warm_up", "kernels", "queues", "streams"});
  known.insert(known.end(), system::kChangeable.begin(), system::kChangeable.end());
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string_view near = nearest(key, words);
  return near.empty() ? "such as gpu.sm.count, calls.launch, link_types.NAME.bandwidth, kernels.NAME.bytes or repeats"
                      : "did you mean '" + std::string(near) + "'?";
}

WhatIf sort_changes(std::span<const arch::Override> changes) {
  WhatIf sorted;
  ProblemList problems;
  std::set<std::string_view> seen;
  for (const arch::Override& change : changes) {
    const SourceLocation where{"--set " + change.key, 0, 0};
    if (!seen.insert(change.key).second) {
      problems.add({where, "is given twice", ""});
    } else if (change.key.starts_with(kGpuPrefix)) {
      sorted.of_system.of_gpus.push_back({change.key.substr(kGpuPrefix.size()), change.value});
    } else if (is_of_system(change.key)) {
      sorted.of_system.keys.push_back(change);
    } else if (is_of_application(change.key) && !find_application_key(change.key) && has_one_dot(change.key)) {
      problems.add({where, "names no key", "such as " + change.key + "." + first_key_of(group_of(change.key))});
    } else if (is_of_application(change.key)) {
      sorted.of_application.push_back(change);
    } else {
      problems.add({where, "unknown key " + arch::in_quotes(change.key), suggest_what_if_key(change.key)});
    }
  }
  problems.throw_if_any();
  return sorted;
}

}  // namespace gpusim::app
