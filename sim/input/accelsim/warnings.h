// SPDX-License-Identifier: MIT
// What is worth saying of a trace that is read all the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace gpusim::frontend::accelsim {

/// Keeps the first few warnings, each once, and counts the others.
class Warnings {
 public:
  static constexpr std::size_t kMostKept = 20;

  void add(std::string text) {
    if (!seen_.insert(std::hash<std::string>{}(text)).second) {
      return;
    }
    if (kept_.size() < kMostKept) {
      kept_.push_back(std::move(text));
    } else {
      ++more_;
    }
  }

  /// The last one says how many are not there.
  [[nodiscard]] std::vector<std::string> all() const {
    std::vector<std::string> texts = kept_;
    if (more_ != 0) {
      texts.push_back("and " + std::to_string(more_) + " warnings more");
    }
    return texts;
  }

 private:
  std::vector<std::string> kept_;
  std::unordered_set<std::size_t> seen_;  ///< hashes: the texts may be many
  std::uint64_t more_ = 0;
};

}  // namespace gpusim::frontend::accelsim
