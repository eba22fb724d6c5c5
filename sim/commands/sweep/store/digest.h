// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gpusim::sweep {

/// A digest of what was added, 128 bits of XXH3: no two of the points that anyone will ever sweep share one by chance.
/// Not for texts that somebody makes up to collide.
class Digest {
 public:
  Digest();
  /// Each part counts with its length, so that ("ab", "c") is not ("a", "bc").
  Digest& add(std::string_view part);
  Digest& add(std::uint64_t number);
  /// 32 hexadecimal digits of what was added so far.
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  struct Free {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Free> state_;
};

}  // namespace gpusim::sweep
