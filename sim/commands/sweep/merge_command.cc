// SPDX-License-Identifier: MIT
// gpusim sweep merge: joins databases, and says what is still missing.
#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/store/store.h"

namespace gpusim::commands {
namespace {

constexpr std::size_t kMostNamed = 10;

/// "2, 5, 8 and 40 more".
template <class Range, class Name>
std::string listed(const Range& items, Name&& name) {
  std::string out;
  for (std::size_t i = 0; i < std::min(items.size(), kMostNamed); ++i) {
    out += (i == 0 ? "" : ", ") + name(items[i]);
  }
  return items.size() > kMostNamed ? out + fmt::format(" and {} more", items.size() - kMostNamed) : out;
}

void tell(const sweep::Incomplete& incomplete) {
  const sweep::StudyInfo& study = incomplete.study;
  cli::log_warning(
      fmt::format("{}: {} of {} {} missing: {}", study.name, with_thousands(incomplete.missing.size()),
                  counted(study.points, "point"), incomplete.missing.size() == 1 ? "is" : "are",
                  listed(incomplete.missing, [](std::uint64_t position) { return std::to_string(position); })));
  if (!incomplete.programs_of_twins.empty()) {
    cli::log_warning(
        "  the same study is there with points of other keys: the databases come from several programs, or the "
        "study's files have changed between them; the programs: " +
        listed(incomplete.programs_of_twins, [](const std::string& program) { return program; }));
  }
  if (!incomplete.absent.empty()) {
    cli::log_warning("  no database had shard " + listed(incomplete.absent, [](const sweep::Share& share) {
                       return fmt::format("{}/{}", share.index, share.count);
                     }));
  }
}

}  // namespace

int sweep_merge_command(const SweepMergeOptions& options, const cli::Common& /*common*/) {
  const std::vector<std::filesystem::path> others(options.others.begin(), options.others.end());
  const sweep::MergeReport report = sweep::Store::merge(options.db, others);
  cli::print(fmt::format("{}: {} added, {} were there already\n", options.db, counted(report.added, "point"),
                         with_thousands(report.known)));
  for (const sweep::Incomplete& incomplete : report.incomplete) {
    tell(incomplete);
  }
  if (!report.differing.empty()) {
    cli::log_warning(
        fmt::format("{} with other cycles in one database than in another, which a gpusim of one version never gives; "
                    "the first was kept: {}",
                    counted(report.differing.size(), "point"),
                    listed(report.differing, [](const std::string& key) { return key; })));
  }
  if (!report.incomplete.empty()) {
    cli::log_warning("what was there is merged; the study's own command with --db " + options.db + " runs the rest");
  }
  return report.incomplete.empty() && report.differing.empty() ? cli::Exit::kDone : cli::Exit::kBadInput;
}

}  // namespace gpusim::commands
