// SPDX-License-Identifier: MIT
// Compiled kernels with their launches, ready to run: files are read, source is compiled, buffers are filled. What
// became of the buffers is written and compared once, at the end.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/code/launch/plan.h"
#include "sim/commands/launch/device.h"
#include "sim/commands/launch/kernel_file.h"
#include "sim/commands/launch/options.h"
#include "sim/exec/core/image.h"
#include "sim/model/arch/arch.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::commands {

/// The part that an architecture describes.
[[nodiscard]] GpuPart part_of(const arch::Arch& arch);
/// The one that a file or name on the command line means; none for "".
[[nodiscard]] std::optional<GpuPart> part_called(const std::string& arch);

/// What came of a job's results, in words.
struct Delivery {
  std::vector<std::string> told;        ///< files that were written, expectations that were met
  std::vector<std::string> mismatches;  ///< expectations that were not
};

class Job {
 public:
  /// What request_of() takes, and what KernelFile does. `tell` hears which compilers run, and what is assumed of the
  /// launches. Throws as they do, and InputError for a launch that does not fit its kernel, and for an output that
  /// cannot be written.
  Job(const LaunchOptions& options, const std::vector<std::string>& params, const KernelName& name,
      std::optional<GpuPart> gpu, const KernelFile::Announce& tell);
  /// The same of a request that names a file with machine code; nobody hears what is assumed.
  Job(launch::Request request, std::optional<GpuPart> gpu);

  [[nodiscard]] const launch::Plan& plan() const { return plan_; }
  [[nodiscard]] Device& device() { return device_; }
  [[nodiscard]] const FoundKernel& kernel_of(const launch::Launch& launch) { return file_.find(launch.kernel); }
  [[nodiscard]] exec::Image image_of(const launch::Launch& launch);
  /// Every file that is read.
  [[nodiscard]] const std::vector<std::filesystem::path>& inputs() const { return inputs_; }
  /// Whether something is to be written or compared.
  [[nodiscard]] bool has_results() const { return !plan_.outputs.empty() || !plan_.expectations.empty(); }

  /// The launches as kernels that can be simulated. They share the device's memory as it is now, which may not change
  /// any more. Throws InputError for what is executed but not simulated.
  [[nodiscard]] trace::Trace trace();

  /// Writes the outputs and compares the expectations with what the device holds. Throws InputError.
  [[nodiscard]] Delivery deliver() const;

 private:
  Job(const LaunchOptions& options, launch::Request request, std::optional<GpuPart> gpu,
      const KernelFile::Announce& tell);

  launch::Request request_;
  KernelFile file_;
  launch::Plan plan_;
  std::vector<std::filesystem::path> inputs_;
  Device device_;
};

}  // namespace gpusim::commands
