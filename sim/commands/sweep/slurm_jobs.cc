// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/slurm_jobs.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/child.h"

namespace gpusim::commands {
namespace {

/// In the folder: the numbers of the jobs last submitted, as squeue takes them.
constexpr const char* kJobsName = "jobs";
constexpr std::size_t kMostWords = 500;

void write_file(const std::filesystem::path& file, std::string_view text) {
  OutputFile(file.string()).commit(text);
}

[[noreturn]] void cannot_submit(std::string message, std::string hint) {
  throw InputError(Problem{{}, std::move(message), std::move(hint)});
}

/// What a program said, on one line.
std::string words_of(const ChildEnd& end) {
  std::string text = end.said;
  std::ranges::replace(text, '\n', ' ');
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? fmt::format("exit code {}", end.code) : clipped(printable(text), kMostWords);
}

ChildEnd run_slurm(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  ChildEnd end = run_child(words, folder);
  if (!end.was_found) {
    cannot_submit(fmt::format("there is no {} on this machine", words.front()),
                  "--submit slurm is for machines that submit to Slurm; --dry-run only writes the scripts");
  }
  return end;
}

std::string submit(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  const ChildEnd end = run_slurm(words, folder);
  std::string id = sweep::job_id(end.said);
  if (end.code != 0 || id.empty()) {
    cannot_submit(fmt::format("Slurm does not take the job {}: {}", words.back(), words_of(end)),
                  fmt::format("the scripts are in {}", folder.string()));
  }
  return id;
}

}  // namespace

void require_slurm() {
  static_cast<void>(run_slurm({"sbatch", "--version"}, "."));
}

void require_no_jobs(const std::filesystem::path& folder) {
  std::ifstream file(folder / kJobsName);
  std::string jobs;
  if (!(file >> jobs)) {
    return;
  }
  // Slurm forgets jobs some minutes after their end, and then refuses the question: they have ended.
  const ChildEnd end = run_slurm({"squeue", "--noheader", "--format=%A", "--jobs=" + jobs}, folder);
  if (end.code == 0 && !sweep::job_id(end.said).empty()) {
    cannot_submit(
        fmt::format("jobs {} of {} still wait or run", jobs, folder.string()),
        fmt::format("squeue --jobs={0} shows them; wait, or stop them with scancel, or name another --folder", jobs));
  }
}

void write_job_files(const sweep::SlurmSweep& sweep, std::string_view study) {
  const std::filesystem::path folder = sweep.folder;
  write_file(folder / sweep.study, study);
  write_file(folder / sweep::kArrayName, sweep::array_script(sweep));
  write_file(folder / sweep::kMergeName, sweep::merge_script(sweep));
}

SlurmJobs submit_jobs(const sweep::SlurmSweep& sweep) {
  const std::filesystem::path folder = sweep.folder;
  SlurmJobs jobs;
  jobs.array = submit(sweep::array_submission(), folder);
  write_file(folder / kJobsName, jobs.array + "\n");
  jobs.merge = submit(sweep::merge_submission(jobs.array), folder);
  write_file(folder / kJobsName, jobs.array + "," + jobs.merge + "\n");
  return jobs;
}

}  // namespace gpusim::commands
