// SPDX-License-Identifier: MIT
// The bodies of the larger kernels, as they are compiled for the GPU, run on the host and checked in double precision.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/silicon/emulated_cta.h"

#include "tools/silicon/host/reference.h"
#include "tools/silicon/kernels/flash_attention.h"
#include "tools/silicon/kernels/gemm_mma.h"
#include "tools/silicon/kernels/gemm_wgmma.h"
#include "tools/silicon/kernels/sgemm.h"

namespace gpusim::silicon {
namespace {

constexpr std::uint16_t kPoison = 0xffff;
constexpr std::size_t kAlignment = 16;

// A vector whose data is aligned as cudaMalloc aligns it, as far as 16-byte accesses care.
template <typename T>
class Matrix {
 public:
  Matrix(std::size_t size, T value) : values_(size + kAlignment / sizeof(T), value) {}
  [[nodiscard]] T* data() {
    const auto place = reinterpret_cast<std::uintptr_t>(values_.data());
    return values_.data() + (kAlignment - place % kAlignment) % kAlignment / sizeof(T);
  }

 private:
  std::vector<T> values_;
};

std::vector<float> widened(Matrix<Bf16Bits>& matrix, std::size_t size) {
  std::vector<float> values(size);
  std::transform(matrix.data(), matrix.data() + size, values.begin(), bf16_to_float);
  return values;
}

// Reproducible values in [-1, 1).
class Random {
 public:
  float next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(static_cast<double>(state_ >> 40) * 0x1p-23 - 1.0);
  }
  Matrix<float> floats(std::size_t size) {
    Matrix<float> matrix(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      matrix.data()[i] = next();
    }
    return matrix;
  }
  Matrix<Bf16Bits> bf16(std::size_t size) {
    Matrix<Bf16Bits> matrix(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      matrix.data()[i] = float_to_bf16(next());
    }
    return matrix;
  }

 private:
  std::uint64_t state_ = 1;
};

// Every way in which asynchronous work and warps may be ordered, as far as the emulation goes.
EmulatedLaunch order(EmulatedLaunch launch, int variant) {
  launch.late = variant % 2 == 1;
  launch.backwards = variant / 2 == 1;
  return launch;
}

template <typename Body>
void emulate_grid(const Index3& grid, EmulatedLaunch launch, const Body& body) {
  for (launch.block.z = 0; launch.block.z < grid.z; ++launch.block.z) {
    for (launch.block.y = 0; launch.block.y < grid.y; ++launch.block.y) {
      for (launch.block.x = 0; launch.block.x < grid.x; ++launch.block.x) {
        emulate(launch, body);
      }
    }
  }
}

template <typename Body>
void check_sgemm(const SgemmShape& shape, const Body& body, bool backwards) {
  const std::uint32_t m = 2 * shape.rows, n = 2 * shape.columns, k = 64;
  Random random;
  Matrix<float> a = random.floats(std::size_t{m} * k);
  Matrix<float> b = random.floats(std::size_t{k} * n);
  Matrix<float> c(std::size_t{m} * n, NAN);
  const SgemmArguments arguments{a.data(), b.data(), c.data(), m, n, k, 0.5f};
  emulate_grid({2, 2, 1}, {.threads = shape.threads, .shared_bytes = shape.shared_bytes, .backwards = backwards},
               [&](const EmulatedCta& cta) { body(cta, arguments); });
  Product exact{m, n, k, {a.data(), a.data() + std::size_t{m} * k}, std::vector<float>(std::size_t{n} * k), 0.5};
  for (std::size_t i = 0; i < exact.b.size(); ++i) {
    exact.b[i] = b.data()[i % k * n + i / k];
  }
  CHECK(exact.check({c.data(), c.data() + std::size_t{m} * n}, std::size_t{m} * n, {.absolute = 1e-5}).wrong == 0);
}

TEST_CASE("every SGEMM of the ladder multiplies matrices") {
  const bool backwards = GENERATE(false, true);
  check_sgemm(
      kSgemmNaive, [](auto& cta, auto& arguments) { sgemm_naive(cta, arguments); }, backwards);
  check_sgemm(
      kSgemmShared, [](auto& cta, auto& arguments) { sgemm_shared(cta, arguments); }, backwards);
  check_sgemm(
      kSgemmRegisters, [](auto& cta, auto& arguments) { sgemm_registers(cta, arguments); }, backwards);
  check_sgemm(
      kSgemmDouble, [](auto& cta, auto& arguments) { sgemm_double(cta, arguments); }, backwards);
}

// C = A B^T in bf16, of which some tiles are computed.
struct Gemm {
  std::uint32_t m, n, k;
  Random random{};
  Matrix<Bf16Bits> a = random.bf16(std::size_t{m} * k);
  Matrix<Bf16Bits> b = random.bf16(std::size_t{n} * k);
  Matrix<Bf16Bits> c{std::size_t{m} * n, kPoison};

  GemmArguments arguments() { return {a.data(), b.data(), c.data(), m, n, k}; }

  // Half a unit in the last place of bf16 is 2^-8 of the value at most; the sum in fp32 adds next to nothing.
  std::size_t wrong_in(std::size_t first_row, std::size_t first_column, std::size_t rows, std::size_t columns) {
    const Product exact{m, n, k, widened(a, std::size_t{m} * k), widened(b, std::size_t{n} * k)};
    std::size_t wrong = 0;
    for (std::size_t i = first_row; i < first_row + rows; ++i) {
      for (std::size_t j = first_column; j < first_column + columns; ++j) {
        const double expected = exact.at(i, j);
        const double difference = std::abs(bf16_to_float(c.data()[i * n + j]) - expected);
        wrong += difference <= std::abs(expected) * 0x1.01p-8 + 1e-4 ? 0 : 1;
      }
    }
    return wrong;
  }
  std::size_t written() {
    return static_cast<std::size_t>(
        std::count_if(c.data(), c.data() + std::size_t{m} * n, [](Bf16Bits bits) { return bits != kPoison; }));
  }
};

void run_mma(Gemm& gemm, const EmulatedLaunch& launch) {
  EmulatedLaunch with = launch;
  with.threads = kMmaThreads;
  with.shared_bytes = kMmaSharedBytes;
  emulate(with, [arguments = gemm.arguments()](const EmulatedCta& cta) { gemm_mma(cta, arguments); });
}

void run_wgmma(Gemm& gemm, const EmulatedLaunch& launch) {
  EmulatedLaunch with = launch;
  with.threads = kWgmmaThreads;
  with.shared_bytes = kWgmmaSharedBytes;
  const EmulatedTensorMap map_a{gemm.a.data(), gemm.m, gemm.k, kGemmRows, kGemmDepth};
  const EmulatedTensorMap map_b{gemm.b.data(), gemm.n, gemm.k, kGemmColumns, kGemmDepth};
  emulate(with,
          [&, arguments = gemm.arguments()](const EmulatedCta& cta) { gemm_wgmma(cta, arguments, map_a, map_b); });
}

using RunGemm = void (*)(Gemm&, const EmulatedLaunch&);

TEST_CASE("a CTA of either bf16 GEMM computes its tile and writes nothing else, whatever comes first") {
  const RunGemm run = GENERATE(run_mma, run_wgmma);
  const int variant = GENERATE(0, 1, 2, 3);
  Gemm gemm{.m = 2 * kGemmRows, .n = 2 * kGemmColumns, .k = 10 * kGemmDepth};
  run(gemm, order({.block = {1, 1, 0}}, variant));
  CHECK(gemm.wrong_in(kGemmRows, kGemmColumns, kGemmRows, kGemmColumns) == 0);
  CHECK(gemm.written() == std::size_t{kGemmRows} * kGemmColumns);
}

TEST_CASE("the bf16 GEMMs take matrices of fewer steps than they have stages") {
  const RunGemm run = GENERATE(run_mma, run_wgmma);
  const std::uint32_t steps = GENERATE(1u, 2u, 3u, 4u);
  Gemm gemm{.m = kGemmRows, .n = kGemmColumns, .k = steps * kGemmDepth};
  run(gemm, {.late = true});
  CHECK(gemm.wrong_in(0, 0, kGemmRows, kGemmColumns) == 0);
}

TEST_CASE("the CTAs of a bf16 GEMM cover every tile once, in groups of rows as high as their number allows") {
  const std::uint32_t rows = GENERATE(1u, 6u, 12u, 32u);
  const std::uint32_t m = rows * kGemmRows, n = 3 * kGemmColumns;
  const Index3 grid = gemm_grid(m, n);
  std::vector<int> covered(std::size_t{rows} * 3);
  for (std::uint32_t i = 0; i < grid.x * grid.y * grid.z; ++i) {
    const Index3 block{i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
    ++covered.at(gemm_first_row(block, m, n) / kGemmRows * 3 + gemm_first_column(block) / kGemmColumns);
  }
  CHECK(covered == std::vector<int>(covered.size(), 1));
}

struct Attention {
  std::uint32_t batch, heads, seq;
  Random random{};
  std::size_t size = std::size_t{batch} * heads * seq * kHeadDimension;
  Matrix<Bf16Bits> q = random.bf16(size);
  Matrix<Bf16Bits> k = random.bf16(size);
  Matrix<Bf16Bits> v = random.bf16(size);
  Matrix<Bf16Bits> o{size, kPoison};

  // Rounding P to bf16 moves a result by 2^-8 of the mean |V| at most, and by far less as errors cancel.
  std::size_t wrong_in(std::size_t first_row, std::size_t rows) {
    const std::size_t of_head = std::size_t{seq} * kHeadDimension;
    const std::vector<float> wide_q = widened(q, size), wide_k = widened(k, size), wide_v = widened(v, size);
    std::size_t wrong = 0;
    for (std::size_t row = first_row; row < first_row + rows; ++row) {
      const std::size_t head = row / seq * of_head;
      const std::vector<double> expected =
          attention_row(std::span(wide_q).subspan(row * kHeadDimension, kHeadDimension),
                        std::span(wide_k).subspan(head, of_head), std::span(wide_v).subspan(head, of_head));
      for (std::size_t i = 0; i < kHeadDimension; ++i) {
        const double difference = std::abs(bf16_to_float(o.data()[row * kHeadDimension + i]) - expected[i]);
        wrong += difference <= std::abs(expected[i]) * 0x1.01p-8 + 5e-4 ? 0 : 1;
      }
    }
    return wrong;
  }
};

TEST_CASE("flash attention computes the rows of its CTA, whatever comes first") {
  const int variant = GENERATE(0, 1, 2, 3);
  Attention attention{.batch = 2, .heads = 2, .seq = 256};
  const FlashArguments arguments{attention.q.data(),
                                 attention.k.data(),
                                 attention.v.data(),
                                 attention.o.data(),
                                 attention.heads,
                                 attention.seq,
                                 static_cast<float>(std::log2(std::exp(1.0)) / std::sqrt(kHeadDimension))};
  const EmulatedLaunch launch{.threads = kFlashThreads,
                              .shared_bytes = kFlashSharedBytes,
                              .block = {1, static_cast<std::uint32_t>(variant) % 2, 1}};
  emulate(order(launch, variant), [&](const EmulatedCta& cta) { flash_attention(cta, arguments); });
  const std::size_t first = std::size_t{launch.block.z * attention.heads + launch.block.y} * attention.seq + kFlashRows;
  CHECK(attention.wrong_in(first, kFlashRows) == 0);
  CHECK(attention.o.data()[(first - 1) * kHeadDimension] == kPoison);
}

}  // namespace
}  // namespace gpusim::silicon
