// SPDX-License-Identifier: MIT
// The shipped traces that Accel-Sim's format can say, at their test sizes.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/text/load.h"

namespace gpusim::test {

inline const std::filesystem::path kTraces = GPUSIM_SOURCE_DIR "/traces";

/// The format has no words for clusters, for polls that the machine answers, and for commands to the TMA: exports
/// refuse them (tests/system).
inline constexpr std::array<std::string_view, 5> kUnsayable{"dsmem-reduce", "tma-copy", "gemm-fp8", "gemm-wgmma",
                                                            "flash-attention-3"};

/// Those of the library as well, as paths below kTraces; not the recordings, which are not text.
inline std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTraces)) {
    const bool is_sayable = std::ranges::find(kUnsayable, entry.path().stem().string()) == kUnsayable.end();
    const bool is_text = entry.path().extension() == ".trace" && entry.path().parent_path() != kTraces / "recorded";
    if (is_text && is_sayable) {
      names.push_back(entry.path().lexically_relative(kTraces).string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline trace::Trace shipped(const std::string& name) {
  trace::ParameterChoice choice;
  choice.use_test_set = true;
  return frontend::load_trace_text(kTraces / name, choice);
}

}  // namespace gpusim::test
