// SPDX-License-Identifier: MIT
// A buffer whose contents the trace knows, for gathers and pointer chases: read in expressions as name[index].
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpusim::trace {

struct Dealing;

class Table {
 public:
  /// Entries that permutations and chains of one file may have in total: 256 MiB.
  static constexpr std::uint64_t kMostEntries = 64ULL << 20U;

  /// 0 .. count - 1 in a random order.
  [[nodiscard]] static Table permutation(std::uint64_t count, std::int64_t seed);
  /// The successor of each entry on one random cycle through all of them: following it visits every entry.
  [[nodiscard]] static Table chain(std::uint64_t count, std::int64_t seed);
  /// Pseudo-random values in [0, modulus); takes no memory.
  [[nodiscard]] static Table hashed(std::uint64_t count, std::int64_t seed, std::int64_t modulus);
  /// a * i + b; takes no memory.
  [[nodiscard]] static Table affine(std::uint64_t count, std::int64_t a, std::int64_t b);

  /// How far apart neighbours of `offsets` lie: `least` to `most`, u^power of the way, u random in [0, 1). A higher
  /// power makes long steps rarer.
  struct Steps {
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t power = 1;
  };
  static constexpr std::int64_t kMostStep = 1 << 20;
  static constexpr std::int64_t kMostPower = 16;
  /// 0, and every entry a random step behind the one before: where the rows of a sparse matrix begin.
  [[nodiscard]] static Table offsets(std::uint64_t count, std::int64_t seed, const Steps& steps);

  /// These entries, in order.
  [[nodiscard]] static Table stored(std::vector<std::uint32_t> entries);

  /// Which tiles each worker takes, where the one that is free first takes the next: `dealt`.
  [[nodiscard]] static Table first_free(const Dealing& dealing);

  [[nodiscard]] std::uint64_t size() const { return count_; }
  [[nodiscard]] bool contains(std::int64_t index) const {
    return index >= 0 && static_cast<std::uint64_t>(index) < count_;
  }
  /// Only for contained indices.
  [[nodiscard]] std::int64_t at(std::int64_t index) const;

 private:
  enum class Kind : std::uint8_t { kStored, kHashed, kAffine };
  Kind kind_ = Kind::kStored;
  std::uint64_t count_ = 0;
  std::int64_t a_ = 0;
  std::int64_t b_ = 0;
  std::vector<std::uint32_t> stored_;
};

}  // namespace gpusim::trace
