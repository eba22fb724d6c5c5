// SPDX-License-Identifier: MIT
// The words of fields that choose a policy: the names in the policies' tables.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/model/arch/words.h"
#include "sim/model/policy/dram/table.h"
#include "sim/model/policy/replacement/table.h"
#include "sim/model/policy/warp/table.h"

namespace gpusim::arch {

namespace words_detail {
/// The names of all policies, then their other names.
consteval auto warp_policy_words() {
  constexpr std::size_t kAliases = static_cast<std::size_t>(
      std::ranges::count_if(policy::kWarpPolicies, [](const auto& info) { return !info.alias.empty(); }));
  std::array<Word<policy::WarpPolicy>, policy::kWarpPolicies.size() + kAliases> words{};
  std::size_t next = 0;
  for (const policy::WarpPolicyInfo& info : policy::kWarpPolicies) {
    words[next++] = {info.name, info.policy};
  }
  for (const policy::WarpPolicyInfo& info : policy::kWarpPolicies) {
    if (!info.alias.empty()) {
      words[next++] = {info.alias, info.policy};
    }
  }
  return words;
}
/// The names of policies that have no others.
template <const auto& policies>
consteval auto policy_words() {
  using Policy = decltype(policies[0].policy);
  std::array<Word<Policy>, policies.size()> words{};
  std::ranges::transform(policies, words.begin(), [](const auto& info) {
    return Word<Policy>{info.name, info.policy};
  });
  return words;
}
}  // namespace words_detail

template <>
inline constexpr auto kWords<policy::WarpPolicy> = words_detail::warp_policy_words();
template <>
inline constexpr auto kWords<policy::Replacement> = words_detail::policy_words<policy::kReplacements>();
template <>
inline constexpr auto kWords<policy::DramScheduler> = words_detail::policy_words<policy::kDramSchedulers>();

}  // namespace gpusim::arch
