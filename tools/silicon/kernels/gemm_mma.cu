// SPDX-License-Identifier: MIT
// bf16 GEMM with mma.sync and three stages of LDGSTS: the kernel of traces/gemm_bf16.trace. Expected at 4096 cubed
// on an H200: 500 to 600 TFLOP/s, as mma.sync gives about 60 % of the dense peak there; on an A100 250.
#include "tools/silicon/kernels/gemm_mma.h"
#include "tools/silicon/kernels/gemm_problem.cuh"
#include "tools/silicon/kernels/gpu_cta.cuh"

namespace gpusim::silicon {
namespace {

__global__ void __launch_bounds__(kMmaThreads, 1) gemm_bf16_mma(GemmArguments arguments, Stamp* totals) {
  busy_begin(totals);
  gemm_mma(GpuCta{}, arguments);
  busy_end(totals);
}

void run(Session& session) {
  for (const GemmSize& size : gemm_sizes(session)) {
    GemmProblem problem{size};
    const LaunchConfig config{.grid = problem.grid(), .block = kMmaThreads, .dynamic_smem = kMmaSharedBytes};
    const TensorKernel kernel{.run = [&](Stamp* totals) { launch(gemm_bf16_mma, config, problem.arguments(), totals); },
                              .flops = problem.flops(),
                              .launch = launch_facts(gemm_bf16_mma, config),
                              .params = problem.params(),
                              .trace = {"gemm_bf16.trace", problem.params()}};
    measure_gemm(session, "gemm_mma", problem, kernel);
  }
  const LaunchFacts facts = launch_facts(gemm_bf16_mma, {});
  session.expect_sass(facts, "HMMA.16816.F32.BF16", 128);
  session.expect_sass(facts, "LDSM.16.M88.4", 40);
  session.expect_sass(facts, "LDGSTS.E.BYPASS", 39);
  session.expect_sass(facts, "STG.E.128", 16);
}

const Registered kGemm{
    {.name = "kernels/gemm_mma", .priority = 70, .seconds = 5, .needs = {Feature::Sm80}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
