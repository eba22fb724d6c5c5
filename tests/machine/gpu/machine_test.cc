// SPDX-License-Identifier: MIT
// What surrounds a run: where SMs stand, what must add up at the end, and what is said when nothing goes on.
#include "sim/machine/gpu/machine.h"

#include <algorithm>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/rounding.h"
#include "sim/machine/gpu/conservation.h"
#include "sim/machine/gpu/deadlock_detector.h"
#include "sim/machine/gpu/floorplan.h"
#include "sim/machine/gpu/noc_ports.h"
#include "sim/model/arch/arch.h"

#include "tests/support/one_sm.h"

namespace machine_test {

using namespace gpusim;

namespace {

/// A GPU with TLBs, and with DRAM that has banks.
const arch::Arch& tested_gpu() {
  static const arch::Arch arch = test::shipped_arch("h100");
  return arch;
}

std::string problem_of(const stats::KernelResult& kernel) {
  return gpu::conservation_problem(kernel, tested_gpu());
}

/// The counters of 20 requests with headers of 8 bytes, which send 15 + 5 sectors and bring 23. Of them 6 go to the
/// other half, and 2 copies there are invalidated. Besides 6 messages between SMs, with 7 sectors.
stats::NocCounters consistent_ports() {
  stats::NocCounters noc;
  noc.sm_request_bytes = noc.gpc_request_bytes = noc.slice_request_bytes = 20 * 8 + (15 + 5) * 32;
  noc.slice_reply_bytes = noc.gpc_reply_bytes = noc.sm_reply_bytes = 20 * 8 + 23 * 32;
  noc.sm_credits_taken = noc.sm_credits_returned = 20;
  noc.slice_credits_taken = noc.slice_credits_returned = 20;
  noc.link_bytes = (2 * 6 + 2) * 8 + (7 + 3 + 2 * 1) * 32;
  noc.dsmem_messages = 6;
  noc.dsmem_send_bytes = noc.dsmem_receive_bytes = 6 * 8 + 7 * 32;
  for (std::size_t i = 0; i < stats::kNocLevels.size(); ++i) {
    const stats::NocLevel& level = stats::kNocLevels[i];
    const gpu::LevelPorts ports = gpu::noc_ports(tested_gpu())[i];
    noc.*level.busy = ports.count == 0 ? 0 : ceil_divide(noc.*level.bytes, ports.bytes_per_cycle);
  }
  return noc;
}

/// 10 instructions issued, 9 requests of 48 sectors where 27 would do, and one bank conflict.
std::vector<stats::PcResult> consistent_code() {
  std::vector<stats::PcResult> code(2);
  code[0].warp_instructions = 7;
  code[1].warp_instructions = 3;
  code[0].memory_requests = 6;
  code[1].memory_requests = 3;
  code[0].memory_sectors = 40;
  code[1].memory_sectors = 8;
  code[0].memory_ideal_sectors = 20;
  code[1].memory_ideal_sectors = 7;
  code[0].shared_wavefronts = 4;
  code[0].shared_ideal_wavefronts = 3;
  return code;
}

/// What passes to the other half of L2.
void set_far(stats::L2Counters& l2) {
  l2.far_requests = 6;
  l2.far_invalidations = 2;
  l2.far_write_sectors = 3;
  l2.far_atomic_sectors = 1;
  l2.far_sectors = 7;
  l2.far_hits = 3;
  l2.far_misses = 4;
}

// Parts of the numbers below, by name: a counter more changes none of them.
constexpr stats::SmCounters kConsistentSm{.active_cycles = 100,
                                          .warp_cycles = 50,
                                          .issue_cycles = 10,
                                          .warp_instructions = 10,
                                          .thread_instructions = 320,
                                          .active_lanes = 320,
                                          .branches = 2,
                                          .divergent_branches = 1,
                                          .ctas = 4,
                                          .shared_requests = 5,
                                          .shared_wavefronts = 6,
                                          .shared_ideal_wavefronts = 5,
                                          .shared_read_bytes = 640,
                                          .shared_write_bytes = 128,
                                          .lsu_instructions = 6,
                                          .adu_instructions = 2,
                                          .shuffles = 2,
                                          .lsu_data_registers = 18};
constexpr stats::LocalCounters kConsistentLocal{.load_requests = 2,
                                                .store_requests = 3,
                                                .load_sectors = 6,
                                                .load_hits = 4,
                                                .load_misses = 2,
                                                .store_sectors = 9,
                                                .store_hits = 1,
                                                .fill_sectors = 2,
                                                .dirtied_sectors = 9,
                                                .written_back_sectors = 7,
                                                .dropped_sectors = 2};
constexpr stats::DsmemCounters kConsistentDsmem{.requests = 3,
                                                .read_sectors = 4,
                                                .write_sectors = 2,
                                                .atomic_sectors = 1,
                                                .served_sectors = 7,
                                                .sent_bytes = 224,
                                                .received_bytes = 224};
constexpr stats::TlbCounters kConsistentTlb{.l1_lookups = 20,
                                            .l1_hits = 10,
                                            .l1_misses = 10,
                                            .l1_merges = 2,
                                            .l2_lookups = 8,
                                            .l2_hits = 3,
                                            .l2_misses = 5,
                                            .l2_merges = 1,
                                            .l3_lookups = 4,
                                            .l3_hits = 1,
                                            .l3_misses = 3,
                                            .l3_merges = 1,
                                            .walks = 2,
                                            .wait_cycles = 5};

/// A kernel's numbers in which every invariant holds and every counter is above zero.
stats::KernelResult consistent() {
  stats::KernelResult k;
  k.simulated_ctas = 4;
  k.cycles = 100;
  k.drained_cycles = 120;
  k.sm = kConsistentSm;
  k.stalls[static_cast<std::size_t>(stats::Stall::kSelected)] = 10;
  k.stalls[static_cast<std::size_t>(stats::Stall::kWait)] = 40;
  k.pcs = consistent_code();
  k.pipe_instructions[static_cast<std::size_t>(isa::Pipe::kLsu)] = 8;
  k.l1.requests = 9;
  k.l1.load_sectors = 30;
  k.l1.load_hits = 10;
  k.l1.load_misses = 20;
  k.l1.bypass_sectors = 4;
  k.l1.mshr_merges = 6;
  k.l1.fill_sectors = 18;
  k.l1.reply_sectors = 23;
  k.l1.read_requests = 18;
  k.l1.load_merges = 6;
  k.l1.store_sectors = 8;
  k.l1.store_hits = 8;
  k.l1.atomic_sectors = 5;
  k.l1.global_load_requests = 1;
  k.l1.global_load_sectors = 22;
  k.l1.global_store_requests = 1;
  k.l1.global_store_sectors = 7;
  k.l1.global_atomic_requests = 2;
  k.l1.global_atomic_sectors = 4;
  k.l1.bulk_sectors = 8;
  k.l1.ideal_sectors = 27;
  k.l2.requests = 20;
  k.l2.read_sectors = 18;
  k.l2.read_hits = 6;
  k.l2.read_misses = 12;
  k.local = kConsistentLocal;
  k.l2.write_sectors = 15;
  k.l2.atomic_sectors = 5;
  k.l2.atomic_hits = 2;
  k.l2.atomic_misses = 3;
  k.l2.mshr_merges = 3;
  k.l2.evicted_dirty_sectors = 1;
  k.l2.cleaned_sectors = 1;
  set_far(k.l2);
  k.l2.reply_sectors = 23;
  k.l2.dram_read_sectors = 9;
  k.l2.dram_write_sectors = 2;
  k.dsmem = kConsistentDsmem;
  k.dram.read_bytes = 9 * 32;
  k.dram.write_bytes = 2 * 32;
  k.dram.bursts = 11;
  k.dram.row_hits = 5;
  k.dram.row_misses = 4;
  k.dram.row_conflicts = 2;
  k.dram.bus_busy_clocks = std::uint64_t{11} * tested_gpu().dram.timing.BL;
  k.tlb = kConsistentTlb;
  k.noc = consistent_ports();
  return k;
}

/// Counts one more of each field in turn: some invariant must break, unless the field is in `free`.
template <class Block>
void each_field_is_bound(Block stats::CounterBlocks::*block, const std::set<std::string_view>& free) {
  for (const auto& field : Block::kFields) {
    stats::KernelResult k = consistent();
    (k.*block).*(field.member) += 1;
    INFO(field.name);
    CHECK(problem_of(k).empty() == free.contains(field.name));
  }
}

trace::Kernel barrier_kernel() {
  trace::Kernel kernel;
  kernel.name = "hung";
  for (std::uint32_t line = 10; line < 15; ++line) {
    kernel.texts.push_back({"BAR.SYNC", "BAR.SYNC 0x" + std::to_string(line - 10), line, 16 * (line - 10)});
  }
  return kernel;
}

/// The warp has issued the BAR of that barrier.
sm::WarpWait at_barrier(std::uint32_t warp, std::uint32_t barrier) {
  return {warp, 3, warp, barrier + 1, mask_of(stats::Stall::kBarrier), false, barrier};
}

}  // namespace

TEST_CASE("SMs spread over the GPCs as evenly as whole TPCs allow, the GPCs over the halves") {
  arch::Arch arch = test::shipped_arch("h100");
  for (const std::uint32_t gpcs : {1U, 2U, 7U, 8U}) {
    for (std::uint32_t sms = gpcs; sms < 150; ++sms) {
      arch.noc.gpcs = gpcs;
      arch.sm.count = sms;
      const gpu::Floorplan plan = gpu::floorplan(arch);
      REQUIRE(plan.gpc_of_sm.size() == sms);
      std::vector<std::uint32_t> in_gpc(gpcs, 0);
      for (const std::uint32_t gpc : plan.gpc_of_sm) {
        REQUIRE(gpc < gpcs);
        ++in_gpc[gpc];
      }
      const auto [least, most] = std::minmax_element(in_gpc.begin(), in_gpc.end());
      REQUIRE(*most - *least <= 2);
      const auto odd = std::count_if(in_gpc.begin(), in_gpc.end(), [](std::uint32_t n) { return n % 2 != 0; });
      if (sms >= 2 * gpcs) {
        REQUIRE(odd == sms % 2);
      } else {
        REQUIRE(*least >= 1);
      }
      REQUIRE(plan.half_of_gpc.size() == gpcs);
      const auto near_first = std::count(plan.half_of_gpc.begin(), plan.half_of_gpc.end(), 0U);
      REQUIRE(near_first == (gpcs + 1) / 2);
      REQUIRE(std::is_sorted(plan.half_of_gpc.begin(), plan.half_of_gpc.end()));
    }
  }
}

TEST_CASE("the lookahead is the smallest link latency, that between the halves only where there are two") {
  arch::Arch arch = test::shipped_arch("h100");
  arch.noc.partition_link_latency = 9;
  arch.l2.halves = 2;
  CHECK(gpu::lookahead(arch) == 9);
  arch.l2.halves = 1;
  CHECK(gpu::lookahead(arch) > 9);
  for (std::uint32_t* latency :
       {&arch.noc.sm_to_gpc_latency, &arch.noc.gpc_to_l2_latency, &arch.noc.l2_to_gpc_latency,
        &arch.noc.gpc_to_sm_latency, &arch.launch.cta_latency, &arch.launch.completion_latency}) {
    const std::uint32_t before = *latency;
    *latency = 8;
    CHECK(gpu::lookahead(arch) == 8);
    *latency = before;
  }
}

TEST_CASE("the links between SMs bound the lookahead of kernels that may use them alone") {
  arch::Arch arch = test::shipped_arch("h100");
  const Cycle without = gpu::lookahead(arch);
  for (std::uint32_t* latency : {&arch.noc.dsmem_latency, &arch.noc.cluster_barrier_latency}) {
    const std::uint32_t before = *latency;
    *latency = 17;
    CHECK(gpu::lookahead(arch) == without);
    CHECK(gpu::lookahead(arch, true) == 8);
    *latency = before;
  }
}

TEST_CASE("consistent numbers break no invariant") {
  CHECK(problem_of(consistent()) == "");
}

TEST_CASE("every counter that an invariant names breaks it when it is one off") {
  each_field_is_bound(&stats::CounterBlocks::sm,
                      {"active_cycles", "issue_cycles", "thread_instructions", "active_lanes", "branches",
                       "divergent_branches", "shared_requests", "shared_read_bytes", "shared_write_bytes"});
  each_field_is_bound(&stats::CounterBlocks::l1, {"wavefronts", "requested_bytes"});
  each_field_is_bound(&stats::CounterBlocks::local, {"store_hits", "fill_sectors"});
  each_field_is_bound(&stats::CounterBlocks::dsmem, {"requests"});
  each_field_is_bound(&stats::CounterBlocks::l2, {"atomic_cycles", "busy_cycles"});
  each_field_is_bound(&stats::CounterBlocks::tlb, {"wait_cycles"});
  // Times have limits, and a cycle more is within them; stalls of a part are bound by those of the whole.
  std::set<std::string_view> times;
  for (const auto& field : stats::NocCounters::kFields) {
    if (field.unit == stats::Unit::kCycles) {
      times.insert(field.name);
    }
  }
  for (const std::string_view bound : {"tpc_request_busy_cycles", "tpc_reply_busy_cycles", "tpc_request_stall_cycles",
                                       "tpc_reply_wait_cycles", "link_stall_cycles", "dram_stall_cycles"}) {
    times.erase(bound);
  }
  each_field_is_bound(&stats::CounterBlocks::noc, times);
  each_field_is_bound(&stats::CounterBlocks::dram,
                      {"activates", "precharges", "refreshes", "bank_refreshes", "queued_clocks"});
}

TEST_CASE("lines of multicasts come to SMs besides what comes into their GPC, and may be kept from the SM that asked") {
  stats::KernelResult k = consistent();
  k.dsmem.multicast_asked_sectors += 4;
  k.dsmem.multicast_sectors += 4;
  k.noc.multicast_lines += 2;
  k.noc.sm_reply_bytes += 2 * 8 + 4 * 32;
  CHECK(problem_of(k) == "");
  k.noc.sm_reply_bytes -= 4 * 32;
  CHECK_THAT(problem_of(k), Catch::StartsWith("bytes of replies that SMs get"));
  k.noc.multicast_kept_sectors += 4;
  CHECK(problem_of(k) == "");
}

TEST_CASE("ports are busy for as long as their bytes take, and no queue is full or stalled for longer than the run") {
  for (std::size_t i = 0; i < stats::kNocLevels.size(); ++i) {
    const stats::NocLevel& level = stats::kNocLevels[i];
    const std::uint64_t ports = gpu::noc_ports(tested_gpu())[i].count;
    const std::string where = " (" + std::string(level.name) + ") does not hold";
    CAPTURE(level.name);
    stats::KernelResult busier = consistent();
    busier.noc.*level.busy += ports + 1;
    CHECK_THAT(problem_of(busier), Catch::StartsWith("busy cycles = what their bytes take" + where));
    for (const auto& [member, what] : {std::pair(level.full, "full"), std::pair(level.stall, "stalled")}) {
      if (member != nullptr && ports != 0) {
        stats::KernelResult longer = consistent();
        const std::uint64_t most = 120 * level.queue_count(ports, tested_gpu().sm.count, tested_gpu().l2.slices);
        longer.noc.slice_request_stall_cycles = std::uint64_t{120} * tested_gpu().l2.slices;
        longer.noc.*member = most;
        CHECK(problem_of(longer) == "");
        longer.noc.*member = most + 1;
        CHECK_THAT(problem_of(longer),
                   Catch::StartsWith("cycles of " + std::string(what) + " queues <= all cycles" + where));
      }
    }
    if (level.wait != nullptr && ports != 0) {
      stats::KernelResult waits = consistent();
      waits.noc.*level.wait = 21 * waits.noc.*level.busy;
      CHECK_THAT(problem_of(waits), Catch::StartsWith("a message's wait <= busy cycles" + where));
    }
  }
}

TEST_CASE("a port is not busy for longer than the run") {
  arch::Arch narrow = tested_gpu();
  narrow.noc.gpcs = 1;
  stats::KernelResult k = consistent();
  k.cycles = 0;
  k.drained_cycles = 1;
  CHECK(gpu::conservation_problem(k, narrow) ==
        "busy cycles <= all cycles (request ports of GPCs) does not hold: 3 against 0 to 2");
}

TEST_CASE("times of L2 and DRAM are within the run") {
  const auto problem_with = [](auto change) {
    stats::KernelResult k = consistent();
    change(k);
    return problem_of(k);
  };
  const std::uint64_t slices = tested_gpu().l2.slices;
  const std::uint64_t channels = tested_gpu().dram.channels;
  CHECK_THAT(problem_with([&](auto& k) { k.l2.busy_cycles = 121 * slices + 1; }), Catch::Contains("data ports"));
  CHECK_THAT(problem_with([&](auto& k) { k.l2.atomic_cycles = 200 * slices; }), Catch::Contains("atomic units"));
  CHECK_THAT(problem_with([&](auto& k) { k.dram.queued_clocks = 200 * channels; }), Catch::Contains("in the queues"));
  CHECK_THAT(problem_with([&](auto& k) { k.noc.dram_full_cycles = 120 * channels + 1; }),
             Catch::Contains("full queues of DRAM"));
  CHECK_THAT(problem_with([&](auto& k) { k.drained_cycles = 99; }), Catch::Contains("cycles of the kernel <="));
}

TEST_CASE("without ports nothing passes them") {
  arch::Arch ideal = tested_gpu();
  ideal.noc.model = arch::NocModel::kIdeal;
  stats::KernelResult k = consistent();
  CHECK_THAT(gpu::conservation_problem(k, ideal), Catch::StartsWith("bytes of requests = their headers"));
  k.noc = {};
  CHECK(gpu::conservation_problem(k, ideal) == "");
}

TEST_CASE("with TLBs every request to L2 is translated, without them none") {
  arch::Arch without = tested_gpu();
  without.tlb.model = arch::TlbModel::kOff;
  stats::KernelResult k = consistent();
  CHECK(gpu::conservation_problem(k, without) == "requests translated = requests to L2 does not hold: 20 against 0");
  k.tlb = {};
  CHECK(gpu::conservation_problem(k, without) == "");
  CHECK(problem_of(k) == "requests translated = requests to L2 does not hold: 0 against 20");
}

TEST_CASE("DRAM without banks counts no rows, one with banks a row for every burst") {
  arch::Arch without = tested_gpu();
  without.dram.model = arch::DramModel::kIdeal;
  stats::KernelResult k = consistent();
  CHECK(gpu::conservation_problem(k, without) == "row hits + misses + conflicts = bursts does not hold: 11 against 0");
  k.dram.row_hits = k.dram.row_misses = k.dram.row_conflicts = 0;
  CHECK(gpu::conservation_problem(k, without) == "");
  CHECK(problem_of(k) == "row hits + misses + conflicts = bursts does not hold: 0 against 11");
}

TEST_CASE("sectors may share a burst that is larger, but none moves without one") {
  arch::Arch arch = tested_gpu();
  arch.dram.burst_bytes = 64;
  stats::KernelResult k = consistent();
  for (const std::uint64_t bursts_read : {5U, 9U}) {
    k.dram.read_bytes = 64 * bursts_read;
    k.dram.bursts = bursts_read + 1;
    k.dram.row_hits = k.dram.bursts - 6;
    k.dram.bus_busy_clocks = k.dram.bursts * arch.dram.timing.BL;
    CHECK(gpu::conservation_problem(k, arch) == "");
  }
  k.dram.read_bytes = std::uint64_t{64} * 10;
  CHECK(gpu::conservation_problem(k, arch) ==
        "bytes DRAM read = sectors L2 filled or completed does not hold: 640 against 288 to 576");
}

TEST_CASE("a warp-cycle in any state, an instruction or a CTA too many breaks an invariant, with both sides named") {
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    stats::KernelResult k = consistent();
    ++k.stalls[s];
    CHECK(problem_of(k) == "warp states = warp-cycles does not hold: 51 against 50");
  }
  stats::KernelResult moved = consistent();
  ++moved.stalls[static_cast<std::size_t>(stats::Stall::kSelected)];
  --moved.stalls[static_cast<std::size_t>(stats::Stall::kWait)];
  CHECK(problem_of(moved) == "selected = warp instructions does not hold: 11 against 10");
  stats::KernelResult pc = consistent();
  ++pc.pcs[1].warp_instructions;
  CHECK_FALSE(problem_of(pc).empty());
  stats::KernelResult ctas = consistent();
  --ctas.simulated_ctas;
  CHECK(problem_of(ctas) == "CTAs completed = CTAs simulated does not hold: 4 against 3");
}

TEST_CASE("two warps at two barriers are explained as a circle") {
  const std::string text = gpu::explain_deadlock(barrier_kernel(), {{2, {at_barrier(0, 0), at_barrier(1, 1)}}}, 777);
  CHECK(
      text ==
      "kernel 'hung' cannot finish: at cycle 777 nothing can progress; the circle of waiting:\n"
      "  warp 0 of CTA 3 at 'BAR.SYNC 0x0' (line 10), waits at barrier 0\n"
      "  barrier 0 of CTA 3 waits for\n"
      "  warp 1 of CTA 3 at 'BAR.SYNC 0x1' (line 11), waits at barrier 1\n"
      "  barrier 1 of CTA 3 waits for\n"
      "  ... which is where it began. Every warp of a CTA must reach each of its barriers, or exit, and every warp of "
      "a cluster the cluster's; a barrier with a count needs as many arrivals.");
}

TEST_CASE("the shortest circle is shown, and warps outside it are not") {
  const std::string text = gpu::explain_deadlock(
      barrier_kernel(), {{0, {at_barrier(0, 0), at_barrier(1, 1), at_barrier(2, 2), at_barrier(3, 0)}}}, 1);
  CHECK(std::count(text.begin(), text.end(), '\n') == 5);
}

TEST_CASE("of a barrier that counts its warps the arrivals are told") {
  sm::WarpWait waiting = at_barrier(0, 1);
  waiting.barrier_arrivals = 1;
  waiting.barrier_needed = 4;
  const std::string text = gpu::explain_deadlock(barrier_kernel(), {{0, {waiting}}}, 1);
  CHECK(text.find("waits at barrier 1, where 1 of 4 warps have arrived\n") != std::string::npos);
}

TEST_CASE("barriers of different CTAs and SMs make no circle") {
  sm::WarpWait other = at_barrier(1, 1);
  other.cta = 4;
  const std::string text =
      gpu::explain_deadlock(barrier_kernel(), {{0, {at_barrier(0, 0), other}}, {1, {at_barrier(2, 2)}}}, 1);
  CHECK(text.find("circle") == std::string::npos);
  CHECK(text.find("  SM 0: warp 0 of CTA 3 at 'BAR.SYNC 0x0' (line 10), waits at barrier 0\n") != std::string::npos);
  CHECK(text.find("  SM 1: warp 2 of CTA 3") != std::string::npos);
}

TEST_CASE("warps of many CTAs that wait alike are one line, with the file of the place and what to do") {
  trace::Kernel kernel = barrier_kernel();
  kernel.where = {"k.trace", 2, 8};
  std::vector<gpu::SmWaits> waits;
  for (std::uint32_t i = 0; i < 4; ++i) {
    sm::WarpWait warp = at_barrier(0, 0);
    warp.cta = i;
    warp.barrier_arrivals = 1;
    warp.barrier_needed = 3;
    waits.push_back({i, {warp}});
  }
  CHECK(gpu::explain_deadlock(kernel, waits, 398) ==
        "k.trace:2:8: kernel 'hung' cannot finish: at cycle 398 nothing can progress; warps that wait:\n"
        "  SM 0: warp 0 of CTA 0 at 'BAR.SYNC 0x0' (k.trace:10), waits at barrier 0, where 1 of 3 warps have arrived; "
        "4 CTAs wait like this\n"
        "  Every warp of a CTA must reach each of its barriers, or exit, and every warp of a cluster the cluster's; a "
        "barrier with a count needs as many arrivals.");
}

TEST_CASE("a warp that polls an mbarrier stands at its question, and is told what a phase needs") {
  trace::Kernel kernel = barrier_kernel();
  kernel.texts[1] = {"SYNCS.PHASECHK", "SYNCS.PHASECHK P0", 10, 16};
  kernel.mbarriers.resize(1);
  sm::WarpWait warp{0, 0, 0, 2, 0, false, 0};
  warp.poll.emplace();
  warp.poll->pc = 1;
  const std::string text = gpu::explain_deadlock(kernel, {{0, {warp}}}, 1);
  CHECK(text.find("warp 0 of CTA 0 at 'SYNCS.PHASECHK P0' (line 10), waits for mbarrier") != std::string::npos);
  CHECK(text.ends_with(
      "A phase of an mbarrier needs the arrivals that it was initialised with, and all bytes that were announced."));
}

TEST_CASE("without a circle the first places are listed with what warps wait for, the rest counted") {
  std::vector<sm::WarpWait> warps;
  for (std::uint32_t i = 0; i < 11; ++i) {
    warps.push_back({i, 0, i, 0, i == 0 ? sm::kScoreboards : mask_of(stats::Stall::kMembar), i == 2, 0});
  }
  const std::string text = gpu::explain_deadlock(barrier_kernel(), {{0, warps}}, 1);
  CHECK(text.find("warp 0 of CTA 0, next 'BAR.SYNC 0x0' (line 10), waits for a dependence counter\n") !=
        std::string::npos);
  CHECK(text.find("warp 1 of CTA 0, next 'BAR.SYNC 0x0' (line 10), waits for a fence; 9 warps of this CTA wait like "
                  "this\n") != std::string::npos);
  CHECK(text.find("has exited and waits for operations that never end") != std::string::npos);
  CHECK(text.ends_with("Look at what the instructions before these places began: it never ends."));

  warps.clear();
  for (std::uint32_t i = 0; i < 11; ++i) {
    warps.push_back(at_barrier(i, i % 4));
    warps.back().barrier = i;
    warps.back().cta = i;
  }
  const std::string many = gpu::explain_deadlock(barrier_kernel(), {{0, warps}}, 1);
  CHECK(many.find("warp 8 of") == std::string::npos);
  CHECK(many.find("and others at 3 more places\n") != std::string::npos);
}

}  // namespace machine_test
