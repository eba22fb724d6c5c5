// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/recorded.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <set>
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

/// Adds how often calls launch each kernel, `times` over.
void count_launches(const application::Application& of, const application::Calls& calls, double times,
                    std::vector<double>& launches) {
  for (const application::Call& call : calls) {
    if (const auto* const launch = std::get_if<application::Launch>(&call.is)) {
      launches[launch->kernel] += times;
    } else if (const auto* const graph = std::get_if<application::LaunchGraph>(&call.is)) {
      count_launches(of, of.graphs[graph->graph].calls, times, launches);
    } else if (const auto* const repeat = std::get_if<application::Repeat>(&call.is)) {
      count_launches(of, repeat->body, times * static_cast<double>(repeat->times), launches);
    } else if (const auto* const range = std::get_if<application::Range>(&call.is)) {
      count_launches(of, range->body, times, launches);
    }
  }
}

/// The operations of recorded kernels with the time that a round takes of them, the longest first.
std::vector<std::pair<application::Operation, double>> operation_times(const application::Application& of) {
  std::vector<double> launches(of.kernels.size(), 0);
  for (const application::Thread& thread : of.threads) {
    count_launches(of, of.bodies[thread.body], 1, launches);
  }
  std::map<application::Operation, double> times;
  for (std::size_t i = 0; i < of.kernels.size(); ++i) {
    const auto* const how = std::get_if<application::Recorded>(&of.kernels[i].how);
    if (how != nullptr && how->does) {
      times[*how->does] += launches[i] * how->ns;
    }
  }
  std::vector<std::pair<application::Operation, double>> sorted(times.begin(), times.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<application::Operation, double>::second);
  return sorted;
}

std::string text_of(const StandIn& stand_in) {
  return stand_in.kernel.empty() ? "the roofline" : stand_in.kernel + " simulated";
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
  const auto& how = std::get<application::Recorded>(kernel.how);
  const double recorded = how.ns;
  const std::string& of = how.of;
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

std::vector<bool> worth_simulating(const application::Application& application) {
  constexpr double kShare = 0.95;
  constexpr std::size_t kMostOperations = 64;
  const auto times = operation_times(application);
  double all = 0;
  for (const auto& [operation, ns] : times) {
    all += ns;
  }
  std::set<application::Operation> worth;
  double sum = 0;
  for (const auto& [operation, ns] : times) {
    if (sum < kShare * all && worth.size() < kMostOperations) {
      worth.insert(operation);
      sum += ns;
    }
  }
  std::vector<bool> is_worth(application.kernels.size(), false);
  for (std::size_t i = 0; i < application.kernels.size(); ++i) {
    const auto* const how = std::get_if<application::Recorded>(&application.kernels[i].how);
    is_worth[i] = how != nullptr && how->does && worth.contains(*how->does);
  }
  return is_worth;
}

void carry_recorded(const application::Kernel& kernel, const StandIn& there, const StandIn& here,
                    run::KernelCost& cost) {
  const auto& how = std::get<application::Recorded>(kernel.how);
  const double ratio = here.cost.ns / there.cost.ns;
  const double flops = cost.flops;
  if (!here.kernel.empty()) {
    cost = here.cost;  // CTAs are those of the kernel here
  }
  cost.of_sms = here.cost.of_sms;
  cost.is_of_sms_known = here.cost.is_of_sms_known;
  cost.ns = how.ns * ratio;
  cost.tail_ns = cost.ns * cost.tail_share;
  cost.flops = flops;
  cost.how = run::TimeOf::kCarried;
  cost.bound = here.cost.bound;
  const double slower = here.cost.ns / cost.ns;  // the same work in another time
  cost.compute = std::min(1.0, here.cost.compute * slower);
  cost.tensor = std::min(1.0, here.cost.tensor * slower);
  cost.dram = std::min(1.0, here.cost.dram * slower);
  const std::string both = text_of(here) == text_of(there) ? text_of(here) + " here and there"
                                                           : text_of(here) + " here, " + text_of(there) + " there";
  cost.note = "recorded on " + how.of + ", x " + hundredths_text(ratio) + ": " + both;
}

}  // namespace gpusim::app
