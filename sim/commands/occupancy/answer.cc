// SPDX-License-Identifier: MIT
#include "sim/commands/occupancy/answer.h"

#include <string_view>

#include <fmt/format.h>

namespace gpusim::occupancy {
namespace {

/// What would be had without a restriction that the launch puts on itself.
void add_note(Answer& answer, const LaunchShape& without, std::string_view how) {
  const stats::Occupancy& now = answer.residency.occupancy;
  const stats::Occupancy then = residency(answer.sm, without).occupancy;
  if (then.ctas_per_sm > now.ctas_per_sm) {
    answer.notes.push_back(fmt::format("{} gives {} CTAs instead of {}: {:.4g} -> {:.4g} %", how, then.ctas_per_sm,
                                       now.ctas_per_sm, now.theoretical_pct(), then.theoretical_pct()));
  }
}

void add_notes(Answer& answer) {
  LaunchShape without = answer.shape;
  without.carveout_percent = kDriversCarveout;
  add_note(answer, without, "leaving the carve-out to the driver");
  without = answer.shape;
  without.opt_in = true;
  add_note(answer, without, "opting in to more shared memory");
}

/// Values that say how many CTAs fit and what is left for L1; and how SMs form GPCs, where clusters matter.
std::vector<arch::Guess> guesses_behind(const arch::Arch& arch, bool with_clusters) {
  std::vector<arch::Guess> guesses;
  for (const arch::Guess& guess : arch.guesses) {
    const std::string_view key = guess.key;
    const bool is_of_sm = key.starts_with("sm.limits.") || key == "sm.sub_cores" || key == "sm.l1.unified_bytes" ||
                          (key.starts_with("sm.shared.") && key != "sm.shared.latency");
    const bool is_of_gpcs = key == "noc.gpcs" || key == "noc.max_sms_per_gpc" || key == "sm.count";
    if (is_of_sm || (with_clusters && is_of_gpcs)) {
      guesses.push_back(guess);
    }
  }
  return guesses;
}

}  // namespace

Answer answer(const arch::Arch& arch, const LaunchShape& shape, bool with_clusters) {
  Answer answer;
  answer.arch_name = arch.name;
  answer.arch_path = arch.path;
  answer.arch_maturity = arch.maturity;
  answer.sm = arch.sm;
  answer.shape = shape;
  answer.residency = residency(arch.sm, shape);
  answer.excesses = excesses(arch.sm, shape);
  for (std::size_t i = 0; i < answer.curves.size(); ++i) {
    answer.curves[i] = curve(arch.sm, shape, kCurves[i]);
  }
  answer.proposals = proposals(arch.sm, shape);
  if (with_clusters) {
    answer.clusters = resident_clusters(arch.sm, arch.noc, shape);
  }
  add_notes(answer);
  answer.guesses = guesses_behind(arch, with_clusters);
  return answer;
}

}  // namespace gpusim::occupancy
