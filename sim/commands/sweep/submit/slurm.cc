// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/submit/slurm.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/submit/shell.h"

namespace gpusim::sweep {
namespace {

constexpr std::string_view kShardPrefix = "shard-";
constexpr std::string_view kShardSuffix = ".db";
/// 128 + SIGKILL, as a shell tells it: memory ran out, or somebody killed the process and not the job.
constexpr int kKilled = 137;
constexpr int kMostTries = 3;

/// Options are written as values that need no quotes: check_slurm_word(). The log is relative to the folder, whose
/// path Slurm would want quoted by its own rules.
std::string options_of(const SlurmSweep& sweep, std::string_view name, std::string_view log) {
  std::string text = fmt::format("#SBATCH --job-name={}\n", name);
  const auto add = [&](std::string_view option, std::string_view value) {
    if (!value.empty()) {
      check_slurm_word(option, value);
      text += fmt::format("#SBATCH {}={}\n", option, value);
    }
  };
  add("--output", log);
  text += "#SBATCH --open-mode=append\n#SBATCH --requeue\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n";
  add("--time", sweep.time);
  add("--mem", sweep.memory);
  add("--partition", sweep.partition);
  add("--account", sweep.account);
  return text;
}

std::string surroundings(const SlurmSweep& sweep) {
  std::string text = fmt::format("program={}\nfolder={}\n", shell_word(sweep.program), shell_word(sweep.folder));
  for (const auto& [name, value] : sweep.environment) {
    text += fmt::format("export {}={}\n", name, shell_word(value));
  }
  return text + fmt::format("cd -- {} || exit 2\n", shell_word(sweep.working_directory));
}

std::string in_folder(const SlurmSweep& sweep, std::string_view name) {
  return sweep.folder + "/" + std::string(name);
}

/// Time and memory are as sbatch has them.
std::string summary(const SlurmSweep& sweep) {
  return fmt::format("{} of {}, {} to run; each task asks for --cpus-per-task={} --time={} --mem={}",
                     sweep.tasks.size(), counted(sweep.shards, "shard"), counted(sweep.points, "point"), sweep.cores,
                     sweep.time, sweep.memory);
}

}  // namespace

std::string shard_database(std::uint64_t shard, std::uint64_t shards) {
  return fmt::format("{}{}-of-{}{}", kShardPrefix, shard, shards, kShardSuffix);
}

bool is_shard_database(std::string_view name) {
  return name.starts_with(kShardPrefix) && name.ends_with(kShardSuffix) && name.find("-of-") != std::string_view::npos;
}

void check_slurm_word(std::string_view option, std::string_view text) {
  const bool fits = std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./,:+@%").find(c) != std::string_view::npos;
  });
  if (!fits || text.empty()) {
    throw UsageError(
        fmt::format("{} takes a word of letters, digits and any of _ - . / , : + @ %, not '{}'", option, text));
  }
}

void check_slurm_folder(std::string_view folder) {
  if (folder.find_first_of("%\\") != std::string_view::npos) {
    throw UsageError(fmt::format(
        "Slurm cannot write logs to a folder with a '%' or a '\\' in its path: {} (--folder names another)", folder));
  }
}

std::string index_list(std::span<const std::uint64_t> indices) {
  std::string list;
  for (std::size_t first = 0; first < indices.size();) {
    std::size_t last = first;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) {
      ++last;
    }
    list += list.empty() ? "" : ",";
    list += first == last ? fmt::format("{}", indices[first]) : fmt::format("{}-{}", indices[first], indices[last]);
    first = last + 1;
  }
  return list;
}

std::string array_script(const SlurmSweep& sweep) {
  std::string text = "#!/bin/sh\n" + options_of(sweep, "gpusim-sweep", "shard-%a.log");
  text += fmt::format("#SBATCH --array={}\n#SBATCH --cpus-per-task={}\n\n", index_list(sweep.tasks), sweep.cores);
  text +=
      "# One share of the sweep. Every point is stored the moment it ends: a task that is requeued, or killed and\n"
      "# started again, goes on with the points that its database does not have.\n";
  text += surroundings(sweep);
  text += fmt::format(
      R"sh(shard=$SLURM_ARRAY_TASK_ID
tries=1
while
  "$program" sweep "$folder"/{study} --shard "$shard/{shards}" --db "$folder/shard-$shard-of-{shards}.db" \
    --jobs {cores}{retry}{times} --yes --quiet
  status=$?
  [ "$status" -eq {killed} ] && [ "$tries" -lt {most} ]
do
  tries=$((tries + 1))
  echo "gpusim was killed; try $tries of {most}" >&2
done
exit "$status"
)sh",
      fmt::arg("study", shell_word(sweep.study)), fmt::arg("shards", sweep.shards), fmt::arg("cores", sweep.cores),
      fmt::arg("retry", sweep.retry ? " --retry" : ""),
      fmt::arg("times", sweep.kernel_times.empty() ? "" : " --kernel-times " + shell_word(sweep.kernel_times)),
      fmt::arg("killed", kKilled), fmt::arg("most", kMostTries));
  return text;
}

std::string merge_script(const SlurmSweep& sweep) {
  return "#!/bin/sh\n" + options_of(sweep, "gpusim-merge", "merge.log") +
         "\n# Merges the shards that there are, complete or not; those merged before add nothing.\n" +
         surroundings(sweep) +
         fmt::format("exec \"$program\" sweep merge --db {} \"$folder\"/shard-*-of-*.db\n", shell_word(sweep.database));
}

std::vector<std::string> array_submission() {
  return {"sbatch", "--parsable", std::string(kArrayName)};
}

std::vector<std::string> merge_submission(std::string_view array_id) {
  return {"sbatch", "--parsable", fmt::format("--dependency=afterany:{}", array_id), std::string(kMergeName)};
}

std::string job_id(std::string_view printed) {
  while (!printed.empty()) {
    const std::size_t start = printed.find_last_of('\n', printed.size() - 1);
    const std::string_view line = printed.substr(start == std::string_view::npos ? 0 : start + 1);
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    if (digits > 0 && (digits == line.size() || line[digits] == ';')) {
      return std::string(line.substr(0, digits));
    }
    printed = printed.substr(0, start == std::string_view::npos ? 0 : start);
  }
  return {};
}

std::string submitted_text(const SlurmSweep& sweep, std::string_view array_id, std::string_view merge_id) {
  const std::vector<std::string> show{sweep.program, "sweep", "show", "--db", sweep.database};
  return fmt::format(
      "job {array}: {what}\n"
      "job {merge}: merges them into {database} when all have ended\n"
      "  squeue --jobs={array},{merge}\n      which tasks wait and run\n"
      "  tail {folder}/*.log\n      what they said\n"
      "  sh {script}\n      merges what there is so far, before all have ended\n"
      "  {show}\n      the answers, after a merge\n"
      "  scancel {array} {merge}\n      stops everything; what was simulated is kept\n"
      "The same command again submits what is missing then.\n",
      fmt::arg("array", array_id), fmt::arg("what", summary(sweep)), fmt::arg("merge", merge_id),
      fmt::arg("database", shell_word(sweep.database)), fmt::arg("folder", shell_word(sweep.folder)),
      fmt::arg("script", shell_word(in_folder(sweep, kMergeName))), fmt::arg("show", shell_line(show)));
}

std::string written_text(const SlurmSweep& sweep) {
  return fmt::format(
      "{}: {}\n"
      "  cd {} && sbatch {}\n      submits the tasks; their logs go to the current folder\n"
      "  sh {}\n      merges, when they have ended\n",
      shell_word(in_folder(sweep, kArrayName)), summary(sweep), shell_word(sweep.folder), kArrayName,
      shell_word(in_folder(sweep, kMergeName)));
}

}  // namespace gpusim::sweep
