// SPDX-License-Identifier: MIT
// Which CTAs of a grid have come.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>

namespace gpusim::frontend::accelsim {

/// Takes a count as long as CTAs come in order, and some bits a CTA when they do not; never what a header claims.
class Places {
 public:
  /// False when the CTA, by its linear number, came before.
  bool insert(std::uint64_t cta) {
    if (cta < in_order_) {
      return false;
    }
    if (cta == in_order_ && others_.empty()) {
      ++in_order_;
      return true;
    }
    std::bitset<kPage>& page = others_[cta / kPage];
    const bool is_new = !page[cta % kPage];
    page[cta % kPage] = true;
    return is_new;
  }
  /// Whether all so far came one after the other from 0.
  [[nodiscard]] bool are_in_order() const { return others_.empty(); }

 private:
  static constexpr std::size_t kPage = 512;

  std::uint64_t in_order_ = 0;                                    ///< all below came
  std::unordered_map<std::uint64_t, std::bitset<kPage>> others_;  ///< by page
};

}  // namespace gpusim::frontend::accelsim
