// SPDX-License-Identifier: MIT
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "sim/base/problem.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/stats/result.h"

namespace gpusim::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostKernels = 3;
constexpr std::uint64_t kMostCtas = 2;
constexpr Cycle kMostCycles = 3000;

/// Made when it is first asked for, and removed with what is in it when the process ends.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gpusim-fuzz-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

const arch::Arch& tiny_gpu() {
  static const arch::Arch arch = [] {
    const arch::Override overrides[] = {{"sm.count", "1"}, {"dram.stacks", "1"}, {"l2.partitions", "2"}};
    return arch::load_arch(GPUSIM_SOURCE_DIR "/configs/a100.yaml", overrides);
  }();
  return arch;
}

/// For code of Hopper, which may be in clusters.
const arch::Arch& hopper() {
  static const arch::Arch arch = arch::load_arch(GPUSIM_SOURCE_DIR "/configs/h100.yaml", {});
  return arch;
}

const arch::Arch& gpu_for(const trace::Kernel& kernel) {
  constexpr std::uint32_t kHopper = 90;
  return kernel.binary_version == kHopper ? hopper() : tiny_gpu();
}

}  // namespace

const fs::path& folder() {
  static const Folder made;
  return made.path;
}

fs::path write(std::string_view name, std::string_view bytes) {
  fs::path file = folder() / name;
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  return file;
}

void simulate_a_little(const trace::Trace& trace) {
  for (std::size_t i = 0; i < std::min(kMostKernels, trace.kernels.size()); ++i) {
    trace::Trace one = trace;
    one.kernels = {trace.kernels[i]};
    gpu::SimulateOptions options;
    options.ctas = gpu::CtaRange{0, std::min(kMostCtas, one.kernels[0].ctas()) - 1};
    options.max_cycles = kMostCycles;
    options.cache = i == 0 ? CacheState::kWarm : CacheState::kCold;
    (void)gpu::simulate(gpu_for(one.kernels[0]), one, options);
  }
}

bool is_accepted(const std::function<void()>& work) {
  static const bool show = std::getenv("GPUSIM_FUZZ_SHOW") != nullptr;
  const auto refuse = [](const std::exception& error) {
    if (show) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    return false;
  };
  try {
    work();
    return true;
  } catch (const InputError& error) {
    return refuse(error);
  } catch (const UsageError& error) {
    return refuse(error);
  } catch (const CannotFinishError& error) {
    return refuse(error);
  }
}

void require(bool holds, std::string_view what) {
  if (!holds) {
    std::fprintf(stderr, "what every accepted input has does not hold: %.*s\n", static_cast<int>(what.size()),
                 what.data());
    std::abort();
  }
}

}  // namespace gpusim::fuzz
