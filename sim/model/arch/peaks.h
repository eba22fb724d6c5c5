// SPDX-License-Identifier: MIT
// Peak rates that follow from a GPU's structure, beside those its vendor prints.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sim/model/arch/words.h"
#include "sim/model/isa/instr.h"

namespace gpusim::arch {

struct Arch;
struct DramConfig;
struct Peak;
struct SmConfig;

/// One kind of peak.
struct PeakInfo {
  std::string_view name;        ///< "bf16_tensor_sparse"
  PeakUnit unit;                ///< what its value counts
  PeakClock clock;              ///< the usual one of vendors
  double (*rate)(const Arch&);  ///< the whole GPU's: per cycle, or per second if !runs_with_sms(clock); 0: none
  std::array<std::string_view, 4> keys;  ///< that `rate` is computed from; the rest is empty
};

/// Dense peak of one SM, operations a cycle; 0: it has no such units.
[[nodiscard]] double flops_per_cycle(const SmConfig& sm, isa::FlopClass c);

/// Rows that all DRAM channels together can open in a second, each closed again by a PRE: what tRRD, tFAW, tRC of their
/// banks and the bus of row commands allow, less the time that refreshes of all banks stop them. (Those of single banks
/// hide behind the other banks.) 0: the model has no rows.
[[nodiscard]] double activates_per_second(const DramConfig& dram);

/// All peaks, in the order in which tables show them: without tensor cores, with them, with 2:4 sparsity, bytes.
[[nodiscard]] std::span<const PeakInfo> peak_infos();

/// Whether what a peak is of runs with the SMs; DRAM and links do not.
[[nodiscard]] constexpr bool runs_with_sms(PeakClock clock) {
  return clock != PeakClock::kMemory && clock != PeakClock::kLink;
}

/// Hertz of a clock that a peak names; 1 for memory and link, whose rates are a second's already.
[[nodiscard]] double clock_hz(const Arch& arch, PeakClock clock);

/// Peak rates of the GPU, computed from its structure at the clock the vendor names (or the usual one of that peak),
/// beside the vendor's figures. Those the GPU lacks are left out.
[[nodiscard]] std::vector<Peak> computed_peaks(const Arch& arch);

/// The peak of that name; null when there is none.
[[nodiscard]] const Peak* find_peak(std::span<const Peak> peaks, std::string_view name);

}  // namespace gpusim::arch
