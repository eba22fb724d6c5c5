// SPDX-License-Identifier: MIT
// What a kernel is launched with, and what it has to leave behind: made with a CPU reference, before anything runs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::exec {

using Bytes = std::vector<std::byte>;

template <typename T>
[[nodiscard]] Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
[[nodiscard]] std::vector<T> values_of(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// How far a result may be from the reference: both together. Nothing: the same bits.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// A tiled matrix as the TMA sees it: rows one after another.
struct TensorArgument {
  std::size_t buffer = 0;  ///< index into Problem::buffers()
  unsigned element_bytes = 4;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t tile_rows = 0;
  std::uint32_t tile_columns = 0;
  unsigned swizzle_bytes = 0;  ///< 0, 32, 64, 128
};

/// An argument: a value, a buffer by its index, or a tensor map.
using Argument = std::variant<Bytes, std::size_t, TensorArgument>;

/// All buffers after the run, by index.
using Outcome = std::vector<Bytes>;
/// Says what is wrong; empty when all is right.
using Check = std::function<std::string(const Outcome&)>;

class Problem {
 public:
  Problem(Dim3 its_grid, Dim3 its_block, std::uint32_t its_dynamic_shared = 0)
      : grid(its_grid), block(its_block), dynamic_shared(its_dynamic_shared) {}

  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared;

  template <typename T>
  Problem& value(const T& argument) {
    arguments_.emplace_back(bytes_of(std::vector<T>{argument}));
    return *this;
  }
  /// A buffer that the kernel reads.
  template <typename T>
  Problem& in(const std::vector<T>& values) {
    add(bytes_of(values));
    return *this;
  }
  /// A buffer with what it has before, and what it has to have after the run.
  template <typename T>
  Problem& in_out(const std::vector<T>& before, const std::vector<T>& expected, Tolerance tolerance = {}) {
    add(bytes_of(before));
    const std::size_t buffer = buffers_.size() - 1;
    checks_.push_back([=](const Outcome& outcome) { return difference(outcome[buffer], expected, tolerance, buffer); });
    return *this;
  }
  /// The same, of a buffer that begins with zeros.
  template <typename T>
  Problem& out(const std::vector<T>& expected, Tolerance tolerance = {}) {
    return in_out(std::vector<T>(expected.size()), expected, tolerance);
  }
  /// The newest argument is handed over as a tensor map of its buffer.
  Problem& as_tensor(TensorArgument map) {
    map.buffer = std::get<std::size_t>(arguments_.back());
    arguments_.back() = map;
    return *this;
  }
  Problem& check(Check check) {
    checks_.push_back(std::move(check));
    return *this;
  }

  [[nodiscard]] const std::vector<Argument>& arguments() const { return arguments_; }
  [[nodiscard]] const std::vector<Bytes>& buffers() const { return buffers_; }
  /// The first thing that is wrong; empty when all is right.
  [[nodiscard]] std::string judge(const Outcome& outcome) const {
    for (const Check& check : checks_) {
      if (std::string wrong = check(outcome); !wrong.empty()) {
        return wrong;
      }
    }
    return {};
  }

 private:
  void add(Bytes bytes) {
    arguments_.emplace_back(buffers_.size());
    buffers_.push_back(std::move(bytes));
  }

  template <typename T>
  static std::string difference(const Bytes& bytes, const std::vector<T>& expected, Tolerance tolerance,
                                std::size_t buffer) {
    const std::vector<T> found = values_of<T>(bytes);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::memcmp(&found[i], &expected[i], sizeof(T)) == 0) {
        continue;
      }
      const auto want = static_cast<double>(expected[i]);
      const double distance = std::abs(static_cast<double>(found[i]) - want);
      if (!(distance <= tolerance.relative * std::abs(want) + tolerance.absolute) || tolerance.relative == 0) {
        return "buffer " + std::to_string(buffer) + ", element " + std::to_string(i) + ": " + std::to_string(found[i]) +
               " instead of " + std::to_string(expected[i]);
      }
    }
    return {};
  }

  std::vector<Argument> arguments_;
  std::vector<Bytes> buffers_;
  std::vector<Check> checks_;
};

/// A kernel of data/.
struct KernelCase {
  std::string file;       ///< data/FILE.fatbin
  std::string kernel;     ///< as the source calls it
  unsigned since = 75;    ///< the first SM it is compiled for
  std::string tolerance;  ///< "exact", or how near its results have to be
  std::function<Problem()> make;
};

/// All of them, in the order of the documentation's table.
[[nodiscard]] std::vector<KernelCase> kernel_cases();

// Those of one source file each.
[[nodiscard]] std::vector<KernelCase> place_cases();
[[nodiscard]] std::vector<KernelCase> vector_cases();
[[nodiscard]] std::vector<KernelCase> dense_cases();
[[nodiscard]] std::vector<KernelCase> matrix_cases();
[[nodiscard]] std::vector<KernelCase> sparse_cases();
[[nodiscard]] std::vector<KernelCase> arithmetic_cases();
[[nodiscard]] std::vector<KernelCase> control_cases();
[[nodiscard]] std::vector<KernelCase> memory_cases();

}  // namespace gpusim::exec
