// SPDX-License-Identifier: MIT
// A validated GPU architecture: plain values with their units, no text. Loaded by loader.h; every field is a key of the
// architecture file with the same path (sm.l1.hit_latency and so on), bound once in schema.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/ratio.h"
#include "sim/base/types.h"
#include "sim/model/arch/async_config.h"
#include "sim/model/arch/fetch_config.h"
#include "sim/model/arch/issue_config.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/arch/tensor_config.h"
#include "sim/model/arch/tlb_config.h"
#include "sim/model/arch/words.h"
#include "sim/model/isa/timing.h"

namespace gpusim::arch {

/// How well a value is known, as the file says. kSet: an override chose it; kGiven: its user states it, with a date.
enum class SourceKind : std::uint8_t { kVendor, kMeasured, kInferred, kGuess, kSet, kGiven };

/// Frequencies in hertz.
struct Clocks {
  std::uint64_t sm = 0;            ///< simulated clock of SMs, NoC and L2
  std::uint64_t boost = 0;         ///< clock of the vendor's non-tensor peaks
  std::uint64_t tensor_boost = 0;  ///< clock of the vendor's tensor peaks
  std::uint64_t memory = 0;        ///< DRAM data clock as vendors print it (pin rate = 2 x memory)
  friend bool operator==(const Clocks&, const Clocks&) = default;
};

/// Limits of residency, and allocation granularities (occupancy rules: docs/model/sm.md).
struct Limits {
  std::uint32_t warps_per_sm = 0;
  std::uint32_t ctas_per_sm = 0;
  std::uint32_t threads_per_cta = 0;
  std::uint32_t registers_per_sm = 0;  ///< 32-bit registers
  std::uint32_t registers_per_cta = 0;
  std::uint32_t register_allocation_unit = 0;  ///< registers a warp
  std::uint32_t barriers_per_sm = 0;           ///< 0: not a limit on this part
  std::uint32_t ctas_per_cluster = 0;          ///< 0: the part has no clusters
  std::uint32_t extra_ctas = 0;                ///< what-if: beyond what registers and shared memory allow
  friend bool operator==(const Limits&, const Limits&) = default;
};

struct SharedMemoryConfig {
  SharedModel model{};
  std::vector<std::uint64_t> carveouts;   ///< bytes a SM, ascending
  std::uint64_t max_per_cta = 0;          ///< bytes, with opt-in
  std::uint64_t max_per_cta_default = 0;  ///< bytes, without
  std::uint64_t reserved_per_cta = 0;     ///< bytes
  std::uint64_t allocation_unit = 0;      ///< bytes
  std::uint32_t latency = 0;              ///< cycles, dependent LDS, no conflict
  friend bool operator==(const SharedMemoryConfig&, const SharedMemoryConfig&) = default;
};

struct L1Config {
  std::uint64_t unified_bytes = 0;   ///< L1 and shared memory together, a SM
  std::uint64_t reserved_bytes = 0;  ///< bytes of L1's share that programs' lines do not get
  std::uint32_t ways = 0;
  std::uint32_t hit_latency = 0;           ///< cycles, dependent LDG
  std::uint32_t tag_lines_per_cycle = 0;   ///< banks of tags, each a line a cycle
  std::uint32_t data_bytes_per_cycle = 0;  ///< to registers
  policy::Replacement replacement{};
  std::uint32_t mshrs = 0;        ///< lines outstanding
  std::uint32_t mshr_merges = 0;  ///< requests that may wait on one line
  friend bool operator==(const L1Config&, const L1Config&) = default;
};

/// The path from a sub-core to the SM's shared load/store unit (sm-model: five accepted, then one every 4 cycles).
struct LsuConfig {
  std::uint32_t queue_entries = 0;     ///< memory instructions buffered a sub-core
  std::uint32_t address_latency = 0;   ///< cycles from issue to the shared unit
  std::uint32_t address_interval = 0;  ///< cycles between instructions of one sub-core
  std::uint32_t lanes = 0;             ///< lanes a cycle of the shared unit (32 / lanes cycles a request)
  std::uint32_t register_cycles = 0;   ///< to read each register of an address
  std::uint32_t lane_cycles = 0;    ///< cycles of the stage that works out lanes' addresses; a uniform address skips it
  std::uint32_t copy_cycles = 0;    ///< from an LDGSTS's data in L1 to shared memory, at least
  std::uint32_t return_cycles = 1;  ///< that the data of each further cycle in the unit takes to the registers
  Coalescing coalescing = Coalescing::kLanes;
  friend bool operator==(const LsuConfig&, const LsuConfig&) = default;
};

struct SmConfig {
  std::uint32_t count = 0;
  std::uint32_t sub_cores = 0;
  SchedulerConfig scheduler;
  Dependence dependence{};
  Simt simt{};
  Limits limits;
  RegisterFileConfig register_file;
  FrontEndConfig front_end;
  ConstantConfig constant;
  LsuConfig lsu;
  SharedMemoryConfig shared;
  L1Config l1;
  MbarrierConfig mbarrier;
  TmaConfig tma;
  TensorConfig tensor;
  WgmmaConfig wgmma;
  isa::TimingTable timing;             ///< by timing class
  std::uint32_t barrier_latency = 0;   ///< cycles from the last arrival until the warps may issue
  std::uint32_t barrier_interval = 0;  ///< cycles between two arrivals that the SM's barrier unit takes
  friend bool operator==(const SmConfig&, const SmConfig&) = default;
};

struct L2Config {
  L2Model model{};
  std::uint64_t bytes = 0;
  std::uint32_t halves = 0;      ///< 1, or 2: near and far partition with copies of far lines in the near one
  std::uint32_t partitions = 0;  ///< memory partitions (controllers), all halves together
  std::uint32_t slices = 0;      ///< all together, a multiple of partitions
  std::uint32_t ways = 0;
  policy::Replacement replacement{};
  std::uint32_t tag_latency = 0;   ///< cycles from arrival to hit or miss
  std::uint32_t data_latency = 0;  ///< cycles from hit to the reply's departure
  std::uint32_t slice_bytes_per_cycle = 0;
  std::uint32_t mshrs = 0;                  ///< lines outstanding a slice
  std::uint32_t queue_entries = 0;          ///< requests waiting a slice
  std::uint32_t atomic_entries = 0;         ///< atomics and reductions a slice has taken in and not ended
  std::uint32_t atomic_request_cycles = 0;  ///< cycles of a slice's atomic unit for a request, besides its passes
  std::uint32_t atomic_interval = 0;        ///< cycles between integer operations on one word
  std::uint32_t atomic_float_interval = 0;  ///< cycles between atomics of 32 and 64 bits
  std::uint32_t atomic_half_interval = 0;   ///< cycles between atomics of 16 bits, one or several
  std::uint64_t persisting_bytes = 0;       ///< most that a kernel may set aside for lines that persist; 0: none
  std::uint64_t interleave_bytes = 0;       ///< consecutive bytes that share a memory partition
  std::uint32_t fill_bytes = kSectorBytes;  ///< aligned bytes that a miss reads of DRAM, those that are there left out
  friend bool operator==(const L2Config&, const L2Config&) = default;
};

/// DRAM timings under their JEDEC names, in DRAM clocks (tCK) after rounding once from nanoseconds.
struct DramTimings {
  std::uint32_t CL = 0, CWL = 0, RCDRD = 0, RCDWR = 0, RP = 0, RAS = 0, RC = 0, CCDS = 0, CCDL = 0, RRDS = 0, RRDL = 0,
                FAW = 0, WR = 0, RTP = 0, WTRS = 0, WTRL = 0, RTW = 0, RFC = 0, RFCpb = 0, RREFD = 0, REFI = 0, BL = 0;
  friend bool operator==(const DramTimings&, const DramTimings&) = default;
};

struct DramConfig {
  DramModel model{};
  std::string type;  ///< "HBM3"
  std::uint64_t capacity_bytes = 0;
  std::uint32_t stacks = 0;
  std::uint32_t channels = 0;      ///< pseudo-channels, all together
  std::uint32_t channel_bits = 0;  ///< data bits of a pseudo-channel
  std::uint32_t bank_groups = 0;
  std::uint32_t banks_per_group = 0;
  std::uint32_t row_bytes = 0;                      ///< a bank of one pseudo-channel
  std::string mapping = "row bank^ column group^";  ///< how a channel's lines are spread, see dram_mapping.h
  std::uint64_t command_hz = 0;                     ///< 1 / tCK
  std::uint32_t burst_bytes = 0;                    ///< bytes of one column command
  std::uint32_t queue_entries = 0;                  ///< requests a pseudo-channel
  policy::DramScheduler scheduler{};                ///< order of a channel's requests
  std::uint32_t scheduler_cap = 0;                  ///< bursts of a row before an older request; 0: a row's worth
  std::uint32_t write_high_percent = 0;             ///< percent of the queue at which draining of writes starts
  std::uint32_t write_low_percent = 0;              ///< stop draining
  std::uint32_t write_wait = 0;                     ///< clocks without a read before fewer writes are drained
  std::uint32_t controller_latency = 0;             ///< SM cycles from slice to queue and back to the slice, together
  DramRefresh refresh = DramRefresh::kAllBank;      ///< what a refresh command takes
  std::uint32_t refresh_postponed = 0;              ///< refreshes of every bank that may be owed at most
  RowBus row_bus = RowBus::kOwn;
  std::uint32_t activate_clocks = 1;  ///< clocks that ACT takes on that bus
  DramEcc ecc = DramEcc::kNone;
  std::uint32_t ecc_entries = 0;  ///< inline: bursts of check bits that a pseudo-channel keeps, read and written each
  DramTimings timing;

  /// Peak bytes per second over all channels.
  [[nodiscard]] double peak_bytes_per_second() const {
    return static_cast<double>(channels) * burst_bytes * static_cast<double>(command_hz) / timing.CCDS;
  }
  friend bool operator==(const DramConfig&, const DramConfig&) = default;
};

/// Kernel and CTA launch. Nanoseconds become SM cycles at the simulated clock.
struct LaunchConfig {
  std::uint32_t kernel_ns = 0;           ///< host to first CTA; reported as launch_us, not in cycles
  std::uint32_t cta_latency = 0;         ///< cycles from dispatcher to the CTA's first issue, at least 8
  std::uint32_t cta_interval = 0;        ///< cycles between CTAs sent to the GPU
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
  std::string clock;  ///< "sm", "boost", "tensor_boost", "memory" or "link"
  std::string unit;   ///< "FLOP/s", "OP/s" or "B/s"
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
  InterconnectConfig interconnect;
  PriceConfig price;
  std::vector<Peak> peaks;     ///< vendor's figures, in the schema's order
  std::vector<Guess> guesses;  ///< every value of kind inferred or guess
  friend bool operator==(const Arch&, const Arch&) = default;
};

}  // namespace gpusim::arch
