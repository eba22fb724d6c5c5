// SPDX-License-Identifier: MIT
// Compiled kernels with their launches, as a command that simulates takes them. commands/launch makes them; what only
// runs traces is built without it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::trace {
class DeviceMemory;
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::cli {

struct KernelName;
struct LaunchOptions;

/// What came of a job's results, in words.
struct Delivery {
  std::vector<std::string> told;        ///< files that were written, expectations that were met
  std::vector<std::string> mismatches;  ///< expectations that were not
};

class KernelJob {
 public:
  virtual ~KernelJob() = default;

  /// Every file that is read.
  [[nodiscard]] virtual const std::vector<std::filesystem::path>& inputs() const = 0;
  /// Every file that is written.
  [[nodiscard]] virtual std::vector<std::filesystem::path> outputs() const = 0;
  /// Whether something is to be written or compared.
  [[nodiscard]] virtual bool has_results() const = 0;

  /// The launches as kernels that can be simulated. They share the device's memory as it is now, which may not change
  /// any more. Throws InputError for what is executed but not simulated.
  [[nodiscard]] virtual trace::Trace trace() = 0;
  /// What memory holds at the end of a simulation: that is what is written and compared from here on.
  virtual void take_result(std::unique_ptr<trace::DeviceMemory> result) = 0;
  /// Writes the outputs and compares the expectations. Throws InputError.
  [[nodiscard]] virtual Delivery deliver() const = 0;
};

/// Hears which compilers run, and what is assumed of the launches.
using Announce = std::function<void(const std::string& text)>;

/// Makes a job for a GPU. Throws UsageError for what is not of an option's form, and InputError for everything else
/// that is wrong with the kernels or their launches.
using OpenJob = std::unique_ptr<KernelJob> (*)(const LaunchOptions& options, const std::vector<std::string>& params,
                                               const KernelName& name, const arch::Arch& gpu, const Announce& tell);

}  // namespace gpusim::cli
