// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/commands/arch/peaks_of.h"
#include "sim/commands/arch/tables.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/schema.h"

namespace gpusim::arch_tables {
namespace {

using arch::Peak;
using Json = nlohmann::ordered_json;

/// The same peak at the clock that is simulated.
double at_simulated_clock(const arch::Arch& gpu, const Peak& peak) {
  return runs_with_sms(peak.clock)
             ? peak.value / arch::clock_hz(gpu, peak.clock) * arch::clock_hz(gpu, arch::PeakClock::kSm)
             : peak.value;
}

std::string clock_text(const arch::Arch& gpu, const Peak& peak) {
  if (!runs_with_sms(peak.clock)) {
    return peak.clock == arch::PeakClock::kLink ? "each way" : std::string(word_of(peak.clock));
  }
  constexpr double kMega = 1e6;
  return fmt::format("{} {:.0f} MHz", word_of(peak.clock), arch::clock_hz(gpu, peak.clock) / kMega);
}

std::vector<std::string> peak_row(const arch::Arch& gpu, const Peak& peak, const std::vector<Peak>& peaks) {
  const double ridge = ridge_point(peak, peaks);
  return {peak.name,
          with_si_prefix(peak.value, word_of(peak.unit)),
          clock_text(gpu, peak),
          peak.vendor > 0 ? with_si_prefix(peak.vendor, word_of(peak.unit)) : "",
          peak.vendor > 0 ? fmt::format("{:+.2f} %", percent_off(peak)) : "",
          with_si_prefix(at_simulated_clock(gpu, peak), word_of(peak.unit)),
          ridge > 0 ? fmt::format("{:.1f}", ridge) : ""};
}

std::string commented(const std::string& text) {
  std::string out;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    out += "#" + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return out;
}

Json value_json(const arch::Key& key, const arch::Entry& entry) {
  Json value{{"key", key.path}, {"value", entry.text}};
  if (key.has_source) {
    value["kind"] = source_kind_text(entry.kind);
    value["sources"] = entry.sources;
  }
  return value;
}

Json peak_json(const arch::Arch& gpu, const Peak& peak, const std::vector<Peak>& peaks) {
  Json out{{"name", peak.name}, {"value", peak.value}, {"unit", word_of(peak.unit)}, {"clock", word_of(peak.clock)}};
  if (runs_with_sms(peak.clock)) {
    out["clock_hz"] = arch::clock_hz(gpu, peak.clock);
  }
  if (peak.vendor > 0) {
    out["vendor"] = peak.vendor;
    out["error_pct"] = percent_off(peak);
  }
  out["at_simulated_clock"] = at_simulated_clock(gpu, peak);
  if (const double ridge = ridge_point(peak, peaks); ridge > 0) {
    out["ridge_flop_per_byte"] = ridge;
  }
  return out;
}

}  // namespace

std::string show_text(const arch::Resolved& gpu) {
  const std::vector<Peak> peaks = computed_peaks(gpu.arch);
  layout::Table table("lrlrrrr", {"peak", "computed", "at clock", "vendor", "off", "at clocks.sm", "ridge"});
  for (const Peak& peak : peaks) {
    table.add(peak_row(gpu.arch, peak, peaks));
  }
  return write_sheet(gpu.sheet) +
         "\n# Peaks that follow from the structure above.\n"
         "# ridge: operations a byte of DRAM traffic above which the peak, not DRAM, is the bound.\n#\n" +
         commented(table.to_text({}));
}

std::string show_json(const arch::Resolved& gpu) {
  Json root{{"schema", "gpusim.arch/1"},
            {"name", gpu.arch.name},
            {"description", gpu.arch.description},
            {"path", gpu.arch.path},
            {"maturity", word_of(gpu.arch.maturity)}};
  root["values"] = Json::array();
  for (std::size_t i = 0; i < arch::schema().size(); ++i) {
    if (const arch::Entry* entry = gpu.sheet.find(i)) {
      root["values"].push_back(value_json(arch::schema()[i], *entry));
    }
  }
  root["sources"] = used_sources(gpu.sheet);
  const std::vector<Peak> peaks = computed_peaks(gpu.arch);
  root["peaks"] = Json::array();
  for (const Peak& peak : peaks) {
    root["peaks"].push_back(peak_json(gpu.arch, peak, peaks));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::arch_tables
