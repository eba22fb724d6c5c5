// SPDX-License-Identifier: MIT
// gpusim sweep --submit slurm: the points that are missing, as jobs of a cluster.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/commands/sweep/run/run.h"

namespace gpusim::cli {
struct Common;
}  // namespace gpusim::cli
namespace gpusim::sweep {
struct Candidate;
class Store;
struct StudyFile;
}  // namespace gpusim::sweep

namespace gpusim::commands {

struct SweepOptions;
class SweptSubject;

/// Throws UsageError and InputError with what is wrong with the options or the machine: before anything is simulated.
void check_submission(const SweepOptions& options, const std::string& db);

/// Merges what the tasks of earlier submissions stored. The database must not be open.
void take_over_shards(const SweepOptions& options, const std::string& db);

/// A study whose points are ready.
struct Submission {
  const SweepOptions& options;
  const sweep::StudyFile& file;
  SweptSubject& subject;
  const std::vector<sweep::Candidate>& points;
  sweep::RunOptions how;  ///< with the study's name and text
};

/// Runs a pilot where one is needed, writes the jobs of what is missing and submits them. `store` is closed before: the
/// jobs will want it. The exit code.
[[nodiscard]] int submit_sweep(const Submission& submission, std::unique_ptr<sweep::Store> store,
                               const cli::Common& common);

}  // namespace gpusim::commands
