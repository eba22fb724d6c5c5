// SPDX-License-Identifier: MIT
// Compiled kernels with their launches, ready to run: files are read, source is compiled, buffers are filled. What
// became of the buffers is written and compared once, at the end.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/code/launch/plan.h"
#include "sim/code/launch/request.h"
#include "sim/commands/cli/kernel_job.h"
#include "sim/commands/launch/device.h"
#include "sim/commands/launch/kernel_file.h"
#include "sim/model/trace/device_memory.h"
#include "sim/model/trace/trace.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::cli {
struct KernelName;
struct LaunchOptions;
}  // namespace gpusim::cli

namespace gpusim::exec {
struct Image;
}  // namespace gpusim::exec

namespace gpusim::commands {

/// The GPU that an architecture describes.
[[nodiscard]] TargetGpu gpu_of(const arch::Arch& arch);
/// The one that a file or name on the command line means; none for "".
[[nodiscard]] std::optional<TargetGpu> gpu_called(const std::string& arch);

class Job final : public cli::KernelJob {
 public:
  /// What request_of() takes, and what KernelFile does. `tell` hears which compilers run, and what is assumed of the
  /// launches. Throws as they do, and InputError for a launch that does not fit its kernel, and for an output that
  /// cannot be written.
  Job(const cli::LaunchOptions& options, const std::vector<std::string>& params, const cli::KernelName& name,
      std::optional<TargetGpu> gpu, const cli::Announce& tell);
  /// The same of a request that names a file with machine code; nobody hears what is assumed.
  Job(launch::Request request, std::optional<TargetGpu> gpu);

  [[nodiscard]] const launch::Plan& plan() const { return plan_; }
  [[nodiscard]] Device& device() { return device_; }
  [[nodiscard]] const FoundKernel& kernel_of(const launch::Launch& launch) { return file_.find(launch.kernel); }
  /// For a run that calculates values. The buffers have theirs from here on.
  [[nodiscard]] exec::Image image_of(const launch::Launch& launch);
  [[nodiscard]] const std::vector<std::filesystem::path>& inputs() const override { return inputs_; }
  [[nodiscard]] std::vector<std::filesystem::path> outputs() const override;
  [[nodiscard]] bool has_results() const override { return !plan_.outputs.empty() || !plan_.expectations.empty(); }
  [[nodiscard]] trace::Trace trace() override { return trace(has_results() ? Values::kAll : Values::kNeeded); }
  /// What the kernels of a trace calculate, beside the addresses and lanes of their instructions.
  enum class Values : std::uint8_t {
    kAll,     ///< memory holds in the end what the kernels leave there
    kNeeded,  ///< only what branches, lanes or addresses of a kernel, or of a later one, depend on
  };
  [[nodiscard]] trace::Trace trace(Values values);
  void take_result(std::unique_ptr<trace::DeviceMemory> result) override { device_.take_result(std::move(result)); }
  [[nodiscard]] cli::Delivery deliver() const override;

 private:
  Job(const cli::LaunchOptions& options, launch::Request request, std::optional<TargetGpu> gpu,
      const cli::Announce& tell);
  [[nodiscard]] exec::Image bare_image_of(const launch::Launch& launch);
  void leave_out_values(std::vector<exec::Image>& images);

  launch::Request request_;
  KernelFile file_;
  launch::Plan plan_;
  std::vector<std::filesystem::path> inputs_;
  Device device_;
};

}  // namespace gpusim::commands
