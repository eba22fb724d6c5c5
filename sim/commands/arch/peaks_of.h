// SPDX-License-Identifier: MIT
// Looking things up among a GPU's computed peaks.
#pragma once

#include <string_view>
#include <vector>

#include "sim/model/arch/arch.h"

namespace gpusim::arch_tables {

/// The value of the peak of that name; 0 when the GPU has none.
[[nodiscard]] double peak_value(const std::vector<arch::Peak>& peaks, std::string_view name);

/// Operations a byte from DRAM above which a peak, not DRAM, is the bound; 0 for a peak in bytes.
[[nodiscard]] double ridge_point(const arch::Peak& peak, const std::vector<arch::Peak>& peaks);

/// How far the computed value lies above the vendor's, in percent; only where the vendor prints one.
[[nodiscard]] double percent_off(const arch::Peak& peak);

}  // namespace gpusim::arch_tables
