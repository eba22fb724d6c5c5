// SPDX-License-Identifier: MIT
// The L1 for what hits: latency by width, throughput by width and by the stride between lanes. A warp's access takes as
// long as the lines and sectors that it touches need: strides of 1 to 32 words spread 32 lanes over 1 to 32 lines of
// 128 bytes, and over 4 to 32 sectors of 32 bytes.
#include "tools/silicon/device/pattern.cuh"

namespace gpusim::silicon {
namespace {

using pattern::Offsets;
using pattern::Places;

// All loads are ld.global.ca; rounds before those that count have brought the data in.
template <int kWidth>
struct Ldg {
  using Address = std::uint64_t;
  static constexpr const char* kName = "LDG";
  static constexpr const char* kSass = "LDG";
  static constexpr int kBits = kWidth;
  static constexpr std::uint32_t kSharedBytes = 0;

  static __device__ Address base(const std::uint32_t* memory, const void*) { return reinterpret_cast<Address>(memory); }
  // 32 bits are the lower half of an address in the same 4 GiB, the upper one is where it always was.
  static __device__ void store_link(Address at, Address target) {
    if constexpr (kWidth == 32) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(static_cast<std::uint32_t>(target)) : "memory");
    } else {
      asm volatile("st.global.u64 [%0], %1;" ::"l"(at), "l"(target) : "memory");
    }
  }
  static __device__ void step(Address& address) {
    if constexpr (kWidth == 32) {
      asm volatile(
          "{ .reg .b32 low, high; mov.b64 {low, high}, %0; ld.global.ca.u32 low, [%0]; mov.b64 %0, {low, high}; }"
          : "+l"(address)::"memory");
    } else if constexpr (kWidth == 64) {
      asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(address)::"memory");
    } else {
      asm volatile("{ .reg .b64 other; ld.global.ca.v2.u64 {%0, other}, [%0]; }" : "+l"(address)::"memory");
    }
  }
  static __device__ std::uint32_t load(Address address) {
    std::uint32_t words[4] = {};
    if constexpr (kWidth == 32) {
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(words[0]) : "l"(address) : "memory");
    } else if constexpr (kWidth == 64) {
      asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "l"(address) : "memory");
    } else {
      asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                   : "l"(address)
                   : "memory");
    }
    return words[0] + words[1] + (words[2] + words[3]);
  }
  static std::vector<std::uint32_t> words_of(const Offsets& offsets, std::uint32_t lane) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t word = 0; word < kWidth / 32; ++word) {
      words.push_back(offsets.of[lane] + 4 * word);
    }
    return words;
  }
};

template <int kWidth>
void measure_latency(Session& session) {
  pattern::expect_steps<Ldg<kWidth>>(session);
  constexpr std::uint32_t kBytes = kWidth / 8;
  pattern::measure_latency<Ldg<kWidth>>(session, pattern::strided(kBytes, 1), 1);
  for (std::uint32_t stride = 0; stride * kBytes <= 128; stride = stride == 0 ? 1 : 2 * stride) {
    pattern::measure_latency<Ldg<kWidth>>(session, pattern::strided(kBytes, stride));
  }
}

void run_latency(Session& session) {
  measure_latency<32>(session);
  measure_latency<64>(session);
  measure_latency<128>(session);
}

const Registered kLatency{{.name = "micro/l1/latency", .priority = 70, .seconds = 1, .run = run_latency}};

// Strides in words, so that widths compare: lanes of 16 bytes begin at multiples of 4 words.
template <int kWidth>
void measure_throughput(Session& session) {
  constexpr std::uint32_t kElementWords = kWidth / 32;
  for (std::uint32_t stride = kElementWords; stride <= 32; stride += kElementWords) {
    Places places = pattern::strided(kWidth / 8, stride / kElementWords);
    places.pattern = "stride_words";
    places.n = stride;
    pattern::measure_rate<Ldg<kWidth>>(session, places, 32);
  }
  for (std::uint32_t warps = 1; warps < 32; warps *= 2) {
    Places places = pattern::strided(kWidth / 8, 1);
    places.pattern = "stride_words";
    places.n = kElementWords;
    pattern::measure_rate<Ldg<kWidth>>(session, places, warps);
  }
  pattern::measure_rate<Ldg<kWidth>>(session, pattern::strided(kWidth / 8, 0), 32);
}

void run_throughput(Session& session) {
  measure_throughput<32>(session);
  measure_throughput<64>(session);
  measure_throughput<128>(session);
}

const Registered kThroughput{{.name = "micro/l1/throughput", .priority = 70, .seconds = 1, .run = run_throughput}};

}  // namespace
}  // namespace gpusim::silicon
