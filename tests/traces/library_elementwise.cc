// SPDX-License-Identifier: MIT
// The work of element-wise kernels, of means of rows, and of a norm's weights.
#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

/// SiLU: three products and a sum for 1 + exp(-x), and a division by the rules of IEEE, seven FFMAs.
constexpr std::uint64_t kSilu = 3 + 1 + 14;

/// GELU with the error function: two products and an absolute value for its argument, a square, seven steps of the
/// polynomial, one less the power, one more, and a product.
constexpr std::uint64_t kErf = 3 + 1 + 14 + 1 + 1 + 1;

Work activation(const Values& v) {
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  const std::uint64_t of_function[] = {0, 7, kSilu, kErf};
  const std::uint64_t flops = of_function[v.at("function")] + v.at("bias");
  return {flops * elements, type_bytes(v) * elements * (1 + v.at("bias")), type_bytes(v) * elements, 0};
}

/// 0.5 x (1 + tanh(x (a + b x^2))): x^2, a + b x^2, times x, half of x, and that times the tangent plus itself.
Algorithm gelu_formula(const Values& v) {
  const std::uint64_t gelu = 1 + 2 + 1 + 1 + 2;
  const std::uint64_t function = v.contains("function") ? v.at("function") : 1;
  const std::uint64_t bias = v.contains("bias") ? v.at("bias") : 1;
  const std::uint64_t of_function[] = {0, gelu, kSilu, kErf};
  return {(bias + of_function[function]) * v.at("rows") * v.at("columns")};
}

Work unfused(const Values& v) {
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  return {8 * elements, 3 * type_bytes(v) * elements, 2 * type_bytes(v) * elements, 0};
}

/// A cast computes nothing; FP32 goes out.
Work elementwise_mixed(const Values& v) {
  const bool is_cast = v.at("function") == 0;
  return {is_cast ? 0 : v.at("n"), (is_cast ? 2 : 6) * v.at("n"), 4 * v.at("n"), 0};
}

/// By function: multiply, add, negate, repeat, weight, scale, by_head, turn, mask. FP16, BF16 or FP32.
Work elementwise_strided(const Values& v) {
  const std::uint64_t function = v.at("function");
  const std::uint64_t bytes = v.at("type") == 2 ? 4 : 2;
  const bool is_mask = function == 8;
  const bool has_two = is_mask || (function != 2 && function != 3 && function < 6);
  const bool computes = has_two || function == 2;
  const std::uint64_t length = v.at("seq") > 0 ? v.at("seq") : v.at("tokens");
  const std::uint64_t rows = v.at("seq") > 0 ? v.at("batch") * length : v.at("tokens");
  const std::uint64_t all = rows * v.at("heads") * (is_mask ? length : v.at("d")) / (function == 2 ? 2 : 1);
  return {computes ? all : 0, (has_two ? 2 : 1) * bytes * all, bytes * all, 0};
}

/// Both arrays are read and written; nothing is computed.
Work concatenate(const Values& v) {
  const std::uint64_t bytes = (v.at("type") == 2 ? 4 : 2) * v.at("rows") * (v.at("first") + v.at("second"));
  return {0, bytes, bytes, 0};
}

/// Each element is added to one of four sums of a lane; those take three additions, the lanes five, and a product.
Work row_mean(const Values& v) {
  return {v.at("rows") * (v.at("columns") + 32 * (3 + 5 + 1)), 4 * v.at("rows") * v.at("columns"), 4 * v.at("rows"), 0};
}

/// An element takes a difference, two products and two sums; then lanes add up the sums of 32 warps for gamma and beta.
/// A warp reads mean and deviation of its eight rows with all lanes.
Work norm_weight_gradient(const Values& v) {
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  const std::uint64_t ctas = v.at("columns") / 32;
  return {5 * elements + ctas * 1024 * 10, 8 * elements + ctas * v.at("rows") / 256 * 1024 * 8, 8 * v.at("columns"), 0};
}

}  // namespace

std::span<const LibraryCase> elementwise_cases() {
  static const std::vector<LibraryCase> kCases{
      {"elementwise-mixed", elementwise_mixed, {"", "function=add", "function=multiply type=f16 n=512"}, nullptr, "b"},
      {"elementwise-strided",
       elementwise_strided,
       {"", "function=add", "function=negate", "function=repeat groups=2", "function=weight",
        "function=scale type=f32 tokens=9", "function=by_head seq=24 batch=3", "function=turn type=f16 seq=40 batch=2",
        "function=mask type=f16 seq=40 batch=2"},
       nullptr,
       "a b"},
      {"concatenate", concatenate, {"", "rows=700 first=9 second=40 type=f32 sms=3"}},
      {"row-mean", row_mean, {"", "rows=16 columns=128"}},
      {"norm-weight-gradient", norm_weight_gradient, {"", "rows=256 columns=32", "rows=1024 columns=96"}},
      {"activation",
       activation,
       {"", "bias=yes", "function=relu type=f32", "rows=3 columns=40 bias=yes type=f32",
        "type=bf16 bias=yes threads=64", "function=relu type=bf16", "function=silu type=bf16", "function=silu type=f32",
        "function=erf type=bf16", "function=erf type=f32"},
       gelu_formula},
      {"bias-gelu-unfused", unfused, {"", "rows=5 columns=88", "type=f32", "type=bf16 threads=512"}, gelu_formula}};
  return kCases;
}

}  // namespace gpusim::testing
