// SPDX-License-Identifier: MIT
#include "sim/commands/run/what_ifs.h"

namespace gpusim::commands {
namespace {

/// The shortest way between dispatcher and SM that the simulator knows.
constexpr std::uint32_t kShortestLink = 8;

void start_at_once(arch::Arch& arch) {
  arch.launch = {.cta_latency = kShortestLink, .cta_interval = {1, 1}, .completion_latency = kShortestLink};
}

void fetch_at_once(arch::Arch& arch) {
  arch.sm.front_end.model = arch::FrontEndModel::kIdeal;
  arch.sm.constant.model = arch::ConstantModel::kIdeal;
}

constexpr std::array kWhatIfs{
    WhatIf{"ideal_coalescing", "loads and stores touch the fewest lines and sectors that hold their bytes",
           "sm.lsu.coalescing=ideal", [](arch::Arch& a) { a.sm.lsu.coalescing = arch::Coalescing::kIdeal; },
           "uncoalesced"},
    WhatIf{"no_bank_conflicts", "an access to shared memory takes only the passes that its bytes need",
           "sm.shared.model=ideal", [](arch::Arch& a) { a.sm.shared.model = arch::SharedModel::kIdeal; },
           "bank_conflicts"},
    WhatIf{"all_l2_hits", "every access to L2 hits", "l2.model=ideal",
           [](arch::Arch& a) { a.l2.model = arch::L2Model::kIdeal; }, "l2_misses"},
    WhatIf{"no_row_misses", "DRAM has bandwidth and latency only", "dram.model=ideal",
           [](arch::Arch& a) { a.dram.model = arch::DramModel::kIdeal; }, "row_misses"},
    WhatIf{"ideal_network", "the network has latency only", "noc.model=ideal",
           [](arch::Arch& a) { a.noc.model = arch::NocModel::kIdeal; }, "network"},
    WhatIf{"no_tlb_misses", "addresses are translated in no time", "tlb.model=off",
           [](arch::Arch& a) { a.tlb.model = arch::TlbModel::kOff; }, "translations"},
    WhatIf{"ideal_fetch", "instructions and constants are always at hand",
           "sm.front_end.model=ideal sm.constant.model=ideal", fetch_at_once, "fetch"},
    WhatIf{"no_launch", "kernel and CTAs start and end at once",
           "launch.kernel_ns=0ns launch.begin_ns=0ns launch.flush_ns=0ns launch.event_ns=0ns launch.cta_latency=8 "
           "launch.cta_interval=1 launch.completion_latency=8",
           start_at_once, "launch", true},
    WhatIf{"one_more_cta", "an SM holds one CTA more than its registers and shared memory allow",
           "sm.limits.extra_ctas=1", [](arch::Arch& a) { a.sm.limits.extra_ctas += 1; }, "occupancy", false, true},
};

}  // namespace

std::span<const WhatIf> what_ifs() {
  return kWhatIfs;
}

std::string what_ifs_markdown() {
  std::string out = "| what-if | the machine | `--set` | puts to the test |\n| --- | --- | --- | --- |\n";
  for (const WhatIf& row : kWhatIfs) {
    out += "| `" + std::string(row.name) + "` | " + std::string(row.what) + " | `" + std::string(row.overrides) +
           "` | `" + std::string(row.finding) + "` |\n";
  }
  return out;
}

}  // namespace gpusim::commands
