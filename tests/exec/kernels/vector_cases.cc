// SPDX-License-Identifier: MIT
// Sums, scans, counts, orders.
#include <algorithm>
#include <array>
#include <numeric>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

constexpr std::size_t kVectorThreads = 256;

Problem saxpy() {
  constexpr int kCount = 10'000;
  Numbers numbers(1);
  const std::vector<float> x = numbers.reals(kCount);
  const std::vector<float> y = numbers.reals(kCount);
  std::vector<float> result(kCount);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = std::fma(1.5F, x[i], y[i]);
  }
  Problem problem({40, 1, 1}, {256, 1, 1});
  return problem.value(kCount).value(1.5F).in(x).in_out(y, result);
}

std::vector<int> sums_of_blocks(const std::vector<int>& in) {
  std::vector<int> sums;
  for (auto begin = in.begin(); begin != in.end(); begin += kVectorThreads) {
    sums.push_back(std::accumulate(begin, begin + kVectorThreads, 0));
  }
  return sums;
}

Problem reduce_interleaved() {
  const std::vector<int> in = Numbers(2).integers(8 * kVectorThreads, -1000, 1000);
  Problem problem({8, 1, 1}, {kVectorThreads, 1, 1});
  return problem.in(in).out(sums_of_blocks(in));
}

Problem reduce_shuffle() {
  constexpr int kCount = 20'000;
  constexpr unsigned kBlocks = 6;
  const std::vector<float> in = Numbers(3).reals(kCount, 0, 1);
  std::vector<double> sums(kBlocks);
  for (std::size_t i = 0; i < in.size(); ++i) {
    sums[i / kVectorThreads % kBlocks] += in[i];
  }
  Problem problem({kBlocks, 1, 1}, {kVectorThreads, 1, 1});
  return problem.value(kCount).in(in).out(std::vector<float>(sums.begin(), sums.end()), {1e-6});
}

Problem reduce_last_block() {
  const std::vector<int> in = Numbers(4).integers(20 * kVectorThreads, -1000, 1000);
  const std::vector<int> sums = sums_of_blocks(in);
  Problem problem({20, 1, 1}, {kVectorThreads, 1, 1});
  return problem.in(in).out(sums).out(std::vector<int>{std::accumulate(sums.begin(), sums.end(), 0)});
}

Problem scan() {
  const std::vector<int> in = Numbers(5).integers(5 * kVectorThreads, -50, 100);
  std::vector<int> sums(in.size());
  for (std::size_t begin = 0; begin < in.size(); begin += kVectorThreads) {
    std::partial_sum(&in[begin], &in[begin] + kVectorThreads, &sums[begin]);
  }
  Problem problem({5, 1, 1}, {kVectorThreads, 1, 1});
  return problem.in(in).out(sums);
}

Problem histogram() {
  constexpr unsigned kCount = 5'000;
  const std::vector<std::uint32_t> values = Numbers(6).words(kCount);
  std::vector<std::uint32_t> bins(64);
  for (const std::uint32_t value : values) {
    ++bins[value % 64];
  }
  Problem problem({4, 1, 1}, {kVectorThreads, 1, 1});
  return problem.value(kCount).in(values).out(bins);
}

Problem bitonic_sort() {
  const std::vector<int> in = Numbers(7).integers(2 * 512, -100'000, 100'000);
  std::vector<int> sorted = in;
  std::sort(sorted.begin(), sorted.begin() + 512);
  std::sort(sorted.begin() + 512, sorted.end());
  Problem problem({2, 1, 1}, {kVectorThreads, 1, 1});
  return problem.in(in).out(sorted);
}

Problem radix_step() {
  constexpr unsigned kShift = 8;
  const std::vector<std::uint32_t> in = Numbers(8).words(3 * kVectorThreads);
  std::vector<std::uint32_t> sorted = in;
  for (auto begin = sorted.begin(); begin != sorted.end(); begin += kVectorThreads) {
    std::stable_sort(begin, begin + kVectorThreads,
                     [](std::uint32_t a, std::uint32_t b) { return (a >> kShift & 15U) < (b >> kShift & 15U); });
  }
  Problem problem({3, 1, 1}, {kVectorThreads, 1, 1});
  return problem.value(kShift).in(in).out(sorted);
}

Problem string_search() {
  constexpr int kLength = 3'000;
  const std::string pattern = "abba";
  Numbers numbers(9);
  std::string text;
  for (int i = 0; i < kLength; ++i) {
    text += numbers.word() % 2 == 0 ? 'a' : 'b';
  }
  std::vector<int> places;
  for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1)) {
    places.push_back(static_cast<int>(at));
  }
  Problem problem({12, 1, 1}, {kVectorThreads, 1, 1});
  problem.value(kLength).in(std::vector<char>(text.begin(), text.end()));
  problem.value(static_cast<int>(pattern.size())).in(std::vector<char>(pattern.begin(), pattern.end()));
  problem.out(std::vector<std::uint32_t>{static_cast<std::uint32_t>(places.size())});
  problem.in(std::vector<int>(kLength));
  problem.check([places](const Outcome& outcome) -> std::string {
    std::vector<int> found = values_of<int>(outcome.back());
    found.resize(places.size());
    std::ranges::sort(found);
    return found == places ? "" : "the places found are not those of the pattern";
  });
  return problem;
}

}  // namespace

std::vector<KernelCase> vector_cases() {
  return {
      {"saxpy", "saxpy", 75, "exact", saxpy},
      {"reduction", "reduce_interleaved", 75, "exact", reduce_interleaved},
      {"reduction", "reduce_shuffle", 75, "1e-6", reduce_shuffle},
      {"reduction", "reduce_last_block", 75, "exact", reduce_last_block},
      {"scan", "scan_shared", 75, "exact", scan},
      {"scan", "scan_shuffle", 75, "exact", scan},
      {"histogram", "histogram_global", 75, "exact", histogram},
      {"histogram", "histogram_shared", 75, "exact", histogram},
      {"sort", "bitonic_sort", 75, "exact", bitonic_sort},
      {"sort", "radix_step", 75, "exact", radix_step},
      {"string_search", "string_search", 75, "exact", string_search},
  };
}

}  // namespace gpusim::exec
