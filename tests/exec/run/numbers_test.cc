// SPDX-License-Identifier: MIT
// The kernels of numbers.cu on two generations, against the same calculation on the host.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "sim/exec/memory/half.h"

#include "tests/exec/run/kernel_run.h"

namespace gpusim::exec::numbers_test {
namespace {

constexpr std::size_t kLanes = 32;

std::string cubin() {
  return GENERATE(as<std::string>{}, "numbers_sm80.cubin", "numbers_sm90.cubin");
}

std::vector<std::uint32_t> words(std::size_t count, std::uint32_t seed) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = seed ^ seed >> 15U;
  }
  return values;
}

template <class T>
T in_mode(int mode, T (*calculate)(T, T, T), T a, T b, T c) {
  volatile T x = a;
  volatile T y = b;
  volatile T z = c;
  std::fesetround(mode);
  volatile T result = calculate(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

/// What the kernel `integers` calculates.
std::vector<std::uint32_t> integer_results(std::uint32_t a, std::uint32_t b) {
  const auto sa = static_cast<std::int32_t>(a);
  const auto sb = static_cast<std::int32_t>(b);
  const std::uint64_t wide = std::uint64_t{a} << 21U | b;
  const auto u = [](auto value) { return static_cast<std::uint32_t>(value); };
  const std::uint64_t pair = std::uint64_t{b} << 32U | a;
  const auto byte = [&](unsigned index) { return u(pair >> (8 * index)) & 0xffU; };
  std::int32_t dot = 17;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    dot += static_cast<std::int8_t>(a >> shift) * static_cast<std::int8_t>(b >> shift);
  }
  std::uint32_t reversed = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    reversed |= (a >> bit & 1U) << (31 - bit);
  }
  return {a / b,
          u(sa % sb),
          u(std::uint64_t{a} * b >> 32U),
          u(std::int64_t{sa} * sb >> 32),
          u(wide * 0x123456789abcdULL >> 37U),
          u(static_cast<std::int64_t>(wide) >> (b & 63U)),
          u(pair >> (a & 31U)),
          byte(1) | byte(4) << 8U | byte(2) << 16U | byte(6) << 24U,
          u(std::min(sa, sb)) ^ std::max(a, b),
          u(std::countl_zero(a) + std::countr_zero(b) + 1 + std::popcount(a)),
          u(wide % 1000003ULL),
          u(dot),
          (a & b) | ((~a & (a >> 5U)) ^ b),
          reversed + u(std::abs(static_cast<std::int64_t>(sb))),
          wide > std::uint64_t{b} << 20U ? 1U : 0U,
          u(static_cast<std::int16_t>(a)) + u(static_cast<std::int8_t>(b))};
}

TEST_CASE("integer arithmetic of 32 and 64 bits is exact") {
  KernelRun kernel(cubin());
  const std::vector<std::uint32_t> in = words(2 * kLanes, 11);
  const Address out = kernel.buffer("out", std::vector<std::uint32_t>(16 * kLanes));
  kernel.run("integers", {1}, {kLanes}, kernel.buffer("in", in), out);
  const auto results = kernel.content<std::uint32_t>(out, 16 * kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::vector<std::uint32_t> expected = integer_results(in[lane], in[lane + kLanes] | 1U);
    const auto first = results.begin() + static_cast<std::ptrdiff_t>(16 * lane);
    CAPTURE(lane, in[lane], in[lane + kLanes] | 1U);
    CHECK(std::vector<std::uint32_t>(first, first + 16) == expected);
  }
}

TEST_CASE("FP32 arithmetic is rounded as it says, bit for bit") {
  KernelRun kernel(cubin());
  std::vector<float> in = floats(2 * kLanes, 12);
  in[3] = 1e-40F;
  in[4] = 1e38F;
  in[kLanes + 4] = 1e-3F;
  in[5] = 0.0F;
  in[6] = 3.0e-38F;
  in[kLanes + 6] = 7.0F;
  const Address out = kernel.buffer("out", std::vector<float>(12 * kLanes));
  kernel.run("singles", {1}, {kLanes}, kernel.buffer("in", in), out);
  const auto results = kernel.content<float>(out, 12 * kLanes);
  const auto sum = [](float x, float y, float) { return x + y; };
  const auto product = [](float x, float y, float) { return x * y; };
  const auto both = [](float x, float y, float z) { return std::fma(x, y, z); };
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const float a = in[lane];
    const float b = in[lane + kLanes];
    const auto bits = std::bit_cast<std::uint32_t>(a);
    std::fesetround(FE_UPWARD);
    volatile std::uint32_t hidden = bits;
    volatile auto up = static_cast<float>(hidden);
    std::fesetround(FE_TONEAREST);
    const std::vector<float> expected = {
        a / b,
        std::sqrt(std::fabs(a)),
        in_mode<float>(FE_DOWNWARD, sum, a, b, 0),
        in_mode<float>(FE_UPWARD, product, a, b, 0),
        in_mode<float>(FE_TOWARDZERO, both, a, b, a),
        std::fmin(a, b),
        std::clamp(a, 0.0F, 1.0F),
        lane == 4 ? 2147483648.0F : static_cast<float>(static_cast<int>(a * 1000.0F)),
        std::floor(a) + std::nearbyint(b),
        up,
        1.0F / b,
        lane == 4 ? 9223372036854775808.0F : static_cast<float>(static_cast<long long>(a * 1e12F))};
    const auto first = results.begin() + static_cast<std::ptrdiff_t>(12 * lane);
    CAPTURE(lane, a, b);
    CHECK(std::vector<float>(first, first + 12) == expected);
  }
}

TEST_CASE("elementary functions are within the errors that CUDA states") {
  KernelRun kernel(cubin());
  const std::vector<float> in = floats(kLanes, 13);
  const Address out = kernel.buffer("out", std::vector<float>(8 * kLanes));
  kernel.run("functions", {1}, {kLanes}, kernel.buffer("in", in), out);
  const auto results = kernel.content<float>(out, 8 * kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double a = in[lane];
    const double expected[] = {std::exp(a),  std::log(std::fabs(a)),      std::sin(a), std::cos(a),
                               std::tanh(a), 1 / std::sqrt(std::fabs(a)), std::sin(a), std::pow(std::fabs(a), 1.25)};
    for (std::size_t i = 0; i < 8; ++i) {
      CAPTURE(lane, i, a);
      const double relative = i == 6 ? 0 : 1e-6;
      const double absolute = i == 6 ? 2e-6 : 1e-7;
      CHECK(std::fabs(double{results[8 * lane + i]} - expected[i]) <= std::fabs(expected[i]) * relative + absolute);
    }
  }
}

TEST_CASE("FP64 arithmetic is exact, division and root included") {
  KernelRun kernel(cubin());
  std::vector<double> in(2 * kLanes);
  const std::vector<float> seeds = floats(2 * kLanes, 14);
  std::transform(seeds.begin(), seeds.end(), in.begin(), [](float value) { return value * 1.000000001; });
  in[2] = 0;
  in[3] = -0.0;
  in[kLanes + 3] = 0.0;
  const Address out = kernel.buffer("out", std::vector<double>(8 * kLanes));
  kernel.run("doubles", {1}, {kLanes}, kernel.buffer("in", in), out);
  const auto results = kernel.content<double>(out, 8 * kLanes);
  const auto sum = [](double x, double y, double) { return x + y; };
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double a = in[lane];
    const double b = in[lane + kLanes];
    const double quotient = a / b;
    const std::vector<double> expected = {quotient,
                                          std::sqrt(std::fabs(a)),
                                          std::fma(a, b, 1.0),
                                          std::signbit(a) && a == b ? a : std::fmin(a, b),
                                          static_cast<double>(static_cast<int>(a * 100)),
                                          in_mode<double>(FE_DOWNWARD, sum, a, b, 0),
                                          static_cast<double>(static_cast<float>(a)) + std::floor(b)};
    CAPTURE(lane, a, b);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i);
      const double result = results[8 * lane + i];
      CHECK((std::isnan(expected[i])
                 ? std::isnan(result)
                 : std::bit_cast<std::uint64_t>(result) == std::bit_cast<std::uint64_t>(expected[i])));
    }
    const double power = std::exp(std::min(a, b));
    CHECK(std::fabs(results[8 * lane + 7] - power) <= power * 1e-15);
  }
}

/// a * b + c in FP64 has room for all bits of these values.
std::uint16_t rounded_fp16(double value) {
  return Fp16::narrow(static_cast<float>(value));
}

TEST_CASE("FP16 arithmetic rounds each half once") {
  KernelRun kernel(cubin());
  std::vector<std::uint16_t> in(4 * kLanes);
  const std::vector<float> seeds = floats(4 * kLanes, 15);
  std::transform(seeds.begin(), seeds.end(), in.begin(), [](float value) { return Fp16::narrow(value); });
  const Address out = kernel.buffer("out", std::vector<std::uint16_t>(12 * kLanes));
  const Address wide = kernel.buffer("wide", std::vector<float>(kLanes));
  kernel.run("halves", {1}, {kLanes}, kernel.buffer("in", in), out, wide);
  const auto results = kernel.content<std::uint16_t>(out, 12 * kLanes);
  const auto sums = kernel.content<float>(wide, kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t part = 0; part < 2; ++part) {
      const double a = Fp16::widen(in[2 * lane + part]);
      const double b = Fp16::widen(in[2 * (lane + kLanes) + part]);
      const float fa = static_cast<float>(a);
      const float fb = static_cast<float>(b);
      const std::uint16_t expected[] = {rounded_fp16(a + b),         rounded_fp16(a * b),
                                        rounded_fp16(a * b + a),     rounded_fp16(std::max(a, b)),
                                        rounded_fp16(a > b ? 1 : 0), Fp16::narrow(part == 0 ? fa * 3.0F : fb / 3.0F)};
      for (std::size_t i = 0; i < 6; ++i) {
        CAPTURE(lane, part, i, a, b);
        CHECK(results[12 * lane + 2 * i + part] == expected[i]);
      }
    }
    CHECK(sums[lane] == Fp16::widen(in[2 * lane]) + Fp16::widen(in[2 * (lane + kLanes) + 1]));
  }
}

TEST_CASE("BF16 products with a sum round once") {
  KernelRun kernel(cubin());
  std::vector<std::uint16_t> in(4 * kLanes);
  const std::vector<float> seeds = floats(4 * kLanes, 16);
  std::transform(seeds.begin(), seeds.end(), in.begin(), [](float value) { return Bf16::narrow(value); });
  const Address out = kernel.buffer("out", std::vector<std::uint16_t>(4 * kLanes));
  kernel.run("bfloats", {1}, {kLanes}, kernel.buffer("in", in), out);
  const auto results = kernel.content<std::uint16_t>(out, 4 * kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t part = 0; part < 2; ++part) {
      const float a = Bf16::widen(in[2 * lane + part]);
      const float b = Bf16::widen(in[2 * (lane + kLanes) + part]);
      CAPTURE(lane, part, a, b);
      CHECK(results[4 * lane + part] == Bf16::narrow(static_cast<float>(double{a} * b + a)));
      CHECK(results[4 * lane + 2 + part] == Bf16::narrow(part == 0 ? a * 3.0F : b + 1.0F));
    }
  }
}

TEST_CASE("votes, matches, reductions and shuffles see all lanes of the warp") {
  KernelRun kernel(cubin());
  std::vector<int> in(kLanes);
  std::iota(in.begin(), in.end(), -5);
  const Address out = kernel.buffer("out", std::vector<std::uint32_t>(8 * kLanes));
  kernel.run("exchange", {1}, {kLanes}, kernel.buffer("in", in), out);
  const auto results = kernel.content<std::uint32_t>(out, 8 * kLanes);
  std::uint32_t above = 0;
  std::uint32_t same[4] = {};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    above |= std::uint32_t{in[lane] > 3} << lane;
    same[in[lane] & 3] |= std::uint32_t{1} << lane;
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto value = [&](std::size_t of) { return static_cast<std::uint32_t>(in[of]); };
    const std::vector<std::uint32_t> expected = {above,
                                                 3,
                                                 same[in[lane] & 3],
                                                 static_cast<std::uint32_t>(std::accumulate(in.begin(), in.end(), 0)),
                                                 value(lane < 3 ? lane : lane - 3),
                                                 value(lane % 8 + 5 > 7 ? lane : lane + 5),
                                                 value(lane / 2),
                                                 lane % 3 == 0 ? value(lane) + 11 : 0};
    const auto first = results.begin() + static_cast<std::ptrdiff_t>(8 * lane);
    CAPTURE(lane);
    CHECK(std::vector<std::uint32_t>(first, first + 8) == expected);
  }
}

TEST_CASE("barriers that reduce give every thread the result") {
  KernelRun kernel(cubin());
  std::vector<int> in(96);
  std::iota(in.begin(), in.end(), 0);
  const Address out = kernel.buffer("out", std::vector<int>(3 * 96));
  kernel.run("votes_of_cta", {1}, {96}, kernel.buffer("in", in), out);
  const auto results = kernel.content<int>(out, 3 * 96);
  for (std::size_t i = 0; i < 96; ++i) {
    CHECK(results[3 * i] == 92);
    CHECK(results[3 * i + 1] != 0);
    CHECK(results[3 * i + 2] == 0);
  }
}

TEST_CASE("atomics on shared and global memory count everything once") {
  KernelRun kernel(cubin());
  const std::vector<std::uint32_t> in = words(1000, 17);
  const Address bins = kernel.buffer("bins", std::vector<std::uint32_t>(16));
  const Address sum = kernel.buffer("sum", std::vector<float>(1));
  const Address most = kernel.buffer("most", std::vector<std::uint64_t>(1));
  const Address total = kernel.buffer("total", std::vector<double>(1));
  const Address ticket = kernel.buffer("ticket", std::vector<std::uint32_t>(2));
  kernel.run("histogram", {3}, {64}, kernel.buffer("in", in), 1000, bins, sum, most, total, ticket);
  std::vector<std::uint32_t> expected(16);
  float added = 0;
  for (const std::uint32_t value : in) {
    ++expected[value & 15U];
    added += static_cast<float>(value & 7U);
  }
  CHECK(kernel.content<std::uint32_t>(bins, 16) == expected);
  CHECK(kernel.content<float>(sum, 1)[0] == added);
  CHECK(kernel.content<std::uint64_t>(most, 1)[0] == std::uint64_t{*std::ranges::max_element(in)} << 8U);
  CHECK(kernel.content<double>(total, 1)[0] == 500.0);
  CHECK(kernel.content<std::uint32_t>(ticket, 2) == std::vector<std::uint32_t>{3, 3});
}

TEST_CASE("asynchronous copies land in shared memory, and LDSM transposes matrices of them") {
  KernelRun kernel(cubin());
  std::vector<std::uint16_t> in(256);
  std::iota(in.begin(), in.end(), std::uint16_t{0});
  const Address out = kernel.buffer("out", std::vector<std::uint32_t>(4 * kLanes));
  kernel.run("copies", {1}, {kLanes}, kernel.buffer("in", in), out);
  const auto results = kernel.content<std::uint32_t>(out, 4 * kLanes);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint32_t matrix = 0; matrix < 4; ++matrix) {
      const std::uint32_t low = 64 * matrix + 8 * (lane % 4 * 2) + lane / 4;
      CHECK(results[4 * lane + matrix] == (low | (low + 8) << 16U));
    }
  }
}

TEST_CASE("predicated copies, swaps of 64 bits, generic atomics and I2FP.RZ do what they say") {
  KernelRun kernel(cubin());
  const std::vector<std::uint32_t> in = words(kLanes, 19);
  const Address global = kernel.buffer("global", std::vector<std::uint32_t>(16));
  const Address out = kernel.buffer("out", std::vector<std::uint64_t>(4 * kLanes));
  kernel.run("corners", {1}, {kLanes}, kernel.buffer("in", in), global, out);
  const auto results = kernel.content<std::uint64_t>(out, 4 * kLanes);
  const auto added = kernel.content<std::uint32_t>(global, 16);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t copied = lane % 3 == 0 ? 0 : in[lane];
    const std::uint32_t sum = copied + (lane < 16 ? 2 * lane + 1 : 0);
    CAPTURE(lane);
    CHECK(results[lane] == copied);
    CHECK(results[kLanes + lane] == sum * std::uint64_t{4} + (lane % 2 == 0 ? 1 : 0));
    CHECK(results[2 * kLanes + lane] == 0xffffffffU);
    const auto value = static_cast<std::int32_t>(in[lane] | 0x40000000U);
    std::fesetround(FE_TOWARDZERO);
    volatile std::int32_t hidden = value;
    volatile auto rounded = static_cast<float>(hidden);
    std::fesetround(FE_TONEAREST);
    CHECK(results[3 * kLanes + lane] == std::bit_cast<std::uint32_t>(static_cast<float>(rounded)));
    if (lane < 16) {
      CHECK(added[lane] == 2 * lane + 2);
    }
  }
}

TEST_CASE("a module's variables and constants have the values it was compiled with") {
  KernelRun kernel(cubin());
  const Address out = kernel.buffer("out", std::vector<std::uint32_t>(4));
  kernel.run("variables", {1}, {4}, out);
  CHECK(kernel.content<std::uint32_t>(out, 4) == std::vector<std::uint32_t>{15, 30, 49, 16});
}

TEST_CASE("lanes of one warp that spin for a lock all get it") {
  KernelRun kernel(cubin());
  kernel.limits().warp_instructions = 1'000'000;
  const Address lock = kernel.buffer("lock", std::vector<int>(1));
  const Address count = kernel.buffer("count", std::vector<int>(1));
  kernel.run("locks", {2}, {64}, lock, count);
  CHECK(kernel.content<int>(count, 1)[0] == 128);
}

}  // namespace
}  // namespace gpusim::exec::numbers_test
