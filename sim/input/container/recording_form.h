// SPDX-License-Identifier: MIT
// What warps did, as a container holds it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/container/address_check.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::container {

/// What a recording's parts must fit to.
struct RecordingFrame {
  std::uint32_t instructions = 0;  ///< instructions of the kernel's code
  std::uint32_t warps_per_cta = 1;
  Dim3 grid;
  std::vector<AddressRange> sites{};  ///< where each may go; a writer, which knows it, has none
};

[[nodiscard]] std::string encode_vocabulary(const trace::Vocabulary& vocabulary);
[[nodiscard]] std::string encode_ctas(const trace::RecordedCtas& ctas, const RecordingFrame& frame);

/// Throw InputError about `file` where numbers lead nowhere. Ids of patterns are given from 0 on, to `patterns` of
/// them.
[[nodiscard]] trace::Vocabulary decode_vocabulary(std::string_view message, const RecordingFrame& frame,
                                                  std::uint32_t patterns, const std::string& file);
/// `first` and `count` say which CTAs these are, `shared` is the kernel's vocabulary.
[[nodiscard]] trace::RecordedCtas decode_ctas(std::string_view message, const RecordingFrame& frame,
                                              std::shared_ptr<const trace::Vocabulary> shared, std::uint64_t first,
                                              std::uint64_t count, const std::string& file);

}  // namespace gpusim::container
