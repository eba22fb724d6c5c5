// SPDX-License-Identifier: MIT
// Branches, loops, calls, local memory, barriers.
#include <algorithm>
#include <bit>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
std::uint32_t ackermann(std::uint32_t m, std::uint32_t n) {
  if (m == 0) {
    return n + 1;
  }
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

Problem recursion() {
  std::vector<int> numbers;
  std::vector<std::uint32_t> values;
  for (int i = 0; i < 64; ++i) {
    numbers.push_back(fibonacci(i % 11));
    values.push_back(ackermann(static_cast<std::uint32_t>(i % 3), static_cast<std::uint32_t>(i / 3 % 4)));
  }
  Problem problem({2, 1, 1}, {32, 1, 1});
  return problem.out(numbers).out(values);
}

/// One step of the small machine, with sums that wrap.
void step(unsigned code, std::uint32_t& a, std::uint32_t& b) {
  const auto signed_a = static_cast<std::int32_t>(a);
  const auto signed_b = static_cast<std::int32_t>(b);
  const auto as_word = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
  switch (code) {
    case 0: a += b; break;
    case 1: a -= 3 * b; break;
    case 2:
      a *= 5;
      b ^= a;
      break;
    case 3: b = as_word(signed_a >> 3); break;
    case 4:
      a ^= 0x5a5a;
      b += 7;
      break;
    case 5: a = a << 1U | a >> 31U; break;
    case 6: b = as_word(std::min(signed_a, signed_b)); break;
    case 7: a = as_word(std::max(signed_a, static_cast<std::int32_t>(0 - b))); break;
    case 8:
      b = a & 0xffU;
      a = as_word(signed_a >> 2);
      break;
    case 9: b = static_cast<std::uint32_t>(std::popcount(a)); break;
    case 10: a = ~a; break;
    case 11: a += b * b; break;
    default: b = 0 - b; break;
  }
}

Problem switch_table() {
  constexpr int kSteps = 12;
  Numbers numbers(51);
  std::vector<std::uint8_t> codes(128 * kSteps);
  for (auto& code : codes) {
    code = static_cast<std::uint8_t>(numbers.integer(0, 13));
  }
  const std::vector<std::uint32_t> in = numbers.words(128);
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < 128; ++i) {
    std::uint32_t a = in[i];
    std::uint32_t b = i;
    for (std::size_t at = 0; at < kSteps; ++at) {
      step(codes[i * kSteps + at], a, b);
    }
    out.push_back(a ^ b);
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.value(kSteps).in(codes).in(in).out(out);
}

Problem asserts() {
  constexpr int kCount = 100;
  Numbers numbers(52);
  const std::vector<int> indices = numbers.integers(kCount, 0, kCount - 1);
  const std::vector<float> values = numbers.reals(kCount);
  std::vector<float> out;
  for (const int index : indices) {
    out.push_back(values[static_cast<std::size_t>(index)]);
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.value(kCount).in(indices).in(values).out(out);
}

Problem divergent_loop() {
  std::vector<std::uint32_t> in;
  std::vector<std::uint32_t> steps;
  for (std::uint32_t i = 0; i < 128; ++i) {
    in.push_back(i * i + 1);
    std::uint32_t value = in.back();
    std::uint32_t count = 0;
    for (; value != 1 && count < 500; ++count) {
      value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    }
    steps.push_back(count);
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.in(in).out(steps);
}

std::uint32_t nest(std::uint32_t seed) {
  std::uint32_t sum = 0;
  for (std::uint32_t a = 0; a < seed % 7 + 2; ++a) {
    if ((seed >> a) % 3 == 0) {
      for (std::uint32_t b = a; b < 9 && (seed ^ b) % 11 != 3; ++b) {
        if (b * a > 30) {
          return sum * 7;
        }
        sum += b * (seed % 13);
      }
    } else {
      sum ^= seed >> (a & 15U);
      if (sum % 5 == 1) {
        continue;
      }
      sum += a;
    }
    sum = sum * 3 + 1;
  }
  return sum;
}

Problem divergent_nest() {
  const std::vector<std::uint32_t> in = Numbers(53).words(256);
  std::vector<std::uint32_t> out;
  std::ranges::transform(in, std::back_inserter(out), nest);
  Problem problem({2, 1, 1}, {128, 1, 1});
  return problem.in(in).out(out);
}

Problem local_array() {
  constexpr std::size_t kValues = 24;
  const std::vector<int> in = Numbers(54).integers(64 * kValues, -1000, 1000);
  std::vector<int> out = in;
  for (auto begin = out.begin(); begin != out.end(); begin += kValues) {
    std::sort(begin, begin + kValues);
  }
  Problem problem({2, 1, 1}, {32, 1, 1});
  return problem.in(in).out(out);
}

Problem register_spills() {
  const std::vector<std::uint32_t> in = Numbers(55).words(4096);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < 128; ++i) {
    std::uint32_t values[48];
    for (std::size_t j = 0; j < 48; ++j) {
      values[j] = in[(i * 48 + j * 7) % 4096];
    }
    for (std::size_t j = 0; j < 48; ++j) {
      for (std::size_t k = 1; k < 4; ++k) {
        values[(j + k * 11) % 48] = values[(j + k * 11) % 48] * 3 + values[j];
      }
    }
    std::uint32_t sum = 0;
    for (std::uint32_t j = 0; j < 48; ++j) {
      sum ^= values[j] + j;
    }
    out.push_back(sum);
  }
  Problem problem({1, 1, 1}, {128, 1, 1});
  return problem.in(in).out(out);
}

Problem named_barriers() {
  constexpr int kRounds = 6;
  const std::vector<std::uint32_t> in = Numbers(56).words(64 * kRounds);
  std::vector<std::uint32_t> out(64);
  for (std::size_t thread = 0; thread < 64; ++thread) {
    for (std::size_t round = 0; round < kRounds; ++round) {
      out[thread] = out[thread] * 5 + in[round * 64 + 63 - thread] * 2;
    }
    out[thread] += 22;  // threads 0, 3, ... 63
  }
  Problem problem({1, 1, 1}, {128, 1, 1});
  return problem.value(kRounds).in(in).out(out);
}

Problem function_pointers() {
  const std::vector<std::uint32_t> in = Numbers(57).words(128);
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < 128; ++i) {
    std::uint32_t value = in[i];
    for (std::uint32_t turn = 0; turn < 4; ++turn) {
      const std::uint32_t other = turn + i;
      switch (value % 3) {
        case 0: value += other; break;
        case 1: value = value * other - 1; break;
        default: value = (value << 3U) ^ (other >> 1U) ^ (value + other); break;
      }
    }
    out.push_back(value);
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.in(in).out(out);
}

Problem warp_groups() {
  std::vector<std::uint32_t> values = Numbers(58).words(128);
  const std::vector<std::uint32_t> in = values;
  for (std::size_t first = 0; first < values.size(); first += 8) {
    const std::size_t rounds = ((first / 8 % 4) ^ 2U) + first / 64 + 1;
    std::uint32_t* const of = &values[first];
    const auto replace = [&](const auto& next) {
      std::uint32_t after[8];
      for (std::size_t i = 0; i < 8; ++i) {
        after[i] = next(i);
      }
      std::ranges::copy(after, of);
    };
    replace([of](std::size_t i) { return of[i] + of[i ^ 2U]; });
    for (std::size_t round = 0; round < rounds; ++round) {
      replace([of](std::size_t i) { return of[i] * 3 + of[i ^ 5U]; });
      replace([of](std::size_t i) { return of[i] + of[i ^ 3U]; });
      replace([of](std::size_t i) { return of[i] ^ of[i ^ 6U] >> 3U; });
    }
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.in(in).out(values);
}

Problem warp_masks() {
  std::vector<std::uint32_t> masks;
  for (std::size_t i = 0; i < 64; ++i) {
    masks.push_back(0xffU << (i % 32 / 8 * 8));
  }
  const std::vector<std::uint32_t> in = Numbers(60).words(128);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out.push_back(i % 32 < 16 ? in[i] : in[i] + in[i ^ 3U]);
  }
  Problem problem({2, 1, 1}, {64, 1, 1});
  return problem.in(masks).in(in).out(out);
}

}  // namespace

std::vector<KernelCase> control_cases() {
  return {
      {"recursion", "recursion", 75, "exact", recursion},
      {"switch_table", "switch_table", 75, "exact", switch_table},
      {"assert", "asserts", 75, "exact", asserts},
      {"divergence", "divergent_loop", 75, "exact", divergent_loop},
      {"divergence", "divergent_nest", 75, "exact", divergent_nest},
      {"local_array", "local_array", 75, "exact", local_array},
      {"local_array", "register_spills", 75, "exact", register_spills},
      {"named_barrier", "named_barriers", 75, "exact", named_barriers},
      {"warp_groups", "warp_groups", 75, "exact", warp_groups},
      {"warp_groups", "warp_masks", 75, "exact", warp_masks},
      {"function_pointer", "function_pointers", 75, "exact", function_pointers},
  };
}

}  // namespace gpusim::exec
