// SPDX-License-Identifier: MIT
// FlashAttention-2 forward: the kernel of traces/flashattn.trace. Sizes are the published ones, 16384 tokens and a
// hidden dimension of 2048 (github.com/Dao-AILab/flash-attention, assets/flash3_fp16_fwd.png: on an H100 SXM5 its
// FlashAttention-2 reaches 350, 368 and 370 TFLOP/s at 1024, 4096 and 8192 tokens a sequence, in fp16).
#include "tools/silicon/device/workload.cuh"
#include "tools/silicon/host/reference.h"
#include "tools/silicon/kernels/flash_attention.h"
#include "tools/silicon/kernels/gpu_cta.cuh"
#include "tools/silicon/kernels/tensor_kernel.cuh"

namespace gpusim::silicon {
namespace {

__global__ void __launch_bounds__(kFlashThreads, 2) flash_attention_forward(FlashArguments arguments, Stamp* totals) {
  busy_begin(totals);
  flash_attention(GpuCta{}, arguments);
  busy_end(totals);
}

struct Size {
  std::uint32_t batch, heads, seq;
};

// The first is checked row by row.
std::vector<Size> sizes(const Session& session) {
  return sizes_for<Size>(session, {{1, 2, 256}, {16, 16, 1024}, {8, 16, 2048}, {4, 16, 4096}});
}

struct Problem {
  Size size;
  std::size_t elements = std::size_t{size.batch} * size.heads * size.seq * kHeadDimension;
  Buffer<__nv_bfloat16> q{elements};
  Buffer<__nv_bfloat16> k{elements};
  Buffer<__nv_bfloat16> v{elements};
  Buffer<__nv_bfloat16> o{elements};

  [[nodiscard]] FlashArguments arguments() const {
    constexpr double kLog2E = 1.4426950408889634;
    return {bits(q),
            bits(k),
            bits(v),
            bits(o),
            size.heads,
            size.seq,
            static_cast<float>(kLog2E / std::sqrt(static_cast<double>(kHeadDimension)))};
  }
  [[nodiscard]] dim3 grid() const {
    const Index3 grid = flash_grid(size.batch, size.heads, size.seq);
    return {grid.x, grid.y, grid.z};
  }
  /// Two products of seq x seq x d a head; the softmax is not counted, as is the custom.
  [[nodiscard]] double flops() const { return 4.0 * size.batch * size.heads * size.seq * size.seq * kHeadDimension; }
  [[nodiscard]] Params params() const { return {{"batch", size.batch}, {"heads", size.heads}, {"seq", size.seq}}; }
  void fill(Input input) {
    q.fill(input, 1);
    k.fill(input, 2);
    v.fill(input, 3);
    o.poison();
  }
};

// 48 rows (all of the small size) against double precision, and that all are written. The output is rounded to bf16:
// 2^-8 of itself at most. P is rounded to bf16 before it meets V: each of seq terms is off by 2^-8 of itself at most,
// independently; with |V| below 1 and weights near 1/seq the sum is off by some 2^-10 / sqrt(seq), and 2^-7 / sqrt(seq)
// is many times that. Results themselves are about 0.6 / sqrt(seq): the mean of seq values.
bool is_right(Session& session, const Problem& problem) {
  constexpr std::size_t kRows = 48;
  const std::size_t of_head = std::size_t{problem.size.seq} * kHeadDimension;
  const std::vector<__nv_bfloat16> q = problem.q.to_host(), k = problem.k.to_host(), v = problem.v.to_host();
  const std::vector<__nv_bfloat16> o = problem.o.to_host();
  const std::size_t rows = problem.elements / kHeadDimension;
  const bool small = problem.flops() < 1e9;
  std::vector<double> got, expected;
  for (const std::size_t row : sample_below(rows, small ? rows : kRows)) {
    const std::size_t head = row / problem.size.seq * of_head;
    const std::size_t first = row * kHeadDimension;
    const std::vector<double> exact =
        attention_row(widened(std::span(q).subspan(first, kHeadDimension)),
                      widened(std::span(k).subspan(head, of_head)), widened(std::span(v).subspan(head, of_head)));
    const std::vector<float> result = widened(std::span(o).subspan(first, kHeadDimension));
    expected.insert(expected.end(), exact.begin(), exact.end());
    got.insert(got.end(), result.begin(), result.end());
  }
  expected.push_back(0);
  got.push_back(static_cast<double>(
      std::count_if(o.begin(), o.end(), [](__nv_bfloat16 x) { return std::isnan(static_cast<float>(x)); })));
  const Tolerance tolerance{.relative = 0x1.01p-8, .absolute = 0x1p-7 / std::sqrt(problem.size.seq)};
  return session.verify("flash_attention", compare(got, expected, tolerance), problem.params());
}

void measure(Session& session, Problem& problem, Input input) {
  const LaunchConfig config{.grid = problem.grid(), .block = kFlashThreads, .dynamic_smem = kFlashSharedBytes};
  const TensorKernel kernel{
      .run = [&](Stamp* totals) { launch(flash_attention_forward, config, problem.arguments(), totals); },
      .flops = problem.flops(),
      .launch = launch_facts(flash_attention_forward, config),
      .params = problem.params(),
      .trace = {"flashattn.trace", problem.params()}};
  problem.fill(input);
  BusyClock clock;
  kernel.run(clock.get());
  if (is_right(session, problem)) {
    measure_tensor_kernel(session, kernel, input);
  }
}

void run(Session& session) {
  for (const Size& size : sizes(session)) {
    Problem problem{size};
    measure(session, problem, Input::Random);
    measure(session, problem, Input::Zero);
  }
  const LaunchFacts facts = launch_facts(flash_attention_forward, {});
  session.expect_sass(facts, "HMMA.16816.F32.BF16", 256);
  session.expect_sass(facts, "LDSM.16.MT88.4", 32);
  session.expect_sass(facts, "LDGSTS.E.BYPASS", 40);
  session.expect_sass(facts, "MUFU.EX2", 68);
}

const Registered kFlash{
    {.name = "kernels/flash_attention", .priority = 70, .seconds = 6, .needs = {Feature::Sm80}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
