// SPDX-License-Identifier: MIT
// Fragments as the PTX ISA document defines them ("Matrix Fragments for mma.m16n8k16", "ldmatrix"), written down here
// independently of the kernels.
#include "tests/silicon/emulated_cta.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "tests/silicon/emulated_machine.h"

namespace gpusim::silicon {
namespace {

struct MatrixOperand {
  std::uint32_t* r;
  std::uint32_t row;
};

struct MmaOperand {
  float* c;
  const std::uint32_t* a;
  const std::uint32_t* b;
};

struct WgmmaOperand {
  float* d;
  std::uint64_t a, b;
};

float half_of(std::uint32_t word, std::uint32_t half) {
  return bf16_to_float((word >> (16 * half)) & 0xffff);
}

void multiply_fragments(std::span<void* const> lanes) {
  float a[16][16];
  float b[16][8];
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto& operand = *static_cast<const MmaOperand*>(lanes[lane]);
    const std::uint32_t g = lane / 4;
    for (std::uint32_t j = 0; j < 2; ++j) {
      const std::uint32_t t = lane % 4 * 2 + j;
      for (std::uint32_t r = 0; r < 4; ++r) {
        a[g + r % 2 * 8][t + r / 2 * 8] = half_of(operand.a[r], j);
      }
      for (std::uint32_t r = 0; r < 2; ++r) {
        b[t + r * 8][g] = half_of(operand.b[r], j);
      }
    }
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    float* c = static_cast<const MmaOperand*>(lanes[lane])->c;
    for (std::uint32_t e = 0; e < 4; ++e) {
      for (std::uint32_t k = 0; k < 16; ++k) {
        c[e] += a[lane / 4 + e / 2 * 8][k] * b[k][lane % 4 * 2 + e % 2];
      }
    }
  }
}

}  // namespace

float bf16_to_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits << 16);
}

std::uint16_t float_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>((bits >> 16) | 1);
  }
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

Index3 EmulatedCta::block() const {
  return machine_->launch().block;
}

std::uint32_t EmulatedCta::shared_base() const {
  return kBase;
}

std::byte* EmulatedCta::shared_bytes(std::uint32_t offset) const {
  return machine_->window(offset);
}

void EmulatedCta::sync() const {
  machine_->at_barrier(0, machine_->launch().threads);
}

void EmulatedCta::sync_warp() const {
  machine_->in_warp(thread_, "bar.warp.sync", nullptr, [](auto) {});
}

void EmulatedCta::sync_some(std::uint32_t barrier, std::uint32_t threads) const {
  machine_->at_barrier(barrier, threads);
}

void EmulatedCta::copy_async(std::uint32_t to, const void* from) const {
  require(reinterpret_cast<std::uintptr_t>(from) % 16 == 0, "misaligned asynchronous copy");
  if (machine_->launch().late) {
    machine_->copies(thread_).groups.back().push_back({to, from});
  } else {
    machine_->copy(to, from);
  }
}

void EmulatedCta::copy_async_commit() const {
  machine_->copies(thread_).commit();
}

void EmulatedCta::wait_for_copies(std::size_t pending) const {
  for (const Copy& copy : machine_->copies(thread_).take_all_but(pending)) {
    machine_->copy(copy.to, copy.from);
  }
}

Words4 EmulatedCta::load_shared(std::uint32_t address) const {
  Words4 words;
  std::memcpy(&words, machine_->at(address, 16), 16);
  return words;
}

void EmulatedCta::store_shared(std::uint32_t address, std::uint32_t word) const {
  std::memcpy(machine_->at(address, 4), &word, 4);
}

void EmulatedCta::store_global(void* to, const Words4& words) const {
  require(reinterpret_cast<std::uintptr_t>(to) % 16 == 0, "misaligned store to global memory");
  std::memcpy(to, &words, 16);
}

void EmulatedCta::ldmatrix(std::uint32_t (&r)[4], std::uint32_t row, bool transposed) const {
  MatrixOperand operand{r, row};
  machine_->in_warp(thread_, transposed ? "ldmatrix.trans" : "ldmatrix", &operand, [&](std::span<void* const> lanes) {
    for (std::uint32_t matrix = 0; matrix < 4; ++matrix) {
      std::uint16_t values[8][8];
      std::uint32_t banks = 0;
      for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t address = static_cast<const MatrixOperand*>(lanes[8 * matrix + i])->row;
        std::memcpy(values[i], machine_->at(address, 16), 16);
        banks |= 1u << (address / 16 % 8);
      }
      require(banks == 0xff, "ldmatrix with bank conflicts");
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t g = lane / 4;
        const std::uint32_t t = lane % 4 * 2;
        const std::uint32_t low = transposed ? values[t][g] : values[g][t];
        const std::uint32_t high = transposed ? values[t + 1][g] : values[g][t + 1];
        static_cast<const MatrixOperand*>(lanes[lane])->r[matrix] = low | high << 16;
      }
    }
  });
}

void EmulatedCta::mma(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) const {
  MmaOperand operand{c, a, b};
  machine_->in_warp(thread_, "mma.m16n8k16", &operand, multiply_fragments);
}

std::uint32_t EmulatedCta::pack(float low, float high) const {
  return float_to_bf16(low) | static_cast<std::uint32_t>(float_to_bf16(high)) << 16;
}

float EmulatedCta::shuffle_xor(float value, std::uint32_t mask) const {
  struct Operand {
    float given, taken;
  } operand{value, 0};
  machine_->in_warp(thread_, "shfl.bfly", &operand, [&](std::span<void* const> lanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      static_cast<Operand*>(lanes[lane])->taken = static_cast<Operand*>(lanes[lane ^ mask])->given;
    }
  });
  return operand.taken;
}

float EmulatedCta::exp2(float x) const {
  return std::exp2(x);
}

float EmulatedCta::reciprocal(float x) const {
  return 1 / x;
}

void EmulatedCta::barrier_init(std::uint32_t barrier, std::uint32_t arrivals) const {
  machine_->init(barrier, arrivals);
}

void EmulatedCta::barrier_arrive(std::uint32_t barrier) const {
  barrier_arrive_expect(barrier, 0);
}

void EmulatedCta::barrier_arrive_expect(std::uint32_t barrier, std::uint32_t bytes) const {
  Barrier& state = machine_->barrier(barrier);
  state.bytes += bytes;
  --state.missing;
  state.advance();
}

// The phase of a parity has completed when the current one has the other parity.
void EmulatedCta::barrier_wait(std::uint32_t barrier, std::uint32_t parity) const {
  const Barrier& state = machine_->barrier(barrier);
  machine_->fibers().wait_until([&] { return state.phase % 2 != parity; });
}

void EmulatedCta::tensor_load(std::uint32_t to, const EmulatedTensorMap& map, std::uint32_t x, std::uint32_t y,
                              std::uint32_t barrier) const {
  machine_->start({to, &map, x, y, barrier});
}

// Address, leading offset (unused) and stride of 1024 bytes in units of 16; the 128-byte swizzle is 1 in the top bits.
std::uint64_t EmulatedCta::descriptor(std::uint32_t tile) const {
  return (tile & 0x3ffff) >> 4 | std::uint64_t{1} << 16 | std::uint64_t{64} << 32 | std::uint64_t{1} << 62;
}

void EmulatedCta::wgmma(float (&d)[128], std::uint64_t a, std::uint64_t b) const {
  WgmmaOperand operand{d, a, b};
  machine_->in_warpgroup(thread_, "wgmma", &operand, [&](std::span<void* const> threads) {
    Wgmma wgmma{{}, a, b};
    for (void* thread : threads) {
      const auto& given = *static_cast<const WgmmaOperand*>(thread);
      require(given.a == a && given.b == b, "threads of a warpgroup disagree on the descriptors of a wgmma");
      wgmma.d.push_back(given.d);
    }
    if (machine_->launch().late) {
      machine_->wgmmas(thread_).groups.back().push_back(wgmma);
    } else {
      machine_->multiply(wgmma);
    }
  });
}

void EmulatedCta::wgmma_commit() const {
  machine_->in_warpgroup(thread_, "wgmma.commit", nullptr, [&](auto) { machine_->wgmmas(thread_).commit(); });
}

void EmulatedCta::wait_for_wgmma(std::size_t pending) const {
  machine_->in_warpgroup(thread_, "wgmma.wait", nullptr, [&](auto) {
    for (const Wgmma& wgmma : machine_->wgmmas(thread_).take_all_but(pending)) {
      machine_->multiply(wgmma);
    }
  });
}

void emulate(const EmulatedLaunch& launch, const std::function<void(const EmulatedCta&)>& body) {
  EmulatedMachine(launch).run(body);
}

}  // namespace gpusim::silicon
