// SPDX-License-Identifier: MIT
#include "sim/app/slurm_jobs.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "sim/app/child_process.h"
#include "sim/app/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::app {
namespace {

/// In the folder: the numbers of the jobs last submitted, as squeue takes them.
constexpr const char* kJobsName = "jobs";
constexpr std::size_t kMostWords = 500;

void write_file(const std::filesystem::path& file, std::string_view text) {
  OutputFile(file.string()).commit(text);
}

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError(Problem{{}, std::move(message), std::move(hint)});
}

/// What a program said, on one line.
std::string words_of(const Ended& ended) {
  std::string text = ended.errors.empty() ? ended.output : ended.errors;
  for (char& c : text) {
    c = c == '\n' ? ' ' : c;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? fmt::format("exit code {}", ended.status) : clipped(printable(text), kMostWords);
}

Ended run_slurm(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  try {
    return run_child(words, folder);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::no_such_file_or_directory) {
      refuse(fmt::format("{} cannot be started: {}", words.front(), error.code().message()), "");
    }
    refuse(fmt::format("there is no {} on this machine", words.front()),
           "--submit slurm is for machines that submit to Slurm; --dry-run only writes the scripts");
  }
}

std::string submit(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  const Ended ended = run_slurm(words, folder);
  std::string id = sweep::job_id(ended.output);
  if (ended.status != 0 || id.empty()) {
    refuse(fmt::format("Slurm does not take the job {}: {}", words.back(), words_of(ended)),
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
  const Ended ended = run_slurm({"squeue", "--noheader", "--format=%i", "--jobs=" + jobs}, folder);
  if (ended.status == 0 && !ended.output.empty()) {
    refuse(
        fmt::format("jobs {} of {} still wait or run", jobs, folder.string()),
        fmt::format("squeue --jobs={0} shows them; wait, or stop them with scancel, or name another --folder", jobs));
  }
}

void write_job_files(const sweep::SlurmSweep& sweep, std::string_view study) {
  const std::filesystem::path folder = sweep.folder;
  write_file(folder / sweep::kStudyName, study);
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

}  // namespace gpusim::app
