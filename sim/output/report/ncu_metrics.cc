// SPDX-License-Identifier: MIT
#include "sim/output/report/ncu_metrics.h"

#include <array>

namespace gpusim::report {
namespace {

constexpr std::string_view kSpeedOfLight = "GPU Speed Of Light Throughput";
constexpr std::string_view kCompute = "Compute Workload Analysis";
constexpr std::string_view kMemory = "Memory Workload Analysis";
constexpr std::string_view kSchedulers = "Scheduler Statistics";
constexpr std::string_view kWarpStates = "Warp State Statistics";
constexpr std::string_view kInstructions = "Instruction Statistics";
constexpr std::string_view kLaunch = "Launch Statistics";
constexpr std::string_view kOccupancy = "Occupancy";
constexpr std::string_view kSource = "Source Counters";
constexpr std::string_view kMemoryTables = "Memory Workload Analysis Tables";
constexpr std::string_view kRoofline = "GPU Speed Of Light Roofline Chart";
constexpr std::string_view kDistribution = "GPU and Memory Workload Distribution";

// As Nsight Compute 2025 prints them (docs.nvidia.com/nsight-compute, published reports).
constexpr std::array<NcuRow, 44> kNcuRows{{
    {"memory_clock_mhz", {kSpeedOfLight, "DRAM Frequency", "Ghz", 1e-3}},
    {"clock_mhz", {kSpeedOfLight, "SM Frequency", "Ghz", 1e-3}},
    {"cycles", {kSpeedOfLight, "Elapsed Cycles", "cycle"}},
    {"throughput.memory_pct", {kSpeedOfLight, "Memory Throughput", "%"}},
    {"throughput.dram_pct", {kSpeedOfLight, "DRAM Throughput", "%"}},
    {"time_us", {kSpeedOfLight, "Duration", "us"}},
    {"throughput.l1_active_pct", {kSpeedOfLight, "L1/TEX Cache Throughput", "%"}},
    {"throughput.l2_pct", {kSpeedOfLight, "L2 Cache Throughput", "%"}},
    {"active_cycles_per_sm", {kSpeedOfLight, "SM Active Cycles", "cycle"}},
    {"throughput.sm_pct", {kSpeedOfLight, "Compute (SM) Throughput", "%"}},
    {"ipc_active", {kCompute, "Executed Ipc Active", "inst/cycle"}},
    {"ipc_elapsed", {kCompute, "Executed Ipc Elapsed", "inst/cycle"}},
    {"throughput.issue_active_pct", {kCompute, "Issue Slots Busy", "%"}},
    {"throughput.sm_active_pct", {kCompute, "SM Busy", "%"}},
    {"throughput.dram_gbs", {kMemory, "Memory Throughput", "Gbyte/s"}},
    {"memory.l1.all_hit_pct", {kMemory, "L1/TEX Hit Rate", "%"}},
    {"memory.l2.all_hit_pct", {kMemory, "L2 Hit Rate", "%"}},
    {"scheduler.eligible_pct", {kSchedulers, "One or More Eligible", "%"}},
    {"scheduler.issued_warps", {kSchedulers, "Issued Warp Per Scheduler", ""}},
    {"scheduler.no_eligible_pct", {kSchedulers, "No Eligible", "%"}},
    {"scheduler.active_warps", {kSchedulers, "Active Warps Per Scheduler", "warp"}},
    {"scheduler.eligible_warps", {kSchedulers, "Eligible Warps Per Scheduler", "warp"}},
    {"cycles_per_instruction", {kWarpStates, "Warp Cycles Per Issued Instruction", "cycle"}},
    {"avg_active_lanes", {kWarpStates, "Avg. Active Threads Per Warp", ""}},
    {"avg_lanes_on", {kWarpStates, "Avg. Not Predicated Off Threads Per Warp", ""}},
    {"warp_instructions", {kInstructions, "Executed Instructions", "inst"}},
    {"block", {kLaunch, "Block Size", ""}},
    {"grid", {kLaunch, "Grid Size", ""}},
    {"registers_per_thread", {kLaunch, "Registers Per Thread", "register/thread"}},
    {"occupancy.shared_carveout_bytes", {kLaunch, "Shared Memory Configuration Size", "Kbyte", 1e-3}},
    {"machine.sms", {kLaunch, "# SMs", "SM"}},
    {"threads", {kLaunch, "Threads", "thread"}},
    {"waves", {kLaunch, "Waves Per SM", ""}},
    {"occupancy.limits.blocks", {kOccupancy, "Block Limit SM", "block"}},
    {"occupancy.limits.registers", {kOccupancy, "Block Limit Registers", "block"}},
    {"occupancy.limits.shared_mem", {kOccupancy, "Block Limit Shared Mem", "block"}},
    {"occupancy.limits.warps", {kOccupancy, "Block Limit Warps", "block"}},
    {"occupancy.limits.barriers", {kOccupancy, "Block Limit Barriers", "block"}},
    {"occupancy.theoretical_warps", {kOccupancy, "Theoretical Active Warps per SM", "warp"}},
    {"occupancy.theoretical_pct", {kOccupancy, "Theoretical Occupancy", "%"}},
    {"occupancy.achieved_pct", {kOccupancy, "Achieved Occupancy", "%"}},
    {"occupancy.achieved_warps", {kOccupancy, "Achieved Active Warps Per SM", "warp"}},
    {"counters.sm.branches", {kSource, "Branch Instructions", "inst"}},
    {"branch_efficiency_pct", {kSource, "Branch Efficiency", "%"}},
}};

// The names of the rules are those of the scripts that come with Nsight Compute.
constexpr std::array<NcuRule, 21> kNcuRules{{
    {"uncoalesced", kSource, "UncoalescedGlobalAccess"},
    {"bank_conflicts", kMemoryTables, "SharedMemoryConflicts"},
    {"spills", kMemory, "LocalMemoryUsage"},
    {"l2_misses", kMemory, "l2_misses"},
    {"row_misses", kMemory, "row_misses"},
    {"network", kMemory, "network"},
    {"atomics", kMemory, "atomics"},
    {"translations", kMemory, "translations"},
    {"divergence", kWarpStates, "ThreadDivergence"},
    {"stalls", kWarpStates, "CPIStall"},
    {"busy_pipe", kCompute, "HighPipeUtilization"},
    {"fp64", kRoofline, "SOLFPRoofline"},
    {"unfused", kInstructions, "FPInstructions"},
    {"fetch", kWarpStates, "fetch"},
    {"launch", kLaunch, "launch"},
    {"small_grid", kLaunch, "LaunchConfiguration"},
    {"tail", kLaunch, "LaunchConfiguration"},
    {"partial_warps", kLaunch, "LaunchConfiguration"},
    {"occupancy", kOccupancy, "TheoreticalOccupancy"},
    {"unreached_occupancy", kOccupancy, "AchievedOccupancy"},
    {"imbalance", kDistribution, "WorkloadImbalance"},
}};

}  // namespace

std::span<const NcuRow> ncu_rows() {
  return kNcuRows;
}

std::span<const NcuRule> ncu_rules() {
  return kNcuRules;
}

}  // namespace gpusim::report
