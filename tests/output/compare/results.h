// SPDX-License-Identifier: MIT
// Small results with round numbers, to compare.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/hash.h"
#include "sim/model/stats/result.h"
#include "sim/output/compare/comparison.h"

namespace gpusim::compare {

inline std::uint64_t& at(stats::StallCycles& stalls, stats::Stall state) {
  return stalls[static_cast<std::size_t>(state)];
}

/// An instruction that waits `waits` warp-cycles in `state` and issues `executed` times.
inline stats::PcResult instruction(std::uint32_t line, const std::string& opcode, std::uint64_t executed,
                                   stats::Stall state, std::uint64_t waits) {
  stats::PcResult pc;
  pc.pc = 16ULL * line;
  pc.line = line;
  pc.opcode = opcode;
  pc.text = opcode + " ...";
  pc.warp_instructions = executed;
  pc.thread_instructions = pc.active_lanes = 32 * executed;
  at(pc.stalls, stats::Stall::kSelected) = executed;
  at(pc.stalls, state) += waits;
  return pc;
}

/// A kernel of so many cycles and these instructions.
inline stats::KernelResult kernel_of(const std::string& name, std::uint64_t cycles,
                                     std::vector<stats::PcResult> instructions) {
  stats::KernelResult kernel;
  kernel.name = name;
  kernel.grid = {16, 1, 1};
  kernel.block = {256, 1, 1};
  kernel.registers_per_thread = 32;
  kernel.simulated_ctas = 16;
  kernel.cycles = cycles;
  kernel.launch_us = 2;
  kernel.occupancy.max_warps_per_sm = 64;
  kernel.sm.active_cycles = cycles;
  for (const stats::PcResult& pc : instructions) {
    stats::add(kernel.stalls, pc.stalls);
    kernel.sm.warp_instructions += pc.warp_instructions;
    kernel.sm.thread_instructions += pc.thread_instructions;
    kernel.sm.active_lanes += pc.active_lanes;
  }
  kernel.sm.warp_cycles = stats::total(kernel.stalls);
  kernel.sm.issue_cycles = kernel.sm.warp_instructions;
  kernel.pcs = std::move(instructions);
  return kernel;
}

/// On a GPU of four SMs at 1,000 MHz: a thousand cycles are a microsecond.
inline stats::Result result_of(std::vector<stats::KernelResult> kernels) {
  stats::Result result;
  result.arch_name = "Small GPU";
  result.arch_path = "small";
  result.trace_path = "axpy";
  result.trace_title = "a vector times a number";
  result.cache_state = CacheState::kWarm;
  result.sm_clock_mhz = 1000;
  result.memory_clock_mhz = 1000;
  result.machine.sms = 4;
  result.machine.sub_cores_per_sm = 4;
  result.machine.l2_slices = 4;
  result.machine.noc_ports.emplace();
  result.machine.dram_bytes_per_second = 1e12;
  result.machine.l2_bytes_per_cycle = 256;
  result.machine.flops_per_cycle_sm.fill(256);
  result.kernels = std::move(kernels);
  return result;
}

/// Kernels, launches, lines and states by chance, of the names k0 to k4.
inline stats::Result random_result(std::uint64_t seed) {
  std::vector<stats::KernelResult> kernels;
  const auto random = [&seed](std::uint64_t most) { return mix64(++seed * 0x9e3779b97f4a7c15ULL) % (most + 1); };
  for (std::uint64_t k = 0, count = random(6); k < count; ++k) {
    std::vector<stats::PcResult> code;
    for (std::uint64_t i = 0, most = random(8); i < most; ++i) {
      const auto state = static_cast<stats::Stall>(random(stats::kStallCount - 1));
      code.push_back(instruction(static_cast<std::uint32_t>(random(5)), "FFMA", random(1000), state, random(100'000)));
    }
    kernels.push_back(kernel_of("k" + std::to_string(random(4)), 1 + random(100'000), std::move(code)));
  }
  return result_of(std::move(kernels));
}

inline Comparison compare_two(const stats::Result& first, const stats::Result& second) {
  const std::vector<Input> inputs{{"first.json", &first}, {"second.json", &second}};
  return compare(inputs);
}

}  // namespace gpusim::compare
