// SPDX-License-Identifier: MIT
// Memory on the device and what is put into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tools/silicon/device/check.cuh"
#include "tools/silicon/host/measurement.h"

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;

namespace gpusim::silicon {

/// The kinds of element that can be filled with random values. Floating point: uniform in [-1, 1); integers: all bits.
enum class Element { F64, F32, F16, Bf16, E4m3, Bits8, Bits32 };

template <typename T>
constexpr Element kElementOf = sizeof(T) % 4 == 0 ? Element::Bits32 : Element::Bits8;
template <>
inline constexpr Element kElementOf<double> = Element::F64;
template <>
inline constexpr Element kElementOf<float> = Element::F32;
template <>
inline constexpr Element kElementOf<__half> = Element::F16;
template <>
inline constexpr Element kElementOf<__nv_bfloat16> = Element::Bf16;
template <>
inline constexpr Element kElementOf<__nv_fp8_e4m3> = Element::E4m3;

/// A function of (seed, index): the same values on every GPU and in every order.
void fill_random(void* data, std::size_t bytes, Element element, std::uint64_t seed);

template <typename T>
class Buffer {
 public:
  /// Poisoned, so that an element nobody writes shows (0xff: NaN in every floating-point type).
  explicit Buffer(std::size_t size) : size_(size) {
    SILICON_CHECK(cudaMalloc(&data_, bytes()));
    poison();
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) { from_host(values); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() { cudaFree(data_); }

  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

  void poison() { SILICON_CHECK(cudaMemset(data_, 0xff, bytes())); }
  void fill(Input input, std::uint64_t seed = 1) {
    if (input == Input::Random) {
      fill_random(data_, bytes(), kElementOf<T>, seed);
    } else {
      SILICON_CHECK(cudaMemset(data_, 0, bytes()));
    }
  }
  void from_host(const std::vector<T>& values) {
    SILICON_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  /// Waits for everything launched so far.
  [[nodiscard]] std::vector<T> to_host() const {
    std::vector<T> values(size_);
    SILICON_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gpusim::silicon
