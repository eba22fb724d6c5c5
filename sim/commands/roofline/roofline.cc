// SPDX-License-Identifier: MIT
#include "sim/commands/roofline/roofline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"

namespace gpusim::roofline {
namespace {

struct Type {
  std::string_view peak;
  double element_bytes;
};
constexpr std::array<Type, 14> kTypes{{{"fp32", 4},
                                       {"fp64", 8},
                                       {"fp16", 2},
                                       {"bf16_tensor", 2},
                                       {"fp16_tensor", 2},
                                       {"fp16_fp16acc_tensor", 2},
                                       {"tf32_tensor", 4},
                                       {"fp8_tensor", 1},
                                       {"fp8_fp16acc_tensor", 1},
                                       {"fp4_tensor", 0.5},
                                       {"int8_tensor", 1},
                                       {"int4_tensor", 0.5},
                                       {"binary_tensor", 0.125},
                                       {"fp64_tensor", 8}}};
constexpr std::string_view kTensor = "_tensor";
constexpr std::string_view kSparse = "_sparse";
/// Outermost first.
constexpr std::array<std::string_view, 4> kLevels{"dram", "l2", "l1", "shared"};

std::string_view without(std::string_view text, std::string_view suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

const Type* find_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, without(name, kSparse), &Type::peak);
  return found != kTypes.end() ? &*found : nullptr;
}

/// The peak that a user's word means: its name, or its name without "_tensor".
std::string peak_name(const std::string& word, bool sparse) {
  const std::string dense(without(word, kSparse));
  std::string name = dense;
  if (find_type(name) == nullptr) {
    name += kTensor;
  }
  if (dense.ends_with(kSparse) || find_type(name) == nullptr) {
    std::vector<std::string_view> known;
    for (const Type& type : kTypes) {
      // "fp16" is the rate without tensor cores; the one with them has its whole name.
      const std::string_view brief = without(type.peak, kTensor);
      known.push_back(brief != type.peak && find_type(brief) != nullptr ? type.peak : brief);
    }
    throw UsageError("unknown type '" + word + "' (" + suggestion(dense, known) + ")");
  }
  if ((sparse || dense != word) && (!name.ends_with(kTensor) || name == "fp64_tensor")) {
    throw UsageError("'" + name + "' has no sparse rate: 2:4 sparsity is for tensor types other than FP64");
  }
  return name + std::string(sparse || dense != word ? kSparse : "");
}

Ceiling ceiling_of(const arch::Peak& peak, const arch::Arch& arch, ClockChoice choice) {
  if (peak.clock == arch::PeakClock::kMemory) {
    return {peak.name, peak.value, std::string(word_of(peak.clock)), static_cast<double>(arch.clocks.memory),
            peak.unit};
  }
  const arch::PeakClock clock = choice == ClockChoice::kSm ? arch::PeakClock::kSm : peak.clock;
  const double hertz = arch::clock_hz(arch, clock);
  return {peak.name, peak.value / arch::clock_hz(arch, peak.clock) * hertz, std::string(word_of(clock)), hertz,
          peak.unit};
}

std::string list_of(std::span<const arch::Peak> peaks, auto&& wanted) {
  std::string text;
  for (const arch::Peak& peak : peaks) {
    if (wanted(peak)) {
      text += (text.empty() ? "it has: " : ", ") + peak.name;
    }
  }
  return text;
}

const arch::Peak& compute_peak(const arch::Arch& arch, std::span<const arch::Peak> peaks, const Request& request) {
  std::string name = peak_name(request.type.empty() ? "bf16" : request.type, request.sparse);
  const arch::Peak* found = arch::find_peak(peaks, name);
  if (found == nullptr && request.type.empty()) {
    name = peak_name("fp16_tensor", request.sparse);
    found = arch::find_peak(peaks, name);
  }
  if (found == nullptr) {
    throw InputError({{arch.name, 0, 0}, "has no peak '" + name + "'", list_of(peaks, [](const arch::Peak& peak) {
                        return find_type(peak.name) != nullptr;
                      })});
  }
  return *found;
}

}  // namespace

Roofs make_roofs(const arch::Arch& arch, const Request& request) {
  if (std::ranges::find(kLevels, request.level) == kLevels.end()) {
    throw UsageError("unknown level '" + request.level + "' (" + suggestion(request.level, kLevels) + ")");
  }
  const std::vector<arch::Peak> peaks = arch::computed_peaks(arch);
  Roofs roofs{arch.name, {ceiling_of(compute_peak(arch, peaks, request), arch, request.clock)}, {}, 0};
  std::optional<std::size_t> chosen;
  for (const std::string_view level : kLevels) {
    const arch::Peak* const found = arch::find_peak(peaks, level);
    if (found != nullptr && found->value > 0) {
      chosen = level == request.level ? roofs.levels.size() : chosen;
      roofs.levels.push_back(ceiling_of(*found, arch, request.clock));
    }
  }
  if (!chosen) {
    throw InputError({{arch.name, 0, 0}, "has no peak '" + request.level + "'", ""});
  }
  roofs.level = *chosen;
  return roofs;
}

double element_bytes(std::string_view peak) {
  const Type* const type = find_type(peak);
  return type != nullptr ? type->element_bytes : 0;
}

std::string_view to_text(Bound bound) {
  return bound == Bound::kMemory ? "memory" : "compute";
}

std::string intensity_text(double intensity) {
  // Three digits are kept, and no thousand is hidden in an exponent until nobody would read it.
  constexpr double kWhole = 99.95;
  constexpr double kUnreadable = 1e9;
  return intensity < kWhole || intensity >= kUnreadable
             ? fmt::format("{:.3g}", intensity)
             : with_thousands(static_cast<std::uint64_t>(std::llround(intensity)));
}

Estimate estimate(const Roofs& roofs, const Work& work) {
  const Ceiling& compute = roofs.compute[work.compute];
  Estimate e;
  e.intensity = work.flops / work.bytes;
  e.ridge = Roofs::ridge(compute, roofs.levels[roofs.level]);
  e.bound = e.intensity < e.ridge ? Bound::kMemory : Bound::kCompute;
  e.attainable = std::min(e.intensity * roofs.bandwidth(), compute.rate);
  e.seconds = std::max(work.flops / compute.rate, work.bytes / roofs.bandwidth());
  e.peak_pct = 100.0 * e.attainable / compute.rate;
  return e;
}

}  // namespace gpusim::roofline
