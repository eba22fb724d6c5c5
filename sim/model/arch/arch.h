// SPDX-License-Identifier: MIT
// A validated GPU architecture: plain values with their units, no text. Loaded by loader.h; every field is a key of the
// architecture file with the same path (sm.l1.hit_latency and so on), bound once in schema.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/ratio.h"
#include "sim/base/source_kind.h"
#include "sim/model/arch/dram_config.h"
#include "sim/model/arch/l2_config.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/arch/tlb_config.h"
#include "sim/model/arch/words.h"

namespace gpusim::arch {

/// Frequencies in hertz.
struct Clocks {
  std::uint64_t sm = 0;            ///< simulated clock of SMs, NoC and L2
  std::uint64_t boost = 0;         ///< clock of the vendor's non-tensor peaks
  std::uint64_t tensor_boost = 0;  ///< clock of the vendor's tensor peaks
  std::uint64_t memory = 0;        ///< DRAM data clock as vendors print it (pin rate = 2 x memory)
  friend bool operator==(const Clocks&, const Clocks&) = default;
};

/// Kernel and CTA launch. Nanoseconds become SM cycles at the simulated clock.
struct LaunchConfig {
  std::uint32_t kernel_ns = 0;  ///< host, or the end of the kernel before, to the begin; launch_us, not in cycles
  std::uint32_t memory_ns = 0;  ///< more of it for a kernel that accesses L2
  std::uint32_t begin_ns = 0;   ///< begin, as a profiler sees it, to the first CTA sent; in time_us, not in cycles
  /// Last warp's end to the kernel's end as a profiler sees it; stores and atomics on their way end meanwhile. What of
  /// it is left when they have is in time_us, not in cycles.
  std::uint32_t flush_ns = 0;
  /// What two events around one kernel count beside its time and `launch_us`: the kernel waits for an idle GPU, and the
  /// second event for the kernel. In no result; measurements between events have it.
  std::uint32_t event_ns = 0;
  std::uint32_t cta_latency = 0;         ///< cycles from dispatcher to the CTA's first issue, at least 8
  Ratio cta_interval{0, 1};              ///< cycles between CTAs sent to the GPU, on average
  std::uint32_t completion_latency = 0;  ///< cycles from a CTA's last warp until the dispatcher knows, at least 8
  friend bool operator==(const LaunchConfig&, const LaunchConfig&) = default;
};

/// Links out of the GPU, bytes per second each way after line encoding; 0: none. For peaks only, so far.
struct InterconnectConfig {
  std::uint64_t nvlink_bytes_per_second = 0;  ///< all links together
  std::uint64_t pcie_bytes_per_second = 0;
  friend bool operator==(const InterconnectConfig&, const InterconnectConfig&) = default;
};

struct PriceConfig {
  Ratio usd_per_hour{0, 1};  ///< rent, as the user states it; 0: not stated. The simulation does not read it
  friend bool operator==(const PriceConfig&, const PriceConfig&) = default;
};

/// A peak and the clock it is quoted at. The names are those of peaks.h.
struct Peak {
  std::string name;   ///< "bf16_tensor", "fp32", "dram"
  double value = 0;   ///< a second, in `unit`
  double vendor = 0;  ///< as the vendor prints it; 0 unknown
  PeakClock clock{};
  PeakUnit unit{};
  friend bool operator==(const Peak&, const Peak&) = default;
};

/// A value the file marks as guess or inferred, for honest reports.
struct Guess {
  std::string key;
  std::string value;
  SourceKind kind = SourceKind::kGuess;
  std::string source;
  friend bool operator==(const Guess&, const Guess&) = default;
};

/// What the GPU draws, for estimates of power; no time depends on it. Power in milliwatts, energy in femtojoules;
/// energies and `sm` are those at clocks.boost and its voltage.
struct PowerConfig {
  std::uint32_t limit = 0;               ///< most that the card draws for long; 0: not known, and no power is estimated
  std::uint32_t idle = 0;                ///< with clocks up and no kernel; does not change with the clock
  std::uint32_t sm = 0;                  ///< an SM that has warps
  std::uint32_t thread_instruction = 0;  ///< an instruction of one lane
  std::uint32_t tensor_flop = 0;         ///< at the rate of FP16 products
  std::uint32_t shared_byte = 0;         ///< through the banks of L1 and shared memory
  std::uint32_t l2_byte = 0;             ///< between an SM and L2
  std::uint32_t dram_byte = 0;           ///< does not change with the clock
  std::uint32_t least_voltage_percent = 100;  ///< share of the voltage at clocks.boost
  /// Hertz: the highest SM clock while tensor cores work, at even steps of the share of their peak that a kernel's
  /// products take, from next to none to all of it. Never rises; one value holds at any share; none: no such limit.
  std::vector<std::uint64_t> tensor_clock;
  friend bool operator==(const PowerConfig&, const PowerConfig&) = default;
};

struct Arch {
  std::string name;         ///< "H100 SXM5 80GB"
  std::string description;  ///< one line for lists
  std::string path;
  std::string compute_capability;  ///< "9.0"
  Maturity maturity = Maturity::kStable;
  Clocks clocks;
  SmConfig sm;
  NocConfig noc;
  TlbConfig tlb;
  L2Config l2;
  DramConfig dram;
  LaunchConfig launch;
  PowerConfig power;
  InterconnectConfig interconnect;
  PriceConfig price;
  std::vector<Peak> peaks;     ///< vendor's figures, in the schema's order
  std::vector<Guess> guesses;  ///< every value of kind inferred or guess
  friend bool operator==(const Arch&, const Arch&) = default;
};

}  // namespace gpusim::arch
