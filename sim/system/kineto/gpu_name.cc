// SPDX-License-Identifier: MIT
#include "sim/system/kineto/gpu_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gpusim::kineto {
namespace {

/// A GPU whose name has the words, in any order.
struct NamedGpu {
  std::array<std::string_view, 3> words;  ///< the rest is empty
  std::string_view arch;
};
/// The first that fits counts.
constexpr std::array<NamedGpu, 22> kGpus{{{{"gtx", "1660", "ti"}, "gtx1660ti"},
                                          {{"rtx", "2080", "ti"}, "rtx2080ti"},
                                          {{"3090", "ti"}, ""},
                                          {{"rtx", "3090"}, "rtx3090"},
                                          {{"rtx", "4090"}, "rtx4090"},
                                          {{"rtx", "5090"}, "rtx5090"},
                                          {{"rtx", "a6000"}, "a6000"},
                                          {{"p100"}, "p100"},
                                          {{"v100"}, "v100"},
                                          {{"t4"}, "t4"},
                                          {{"a40"}, "a40"},
                                          {{"a100", "40gb"}, "a100-40gb"},
                                          {{"a100"}, "a100"},
                                          {{"l4"}, "l4"},
                                          {{"l40"}, "l40"},
                                          {{"l40s"}, "l40s"},
                                          {{"h800", "pcie"}, "h800-pcie"},
                                          {{"h100", "pcie"}, "h100-pcie"},
                                          {{"h100"}, "h100"},
                                          {{"h200"}, "h200"},
                                          {{"gh200"}, "gh200"},
                                          {{"b200"}, "b200"}}};
/// Words of GPUs that differ from those above.
constexpr std::array<std::string_view, 6> kOthers{"laptop", "mig", "max", "super", "d", "nvl"};

/// The name in small letters, with a space around each word.
std::string words_of(std::string_view name) {
  std::string text = " ";
  for (const char c : name) {
    text += std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                : ' ';
  }
  return text + " ";
}

}  // namespace

std::string_view arch_of_gpu(std::string_view name) {
  if (const auto* const same = std::ranges::find(kGpus, name, &NamedGpu::arch); same != kGpus.end()) {
    return same->arch;
  }
  const std::string words = words_of(name);
  const auto has = [&words](std::string_view word) {
    return words.find(" " + std::string(word) + " ") != std::string::npos;
  };
  if (std::ranges::any_of(kOthers, has)) {
    return "";
  }
  const auto* const found = std::ranges::find_if(kGpus, [&has](const NamedGpu& gpu) {
    return std::ranges::all_of(gpu.words, [&has](std::string_view word) { return word.empty() || has(word); });
  });
  return found == kGpus.end() ? "" : found->arch;
}

}  // namespace gpusim::kineto
