// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/commands/arch/peaks_of.h"
#include "sim/commands/arch/tables.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/schema.h"

namespace gpusim::arch_tables {
namespace {

using arch::Arch;
using arch::Peak;
using Json = nlohmann::ordered_json;

constexpr double kMi = 1024 * 1024;
constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;

std::size_t count_guesses(const Arch& gpu, SourceKind kind) {
  return static_cast<std::size_t>(std::ranges::count(gpu.guesses, kind, &arch::Guess::kind));
}

/// Three significant digits, or a dash for what the GPU lacks.
std::string tera(const std::vector<Peak>& peaks, std::string_view name) {
  const double value = peak_value(peaks, name) / kTera;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return value <= 0 ? "-" : fmt::format("{:.{}f}", value, decimals);
}

std::string nvlink(const std::vector<Peak>& peaks) {
  const double value = peak_value(peaks, "nvlink") / kGiga;
  return value <= 0 ? "-" : fmt::format("{:.0f}", value);
}

std::vector<std::string> row_of(const std::string& name, const Arch& gpu) {
  const std::vector<Peak> peaks = computed_peaks(gpu);
  // GPUs before Ampere have FP16 only; later ones run both at the same rate.
  const char* const half = arch::find_peak(peaks, "bf16_tensor") != nullptr ? "bf16_tensor" : "fp16_tensor";
  const bool experimental = gpu.maturity == arch::Maturity::kExperimental;
  return {name + (experimental ? "*" : ""),
          gpu.compute_capability,
          std::to_string(gpu.sm.count),
          tera(peaks, "fp32"),
          tera(peaks, "fp64"),
          tera(peaks, half),
          tera(peaks, "fp8_tensor"),
          tera(peaks, "int8_tensor"),
          fmt::format("{:.4g}", static_cast<double>(gpu.l2.bytes) / kMi),
          with_binary_prefix(gpu.dram.capacity_bytes) + " " + gpu.dram.type,
          fmt::format("{:.0f}", peak_value(peaks, "dram") / kGiga),
          nvlink(peaks),
          std::to_string(count_guesses(gpu, SourceKind::kGuess))};
}

/// What a file has to say of a GPU, by and large: the vendor's figures are not a description.
std::size_t count_described() {
  return static_cast<std::size_t>(std::ranges::count_if(arch::schema(), [](const arch::Key& key) {
    return key.has_source && key.unit != arch::Unit::kUnsupported && key.unit != arch::Unit::kPeak;
  }));
}

std::string legend() {
  return fmt::format(
      "Peaks in TFLOP/s (INT8: TOP/s) at the vendor's clocks, dense; BF16 (FP16 before Ampere), FP8 and INT8 with "
      "tensor cores, the first two accumulating in FP32. L2 in MiB, DRAM in GB/s, link: NVLink in GB/s each way. "
      "guess: "
      "values of the description that nobody has published or measured for this GPU, of {}. *: experimental, compared "
      "with no measurement. gpusim arch show NAME has everything, gpusim arch diff A B what differs.",
      count_described());
}

}  // namespace

std::string list_text(std::span<const Listing> gpus, const layout::Look& look) {
  layout::Table table("lrrrrrrrrlrrr", {"name", "cc", "SMs", "FP32", "FP64", "BF16", "FP8", "INT8", "L2", "memory",
                                        "DRAM", "link", "guess"});
  std::string broken;
  for (const Listing& gpu : gpus) {
    if (gpu.thing) {
      table.add(row_of(gpu.name, *gpu.thing));
    } else {
      broken += "  " + printable(gpu.name) + " does not load: " + printable(gpu.problem) + "\n";
    }
  }
  return table.to_text(look) + broken + "\n" + layout::wrapped(legend(), layout::kIndent);
}

std::string list_json(std::span<const Listing> gpus) {
  Json root{{"schema", "gpusim.arch-list/1"}, {"architectures", Json::array()}};
  for (const Listing& listing : gpus) {
    Json row{{"name", listing.name}};
    if (!listing.thing) {
      row["problem"] = listing.problem;
      root["architectures"].push_back(std::move(row));
      continue;
    }
    const Arch& gpu = *listing.thing;
    row["title"] = gpu.name;
    row["description"] = gpu.description;
    row["compute_capability"] = gpu.compute_capability;
    row["maturity"] = word_of(gpu.maturity);
    row["sms"] = gpu.sm.count;
    row["clock_hz"] = {{"sm", gpu.clocks.sm},
                       {"boost", gpu.clocks.boost},
                       {"tensor_boost", gpu.clocks.tensor_boost},
                       {"memory", gpu.clocks.memory}};
    row["l2_bytes"] = gpu.l2.bytes;
    row["shared_bytes_per_sm"] = gpu.sm.shared.carveouts.back();
    row["dram"] = {{"type", gpu.dram.type}, {"bytes", gpu.dram.capacity_bytes}};
    for (const Peak& peak : computed_peaks(gpu)) {
      row["peaks"][peak.name] = peak.value;
    }
    row["guesses"] = count_guesses(gpu, SourceKind::kGuess);
    row["inferred"] = count_guesses(gpu, SourceKind::kInferred);
    root["architectures"].push_back(std::move(row));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::arch_tables
