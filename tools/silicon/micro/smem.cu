// SPDX-License-Identifier: MIT
// Shared memory: latency by width, bandwidth by warps, bank conflicts of 1 to 32 ways for loads and stores, a store and
// the load that reads it, ldmatrix. One warp instruction may take several cycles of the banks: 128 bytes each.
#include "tools/silicon/device/mbarrier.cuh"
#include "tools/silicon/device/mma.cuh"
#include "tools/silicon/device/pattern.cuh"

namespace gpusim::silicon {
namespace {

using pattern::kRowBytes;
using pattern::kRows;
using pattern::Offsets;
using pattern::Places;

// Filling and linking are alike for all that reads shared memory.
struct InShared {
  using Address = std::uint32_t;
  static constexpr std::uint32_t kSharedBytes = kRows * kRowBytes;

  static __device__ Address base(const std::uint32_t* memory, void* shared) {
    for (std::uint32_t i = threadIdx.x; i < pattern::kWords; i += blockDim.x) {
      static_cast<std::uint32_t*>(shared)[i] = memory[i];
    }
    __syncthreads();
    return shared_address(shared);
  }
  static __device__ void store_link(Address at, Address target) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(target) : "memory");
  }
};

// What a chase and a stream do with `Instruction::read`, which gives a lane up to four words.
template <typename Instruction>
struct Reads : InShared {
  static __device__ void step(Address& address) {
    std::uint32_t words[4];
    Instruction::read(address, words);
    address = words[0];
  }
  static __device__ std::uint32_t load(Address address) {
    std::uint32_t words[4] = {};
    Instruction::read(address, words);
    return words[0] + words[1] + (words[2] + words[3]);
  }
};

// `count` consecutive words at the lane's place.
std::vector<std::uint32_t> consecutive(const Offsets& offsets, std::uint32_t lane, std::uint32_t count) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t word = 0; word < count; ++word) {
    words.push_back(offsets.of[lane] + 4 * word);
  }
  return words;
}

template <int kWidth>
struct Lds : Reads<Lds<kWidth>> {
  using Address = InShared::Address;
  static constexpr const char* kName = "LDS";
  static constexpr const char* kSass = "LDS";
  static constexpr int kBits = kWidth;

  static __device__ void read(Address from, std::uint32_t (&to)[4]) {
    if constexpr (kWidth == 32) {
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(to[0]) : "r"(from) : "memory");
    } else if constexpr (kWidth == 64) {
      asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "r"(from) : "memory");
    } else {
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                   : "r"(from)
                   : "memory");
    }
  }
  static std::vector<std::uint32_t> words_of(const Offsets& offsets, std::uint32_t lane) {
    return consecutive(offsets, lane, kWidth / 32);
  }
};

template <int kMatrices>
struct Ldsm : Reads<Ldsm<kMatrices>> {
  using Address = InShared::Address;
  static constexpr const char* kName = kMatrices == 4 ? "LDSM.x4" : kMatrices == 2 ? "LDSM.x2" : "LDSM.x1";
  static constexpr const char* kSass = "LDSM";
  static constexpr int kBits = 32 * kMatrices;

  static __device__ void read(Address row, std::uint32_t (&to)[4]) {
    std::uint32_t rows[kMatrices];
    load_matrix(rows, row);
#pragma unroll
    for (int i = 0; i < kMatrices; ++i) {
      to[i] = rows[i];
    }
  }
  // A lane gets word lane % 4 of row lane / 4 of each matrix.
  static std::vector<std::uint32_t> words_of(const Offsets& rows, std::uint32_t lane) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t matrix = 0; matrix < kMatrices; ++matrix) {
      words.push_back(rows.of[matrix * 8 + lane / 4] + lane % 4 * 4);
    }
    return words;
  }
};

// Rows of matrices `row_bytes` apart: 16 without conflicts, 128 with all eight rows of a matrix in the same banks.
Places matrix_rows(std::uint32_t row_bytes) {
  Places places{"row_bytes", row_bytes, pattern::strided(row_bytes, 1).access, {}};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    places.link.of[lane] = places.access.of[lane / 4] + lane % 4 * 4;
  }
  return places;
}

// ---- Latency and bandwidth ----------------------------------------------------------------------------------------

template <typename Access>
void measure_linear(Session& session) {
  pattern::expect_steps<Access>(session);
  const Places places = pattern::strided(Access::kBits / 8, 1);
  pattern::measure_latency<Access>(session, places, 1);
  pattern::measure_latency<Access>(session, places, 32);
  for (std::uint32_t warps = 1; warps <= 32; warps *= 2) {
    pattern::measure_rate<Access>(session, places, warps);
  }
}

void run_linear(Session& session) {
  measure_linear<Lds<32>>(session);
  measure_linear<Lds<64>>(session);
  measure_linear<Lds<128>>(session);
}

const Registered kLinear{{.name = "micro/smem/load", .priority = 70, .seconds = 1, .run = run_linear}};

template <int kMatrices>
void measure_matrices(Session& session) {
  pattern::expect_steps<Ldsm<kMatrices>>(session);
  for (const std::uint32_t row_bytes : {16u, 32u, 64u, 128u}) {
    pattern::measure_latency<Ldsm<kMatrices>>(session, matrix_rows(row_bytes));
    pattern::measure_rate<Ldsm<kMatrices>>(session, matrix_rows(row_bytes), 32);
  }
  for (std::uint32_t warps = 1; warps < 32; warps *= 2) {
    pattern::measure_rate<Ldsm<kMatrices>>(session, matrix_rows(16), warps);
  }
}

void run_ldmatrix(Session& session) {
  measure_matrices<1>(session);
  measure_matrices<2>(session);
  measure_matrices<4>(session);
}

const Registered kLdmatrix{
    {.name = "micro/smem/ldmatrix", .priority = 70, .seconds = 1, .needs = {Feature::Sm80}, .run = run_ldmatrix}};

// ---- Bank conflicts -----------------------------------------------------------------------------------------------

template <int kWidth>
void measure_strides(Session& session) {
  constexpr std::uint32_t kBytes = kWidth / 8;
  for (std::uint32_t stride = 0; stride * kBytes <= 128; stride = stride == 0 ? 1 : 2 * stride) {
    pattern::measure_latency<Lds<kWidth>>(session, pattern::strided(kBytes, stride));
    pattern::measure_rate<Lds<kWidth>>(session, pattern::strided(kBytes, stride), 32);
  }
}

void run_conflicts(Session& session) {
  for (std::uint32_t ways = 1; ways <= 32; ++ways) {
    pattern::measure_latency<Lds<32>>(session, pattern::in_banks(ways));
    pattern::measure_rate<Lds<32>>(session, pattern::in_banks(ways), 32);
  }
  measure_strides<32>(session);
  measure_strides<64>(session);
  measure_strides<128>(session);
}

const Registered kConflicts{{.name = "micro/smem/conflicts", .priority = 70, .seconds = 2, .run = run_conflicts}};

// ---- Stores -------------------------------------------------------------------------------------------------------

template <int kWidth>
__device__ __forceinline__ void store(std::uint32_t at, const std::uint32_t (&words)[4]) {
  if constexpr (kWidth == 32) {
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(words[0]) : "memory");
  } else if constexpr (kWidth == 64) {
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(words[0]), "r"(words[1]) : "memory");
  } else {
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(words[0]), "r"(words[1]),
                 "r"(words[2]), "r"(words[3])
                 : "memory");
  }
}

// All warps store the same values to the same places, each place its offset from the row's begin plus the row.
template <int kWidth>
__global__ void stores(Offsets offsets, std::uint32_t rounds, std::uint64_t* spans, std::uint32_t* left) {
  extern __shared__ uint4 shared[];
  const std::uint32_t offset = offsets.of[threadIdx.x % 32];
  const std::uint32_t address = shared_address(shared) + offset;
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (std::uint32_t row = 0; row < kRows; ++row) {
      store<kWidth>(address + row * kRowBytes, {offset + row, offset, offset, offset});
    }
  }
  // The banks take stores in order, so what comes back is behind them all.
  const std::uint32_t last =
      reinterpret_cast<volatile std::uint32_t*>(shared)[(kRows - 1) * kRowBytes / 4 + offset / 4];
  left[threadIdx.x] = last;
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x % 32 == 0) {
    spans[threadIdx.x / 32 * 2] = begin;
    spans[threadIdx.x / 32 * 2 + 1] = end;
  }
}

template <int kWidth>
void measure_stores(Session& session, const Places& places, std::uint32_t warps) {
  const Buffer<std::uint64_t> spans(2 * warps);
  const Buffer<std::uint32_t> left(32 * warps);
  const LaunchConfig config{.block = 32 * warps, .dynamic_smem = InShared::kSharedBytes};
  const auto span = [&](std::uint32_t rounds) {
    launch(stores<kWidth>, config, places.access, rounds, spans.get(), left.get());
    return pattern::span_of(spans);
  };
  const Params params{{"access", "STS"},
                      {"width_bits", kWidth},
                      {"pattern", places.pattern},
                      {places.pattern, places.n},
                      {"warps", warps}};
  span(1);
  const std::vector<std::uint32_t> got = left.to_host();
  std::vector<double> expected;
  for (std::uint32_t i = 0; i < got.size(); ++i) {
    expected.push_back(places.access.of[i % 32] + kRows - 1);
  }
  if (session.verify("stored words", compare(got, expected, {}), params)) {
    const double instructions = static_cast<double>(warps) * kRows * (pattern::kManyRounds - pattern::kFewRounds);
    session.record({.metric = "throughput",
                    .unit = "inst/cycle/SM",
                    .sampled = session.sample(
                        [&] { return instructions / (span(pattern::kManyRounds) - span(pattern::kFewRounds)); },
                        {.times = 5, .warm_ups = 1}),
                    .launch = launch_facts(stores<kWidth>, config),
                    .params = params});
  }
}

template <int kWidth>
void measure_stores_by_warps(Session& session) {
  for (std::uint32_t warps = 1; warps <= 32; warps *= 2) {
    measure_stores<kWidth>(session, pattern::strided(kWidth / 8, 1), warps);
  }
}

void run_stores(Session& session) {
  measure_stores_by_warps<32>(session);
  measure_stores_by_warps<64>(session);
  measure_stores_by_warps<128>(session);
  for (std::uint32_t ways = 2; ways <= 32; ++ways) {
    measure_stores<32>(session, pattern::in_banks(ways), 32);
  }
}

const Registered kStores{{.name = "micro/smem/store", .priority = 70, .seconds = 1, .run = run_stores}};

// ---- A store and the load of what it stored -----------------------------------------------------------------------

// A step stores the value and loads it back: the next step's store needs it.
template <int kWidth>
__global__ void store_to_load(std::uint64_t* cycles, std::uint32_t* values) {
  extern __shared__ uint4 shared[];
  const std::uint32_t address = shared_address(shared) + threadIdx.x * (kWidth / 8);
  std::uint32_t words[4] = {values[threadIdx.x], 1, 2, 3};
  store<kWidth>(address, words);
  Lds<kWidth>::read(address, words);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (std::uint32_t round = 0; round < pattern::kChainSteps / 64; ++round) {
#pragma unroll
    for (int i = 0; i < 64; ++i) {
      store<kWidth>(address, words);
      Lds<kWidth>::read(address, words);
    }
  }
  const std::uint64_t end = sm_cycles();
  values[threadIdx.x] = words[0];
  *cycles = end - begin;
}

template <int kWidth>
void measure_store_to_load(Session& session) {
  Buffer<std::uint32_t> values(32);
  values.fill(Input::Random);
  const std::vector<std::uint32_t> before = values.to_host();
  const Buffer<std::uint64_t> cycles(1);
  const LaunchConfig config{.dynamic_smem = 32 * 16};
  const auto once = [&] {
    launch(store_to_load<kWidth>, config, cycles.get(), values.get());
    return static_cast<double>(cycles.to_host().front()) / pattern::kChainSteps;
  };
  once();
  const Params params{{"access", "STS+LDS"}, {"width_bits", kWidth}};
  const std::vector<double> expected(before.begin(), before.end());
  if (session.verify("value through shared memory", compare(values.to_host(), expected, {}), params)) {
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = session.sample(once, {.times = 7, .warm_ups = 1}),
                    .launch = launch_facts(store_to_load<kWidth>, config),
                    .params = params,
                    .input = Input::Random});
  }
}

void run_store_to_load(Session& session) {
  measure_store_to_load<32>(session);
  measure_store_to_load<64>(session);
  measure_store_to_load<128>(session);
}

const Registered kStoreToLoad{
    {.name = "micro/smem/store_to_load", .priority = 70, .seconds = 1, .run = run_store_to_load}};

}  // namespace
}  // namespace gpusim::silicon
