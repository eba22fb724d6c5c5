// SPDX-License-Identifier: MIT
// Kernels in CUDA with their launches, and what they calculate. Internal to the module.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/code/launch/request.h"

namespace gpusim::commands {
class Job;
}  // namespace gpusim::commands
namespace gpusim::exec {
class GlobalMemory;
}  // namespace gpusim::exec

namespace gpusim::lab {

struct Job;

/// Whether a launch file has a number of this name.
[[nodiscard]] bool has_number(const launch::Request& request, std::string_view name);

/// What a student's launch file says otherwise than the lab's without any effect on a check: "grid", "block", "n".
/// `lab_numbers` as in Job.
[[nodiscard]] std::vector<std::string> ignored_keys(const launch::Request& of_lab, const launch::Request& own,
                                                    const std::vector<std::string>& lab_numbers);

/// What a job with a launch asks for: the lab's launch file with the numbers of the job. A student's file adds numbers
/// that no run of the lab sets, and where the lab's file lists its `buffers` it says how kernels are launched: which,
/// in what grid, with which of these buffers. Throws InputError, also for arguments that are buffers of their own.
[[nodiscard]] launch::Request request_of_job(const Job& job);

/// The kernels of a job that has a launch, with their buffers filled. Throws InputError.
[[nodiscard]] std::unique_ptr<commands::Job> launched(const Job& job);

/// The same when they were executed. Throws InputError for what a kernel may not do, too, and CannotFinishError when it
/// does not end.
[[nodiscard]] std::unique_ptr<commands::Job> executed(const Job& job);

/// Compares what memory holds after a run with the buffers of a job that was executed, by name: numbers with a fraction
/// may differ by as much as sums in another order do. What differs, in a sentence; empty: nothing.
[[nodiscard]] std::string other_values(const exec::GlobalMemory& own, commands::Job& like);

}  // namespace gpusim::lab
