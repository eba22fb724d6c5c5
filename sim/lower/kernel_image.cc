// SPDX-License-Identifier: MIT
#include "sim/lower/kernel_image.h"

#include <algorithm>
#include <string>

#include "sim/base/problem.h"
#include "sim/lower/control_bits.h"

namespace gpusim::lower {
namespace {

ProducerClass producer_of(const isa::Instr& instr) {
  const bool l1tex = instr.space == isa::MemSpace::kGlobal || instr.space == isa::MemSpace::kLocal ||
                     instr.kind == isa::OpKind::kAsyncCommit;
  return l1tex ? ProducerClass::kLong : ProducerClass::kShort;
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
  op.bytes_per_lane = instr.bytes_per_lane;
  op.matrices = instr.matrices;
  op.barrier_id = instr.barrier_id;
  op.depbar_counter = instr.depbar_counter;
  op.depbar_limit = instr.depbar_limit;
  op.bypass_l1 = instr.bypass_l1;
  op.waits_on_counter_limit = instr.kind == isa::OpKind::kDepbar;
  op.flop_class = instr.flop_class;
  op.flops = instr.flops;
  op.latency = timing.latency;
  op.interval = timing.interval;
  return op;
}

}  // namespace

KernelImage make_image(const trace::Kernel& kernel, const arch::Arch& arch) {
  const std::vector<isa::ControlBits> control = assign_control_bits(kernel, arch.sm.timing);
  KernelImage image{&kernel, {}};
  image.ops.reserve(kernel.code.size());
  ProblemList problems;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const isa::Instr& instr = kernel.code[i];
    const isa::Timing& timing = arch.sm.timing[static_cast<std::size_t>(instr.timing)];
    if (!timing.supported) {
      problems.add({{kernel.where.file, kernel.texts[i].line, 0},
                    "kernel '" + kernel.name + "': " + kernel.texts[i].opcode + " does not exist on " + arch.name,
                    "its timing class '" + std::string(isa::info(instr.timing).key) +
                        "' is marked unsupported in the architecture file"});
    }
    image.ops.push_back(make_op(instr, control[i], timing));
  }
  problems.throw_if_any();
  return image;
}

}  // namespace gpusim::lower
