// SPDX-License-Identifier: MIT
// bf16 GEMM as libraries do it on Hopper: TMA, a ring of four stages behind mbarriers, one producer warp, two consumer
// warpgroups with wgmma 64 x 256 x 16. Expected on an H200 at 4096 cubed: 550 to 700 TFLOP/s with random data (tiles
// are not persistent, so the ends of four waves are idle time), some 10 % more with zeros.
#include "tools/silicon/device/tensor_map.cuh"
#include "tools/silicon/kernels/gemm_problem.cuh"
#include "tools/silicon/kernels/gemm_wgmma.h"
#include "tools/silicon/kernels/gpu_cta.cuh"

namespace gpusim::silicon {
namespace {

__global__ void __launch_bounds__(kWgmmaThreads, 1)
    gemm_bf16_wgmma(GemmArguments arguments, const __grid_constant__ CUtensorMap map_a,
                    const __grid_constant__ CUtensorMap map_b, Stamp* totals) {
  busy_begin(totals);
  gemm_wgmma(GpuCta{}, arguments, map_a, map_b);
  busy_end(totals);
}

CUtensorMap tiles_of(const Buffer<__nv_bfloat16>& matrix, std::uint32_t rows, std::uint32_t k,
                     std::uint32_t tile_rows) {
  return tensor_map({.data = matrix.get(),
                     .rows = rows,
                     .columns = k,
                     .tile_rows = tile_rows,
                     .tile_columns = kGemmDepth,
                     .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
}

void run(Session& session) {
  for (const GemmSize& size : gemm_sizes(session)) {
    GemmProblem problem{size};
    const CUtensorMap map_a = tiles_of(problem.a, size.m, size.k, kGemmRows);
    const CUtensorMap map_b = tiles_of(problem.b, size.n, size.k, kGemmColumns);
    const LaunchConfig config{.grid = problem.grid(), .block = kWgmmaThreads, .dynamic_smem = kWgmmaSharedBytes};
    const TensorKernel kernel{
        .run = [&](Stamp* totals) { launch(gemm_bf16_wgmma, config, problem.arguments(), map_a, map_b, totals); },
        .flops = problem.flops(),
        .launch = launch_facts(gemm_bf16_wgmma, config),
        .params = problem.params()};
    measure_gemm(session, "gemm_wgmma", problem, kernel);
  }
  const LaunchFacts facts = launch_facts(gemm_bf16_wgmma, {});
  session.expect_sass(facts, "HGMMA", 4);
  session.expect_sass(facts, "UTMALDG", 2);
  session.expect_sass(facts, "USETMAXREG", 2);
}

const Registered kGemm{
    {.name = "kernels/gemm_wgmma", .priority = 70, .seconds = 5, .needs = {Feature::Sm90a}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
