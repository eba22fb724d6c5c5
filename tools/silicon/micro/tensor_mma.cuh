// SPDX-License-Identifier: MIT
// mma.sync of one shape: checked against double precision, then latency (a chain of dependent accumulators) and rate
// by warps, as device/chain.cuh measures every operation. Gives the model latency and interval of HMMA, IMMA and DMMA.
// These are of fixed latency: the compiler puts NOPs between dependent ones, so the latency measured is the one that it
// believes in (and that code lives with).
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "tools/silicon/device/chain.cuh"
#include "tools/silicon/device/mma.cuh"

namespace gpusim::silicon {

/// What one thread holds of A, B or C, whichever is the largest. A and B of a chain's step are two of these.
template <typename Shape>
struct MmaFragment {
  using Register = typename Shape::Register;
  static constexpr int kRegisters = Shape::kA > Shape::kD ? Shape::kA : Shape::kD;
  Register registers[kRegisters];
};

/// Tf32 is stored as float.
template <typename Element>
using StoredAs = std::conditional_t<std::is_same_v<Element, Tf32>, float, Element>;

template <typename Shape>
constexpr Element kElementOf<MmaFragment<Shape>> = kElementOf<StoredAs<typename Shape::Element>>;

template <typename Element>
constexpr const char* kMmaMnemonic = std::is_integral_v<Element> ? "IMMA"
                                     : sizeof(Element) == 8      ? "DMMA"
                                                                 : "HMMA";

/// The operation of a chain: x += a b.
template <typename Shape>
struct MmaChain {
  using Value = MmaFragment<Shape>;
  static constexpr const char* kMnemonic = kMmaMnemonic<typename Shape::Element>;
  static constexpr const char* kPtx = Shape::kPtx;

  static __device__ __forceinline__ void step(Value& x, const Value& a, const Value& b) {
    using Accumulator = typename Shape::Accumulator;
    Accumulator d[Shape::kD];
    typename Shape::Register ra[Shape::kA];
    typename Shape::Register rb[Shape::kB];
#pragma unroll
    for (int i = 0; i < Shape::kD; ++i) {
      d[i] = std::bit_cast<Accumulator>(x.registers[i]);
    }
#pragma unroll
    for (int i = 0; i < Shape::kA; ++i) {
      ra[i] = a.registers[i];
    }
#pragma unroll
    for (int i = 0; i < Shape::kB; ++i) {
      rb[i] = b.registers[i];
    }
    multiply<Shape>(d, ra, rb);
#pragma unroll
    for (int i = 0; i < Shape::kD; ++i) {
      x.registers[i] = std::bit_cast<typename Shape::Register>(d[i]);
    }
  }

 private:
  template <typename S, typename D, typename A, typename B>
  static __device__ __forceinline__ void multiply(D& d, const A& a, const B& b) {
    if constexpr (S::kSparse) {
      mma_sparse<S>(d, a, b, kSparsePattern<S>);
    } else {
      mma<S>(d, a, b);
    }
  }
};

namespace tensor_check {

// C of the check, exact in every type of result.
__host__ __device__ inline double bias(int row, int column) {
  return row - 2.0 * column;
}

/// One warp: D = A B + bias, every element from where mma.cuh says that it lies. A is [kM][columns of A], B [kN][kK].
template <typename Shape>
__global__ void one_product(const StoredAs<typename Shape::Element>* a, const StoredAs<typename Shape::Element>* b,
                            double* out) {
  using Register = typename Shape::Register;
  using Result = typename Shape::Result;
  constexpr int kElements = sizeof(Register) / sizeof(typename Shape::Element);  // in a register
  constexpr int kColumnsOfA = Shape::kSparse ? Shape::kK / 2 : Shape::kK;
  constexpr int kPack = sizeof(typename Shape::Accumulator) / sizeof(Result);
  const int group = static_cast<int>(threadIdx.x) / 4;
  const int place = static_cast<int>(threadIdx.x) % 4;
  MmaFragment<Shape> x{};
  MmaFragment<Shape> ra{};
  MmaFragment<Shape> rb{};
  for (int r = 0; r < Shape::kA; ++r) {
    const int row = group + 8 * (r % 2);
    const int column = kElements * place + 4 * kElements * (r / 2);
    ra.registers[r] = *reinterpret_cast<const Register*>(a + row * kColumnsOfA + column);
  }
  for (int r = 0; r < Shape::kB; ++r) {
    rb.registers[r] = *reinterpret_cast<const Register*>(b + group * Shape::kK + kElements * place + 4 * kElements * r);
  }
  Result elements[Shape::kD * kPack];
  for (int i = 0; i < Shape::kD * kPack; ++i) {
    elements[i] = static_cast<Result>(static_cast<float>(bias(group + 8 * (i / 2), 2 * place + i % 2)));
  }
  memcpy(x.registers, elements, sizeof(elements));
  MmaChain<Shape>::step(x, ra, rb);
  memcpy(elements, x.registers, sizeof(elements));
  for (int i = 0; i < Shape::kD * kPack; ++i) {
    const double value = sizeof(Result) < 8 && !std::is_integral_v<Result>
                             ? static_cast<double>(static_cast<float>(elements[i]))
                             : static_cast<double>(elements[i]);
    out[(group + 8 * (i / 2)) * Shape::kN + 2 * place + i % 2] = value;
  }
}

template <typename T>
double exactly(T value) {
  if constexpr (sizeof(T) == 8) {
    return value;
  } else {
    return static_cast<float>(value);
  }
}

/// Random values; of tf32 such that nothing is lost.
template <typename Element>
std::vector<StoredAs<Element>> fill(Buffer<StoredAs<Element>>& buffer, std::uint64_t seed) {
  buffer.fill(Input::Random, seed);
  std::vector<StoredAs<Element>> values = buffer.to_host();
  if constexpr (std::is_same_v<Element, Tf32>) {
    for (float& value : values) {
      value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000u);
    }
    buffer.from_host(values);
  }
  return values;
}

/// Column in the whole A of column `c` of a sparse A's nonzero elements, for kSparsePattern.
template <typename Shape>
int column_of(int c) {
  if (!Shape::kSparse) {
    return c;
  }
  return 2 * c + 1;  // elements 1 and 3 of each four, or 1 of each two
}

/// What the accumulation in hardware may lose, for inputs below 1 and k up to 64.
template <typename Shape>
Tolerance tolerance() {
  using Result = typename Shape::Result;
  if (std::is_integral_v<Result>) {
    return {};
  }
  if (sizeof(Result) == 8) {
    return {.relative = 1e-13, .absolute = 1e-13};
  }
  const bool coarse = sizeof(Result) == 2 || sizeof(typename Shape::Element) == 1;
  return {.relative = coarse ? 1e-2 : 1e-4, .absolute = coarse ? 2e-2 : 1e-4};
}

template <typename Shape>
bool is_right(Session& session) {
  using Stored = StoredAs<typename Shape::Element>;
  constexpr int kColumnsOfA = Shape::kSparse ? Shape::kK / 2 : Shape::kK;
  Buffer<Stored> a(Shape::kM * kColumnsOfA);
  Buffer<Stored> b(Shape::kN * Shape::kK);
  Buffer<double> out(Shape::kM * Shape::kN);
  const std::vector<Stored> a_values = fill<typename Shape::Element>(a, 1);
  const std::vector<Stored> b_values = fill<typename Shape::Element>(b, 2);
  launch(one_product<Shape>, {}, a.get(), b.get(), out.get());
  std::vector<double> expected(out.size());
  for (int row = 0; row < Shape::kM; ++row) {
    for (int column = 0; column < Shape::kN; ++column) {
      double sum = bias(row, column);
      for (int c = 0; c < kColumnsOfA; ++c) {
        sum += exactly(a_values[row * kColumnsOfA + c]) * exactly(b_values[column * Shape::kK + column_of<Shape>(c)]);
      }
      expected[row * Shape::kN + column] = sum;
    }
  }
  return session.verify("mma.sync", compare(out.to_host(), expected, tolerance<Shape>()), {{"ptx", Shape::kPtx}});
}

}  // namespace tensor_check

template <typename Shape>
void measure_mma(Session& session) {
  if (tensor_check::is_right<Shape>(session)) {
    chain::measure<MmaChain<Shape>>(session);
  }
}

}  // namespace gpusim::silicon

#define SILICON_MEASURE_MMA(Name, ...) ::gpusim::silicon::measure_mma<::gpusim::silicon::Name>(session);
