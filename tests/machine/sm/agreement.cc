// SPDX-License-Identifier: MIT
#include "tests/machine/sm/agreement.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/machine/sm/accountant.h"
#include "tests/machine/sm/fetch_reference.h"

namespace gpusim::test {
namespace {

std::string difference(const stats::StallCycles& ledger, const stats::StallCycles& accountant) {
  std::string text;
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    if (ledger[s] != accountant[s]) {
      text += std::string(stats::kStalls[s].key) + ": ledger " + std::to_string(ledger[s]) + ", accountant " +
              std::to_string(accountant[s]) + "; ";
    }
  }
  return text;
}

stats::StallCycles of_slot(const OneSmRun& run, std::uint32_t slot) {
  stats::StallCycles cycles{};
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    cycles[s] = run.cycles(slot, static_cast<stats::Stall>(s));
  }
  return cycles;
}

/// The first cycle in which a sub-core issued more than one instruction; kNever when there is none.
Cycle double_issue(const OneSmRun& run) {
  std::set<std::pair<std::uint32_t, Cycle>> taken;
  for (const stats::WatchInterval& interval : run.intervals) {
    const bool first =
        interval.state != stats::Stall::kSelected || taken.emplace(interval.sub_core, interval.begin).second;
    if (!first) {
      return interval.begin;
    }
  }
  return kNever;
}

void check_fetch(const OneSmRun& run, const FetchReference& fetch) {
  CHECK(fetch.difference() == "");
  for (const auto& field : stats::FetchCounters::kFields) {
    INFO(field.name);
    CHECK(run.counted.fetch.*field.member == fetch.counters().*field.member);
  }
}

}  // namespace

stats::StallCycles agreed_states(OneSmSetup setup, const trace::Kernel& kernel) {
  Accountant accountant(setup.arch.sm.front_end, kernel.code.size());
  std::optional<FetchReference> fetch;
  setup.observe = [&](const sm::Sm& sm, const lower::KernelImage& image, Cycle now) {
    accountant.observe(sm, image, now);
    if (!fetch && setup.arch.sm.front_end.model == arch::FrontEndModel::kCached) {
      fetch.emplace(setup.arch.sm, image, setup.warm_code);
    }
    if (fetch) {
      fetch->observe(sm, now);
    }
  };
  const OneSmRun run = run_kernel(setup, kernel);
  REQUIRE(run.finished);
  CHECK(double_issue(run) == kNever);
  if (fetch) {
    check_fetch(run, *fetch);
  }
  stats::StallCycles seen{};
  for (std::uint32_t slot = 0; slot < setup.ctas * setup.threads_per_cta / kWarpLanes; ++slot) {
    INFO("warp slot " << slot);
    CHECK(difference(of_slot(run, slot), accountant.by_slot(slot)) == "");
    seen = sum_of(seen, accountant.by_slot(slot));
  }
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    INFO(kernel.texts[pc].text);
    CHECK(difference(run.profile[pc].stalls, accountant.by_pc()[pc]) == "");
  }
  return seen;
}

stats::StallCycles sum_of(const stats::StallCycles& a, const stats::StallCycles& b) {
  stats::StallCycles sum{};
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    sum[s] = a[s] + b[s];
  }
  return sum;
}

}  // namespace gpusim::test
