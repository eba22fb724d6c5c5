// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/submission.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/app/times/database.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/host_memory.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/host.h"
#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/slurm_jobs.h"
#include "sim/commands/sweep/store/error.h"
#include "sim/commands/sweep/study/expand.h"
#include "sim/commands/sweep/study/study_file.h"
#include "sim/commands/sweep/submit/request.h"
#include "sim/commands/sweep/swept_subject.h"
#include "sim/commands/sweep/text.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

/// Where search paths of architectures and traces are listed, as find_file.h says.
constexpr const char* kPathVariable = "GPUSIM_PATH";

std::string folder_of(const SubmitOptions& submit, const fs::path& db) {
  const fs::path folder =
      submit.folder.empty() ? fs::absolute(db).replace_extension(".d") : fs::absolute(submit.folder);
  return folder.lexically_normal().string();
}

/// The file of --kernel-times for a process that may be elsewhere; no file for "none", and for no text.
std::string kernel_times_of(const std::string& text) {
  const bool is_file = !text.empty() && !app::database_named(text).empty();
  return is_file ? fs::absolute(text).lexically_normal().string() : text;
}

/// What one point took.
struct Pilot {
  std::uint64_t bytes = 0;
  double seconds_of_work = 0;  ///< for a unit of Candidate::work
};

class Submitter {
 public:
  Submitter(const Submission& submission, sweep::Store& store, const cli::Common& common)
      : submission_(submission), store_(store), common_(common) {
    sweep_.folder = folder_of(submission.options.submit, store.file());
    // A study is called what its file is called, here as in the tasks.
    sweep_.study = (submission.how.name.empty() ? "study" : submission.how.name) + ".yaml";
    sweep_.program = fs::read_symlink("/proc/self/exe").string();
    sweep_.working_directory = fs::current_path().string();
    sweep_.database = fs::absolute(store.file()).string();
    if (const char* path = std::getenv(kPathVariable); path != nullptr) {
      sweep_.environment.emplace_back(kPathVariable, path);
    }
    sweep_.cores = sweep_jobs(submission.options.jobs.empty() ? "1" : submission.options.jobs);
    sweep_.partition = submission.options.submit.partition;
    sweep_.account = submission.options.submit.account;
    sweep_.retry = submission.options.retry;
    sweep_.kernel_times = kernel_times_of(submission.options.kernel_times);
  }

  /// Nothing when no point is missing, or somebody interrupts.
  [[nodiscard]] std::optional<sweep::SlurmSweep> prepare();

 private:
  void make_folder() const;
  void find_missing();
  [[nodiscard]] const sweep::Candidate& candidate(std::uint64_t position) const { return submission_.points[position]; }
  [[nodiscard]] Pilot run_pilot();
  void choose(const Pilot& pilot);
  [[nodiscard]] std::uint64_t shards_of(const Pilot& pilot) const;
  void seed(std::uint64_t shard) const;

  const Submission& submission_;
  sweep::Store& store_;
  const cli::Common& common_;
  sweep::SlurmSweep sweep_;
  std::vector<std::uint64_t> missing_;  ///< positions of points without an end
};

void Submitter::make_folder() const {
  std::error_code error;
  fs::create_directories(sweep_.folder, error);
  if (error) {
    throw InputError({{sweep_.folder, 0, 0}, "cannot be made: " + error.message(), ""});
  }
}

void Submitter::find_missing() {
  missing_.clear();
  for (std::size_t i = 0; i < submission_.points.size(); ++i) {
    const sweep::PointRow& row = candidate(i).row;
    if (row.status == sweep::kSkipped) {
      continue;
    }
    const auto stored = store_.find(row.key);
    if (!stored || (stored->status == sweep::kFailed && submission_.options.retry)) {
      missing_.push_back(i);
    }
  }
}

/// The middle one of the missing points by their work.
Pilot Submitter::run_pilot() {
  std::vector<std::uint64_t> by_work = missing_;
  const auto middle = by_work.begin() + static_cast<std::ptrdiff_t>(by_work.size() / 2);
  std::ranges::nth_element(by_work, middle, {}, [this](std::uint64_t i) { return candidate(i).work; });
  const sweep::Candidate& point = candidate(*middle);
  sweep::RunOptions how = submission_.how;
  how.only = *middle;
  how.jobs = 1;
  cli::ProgressLine line(!common_.quiet && cli::can_show_progress());
  const sweep::Outcome outcome = submission_.subject.run(submission_.points, store_, how, sweep_host(line));
  line.erase();
  if (!outcome.complete) {
    return {};
  }
  const sweep::PointRow ended = store_.find(point.row.key).value();
  const std::string name = point_name(point.row, submission_.file.study);
  if (ended.status == sweep::kFailed) {
    throw CannotFinishError(
        fmt::format("the pilot ({}) failed: {}\n{} it is left out the next time; --shards, --time and "
                    "--mem together submit without a pilot",
                    name, printable(ended.reason), submission_.options.retry ? "without --retry" : "as it is stored,"));
  }
  const Pilot pilot{cli::peak_rss_bytes(), point.work > 0 ? ended.host_seconds / point.work : 0};
  cli::log_info(fmt::format("pilot ({}): {:.2f} s, {}", name, ended.host_seconds, with_binary_prefix(pilot.bytes)));
  return pilot;
}

std::uint64_t Submitter::shards_of(const Pilot& pilot) const {
  const std::string& given = submission_.options.submit.shards;
  if (!given.empty()) {
    return std::min<std::uint64_t>(cli::parse_count("--shards", given, 1, sweep::kMostPoints),
                                   submission_.points.size());
  }
  double work = 0;
  for (const std::uint64_t position : missing_) {
    work += candidate(position).work;
  }
  return sweep::shards_for(missing_.size(), work * pilot.seconds_of_work, sweep_.cores);
}

/// Shards, those of them that lack points, and what to ask for.
void Submitter::choose(const Pilot& pilot) {
  sweep_.shards = shards_of(pilot);
  std::map<std::uint64_t, double> seconds;  // by task
  sweep::TaskTime time;
  for (const std::uint64_t position : missing_) {
    const double point = candidate(position).work * pilot.seconds_of_work;
    const double task = seconds[position % sweep_.shards + 1] += point;
    time.all = std::max(time.all, task);
    time.slowest = std::max(time.slowest, point);
  }
  for (const auto& [task, ignored] : seconds) {
    sweep_.tasks.push_back(task);
  }
  const SubmitOptions& given = submission_.options.submit;
  sweep_.points = missing_.size();
  sweep_.time = given.time.empty() ? fmt::format("{}", sweep::minutes_for(time, sweep_.cores)) : given.time;
  sweep_.memory =
      given.memory.empty() ? fmt::format("{}M", sweep::mebibytes_for(pilot.bytes, sweep_.cores)) : given.memory;
}

/// Gives a shard the points of its share that are known already, so that they are not run again.
void Submitter::seed(std::uint64_t shard) const {
  const fs::path file = fs::path(sweep_.folder) / sweep::shard_database(shard, sweep_.shards);
  std::optional<sweep::Store> database;
  for (std::size_t i = shard - 1; i < submission_.points.size(); i += sweep_.shards) {
    const std::string& key = candidate(i).row.key;
    const auto known = key.empty() ? std::nullopt : store_.find(key);
    if (!known) {
      continue;
    }
    if (!database) {
      database.emplace(file, sweep::Store::Access::kWrite);
    }
    if (!database->find(key)) {
      database->put(*known, store_.result(key).value_or(""), submission_.subject.program());
    }
  }
}

std::optional<sweep::SlurmSweep> Submitter::prepare() {
  make_folder();
  find_missing();
  const SubmitOptions& given = submission_.options.submit;
  Pilot pilot;
  if (!missing_.empty() && (given.shards.empty() || given.time.empty() || given.memory.empty())) {
    pilot = run_pilot();
    find_missing();
  }
  if (missing_.empty() || cli::interrupted()) {
    return std::nullopt;
  }
  choose(pilot);
  std::ranges::for_each(sweep_.tasks, [this](std::uint64_t shard) { seed(shard); });
  write_job_files(sweep_, submission_.how.text);
  return sweep_;
}

/// What costs nothing to find out.
void check_words(const SubmitOptions& submit) {
  for (const auto& [option, text] : {std::pair{"--partition", &submit.partition},
                                     {"--account", &submit.account},
                                     {"--time", &submit.time},
                                     {"--mem", &submit.memory}}) {
    if (!text->empty()) {
      sweep::check_slurm_word(option, *text);
    }
  }
  if (!submit.shards.empty()) {
    static_cast<void>(cli::parse_count("--shards", submit.shards, 1, sweep::kMostPoints));
  }
}

/// What is wrong with a shard that a task left, and that all of it can be had again.
void add_problems(const std::string& db, const fs::path& shard, ProblemList& problems) {
  try {
    (void)sweep::Store::merge(db, std::vector<fs::path>{shard});
  } catch (const sweep::StoreError& error) {
    if (error.problems().front().where.file != shard.string()) {
      throw;
    }
    const bool is_useless = error.fault() == sweep::StoreFault::kDamaged ||
                            error.fault() == sweep::StoreFault::kNotADatabase ||
                            error.fault() == sweep::StoreFault::kOtherVersion;
    for (Problem problem : error.problems()) {
      problem.hint = is_useless ? "move it away; its points are run again" : problem.hint;
      problems.add(std::move(problem));
    }
  }
}

sweep::MergeReport merge_shards(const std::string& db, const std::vector<fs::path>& shards) {
  try {
    return sweep::Store::merge(db, shards);
  } catch (const InputError&) {
    // One by one, which shows what is wrong with each of them.
    ProblemList problems;
    std::ranges::for_each(shards, [&](const fs::path& shard) { add_problems(db, shard, problems); });
    problems.throw_if_any();
    throw;
  }
}

}  // namespace

void check_submission(const SweepOptions& options, const std::string& db) {
  check_words(options.submit);
  const std::string folder = folder_of(options.submit, db);
  sweep::check_slurm_folder(folder);
  if (!options.dry_run) {
    require_slurm();
    require_no_jobs(folder);
  }
}

void take_over_shards(const SweepOptions& options, const std::string& db) {
  const fs::path folder = folder_of(options.submit, db);
  std::error_code absent;
  std::vector<fs::path> shards;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, absent)) {
    if (sweep::is_shard_database(entry.path().filename().string())) {
      shards.push_back(entry.path());
    }
  }
  if (shards.empty()) {
    return;
  }
  std::ranges::sort(shards);
  const sweep::MergeReport report = merge_shards(db, shards);
  if (report.added > 0) {
    cli::log_info(fmt::format("{} taken over from {}", counted(report.added, "point"), folder.string()));
  }
}

int submit_sweep(const Submission& submission, std::unique_ptr<sweep::Store> store, const cli::Common& common) {
  const std::string db = store->file().string();
  const std::optional<sweep::SlurmSweep> sweep = Submitter(submission, *store, common).prepare();
  store.reset();
  if (cli::interrupted()) {
    cli::log_warning("interrupted: nothing was submitted");
    return cli::interrupt_code();
  }
  if (!sweep) {
    cli::print(fmt::format("nothing is missing in {}\n", db));
    return cli::Exit::kDone;
  }
  if (submission.options.dry_run) {
    cli::print(sweep::written_text(*sweep));
    return cli::Exit::kDone;
  }
  const SlurmJobs jobs = submit_jobs(*sweep);
  cli::print(sweep::submitted_text(*sweep, jobs.array, jobs.merge));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
