// SPDX-License-Identifier: MIT
// What is wrong with a kernel's accesses, each instruction or pair of instructions once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/exec/core/image.h"

namespace gpusim::exec {

struct Finding {
  enum class Kind : std::uint8_t {
    kOutOfBounds,
    kMisaligned,
    kUninitialised,
    kReadAfterWrite,
    kWriteAfterRead,
    kWriteAfterWrite,
  };
  Kind kind = Kind::kOutOfBounds;
  std::uint32_t pc = 0;
  std::uint32_t other_pc = 0;  ///< instruction that it races with
  std::string message;         ///< text of the first time: "invalid global read of 4 bytes at 0x7f0000000100: ..."
  std::string who;             ///< "lane 3 of warp 1 in CTA (4, 0, 0), thread (35, 0, 0)"
  std::string other;           ///< "written by lane 2 of ..."; "" where there is no other
  std::uint64_t times = 1;
};

class Findings {
 public:
  /// Null if its like is there already, which then has been counted: it need not be described.
  [[nodiscard]] Finding* add(Finding::Kind kind, std::uint32_t pc, std::uint32_t other_pc);
  [[nodiscard]] const std::vector<Finding>& all() const { return findings_; }

 private:
  std::vector<Finding> findings_;  ///< as they were found
  std::map<std::tuple<Finding::Kind, std::uint32_t, std::uint32_t>, std::size_t> known_;
};

/// The finding over several lines, the place in the source first.
[[nodiscard]] std::string to_text(const Finding& finding, const Image& image);

}  // namespace gpusim::exec
