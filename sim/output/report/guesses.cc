// SPDX-License-Identifier: MIT
#include "sim/output/report/guesses.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpusim::report {
namespace {

/// Beginnings of the keys that decide how fast a kernel bound by `first` runs.
struct Weight {
  stats::Bound bound;
  std::array<std::string_view, 4> keys;  ///< empty: none
};
constexpr std::array<Weight, 10> kWeights{{
    {stats::Bound::kTensor, {"clocks.sm", "sm.timing.hmma", "sm.timing.imma", "sm.tensor"}},
    {stats::Bound::kFp, {"clocks.sm", "sm.timing", "", ""}},
    {stats::Bound::kIssue, {"clocks.sm", "sm.scheduler", "sm.front_end", "sm.timing"}},
    {stats::Bound::kL1, {"clocks.sm", "sm.l1", "sm.lsu", ""}},
    {stats::Bound::kShared, {"clocks.sm", "sm.shared", "sm.lsu", ""}},
    {stats::Bound::kL2, {"clocks.sm", "l2.", "noc.", ""}},
    {stats::Bound::kDram, {"clocks.memory", "dram.", "l2.mshrs", "l2.queue"}},
    {stats::Bound::kDramRows, {"dram.timing", "dram.mapping", "dram.refresh", "dram.queue"}},
    {stats::Bound::kLatency, {"clocks.sm", "sm.timing", "sm.lsu", "sm.shared"}},
    {stats::Bound::kLaunch, {"launch.", "clocks.sm", "", ""}},
}};
constexpr std::array<std::string_view, 4> kMemoryLatency{"sm.l1", "noc.", "l2.", "dram."};

std::array<std::string_view, 4> weighty_keys(const View& view) {
  const auto longest =
      std::max_element(view.kernels.begin(), view.kernels.end(),
                       [](const KernelView& a, const KernelView& b) { return a.raw->cycles < b.raw->cycles; });
  if (longest == view.kernels.end()) {
    return {};
  }
  if (longest->bound == stats::Bound::kLatency && main_wait(longest->raw->stalls) == stats::Stall::kLongScoreboard) {
    return kMemoryLatency;
  }
  return kWeights[static_cast<std::size_t>(longest->bound)].keys;
}

}  // namespace

std::vector<const stats::GuessedValue*> guesses_by_weight(const View& view) {
  const std::array<std::string_view, 4> keys = weighty_keys(view);
  const auto rank = [&keys](const stats::GuessedValue* guess) {
    const bool weighty = std::any_of(keys.begin(), keys.end(), [guess](std::string_view key) {
      return !key.empty() && guess->key.starts_with(key);
    });
    return (weighty ? 0 : 2) + (guess->kind == "guess" ? 0 : 1);
  };
  std::vector<const stats::GuessedValue*> order;
  for (const stats::GuessedValue& guess : view.run->guesses) {
    order.push_back(&guess);
  }
  std::stable_sort(order.begin(), order.end(), [&rank](const auto* a, const auto* b) { return rank(a) < rank(b); });
  return order;
}

}  // namespace gpusim::report
