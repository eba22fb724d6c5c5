// SPDX-License-Identifier: MIT
// What the kernels of an application take of a GPU: simulated, by the roofline, or as recorded.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sim/system/run/device_side.h"

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::app {

class Database;

struct TimesOptions {
  std::filesystem::path database;  ///< empty: none
  unsigned threads = 1;            ///< kernels simulated at a time
  bool whole = false;              ///< simulate all CTAs of large kernels
  bool show_progress = false;
  Database* open = nullptr;  ///< in place of the file: several steps may have one
};

/// What MFU is a share of: the dense BF16 peak of tensor cores, of older GPUs FP16, else FP32.
struct MfuPeak {
  std::string name;
  double flops_per_ns = 0;
};

/// A GPU in use of each kind, and what its kernels take.
struct Times {
  std::vector<run::GpuFacts> gpus;  ///< by GPU in use
  run::Costs costs;
  std::vector<MfuPeak> peaks;    ///< by row of the costs
  std::uint64_t simulated = 0;   ///< kernels that were simulated now
  std::uint64_t known = 0;       ///< that the database had
  std::uint64_t of_unknown = 0;  ///< kernels whose time was recorded on a GPU that the application does not name
  std::string database_problem;  ///< why the database cannot be used; empty when it can
};

/// The trace of a kernel; files are looked up beside the application's first. Throws InputError.
[[nodiscard]] trace::Trace read_kernel_trace(const std::filesystem::path& folder, const application::Simulated& how);

/// The trace of a kernel that stands for an operation: one that came along, whatever lies beside the application or in
/// the current folder. Throws InputError.
[[nodiscard]] trace::Trace read_library_trace(const application::Simulated& how);

/// The memory of each GPU in use.
[[nodiscard]] std::vector<memory::Offer> offers_of(const run::Binding& binding);

/// Simulates what is not known yet. A kernel of more than some millions of warp instructions is simulated in part: two
/// runs of its first waves, from cold caches, give the time of a wave more; of products and attention whose CTAs go
/// from tile to tile, two runs with smaller parameters. Throws InputError, with the kernel's place in the application,
/// for a trace that cannot be read or run, and what the program throws when it is interrupted.
[[nodiscard]] Times find_times(const run::Binding& binding, const TimesOptions& options);

}  // namespace gpusim::app
