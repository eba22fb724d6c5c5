// SPDX-License-Identifier: MIT
#include "tests/output/report/sample.h"

namespace gpusim::report {
namespace {

using stats::Stall;

std::uint64_t& at(stats::StallCycles& stalls, Stall state) {
  return stalls[static_cast<std::size_t>(state)];
}

stats::PcResult instruction(std::uint64_t pc, std::uint32_t line, const std::string& opcode, std::uint64_t executed) {
  stats::PcResult out;
  out.pc = pc;
  out.line = line;
  out.opcode = opcode;
  out.text = opcode + " ...";
  out.warp_instructions = executed;
  out.thread_instructions = 32 * executed;
  out.active_lanes = 32 * executed;
  at(out.stalls, Stall::kSelected) = executed;
  return out;
}

/// The loads of line 12 are unrolled twice; line 13 waits for them.
std::vector<stats::PcResult> sample_code() {
  std::vector<stats::PcResult> code{
      instruction(0x00, 10, "S2R", 1000),        instruction(0x10, 12, "LDG.E.128", 4000),
      instruction(0x20, 12, "LDG.E.128", 4000),  instruction(0x30, 13, "FFMA", 8000),
      instruction(0x40, 15, "STG.E.128", 2000),  instruction(0x50, 16, "EXIT", 1000),
      instruction(0x60, 0, "HMMA.16816.F32", 0),
  };
  at(code[0].stalls, Stall::kBranchResolving) = 40;
  at(code[1].stalls, Stall::kLgThrottle) = 6000;
  at(code[2].stalls, Stall::kLgThrottle) = 4000;
  at(code[3].stalls, Stall::kLongScoreboard) = 60'000;
  at(code[3].stalls, Stall::kNotSelected) = 960;
  at(code[4].stalls, Stall::kWait) = 7000;
  at(code[5].stalls, Stall::kDrain) = 2000;
  at(code[3].concurrent, Stall::kWait) = 300;
  code[1].memory_requests = code[2].memory_requests = 4000;
  code[1].memory_sectors = code[2].memory_sectors = 50'000;
  code[4].memory_requests = 2000;
  code[4].memory_sectors = 32'000;
  code[3].active_lanes -= 40'000;
  code[3].thread_instructions -= 80'000;
  code[3].producers = {{2, Stall::kLongScoreboard, 35'000}, {1, Stall::kLongScoreboard, 25'000}};
  code[4].producers = {{3, Stall::kWait, 7000}};
  return code;
}

stats::DramCounters dram_counters() {
  return {.read_bytes = 2'240'000,
          .write_bytes = 960'000,
          .ecc_bytes = 0,
          .bursts = 100'000,
          .row_hits = 90'000,
          .row_misses = 6000,
          .row_conflicts = 4000,
          .activates = 10'000,
          .precharges = 10'000,
          .refreshes = 16,
          .bank_refreshes = 0,
          .bus_busy_clocks = 3000,
          .queued_clocks = 4500};
}

void fill_counters(stats::KernelResult& kernel) {
  kernel.sm = {.active_cycles = 30'000,
               .warp_cycles = 100'000,
               .issue_cycles = 20'000,
               .warp_instructions = 20'000,
               .thread_instructions = 560'000,
               .active_lanes = 600'000,
               .branches = 1000,
               .divergent_branches = 50,
               .ctas = 16,
               .shared_requests = 500,
               .shared_wavefronts = 1000,
               .shared_ideal_wavefronts = 500,
               .shared_read_bytes = 48'000,
               .shared_write_bytes = 16'000};
  kernel.l1 = {.requests = 10'000,
               .wavefronts = 12'800,
               .load_sectors = 100'000,
               .load_hits = 25'000,
               .load_misses = 75'000,
               .store_sectors = 32'000,
               .atomic_sectors = 0,
               .bypass_sectors = 0,
               .mshr_merges = 1000,
               .requested_bytes = 4'000'000,
               .fill_sectors = 74'000,
               .reply_sectors = 74'000,
               .global_load_requests = 8000,
               .global_load_sectors = 100'000,
               .global_store_requests = 2000,
               .global_store_sectors = 32'000};
  kernel.l2 = {.requests = 20'000,
               .read_sectors = 74'000,
               .read_hits = 37'000,
               .read_misses = 37'000,
               .write_sectors = 32'000,
               .reply_sectors = 74'000,
               .dram_read_sectors = 70'000,
               .dram_write_sectors = 30'000,
               .busy_cycles = 16'000};
  kernel.noc.sm_request_bytes = 1'184'000;
  kernel.noc.sm_request_stall_cycles = 800;
  kernel.noc.gpc_request_stall_cycles = 8000;
  kernel.noc.slice_request_full_cycles = 640;
  kernel.noc.gpc_reply_bytes = 2'528'000;
  kernel.noc.gpc_reply_busy_cycles = 4800;
  kernel.noc.gpc_reply_wait_cycles = 1600;
  kernel.dram = dram_counters();
}

stats::KernelResult sample_kernel() {
  stats::KernelResult kernel;
  kernel.name = "axpy";
  kernel.divergence = stats::Divergence::kIts;
  kernel.grid = {16, 1, 1};
  kernel.block = {256, 1, 1};
  kernel.registers_per_thread = 40;
  kernel.shared_bytes_per_cta = 8192;
  kernel.simulated_ctas = 16;
  kernel.cycles = 8000;
  kernel.launch_us = 2.5;
  kernel.occupancy.ctas_per_sm = 2;
  kernel.occupancy.warps_per_cta = 8;
  kernel.occupancy.max_warps_per_sm = 64;
  kernel.occupancy.limit = {8, 2, 2, 32, 0xffffffffU};
  kernel.occupancy.limiters = {stats::Limiter::kRegisters, stats::Limiter::kSharedMem};
  kernel.occupancy.shared_carveout_bytes = 16'384;
  kernel.occupancy.l1_bytes = 114'688;
  fill_counters(kernel);
  kernel.pcs = sample_code();
  for (const stats::PcResult& pc : kernel.pcs) {
    for (std::size_t i = 0; i < stats::kStallCount; ++i) {
      kernel.stalls[i] += pc.stalls[i];
    }
  }
  kernel.pipe_instructions[static_cast<std::size_t>(isa::Pipe::kFma)] = 8000;
  kernel.pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kFma)] = 16'000;
  kernel.pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kLsu)] = 10'500;
  kernel.flops[static_cast<std::size_t>(isa::FlopClass::kFp32)] = 512'000;
  kernel.sm_active_cycles = {8000, 8000, 7000, 7000};
  return kernel;
}

}  // namespace

stats::Result sample_result() {
  stats::Result result;
  result.arch_name = "Toy GPU";
  result.arch_path = "configs/toy.yaml";
  result.trace_path = "traces/axpy.trace";
  result.trace_origin = TraceOrigin::kProgram;
  result.trace_title = "y = a x + y";
  result.parameters = {{"n", 4096}, {"unroll", 2}};
  result.cache_state = CacheState::kWarm;
  result.sm_clock_mhz = 1000;
  result.memory_clock_mhz = 1250;
  result.machine = {.sms = 4,
                    .sub_cores_per_sm = 4,
                    .l2_slices = 8,
                    .dram_channels = 8,
                    .noc_ports = stats::NocPorts{4, 0, 2, 8, 8, 2, 0, 4, 0},
                    .dram_bytes_per_second = 1e12,
                    .dram_activates_per_second = 4e9,
                    .l2_bytes_per_cycle = 512,
                    .l1_bytes_per_cycle = 128,
                    .shared_bytes_per_cycle = 128};
  result.machine.flops_per_cycle_sm[static_cast<std::size_t>(isa::FlopClass::kFp32)] = 256;
  result.machine.flops_per_cycle_sm[static_cast<std::size_t>(isa::FlopClass::kTensorBf16)] = 4096;
  result.warnings = {"opcode 'FROB' is unknown: treated as an ALU operation"};
  result.guesses = {{"noc.gpcs", "1", SourceKind::kInferred, "from the number of SMs"},
                    {"sm.barrier_latency", "30", SourceKind::kGuess, "no measurement is known"}};
  result.kernels = {sample_kernel()};
  result.host = {.seconds = 0.5, .threads = 2, .peak_rss_bytes = 64U << 20U};
  return result;
}

std::vector<stats::WatchInterval> sample_watch() {
  const auto interval = [](Cycle begin, Cycle end, Stall state, std::uint32_t pc) {
    return stats::WatchInterval{.kernel = 0,
                                .sm = 0,
                                .sub_core = 3,
                                .warp_slot = 3,
                                .cta = 0,
                                .warp = 3,
                                .begin = begin,
                                .end = end,
                                .state = state,
                                .pc = pc,
                                .lanes = kAllLanes,
                                .lanes_on = pc == 3 ? 0xffff0000U : kAllLanes,
                                .producer = state == Stall::kLongScoreboard ? 1 : stats::kNoProducer};
  };
  return {interval(104, 105, Stall::kSelected, 0), interval(105, 109, Stall::kWait, 1),
          interval(109, 110, Stall::kSelected, 1), interval(110, 111, Stall::kNotSelected, 2),
          interval(111, 112, Stall::kSelected, 2), interval(112, 133, Stall::kLongScoreboard, 3),
          interval(133, 134, Stall::kSelected, 3)};
}

}  // namespace gpusim::report
