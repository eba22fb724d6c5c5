// SPDX-License-Identifier: MIT
// Matrices, rows, grids, bodies.
#include <algorithm>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

Problem transpose() {
  constexpr std::size_t kRows = 70;
  constexpr std::size_t kColumns = 100;
  const std::vector<float> in = Numbers(11).reals(kRows * kColumns);
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i % kColumns * kRows + i / kColumns] = in[i];
  }
  Problem problem({4, 3, 1}, {32, 8, 1});
  return problem.value(int{kRows}).value(int{kColumns}).in(in).out(out);
}

/// C = A B, each element a chain of fmaf along k.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::size_t n, std::size_t k) {
  std::vector<float> c(a.size() / k * n);
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t depth = 0; depth < k; ++depth) {
      c[i] = std::fma(a[i / n * k + depth], b[depth * n + i % n], c[i]);
    }
  }
  return c;
}

Problem sgemm_tiled() {
  constexpr int kM = 40;
  constexpr int kN = 50;
  constexpr int kK = 36;
  Numbers numbers(12);
  const std::vector<float> a = numbers.reals(kM * kK);
  const std::vector<float> b = numbers.reals(kK * kN);
  Problem problem({4, 3, 1}, {16, 16, 1});
  problem.value(kM).value(kN).value(kK).in(a).in(b);
  return problem.out(product(a, b, kN, kK));
}

Problem sgemm_register_blocked() {
  constexpr int kM = 64;
  constexpr int kN = 128;
  constexpr int kK = 48;
  Numbers numbers(13);
  const std::vector<float> a = numbers.reals(kM * kK);
  const std::vector<float> b = numbers.reals(kK * kN);
  Problem problem({2, 1, 1}, {256, 1, 1});
  return problem.value(kN).value(kK).in(a).in(b).out(product(a, b, kN, kK));
}

/// Calls row(first element, of the result) for each row.
template <typename Row>
std::vector<float> by_rows(const std::vector<float>& in, std::size_t columns, const Row& row) {
  std::vector<float> out(in.size());
  for (std::size_t first = 0; first < in.size(); first += columns) {
    row(&in[first], &out[first]);
  }
  return out;
}

Problem softmax() {
  constexpr std::size_t kColumns = 300;
  const std::vector<float> in = Numbers(14).reals(4 * kColumns, -5, 5);
  const std::vector<float> out = by_rows(in, kColumns, [](const float* from, float* to) {
    const double most = *std::max_element(from, from + kColumns);
    double sum = 0;
    for (std::size_t i = 0; i < kColumns; ++i) {
      sum += std::exp(from[i] - most);
    }
    for (std::size_t i = 0; i < kColumns; ++i) {
      to[i] = static_cast<float>(std::exp(from[i] - most) / sum);
    }
  });
  Problem problem({4, 1, 1}, {128, 1, 1});
  return problem.value(int{kColumns}).in(in).out(out, {2e-6});
}

constexpr std::size_t kNormColumns = 200;
constexpr float kEpsilon = 1e-5F;

Problem layer_norm() {
  Numbers numbers(15);
  const std::vector<float> in = numbers.reals(3 * kNormColumns, -2, 4);
  const std::vector<float> gain = numbers.reals(kNormColumns);
  const std::vector<float> offset = numbers.reals(kNormColumns);
  const std::vector<float> out = by_rows(in, kNormColumns, [&](const float* from, float* to) {
    double mean = 0;
    double variance = 0;
    for (std::size_t i = 0; i < kNormColumns; ++i) {
      mean += from[i] / double{kNormColumns};
    }
    for (std::size_t i = 0; i < kNormColumns; ++i) {
      variance += (from[i] - mean) * (from[i] - mean) / kNormColumns;
    }
    for (std::size_t i = 0; i < kNormColumns; ++i) {
      to[i] = static_cast<float>((from[i] - mean) / std::sqrt(variance + kEpsilon) * gain[i] + offset[i]);
    }
  });
  Problem problem({3, 1, 1}, {128, 1, 1});
  problem.value(int{kNormColumns}).value(kEpsilon).in(in).in(gain).in(offset);
  return problem.out(out, {2e-6, 2e-6});
}

Problem rms_norm() {
  Numbers numbers(16);
  const std::vector<float> in = numbers.reals(3 * kNormColumns, -2, 4);
  const std::vector<float> gain = numbers.reals(kNormColumns);
  const std::vector<float> out = by_rows(in, kNormColumns, [&](const float* from, float* to) {
    double squares = 0;
    for (std::size_t i = 0; i < kNormColumns; ++i) {
      squares += double{from[i]} * from[i];
    }
    for (std::size_t i = 0; i < kNormColumns; ++i) {
      to[i] = static_cast<float>(from[i] / std::sqrt(squares / kNormColumns + kEpsilon) * gain[i]);
    }
  });
  Problem problem({3, 1, 1}, {128, 1, 1});
  return problem.value(int{kNormColumns}).value(kEpsilon).in(in).in(gain).out(out, {2e-6});
}

constexpr std::size_t kHead = 32;

Problem attention(std::size_t queries, std::size_t keys, std::uint32_t grid, std::uint32_t threads,
                  std::uint32_t shared) {
  Numbers numbers(17);
  const std::vector<float> q = numbers.reals(queries * kHead);
  const std::vector<float> k = numbers.reals(keys * kHead);
  const std::vector<float> v = numbers.reals(keys * kHead);
  const float scale = 0.176776695F;
  std::vector<float> out(q.size());
  for (std::size_t query = 0; query < queries; ++query) {
    std::vector<double> result(kHead);
    double sum = 0;
    for (std::size_t key = 0; key < keys; ++key) {
      double score = 0;
      for (std::size_t i = 0; i < kHead; ++i) {
        score += double{q[query * kHead + i]} * k[key * kHead + i];
      }
      const double weight = std::exp(score * scale);
      sum += weight;
      for (std::size_t i = 0; i < kHead; ++i) {
        result[i] += weight * v[key * kHead + i];
      }
    }
    for (std::size_t i = 0; i < kHead; ++i) {
      out[query * kHead + i] = static_cast<float>(result[i] / sum);
    }
  }
  Problem problem({grid, 1, 1}, {threads, 1, 1}, shared);
  return problem.value(static_cast<int>(keys)).value(scale).in(q).in(k).in(v).out(out, {2e-6, 1e-6});
}

Problem attention_naive() {
  return attention(6, 150, 6, 128, 150 * 4);
}
Problem attention_flash() {
  return attention(128, 96, 2, 64, 0);
}

Problem spmv_csr() {
  constexpr int kRows = 100;
  Numbers numbers(18);
  const std::vector<float> x = numbers.reals(kRows);
  std::vector<int> begins{0};
  std::vector<int> columns;
  std::vector<float> values;
  std::vector<float> y;
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = numbers.integer(0, 70); i > 0; --i) {
      columns.push_back(numbers.integer(0, kRows - 1));
      values.push_back(static_cast<float>(numbers.real(0.5, 1)));
      sum += double{values.back()} * x[static_cast<std::size_t>(columns.back())];
    }
    begins.push_back(static_cast<int>(columns.size()));
    y.push_back(static_cast<float>(sum));
  }
  Problem problem({25, 1, 1}, {128, 1, 1});
  problem.value(kRows).in(begins).in(columns).in(values).in(x);
  return problem.out(y, {1e-6, 4e-6});
}

Problem stencil_2d() {
  constexpr int kWidth = 40;
  constexpr int kHeight = 30;
  constexpr float kCentre = 0.6F;
  constexpr float kSide = 0.1F;
  const std::vector<float> in = Numbers(19).reals(kWidth * kHeight);
  const auto at = [&](int x, int y) {
    const bool inside = x >= 0 && x < kWidth && y >= 0 && y < kHeight;
    return inside ? in[static_cast<std::size_t>(y * kWidth + x)] : 0.0F;
  };
  std::vector<float> out;
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const int x = i % kWidth;
    const int y = i / kWidth;
    const float sides = (at(x, y - 1) + at(x, y + 1)) + (at(x - 1, y) + at(x + 1, y));
    out.push_back(std::fma(kSide, sides, kCentre * at(x, y)));
  }
  Problem problem({3, 2, 1}, {16, 16, 1});
  return problem.value(kWidth).value(kHeight).value(kCentre).value(kSide).in(in).out(out);
}

Problem stencil_3d() {
  constexpr int kWidth = 20;
  constexpr int kHeight = 14;
  constexpr int kDepth = 9;
  constexpr float kCentre = 0.4F;
  constexpr float kSide = 0.1F;
  const std::vector<float> in = Numbers(20).reals(kWidth * kHeight * kDepth);
  const auto at = [&](int x, int y, int z) { return in[static_cast<std::size_t>((z * kHeight + y) * kWidth + x)]; };
  std::vector<float> out(in.size());
  for (int z = 1; z < kDepth - 1; ++z) {
    for (int y = 1; y < kHeight - 1; ++y) {
      for (int x = 1; x < kWidth - 1; ++x) {
        const float sides = ((at(x - 1, y, z) + at(x + 1, y, z)) + (at(x, y - 1, z) + at(x, y + 1, z))) +
                            (at(x, y, z - 1) + at(x, y, z + 1));
        out[static_cast<std::size_t>((z * kHeight + y) * kWidth + x)] = std::fma(kSide, sides, kCentre * at(x, y, z));
      }
    }
  }
  Problem problem({3, 2, 1}, {8, 8, 1});
  problem.value(kWidth).value(kHeight).value(kDepth).value(kCentre).value(kSide);
  return problem.in(in).out(out);
}

Problem nbody() {
  constexpr std::size_t kBodies = 256;
  constexpr float kSoftening = 0.01F;
  const std::vector<float> bodies = Numbers(21).reals(kBodies * 4, 0.1, 1);
  std::vector<float> out(bodies.size());
  for (std::size_t me = 0; me < kBodies; ++me) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double sum = 0;
      for (std::size_t other = 0; other < kBodies; ++other) {
        double square = kSoftening;
        for (std::size_t i = 0; i < 3; ++i) {
          const double distance = double{bodies[other * 4 + i]} - bodies[me * 4 + i];
          square += distance * distance;
        }
        const double distance = double{bodies[other * 4 + axis]} - bodies[me * 4 + axis];
        sum += distance * bodies[other * 4 + 3] / (square * std::sqrt(square));
      }
      out[me * 4 + axis] = static_cast<float>(sum);
    }
  }
  Problem problem({2, 1, 1}, {128, 1, 1});
  return problem.value(int{kBodies}).value(kSoftening).in(bodies).out(out, {1e-5, 1e-3});
}

}  // namespace

std::vector<KernelCase> dense_cases() {
  return {
      {"transpose", "transpose_naive", 75, "exact", transpose},
      {"transpose", "transpose_shared", 75, "exact", transpose},
      {"transpose", "transpose_padded", 75, "exact", transpose},
      {"sgemm", "sgemm_tiled", 75, "exact", sgemm_tiled},
      {"sgemm", "sgemm_register_blocked", 75, "exact", sgemm_register_blocked},
      {"softmax", "softmax", 75, "2e-6", softmax},
      {"norm", "layer_norm", 75, "2e-6", layer_norm},
      {"norm", "rms_norm", 75, "2e-6", rms_norm},
      {"attention", "attention_naive", 75, "2e-6", attention_naive},
      {"attention", "attention_flash", 75, "2e-6", attention_flash},
      {"spmv", "spmv_csr", 75, "4e-6", spmv_csr},
      {"stencil", "stencil_2d", 75, "exact", stencil_2d},
      {"stencil", "stencil_3d", 75, "exact", stencil_3d},
      {"nbody", "nbody", 75, "1e-5", nbody},
  };
}

}  // namespace gpusim::exec
