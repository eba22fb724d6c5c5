// SPDX-License-Identifier: MIT
#include "sim/commands/occupancy/analysis.h"

#include <string_view>

#include <fmt/format.h>

#include "sim/model/arch/schema.h"

namespace gpusim::occupancy {
namespace {

/// What would be had without a restriction that the launch puts on itself.
void add_note(Analysis& analysis, const LaunchShape& without, std::string_view how) {
  const stats::Occupancy& now = analysis.residency.occupancy;
  const stats::Occupancy then = residency(analysis.sm, without).occupancy;
  if (then.ctas_per_sm > now.ctas_per_sm) {
    analysis.notes.push_back(fmt::format("{} gives {} CTAs instead of {}: {:.4g} -> {:.4g} %", how, then.ctas_per_sm,
                                         now.ctas_per_sm, now.theoretical_pct(), then.theoretical_pct()));
  }
}

void add_notes(Analysis& analysis) {
  LaunchShape without = analysis.shape;
  without.carveout_percent = kDriversCarveout;
  add_note(analysis, without, "leaving the carve-out to the driver");
  without = analysis.shape;
  without.opt_in = true;
  add_note(analysis, without, "opting in to more shared memory");
}

/// Values that say how many CTAs fit and what is left for L1; and how SMs form GPCs, where clusters matter.
std::vector<arch::Guess> guesses_behind(const arch::Arch& arch, bool with_clusters) {
  std::vector<arch::Guess> guesses;
  for (const arch::Guess& guess : arch.guesses) {
    const arch::Aspect aspect = arch::schema()[*arch::find_key(guess.key)].aspect;
    const bool is_of_sm = aspect == arch::Aspect::kResidency || aspect == arch::Aspect::kCarveout;
    if (is_of_sm || (with_clusters && aspect == arch::Aspect::kGpcs)) {
      guesses.push_back(guess);
    }
  }
  return guesses;
}

}  // namespace

Analysis analyse(const arch::Arch& arch, const LaunchShape& shape, bool with_clusters) {
  Analysis analysis;
  analysis.arch_name = arch.name;
  analysis.arch_path = arch.path;
  analysis.arch_maturity = word_of(arch.maturity);
  analysis.sm = arch.sm;
  analysis.shape = shape;
  analysis.residency = residency(arch.sm, shape);
  analysis.excesses = excesses(arch.sm, shape);
  for (std::size_t i = 0; i < analysis.curves.size(); ++i) {
    analysis.curves[i] = curve(arch.sm, shape, kCurves[i]);
  }
  analysis.proposals = proposals(arch.sm, shape);
  if (with_clusters) {
    analysis.clusters = resident_clusters(arch.sm, arch.noc, shape);
  }
  add_notes(analysis);
  analysis.guesses = guesses_behind(arch, with_clusters);
  return analysis;
}

}  // namespace gpusim::occupancy
