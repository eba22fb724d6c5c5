// SPDX-License-Identifier: MIT
// Lines of recordings of Hopper that speak to mbarriers and the TMA, and kernels made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/stats/result.h"

#include "tests/input/accelsim/folder.h"
#include "tests/input/accelsim/tracez.h"

namespace gpusim::test {

using Lines = std::vector<std::string>;

inline std::string hex(std::uint64_t number) {
  std::string digits;
  for (; number != 0 || digits.empty(); number /= 16) {
    digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  }
  return digits;
}

/// The state that an mbarrier has which expects so many arrivals a phase.
inline std::uint64_t state_for(std::uint64_t arrivals) {
  const std::uint64_t negative = (0 - arrivals) & 0xfffff;
  return negative << 1U | negative << 43U;
}

inline std::string initialise(const std::string& pc, const std::string& mbarrier, std::uint64_t arrivals) {
  return pc + " 00000001 1 UR8 SYNCS.EXCH.64 2 UR4 UR6 8 1 " + mbarrier + " 0 0 0 Val 1 0 1 0 1 " +
         hex(state_for(arrivals));
}
/// `form`: "" expects `number` bytes, ".A1T0" arrives once, ".ART0" `number` times; ".RED" names a rank.
inline std::string arrive(const std::string& pc, const std::string& mbarrier, const std::string& form = ".A1T0",
                          std::uint64_t number = 0, const std::string& mask = "00000001") {
  return pc + " " + mask + " 1 R255 SYNCS.ARRIVE.TRANS64" + form + " 2 R2 R3 8 1 " + mbarrier +
         " 0 0 0 Val 1 0 1 0 1 " + hex(number);
}
inline std::string wait_for(const std::string& pc, const std::string& mbarrier, int parity,
                            const std::string& mask = "ffffffff") {
  return pc + " " + mask + " 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 " + mbarrier + " 0 0 0 Val 1 0 1 " +
         (parity != 0 ? "80000000" : "0");
}
/// Rows of 128 bytes each, `stride` bytes apart, as pieces of 16 bytes.
inline std::string box_of(std::uint64_t begin, unsigned rows, std::int64_t stride) {
  std::string text = "4 0x" + hex(begin) + " " + std::to_string(rows * 8);
  for (unsigned piece = 1; piece < rows * 8; ++piece) {
    text += " " + std::to_string(piece % 8 != 0 ? 16 : stride - 7 * 16);
  }
  return text;
}
/// A load of such a box for `mbarrier`, and for the CTAs of `ranks` where that is not "".
inline std::string load_box(const std::string& pc, const std::string& mbarrier, unsigned rows,
                            const std::string& ranks = "", std::uint64_t begin = 0x7f2000000000) {
  return pc + " 00000001 0 UTMALDG.2D" + (ranks.empty() ? "" : ".MULTICAST") + " 0 16 " + mbarrier +
         (ranks.empty() ? " 0 " : " 1 " + ranks + " ") + std::to_string(rows * 128) + " 0 " +
         box_of(begin, rows, 4096) + " 0 0 NoVal";
}
inline const std::string kEnd = "0f00 ffffffff 0 EXIT 0 0 0 0 NoVal";
inline const std::string kCtaBarrier = "0e00 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal";
inline const Lines kClusterBarrier{"0d00 ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal",
                                   "0d10 ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal"};

inline Lines operator+(Lines first, const Lines& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// CTAs, each of the warps with these lines; in clusters of all of them, unless there is one.
inline Tracez recording_of(const std::vector<std::vector<Lines>>& ctas) {
  Tracez file;
  file.header = hopper_header("(" + std::to_string(ctas.size()) + ",1,1)",
                              "(" + std::to_string(32 * ctas.front().size()) + ",1,1)");
  for (std::uint32_t cta = 0; cta < ctas.size(); ++cta) {
    file.ctas.push_back({{cta, 0, 0}, {}, {cta, 0, 0}, cta, ctas[cta]});
  }
  return file;
}

inline stats::KernelResult run(const trace::Trace& trace) {
  const arch::Arch h100 = arch::load_arch(GPUSIM_SOURCE_DIR "/configs/h100.yaml", {}, {});
  return gpu::simulate(h100, trace, {}).kernels[0];
}

}  // namespace gpusim::test
