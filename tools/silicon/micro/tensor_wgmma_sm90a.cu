// SPDX-License-Identifier: MIT
// wgmma by type, width, place of A, and warpgroups: checked against double precision, then timed. A round of one
// wgmma, waited for, is its latency with fence, commit and wait; what each further one of a group of 16 adds is the
// interval. The model takes the interval as 64 x N x k FLOP over the rate of the four tensor cores, with a floor that
// these figures give, and the latency for the first accumulators to be readable.
#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/wgmma.cuh"

namespace gpusim::silicon {
namespace {

enum class Form { Shared, Registers, Sparse };  // where A comes from; sparse A is in shared memory

constexpr std::uint32_t kWarpgroup = 128;
constexpr std::uint32_t kRowBytes = 128;
constexpr std::uint32_t kRowsOfA = 64;
constexpr std::uint32_t kTileOfA = kRowsOfA * kRowBytes;
constexpr std::uint32_t kStepBytes = 32;  // of a row of A
constexpr int kRounds = 64;
constexpr int kFew = 4;
constexpr int kMany = 16;

template <typename Element>
using Stored = std::conditional_t<std::is_same_v<Element, Tf32>, float, Element>;

template <typename Type, int n, Form form>
struct Shape {
  using T = Type;
  using Element = Stored<typename Type::Element>;
  static constexpr int kN = n;
  static constexpr Form kForm = form;
  static constexpr bool kMnMajor = Type::kTransposeB[0] != 0 && Type::kTransposeB[2] == '1';
  static constexpr int kColumns = kRowBytes / sizeof(Element);               // of A as stored, and of k-major B
  static constexpr int kSteps = form == Form::Sparse ? 2 : 4;                // that a row of B lasts
  static constexpr int kColumnsOfA = kSteps * kStepBytes / sizeof(Element);  // that are multiplied
  static constexpr std::uint32_t kTileOfB = n * kRowBytes;                   // also for 64 rows of k
  static constexpr std::uint32_t kSharedBytes = kTileOfA + kTileOfB + 1024;  // 1024 to align
  static constexpr double kFlops = 2.0 * 64 * n * Type::kK * (form == Form::Sparse ? 2 : 1);
};

// Rows of 128 bytes from global memory to where descriptors want them.
__device__ void to_tile(char* tile, const char* rows, std::uint32_t count) {
  for (std::uint32_t i = threadIdx.x; i < count * kRowBytes / 16; i += blockDim.x) {
    const std::uint32_t row = i / 8;
    const std::uint32_t byte = i % 8 * 16;
    *reinterpret_cast<uint4*>(tile + swizzled_128(row, byte)) =
        *reinterpret_cast<const uint4*>(rows + row * kRowBytes + byte);
  }
}

template <typename S>
struct Operands {
  std::uint64_t a;
  std::uint64_t b;
  std::uint32_t fragments[S::kForm == Form::Registers ? 4 : 1][4];  // of A, for each step
};

// Both tiles into shared memory and, where A comes from registers, its fragments: rows 16 w + g and 8 below, columns as
// in mma.cuh, which in bytes are 4 t and 16 beyond, whatever the type.
template <typename S>
__device__ Operands<S> load(const char* a, const char* b) {
  extern __shared__ char raw[];
  char* aligned = raw + (1024 - shared_address(raw) % 1024) % 1024;
  to_tile(aligned, a, kRowsOfA);
  to_tile(aligned + kTileOfA, b, S::kTileOfB / kRowBytes);
  fence_async_shared();
  __syncthreads();
  Operands<S> operands;
  operands.a = k_major(shared_address(aligned));
  const std::uint32_t tile_of_b = shared_address(aligned + kTileOfA);
  operands.b = S::kMnMajor ? mn_major(tile_of_b, 64 * kRowBytes) : k_major(tile_of_b);
  if constexpr (S::kForm == Form::Registers) {
    const std::uint32_t lane = threadIdx.x % 32;
    const char* corner = a + (threadIdx.x % kWarpgroup / 32 * 16 + lane / 4) * kRowBytes + lane % 4 * 4;
    for (std::uint32_t step = 0; step < 4; ++step) {
      for (std::uint32_t r = 0; r < 4; ++r) {
        operands.fragments[step][r] =
            *reinterpret_cast<const std::uint32_t*>(corner + r % 2 * 8 * kRowBytes + r / 2 * 16 + step * kStepBytes);
      }
    }
  }
  return operands;
}

template <typename S>
__device__ __forceinline__ void issue(float (&d)[S::kN / 2], const Operands<S>& operands, int step, int accumulate) {
  constexpr std::uint32_t kStepOfB = S::kMnMajor ? 16 * kRowBytes : S::kForm == Form::Sparse ? 64 : 32;
  const std::uint64_t b = advance(operands.b, static_cast<std::uint32_t>(step) * kStepOfB);
  const std::uint64_t a = advance(operands.a, static_cast<std::uint32_t>(step) * kStepBytes);
  if constexpr (S::kForm == Form::Registers) {
    wgmma<typename S::T>(d, operands.fragments[step], b, accumulate);
  } else if constexpr (S::kForm == Form::Sparse) {
    constexpr bool kOneOfTwo = sizeof(typename S::Element) == 4;
    wgmma_sparse<typename S::T>(d, a, b, kOneOfTwo ? kSparseSecondOfTwo : kSparseSecondAndFourth, accumulate);
  } else {
    wgmma<typename S::T>(d, a, b, accumulate);
  }
}

// By index: a loop over the array's elements is not unrolled for 128 of them, which sends the array to local memory.
template <int kCount>
__device__ __forceinline__ void clear(float (&d)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    d[i] = 0;
  }
}

template <typename S>
__global__ void __launch_bounds__(128) one_product(const char* a, const char* b, float* out) {
  const Operands<S> operands = load<S>(a, b);
  float d[S::kN / 2];
  clear(d);
  wgmma_settled(d);
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < S::kSteps; ++step) {
    issue<S>(d, operands, step, step > 0);
  }
  wgmma_commit();
  wgmma_wait<0>();
  wgmma_settled(d);
  const std::uint32_t row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  const std::uint32_t column = threadIdx.x % 4 * 2;
#pragma unroll
  for (std::uint32_t i = 0; i < S::kN / 2; ++i) {
    out[(row + i / 2 % 2 * 8) * S::kN + i / 4 * 8 + column + i % 2] = d[i];
  }
}

template <typename S, int kCount>
__global__ void __launch_bounds__(256) rounds(const char* a, const char* b, float* out, std::uint64_t* spans) {
  const Operands<S> operands = load<S>(a, b);
  float d[S::kN / 2];
  clear(d);
  __syncthreads();
  wgmma_settled(d);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      issue<S>(d, operands, i % S::kSteps, 1);
    }
    wgmma_commit();
    wgmma_wait<0>();
    wgmma_settled(d);
  }
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x % kWarpgroup == 0) {
    spans[threadIdx.x / kWarpgroup * 2] = begin;
    spans[threadIdx.x / kWarpgroup * 2 + 1] = end;
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < S::kN / 2; ++i) {
    sum += d[i];
  }
  out[threadIdx.x] = sum;
}

template <typename S>
struct Problem {
  using Element = typename S::Element;
  Buffer<Element> a{kRowsOfA * S::kColumns};
  Buffer<Element> b{S::kTileOfB / sizeof(Element)};

  Problem() {
    fill(a, 1);
    fill(b, 2);
  }
  static void fill(Buffer<Element>& buffer, std::uint64_t seed) {
    buffer.fill(Input::Random, seed);
    if constexpr (sizeof(Element) == 4) {  // tf32: so that nothing is lost
      std::vector<Element> values = buffer.to_host();
      for (Element& value : values) {
        value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000u);
      }
      buffer.from_host(values);
    }
  }
  [[nodiscard]] const char* bytes_of_a() const { return reinterpret_cast<const char*>(a.get()); }
  [[nodiscard]] const char* bytes_of_b() const { return reinterpret_cast<const char*>(b.get()); }
};

template <typename S>
Params params_of() {
  const bool sparse = S::kForm == Form::Sparse;
  return {{"ptx", sparse ? S::T::kSparse : S::T::kDense},
          {"n", S::kN},
          {"a", S::kForm == Form::Registers ? "registers" : "shared"},
          {"sparse", sparse ? 1 : 0},
          {"b_major", S::kMnMajor ? "n" : "k"}};
}

// Sparse A: its column c is column 2 c + 1 of the whole.
template <typename S>
std::vector<double> reference(const Problem<S>& problem) {
  const std::vector<typename S::Element> a = problem.a.to_host();
  const std::vector<typename S::Element> b = problem.b.to_host();
  const auto value = [](typename S::Element x) { return static_cast<double>(static_cast<float>(x)); };
  std::vector<double> expected;
  for (std::uint32_t row = 0; row < kRowsOfA; ++row) {
    for (int n = 0; n < S::kN; ++n) {
      double sum = 0;
      for (int c = 0; c < S::kColumnsOfA; ++c) {
        const int k = S::kForm == Form::Sparse ? 2 * c + 1 : c;
        // n-major: slabs of 64 columns, in each 64 rows of k
        const int at = S::kMnMajor ? n / 64 * 64 * 64 + k * 64 + n % 64 : n * S::kColumns + k;
        sum += value(a[row * S::kColumns + c]) * value(b[at]);
      }
      expected.push_back(sum);
    }
  }
  return expected;
}

template <typename S>
bool is_right(Session& session, const Problem<S>& problem) {
  Buffer<float> out(kRowsOfA * S::kN);
  launch(one_product<S>, {.block = kWarpgroup, .dynamic_smem = S::kSharedBytes}, problem.bytes_of_a(),
         problem.bytes_of_b(), out.get());
  // fp8 keeps some 14 bits of a sum on Hopper; the others what a float can hold.
  const double allowed = sizeof(typename S::Element) == 1 ? 3e-2 : 1e-4;
  return session.verify("wgmma", compare(out.to_host(), reference(problem), {.relative = allowed, .absolute = allowed}),
                        params_of<S>());
}

template <typename S, int kCount>
double cycles_a_round(const Problem<S>& problem, std::uint32_t warpgroups) {
  Buffer<float> out(2 * kWarpgroup);
  Buffer<std::uint64_t> spans(2 * warpgroups);
  launch(rounds<S, kCount>, {.block = warpgroups * kWarpgroup, .dynamic_smem = S::kSharedBytes}, problem.bytes_of_a(),
         problem.bytes_of_b(), out.get(), spans.get());
  const std::vector<std::uint64_t> read = spans.to_host();
  std::uint64_t first = read[0];
  std::uint64_t last = read[1];
  for (std::size_t i = 2; i < read.size(); i += 2) {
    first = std::min(first, read[i]);
    last = std::max(last, read[i + 1]);
  }
  return static_cast<double>(last - first) / kRounds;
}

template <typename S>
void time(Session& session, const Problem<S>& problem, std::uint32_t warpgroups) {
  constexpr Repeat kRepeat{.times = 5, .warm_ups = 1};
  const LaunchConfig config{.block = warpgroups * kWarpgroup, .dynamic_smem = S::kSharedBytes};
  Params params = params_of<S>();
  params.emplace_back("warpgroups", warpgroups);
  Result result{.metric = "latency",
                .unit = "cycles",
                .sampled = session.sample([&] { return cycles_a_round<S, 1>(problem, warpgroups); }, kRepeat),
                .launch = launch_facts(rounds<S, 1>, config),
                .params = params,
                .input = Input::Random,
                .note = "a turn of the loop: fence, one wgmma of each warpgroup, commit, wait"};
  session.record(result);
  result.metric = "interval";
  result.launch = launch_facts(rounds<S, kMany>, config);
  result.note = "between two wgmma of a group, all warpgroups of the SM together";
  result.sampled = session.sample(
      [&] {
        const double more =
            cycles_a_round<S, kMany>(problem, warpgroups) - cycles_a_round<S, kFew>(problem, warpgroups);
        return more / ((kMany - kFew) * warpgroups);
      },
      kRepeat);
  session.record(result);
  result.metric = "throughput";
  result.unit = "FLOP/cycle/SM";
  result.sampled = result.sampled.map([](double cycles) { return S::kFlops / cycles; });
  session.record(result);
  session.expect_sass(result.launch, sizeof(typename S::Element) == 1 ? "QGMMA" : "HGMMA", kMany, true);
}

template <typename Type, Form form, int... n>
void measure(Session& session) {
  const auto one = [&]<int kN>() {
    using S = Shape<Type, kN, form>;
    const Problem<S> problem;
    if (is_right<S>(session, problem)) {
      time<S>(session, problem, 1);
      time<S>(session, problem, 2);
    }
  };
  (one.template operator()<n>(), ...);
}

void run_bf16(Session& session) {
  measure<WgmmaBf16, Form::Shared, 8, 16, 32, 64, 128, 256>(session);
  measure<WgmmaBf16, Form::Registers, 8, 16, 32, 64, 128, 256>(session);
  measure<WgmmaBf16N, Form::Shared, 64, 256>(session);
  measure<WgmmaBf16N, Form::Registers, 128>(session);
}
void run_others(Session& session) {
  measure<WgmmaF16, Form::Shared, 128>(session);
  measure<WgmmaTf32, Form::Shared, 64, 256>(session);
  measure<WgmmaTf32, Form::Registers, 256>(session);
  measure<WgmmaE4m3, Form::Shared, 64, 256>(session);
  measure<WgmmaE4m3, Form::Registers, 256>(session);
}
void run_sparse(Session& session) {
  measure<WgmmaBf16, Form::Sparse, 64, 256>(session);
  measure<WgmmaTf32, Form::Sparse, 256>(session);
  measure<WgmmaE4m3, Form::Sparse, 256>(session);
}

const Registered kBf16{
    {.name = "micro/tensor/wgmma", .priority = 90, .seconds = 2, .needs = {Feature::Sm90a}, .run = run_bf16}};
const Registered kOthers{
    {.name = "micro/tensor/wgmma_types", .priority = 60, .seconds = 1, .needs = {Feature::Sm90a}, .run = run_others}};
const Registered kSparse{
    {.name = "micro/tensor/wgmma_sparse", .priority = 50, .seconds = 1, .needs = {Feature::Sm90a}, .run = run_sparse}};

}  // namespace
}  // namespace gpusim::silicon
