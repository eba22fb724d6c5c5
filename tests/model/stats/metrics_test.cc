// SPDX-License-Identifier: MIT
#include "sim/model/stats/metrics.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/model/isa/instr.h"
#include "sim/model/stats/result.h"

namespace stats = gpusim::stats;
namespace isa = gpusim::isa;
using stats::Bound;

namespace {

std::size_t at(isa::Pipe pipe) {
  return static_cast<std::size_t>(pipe);
}
std::size_t at(isa::FlopClass flop_class) {
  return static_cast<std::size_t>(flop_class);
}

/// Two SMs of four sub-cores at 1 GHz; 1,000 cycles are 1 us, 2,000 SM-cycles, 8,000 sub-core cycles.
struct Toy {
  stats::Result result;
  stats::KernelResult kernel;
  Toy() {
    result.sm_clock_mhz = 1000;
    result.machine.sms = 2;
    result.machine.sub_cores_per_sm = 4;
    result.machine.lsu_lanes = 32;
    result.machine.l2_slices = 4;
    result.machine.l2_bytes_per_cycle = 256;
    result.machine.noc_ports = stats::NocPorts{2, 0, 1, 4, 4, 1, 0, 2, 0};
    result.machine.dram_bytes_per_second = 1e12;
    result.machine.dram_activates_per_second = 1e10;
    result.machine.flops_per_cycle_sm[at(isa::FlopClass::kTensorBf16)] = 1000;
    result.machine.flops_per_cycle_sm[at(isa::FlopClass::kTensorFp16)] = 500;
    kernel.cycles = 1000;
    kernel.occupancy.max_warps_per_sm = 64;
  }
  [[nodiscard]] stats::Throughput throughput() const { return stats::throughput(result, kernel); }
  [[nodiscard]] Bound bound() const { return stats::bound(result, kernel); }
  [[nodiscard]] double part(stats::PartOf unit, std::string_view key) const {
    const auto& parts = stats::kThroughputPartTable;
    const auto* const row = std::ranges::find_if(
        parts, [&](const stats::ThroughputPart& known) { return known.of == unit && known.key == key; });
    REQUIRE(row != parts.end());
    return throughput().parts[static_cast<std::size_t>(row - parts.begin())];
  }
};

}  // namespace

TEST_CASE("an empty result has zero for every metric, and is bound by its launch") {
  const stats::Result result;
  const stats::KernelResult kernel;
  CHECK(stats::time_us(result, kernel) == 0);
  CHECK(stats::ipc_active(kernel) == 0);
  CHECK(stats::achieved_occupancy_pct(kernel) == 0);
  CHECK(stats::avg_active_lanes(kernel) == 0);
  CHECK(stats::pipe_pct(result, kernel, isa::Pipe::kFma) == 0);
  const stats::Throughput t = stats::throughput(result, kernel);
  for (const double value : {t.sm_pct, t.pipes_pct, t.memory_pct, t.l1_pct, t.l1_active_pct, t.l1_stage_pct,
                             t.l1_stage_active_pct, t.shared_pct, t.l2_pct, t.l2_slices_pct, t.dram_pct,
                             t.dram_rows_pct, t.noc_pct, t.tensor_pct, t.issue_pct, t.fp_pct, t.dram_gbs, t.tflops}) {
    CHECK(value == 0);
  }
  CHECK(std::ranges::count(t.parts, 0.0) == stats::kThroughputParts);
  CHECK_FALSE(stats::l1_all_hit_pct(kernel).has_value());
  CHECK_FALSE(stats::l2_all_hit_pct(kernel).has_value());
  CHECK(stats::bound(result, kernel) == Bound::kLaunch);
}

TEST_CASE("work on a machine whose peaks are unknown counts as zero per cent, not infinity") {
  Toy toy;
  toy.result.machine = {};
  toy.kernel.flops[at(isa::FlopClass::kTensorBf16)] = 1'000'000;
  toy.kernel.dram.read_bytes = 1000;
  toy.kernel.l2.read_sectors = 1000;
  toy.kernel.sm.issue_cycles = 1000;
  const stats::Throughput t = toy.throughput();
  CHECK(t.tensor_pct == 0);
  CHECK(t.dram_pct == 0);
  CHECK(t.l2_pct == 0);
  CHECK(t.issue_pct == 0);
}

TEST_CASE("time is cycles over the clock") {
  Toy toy;
  toy.kernel.cycles = 1830;
  toy.result.sm_clock_mhz = 1830;
  CHECK(stats::time_us(toy.result, toy.kernel) == 1.0);
}

TEST_CASE("instructions per cycle and occupancy are of active cycles") {
  Toy toy;
  toy.kernel.sm.active_cycles = 500;
  toy.kernel.sm.warp_instructions = 1250;
  toy.kernel.sm.warp_cycles = 16'000;
  CHECK(stats::ipc_active(toy.kernel) == 2.5);
  CHECK(stats::achieved_occupancy_pct(toy.kernel) == 50.0);
}

TEST_CASE("active lanes are averaged over warp instructions") {
  Toy toy;
  toy.kernel.sm.warp_instructions = 10;
  toy.kernel.sm.active_lanes = 240;
  CHECK(stats::avg_active_lanes(toy.kernel) == 24.0);
}

TEST_CASE("issue and pipes are of elapsed sub-core cycles, the busiest is the SM's") {
  Toy toy;
  toy.kernel.sm.issue_cycles = 800;
  toy.kernel.pipe_busy_cycles[at(isa::Pipe::kFma)] = 1600;
  toy.kernel.pipe_busy_cycles[at(isa::Pipe::kXu)] = 2400;
  toy.kernel.pipe_busy_cycles[at(isa::Pipe::kTensor)] = 4000;
  const stats::Throughput t = toy.throughput();
  CHECK(t.issue_pct == 10.0);
  CHECK(t.fp_pct == 30.0);
  CHECK(t.pipes_pct == 50.0);
  CHECK(t.sm_pct == 50.0);
}

TEST_CASE("the load/store unit counts to the SM at the rate of its lanes") {
  Toy toy;
  toy.kernel.sm.lsu_instructions = 600;
  CHECK(toy.part(stats::PartOf::kSm, "lsu") == 30.0);
  CHECK(toy.part(stats::PartOf::kL1, "in") == 30.0);
  toy.result.machine.lsu_lanes = 16;
  CHECK(toy.part(stats::PartOf::kSm, "lsu") == 60.0);
  CHECK(toy.throughput().sm_pct == 60.0);
  CHECK(toy.throughput().pipes_pct == 0.0);
}

TEST_CASE("wide stores keep the way to the load/store unit busy for longer than the unit") {
  Toy toy;
  toy.kernel.sm.lsu_instructions = 200;
  toy.kernel.sm.lsu_data_registers = 800;
  CHECK(toy.throughput().sm_pct == 40.0);
}

TEST_CASE("the address divergence unit takes an instruction in two cycles") {
  Toy toy;
  toy.kernel.sm.adu_instructions = 300;
  CHECK(toy.throughput().sm_pct == 30.0);
}

TEST_CASE("a result of a version that did not count the load/store unit has no share of it") {
  Toy toy;
  toy.result.machine.lsu_lanes = 0;
  toy.kernel.sm.issue_cycles = 800;
  CHECK(toy.throughput().sm_pct == 10.0);
}

TEST_CASE("tensor work is measured against the peak of each type, and the shares add up") {
  Toy toy;
  toy.kernel.flops[at(isa::FlopClass::kTensorBf16)] = 500'000;
  toy.kernel.flops[at(isa::FlopClass::kTensorFp16)] = 250'000;
  CHECK(toy.throughput().tensor_pct == 50.0);
}

TEST_CASE("integer tensor operations do not count as FLOP/s") {
  Toy toy;
  toy.kernel.flops[at(isa::FlopClass::kTensorInt8)] = 1'000'000;
  toy.kernel.flops[at(isa::FlopClass::kFp32)] = 2'000'000;
  CHECK(toy.throughput().tflops == Approx(2.0));
}

TEST_CASE("L1 is shown of elapsed and of active cycles") {
  Toy toy;
  toy.kernel.l1.wavefronts = 400;
  toy.kernel.sm.active_cycles = 1000;
  CHECK(toy.throughput().l1_pct == 20.0);
  CHECK(toy.throughput().l1_active_pct == 40.0);
  CHECK(toy.throughput().l1_stage_pct == 20.0);
  CHECK(toy.throughput().l1_stage_active_pct == 40.0);
}

TEST_CASE("shared memory and shuffles use the data stage of L1, too") {
  Toy toy;
  toy.kernel.l1.wavefronts = 200;
  toy.kernel.sm.shared_wavefronts = 300;
  toy.kernel.sm.shuffles = 100;
  CHECK(toy.throughput().l1_pct == 30.0);
  CHECK(toy.throughput().l1_stage_pct == 10.0);
  CHECK(toy.throughput().memory_pct == 30.0);
}

TEST_CASE("a request of L1 takes a cycle on its way to L2, and each sector that is sent another") {
  Toy toy;
  toy.kernel.l1.read_requests = 100;
  toy.kernel.l1.store_sectors = 400;
  toy.kernel.l1.atomic_sectors = 60;
  toy.kernel.local.written_back_sectors = 40;
  CHECK(toy.throughput().l1_pct == 30.0);
}

TEST_CASE("replies to L1 are those of the ports of SMs") {
  Toy toy;
  toy.kernel.noc.sm_reply_busy_cycles = 500;
  CHECK(toy.throughput().l1_pct == 25.0);
}

TEST_CASE("L2 is the higher of the bytes it moves and its busy ports") {
  Toy toy;
  toy.kernel.l2.read_sectors = 1000;
  toy.kernel.l2.write_sectors = 500;
  toy.kernel.l2.atomic_sectors = 500;
  CHECK(toy.throughput().l2_pct == 25.0);
  CHECK(toy.throughput().l2_slices_pct == 25.0);
  toy.kernel.l2.busy_cycles = 3000;
  CHECK(toy.throughput().l2_pct == 75.0);
  CHECK(toy.throughput().l2_slices_pct == 75.0);
}

TEST_CASE("a slice of two halves takes a sector of the other half a cycle more") {
  Toy toy;
  toy.kernel.l2.read_sectors = 3000;
  toy.kernel.l2.far_sectors = 1500;
  toy.kernel.l2.far_write_sectors = 300;
  CHECK(toy.part(stats::PartOf::kL2, "sectors") == 60.0);
  (*toy.result.machine.noc_ports)[8] = 2;
  CHECK(toy.part(stats::PartOf::kL2, "sectors") == 40.0);
}

TEST_CASE("tags, fills and atomics of L2 are of a slice's cycles") {
  Toy toy;
  toy.kernel.l2.requests = 900;
  toy.kernel.l2.far_requests = 300;
  toy.kernel.l2.dram_read_sectors = 800;
  toy.kernel.l2.atomic_cycles = 400;
  CHECK(toy.part(stats::PartOf::kL2, "tags") == 30.0);
  CHECK(toy.part(stats::PartOf::kL2, "fills") == 20.0);
  CHECK(toy.part(stats::PartOf::kL2, "atomics") == 10.0);
  CHECK(toy.throughput().l2_pct == 30.0);
}

TEST_CASE("links between the halves count to L2, and not to memory as a whole") {
  Toy toy;
  (*toy.result.machine.noc_ports)[8] = 2;
  toy.kernel.noc.link_busy_cycles = 1400;
  toy.kernel.noc.slice_reply_busy_cycles = 1200;
  CHECK(toy.throughput().l2_pct == 70.0);
  CHECK(toy.throughput().memory_pct == 30.0);
}

TEST_CASE("hits of all accesses count stores, what is on its way, and in L2 what one half asks of the other") {
  Toy toy;
  toy.kernel.l1.load_sectors = 60;
  toy.kernel.l1.load_hits = 30;
  toy.kernel.l1.store_sectors = 20;
  toy.kernel.l1.store_hits = 5;
  toy.kernel.l1.atomic_sectors = 20;
  toy.kernel.l1.bypass_sectors = 40;
  toy.kernel.l1.bulk_sectors = 40;
  CHECK(stats::l1_all_hit_pct(toy.kernel) == 35.0);
  toy.kernel.l1.load_merges = 10;
  CHECK(stats::l1_all_hit_pct(toy.kernel) == 45.0);
  toy.kernel.l2.read_sectors = 50;
  toy.kernel.l2.read_hits = 10;
  toy.kernel.l2.write_sectors = 20;
  toy.kernel.l2.atomic_sectors = 10;
  toy.kernel.l2.atomic_hits = 5;
  toy.kernel.l2.far_sectors = 10;
  toy.kernel.l2.far_hits = 5;
  toy.kernel.l2.far_write_sectors = 10;
  CHECK(stats::l2_all_hit_pct(toy.kernel) == 50.0);
  toy.kernel.l2.mshr_merges = 20;
  CHECK(stats::l2_all_hit_pct(toy.kernel) == 70.0);
}

TEST_CASE("the network is as busy as its busiest level of ports, and may be the bound") {
  Toy toy;
  toy.kernel.noc.sm_reply_busy_cycles = 1000;  // cycles of two ports
  CHECK(toy.throughput().noc_pct == 50.0);
  CHECK(toy.bound() == Bound::kLatency);
  toy.kernel.noc.gpc_reply_busy_cycles = 1200;  // cycles of one, after the kernel's end, too: nothing is hidden
  CHECK(toy.throughput().noc_pct == 120.0);
  toy.kernel.noc.gpc_reply_busy_cycles = 800;
  CHECK(toy.throughput().noc_pct == 80.0);
  CHECK(stats::busiest_noc_level(toy.result, toy.kernel).key == "gpc_reply");
  CHECK(toy.bound() == Bound::kNoc);
  toy.kernel.l2.busy_cycles = 3200;  // 80 %, too
  CHECK(toy.bound() == Bound::kL2);
  CHECK(toy.throughput().memory_pct == 80.0);
}

TEST_CASE("a level without ports is never busy") {
  Toy toy;
  toy.kernel.noc.link_busy_cycles = 900;
  CHECK(toy.throughput().noc_pct == 0);
}

TEST_CASE("DRAM counts reads and writes against its peak") {
  Toy toy;
  toy.kernel.dram.read_bytes = 300'000;
  toy.kernel.dram.write_bytes = 100'000;
  CHECK(toy.throughput().dram_pct == Approx(40.0));
  CHECK(toy.throughput().dram_gbs == Approx(400.0));
  CHECK(toy.throughput().memory_pct == toy.throughput().dram_pct);
}

TEST_CASE("DRAM may be at its limit of rows with most of its bandwidth unused") {
  Toy toy;
  toy.kernel.dram.read_bytes = 300'000;
  toy.kernel.dram.activates = 9000;
  CHECK(toy.throughput().dram_rows_pct == Approx(90.0));
  CHECK(toy.throughput().memory_pct == toy.throughput().dram_pct);
  CHECK(toy.bound() == Bound::kDramRows);
  toy.kernel.dram.read_bytes = 900'000;
  CHECK(toy.bound() == Bound::kDram);
  toy.kernel.dram.read_bytes = 300'000;
  toy.kernel.dram.activates = 5900;
  CHECK(toy.bound() == Bound::kLatency);
}

TEST_CASE("DRAM that is simulated without rows is not bound by them") {
  Toy toy;
  toy.result.machine.dram_activates_per_second = 0;
  toy.kernel.dram.activates = 9000;
  CHECK(toy.throughput().dram_rows_pct == 0);
}

TEST_CASE("sectors a request are told apart by what it does; without any they are none") {
  Toy toy;
  toy.kernel.l1.global_load_requests = 10;
  toy.kernel.l1.global_load_sectors = 320;
  toy.kernel.l1.global_store_requests = 5;
  toy.kernel.l1.global_store_sectors = 20;
  CHECK(stats::sectors_per_load(toy.kernel) == 32);
  CHECK(stats::sectors_per_store(toy.kernel) == 4);
  CHECK(stats::sectors_per_atomic(toy.kernel) == 0);
}

TEST_CASE("a kernel's time holds what it takes to begin and to end") {
  Toy toy;
  const double alone = stats::time_us(toy.result, toy.kernel);
  toy.kernel.begin_end_us = 0.62;
  CHECK(stats::time_us(toy.result, toy.kernel) == Approx(alone + 0.62));
}

TEST_CASE("a kernel shorter than its launch is bound by the launch") {
  Toy toy;
  toy.kernel.launch_us = 1.0;
  CHECK(toy.bound() == Bound::kLatency);
  toy.kernel.launch_us = 1.1;
  CHECK(toy.bound() == Bound::kLaunch);
  toy.kernel.launch_us = 0.5;
  toy.kernel.begin_end_us = 0.6;
  CHECK(toy.bound() == Bound::kLaunch);
}

TEST_CASE("a unit bounds the kernel from 60 per cent of its peak on") {
  Toy toy;
  toy.kernel.sm.shared_wavefronts = 1199;
  CHECK(toy.bound() == Bound::kLatency);
  toy.kernel.sm.shared_wavefronts = 1200;
  CHECK(toy.bound() == Bound::kShared);
}

TEST_CASE("of several busy units the one nearest its peak bounds the kernel") {
  Toy toy;
  toy.kernel.l1.wavefronts = 1400;
  CHECK(toy.bound() == Bound::kL1);
  toy.kernel.dram.read_bytes = 900'000;
  CHECK(toy.bound() == Bound::kDram);
}

TEST_CASE("a tensor pipe busy without pause bounds the kernel although the FLOPs miss the dense peak") {
  Toy toy;
  toy.kernel.flops[at(isa::FlopClass::kTensorBf16)] = 1'100'000;
  CHECK(toy.bound() == Bound::kLatency);
  toy.kernel.pipe_busy_cycles[at(isa::Pipe::kTensor)] = 7600;
  CHECK(toy.bound() == Bound::kTensor);
}
