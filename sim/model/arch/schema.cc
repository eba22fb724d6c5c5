// SPDX-License-Identifier: MIT
#include "sim/model/arch/schema.h"

#include <algorithm>
#include <array>
#include <map>
#include <type_traits>
#include <utility>

#include "sim/base/units.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/policy_words.h"
#include "sim/model/arch/words.h"

namespace gpusim::arch {
namespace {

/// Longest latency taken seriously: beyond it a typing error is likelier than a machine.
constexpr std::uint64_t kMostCycles = 100'000;
/// Shortest latency of a link between domains: the simulator's window must not shrink below it.
constexpr std::uint64_t kLeastLink = 8;
/// Longest that a sub-core waits for a constant: what its ring of wake-ups reaches.
constexpr std::uint64_t kLongestHold = 63;

struct Row {
  std::string_view path;
  Aspect aspect;
  Unit unit;
  std::uint64_t min;
  std::uint64_t max;
  std::string_view meaning;
  Field field;
  isa::FlopClass flops = isa::FlopClass::kNone;
  bool required = true;
};

/// The field of the member that `member` gives.
template <auto member>
constexpr ChoiceField choice_field() {
  using E = std::remove_reference_t<decltype(member(std::declval<Arch&>()))>;
  return {kWords<E>.size(), [](std::size_t word) { return kWords<E>[word].word; },
          [](Arch& arch, std::size_t word) { member(arch) = kWords<E>[word].value; },
          [](Arch& arch) { return word_of(member(arch)); }};
}

// The path of a key is the path of its member, so the binding cannot drift from the name.
// clang-format off
#define GPUSIM_MEMBER(path) +[](Arch& a) -> decltype((a.path)) { return a.path; }
#define GPUSIM_KEY(path, aspect, unit, min, max, meaning) \
  Row{#path, Aspect::aspect, Unit::unit, min, max, meaning, GPUSIM_MEMBER(path)}
#define GPUSIM_TEXT(path, aspect, meaning) \
  Row{#path, Aspect::aspect, Unit::kText, 0, 0, meaning, GPUSIM_MEMBER(path)}
#define GPUSIM_CHOICE(path, aspect, meaning) \
  Row{#path, Aspect::aspect, Unit::kText, 0, 0, meaning, choice_field<GPUSIM_MEMBER(path)>()}
#define GPUSIM_OPTIONAL(path, aspect, meaning)                                                        \
  Row{#path, Aspect::aspect, Unit::kText, 0, 0, meaning, choice_field<GPUSIM_MEMBER(path)>(),           \
      isa::FlopClass::kNone, false}
#define GPUSIM_OPTIONAL_KEY(path, aspect, unit, min, max, meaning) \
  Row{#path, Aspect::aspect, Unit::unit, min, max, meaning, GPUSIM_MEMBER(path), isa::FlopClass::kNone, false}
#define GPUSIM_FLOPS(type, flops, meaning)                                                             \
  Row{"sm.tensor.flops_per_cycle." #type, Aspect::kTensorRate, Unit::kCount, 0, kMi, meaning,          \
      GPUSIM_MEMBER(sm.tensor.flops_per_cycle.type), isa::FlopClass::flops}

const std::array kSmRows{
  GPUSIM_TEXT(name, kIdentity, "name of the GPU, for reports"),
  GPUSIM_TEXT(description, kDescription, "the GPU in one line"),
  GPUSIM_TEXT(compute_capability, kIdentity, "CUDA compute capability, such as 9.0"),
  GPUSIM_OPTIONAL(maturity, kIdentity, "experimental: no measurement of the GPU has been compared; a warning says so"),
  GPUSIM_KEY(clocks.sm, kSmClock, kHertz, kMega, 10'000 * kMega, "simulated clock of SMs, NoC and L2"),
  GPUSIM_KEY(clocks.boost, kIdentity, kHertz, kMega, 10'000 * kMega, "clock at which the vendor quotes non-tensor peaks"),
  GPUSIM_KEY(clocks.tensor_boost, kIdentity, kHertz, kMega, 10'000 * kMega, "clock at which the vendor quotes tensor peaks"),
  GPUSIM_KEY(clocks.memory, kMemoryClock, kHertz, kMega, 50'000 * kMega, "DRAM data clock; a pin moves two bits a period"),
  GPUSIM_KEY(sm.count, kGpcs, kCount, 1, 1024, "SMs of the GPU"),
  GPUSIM_KEY(sm.sub_cores, kResidency, kCount, 1, kMostSubCores, "sub-cores (schedulers) a SM"),
  GPUSIM_CHOICE(sm.scheduler.policy, kScheduler, policy::kWarpPoliciesMeaning),
  GPUSIM_KEY(sm.scheduler.active_warps, kPolicyOption, kCount, 1, 32, "two-level: warps of a sub-core's active set"),
  GPUSIM_CHOICE(sm.dependence, kScheduler, "control_bits: the assembler's stall counts and dependence counters; scoreboard: one entry per register"),
  GPUSIM_KEY(sm.guard_latency, kScheduler, kCycles, 0, kMostCycles,
             "an ISETP to the instruction that its predicate guards; sm.timing.alu is to one that reads it as a source"),
  GPUSIM_CHOICE(sm.simt, kScheduler, "its: lanes that part wait for their turn, and meet where BSSY, BSYNC and WARPSYNC say; stack: at the "
              "immediate post-dominator, in the order of a stack"),
  GPUSIM_KEY(sm.limits.warps_per_sm, kResidency, kCount, 1, 64, "resident warps"),
  GPUSIM_KEY(sm.limits.ctas_per_sm, kResidency, kCount, 1, 256, "resident CTAs"),
  GPUSIM_KEY(sm.limits.threads_per_cta, kResidency, kCount, 32, 8192, "threads of a CTA"),
  GPUSIM_KEY(sm.limits.registers_per_sm, kResidency, kCount, 1024, 4 * kMi, "32-bit registers of a SM"),
  GPUSIM_KEY(sm.limits.registers_per_cta, kResidency, kCount, 1024, 4 * kMi, "32-bit registers a CTA may use"),
  GPUSIM_KEY(sm.limits.register_allocation_unit, kResidency, kCount, 1, 8192, "registers of a warp are rounded up to this"),
  GPUSIM_KEY(sm.limits.barriers_per_sm, kResidency, kCount, 0, 4096, "named barriers of a SM; 0: they limit nothing"),
  GPUSIM_KEY(sm.limits.ctas_per_cluster, kResidency, kCount, 0, 64, "CTAs of the largest cluster; 0: the GPU has no clusters"),
  GPUSIM_OPTIONAL_KEY(sm.limits.extra_ctas, kResidency, kCount, 0, 32,
                      "what-if: CTAs an SM holds beyond what its registers and shared memory allow; without the key none"),
  GPUSIM_CHOICE(sm.front_end.model, kFetch, "cached, or ideal: the next instruction is always at hand"),
  GPUSIM_KEY(sm.front_end.branch_latency, kFetch, kCycles, 0, kMostCycles,
             "a taken branch to its target's issue, the target being in the L0 instruction cache"),
  GPUSIM_KEY(sm.front_end.fetch_latency, kFetch, kCycles, 1, kMostCycles, "fetch and decode, to the instruction buffer"),
  GPUSIM_KEY(sm.front_end.buffer_entries, kFetch, kCount, 1, 8, "instructions in a warp's buffer"),
  GPUSIM_KEY(sm.front_end.l0_bytes, kFetch, kBytes, 128, kMi, "L0 instruction cache, a sub-core"),
  GPUSIM_KEY(sm.front_end.l0_ways, kFetch, kCount, 1, 1024, "its associativity"),
  GPUSIM_KEY(sm.front_end.l1_bytes, kFetch, kBytes, 128, 16 * kMi, "L1 instruction cache, a SM; constants share it"),
  GPUSIM_KEY(sm.front_end.l1_ways, kFetch, kCount, 1, 1024, "its associativity"),
  GPUSIM_KEY(sm.front_end.l1_latency, kFetch, kCycles, 1, kMostCycles, "L0 miss to the line's arrival from L1"),
  GPUSIM_KEY(sm.front_end.l1_miss_latency, kFetch, kCycles, 1, kMostCycles, "the same more, when it is not in L1"),
  GPUSIM_KEY(sm.front_end.prefetch_lines, kFetch, kCount, 0, 64, "blocks of a stream buffer; 0: no prefetch"),
  GPUSIM_OPTIONAL(sm.front_end.stream_per, kFetch, "sub_core: one stream buffer for its warps, also without the key; warp: each warp has one"),
  GPUSIM_CHOICE(sm.constant.model, kConstants, "cached, or ideal: every constant is at hand"),
  GPUSIM_KEY(sm.constant.l0_bytes, kConstants, kBytes, 64, kMi, "constants for operands of fixed-latency instructions, a sub-core"),
  GPUSIM_KEY(sm.constant.l0_ways, kConstants, kCount, 1, 1024, "its associativity"),
  GPUSIM_KEY(sm.constant.miss_latency, kConstants, kCycles, 1, kMostCycles, "an operand's miss to its instruction's issue"),
  GPUSIM_KEY(sm.constant.hold_cycles, kConstants, kCycles, 0, kLongestHold, "before a sub-core turns from a miss to another warp"),
  GPUSIM_KEY(sm.constant.l1_bytes, kConstants, kBytes, 64, kMi, "constants for LDC, a SM"),
  GPUSIM_KEY(sm.constant.l1_ways, kConstants, kCount, 1, 1024, "its associativity"),
  GPUSIM_KEY(sm.constant.l1_miss_latency, kConstants, kCycles, 1, kMostCycles, "an LDC that misses takes so much longer"),
  GPUSIM_CHOICE(sm.register_file.model, kRegisters, "banked: two banks with one read and one write port each and a reuse cache; ideal: no port is ever taken"),
  GPUSIM_KEY(sm.register_file.read_window, kRegisters, kCycles, 1, 16, "a fixed-latency instruction's time to read its registers"),
  GPUSIM_KEY(sm.lsu.queue_entries, kLsu, kCount, 1, 1024, "memory instructions buffered a sub-core"),
  GPUSIM_KEY(sm.lsu.address_latency, kLsu, kCycles, 1, kMostCycles,
             "from issue to the SM's shared load/store unit with an address in two registers"),
  GPUSIM_KEY(sm.lsu.address_interval, kLsu, kCycles, 1, kMostCycles, "between memory instructions of one sub-core"),
  GPUSIM_KEY(sm.lsu.lanes, kLsu, kCount, 1, 32, "lanes a cycle of the shared unit; divides 32"),
  GPUSIM_KEY(sm.lsu.register_cycles, kLsu, kCycles, 0, 64,
             "to read each register of an address: with one of them an access is earlier than with two; 0: none"),
  GPUSIM_KEY(sm.lsu.lane_cycles, kLsu, kCycles, 0, 64, "that a load from a uniform or immediate address saves in the unit"),
  GPUSIM_OPTIONAL(sm.lsu.coalescing, kLsu, "lanes: the lines and sectors that the lanes touch; ideal, a what-if: the fewest "
              "that hold the bytes of a load or store"),
  GPUSIM_KEY(sm.lsu.copy_cycles, kLsu, kCycles, 0, kMostCycles, "from the data of an LDGSTS in L1 to shared memory, at least"),
  GPUSIM_KEY(sm.lsu.return_cycles, kLsu, kCycles, 1, 64,
             "that loaded data is later for each further cycle that its access holds the unit"),
  GPUSIM_OPTIONAL(sm.shared.model, kShared, "banked; ideal, a what-if: an access takes only the passes that its bytes need"),
  GPUSIM_KEY(sm.shared.carveouts, kCarveout, kByteList, 0, kMi, "shared-memory sizes a SM can be set to; L1 gets the rest"),
  GPUSIM_KEY(sm.shared.max_per_cta, kResidency, kBytes, 0, kMi, "most shared memory a CTA may ask for"),
  GPUSIM_KEY(sm.shared.max_per_cta_default, kResidency, kBytes, 0, kMi, "the same for a kernel that did not opt in to more"),
  GPUSIM_KEY(sm.shared.reserved_per_cta, kResidency, kBytes, 0, kMi, "taken by the driver from each CTA's share"),
  GPUSIM_KEY(sm.shared.allocation_unit, kResidency, kBytes, 1, kMi, "a CTA's shared memory is rounded up to this"),
  GPUSIM_KEY(sm.shared.latency, kShared, kCycles, 1, kMostCycles, "dependent LDS without conflict"),
  GPUSIM_KEY(sm.l1.unified_bytes, kCarveout, kBytes, kKi, kMi, "L1 and shared memory together"),
  GPUSIM_KEY(sm.l1.reserved_bytes, kL1, kBytes, 0, kMi, "part of L1's share that lines of the program do not get"),
  GPUSIM_KEY(sm.l1.ways, kL1, kCount, 1, 1024, "associativity"),
  GPUSIM_OPTIONAL(sm.l1.replacement, kL1, policy::kReplacementsMeaning),
  GPUSIM_KEY(sm.l1.hit_latency, kL1, kCycles, 1, kMostCycles, "dependent LDG that hits"),
  GPUSIM_KEY(sm.l1.tag_lines_per_cycle, kL1, kCount, 1, 32, "banks of tags, one line per cycle each; a power of two"),
  GPUSIM_KEY(sm.l1.data_bytes_per_cycle, kL1, kBytesPerCycle, 32, 4096, "from L1 to registers"),
  GPUSIM_KEY(sm.l1.mshrs, kL1, kCount, 1, 65536, "lines outstanding"),
  GPUSIM_KEY(sm.l1.mshr_merges, kL1, kCount, 1, 65536, "requests that may wait for one line"),
  GPUSIM_FLOPS(fp16, kTensorFp16, "dense FLOP a cycle and SM with fp16 inputs and fp32 accumulation; 0: none"),
  GPUSIM_FLOPS(fp16_fp16acc, kTensorFp16Fp16Acc, "the same with fp16 accumulation"),
  GPUSIM_FLOPS(bf16, kTensorBf16, "the same with bf16 inputs"),
  GPUSIM_FLOPS(tf32, kTensorTf32, "the same with tf32 inputs"),
  GPUSIM_FLOPS(fp8, kTensorFp8, "the same with fp8 inputs"),
  GPUSIM_FLOPS(fp8_fp16acc, kTensorFp8Fp16Acc, "the same with fp16 accumulation"),
  GPUSIM_FLOPS(fp4, kNone, "the same with fp4 inputs"),
  GPUSIM_FLOPS(int8, kTensorInt8, "operations a cycle and SM with int8 inputs"),
  GPUSIM_FLOPS(int4, kTensorInt4, "operations a cycle and SM with int4 inputs"),
  GPUSIM_FLOPS(binary, kTensorBinary, "operations a cycle and SM with one-bit inputs"),
  GPUSIM_FLOPS(fp64, kTensorFp64, "FLOP a cycle and SM with fp64 inputs"),
  GPUSIM_KEY(sm.tensor.sparsity, kTensor, kCount, 1, 4, "2:4 sparsity multiplies the rates by it, but for fp64; 1: none"),
  GPUSIM_KEY(sm.mbarrier.try_wait_limit, kMbarrier, kCycles, 1, kMostCycles,
             "a TRYWAIT suspends its warp so long before it answers that the phase is not over"),
  GPUSIM_KEY(sm.tma.queue_entries, kTma, kCount, 1, 1024, "commands that wait for the TMA"),
  GPUSIM_KEY(sm.tma.start_latency, kTma, kCycles, 1, kMostCycles, "from the load/store unit to a command's first line"),
  GPUSIM_KEY(sm.tma.interval, kTma, kCycles, 1, kMostCycles, "between the beginnings of two commands"),
  GPUSIM_KEY(sm.tma.lines_per_cycle, kTma, kCount, 1, 16, "lines of 128 bytes that the TMA asks for or writes a cycle"),
  GPUSIM_KEY(sm.tma.outstanding_lines, kTma, kCount, 1, 65536, "lines that the TMA's loads may wait for at a time"),
  GPUSIM_KEY(sm.wgmma.queue_entries, kWgmma, kCount, 0, 64,
             "WGMMA operations a warp may have in flight; 0: the GPU has no wgmma"),
  GPUSIM_KEY(sm.wgmma.least_latency, kWgmma, kCycles, 0, kMostCycles, "what a WGMMA operation takes, however small"),
  GPUSIM_KEY(sm.wgmma.result_latency, kWgmma, kCycles, 0, kMostCycles,
             "from when the tensor cores are through with a WGMMA operation until its accumulators are written"),
  GPUSIM_KEY(sm.barrier_latency, kBarrier, kCycles, 0, kMostCycles, "from the last arrival until the warps may issue"),
  GPUSIM_KEY(sm.barrier_interval, kBarrier, kCycles, 0, kMostCycles,
             "that an arrival of a warp holds the SM's barrier unit; the latency counts from its end"),
  GPUSIM_KEY(sm.fence_window, kLsu, kCycles, 0, kMostCycles,
             "in which a round of fences behind writes, beyond the SM, takes more of them in"),
};

const std::array kOtherRows{
  GPUSIM_CHOICE(noc.model, kNoc, "crossbar, or ideal: latency without contention"),
  GPUSIM_KEY(noc.gpcs, kGpcs, kCount, 1, 1024, "GPCs with at least one SM"),
  GPUSIM_KEY(noc.max_sms_per_gpc, kGpcs, kCount, 1, 1024, "SMs of a full GPC"),
  GPUSIM_KEY(noc.sm_to_gpc_latency, kNoc, kCycles, kLeastLink, kMostCycles, "request link, SM to GPC router"),
  GPUSIM_KEY(noc.gpc_to_l2_latency, kNoc, kCycles, kLeastLink, kMostCycles, "request link, GPC router to L2"),
  GPUSIM_KEY(noc.l2_to_gpc_latency, kNoc, kCycles, kLeastLink, kMostCycles, "reply link, L2 to GPC router"),
  GPUSIM_KEY(noc.gpc_to_sm_latency, kNoc, kCycles, kLeastLink, kMostCycles, "reply link, GPC router to SM"),
  GPUSIM_KEY(noc.partition_link_latency, kNoc, kCycles, kLeastLink, kMostCycles, "between the halves of L2, one way"),
  GPUSIM_KEY(noc.partition_link_bytes_per_cycle, kNocWidth, kBytesPerCycle, 1, 65536, "link of a memory partition, each way"),
  GPUSIM_KEY(noc.sm_request_bytes_per_cycle, kNocWidth, kBytesPerCycle, 1, 65536, "a SM's port, towards L2"),
  GPUSIM_KEY(noc.sm_reply_bytes_per_cycle, kNocWidth, kBytesPerCycle, 1, 65536, "a SM's port, from L2"),
  GPUSIM_KEY(noc.tpc_request_bytes_per_cycle, kNocWidth, kBytesPerCycle, 0, 65536,
             "a TPC's port, towards L2; 0: as wide as its SMs' together"),
  GPUSIM_KEY(noc.tpc_reply_bytes_per_cycle, kNocWidth, kBytesPerCycle, 0, 65536,
             "a TPC's port, from L2; 0: as wide as its SMs' together"),
  GPUSIM_KEY(noc.gpc_request_bytes_per_cycle, kNocWidth, kBytesPerCycle, 1, 65536, "a GPC's port, towards L2"),
  GPUSIM_KEY(noc.gpc_reply_bytes_per_cycle, kNocWidth, kBytesPerCycle, 1, 65536, "a GPC's port, from L2"),
  GPUSIM_KEY(noc.slice_request_bytes_per_cycle, kNocWidth, kBytesPerCycle, 1, 65536, "a slice's port, from the NoC"),
  GPUSIM_KEY(noc.slice_reply_bytes_per_cycle, kNocWidth, kBytesPerCycle, 1, 65536, "a slice's port, into the NoC"),
  GPUSIM_KEY(noc.request_header_bytes, kNocWidth, kBytes, 0, 1024, "size of a request or reply beside its data"),
  GPUSIM_KEY(noc.cluster_barrier_latency, kCluster, kCycles, 2 * kLeastLink, kMostCycles,
             "last arrival at a cluster's barrier until its warps may issue"),
  GPUSIM_KEY(noc.dsmem_latency, kCluster, kCycles, 2 * kLeastLink, kMostCycles,
             "SM to SM of a GPC; a load from there takes twice this and sm.l1.hit_latency"),
  GPUSIM_KEY(noc.dsmem_bytes_per_cycle, kCluster, kBytesPerCycle, 1, 65536, "a SM's port to the other SMs, each way"),
  GPUSIM_CHOICE(tlb.model, kTranslation, "modelled, or off: every address is translated in no time"),
  GPUSIM_KEY(tlb.page_bytes, kTlb, kBytes, 4 * kKi, kGi, "a page; a power of two"),
  GPUSIM_KEY(tlb.l1_sms, kTlb, kCount, 1, 2, "SMs that share a first-level TLB: 1, or the 2 of a TPC"),
  GPUSIM_KEY(tlb.l1.entries, kTlb, kCount, 1, 65536, "entries of a first-level TLB"),
  GPUSIM_KEY(tlb.l1.ways, kTlb, kCount, 1, 65536, "its associativity; as many as entries: fully associative"),
  GPUSIM_KEY(tlb.l1.pages, kTlb, kCount, 1, 65536, "pages side by side that an entry covers; a power of two"),
  GPUSIM_KEY(tlb.l2.entries, kTlb, kCount, 1, 65536, "entries of the TLB of a GPC"),
  GPUSIM_KEY(tlb.l2.ways, kTlb, kCount, 1, 65536, "its associativity"),
  GPUSIM_KEY(tlb.l2.pages, kTlb, kCount, 1, 65536, "pages that an entry covers; a power of two"),
  GPUSIM_KEY(tlb.l2.latency, kTlb, kCycles, 1, kMostCycles, "what a miss of the first level takes that hits here"),
  GPUSIM_KEY(tlb.l3.entries, kTlb, kCount, 1, 65536, "entries of the TLB of the whole GPU"),
  GPUSIM_KEY(tlb.l3.ways, kTlb, kCount, 1, 65536, "its associativity"),
  GPUSIM_KEY(tlb.l3.pages, kTlb, kCount, 1, 65536, "pages that an entry covers; a power of two"),
  GPUSIM_KEY(tlb.l3.latency, kTlb, kCycles, 1, kMostCycles, "from arrival to hit or miss; the way there and back is as to L2"),
  GPUSIM_KEY(tlb.walkers, kTlb, kCount, 1, 4096, "page walks at a time"),
  GPUSIM_KEY(tlb.walk_latency, kTlb, kCycles, 1, kMostCycles, "a page walk, once a walker is free"),
  GPUSIM_CHOICE(l2.model, kL2, "sectored, or ideal: every access hits"),
  GPUSIM_KEY(l2.bytes, kL2, kBytes, kKi, 2 * kGi, "capacity, all slices together"),
  GPUSIM_KEY(l2.halves, kL2, kCount, 1, 2, "2: near and far half, with copies of far lines in the near one"),
  GPUSIM_KEY(l2.partitions, kL2, kCount, 1, 256, "memory partitions (controllers), all halves together"),
  GPUSIM_KEY(l2.slices, kL2, kCount, 1, 4096, "all slices together"),
  GPUSIM_KEY(l2.ways, kL2, kCount, 1, 1024, "associativity"),
  GPUSIM_KEY(l2.tag_latency, kL2, kCycles, 1, kMostCycles, "from arrival to hit or miss"),
  GPUSIM_KEY(l2.data_latency, kL2, kCycles, 1, kMostCycles, "from hit to the reply's departure"),
  GPUSIM_KEY(l2.slice_bytes_per_cycle, kL2, kBytesPerCycle, 32, 4096, "data a slice reads or writes"),
  GPUSIM_KEY(l2.mshrs, kL2Queue, kCount, 1, 65536, "lines outstanding a slice"),
  GPUSIM_KEY(l2.queue_entries, kL2Queue, kCount, 1, 65536, "requests waiting a slice"),
  GPUSIM_KEY(l2.atomic_entries, kAtomics, kCount, 1, 65536, "atomics and reductions a slice holds until they are done"),
  GPUSIM_KEY(l2.write_request_cycles, kL2, kRatio, 0, kMostCycles, "cycles for which a slice takes nothing in, after the bytes of an SM's write"),
  GPUSIM_KEY(l2.atomic_request_cycles, kAtomics, kCycles, 0, kMostCycles, "what a request takes of the atomic unit, besides its passes"),
  GPUSIM_KEY(l2.atomic_interval, kAtomics, kCycles, 1, kMostCycles, "between integer atomics on one word"),
  GPUSIM_KEY(l2.atomic_float_interval, kAtomics, kCycles, 1, kMostCycles, "between atomics of 32- or 64-bit floats on one word"),
  GPUSIM_KEY(l2.atomic_half_interval, kAtomics, kCycles, 1, kMostCycles, "between atomics of 16-bit floats on one word"),
  GPUSIM_KEY(l2.persisting_bytes, kWindow, kBytes, 0, 2 * kGi, "most that a kernel's window may set aside, as far as L2 has "
             "it; 0: no windows"),
  GPUSIM_KEY(l2.interleave_bytes, kL2, kBytes, 128, kGi, "consecutive bytes that share a memory partition"),
  GPUSIM_KEY(l2.slice_share_bytes, kL2, kBytes, 128, kMi, "consecutive bytes that go to one slice before the next one's turn"),
  GPUSIM_OPTIONAL_KEY(l2.fill_bytes, kL2, kBytes, 32, 128, "32, 64 or 128: aligned bytes around a missing sector that are "
                      "read from DRAM with it; without the key the sector alone"),
  GPUSIM_OPTIONAL_KEY(l2.joined_reads, kL2, kCount, 1, 64, "reads of a line that one lookup answers when they meet: one of the "
                      "threads of each GPC, any of the TMA; without the key 1"),
  GPUSIM_OPTIONAL_KEY(l2.dirty_percent, kL2, kPercent, 1, 100, "percent of a set's lines that may be modified at once; beyond, "
                      "the oldest of them is written to DRAM and stays; without the key 100"),
  GPUSIM_OPTIONAL(l2.replacement, kL2, policy::kReplacementsMeaning),
  GPUSIM_CHOICE(dram.model, kDram, "banked, or ideal: bandwidth and latency only"),
  GPUSIM_TEXT(dram.type, kDram, "HBM3, HBM2e, GDDR6X, ...; for reports"),
  GPUSIM_KEY(dram.capacity_bytes, kDram, kBytes, kMi, 65536 * kGi, "all stacks together"),
  GPUSIM_OPTIONAL_KEY(dram.driver_bytes, kDescription, kBytes, 0, 64 * kGi, "bytes that the driver keeps: CUDA reports the rest as the total"),
  GPUSIM_KEY(dram.stacks, kDram, kCount, 1, 256, "stacks (or chips) of the GPU"),
  GPUSIM_KEY(dram.channels, kDram, kCount, 1, 4096, "pseudo-channels, all stacks together"),
  GPUSIM_KEY(dram.channel_bits, kDram, kBits, 8, 1024, "data pins of a pseudo-channel"),
  GPUSIM_KEY(dram.bank_groups, kDram, kCount, 1, 64, "bank groups of a pseudo-channel"),
  GPUSIM_KEY(dram.banks_per_group, kDram, kCount, 1, 64, "banks of a group"),
  GPUSIM_KEY(dram.row_bytes, kDram, kBytes, 32, kMi, "a row of one bank of one pseudo-channel"),
  GPUSIM_TEXT(dram.mapping, kDramRows, "where a channel's lines lie, the most significant address field first: row, bank, column, group; NAME/N: N of its "
              "values; NAME^: rotated by a hash of what is above"),
  GPUSIM_KEY(dram.command_hz, kDram, kHertz, kMega, 50'000 * kMega, "command clock CK; timings in clocks count it"),
  GPUSIM_KEY(dram.burst_bytes, kDram, kBytes, 8, 1024, "data of one column command"),
  GPUSIM_KEY(dram.queue_entries, kDramRows, kCount, 1, 4096, "requests a pseudo-channel"),
  GPUSIM_OPTIONAL(dram.scheduler, kDramRows, policy::kDramSchedulersMeaning),
  GPUSIM_OPTIONAL_KEY(dram.scheduler_cap, kDramRows, kCount, 1, 65'536,
                      "bursts that fr-fcfs-cap takes of one row; without the key as many as a row has"),
  GPUSIM_KEY(dram.write_high_percent, kDramRows, kPercent, 1, 100, "share of the queue at which draining writes starts"),
  GPUSIM_KEY(dram.write_low_percent, kDramRows, kPercent, 0, 100, "share of the queue at which draining writes stops"),
  GPUSIM_KEY(dram.write_wait, kDramRows, kTiming, 0, 1'000'000, "without a read before writes below dram.write_high_percent are "
             "drained"),
  GPUSIM_KEY(dram.controller_latency, kDram, kCycles, 0, kMostCycles, "slice to queue and back to the slice, together"),
  GPUSIM_CHOICE(dram.refresh, kDramRows, "banks that a refresh closes: all of the pseudo-channel, one, or "
              "two (GDDR6)"),
  GPUSIM_KEY(dram.refresh_postponed, kDramRows, kCount, 0, 64, "refreshes of every bank that may be put off while it has requests"),
  GPUSIM_CHOICE(dram.row_bus, kDramRows, "bus of ACT, PRE and REF: each pseudo-channel's own, or one for every two"),
  GPUSIM_KEY(dram.activate_clocks, kDramRows, kCount, 1, 4, "clocks of ACT on the bus of row commands"),
  GPUSIM_CHOICE(dram.ecc, kDram, "check bits: none, in bits of their own, which cost no time, or among the data, where each "
              "request of sectors of a line moves a burst of them as well"),
#define GPUSIM_TIMING(name, aspect, meaning) GPUSIM_KEY(dram.timing.name, aspect, kTiming, 1, 1'000'000, meaning)
  GPUSIM_TIMING(CL, kDramRows, "read command to data"),
  GPUSIM_TIMING(CWL, kDramRows, "write command to data"),
  GPUSIM_TIMING(RCDRD, kDramRows, "activate to read"),
  GPUSIM_TIMING(RCDWR, kDramRows, "activate to write"),
  GPUSIM_TIMING(RP, kDramRows, "precharge to activate"),
  GPUSIM_TIMING(RAS, kDramRows, "activate to precharge"),
  GPUSIM_TIMING(RC, kDramRows, "activate to activate of the same bank"),
  GPUSIM_TIMING(CCDS, kDram, "column to column, other bank group"),
  GPUSIM_TIMING(CCDL, kDramRows, "column to column, same bank group"),
  GPUSIM_TIMING(RRDS, kDramRows, "activate to activate, other bank group"),
  GPUSIM_TIMING(RRDL, kDramRows, "activate to activate, same bank group"),
  GPUSIM_TIMING(FAW, kDramRows, "window of at most four activates"),
  GPUSIM_TIMING(WR, kDramRows, "end of write data to precharge"),
  GPUSIM_TIMING(RTP, kDramRows, "read to precharge"),
  GPUSIM_TIMING(WTRS, kDramRows, "end of write data to read, other bank group"),
  GPUSIM_TIMING(WTRL, kDramRows, "end of write data to read, same bank group"),
  GPUSIM_TIMING(RTW, kDramRows, "read to write command"),
  GPUSIM_TIMING(RFC, kDramRows, "refresh of all banks"),
  GPUSIM_TIMING(RFCpb, kDramRows, "refresh of one bank, or two"),
  GPUSIM_TIMING(RREFD, kDramRows, "refresh of one bank to activate or refresh of another"),
  GPUSIM_TIMING(REFI, kDramRows, "between refreshes of a bank"),
  GPUSIM_TIMING(BL, kDram, "data of one column command"),
#undef GPUSIM_TIMING
  GPUSIM_KEY(launch.kernel_ns, kLaunch, kNanoseconds, 0, 1'000'000'000, "host, or the end of the kernel before, to a kernel's begin"),
  GPUSIM_KEY(launch.memory_ns, kLaunch, kNanoseconds, 0, 1'000'000'000, "more of launch.kernel_ns for a kernel that accesses L2"),
  GPUSIM_KEY(launch.begin_ns, kLaunch, kNanoseconds, 0, 1'000'000'000, "a kernel's begin to its first CTA; in its time, not in its cycles"),
  GPUSIM_KEY(launch.flush_ns, kLaunch, kNanoseconds, 0, 1'000'000'000, "last warp's end to the kernel's end; stores end meanwhile"),
  GPUSIM_KEY(launch.event_ns, kLaunch, kNanoseconds, 0, 1'000'000'000, "two events around a lone kernel count beside it and its launch"),
  GPUSIM_KEY(launch.cta_latency, kLaunch, kCycles, kLeastLink, kMostCycles, "dispatcher to the CTA's first issue"),
  GPUSIM_KEY(launch.cta_interval, kLaunch, kRatio, 1, kMostCycles, "SM cycles between CTAs sent to the whole GPU, on average"),
  GPUSIM_KEY(launch.completion_latency, kLaunch, kCycles, kLeastLink, kMostCycles, "last warp of a CTA to the dispatcher"),
  GPUSIM_OPTIONAL_KEY(power.limit, kIdentity, kWatts, 0, 10'000 * kKilo, "most that the card draws for long; 0 or absent: no power is estimated"),
  GPUSIM_OPTIONAL_KEY(power.idle, kIdentity, kWatts, 0, 10'000 * kKilo, "with clocks up and no kernel: leakage, memory, board; at any clock"),
  GPUSIM_OPTIONAL_KEY(power.sm, kIdentity, kWatts, 0, 100 * kKilo, "an SM that has warps, whatever they do; as all below at clocks.boost"),
  GPUSIM_OPTIONAL_KEY(power.thread_instruction, kIdentity, kEnergy, 0, kMega, "an instruction of one lane: issue, registers, arithmetic"),
  GPUSIM_OPTIONAL_KEY(power.tensor_flop, kIdentity, kEnergy, 0, kMega,
                      "a FLOP of tensor cores at the rate of FP16; at twice the rate half as much"),
  GPUSIM_OPTIONAL_KEY(power.shared_byte, kIdentity, kEnergy, 0, kMega, "a byte of a pass through the banks of L1 and shared memory, 128 a pass"),
  GPUSIM_OPTIONAL_KEY(power.l2_byte, kIdentity, kEnergy, 0, kMega, "a byte between an SM and L2"),
  GPUSIM_OPTIONAL_KEY(power.dram_byte, kIdentity, kEnergy, 0, kMega, "a byte to or from DRAM; at any clock"),
  GPUSIM_OPTIONAL_KEY(power.least_voltage_percent, kIdentity, kPercent, 1, 100,
                      "the voltage follows the clock, but not below this share of that at clocks.boost"),
  GPUSIM_OPTIONAL_KEY(power.tensor_clock, kIdentity, kHertzList, kMega, 10'000 * kMega,
                      "highest clock while tensor cores work, at any power, at even steps of the share of their peak that is used, "
                      "from next to none to all; between them a straight line; absent: no such limit"),
  GPUSIM_KEY(interconnect.nvlink_bytes_per_second, kDescription, kBytesPerSecond, 0, kPeta,
             "all links, each way, after line encoding; 0: none"),
  GPUSIM_KEY(interconnect.pcie_bytes_per_second, kDescription, kBytesPerSecond, 0, kPeta,
             "each way, after line encoding; 0: none"),
  GPUSIM_KEY(price.usd_per_hour, kDescription, kRatio, 0, kMega, "rent in US dollars an hour, of kind given and with its date"),
};
// clang-format on
#undef GPUSIM_KEY
#undef GPUSIM_TEXT
#undef GPUSIM_CHOICE
#undef GPUSIM_OPTIONAL
#undef GPUSIM_OPTIONAL_KEY
#undef GPUSIM_FLOPS
#undef GPUSIM_MEMBER

Key to_key(const Row& row) {
  Key key{std::string(row.path), row.unit, row.min, row.max, std::string(row.meaning), row.field, {}};
  if (const auto* choice = std::get_if<ChoiceField>(&row.field)) {
    for (std::size_t i = 0; i < choice->words; ++i) {
      key.choices.push_back(choice->word(i));
    }
  }
  key.has_source = row.path != "name" && row.path != "description" && row.path != "maturity";
  key.aspect = row.aspect;
  key.flops = row.flops;
  key.is_given = row.path.starts_with("price.");
  key.required = row.required && !key.is_given && row.aspect != Aspect::kCluster;
  return key;
}

/// A timing class has the keys that decide something. The rate of the load/store pipe is that of sm.lsu, the latency of
/// an access that of its cache or memory, and of a barrier sm.barrier_latency; without a pipe there is nothing to time.
bool has_latency(isa::TimingClass c) {
  return c != isa::TimingClass::kMemory && c != isa::TimingClass::kAsyncCopy && c != isa::TimingClass::kMatrixLoad &&
         c != isa::TimingClass::kBarrier && c != isa::TimingClass::kTensorCopy && c != isa::TimingClass::kWgmma &&
         c != isa::TimingClass::kNone;
}
/// What every GPU has cannot be marked as lacking; whether it has wgmma, sm.wgmma says.
bool can_lack(isa::TimingClass c) {
  return c != isa::TimingClass::kMemory && c != isa::TimingClass::kBarrier && c != isa::TimingClass::kWgmma &&
         c != isa::TimingClass::kNone;
}
bool has_interval(isa::TimingClass c) {
  return isa::info(c).pipe != isa::Pipe::kLsu && isa::info(c).pipe != isa::Pipe::kNone;
}

void add_timing_class(std::size_t index, std::vector<Key>& keys) {
  using Part = TimingField::Part;
  constexpr std::uint64_t kLongestInterval = 4096;
  const auto timing_class = static_cast<isa::TimingClass>(index);
  if (!can_lack(timing_class)) {
    return;
  }
  const isa::TimingClassInfo& row = isa::kTimingClasses[index];
  const std::string path = "sm.timing." + std::string(row.key);
  const std::string what(row.what);
  // What has numbers is supported when they are given; what has none needs the word where the base lacks it.
  std::vector<std::string_view> words{"unsupported"};
  if (!has_latency(timing_class)) {
    words.emplace_back("supported");
  }
  keys.push_back({path, Unit::kUnsupported, 0, 0, "the GPU lacks " + what, TimingField{index, Part::kUnsupported},
                  std::move(words), false});
  if (!has_latency(timing_class)) {
    return;
  }
  keys.push_back({path + ".latency",
                  Unit::kCycles,
                  0,
                  kMostCycles,
                  "issue to dependent issue: " + what,
                  TimingField{index, Part::kLatency},
                  {}});
  if (!has_interval(timing_class)) {
    return;
  }
  keys.push_back({path + ".interval",
                  Unit::kRatio,
                  1,
                  kLongestInterval,
                  "cycles a warp instruction holds its sub-core's pipe",
                  TimingField{index, Part::kInterval},
                  {}});
}

std::vector<Key> build() {
  std::vector<Key> keys;
  for (const Row& row : kSmRows) {
    keys.push_back(to_key(row));
  }
  const std::size_t first_timing = keys.size();
  for (std::size_t i = 0; i < isa::kTimingClassCount; ++i) {
    add_timing_class(i, keys);
  }
  for (std::size_t i = first_timing; i < keys.size(); ++i) {
    keys[i].aspect = Aspect::kTiming;
  }
  for (const Row& row : kOtherRows) {
    keys.push_back(to_key(row));
  }
  for (std::size_t i = 0; i < peak_infos().size(); ++i) {
    keys.push_back({"peaks." + std::string(peak_infos()[i].name),
                    Unit::kPeak,
                    1,
                    kMega * kTera,
                    "the vendor's figure and its clock",
                    PeakField{i},
                    {},
                    false});
  }
  return keys;
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all = build();
  return all;
}

std::map<std::string_view, std::size_t> build_index() {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < keys().size(); ++i) {
    index.emplace(keys()[i].path, i);
  }
  return index;
}

const std::map<std::string_view, std::size_t>& index() {
  static const std::map<std::string_view, std::size_t> all = build_index();
  return all;
}

bool is_below(std::string_view path, std::string_view group) {
  return group.empty() || (path.size() > group.size() && path.starts_with(group) && path[group.size()] == '.');
}

}  // namespace

std::span<const Key> schema() {
  return keys();
}

std::optional<std::size_t> find_key(std::string_view path) {
  const auto found = index().find(path);
  return found == index().end() ? std::nullopt : std::optional(found->second);
}

bool is_simulated(std::string_view path) {
  const std::optional<std::size_t> index = find_key(path);
  return index && keys()[*index].aspect != Aspect::kDescription;
}

bool is_group(std::string_view path) {
  const auto first = index().lower_bound(std::string(path) + '.');
  return path.empty() || (first != index().end() && is_below(first->first, path));
}

std::vector<std::string_view> children_of(std::string_view group) {
  std::vector<std::string_view> words;
  const std::size_t skip = group.empty() ? 0 : group.size() + 1;
  for (const Key& key : keys()) {
    if (is_below(key.path, group)) {
      std::string_view word = std::string_view(key.path).substr(skip);
      word = word.substr(0, word.find('.'));
      if (words.empty() || words.back() != word) {
        words.push_back(word);
      }
    }
  }
  return words;
}

}  // namespace gpusim::arch
