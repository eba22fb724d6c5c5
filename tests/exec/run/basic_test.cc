// SPDX-License-Identifier: MIT
// The kernels of basic.cu on two generations, against the same calculation on the host.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/exec/run/kernel_run.h"

namespace gpusim::exec::basic_test {
namespace {

std::string cubin() {
  return GENERATE(as<std::string>{}, "basic_sm80.cubin", "basic_sm90.cubin");
}

std::vector<int> counted(int count, int from) {
  std::vector<int> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = from + i;
  }
  return values;
}

TEST_CASE("saxpy gives what the host calculates, bit for bit, and leaves the rest alone") {
  KernelRun kernel(cubin());
  const int n = 1000;
  const std::vector<float> x = floats(1024, 1);
  std::vector<float> y = floats(1024, 2);
  const Address at_x = kernel.buffer("x", x);
  const Address at_y = kernel.buffer("y", y);
  const RunCounts counts = kernel.run("saxpy", {8}, {128}, n, 1.5F, at_x, at_y);
  for (std::size_t i = 0; i < 1000; ++i) {
    y[i] = std::fma(1.5F, x[i], y[i]);
  }
  CHECK(kernel.content<float>(at_y, 1024) == y);
  CHECK(counts.thread_instructions > 1000);
}

TEST_CASE("a tiled matrix product gives what the host calculates, bit for bit") {
  KernelRun kernel(cubin());
  constexpr std::size_t kN = 48;
  const std::vector<float> a = floats(kN * kN, 3);
  const std::vector<float> b = floats(kN * kN, 4);
  std::vector<float> c(kN * kN);
  const Address at_c = kernel.buffer("c", c);
  kernel.run("sgemm", {3, 3}, {16, 16}, static_cast<int>(kN), kernel.buffer("a", a), kernel.buffer("b", b), at_c);
  for (std::size_t i = 0; i < kN * kN; ++i) {
    for (std::size_t k = 0; k < kN; ++k) {
      c[i] = std::fma(a[i / kN * kN + k], b[k * kN + i % kN], c[i]);
    }
  }
  CHECK(kernel.content<float>(at_c, kN * kN) == c);
}

TEST_CASE("lanes part in loops and in a function that calls itself, and meet again") {
  KernelRun kernel(cubin());
  const std::vector<int> from = counted(128, 1);
  const Address steps = kernel.buffer("steps", std::vector<int>(128));
  const Address factorials = kernel.buffer("factorials", std::vector<int>(128));
  kernel.run("collatz", {2}, {64}, kernel.buffer("from", from), steps, factorials);
  std::vector<int> expected;
  std::vector<int> products;
  for (const int start : from) {
    int count = 0;
    for (int value = start; value != 1; ++count) {
      value = value % 2 == 1 ? 3 * value + 1 : value / 2;
    }
    expected.push_back(count);
    constexpr int kFactorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    products.push_back(kFactorials[(start - 1) % 8]);
  }
  CHECK(kernel.content<int>(steps, 128) == expected);
  CHECK(kernel.content<int>(factorials, 128) == products);
}

TEST_CASE("a generic load finds shared, local and global memory, lane by lane") {
  KernelRun kernel(cubin());
  const std::vector<int> in = counted(64, 1000);
  const Address out = kernel.buffer("out", std::vector<int>(64));
  kernel.run("generic", {1}, {64}, kernel.buffer("in", in), out, 1);
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) {
    const int at = (i + 1) & 7;
    const int value = 1000 + at;
    expected.push_back((i + 1) % 3 == 0 ? value + 7 : (i + 1) % 3 == 1 ? value + 100 * at : value);
  }
  CHECK(kernel.content<int>(out, 64) == expected);
}

TEST_CASE("a butterfly of shuffles adds a warp in the order of the hardware") {
  KernelRun kernel(cubin());
  const std::vector<float> in = floats(64, 5);
  const Address out = kernel.buffer("out", std::vector<float>(2));
  kernel.run("warp_sum", {2}, {32}, kernel.buffer("in", in), out);
  std::vector<float> values = in;
  for (std::size_t offset = 16; offset > 0; offset /= 2) {
    const std::vector<float> before = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = before[i] + before[i ^ offset];
    }
  }
  CHECK(kernel.content<float>(out, 2) == std::vector<float>{values[0], values[32]});
}

TEST_CASE("each lane of a warp takes its own case of a switch") {
  KernelRun kernel(cubin());
  std::vector<int> kinds(32);
  for (std::size_t i = 0; i < 32; ++i) {
    kinds[i] = static_cast<int>(i * 5 % 9);
  }
  const Address out = kernel.buffer("out", std::vector<int>(32));
  kernel.run("switches", {1}, {32}, kernel.buffer("kinds", kinds), out);
  const auto reversed = [](std::uint32_t word) {
    std::uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      result |= (word >> bit & 1U) << (31 - bit);
    }
    return static_cast<int>(result);
  };
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) {
    const int x = i + 3;
    const auto bits = static_cast<std::uint32_t>(x);
    const int cases[] = {x * x, x / 3, x ^ 0x55, __builtin_popcount(bits), __builtin_clz(bits), reversed(bits),
                         -x,    x % 5, 0};
    expected.push_back(cases[kinds[static_cast<std::size_t>(i)]]);
  }
  CHECK(kernel.content<int>(out, 32) == expected);
}

TEST_CASE("a store behind a buffer's end is an error that names line, lane and buffer") {
  KernelRun kernel(cubin());
  const Address out = kernel.buffer("out", std::vector<int>(64));
  const std::string error = error_of([&] { kernel.run("beyond", {1}, {64}, out); });
  CHECK(error.find("basic.cu:89: invalid global write of 4 bytes at 0x7f0000000100: the address is out of bounds") !=
        std::string::npos);
  CHECK(error.find("lane 31 of warp 1 in CTA (0, 0, 0), thread (63, 0, 0), in beyond") != std::string::npos);
  CHECK(error.find("0 bytes behind the end of buffer \"out\"") != std::string::npos);
  CHECK(kernel.content<int>(out, 64)[33] == 0);
}

TEST_CASE("a kernel that never ends is stopped, and the loop is named") {
  KernelRun kernel(cubin());
  kernel.limits().warp_instructions = 10'000;
  const Address flag = kernel.buffer("flag", std::vector<int>(1));
  const std::string error = error_of([&] { kernel.run("forever", {1}, {32}, flag); });
  CHECK(
      error.find(
          "forever has executed 10,000 warp instructions, the limit (--max-instructions). Warp 0 is in a loop from") !=
      std::string::npos);
  CHECK(error.find("basic.cu:93") != std::string::npos);
}

TEST_CASE("warps that wait for others that never come are a deadlock, and the barrier is named") {
  KernelRun kernel(cubin());
  const Address out = kernel.buffer("out", std::vector<int>(64));
  const std::string error = error_of([&] { kernel.run("stuck", {1}, {64}, out); });
  CHECK(error.find("stuck: no warp of CTA (0, 0, 0) can go on") != std::string::npos);
  CHECK(error.find("32 lanes of warp 0 wait at") != std::string::npos);
  CHECK(error.find("BAR.SYNC") != std::string::npos);
}

TEST_CASE("a trial run leaves the buffers as they were") {
  KernelRun kernel(cubin());
  const std::vector<float> x = floats(4096, 1);
  const std::vector<float> y = floats(4096, 2);
  const Address at_x = kernel.buffer("x", x);
  const Address at_y = kernel.buffer("y", y);
  kernel.memory().begin_trial();
  kernel.run("saxpy", {32}, {128}, 4096, 1.5F, at_x, at_y);
  CHECK(kernel.content<float>(at_y, 4096) != y);
  kernel.memory().roll_back();
  CHECK(kernel.content<float>(at_y, 4096) == y);
}

}  // namespace
}  // namespace gpusim::exec::basic_test
