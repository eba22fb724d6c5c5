// SPDX-License-Identifier: MIT
// Kernels whose CTAs find their elements in many ways.
#include <algorithm>
#include <numeric>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

Problem joined_places() {
  constexpr unsigned kCount = 5000;
  std::vector<unsigned> out(kCount);
  std::iota(out.begin(), out.end(), 0U);
  Problem problem({80, 1, 1}, {64, 1, 1});
  return problem.value(kCount).out(out);
}

Problem reversed_places() {
  constexpr int kCount = 5000;
  const std::vector<int> in = Numbers(61).integers(kCount, -1000, 1000);
  std::vector<int> out(in);
  for (int i = 0; i < kCount; ++i) {
    out[static_cast<std::size_t>(i)] += i;
  }
  Problem problem({40, 1, 1}, {128, 1, 1});
  return problem.value(kCount).in(in).out(out);
}

Problem divided_places() {
  constexpr unsigned kColumns = 7;
  constexpr unsigned kRows = 11;
  std::vector<unsigned> out(std::size_t{kColumns} * kRows * 32);
  for (unsigned cta = 0; cta < kColumns * kRows; ++cta) {
    for (unsigned thread = 0; thread < 32; ++thread) {
      out[(cta % kColumns * kRows + cta / kColumns) * 32 + thread] = cta * 32 + thread;
    }
  }
  Problem problem({kColumns * kRows, 1, 1}, {32, 1, 1});
  return problem.value(kColumns).value(kRows).out(out);
}

Problem shuffled_places() {
  constexpr unsigned kCtas = 64;
  std::vector<unsigned> out(std::size_t{kCtas} * 32);
  for (unsigned cta = 0; cta < kCtas; ++cta) {
    const unsigned tile = (cta >> 3U) * 8 + (cta & 1U) * 4 + (cta >> 1U & 3U);
    std::fill_n(out.begin() + tile * 32, 32, cta);
  }
  Problem problem({kCtas, 1, 1}, {32, 1, 1});
  return problem.out(out);
}

Problem clamped_places() {
  constexpr int kCount = 3000;
  constexpr int kReach = 100;
  const std::vector<int> in = Numbers(62).integers(kCount, -1000, 1000);
  std::vector<int> out;
  for (int i = 0; i < kCount; ++i) {
    out.push_back(in[static_cast<std::size_t>(std::max(i - kReach, 0))] * 3 +
                  in[static_cast<std::size_t>(std::min(i + kReach, kCount - 1))]);
  }
  Problem problem({24, 1, 1}, {128, 1, 1});
  return problem.value(kCount).in(in).out(out);
}

Problem cubic_places() {
  constexpr long long kWidth = 100;
  constexpr long long kHeight = 45;
  constexpr long long kPitch = 128;
  constexpr long long kDepth = 3;
  std::vector<int> out(static_cast<std::size_t>(kPitch * kHeight * kDepth));
  for (long long z = 0; z < kDepth; ++z) {
    for (long long y = 0; y < kHeight; ++y) {
      for (long long x = 0; x < kWidth; ++x) {
        out[static_cast<std::size_t>((z * kHeight + y) * kPitch + x)] = static_cast<int>(x + 1000 * y + 100000 * z);
      }
    }
  }
  Problem problem({7, 12, kDepth}, {16, 4, 1});
  return problem.value(kWidth).value(kHeight).value(kPitch).out(out);
}

Problem triangular_places() {
  constexpr int kCtas = 20;
  const std::vector<int> in = Numbers(63).integers(kCtas * 64, -1000, 1000);
  std::vector<int> out(in.size());
  for (std::size_t cta = 0; cta < kCtas; ++cta) {
    for (std::size_t thread = 0; thread < 64; ++thread) {
      int sum = 0;
      for (std::size_t k = 0; k <= cta; ++k) {
        sum += in[k * 64 + 63 - thread];
      }
      out[cta * 64 + thread] = cta % 3 == 1 ? -sum : sum;
    }
  }
  Problem problem({kCtas, 1, 1}, {64, 1, 1});
  return problem.value(kCtas).in(in).out(out);
}

Problem of_sign_places() {
  constexpr int kCtas = 30;
  constexpr int kMiddle = 12;
  const std::vector<int> in = Numbers(64).integers(kCtas * 32, -1000, 1000);
  std::vector<int> out;
  for (int cta = 0; cta < kCtas; ++cta) {
    const int distance = cta - kMiddle;
    for (int thread = 0; thread < 32; ++thread) {
      out.push_back(in[static_cast<std::size_t>(std::abs(distance) * 32 + thread)] + (distance >> 1));
    }
  }
  Problem problem({kCtas, 1, 1}, {32, 1, 1});
  return problem.value(kMiddle).in(in).out(out);
}

Problem far_places() {
  constexpr long long kStride = 40'000;
  constexpr std::size_t kCtas = 12;
  const std::vector<int> in = Numbers(65).integers(kStride * kCtas, -1000, 1000);
  std::vector<int> out;
  for (std::size_t cta = 0; cta < kCtas; ++cta) {
    const auto row = in.begin() + static_cast<std::ptrdiff_t>(cta * kStride);
    out.insert(out.end(), row, row + 32);
  }
  Problem problem({kCtas, 1, 1}, {32, 1, 1});
  return problem.value(kStride).in(in).out(out);
}

Problem carried_places() {
  constexpr unsigned kCtas = 16;
  std::vector<int> out(4096);
  for (unsigned cta = 0; cta < kCtas; ++cta) {
    const bool carries = (std::uint64_t{cta << 28U} + 0xc0000000U) >> 32U != 0;
    std::fill_n(out.begin() + cta * 32, 32, carries ? 2 : 1);
    std::fill_n(out.begin() + 2048 + cta * 32, 32, carries ? static_cast<int>(cta) : 0);
  }
  Problem problem({kCtas, 1, 1}, {32, 1, 1});
  return problem.out(out);
}

Problem compared_places() {
  constexpr unsigned kCtas = 40;
  constexpr std::uint64_t kEdge = 0x2'6000'0010ULL;
  std::vector<int> out(4096);
  for (unsigned cta = 0; cta < kCtas; ++cta) {
    for (unsigned thread = 0; thread < 32; ++thread) {
      const bool is_less = cta * std::uint64_t{0x20000000} + thread < kEdge;
      out[cta * 32 + thread] = is_less ? 1 : 2;
      out[2048 + cta * 32 + thread] = is_less ? 0 : 3;
    }
  }
  Problem problem({kCtas, 1, 1}, {32, 1, 1});
  return problem.value(kEdge).out(out);
}

Problem scattered_places() {
  constexpr unsigned kCtas = 24;
  const std::vector<int> in = Numbers(66).integers(1024, -1000, 1000);
  std::vector<int> out;
  for (unsigned cta = 0; cta < kCtas; ++cta) {
    for (unsigned thread = 0; thread < 64; ++thread) {
      int sum = 0;
      for (unsigned k = 0; k < 16; ++k) {
        sum += in[(cta * (thread * 16 + k + 1) >> 1U) & 1023U];
      }
      out.push_back(sum);
    }
  }
  Problem problem({kCtas, 1, 1}, {64, 1, 1});
  return problem.in(in).out(out);
}

}  // namespace

std::vector<KernelCase> place_cases() {
  return {
      {"places", "places_joined", 75, "exact", joined_places},
      {"places", "places_reversed", 75, "exact", reversed_places},
      {"places", "places_divided", 75, "exact", divided_places},
      {"places", "places_shuffled", 75, "exact", shuffled_places},
      {"places", "places_clamped", 75, "exact", clamped_places},
      {"places", "places_cubic", 75, "exact", cubic_places},
      {"places", "places_triangular", 75, "exact", triangular_places},
      {"places", "places_signed", 75, "exact", of_sign_places},
      {"places", "places_far", 75, "exact", far_places},
      {"places", "places_carried", 75, "exact", carried_places},
      {"places", "places_compared", 75, "exact", compared_places},
      {"places", "places_scattered", 75, "exact", scattered_places},
  };
}

}  // namespace gpusim::exec
