// SPDX-License-Identifier: MIT
// The jobs of a sweep: their files in its folder, and the conversation with Slurm's own programs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/commands/sweep/submit/slurm.h"

namespace gpusim::commands {

/// The numbers Slurm gave.
struct SlurmJobs {
  std::string array;
  std::string merge;
};

/// Throws InputError when there is no sbatch to submit with: before anything is simulated for it.
void require_slurm();

/// Throws InputError when jobs that were submitted from the folder still wait or run: a second task for a shard would
/// find its database in use.
void require_no_jobs(const std::filesystem::path& folder);

/// Writes the scripts and the study into the sweep's folder, which exists.
void write_job_files(const sweep::SlurmSweep& sweep, std::string_view study);

/// Submits what was written. Throws InputError with Slurm's words when it refuses.
[[nodiscard]] SlurmJobs submit_jobs(const sweep::SlurmSweep& sweep);

}  // namespace gpusim::commands
