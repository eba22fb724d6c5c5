// SPDX-License-Identifier: MIT
// What warps did, as a container holds it.
#pragma once

#include <string>
#include <string_view>

#include "sim/trace/recorded.h"

namespace gpusim::container {

/// What a recording's parts must fit to.
struct RecordingFrame {
  std::uint32_t instructions = 0;  ///< of the kernel's code
  std::uint32_t warps_per_cta = 1;
  std::uint32_t sites = 0;
  Dim3 grid;
};

/// How many entries the kernel's vocabulary has: those of CTAs are numbered from there on.
struct VocabularySizes {
  VocabularySizes() = default;
  explicit VocabularySizes(const trace::Vocabulary& vocabulary)
      : segments(vocabulary.segments.size()),
        paths(vocabulary.paths.size()),
        shapes(vocabulary.shapes.size()),
        patterns(vocabulary.patterns.size()) {}

  std::size_t segments = 0;
  std::size_t paths = 0;
  std::size_t shapes = 0;
  std::size_t patterns = 0;
};

[[nodiscard]] std::string encode_vocabulary(const trace::Vocabulary& vocabulary);
[[nodiscard]] std::string encode_ctas(const trace::RecordedCtas& ctas, const RecordingFrame& frame);

/// Throw InputError about `file` where numbers lead nowhere. Ids of patterns are given from 0 on.
[[nodiscard]] trace::Vocabulary decode_vocabulary(std::string_view message, const RecordingFrame& frame,
                                                  const std::string& file);
/// `first` and `count` say which CTAs these are.
[[nodiscard]] trace::RecordedCtas decode_ctas(std::string_view message, const RecordingFrame& frame,
                                              const VocabularySizes& shared, std::uint64_t first, std::uint64_t count,
                                              const std::string& file);

}  // namespace gpusim::container
