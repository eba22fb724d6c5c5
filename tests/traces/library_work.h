// SPDX-License-Identifier: MIT
// What each kernel of the library has to do, derived from its algorithm alone, and the shapes it is tried at.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gpusim::testing {

/// Work of a whole launch. Bytes are those that threads ask of global memory, before any cache.
struct Work {
  std::uint64_t flops = 0;
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  std::uint64_t atomic = 0;
  friend bool operator==(const Work&, const Work&) = default;
};

/// What any implementation has to do: FLOPs that are left when nothing is done twice or in vain, and how far above them
/// this one may lie, in percent.
struct Algorithm {
  std::uint64_t flops = 0;
  unsigned percent = 0;
};

/// The values of all parameters; a word counts as its place in the list.
using Values = std::map<std::string, std::uint64_t>;

/// Bytes of an element of the type f32 | f16 | bf16 | f64.
[[nodiscard]] inline std::uint64_t type_bytes(const Values& v) {
  return v.at("type") == 0 ? 4 : v.at("type") == 3 ? 8 : 2;
}

/// Steps of a sum over `n` lanes by halves.
[[nodiscard]] inline std::uint64_t steps_of(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n > 1; n /= 2) {
    ++steps;
  }
  return steps;
}

struct LibraryCase {
  const char* file;  ///< in traces/library
  Work (*work)(const Values& v);
  std::vector<std::string> shapes;                    ///< "m=64 type=f16", on top of the test set
  Algorithm (*algorithm)(const Values& v) = nullptr;  ///< for kernels that have a formula in every textbook
  std::string in_part{};                              ///< buffers whose size says nothing of the work: "table counts"
};

[[nodiscard]] std::span<const LibraryCase> memory_and_reduction_cases();
[[nodiscard]] std::span<const LibraryCase> dense_cases();
[[nodiscard]] std::span<const LibraryCase> network_cases();
[[nodiscard]] std::span<const LibraryCase> attention_cases();
[[nodiscard]] std::span<const LibraryCase> elementwise_cases();
[[nodiscard]] std::span<const LibraryCase> irregular_cases();
[[nodiscard]] std::span<const LibraryCase> stencil_cases();

}  // namespace gpusim::testing
