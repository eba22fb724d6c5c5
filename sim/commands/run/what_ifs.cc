// SPDX-License-Identifier: MIT
#include "sim/commands/run/what_ifs.h"

#include <array>
#include <cstdint>
#include <variant>

#include "sim/base/ratio.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/schema.h"

namespace gpusim::commands {
namespace {

/// Gives a key of the launch, each of which is a number, the least of its range.
struct SetLeast {
  arch::Arch& arch;
  std::uint64_t least;

  void operator()(std::uint32_t& (*member)(arch::Arch&)) const { member(arch) = static_cast<std::uint32_t>(least); }
  void operator()(std::uint64_t& (*member)(arch::Arch&)) const { member(arch) = least; }
  void operator()(Ratio& (*member)(arch::Arch&)) const { member(arch) = Ratio::of(least, 1); }
  template <class Field>
  void operator()(const Field& /*field*/) const {}
};

/// Every time that a launch takes is the least that its key allows: of a link, the shortest that the simulator knows.
void start_at_once(arch::Arch& arch) {
  for (const arch::Key& key : arch::schema()) {
    if (key.aspect == arch::Aspect::kLaunch) {
      std::visit(SetLeast{arch, key.min}, key.field);
    }
  }
}

/// The same as overrides.
std::string least_launch() {
  std::string words;
  for (const arch::Key& key : arch::schema()) {
    if (key.aspect == arch::Aspect::kLaunch) {
      words += (words.empty() ? "" : " ") + key.path + "=" + std::to_string(key.min) +
               (key.unit == arch::Unit::kNanoseconds ? "ns" : "");
    }
  }
  return words;
}

void fetch_at_once(arch::Arch& arch) {
  arch.sm.front_end.model = arch::FrontEndModel::kIdeal;
  arch.sm.constant.model = arch::ConstantModel::kIdeal;
}

}  // namespace

std::span<const WhatIf> what_ifs() {
  static const std::array kWhatIfs{
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
      WhatIf{"no_launch", "kernel and CTAs start and end at once", least_launch(), start_at_once, "launch", true},
      WhatIf{"one_more_cta", "an SM holds one CTA more than its registers and shared memory allow",
             "sm.limits.extra_ctas=1", [](arch::Arch& a) { a.sm.limits.extra_ctas += 1; }, "occupancy", false, true},
  };
  return kWhatIfs;
}

std::string what_ifs_markdown() {
  std::string out = "| what-if | the machine | `--set` | puts to the test |\n| --- | --- | --- | --- |\n";
  for (const WhatIf& row : what_ifs()) {
    out += "| `" + std::string(row.name) + "` | " + std::string(row.what) + " | `" + row.overrides + "` | `" +
           std::string(row.finding) + "` |\n";
  }
  return out;
}

}  // namespace gpusim::commands
