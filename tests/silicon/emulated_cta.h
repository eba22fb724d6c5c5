// SPDX-License-Identifier: MIT
// Runs the body of a kernel (tools/silicon/kernels/*.h) for one CTA on the host: every thread a fiber, instructions
// that threads do together (LDSM, mma, barriers) when the last of them has come. Checks what hardware would not say:
// shared memory out of bounds or misaligned, LDSM with bank conflicts, lanes that disagree on the instruction, threads
// that wait for each other for ever.
//
// Asynchronous work (copies, TMA, wgmma) is done either at once or as late as the program allows, and warps run one by
// one as far as they get, in either order: a kernel that relies on more than it waited for gives wrong numbers in one
// of these. Shared memory begins as NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tools/silicon/kernels/portable.h"

namespace gpusim::silicon {

struct EmulatedLaunch {
  std::uint32_t threads = 32;
  std::uint32_t shared_bytes = 0;
  Index3 block{};
  bool late = false;       ///< asynchronous work, see above
  bool backwards = false;  ///< the last warp first
};

/// A row-major matrix of 16-bit elements, loaded in tiles with the 128-byte swizzle.
struct EmulatedTensorMap {
  const std::uint16_t* data = nullptr;
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t tile_rows = 0, tile_columns = 0;
};

[[nodiscard]] float bf16_to_float(std::uint32_t bits);
/// To the nearest, to even in the middle.
[[nodiscard]] std::uint16_t float_to_bf16(float value);

class EmulatedMachine;

/// What a body calls `Cta`, for one thread.
class EmulatedCta {
 public:
  using TensorMap = EmulatedTensorMap;

  EmulatedCta(EmulatedMachine& machine, std::uint32_t thread) : machine_(&machine), thread_(thread) {}

  [[nodiscard]] std::uint32_t thread() const { return thread_; }
  [[nodiscard]] Index3 block() const;
  template <typename T>
  [[nodiscard]] T* shared(std::uint32_t offset) const {
    return reinterpret_cast<T*>(shared_bytes(offset));
  }
  [[nodiscard]] std::uint32_t shared_base() const;

  void sync() const;
  void sync_warp() const;
  void sync_some(std::uint32_t barrier, std::uint32_t threads) const;

  void copy_async(std::uint32_t to, const void* from) const;
  void copy_async_commit() const;
  template <int kPending>
  void copy_async_wait() const {
    wait_for_copies(kPending);
  }

  [[nodiscard]] Words4 load_shared(std::uint32_t address) const;
  void store_shared(std::uint32_t address, std::uint32_t word) const;
  void store_global(void* to, const Words4& words) const;

  void load_matrix(std::uint32_t (&r)[4], std::uint32_t row) const { ldmatrix(r, row, false); }
  void load_matrix_transposed(std::uint32_t (&r)[4], std::uint32_t row) const { ldmatrix(r, row, true); }
  void mma(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) const;
  [[nodiscard]] std::uint32_t pack(float low, float high) const;
  [[nodiscard]] float shuffle_xor(float value, std::uint32_t mask) const;
  [[nodiscard]] float exp2(float x) const;
  [[nodiscard]] float reciprocal(float x) const;

  void barrier_init(std::uint32_t barrier, std::uint32_t arrivals) const;
  void publish_barriers() const {}
  void barrier_arrive(std::uint32_t barrier) const;
  void barrier_arrive_expect(std::uint32_t barrier, std::uint32_t bytes) const;
  void barrier_wait(std::uint32_t barrier, std::uint32_t parity) const;
  void tensor_load(std::uint32_t to, const EmulatedTensorMap& map, std::uint32_t x, std::uint32_t y,
                   std::uint32_t barrier) const;

  template <int kRegisters>
  void registers_up_to() const {}
  template <int kRegisters>
  void registers_down_to() const {}
  /// Describes a tile with k along its rows and the 128-byte swizzle; 32 bytes along k are 2 in its low bits.
  [[nodiscard]] std::uint64_t descriptor(std::uint32_t tile) const;
  void wgmma_fence() const {}
  void wgmma_settled(float (&)[128]) const {}
  /// d += a b^T of 64 x 256 x 16, both from shared memory, by descriptors.
  void wgmma(float (&d)[128], std::uint64_t a, std::uint64_t b) const;
  void wgmma_commit() const;
  template <int kPending>
  void wgmma_wait() const {
    wait_for_wgmma(kPending);
  }

 private:
  [[nodiscard]] std::byte* shared_bytes(std::uint32_t offset) const;
  void wait_for_copies(std::size_t pending) const;
  void wait_for_wgmma(std::size_t pending) const;
  void ldmatrix(std::uint32_t (&r)[4], std::uint32_t row, bool transposed) const;

  EmulatedMachine* machine_;
  std::uint32_t thread_;
};

/// Runs `body` for every thread of the CTA. Throws std::logic_error on what is listed above.
void emulate(const EmulatedLaunch& launch, const std::function<void(const EmulatedCta&)>& body);

}  // namespace gpusim::silicon
