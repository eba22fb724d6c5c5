// SPDX-License-Identifier: MIT
#include "sim/exec/trace/warp_walk.h"

#include <algorithm>

#include "sim/base/problem.h"

namespace gpusim::exec {
namespace {

bool overlap(const isa::Operand& a, const isa::Operand& b) {
  return a.is_real() && b.is_real() && a.file == b.file && a.index < b.index + b.width && b.index < a.index + a.width;
}

/// Whether an instruction reads or overwrites what another writes.
bool depends_on(const isa::Instr& instr, const isa::Instr& producer) {
  return std::ranges::any_of(producer.destinations, [&instr](const isa::Operand& written) {
    const auto touches = [&written](const isa::Operand& operand) { return overlap(operand, written); };
    return std::ranges::any_of(instr.sources, touches) || std::ranges::any_of(instr.destinations, touches);
  });
}

bool returns_later(const isa::Instr& instr) {
  return instr.kind == isa::OpKind::kAtomic && instr.space == isa::MemSpace::kGlobal;
}

}  // namespace

bool WarpWalk::next(trace::Step& step, Cycle now) {
  place_.interpreter.context().clock = now;
  if (is_pending_) {
    take_effect();
  }
  if (place_.port != nullptr) {
    place_.port->stamp(now);
  }
  if (warp_.has_exited()) {
    return false;
  }
  find(step);
  return true;
}

/// A warp that waits at a barrier of its CTA is taken to be past it: it goes on when the barrier has opened.
void WarpWalk::find(trace::Step& step) {
  if (warp_.resume()) {
    pc_ = warp_.pc;
    step.active = warp_.active;
  } else {
    const auto waits_for_others = [](const Path& path) {
      return path.wait == Path::Wait::kCta || path.wait == Path::Wait::kCluster;
    };
    const auto path = std::ranges::find_if(warp_.waiting(), waits_for_others);
    if (path == warp_.waiting().end()) {
      throw CannotFinishError("kernel '" + place_.kernel.name + "': lanes wait for each other; the first is " +
                              lane_text(warp_, lowest_lane(warp_.live())));
    }
    pc_ = path->pc;
    step.active = path->lanes;
  }
  step.pc = pc_;
  step.mask = step.active & warp_.lanes_of(place_.interpreter.context().image.code[pc_].guard);
  is_pending_ = true;
}

void WarpWalk::take_effect() {
  if (!unreturned_.empty()) {
    require_returned();
  }
  if (place_.interpreter.step(warp_) != StepResult::kExecuted) {
    throw CannotFinishError("kernel '" + place_.kernel.name + "': " + lane_text(warp_, lowest_lane(warp_.live())) +
                            " passes a barrier that has not opened");
  }
  is_pending_ = false;
  if (place_.port != nullptr && returns_later(place_.kernel.code[pc_])) {
    note_unreturned();
  }
}

void WarpWalk::note_unreturned() {
  if (unreturned_since_ != *place_.exchanges) {
    unreturned_.clear();
    unreturned_since_ = *place_.exchanges;
  }
  unreturned_.push_back(pc_);
}

/// The value of an atomic comes back over links that are longer than the time to the next exchange.
void WarpWalk::require_returned() const {
  if (unreturned_since_ != *place_.exchanges) {
    return;
  }
  const trace::Kernel& kernel = place_.kernel;
  for (const std::uint32_t atomic : unreturned_) {
    if (pc_ != atomic && depends_on(kernel.code[pc_], kernel.code[atomic])) {
      const isa::InstrText& text = kernel.texts[pc_];
      throw InputError(Problem{{kernel.where.file, text.line, 0},
                               "'" + text.text + "' issues before '" + kernel.texts[atomic].text + "' has returned",
                               "its control bits must wait for the counter that the atomic lowers"});
    }
  }
}

trace::LaneAddresses WarpWalk::addresses(trace::AccessSlot slot) {
  if (is_pending_) {
    take_effect();
  }
  const Interpreter& interpreter = place_.interpreter;
  const Access& access = slot == trace::AccessSlot::kPrimary ? interpreter.access() : interpreter.shared_destination();
  const Address base = access.addresses.of[lowest_lane(interpreter.executed().mask)];
  return place_.patterns.of(pc_, slot, access.addresses, base, place_.offsets);
}

}  // namespace gpusim::exec
