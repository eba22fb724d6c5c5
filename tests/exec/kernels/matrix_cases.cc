// SPDX-License-Identifier: MIT
// Products of matrices by tensor cores: C = A B^T, with B by rows of n.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

constexpr std::size_t kM = 32;
constexpr std::size_t kN = 24;
constexpr std::size_t kK = 64;
/// Sums of 64 products below 1: FP32 accumulators truncate, and the order within a step is not defined.
constexpr Tolerance kNear{2e-6, 4e-6};

/// value_a(i) and value_b(i) are the elements as the tensor core multiplies them.
template <typename Result, typename A, typename B>
std::vector<Result> product(std::size_t m, std::size_t n, std::size_t k, const A& value_a, const B& value_b) {
  std::vector<Result> c(m * n);
  for (std::size_t i = 0; i < c.size(); ++i) {
    double sum = 0;
    for (std::size_t depth = 0; depth < k; ++depth) {
      const double of_a = value_a(i / n * k + depth);
      const double of_b = value_b(i % n * k + depth);
      sum += of_a * of_b;
    }
    c[i] = static_cast<Result>(sum);
  }
  return c;
}

Problem launch_matrix() {
  Problem problem({kN / 8, kM / 16, 1}, {32, 1, 1});
  return problem.value(int{kN}).value(int{kK});
}

Problem mma_f16() {
  Numbers numbers(31);
  const std::vector<std::uint16_t> a = halves_of(numbers.reals(kM * kK));
  const std::vector<std::uint16_t> b = halves_of(numbers.reals(kN * kK));
  const auto c = product<float>(
      kM, kN, kK, [&](std::size_t i) { return half_value(a[i]); }, [&](std::size_t i) { return half_value(b[i]); });
  return launch_matrix().in(a).in(b).out(c, kNear);
}

/// Small integers, so that FP16 holds every sum. B lies by rows of k.
Problem mma_f16_turing() {
  Numbers numbers(32);
  const std::vector<int> a = numbers.integers(kM * kK, -3, 3);
  const std::vector<int> b = numbers.integers(kN * kK, -3, 3);
  const auto sums = product<float>(
      kM, kN, kK, [&](std::size_t i) { return a[i]; }, [&](std::size_t i) { return b[i % kK * kN + i / kK]; });
  const auto halves = [](const auto& values) { return halves_of({values.begin(), values.end()}); };
  return launch_matrix().in(halves(a)).in(halves(b)).out(halves(sums));
}

Problem mma_bf16() {
  Numbers numbers(33);
  const std::vector<std::uint16_t> a = bfloats_of(numbers.reals(kM * kK));
  const std::vector<std::uint16_t> b = bfloats_of(numbers.reals(kN * kK));
  const auto c = product<float>(
      kM, kN, kK, [&](std::size_t i) { return bfloat_value(a[i]); }, [&](std::size_t i) { return bfloat_value(b[i]); });
  return launch_matrix().in(a).in(b).out(c, kNear);
}

/// To nearest, ties away from 0.
double tf32(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) + 0x1000U;
  return std::bit_cast<float>(bits & 0xffffe000U);
}

Problem mma_tf32() {
  Numbers numbers(34);
  const std::vector<float> a = numbers.reals(kM * kK);
  const std::vector<float> b = numbers.reals(kN * kK);
  const auto c = product<float>(
      kM, kN, kK, [&](std::size_t i) { return tf32(a[i]); }, [&](std::size_t i) { return tf32(b[i]); });
  return launch_matrix().in(a).in(b).out(c, kNear);
}

Problem mma_int8() {
  Numbers numbers(35);
  std::vector<std::int8_t> a(kM * kK);
  std::vector<std::uint8_t> b(kN * kK);
  for (auto& value : a) {
    value = static_cast<std::int8_t>(numbers.word());
  }
  for (auto& value : b) {
    value = static_cast<std::uint8_t>(numbers.word());
  }
  const auto c = product<int>(
      kM, kN, kK, [&](std::size_t i) { return int{a[i]}; }, [&](std::size_t i) { return int{b[i]}; });
  return launch_matrix().in(a).in(b).out(c);
}

/// Each element a chain of fused multiply-adds along k.
Problem mma_f64() {
  Numbers numbers(36);
  std::vector<double> a(kM * kK);
  std::vector<double> b(kN * kK);
  for (auto* matrix : {&a, &b}) {
    for (double& value : *matrix) {
      value = numbers.real(-1, 1) + numbers.real(-1, 1) * 0x1p-24;
    }
  }
  std::vector<double> c(kM * kN);
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t depth = 0; depth < kK; ++depth) {
      c[i] = std::fma(a[i / kN * kK + depth], b[i % kN * kK + depth], c[i]);
    }
  }
  Problem problem({kN / 8, kM / 8, 1}, {32, 1, 1});
  return problem.value(int{kN}).value(int{kK}).in(a).in(b).out(c, {1e-14, 1e-14});
}

Problem wgmma_bf16() {
  constexpr std::size_t kRows = 128;
  constexpr std::size_t kColumns = 64;
  constexpr std::size_t kDepth = 192;
  Numbers numbers(37);
  const std::vector<std::uint16_t> a = bfloats_of(numbers.reals(kRows * kDepth));
  const std::vector<std::uint16_t> b = bfloats_of(numbers.reals(kColumns * kDepth));
  const auto c = product<float>(
      kRows, kColumns, kDepth, [&](std::size_t i) { return bfloat_value(a[i]); },
      [&](std::size_t i) { return bfloat_value(b[i]); });
  TensorArgument map{
      .element_bytes = 2, .rows = kRows, .columns = kDepth, .tile_rows = 64, .tile_columns = 64, .swizzle_bytes = 128};
  Problem problem({kColumns / 64, kRows / 64, 1}, {128, 1, 1});
  problem.value(int{kColumns}).value(int{kDepth}).in(a).as_tensor(map);
  map.rows = kColumns;
  return problem.in(b).as_tensor(map).out(c, {4e-6, 1e-5});
}

/// A from registers, B with rows of k.
Problem wgmma_registers() {
  constexpr std::size_t kRows = 128;
  constexpr std::size_t kColumns = 128;
  constexpr std::size_t kDepth = 192;
  Numbers numbers(38);
  const std::vector<std::uint16_t> a = bfloats_of(numbers.reals(kRows * kDepth));
  const std::vector<std::uint16_t> b = bfloats_of(numbers.reals(kDepth * kColumns));
  const auto c = product<float>(
      kRows, kColumns, kDepth, [&](std::size_t i) { return bfloat_value(a[i]); },
      [&](std::size_t i) { return bfloat_value(b[i % kDepth * kColumns + i / kDepth]); });
  Problem problem({kColumns / 64, kRows / 64, 1}, {128, 1, 1});
  return problem.value(int{kColumns}).value(int{kDepth}).in(a).in(b).out(c, {4e-6, 1e-5});
}

std::vector<std::uint8_t> bytes_from(Numbers& numbers, std::size_t count, std::uint32_t least,
                                     std::uint32_t numbers_of) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : numbers.words(count)) {
    bytes.push_back(static_cast<std::uint8_t>((least + word / 2 % numbers_of) | (word & 1U) << 7U));
  }
  return bytes;
}

/// A sign, exponent and mantissa; neither infinity nor NaN.
double small_value(std::uint8_t bits, int mantissa_bits, int bias) {
  const int exponent = (bits & 0x7f) >> mantissa_bits;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double size = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                                    : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  return (bits & 0x80) != 0 ? -size : size;
}

constexpr std::size_t kBytesM = 128;
constexpr std::size_t kBytesN = 64;
constexpr std::size_t kBytesK = 256;

Problem launch_of_bytes() {
  Problem problem({kBytesN / 64, kBytesM / 64, 1}, {128, 1, 1});
  return problem.value(int{kBytesN}).value(int{kBytesK});
}

/// Numbers of A also subnormal.
Problem wgmma_fp8() {
  Numbers numbers(39);
  const std::vector<std::uint8_t> a = bytes_from(numbers, kBytesM * kBytesK, 0, 72);
  const std::vector<std::uint8_t> b = bytes_from(numbers, kBytesN * kBytesK, 32, 36);
  const auto c = product<float>(
      kBytesM, kBytesN, kBytesK, [&](std::size_t i) { return small_value(a[i], 3, 7); },
      [&](std::size_t i) { return small_value(b[i], 2, 15); });
  return launch_of_bytes().in(a).in(b).out(c, {1e-5, 1e-4});
}

Problem wgmma_int8() {
  Numbers numbers(40);
  std::vector<std::int8_t> a(kBytesM * kBytesK);
  std::vector<std::uint8_t> b(kBytesN * kBytesK);
  for (auto& value : a) {
    value = static_cast<std::int8_t>(numbers.word());
  }
  for (auto& value : b) {
    value = static_cast<std::uint8_t>(numbers.word());
  }
  const auto c = product<int>(
      kBytesM, kBytesN, kBytesK, [&](std::size_t i) { return int{a[i]}; }, [&](std::size_t i) { return int{b[i]}; });
  return launch_of_bytes().in(a).in(b).out(c);
}

/// A third of what C has is so large, or so small, that the products go beyond 32 bits.
Problem wgmma_int8_saturated() {
  constexpr std::size_t kRows = 64;
  constexpr std::size_t kColumns = 24;
  constexpr std::size_t kDepth = 32;
  constexpr std::size_t kRowBytes = 128;
  Numbers numbers(41);
  std::vector<std::uint8_t> a(kRows * kDepth);
  std::vector<std::int8_t> b(kColumns * kRowBytes);
  for (auto& value : a) {
    value = static_cast<std::uint8_t>(numbers.word());
  }
  for (auto& value : b) {
    value = static_cast<std::int8_t>(numbers.word());
  }
  std::vector<int> before(kRows * kColumns);
  std::vector<int> after(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto near = static_cast<int>(numbers.word() % 1000);
    before[i] = i % 3 == 0   ? std::numeric_limits<int>::max() - near
                : i % 3 == 1 ? std::numeric_limits<int>::min() + near
                             : near;
    std::int64_t sum = before[i];
    for (std::size_t k = 0; k < kDepth; ++k) {
      sum += int{a[i / kColumns * kDepth + k]} * int{b[i % kColumns * kRowBytes + k]};
    }
    after[i] = static_cast<int>(
        std::clamp<std::int64_t>(sum, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  }
  Problem problem({1, 1, 1}, {128, 1, 1});
  return problem.in(a).in(b).in_out(before, after);
}

}  // namespace

std::vector<KernelCase> matrix_cases() {
  return {
      {"mma_f16", "mma_f16", 80, "4e-6", mma_f16},
      {"mma_f16_turing", "mma_f16_turing", 75, "exact", mma_f16_turing},
      {"mma_bf16", "mma_bf16", 80, "4e-6", mma_bf16},
      {"mma_tf32", "mma_tf32", 80, "4e-6", mma_tf32},
      {"mma_int8", "mma_int8", 80, "exact", mma_int8},
      {"mma_f64", "mma_f64", 80, "1e-14", mma_f64},
      {"wgmma", "wgmma_bf16", 90, "1e-5", wgmma_bf16},
      {"wgmma", "wgmma_registers", 90, "1e-5", wgmma_registers},
      {"wgmma_fp8", "wgmma_fp8", 90, "1e-5", wgmma_fp8},
      {"wgmma_int8", "wgmma_int8", 90, "exact", wgmma_int8},
      {"wgmma_int8", "wgmma_int8_saturated", 90, "exact", wgmma_int8_saturated},
  };
}

}  // namespace gpusim::exec
