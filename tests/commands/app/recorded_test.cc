// SPDX-License-Identifier: MIT
// What the time of a recorded kernel goes with, by its name.
#include "sim/commands/app/times/recorded.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "sim/commands/app/report.h"
#include "sim/commands/app/times/times.h"
#include "sim/system/application/loader.h"
#include "sim/system/config/loader.h"
#include "sim/system/route/fabric.h"
#include "sim/system/run/binding.h"
#include "sim/system/run/run.h"

#include "tests/support/gpusim_path.h"

namespace recorded_test {

using namespace gpusim;
using Catch::Contains;
using gpusim::app::scale_by;
using gpusim::app::ScaleBy;
using gpusim::testing::GpusimPath;

namespace {

/// The report of a step on the first GPU of a system.
app::Report report_on(const char* system_file, const std::string& text, const std::string& path = "step.yaml",
                      std::vector<std::string> gpu_set = {}) {
  const std::filesystem::path configs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";
  application::Application application = application::parse_application(text, path);
  system::System system = system::load_system(configs / "systems" / system_file, std::span(&configs, 1));
  system.gpu_set = std::move(gpu_set);
  const system::Fabric fabric(system);
  const run::Binding binding(application, system, fabric);
  app::Times times = app::find_times(binding, {});
  run::Timeline timeline = run::run(binding, times.gpus, times.costs);
  return app::make_report(std::move(application), system.name, std::move(times), std::move(timeline));
}

constexpr const char* kAttention =
    "does: {of: attention, batch: 8, heads: 16, kv_heads: 16, queries: 1024, keys: 1024, head_size: 64}";

constexpr const char* kMove =
    "kernels:\n  add: {time: 9 us, of: a100, does: {of: move, bytes: 1 MiB}}\n"
    "threads: {main: [launch: add, synchronize: device]}\n";

/// A folder whose copy.trace nobody can read.
class BrokenCopy {
 public:
  BrokenCopy() {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "copy.trace") << "gpusim trace 1\nkernel copy\n  grid (1\n";
  }
  BrokenCopy(const BrokenCopy&) = delete;
  BrokenCopy& operator=(const BrokenCopy&) = delete;
  ~BrokenCopy() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("gpusim-broken-" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("products, convolutions and attention go with tensor cores, the rest with DRAM, by their names") {
  for (const char* const name : {"nvjet_tst_128x256_64x4_2x1_v_bz_NNT", "ampere_bf16_s16816gemm_bf16_128x64_ldg8",
                                 "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>",
                                 "sm90_xmma_dgrad_implicit_gemm_bf16f32", "void pytorch_flash::flash_fwd_kernel<>",
                                 "fmha_cutlassF_bf16_aligned_64x64_rf_sm80", "cudnn_generated_sm90_flash_bprop"}) {
    INFO(name);
    CHECK(scale_by(name) == ScaleBy::kTensor);
  }
  for (const char* const name :
       {"void at::native::vectorized_elementwise_kernel<4>", "triton_poi_fused_convolution_relu_0",
        "void splitKreduce_kernel<32, 16, int>", "gemv2T_kernel_val", "", "nchwToNhwcKernel",
        "void at::native::batch_norm_collect_statistics_kernel<>"}) {
    INFO(name);
    CHECK(scale_by(name) == ScaleBy::kDram);
  }
  CHECK(scale_by("ampere_sgemm_128x64_tn") == ScaleBy::kFp32);
  CHECK(scale_by("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64>") == ScaleBy::kFp32);
  CHECK(scale_by("volta_dgemm_64x64_nn") == ScaleBy::kFp64);
  CHECK(scale_by("ncclDevKernel_AllReduce_Sum_f32_RING_LL") == ScaleBy::kNothing);
}

TEST_CASE("operations that take most of the time are worth a simulation, however they are launched") {
  const application::Application application = application::parse_application(
      R"(kernels:
  large: {time: 10 us, does: {of: move, bytes: 1 MiB}}
  often: {time: 1 us, does: {of: move, bytes: 2 MiB}}
  twice: {time: 1 us, does: {of: move, bytes: 2 MiB}}
  rarely: {time: 1 us, does: {of: move, bytes: 3 MiB}}
  unknown: {time: 900 us}
graphs: {g: [launch: often]}
threads: {main: [launch: large, repeat: {times: 10, calls: [graph: g, launch: twice]}, launch: rarely, launch: unknown]}
)",
      "step.yaml");
  CHECK(app::worth_simulating(application) == std::vector<bool>{true, true, true, false, false});
}

TEST_CASE("at most 64 operations are worth a simulation") {
  std::string kernels;
  std::string launches;
  for (int i = 1; i <= 100; ++i) {
    const std::string number = std::to_string(i);
    kernels += "  k" + number + ": {time: 1 us, does: {of: gelu, elements: " + number + "}}\n";
    launches += "launch: k" + number + ", ";
  }
  const application::Application application = application::parse_application(
      "kernels:\n" + kernels + "threads: {main: [" + launches + "work: 1 us]}\n", "x.yaml");
  const std::vector<bool> worth = app::worth_simulating(application);
  CHECK(std::ranges::count(worth, true) == 64);
  CHECK(worth.front());
}

TEST_CASE("an operation that no kernel of the library does on one of both GPUs goes with peaks, and its row says why") {
  const app::Report report =
      report_on("dgx-1-v100.yaml", std::string("kernels:\n  flash_fwd: {time: 100 us, of: a100, ") + kAttention +
                                       "}\nthreads: {main: [launch: flash_fwd, synchronize: device]}\n");
  const run::KernelCost& cost = report.times.costs.front().front();
  CHECK(cost.how == run::TimeOf::kScaled);
  CHECK_THAT(cost.note, Contains("by tensor peaks, since no kernel of the library does it on both"));
  CHECK(report.times.simulated == 0);
}

TEST_CASE("nothing is simulated of an operation whose kernel does not fit the SMs of one of both GPUs") {
  const app::Report report = report_on(
      "dgx-h100.yaml",
      "kernels:\n  flash_fwd: {time: 100 us, of: a100, does: {of: attention, batch: 1, heads: 2, kv_heads: 2, queries: "
      "128, keys: 128, head_size: 256, flash: 2}}\nthreads: {main: [launch: flash_fwd, synchronize: device]}\n",
      "step.yaml", {"sm.shared.max_per_cta=50KiB"});
  CHECK_THAT(report.times.costs.front().front().note, Contains("since no kernel of the library does it on both"));
  CHECK(report.times.simulated == 0);
}

TEST_CASE("a file of the library that is broken is refused with its own message, and not taken for a missing kernel") {
  const BrokenCopy broken;
  const GpusimPath path(broken.folder());
  CHECK_THROWS_WITH(report_on("dgx-1-v100.yaml", kMove),
                    Contains("step.yaml:2:3: the kernel 'add': ") && Contains("copy.trace:3:"));
}

TEST_CASE("a file beside the application does not stand for a kernel of the library") {
  const BrokenCopy broken;
  const app::Report report = report_on("dgx-1-v100.yaml", kMove, (broken.folder() / "step.yaml").string());
  CHECK(report.times.simulated == 2);
  CHECK(report.times.costs.front().front().ns == report_on("dgx-1-v100.yaml", kMove).times.costs.front().front().ns);
}

TEST_CASE("a row says in how many other ways kernels of its name were scaled") {
  const app::Report report = report_on(
      "dgx-1-v100.yaml", std::string("kernels:\n  a: {time: 100 us, of: a100, label: flash_fwd, ") + kAttention +
                             "}\n  b: {time: 9 us, of: a100, like: a}\n  c: {time: 8 us, of: a100, like: a}\n"
                             "threads: {main: [launch: a, launch: b, launch: c, synchronize: device]}\n");
  REQUIRE(report.kernels.size() == 1);
  const app::Row& row = report.kernels.front();
  CHECK(row.kernel == 0);
  CHECK(row.other_scales == 1);
  CHECK_THAT(app::note_of(row, report.times.costs.front()[row.kernel]),
             Contains(", others of this name in 1 other way"));
}

}  // namespace recorded_test
