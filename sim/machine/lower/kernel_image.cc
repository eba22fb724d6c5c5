// SPDX-License-Identifier: MIT
#include "sim/machine/lower/kernel_image.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/machine/lower/code_layout.h"
#include "sim/machine/lower/constant_operand.h"
#include "sim/machine/lower/control_bits.h"
#include "sim/machine/lower/flow_graph.h"
#include "sim/machine/lower/generations.h"
#include "sim/machine/lower/wait_producers.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/isa/flops.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

/// What SYNCS answers counts as L1TEX's: Nsight Compute charges the branch behind a SYNCS.PHASECHK.TRYWAIT to the long
/// scoreboard (1,929 of 1,936 samples of gemm_wgmma on an H200).
ProducerClass producer_of(const isa::Instr& instr) {
  const bool l1tex = isa::is_of_l1tex(instr.space) || instr.kind == isa::OpKind::kAsyncCommit ||
                     instr.kind == isa::OpKind::kBulkCommit || instr.timing == isa::TimingClass::kMbarrier;
  return l1tex ? ProducerClass::kLong : ProducerClass::kShort;
}

/// General registers of the operand that names an access's addresses; of an LDGSTS, of both. The address of an LDC that
/// is in a register goes the way of a 64-bit one: its data comes as late (29 cycles beside 26, Huerta et al.).
std::uint8_t address_registers(const isa::Instr& instr) {
  constexpr std::uint8_t kConstantAddress = 2;
  std::uint8_t registers = 0;
  for (const isa::Operand& source : instr.sources) {
    const bool is_address = source.slot == 0 || instr.kind == isa::OpKind::kAsyncCopy;
    if (source.is_real() && source.file == isa::RegFile::kGeneral && is_address) {
      registers = static_cast<std::uint8_t>(registers + source.width);
    }
  }
  return instr.space == isa::MemSpace::kConstant && registers > 0 ? kConstantAddress : registers;
}

/// Atomics in shared memory, but for ATOMS.POPC.INC, which adds up a warp's lanes before it goes there: it alone has no
/// data.
bool has_serial_lanes(const isa::Instr& instr) {
  const bool is_atomic = instr.kind == isa::OpKind::kAtomic || instr.kind == isa::OpKind::kReduction;
  const bool has_data = std::any_of(instr.sources.begin(), instr.sources.end(),
                                    [](const isa::Operand& source) { return source.is_real() && source.slot > 0; });
  return is_atomic && instr.space == isa::MemSpace::kShared && has_data;
}

unsigned mask_of(std::uint8_t counter) {
  return counter == isa::kNoBarrier ? 0U : 1U << counter;
}

WarpOp make_op(const isa::Instr& instr, const isa::ControlBits& control, const isa::Timing& timing) {
  WarpOp op;
  op.kind = instr.kind;
  op.pipe = instr.pipe();
  op.space = instr.space;
  op.producer = producer_of(instr);
  op.stall = std::max<std::uint8_t>(control.stall, control.yield ? 2 : 1);
  op.write_barrier = control.write_barrier;
  op.read_barrier = control.read_barrier;
  op.wait_mask = control.wait_mask;
  op.increments = static_cast<std::uint8_t>((mask_of(op.write_barrier) | mask_of(op.read_barrier)));
  op.increment_each = op.write_barrier == op.read_barrier ? 2 : 1;
  op.bytes_per_lane = instr.bytes_per_lane;
  op.matrices = instr.matrices;
  op.address_registers = instr.is_memory() ? address_registers(instr) : std::uint8_t{0};
  op.depbar_counter = instr.depbar_counter;
  op.depbar_limit = instr.depbar_limit;
  op.bypass_l1 = instr.bypass_l1;
  op.no_allocate = instr.no_allocate;
  op.eviction = instr.eviction;
  op.fetch_sectors = instr.fetch_sectors;
  op.atomic_type = instr.atomic_type;
  op.serial_lanes = has_serial_lanes(instr);
  op.runtime_guard = instr.runtime_guard;
  op.of_cluster = instr.of_cluster || instr.space == isa::MemSpace::kClusterShared;
  op.leaves_sm = instr.kind == isa::OpKind::kFence && instr.timing != isa::TimingClass::kFenceCta;
  op.try_waits = instr.try_waits;
  op.predicate = predicate_bit(instr.runtime_guard ? instr.guard : instr.destinations[0]);
  op.set_registers = instr.set_registers;
  op.waits_on_counter_limit = instr.kind == isa::OpKind::kDepbar;
  op.waits_on_wgmma = instr.kind == isa::OpKind::kWgmma || instr.kind == isa::OpKind::kWgmmaWait;
  op.closes_group = instr.wgmma.closes_group;
  op.flop_class = instr.flop_class;
  op.flops = isa::flops_of(instr);
  op.latency = timing.latency;
  op.interval = timing.interval;
  return op;
}

/// Whether the sub-core alone executes it: nothing else of the SM hears of it.
bool stays_in_sub_core(const WarpOp& op) {
  switch (op.kind) {
    case isa::OpKind::kBarrier:
    case isa::OpKind::kClusterArrive:
    case isa::OpKind::kClusterWait:
    case isa::OpKind::kFence:
    case isa::OpKind::kWgmma:
    case isa::OpKind::kSleep: return false;
    default: return op.pipe != isa::Pipe::kLsu;
  }
}

/// What follows from the rest of the record, so that the common instruction is told apart with one look.
void note_shortcuts(WarpOp& op) {
  op.is_plain = stays_in_sub_core(op) && op.increments == 0 && !op.runtime_guard;
  op.reaches_out = !op.is_plain || op.constant != 0 || op.kind == isa::OpKind::kExit;
  op.blocks_pipe = op.pipe != isa::Pipe::kNone && op.interval != Ratio{1, 1};
  op.waits_for_nothing = op.wait_mask == 0 && op.increments == 0 && !op.waits_on_counter_limit && !op.waits_on_wgmma;
}

bool joins_streak(const WarpOp& op) {
  return op.is_plain && !op.reaches_out && !op.blocks_pipe && op.waits_for_nothing && op.kind != isa::OpKind::kBranch;
}

/// Where a warp may issue in cycle after cycle, with nothing else to be done.
void note_streaks(KernelImage& image) {
  const WarpOp* next = nullptr;
  for (std::size_t i = image.ops.size(); i-- > 0;) {
    WarpOp& op = image.ops[i];
    if (joins_streak(op)) {
      const bool goes_on = next != nullptr && op.stall == 1 && next->place == op.place + 1;
      op.streak = static_cast<std::uint8_t>(std::min(1 + (goes_on ? next->streak : 0U), kLongestStreak));
    }
    image.has_streaks = image.has_streaks || op.streak >= kShortestStreak;
    next = &op;
  }
}

bool closes_group(const isa::Instr& instr) {
  return instr.kind == isa::OpKind::kAsyncCommit || instr.kind == isa::OpKind::kBulkCommit;
}

/// Takes away what a scoreboard replaces. Groups of asynchronous copies write no register: their counters stay.
void keep_groups_only(const trace::Kernel& kernel, std::vector<isa::ControlBits>& control) {
  unsigned groups = 0;
  for (std::size_t i = 0; i < control.size(); ++i) {
    groups |= closes_group(kernel.code[i]) ? mask_of(control[i].write_barrier) | mask_of(control[i].read_barrier) : 0U;
  }
  for (std::size_t i = 0; i < control.size(); ++i) {
    const bool commits = closes_group(kernel.code[i]);
    isa::ControlBits kept;
    kept.stall = commits ? 2 : 1;  // until the increment is visible
    kept.write_barrier = commits ? control[i].write_barrier : isa::kNoBarrier;
    kept.read_barrier = commits ? control[i].read_barrier : isa::kNoBarrier;
    kept.wait_mask = static_cast<std::uint8_t>(control[i].wait_mask & groups);
    control[i] = kept;
  }
}

/// A sleep of unknown length is taken for the shortest.
std::uint32_t sleep_cycles(const isa::Instr& instr, std::uint64_t hertz) {
  constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
  const std::uint64_t ns = std::min(instr.sleep_ns, isa::kMostSleepNs);
  const std::uint64_t cycles = (ns * hertz + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, cycles));
}

/// What a WGMMA operation costs, the four warps together: the tensor cores at the peak of its type, and its
/// matrices read once from shared memory. It waits for no latch at issue, so that its pipe is none, nor for register
/// ports. Its accumulators are written two at a time, evenly over the time that it takes.
void time_wgmma(const isa::Instr& instr, const arch::SmConfig& sm, WarpOp& op) {
  constexpr std::uint32_t kWarps = 4;
  constexpr std::uint32_t kRows = 64;
  constexpr std::uint32_t kRowBytes = 32;  // a row of A, and a column of B, which has twice that where A is sparse
  const isa::WgmmaForm& form = instr.wgmma;
  const auto rate = static_cast<std::uint64_t>(arch::flops_per_cycle(sm, instr.flop_class));
  const std::uint64_t flops = std::uint64_t{kWarps} * instr.flops;
  const std::uint32_t bytes =
      form.columns * kRowBytes * (form.sparse ? 2U : 1U) + (form.a_in_registers ? 0U : kRows * kRowBytes);
  op.pipe = isa::Pipe::kNone;
  op.ports = {};
  op.interval = Ratio::of(flops, std::max<std::uint64_t>(1, rate));
  const Ratio& cycles = op.interval;
  const std::uint64_t whole = (cycles.numerator + cycles.denominator - 1) / cycles.denominator;
  op.latency = std::max(sm.wgmma.least_latency, static_cast<std::uint32_t>(whole));
  op.shared_wavefronts = (bytes + kSharedBytesPerCycle - 1) / kSharedBytesPerCycle;
  const bool half =
      instr.flop_class == isa::FlopClass::kTensorFp16Fp16Acc || instr.flop_class == isa::FlopClass::kTensorFp8Fp16Acc;
  const std::uint32_t pairs = std::max(1U, form.columns / (half ? 8U : 4U));  // an even and an odd register each
  op.write_period = std::max(2U, std::max(op.latency, op.shared_wavefronts) / pairs);
}

/// A warpgroup is four warps; a last one of fewer is found when it multiplies.
void require_warpgroup(const trace::Kernel& kernel, const std::string& opcode, SourceLocation where,
                       ProblemList& problems) {
  constexpr std::uint32_t kWarps = 4;
  if (kernel.warps_per_cta() < kWarps) {
    problems.add({std::move(where),
                  "kernel '" + kernel.name + "': " + opcode + " needs a warpgroup, and a CTA of " +
                      std::to_string(kernel.warps_per_cta()) + " warps has none",
                  "a block of 128 threads or a multiple of that"});
  }
}

/// Instructions of a kernel that its GPU lacks, by the feature that they are of: each feature is one problem.
class MissingFeatures {
 public:
  void add(const std::string& why, const isa::InstrText& text) {
    auto found = std::ranges::find(features_, why, &Feature::why);
    if (found == features_.end()) {
      found = features_.insert(features_.end(), Feature{why, {}, {}, 0});
    }
    if (std::ranges::find(found->opcodes, text.opcode) == found->opcodes.end()) {
      found->opcodes.push_back(text.opcode);
    }
    found->lines.insert(text.line);
    ++found->instructions;
  }

  void tell(const trace::Kernel& kernel, const std::string& gpu, ProblemList& problems) const {
    for (const Feature& feature : features_) {
      problems.add({{kernel.where.file, static_cast<std::uint32_t>(*feature.lines.begin()), 0},
                    "kernel '" + kernel.name + "': " + feature.opcodes.front() + " does not exist on " + gpu +
                        feature.others() + feature.extent(),
                    feature.why});
    }
  }

 private:
  struct Feature {
    std::string why;
    std::vector<std::string> opcodes;  ///< each once, in the order of the code
    std::set<std::uint64_t> lines;
    std::size_t instructions = 0;

    /// ", nor do LDGDEPBAR, LDGSTS.E.64".
    [[nodiscard]] std::string others() const {
      constexpr std::size_t kMostNamed = 4;
      std::string text;
      for (std::size_t i = 1; i < std::min(opcodes.size(), kMostNamed + 1); ++i) {
        text += (i == 1 ? "" : ", ") + opcodes[i];
      }
      if (opcodes.size() > kMostNamed + 1) {
        text += " and " + std::to_string(opcodes.size() - kMostNamed - 1) + " more";
      }
      return text.empty() ? text : (opcodes.size() == 2 ? ", nor does " : ", nor do ") + text;
    }

    /// "; 7 instructions in lines 112, 119 to 121".
    [[nodiscard]] std::string extent() const {
      if (instructions == 1) {
        return {};
      }
      const std::string text = "; " + counted(instructions, "instruction");
      const std::vector<std::uint64_t> sorted(lines.begin(), lines.end());
      return sorted.size() == 1 ? text : text + " in lines " + ranges_text(sorted);
    }
  };

  std::vector<Feature> features_;
};

/// "; it needs compute capability 8.0 ...": which GPUs have instructions of a class that not all have. The generations
/// are those of the PTX ISA, of which the architecture files say the same class by class.
std::string remedy(isa::TimingClass timing) {
  const std::string_view needs = generations_of(timing);
  if (needs.empty()) {
    return {};
  }
  // A GTX 16 has the compute capability of a T4, and no tensor cores.
  const std::string cores = isa::info(timing).pipe == isa::Pipe::kTensor ? "tensor cores and " : "";
  return "; it needs " + cores + "compute capability " + std::string(needs) +
         ": choose such a GPU, or a kernel that is made for this one";
}

WarpOp form_of(WarpOp op, isa::Instr instr, isa::MemSpace space) {
  instr.space = space;
  op.space = space;
  op.serial_lanes = has_serial_lanes(instr);
  op.of_cluster = space == isa::MemSpace::kClusterShared;
  op.bypass_l1 = op.bypass_l1 && space == isa::MemSpace::kLocal;
  return op;
}

/// Only execution finds where generic addresses lead; without it they are taken to be global.
void add_generic_forms(const trace::Kernel& kernel, KernelImage& image) {
  if (!trace::is_executed(kernel)) {
    return;
  }
  for (WarpOp& op : image.ops) {
    const isa::Instr& instr = kernel.code[op.pc];
    if (instr.generic) {
      const isa::MemSpace local = kernel.local.bytes != 0 ? isa::MemSpace::kLocal : op.space;
      image.generic_forms.push_back({form_of(op, instr, local), form_of(op, instr, isa::MemSpace::kShared),
                                     form_of(op, instr, isa::MemSpace::kClusterShared)});
      op.generic_forms = static_cast<std::uint32_t>(image.generic_forms.size());
    }
  }
}

bool is_of_clusters(const isa::Instr& instr) {
  return instr.kind == isa::OpKind::kClusterArrive || instr.kind == isa::OpKind::kClusterWait ||
         instr.space == isa::MemSpace::kClusterShared || instr.of_cluster;
}

/// Cycles that a predicate is later for what it guards than for what reads it as a source.
std::uint32_t guard_extra(const arch::SmConfig& sm) {
  const std::uint32_t source = sm.timing[static_cast<std::size_t>(isa::TimingClass::kAlu)].latency;
  return sm.guard_latency - std::min(sm.guard_latency, source);
}

}  // namespace

bool uses_clusters(const trace::Kernel& kernel) {
  return kernel.ctas_per_cluster() > 1 || std::ranges::any_of(kernel.code, is_of_clusters);
}

std::string lacking(const isa::Instr& instr, const arch::SmConfig& sm) {
  const bool of_warpgroup = instr.kind == isa::OpKind::kWgmma || instr.kind == isa::OpKind::kWgmmaWait;
  if (of_warpgroup && sm.wgmma.queue_entries == 0) {
    return "it has no WGMMA operations: 'sm.wgmma.queue_entries' is 0" + remedy(isa::TimingClass::kWgmma);
  }
  if (!sm.timing[static_cast<std::size_t>(instr.timing)].supported) {
    return "its timing class '" + std::string(isa::info(instr.timing).key) +
           "' is marked unsupported in the architecture file" + remedy(instr.timing);
  }
  if (is_of_clusters(instr) && sm.limits.ctas_per_cluster == 0) {
    return "the GPU has no clusters (sm.limits.ctas_per_cluster is 0); they need compute capability 9.0 or higher: "
           "choose such a GPU, or a kernel that is made for this one";
  }
  const std::string_view type = isa::kFlopClassNames[static_cast<std::size_t>(instr.flop_class)];
  if (isa::is_tensor(instr.flop_class) && arch::flops_per_cycle(sm, instr.flop_class) == 0) {
    return "its tensor cores lack the type: the architecture file gives them no rate of " + std::string(type) +
           "; choose a GPU whose tensor cores have it, or a kernel of another type";
  }
  return {};
}

const WarpOp& KernelImage::form_in(isa::MemSpace space, const WarpOp& op) const {
  const GenericForms& forms = generic_forms[op.generic_forms - 1U];
  switch (space) {
    case isa::MemSpace::kLocal: return forms.local;
    case isa::MemSpace::kShared: return forms.shared;
    case isa::MemSpace::kClusterShared: return forms.cluster_shared;
    default: return op;
  }
}

KernelImage make_image(const trace::Kernel& kernel, const arch::Arch& arch) {
  std::vector<isa::ControlBits> control = assign_control_bits(kernel, arch.sm.timing, guard_extra(arch.sm));
  const bool has_scoreboard = arch.sm.dependence == arch::Dependence::kScoreboard;
  if (has_scoreboard) {
    keep_groups_only(kernel, control);
  }
  const std::vector<std::uint8_t> reuse = reuse_bits(kernel);
  const CodeLayout layout = layout_of(kernel);
  KernelImage image;
  image.kernel = &kernel;
  image.code_lines = layout.lines;
  image.uses_clusters = uses_clusters(kernel);
  image.simt = arch.sm.simt == arch::Simt::kIndependent ? trace::Simt::kIndependent : trace::Simt::kStack;
  image.ops.reserve(kernel.code.size());
  ProblemList problems;
  MissingFeatures missing;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const isa::Instr& instr = kernel.code[i];
    const isa::Timing& timing = arch.sm.timing[static_cast<std::size_t>(instr.timing)];
    if (const std::string why = lacking(instr, arch.sm); !why.empty()) {
      missing.add(why, kernel.texts[i]);
    }
    image.ops.push_back(make_op(instr, control[i], timing));
    image.ops.back().pc = static_cast<std::uint32_t>(i);
    image.ops.back().place = layout.places[i];
    image.ops.back().ports = register_ports(instr, reuse[i]);
    if (instr.kind == isa::OpKind::kWgmma) {
      require_warpgroup(kernel, kernel.texts[i].opcode, {kernel.where.file, kernel.texts[i].line, 0}, problems);
      time_wgmma(instr, arch.sm, image.ops.back());
    }
    if (instr.kind == isa::OpKind::kSleep) {
      image.ops.back().latency = sleep_cycles(instr, arch.clocks.sm);
    }
  }
  missing.tell(kernel, arch.name, problems);
  problems.throw_if_any();
  if (arch.sm.constant.model == arch::ConstantModel::kCached) {
    name_constants(kernel, image);
  }
  std::ranges::for_each(image.ops, note_shortcuts);
  note_streaks(image);
  add_generic_forms(kernel, image);
  if (has_scoreboard) {
    image.registers = std::make_shared<const RegisterUse>(kernel);
  }
  image.wait_producers = find_wait_producers(kernel, image.ops, guard_extra(arch.sm));
  return image;
}

}  // namespace gpusim::lower
