// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/recorded.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/commands/roofline/roofline.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/system/application/application.h"
#include "sim/system/run/cost.h"

namespace gpusim::app {
namespace {

/// The first part that a name has decides.
constexpr std::array<std::pair<std::string_view, ScaleBy>, 24> kParts{
    {{"nccl", ScaleBy::kNothing},      {"triton_poi", ScaleBy::kDram}, {"triton_red", ScaleBy::kDram},
     {"triton_per", ScaleBy::kDram},   {"convert", ScaleBy::kDram},    {"sgemm", ScaleBy::kFp32},
     {"simt", ScaleBy::kFp32},         {"dgemm", ScaleBy::kFp64},      {"gemv", ScaleBy::kDram},
     {"splitkreduce", ScaleBy::kDram}, {"transpose", ScaleBy::kDram},  {"nchwtonhwc", ScaleBy::kDram},
     {"nhwctonchw", ScaleBy::kDram},   {"gemm", ScaleBy::kTensor},     {"nvjet", ScaleBy::kTensor},
     {"cutlass", ScaleBy::kTensor},    {"xmma", ScaleBy::kTensor},     {"conv", ScaleBy::kTensor},
     {"dgrad", ScaleBy::kTensor},      {"wgrad", ScaleBy::kTensor},    {"winograd", ScaleBy::kTensor},
     {"flash", ScaleBy::kTensor},      {"fmha", ScaleBy::kTensor},     {"attention", ScaleBy::kTensor}}};

struct Scale {
  std::string peak;  ///< what tables call it
  double rate = 0;   ///< what the GPU does in a second
};

/// The first peak of the list that the GPU has, at the clock of its SMs.
Scale flat_peak(const arch::Arch& arch, std::span<const std::string_view> names) {
  const std::vector<arch::Peak> peaks = arch::computed_peaks(arch);
  const auto name =
      std::ranges::find_if(names, [&peaks](std::string_view one) { return arch::find_peak(peaks, one) != nullptr; });
  const std::string found(name == names.end() ? "fp32" : *name);
  return {found, roofline::make_roofs(arch, {found, false, "dram", roofline::ClockChoice::kSm}).compute.front().rate};
}

Scale scale_of(const arch::Arch& arch, ScaleBy by) {
  constexpr std::array<std::string_view, 3> kTensor{"bf16_tensor", "fp16_tensor", "fp32"};
  constexpr std::array<std::string_view, 1> kFp32{"fp32"};
  constexpr std::array<std::string_view, 2> kFp64{"fp64", "fp32"};
  switch (by) {
    case ScaleBy::kTensor: return {"tensor peaks", flat_peak(arch, kTensor).rate};
    case ScaleBy::kFp32: return {"FP32 peaks", flat_peak(arch, kFp32).rate};
    case ScaleBy::kFp64: return {"FP64 peaks", flat_peak(arch, kFp64).rate};
    case ScaleBy::kDram: return {"bandwidths", arch::find_peak(arch::computed_peaks(arch), "dram")->value};
    case ScaleBy::kNothing: break;
  }
  return {"", 1};
}

/// What the shortest kernel takes.
double least_ns(const arch::Arch& arch) {
  return static_cast<double>(arch.launch.begin_ns + arch.launch.flush_ns);
}

std::string hundredths_text(double number) {
  constexpr long kHundred = 100;
  const long hundredths = std::lround(number * kHundred);
  const std::string digits = std::to_string(hundredths % kHundred);
  return std::to_string(hundredths / kHundred) + (digits.size() == 1 ? ".0" : ".") + digits;
}

}  // namespace

ScaleBy scale_by(std::string_view name) {
  std::string plain(name);
  std::ranges::transform(plain, plain.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* const found =
      std::ranges::find_if(kParts, [&plain](const auto& part) { return plain.find(part.first) != std::string::npos; });
  return found == kParts.end() ? ScaleBy::kDram : found->second;
}

void scale_recorded(const application::Kernel& kernel, const arch::Arch& source, const arch::Arch& arch,
                    run::KernelCost& cost) {
  const ScaleBy by = scale_by(label_of(kernel));
  const auto& [recorded, of] = std::get<application::Recorded>(kernel.how);
  const Scale here = scale_of(arch, by);
  const double ratio = scale_of(source, by).rate / here.rate;
  cost.ns = recorded;
  if (by == ScaleBy::kNothing || std::abs(ratio - 1) < 1e-9) {
    cost.how = run::TimeOf::kRecorded;
    cost.note = "on " + of;
    return;
  }
  const double fixed = std::min(recorded, least_ns(source));
  cost.ns = (recorded - fixed) * ratio + fixed * least_ns(arch) / least_ns(source);
  cost.how = run::TimeOf::kScaled;
  cost.note = "recorded on " + of + ", x " + hundredths_text(ratio) + " by " + here.peak;
}

}  // namespace gpusim::app
