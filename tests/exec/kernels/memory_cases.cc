// SPDX-License-Identifier: MIT
// Atomics, shared and constant memory, groups, asynchronous copies, clusters.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

using Wide = std::uint64_t;

std::uint32_t swapped_up(std::size_t times, std::uint32_t value) {
  for (; times > 0; --times) {
    value = value * 3 + 1;
  }
  return value;
}

/// atomicExch hands every value on: what the words of each place had first and got is what came out or is left.
std::string exchanged(const Outcome& outcome, const std::vector<int>& in) {
  const std::vector<int> results = values_of<int>(outcome[1]);
  const std::vector<int> old = values_of<int>(outcome[3]);
  for (std::size_t place = 0; place < 16; ++place) {
    std::vector<int> given{0};
    std::vector<int> taken{results[8 + place]};
    for (std::size_t i = place; i < in.size(); i += 16) {
      given.push_back(in[i]);
      taken.push_back(old[i]);
    }
    std::ranges::sort(given);
    std::ranges::sort(taken);
    if (given != taken) {
      return "what atomicExch gave back is not what was there";
    }
  }
  return {};
}

Problem atomics_integer() {
  const std::vector<int> in = Numbers(61).integers(256, 1, 5000);
  std::vector<int> before(24);
  before[2] = 10'000;
  before[3] = -1;
  before[4] = -1;
  std::vector<std::uint32_t> wrapped{0, 0, 10'000, 0};
  std::vector<int> after(before.begin(), before.begin() + 8);
  for (const int value : in) {
    after[0] += value;
    after[1] -= value;
    after[2] = std::min(after[2], value);
    after[3] = std::max(after[3], value);
    after[4] &= value | 0xff;
    after[5] |= 1 << value % 31;
    after[6] ^= value;
  }
  after[7] = static_cast<int>(swapped_up(in.size(), 0));
  const auto count = static_cast<std::uint32_t>(in.size());
  const std::vector<std::uint32_t> after_wrapped{count % 101, (101 - count % 101) % 101,
                                                 static_cast<std::uint32_t>(after[2]),
                                                 static_cast<std::uint32_t>(after[3])};
  Problem problem({4, 1, 1}, {64, 1, 1});
  problem.in(in).in_out(before, after).in_out(wrapped, after_wrapped).in(std::vector<int>(in.size()));
  return problem.check([in](const Outcome& outcome) { return exchanged(outcome, in); });
}

Problem atomics_wide() {
  constexpr std::size_t kThreads = 64;
  const std::vector<int> in = Numbers(62).integers(4 * kThreads, 1, 5000);
  std::vector<Wide> results{0, 0, ~Wide{0}, 0, 0};
  const std::vector<Wide> before = results;
  float sum = 0;
  double wide_sum = 0;
  std::vector<int> of_blocks;
  for (std::size_t first = 0; first < in.size(); first += kThreads) {
    std::array<int, 6> mine{};
    for (std::size_t i = first; i < first + kThreads; ++i) {
      const auto value = static_cast<Wide>(in[i]);
      results[0] += value << 24U;
      results[1] = std::max(results[1], value << 32U);
      results[2] = std::min(results[2], value << 32U);
      results[3] ^= value * 0x100000001U;
      results[4] = results[4] * 3 + 1;
      sum += static_cast<float>(in[i] % 16);
      wide_sum += in[i];
      mine[0] += in[i];
      mine[1] = std::max(mine[1], in[i]);
      mine[2] ^= in[i];
      mine[3] += 2;
      mine[4] += in[i] % 8;
      mine[5] += in[i];
    }
    of_blocks.insert(of_blocks.end(), mine.begin(), mine.end());
  }
  Problem problem({4, 1, 1}, {kThreads, 1, 1});
  problem.in(in).in_out(before, results).out(std::vector<float>{sum}).out(std::vector<double>{wide_sum});
  return problem.out(of_blocks);
}

Problem cooperative_groups_sums() {
  constexpr std::size_t kThreads = 96;
  const std::vector<int> in = Numbers(63).integers(2 * kThreads, 0, 950);
  const std::size_t count = in.size();
  std::vector<int> of_tile(count);
  std::vector<int> of_warp(count);
  std::vector<int> of_odd(count, -1);
  std::vector<int> ranks(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto tile = in.begin() + static_cast<std::ptrdiff_t>(i / 8 * 8);
    const auto warp = in.begin() + static_cast<std::ptrdiff_t>(i / 32 * 32);
    const auto me = in.begin() + static_cast<std::ptrdiff_t>(i);
    const auto is_odd = [](int value) { return value % 2 != 0; };
    of_tile[i] = std::accumulate(tile, tile + 8, 0);
    of_warp[i] = std::accumulate(warp, warp + 32, 0);
    if (is_odd(in[i])) {
      of_odd[i] = static_cast<int>(std::count_if(warp, warp + 32, is_odd) * 100 + std::count_if(warp, me, is_odd));
    }
    const std::size_t rank = i % kThreads;
    const bool large = std::any_of(warp, warp + 32, [](int value) { return value > 900; });
    ranks[i / kThreads * kThreads + kThreads - 1 - rank] = static_cast<int>(rank) + (large ? 1000 : 0);
  }
  Problem problem({2, 1, 1}, {kThreads, 1, 1});
  return problem.in(in).out(of_tile).out(of_warp).out(of_odd).out(ranks);
}

Problem dynamic_shared() {
  constexpr int kCount = 200;
  const std::vector<int> in = Numbers(64).integers(2 * kCount, -100'000, 100'000);
  std::vector<int> out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const int* part = &in[i / kCount * kCount];
    const std::size_t at = i % kCount;
    const std::size_t other = kCount - 1 - at;
    const auto word = static_cast<std::uint32_t>(part[at / 2]);
    const auto half = static_cast<std::int16_t>(at % 2 == 0 ? word : word >> 16U);
    out.push_back(part[other] + static_cast<std::uint8_t>(part[other] >> 8) + half + part[other / 2 * 2 + 1]);
  }
  Problem problem({2, 1, 1}, {64, 1, 1}, kCount * 5);
  return problem.value(kCount).in(in).out(out);
}

Problem async_copy() {
  constexpr std::size_t kStages = 5;
  constexpr std::size_t kThreads = 128;
  const std::vector<std::uint32_t> in = Numbers(65).words(2 * kStages * kThreads * 4);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < 2 * kThreads; ++i) {
    const std::uint32_t* part = &in[i / kThreads * kStages * kThreads * 4];
    const std::size_t thread = i % kThreads;
    std::uint32_t sum = 0;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
      const std::uint32_t* four = part + (stage * kThreads + kThreads - 1 - thread) * 4;
      sum = sum * 3 + (four[0] ^ four[1]) + (four[2] ^ four[3]);
    }
    out.push_back(sum + (thread % 3 == 0 ? 0 : part[thread]));
  }
  Problem problem({2, 1, 1}, {kThreads, 1, 1});
  return problem.value(int{kStages}).in(in).out(out);
}

/// So many bytes from an offset on as words, with zeros behind them.
void append_filled(const std::vector<std::uint32_t>& in, std::size_t offset, std::size_t bytes, std::size_t words,
                   std::vector<std::uint32_t>& out) {
  std::vector<std::uint32_t> filled(words);
  if (bytes != 0) {
    std::memcpy(filled.data(), reinterpret_cast<const char*>(in.data()) + offset, bytes);
  }
  out.insert(out.end(), filled.begin(), filled.end());
}

Problem async_copy_sizes() {
  constexpr std::size_t kThreads = 128;
  // The last thread copies 8 of 16 bytes, and nothing is behind them.
  const std::vector<std::uint32_t> in = Numbers(70).words(kThreads * 4 - 2);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < kThreads; ++i) {
    append_filled(in, i * 16, i % 17, 4, out);
    append_filled(in, i * 8, i % 9, 2, out);
    append_filled(in, i * 4, i % 5, 1, out);
    append_filled(in, i * 4, i % 5, 1, out);
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.in(in).out(out);
}

Problem bulk_copy() {
  constexpr std::size_t kStages = 5;
  constexpr std::size_t kCount = 1024;
  const std::vector<std::uint32_t> in = Numbers(66).words(2 * kStages * kCount);
  std::vector<std::uint32_t> out(2 * kCount);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint32_t* part = &in[i / kCount * kStages * kCount];
    for (std::size_t stage = 0; stage < kStages; ++stage) {
      out[i] = out[i] * 3 + part[stage * kCount + kCount - 1 - i % kCount];
    }
  }
  Problem problem({2, 1, 1}, {128, 1, 1});
  return problem.value(int{kStages}).in(in).out(out);
}

Problem tensor_copy() {
  constexpr std::uint32_t kRows = 50;
  constexpr std::uint32_t kColumns = 72;
  constexpr std::uint32_t kPitch = 52;  // rows of 16 bytes; the last two columns stay as they are
  const std::vector<float> in = Numbers(67).reals(kRows * kColumns);
  std::vector<float> out(kColumns * kPitch);
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i % kColumns * kPitch + i / kColumns] = 2 * in[i];
  }
  TensorArgument map{.rows = kRows, .columns = kColumns, .tile_rows = 32, .tile_columns = 32};
  Problem problem({3, 2, 1}, {128, 1, 1});
  problem.in(in).as_tensor(map);
  map.rows = kColumns;
  map.columns = kPitch;
  return problem.out(out).as_tensor(map);
}

Problem cluster_histogram() {
  constexpr int kCount = 2'000;
  const std::vector<std::uint32_t> values = Numbers(68).words(kCount);
  std::vector<std::uint32_t> bins(64);
  for (const std::uint32_t value : values) {
    ++bins[value % 64];
  }
  Problem problem({8, 1, 1}, {64, 1, 1});
  return problem.value(kCount).in(values).out(bins);
}

Problem cluster_gather() {
  constexpr std::size_t kThreads = 64;
  constexpr std::size_t kCtas = 8;
  const std::vector<std::uint32_t> in = Numbers(72).words(2 * kCtas * kThreads);
  std::vector<std::uint32_t> sums;
  for (std::size_t i = 0; i < kCtas * kThreads; ++i) {
    const std::size_t thread = i % kThreads;
    std::uint32_t sum = 0;
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const std::size_t first = i / kThreads / 4 * 4;
      const std::size_t other = 2 * ((first + rank) * kThreads + kThreads - 1 - thread);
      const std::size_t of_byte = 2 * ((first + (rank + thread) % 4) * kThreads + thread);
      const auto byte = static_cast<std::int8_t>(in[of_byte] & 0xffU);
      sum = sum * 3 + in[other] + (in[other + 1] ^ static_cast<std::uint32_t>(std::int32_t{byte}));
    }
    sums.push_back(sum);
  }
  Problem problem({kCtas, 1, 1}, {kThreads, 1, 1});
  return problem.in(in).out(sums);
}

Problem cluster_signals() {
  constexpr std::size_t kThreads = 64;
  constexpr int kRounds = 3;
  const std::vector<std::uint32_t> in = Numbers(74).words(2 * 4 * kThreads);
  struct Thread {
    std::uint32_t x, y, sum;
  };
  std::vector<Thread> threads;
  for (std::size_t i = 0; i < in.size() / 2; ++i) {
    threads.push_back({in[2 * i], in[2 * i + 1], static_cast<std::uint32_t>(i % kThreads)});
  }
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<Thread> before = threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const Thread& other = before[i ^ kThreads];
      Thread& own = threads[i];
      own.sum = std::max(own.sum, other.x);
      own.x = other.y + 1;
      own.y = other.x ^ own.sum;
    }
  }
  std::vector<std::uint32_t> out;
  for (const Thread& thread : threads) {
    out.push_back(thread.x * 3 + thread.y);
  }
  Problem problem({4, 1, 1}, {kThreads, 1, 1});
  return problem.value(kRounds).in(in).out(out);
}

Problem cluster_tickets() {
  constexpr std::uint32_t kTickets = 256;
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < 8 * kTickets; ++i) {
    out.push_back(i % kTickets);
  }
  Problem problem({8, 1, 1}, {64, 1, 1});
  return problem.out(out);
}

Problem generic_sum() {
  constexpr std::size_t kThreads = 128;
  constexpr std::size_t kCtas = 6;
  const std::vector<std::uint32_t> in = Numbers(73).words(kCtas * kThreads);
  std::vector<std::uint32_t> sums;
  for (std::size_t i = 0; i < kCtas * kThreads; ++i) {
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < 40 + i % 2; ++k) {
      sum = sum * 5 + in[i / kThreads * kThreads + k * 33 % kThreads];
    }
    sums.push_back(sum);
  }
  Problem problem({kCtas, 1, 1}, {kThreads, 1, 1});
  return problem.in(in).out(sums);
}

Problem cluster_ring() {
  constexpr std::size_t kRounds = 5;
  constexpr std::size_t kThreads = 64;
  std::vector<std::uint32_t> values = Numbers(69).words(4 * kThreads);
  const std::vector<std::uint32_t> in = values;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::vector<std::uint32_t> sent = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t rank = i / kThreads;
      const std::size_t from = (rank + 3) % 4;
      values[i] = sent[from * kThreads + kThreads - 1 - i % kThreads] * 3 + static_cast<std::uint32_t>(rank);
    }
  }
  Problem problem({4, 1, 1}, {kThreads, 1, 1});
  return problem.value(int{kRounds}).in(in).out(values);
}

/// Lanes of one instruction in several CTAs. All tickets are drawn: each bit of a word once.
Problem cluster_mixed() {
  constexpr std::size_t kThreads = 64;
  constexpr std::size_t kCtas = 8;
  const std::vector<std::uint32_t> in = Numbers(75).words(kCtas * kThreads);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t thread = i % kThreads;
    const std::size_t first = i / kThreads / 4 * 4;
    const std::size_t from = (thread * 5 + 1) % 4;
    // A word of rank `from` is from the CTA whose rank and the thread's number make `from`.
    const auto word = [&](std::size_t at) { return in[(first + (from + 8 - at % 4) % 4) * kThreads + at]; };
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at < kThreads; ++at) {
      if (at * 3 % 4 == (from + 1) % 4 && at / 4 % 8 == thread % 8) {
        for (std::size_t rank = 0; rank < 4; ++rank) {
          sum += in[(first + rank) * kThreads + at];
        }
      }
    }
    out.push_back(word(thread / 2 * 2) * 7 + word(thread / 2 * 2 + 1) * 3 + sum + 0xffffffffU);
  }
  Problem problem({kCtas, 1, 1}, {kThreads, 1, 1});
  return problem.in(in).out(out);
}

constexpr std::size_t kCopiedWords = 320;

Problem cluster_blocks() {
  constexpr std::size_t kRounds = 5;
  std::vector<std::uint32_t> values = Numbers(76).words(8 * kCopiedWords);
  const std::vector<std::uint32_t> in = values;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::vector<std::uint32_t> sent = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t cta = i / kCopiedWords;
      const std::size_t from = cta / 4 * 4 + (cta + 3) % 4;
      values[i] =
          sent[from * kCopiedWords + (i % kCopiedWords + 1) % kCopiedWords] * 3 + static_cast<std::uint32_t>(cta % 4);
    }
  }
  Problem problem({8, 1, 1}, {64, 1, 1});
  return problem.value(int{kRounds}).in(in).out(values);
}

Problem cluster_reduction() {
  constexpr std::size_t kClusters = 2;
  const std::vector<std::uint32_t> in = Numbers(77).words(4 * kClusters * kCopiedWords);
  std::vector<std::uint32_t> sums(kClusters * kCopiedWords, 1000);
  std::vector<std::int32_t> largest(sums.size(), -1000000000);
  std::vector<std::uint32_t> bits(sums.size(), 0xffffffffU);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t at = i / kCopiedWords / 4 * kCopiedWords + i % kCopiedWords;
    sums[at] += in[i];
    largest[at] = std::max(largest[at], static_cast<std::int32_t>(in[i]));
    bits[at] &= in[i];
  }
  Problem problem({4 * kClusters, 1, 1}, {64, 1, 1});
  return problem.in(in).out(sums).out(largest).out(bits);
}

Problem cluster_multicast() {
  constexpr std::size_t kTiles = 7;
  constexpr std::size_t kThreads = 128;
  constexpr std::uint32_t kSide = 32;
  constexpr std::size_t kClusters = 3;
  const std::vector<std::uint32_t> matrix = Numbers(71).words(kTiles * kSide * kClusters * kSide);
  std::vector<std::uint32_t> sums;
  for (std::size_t i = 0; i < 2 * kClusters * kThreads; ++i) {
    const std::size_t cta = i / kThreads;
    auto sum = static_cast<std::uint32_t>(cta % 2);
    for (std::size_t tile = 0; tile < kTiles; ++tile) {
      const std::size_t place = i % kThreads * 13 + tile * 7 + cta % 2;
      const std::size_t row = tile * kSide + place / kSide % kSide;
      sum = sum * 3 + matrix[row * kClusters * kSide + cta / 2 * kSide + place % kSide];
    }
    sums.push_back(sum);
  }
  const TensorArgument map{.rows = kTiles * kSide, .columns = kClusters * kSide, .tile_rows = 16, .tile_columns = 32};
  Problem problem({2 * kClusters, 1, 1}, {kThreads, 1, 1});
  return problem.value(int{kTiles}).in(matrix).as_tensor(map).out(sums);
}

Problem constant_memory() {
  constexpr float kCoefficients[] = {0.5F, -1.25F, 2, 0.125F, -0.0625F, 3, -2.5F, 1};
  constexpr int kTable[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                            2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
  const std::vector<float> in = Numbers(70).reals(128);
  std::array<int, 20> shift{};
  std::iota(shift.begin(), shift.end(), -7);
  std::vector<float> values;
  std::vector<int> places;
  for (std::size_t i = 0; i < in.size(); ++i) {
    float value = 0;
    for (const float coefficient : kCoefficients) {
      value = std::fma(value, in[i], coefficient);
    }
    values.push_back(value);
    places.push_back(kTable[i * 7 % 32] + shift[i % 20]);
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.in(in).value(shift).out(values).out(places);
}

}  // namespace

std::vector<KernelCase> memory_cases() {
  return {
      {"atomics", "atomics_integer", 75, "exact", atomics_integer},
      {"atomics", "atomics_wide", 75, "exact", atomics_wide},
      {"cooperative", "cooperative_groups_sums", 75, "exact", cooperative_groups_sums},
      {"constant_memory", "constant_memory", 75, "exact", constant_memory},
      {"dynamic_shared", "dynamic_shared", 75, "exact", dynamic_shared},
      {"generic", "generic_sum", 75, "exact", generic_sum},
      {"async_copy", "async_copy", 80, "exact", async_copy},
      {"async_copy", "async_copy_sizes", 80, "exact", async_copy_sizes},
      {"bulk_copy", "bulk_copy", 90, "exact", bulk_copy},
      {"tensor_copy", "tensor_copy", 90, "exact", tensor_copy},
      {"cluster_copy", "cluster_blocks", 90, "exact", cluster_blocks},
      {"cluster_copy", "cluster_reduction", 90, "exact", cluster_reduction},
      {"cluster", "cluster_gather", 90, "exact", cluster_gather},
      {"cluster", "cluster_histogram", 90, "exact", cluster_histogram},
      {"cluster", "cluster_mixed", 90, "exact", cluster_mixed},
      {"cluster", "cluster_multicast", 90, "exact", cluster_multicast},
      {"cluster", "cluster_ring", 90, "exact", cluster_ring},
      {"cluster", "cluster_signals", 90, "exact", cluster_signals},
      {"cluster", "cluster_tickets", 90, "exact", cluster_tickets},
  };
}

std::vector<KernelCase> kernel_cases() {
  std::vector<KernelCase> all;
  for (const auto& some : {vector_cases(), dense_cases(), matrix_cases(), sparse_cases(), arithmetic_cases(),
                           control_cases(), memory_cases(), place_cases()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace gpusim::exec
