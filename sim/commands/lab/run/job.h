// SPDX-License-Identifier: MIT
// One simulation of a lab, with everything filled in, and what comes of it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/course/lab.h"

namespace gpusim::arch {
struct Resolved;
}  // namespace gpusim::arch
namespace gpusim::trace {
class DeviceMemory;
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::lab {

struct Job {
  std::string trace;  ///< a path, or a name that commands know; CUDA where there is a launch
  std::string arch;
  std::vector<std::string> params;  ///< "NAME=VALUE"
  std::vector<std::string> set;
  std::string cache;
  std::string kernel;            ///< the one that counts; empty: all
  std::string launch_text = {};  ///< the launch file where `trace` is CUDA, which has to be compiled
  std::string launch = {};       ///< when that is done: path of the launch file, and `trace` is the cubin
  std::string own_launch = {};   ///< path of a student's launch file, of which counts what request_of_job() says
  bool is_of_student = false;    ///< `trace` is: it may have no kernel that does not count
  bool has_own_arch = false;     ///< `arch` is a file of the student's folder, which may extend files there alone
  std::vector<std::string> lab_numbers = {};  ///< names of the numbers that any run of the lab sets
};

/// The job's trace, without its simulation. Throws InputError.
[[nodiscard]] trace::Trace load_trace_of(const Job& job);

/// The job's architecture. Throws InputError.
[[nodiscard]] arch::Resolved arch_of(const Job& job);
/// Its compute capability, "9.0". Throws InputError.
[[nodiscard]] std::string compute_capability_of(const Job& job);

struct Simulated {
  std::map<std::string, Scope::Value, std::less<>> values;  ///< values of the kernel, or of all together
  std::unique_ptr<trace::DeviceMemory> memory;              ///< what was left there; null where nothing is executed
};
/// Simulates on one thread. Throws InputError, CannotFinishError.
[[nodiscard]] Simulated simulate_job(const Job& job, const trace::Trace& trace);

}  // namespace gpusim::lab
