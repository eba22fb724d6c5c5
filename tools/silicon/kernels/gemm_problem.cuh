// SPDX-License-Identifier: MIT
// Matrices for the bf16 GEMMs, and whether C is right.
#pragma once

#include <functional>
#include <string>

#include "tools/silicon/device/workload.cuh"
#include "tools/silicon/host/reference.h"
#include "tools/silicon/kernels/gemm_bf16.h"
#include "tools/silicon/kernels/tensor_kernel.cuh"

namespace gpusim::silicon {

/// The first is small enough to check every element of, needs more steps than there are stages, and shows what four
/// CTAs without company take. The others are 32, 128 and 512 CTAs: a quarter of a wave, one and four on the 132 SMs of
/// an H200.
struct GemmSize {
  std::uint32_t m, n, k;
};
inline std::vector<GemmSize> gemm_sizes(const Session& session) {
  return sizes_for<GemmSize>(session, {{256, 512, 640}, {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}});
}

struct GemmProblem {
  GemmSize size;
  Buffer<__nv_bfloat16> a{std::size_t{size.m} * size.k};
  Buffer<__nv_bfloat16> b{std::size_t{size.n} * size.k};
  Buffer<__nv_bfloat16> c{std::size_t{size.m} * size.n};

  [[nodiscard]] GemmArguments arguments() const { return {bits(a), bits(b), bits(c), size.m, size.n, size.k}; }
  [[nodiscard]] double flops() const { return 2.0 * size.m * size.n * size.k; }
  [[nodiscard]] Params params() const { return {{"m", size.m}, {"n", size.n}, {"k", size.k}}; }
  [[nodiscard]] dim3 grid() const {
    const Index3 grid = gemm_grid(size.m, size.n);
    return {grid.x, grid.y, grid.z};
  }
  void fill(Input input) {
    a.fill(input, 1);
    b.fill(input, 2);
    c.poison();
  }

  /// Every element of the small size, 16384 of the others, and that all are written. The result is rounded to bf16,
  /// 2^-8 of itself at most. Sums are in fp32, where an addition loses up to 2^-23 of a partial sum (the tensor cores
  /// cut off); these are random walks of products with variance 1/9, below 2 sqrt(k) almost surely, and in k/16 to k
  /// additions errors add up to k 2 sqrt(k) 2^-23 at the very worst, 0.06 at k = 4096; as k/8 such additions in
  /// practice, less than k 2^-19. A product too many or missing is 0.25 on average, an element in the wrong place is
  /// off by sqrt(k)/3.
  [[nodiscard]] bool is_right(Session& session, std::string_view what) const {
    constexpr std::size_t kSamples = 16384;
    const bool small = flops() < 1e9;
    const Product product{size.m, size.n, size.k, widened(a.to_host()), widened(b.to_host())};
    const Comparison comparison = product.check(widened(c.to_host()), small ? c.size() : kSamples,
                                                {.relative = 0x1.01p-8, .absolute = size.k * 0x1p-19});
    return session.verify(what, comparison, params());
  }
};

/// Fills, runs once, checks and, if right, measures.
inline void measure_gemm(Session& session, std::string_view what, GemmProblem& problem, const TensorKernel& kernel) {
  for (const Input input : {Input::Random, Input::Zero}) {
    problem.fill(input);
    BusyClock clock;
    kernel.run(clock.get());
    if (problem.is_right(session, what)) {
      measure_tensor_kernel(session, kernel, input);
    }
  }
}

}  // namespace gpusim::silicon
