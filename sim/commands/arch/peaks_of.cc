// SPDX-License-Identifier: MIT
#include "sim/commands/arch/peaks_of.h"

#include "sim/model/arch/peaks.h"

namespace gpusim::arch_tables {

double peak_value(const std::vector<arch::Peak>& peaks, std::string_view name) {
  const arch::Peak* const peak = arch::find_peak(peaks, name);
  return peak == nullptr ? 0 : peak->value;
}

double ridge_point(const arch::Peak& peak, const std::vector<arch::Peak>& peaks) {
  const double dram = peak_value(peaks, "dram");
  return peak.unit == arch::PeakUnit::kBytes || dram <= 0 ? 0 : peak.value / dram;
}

double percent_off(const arch::Peak& peak) {
  return 100.0 * (peak.value - peak.vendor) / peak.vendor;
}

}  // namespace gpusim::arch_tables
