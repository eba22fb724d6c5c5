// SPDX-License-Identifier: MIT
// A sweep as two Slurm jobs: an array whose tasks each run a share of the points into a database of their own, and a
// job after it that merges them. Pure: texts of scripts and messages; the program writes and submits them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusim::sweep {

/// Names in the folder of a submitted sweep.
inline constexpr std::string_view kArrayName = "array.sh";
inline constexpr std::string_view kMergeName = "merge.sh";
/// "shard-3-of-40.db".
[[nodiscard]] std::string shard_database(std::uint64_t shard, std::uint64_t shards);
[[nodiscard]] bool is_shard_database(std::string_view name);

/// A sweep to submit. Paths are absolute, and the same on the machine that submits as on the nodes.
struct SlurmSweep {
  std::string program;
  std::string folder;                                            ///< folder of scripts, study, logs and shards
  std::string study;                                             ///< the file of it in the folder
  std::string working_directory;                                 ///< where relative names in the study start
  std::string database;                                          ///< the user's, into which shards are merged
  std::vector<std::pair<std::string, std::string>> environment;  ///< variables the program looks at
  std::uint64_t shards = 1;
  std::vector<std::uint64_t> tasks;  ///< the shards to run, from 1, in order
  std::uint64_t points = 0;          ///< that they are to run, together
  std::uint64_t cores = 1;           ///< cores of each task
  bool retry = false;                ///< also run points that failed before
  std::string kernel_times;          ///< as --kernel-times takes it, for steps; empty: the usual file
  std::string time;                  ///< as --time takes it
  std::string memory;                ///< as --mem takes it
  std::string partition;             ///< empty: the cluster's default
  std::string account;               ///< empty: the user's default
};

/// Throws UsageError unless `text` is of letters, digits and the few signs that values of sbatch's options have: it
/// goes into a line that sbatch splits by rules of its own.
void check_slurm_word(std::string_view option, std::string_view text);

/// Throws UsageError when Slurm could not open logs in the folder: it reads '%' and '\\' in the path of a log, also in
/// the part that is the current folder, as patterns.
void check_slurm_folder(std::string_view folder);

/// "1-3,7": what --array takes.
[[nodiscard]] std::string index_list(std::span<const std::uint64_t> indices);

/// The script of the array. It is submitted with the folder as the current one, in which Slurm opens the logs.
[[nodiscard]] std::string array_script(const SlurmSweep& sweep);

/// The script of the job that merges whatever shards there are; a shell runs it as well.
[[nodiscard]] std::string merge_script(const SlurmSweep& sweep);

/// Arguments of sbatch: the program first.
[[nodiscard]] std::vector<std::string> array_submission();
[[nodiscard]] std::vector<std::string> merge_submission(std::string_view array_id);

/// The number in what `sbatch --parsable` prints: "123" or "123;cluster", which may follow remarks of the site. Empty
/// when there is none.
[[nodiscard]] std::string job_id(std::string_view printed);

/// What was submitted, and what a user can do next, line by line: watch, read logs, merge by hand, cancel, resume.
[[nodiscard]] std::string submitted_text(const SlurmSweep& sweep, std::string_view array_id, std::string_view merge_id);

/// The same for scripts that were written only.
[[nodiscard]] std::string written_text(const SlurmSweep& sweep);

}  // namespace gpusim::sweep
