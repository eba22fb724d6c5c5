// SPDX-License-Identifier: MIT
// gpusim sweep: runs what a study asks for and no database has yet.
#include "sim/commands/sweep/command.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/sweep/asked_study.h"
#include "sim/commands/sweep/host.h"
#include "sim/commands/sweep/prices.h"
#include "sim/commands/sweep/run/run.h"
#include "sim/commands/sweep/show.h"
#include "sim/commands/sweep/shown_points.h"
#include "sim/commands/sweep/submission.h"
#include "sim/commands/sweep/submit/shell.h"
#include "sim/commands/sweep/swept_subject.h"
#include "sim/commands/sweep/text.h"

namespace gpusim::commands {
namespace {

/// Lines that a page shows; the database has them all.
constexpr std::size_t kMostDerived = 3;
constexpr std::size_t kMostPointsShown = 40;
constexpr std::size_t kMostFailuresShown = 10;

/// "2/8".
sweep::Share share_of(const std::string& text) {
  if (text.empty()) {
    return {};
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw UsageError("--shard takes I/N, such as 2/8, not '" + text + "'");
  }
  sweep::Share share;
  share.count = cli::parse_count("--shard", std::string_view(text).substr(slash + 1), 1, sweep::kMostPoints);
  share.index = cli::parse_count("--shard", std::string_view(text).substr(0, slash), 1, share.count);
  return share;
}

/// A million simulations are rarely what was meant by a few ranges.
void confirm(std::uint64_t points, const sweep::Locate& locate, bool yes) {
  if (points > sweep::kMostPoints) {
    throw InputError({locate("vary", ""), "these are " + counted(points, "point"),
                      "at most " + with_thousands(sweep::kMostPoints) + "; --random N draws some of them"});
  }
  if (points <= sweep::kAskAbove || yes) {
    return;
  }
  const std::string many = "these are " + counted(points, "point");
  if (!cli::can_ask()) {
    throw UsageError(many + ", more than " + with_thousands(sweep::kAskAbove) + ": --yes says that you mean it");
  }
  if (!cli::ask(many + ". Run them?")) {
    throw UsageError("not confirmed");
  }
}

std::string state_of(const sweep::PointRow& row, const sweep::Store* store) {
  if (row.status == sweep::kSkipped) {
    return row.status;
  }
  const auto stored = store == nullptr ? std::nullopt : store->find(row.key);
  if (!stored) {
    return "to run";
  }
  return stored->status == sweep::kDone ? "stored" : "failed before";
}

int dry_run(const sweep::Prepared& prepared, const sweep::Study& study, const sweep::Share& share,
            const std::string& db, const cli::Common& common) {
  std::error_code ignored;
  const auto store =
      std::filesystem::exists(db, ignored) ? std::make_unique<sweep::Store>(db, sweep::Store::Access::kRead) : nullptr;
  std::vector<PlannedPoint> planned;
  for (std::size_t i = 0; i < prepared.points.size(); ++i) {
    if (sweep::is_in(share, i)) {
      planned.push_back({&prepared.points[i].row, state_of(prepared.points[i].row, store.get())});
    }
  }
  cli::print(plan_text(planned, study, cli::look_of(common)));
  return cli::Exit::kDone;
}

std::vector<sweep::PointRow> rows_of(const sweep::Prepared& prepared) {
  std::vector<sweep::PointRow> rows;
  std::ranges::transform(prepared.points, std::back_inserter(rows), &sweep::Candidate::row);
  return rows;
}

/// What is about to happen, for whoever watches.
void tell_plan(const sweep::Prepared& prepared, const sweep::Study& study, const std::string& db) {
  std::string text = counted(prepared.points.size(), "point");
  if (prepared.left_out > 0) {
    text += fmt::format(", {} left out by --where", with_thousands(prepared.left_out));
  }
  cli::log_info(text + "; results are kept in " + db);
  if (const std::string derived = derived_text(prepared.points, study, kMostDerived); !derived.empty()) {
    cli::log_info("what follows from the values:\n" + derived);
  }
}

/// Points that ended alike without a result: "sm.count=1 and 4 more".
struct Trouble {
  std::string points;
  std::string reason;
};

std::vector<Trouble> troubles_of(const std::vector<sweep::PointRow>& rows, const sweep::Study& study,
                                 std::string_view status) {
  std::map<std::string, std::vector<const sweep::PointRow*>> by_reason;
  for (const sweep::PointRow& row : rows) {
    if (row.status == status) {
      by_reason[row.reason].push_back(&row);
    }
  }
  std::vector<Trouble> all;
  for (const auto& [reason, points] : by_reason) {
    const std::string more = points.size() == 1 ? "" : fmt::format(" and {} more", points.size() - 1);
    all.push_back({point_name(*points.front(), study) + more, printable(reason)});
  }
  return all;
}

/// As many as are shown.
std::span<const Trouble> first_of(const std::vector<Trouble>& troubles) {
  return std::span(troubles).first(std::min(troubles.size(), kMostFailuresShown));
}

void tell_troubles(const std::vector<sweep::PointRow>& rows, const sweep::Study& study, std::string_view status) {
  const std::vector<Trouble> troubles = troubles_of(rows, study, status);
  if (troubles.empty()) {
    return;
  }
  const auto count = static_cast<std::uint64_t>(std::ranges::count(rows, status, &sweep::PointRow::status));
  cli::log_warning(fmt::format("{} {}{}:", counted(count, "point"), status,
                               status == sweep::kFailed ? "; --retry runs them once more" : " and not run"));
  for (const Trouble& trouble : first_of(troubles)) {
    cli::log_warning("  " + trouble.points + ": " + trouble.reason);
  }
  if (troubles.size() > kMostFailuresShown) {
    cli::log_warning("  and " + counted(troubles.size() - kMostFailuresShown, "other reason"));
  }
}

[[noreturn]] void refuse_all_skipped(const std::vector<sweep::PointRow>& rows, const sweep::Study& study) {
  const std::vector<Trouble> troubles = troubles_of(rows, study, sweep::kSkipped);
  const std::string others = troubles.size() > kMostFailuresShown
                                 ? "; the first reasons of " + with_thousands(troubles.size()) + " follow"
                                 : "; why, follows";
  ProblemList problems;
  problems.add({{}, "none of the points, " + with_thousands(rows.size()) + ", can be run" + others, ""});
  for (const Trouble& trouble : first_of(troubles)) {
    problems.add({{trouble.points, 0, 0}, trouble.reason, ""});
  }
  throw InputError(problems.problems());
}

std::string render_points(const ShownPoints& points, const sweep::StudyFile& file, const SweepOptions& options,
                          const std::string& db, const cli::Common& common) {
  SweepShowOptions show;
  show.format = options.format;
  show.cost = cost_of(options.cost, file.cost, Prices(options.prices));
  show.prices = options.prices;
  if (options.format != "text" || !show.cost.empty()) {
    return show_points(points, show, common, nullptr);
  }
  return points_text(points.rows, file.study, cli::look_of(common), kMostPointsShown) +
         "What they teach: gpusim sweep show" + (db == kDefaultSweepDatabase ? "" : " --db " + sweep::shell_word(db)) +
         "\n";
}

/// The numbers of what was run.
std::string account(const sweep::Tally& tally) {
  std::string text = counted(tally.done + tally.failed, "point") + " run";
  for (const auto& [count, what] : {std::pair{tally.failed, "failed"},
                                    {tally.known, "were there already"},
                                    {tally.skipped, "skipped"},
                                    {tally.waiting() + tally.running, "left to run"}}) {
    if (count > 0) {
      text += fmt::format(", {} {}", with_thousands(count), what);
    }
  }
  return text;
}

int run_points(const sweep::StudyFile& file, const SweepOptions& options, const cli::Common& common,
               SweptSubject& subject, const sweep::Prepared& prepared, const sweep::RunOptions& how,
               sweep::Store& store) {
  cli::ProgressLine line(!common.quiet && cli::can_show_progress());
  const sweep::Outcome outcome = subject.run(prepared.points, store, how, sweep_host(line));
  line.erase();
  const ShownPoints points{store.points(outcome.study), file.study.set, file.cost, 0, store.waiting(outcome.study)};
  const std::vector<sweep::PointRow>& rows = points.rows;
  tell_troubles(rows, file.study, sweep::kSkipped);
  tell_troubles(rows, file.study, sweep::kFailed);
  cli::log_info(account(outcome.tally));
  // A table of nothing says nothing; for a program, a list without elements is an answer.
  if (!rows.empty() || options.format != "text") {
    cli::print(render_points(points, file, options, store.file().string(), common));
  }
  if (!outcome.complete) {
    cli::log_warning("interrupted: every point that ended is stored; the same command goes on with the others");
    return cli::interrupt_code();
  }
  const bool failed = std::ranges::find(rows, sweep::kFailed, &sweep::PointRow::status) != rows.end();
  return failed ? cli::Exit::kCannotFinish : cli::Exit::kDone;
}

}  // namespace

int sweep_command(const SweepOptions& options, const cli::Common& common) {
  sweep::RunOptions how;
  how.share = share_of(options.shard);
  const bool submits = !options.submit.system.empty();
  const auto [file, locate] = sweep_study(options);
  how.jobs = sweep_jobs(options.jobs.empty() ? file.jobs : options.jobs);
  how.retry = options.retry;
  how.name = options.file.empty() ? "" : std::filesystem::path(options.file).stem().string();
  how.text = sweep::write_study(file);
  how.how = sweep_how(file.study);
  const std::string db = !options.db.empty() ? options.db : !file.db.empty() ? file.db : kDefaultSweepDatabase;
  if (submits) {
    check_submission(options, db);
  }
  SweptSubject subject(file.study, options.kernel_times);
  const sweep::Plan plan = subject.plan(locate);
  const bool runs = !options.dry_run || submits;
  confirm(plan.size(), locate, options.yes || !runs);
  cli::catch_interrupt();
  if (submits) {
    take_over_shards(options, db);
  }
  // Before the points are prepared: that nobody else is at it, and that there is a place for results.
  auto store = runs ? std::make_unique<sweep::Store>(db, sweep::Store::Access::kWrite) : nullptr;
  const sweep::Prepared prepared = [&] {
    if (plan.size() > sweep::kAskAbove) {
      cli::log_info("preparing " + with_thousands(plan.size()) + " points");
    }
    cli::ProgressLine line(!common.quiet && cli::can_show_progress());
    return subject.prepare(plan, how.how, [&](std::uint64_t done) {
      line.update([&](double) { return fmt::format("preparing points: {} of {}", done, plan.size()); });
      return !cli::interrupted();
    });
  }();
  if (cli::interrupted()) {
    cli::log_warning("interrupted before the first point");
    return cli::interrupt_code();
  }
  if (prepared.points.empty()) {
    throw InputError({locate("where", ""), "leaves none of " + counted(plan.size(), "point"), ""});
  }
  const auto can_run = [](const sweep::Candidate& point) { return point.row.status != sweep::kSkipped; };
  if (runs && std::ranges::none_of(prepared.points, can_run)) {
    refuse_all_skipped(rows_of(prepared), file.study);
  }
  const Prices prices(options.prices);
  if (const std::string cost = cost_of(options.cost, file.cost, prices); !cost.empty()) {
    check_cost(rows_of(prepared), cost, prices, file.study);
  }
  if (store == nullptr) {
    return dry_run(prepared, file.study, how.share, db, common);
  }
  if (!common.quiet) {
    tell_plan(prepared, file.study, db);
  }
  if (submits) {
    return submit_sweep({options, file, subject, prepared.points, how}, std::move(store), common);
  }
  return run_points(file, options, common, subject, prepared, how, *store);
}

}  // namespace gpusim::commands
