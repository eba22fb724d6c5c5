// SPDX-License-Identifier: MIT
// How near a kernel comes to the peaks of its machine, and which of them bounds it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim::stats {

/// What bounds a kernel; the same words in reports and sweeps.
enum class Bound : std::uint8_t { kTensor, kFp, kIssue, kL1, kShared, kL2, kNoc, kDram, kDramRows, kLatency, kLaunch };
inline constexpr std::array<std::string_view, 11> kBoundNames{"tensor", "fp",   "issue",     "l1",      "shared", "l2",
                                                              "noc",    "dram", "dram_rows", "latency", "launch"};

[[nodiscard]] constexpr std::string_view name_of(Bound bound) {
  return kBoundNames[static_cast<std::size_t>(bound)];
}

/// What a unit weighs when it is asked which one bounds a kernel.
struct UnitShare {
  Bound unit = Bound::kTensor;
  double pct = 0;  ///< share of its peak; for the tensor pipes the busy time counts, too
};

/// Whose throughput is the largest of its parts.
enum class PartOf : std::uint8_t { kSm, kL1, kL2 };
inline constexpr std::array<std::string_view, 3> kPartOfNames{"sm", "l1", "l2"};

/// A part: a count over the most that the hardware does in the time, as Nsight Compute defines its throughputs. Which
/// parts there are, and their peaks, comes from its raw pages of 357 kernels on an H100 and an H200
/// (tests/validation/silicon): a throughput there equals one of its parts to six digits, and a part's percentage is its
/// count over its peak. docs/metrics.md says what was found.
struct ThroughputPart {
  PartOf of;
  std::string_view key;      ///< "lsu"
  std::string_view what;     ///< in words
  std::string_view formula;  ///< over counters; E and C as in docs/metrics.md
  std::string_view ncu;      ///< the metric of Nsight Compute that counts the same; empty: it has none of its own
};

inline constexpr std::string_view kPipeBusy = "pipe's busy cycles / C";
inline constexpr std::size_t kThroughputParts = 24;
/// The one table of them: metrics, JSON, CSV and the documentation follow it.
inline constexpr std::array<ThroughputPart, kThroughputParts> kThroughputPartTable{{
    {PartOf::kSm, "issue", "issue slots", "counters.sm.issue_cycles / C", "sm__issue_active"},
    {PartOf::kSm, "fma", "FMA pipe", kPipeBusy, "sm__pipe_fma_cycles_active"},
    {PartOf::kSm, "alu", "ALU pipe", kPipeBusy, "sm__pipe_alu_cycles_active"},
    {PartOf::kSm, "fp16", "FP16 pipe", kPipeBusy, "sm__inst_executed_pipe_fp16"},
    {PartOf::kSm, "fp64", "FP64 pipe", kPipeBusy, "sm__pipe_fp64_cycles_active"},
    {PartOf::kSm, "xu", "XU pipe", kPipeBusy, "sm__inst_executed_pipe_xu"},
    {PartOf::kSm, "tensor", "tensor pipe", kPipeBusy, "sm__pipe_tensor_cycles_active"},
    {PartOf::kSm, "uniform", "uniform datapath", kPipeBusy, "sm__inst_executed_pipe_uniform"},
    {PartOf::kSm, "cbu", "branch unit", kPipeBusy, "sm__inst_executed_pipe_cbu_pred_on_any"},
    {PartOf::kSm, "lsu", "load/store unit", "32 x counters.sm.lsu_instructions / (machine.lsu_lanes x E)",
     "sm__inst_executed_pipe_lsu"},
    {PartOf::kSm, "lsu_data", "data on its way to the load/store unit",
     "32 x counters.sm.lsu_data_registers / (machine.lsu_lanes x E)", "sm__mio_pq_read_cycles_active"},
    {PartOf::kSm, "adu", "address divergence unit, which takes an instruction in two cycles",
     "2 x counters.sm.adu_instructions / E", "sm__inst_executed_pipe_adu"},
    {PartOf::kL1, "data", "data stage, which shared memory and shuffles use as well",
     "(counters.l1.wavefronts + counters.sm.shared_wavefronts + counters.sm.shuffles) / E",
     "l1tex__data_pipe_lsu_wavefronts"},
    {PartOf::kL1, "in", "requests from the load/store unit",
     "32 x counters.sm.lsu_instructions / (machine.lsu_lanes x E)", "l1tex__lsuin_requests"},
    {PartOf::kL1, "requests", "requests to L2: a cycle for each that reads, and for each sector that is sent",
     "(counters.l1.read_requests + store_sectors + atomic_sectors + counters.local.written_back_sectors) / E",
     "l1tex__m_l1tex2xbar_req_cycles_active"},
    {PartOf::kL1, "replies", "replies from L2",
     "counters.noc.sm_reply_busy_cycles / (machine.noc_ports.sm_reply x cycles)", "l1tex__m_xbar2l1tex_read_sectors"},
    {PartOf::kL2, "sectors",
     "sectors looked up; a slice takes one more a cycle from the other half where there are two",
     "(read + write + atomic + far_sectors + far_write_sectors + far_atomic_sectors of counters.l2) / "
     "((machine.l2_bytes_per_cycle / 32 + slices of a GPU with links) x cycles)",
     "lts__t_sectors"},
    {PartOf::kL2, "tags", "requests looked up", "(counters.l2.requests + far_requests) / (machine.l2_slices x cycles)",
     "lts__t_tag_requests"},
    {PartOf::kL2, "data", "data ports of slices", "counters.l2.busy_cycles / (machine.l2_slices x cycles)",
     "lts__d_sectors"},
    {PartOf::kL2, "fills", "sectors that come from DRAM",
     "counters.l2.dram_read_sectors / (machine.l2_slices x cycles)", "lts__d_sectors_fill_device"},
    {PartOf::kL2, "atomics", "atomic units", "counters.l2.atomic_cycles / (machine.l2_slices x cycles)",
     "lts__d_atomic_input_cycles_active"},
    {PartOf::kL2, "requests", "request ports of slices",
     "counters.noc.slice_request_busy_cycles / (machine.noc_ports.slice_request x cycles)",
     "lts__xbar2lts_cycles_active"},
    {PartOf::kL2, "replies", "reply ports of slices",
     "counters.noc.slice_reply_busy_cycles / (machine.noc_ports.slice_reply x cycles)", "lts__lts2xbar_cycles_active"},
    {PartOf::kL2, "links", "links between the halves; not counted to memory_pct",
     "counters.noc.link_busy_cycles / (machine.noc_ports.link x cycles)", ""},
}};

/// Percentages of peak. Of elapsed cycles unless the name says active.
struct Throughput {
  // As Nsight Compute defines them: the largest of their parts.
  double sm_pct = 0;
  double memory_pct = 0;  ///< the largest part of L1 and of L2, without the links between its halves, and DRAM
  double l1_pct = 0;
  double l1_active_pct = 0;
  double l2_pct = 0;
  std::array<double, kThroughputParts> parts{};  ///< by rows of kThroughputPartTable
  // One unit each; what may bound a kernel is among them.
  double pipes_pct = 0;     ///< the largest of issue and pipe utilisation
  double l1_stage_pct = 0;  ///< L1's data stage, by global and local accesses alone
  double l1_stage_active_pct = 0;
  double shared_pct = 0;
  double l2_slices_pct = 0;  ///< bytes that slices move, or their busy ports
  double noc_pct = 0;        ///< the busiest level of ports between SMs and L2
  double dram_pct = 0;
  double dram_rows_pct = 0;  ///< rows opened, against the most that DRAM's timings allow
  double tensor_pct = 0;     ///< FLOPs against the dense peak of their types
  double issue_pct = 0;
  double fp_pct = 0;    ///< busiest of FMA, ALU, FP16, FP64, XU pipes
  double dram_gbs = 0;  ///< 1e9 bytes a second
  double tflops = 0;    ///< all floating point, 1e12 a second
};

}  // namespace gpusim::stats
