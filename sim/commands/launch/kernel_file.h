// SPDX-License-Identifier: MIT
// A file or folder with compiled kernels, or with source that a compiler makes some of: kernels by name, for one GPU.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/code/launch/signature.h"
#include "sim/commands/cli/kernel_job.h"

namespace gpusim::cubin {
struct Function;
struct Image;
struct Module;
}  // namespace gpusim::cubin

namespace gpusim::commands {

/// The GPU that is to run them.
struct TargetGpu {
  std::string name;                ///< "h100"
  std::string compute_capability;  ///< "9.0"
};

struct FoundKernel {
  std::shared_ptr<const cubin::Module> module;
  const cubin::Function* function = nullptr;  ///< in the module
  launch::Signature signature;
};

class KernelFile {
 public:
  /// Compiles a source; `announce` is told how. Without a GPU whatever machine code there is will do, and source is
  /// compiled for Hopper. Throws InputError; for source also where the GPU's machine code is not read.
  KernelFile(std::filesystem::path path, std::optional<TargetGpu> gpu, const std::vector<std::string>& compiler_flags,
             const cli::Announce& announce);

  /// The kernel of this name, or of "" the only one. Throws InputError: for an unknown name with the nearest, for one
  /// that stands for several kernels with all of them, for machine code that the GPU cannot run.
  [[nodiscard]] const FoundKernel& find(const std::string& kernel);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  /// Kernels of a name, as many as there are.
  struct Candidates {
    std::vector<FoundKernel> kernels;
    std::vector<unsigned> other_sms;  ///< compute capabilities of kernels that the GPU cannot run
  };
  void scan(const std::function<void(const cubin::Image& image)>& take) const;
  [[nodiscard]] Candidates look_for(const std::string& kernel);
  void take_names(const cubin::Image& image, FoundKernel& kernel) const;
  [[noreturn]] void fail_not_for_gpu(const std::string& kernel, const std::vector<unsigned>& sms) const;
  [[noreturn]] void fail_ambiguous(const std::string& kernel, const std::vector<FoundKernel>& kernels) const;

  std::filesystem::path path_;
  std::optional<TargetGpu> gpu_;
  unsigned gpu_sm_ = 0;                                                  ///< 90; 0 for any
  std::string compiled_;                                                 ///< the cubin of a source
  std::map<std::string, std::shared_ptr<const cubin::Module>> modules_;  ///< by the name of the image
  std::map<std::string, FoundKernel> found_;
};

}  // namespace gpusim::commands
