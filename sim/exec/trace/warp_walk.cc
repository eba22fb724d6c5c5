// SPDX-License-Identifier: MIT
#include "sim/exec/trace/warp_walk.h"

#include <algorithm>
#include <string>

#include "sim/base/address_space.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/exec/alike/pattern_table.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/memory/windows.h"
#include "sim/exec/run/interpreter.h"
#include "sim/exec/trace/cluster_window.h"
#include "sim/exec/trace/window_port.h"
#include "sim/model/isa/instr_text.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::exec {
namespace {

/// Instructions from the one that is found to the one whose registers are fetched, so that the registers have come when
/// the host executes that one. Timed with sgemm: 2 is too late and 20 too early; 4, 6, 8 and 12 are alike.
constexpr std::uint32_t kPrefetchAhead = 6;

bool overlap(const isa::Operand& a, const isa::Operand& b) {
  return a.is_real() && b.is_real() && a.file == b.file && a.index < b.index + b.width && b.index < a.index + a.width;
}

/// Whether an instruction reads or overwrites what another writes, its guard among it.
bool depends_on(const isa::Instr& instr, const isa::Instr& producer) {
  return std::ranges::any_of(producer.destinations, [&instr](const isa::Operand& written) {
    const auto touches = [&written](const isa::Operand& operand) { return overlap(operand, written); };
    return touches(instr.guard) || std::ranges::any_of(instr.sources, touches) ||
           std::ranges::any_of(instr.destinations, touches);
  });
}

bool has_value(const isa::Instr& instr) {
  return instr.kind == isa::OpKind::kAtomic || instr.kind == isa::OpKind::kLoad;
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
  if (place_.window != nullptr) {
    place_.window->stamp(now);
  }
  if (warp_.has_exited()) {
    return false;
  }
  find(step);
  if (++walked_ > place_.most_walked) [[unlikely]] {
    note_loop();
  }
  return true;
}

/// Follows a warp that has walked too far a little further.
void WarpWalk::note_loop() {
  constexpr std::uint64_t kFollowed = 10'000;
  loop_begin_ = std::min(loop_begin_, pc_);
  loop_end_ = std::max(loop_end_, pc_);
  if (walked_ < place_.most_walked + kFollowed) {
    return;
  }
  const Image& image = place_.interpreter.context().image;
  const auto place = [&image](std::uint32_t pc) {
    const std::string line = image.line_text(pc);
    return "'" + image.instruction_text(pc) + "'" + (line.empty() ? "" : " (" + line + ")");
  };
  throw CannotFinishError("kernel '" + place_.kernel.name + "': after " + with_thousands(place_.most_walked) +
                          " instructions a warp has not ended: " + lane_text(warp_, lowest_lane(warp_.live())) +
                          " is in a loop from " + place(loop_begin_) + " to " + place(loop_end_) +
                          " (an endless loop? otherwise raise --max-warp-instructions)");
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
  const std::vector<MicroOp>& code = place_.interpreter.context().image.code;
  step.mask = step.active & warp_.lanes_of(code[pc_].guard);
  is_pending_ = true;
  // All resident warps' registers are more than the host's caches hold.
  if (pc_ + kPrefetchAhead < code.size()) {
    warp_.prefetch(code[pc_ + kPrefetchAhead]);
  }
}

void WarpWalk::take_effect() {
  if (!unreturned_.empty() || !unanswered_.empty()) {
    require_returned();
  }
  if (place_.interpreter.step(warp_) != StepResult::kExecuted) {
    throw CannotFinishError("kernel '" + place_.kernel.name + "': " + lane_text(warp_, lowest_lane(warp_.live())) +
                            " passes a barrier that has not opened (do all threads of a warp come to the same one? "
                            "a barrier in code where they have parted is not simulated)");
  }
  is_pending_ = false;
  polled_in_vain_ = false;
  if (place_.interpreter.async().kind == AsyncEffect::Kind::kAsk) {
    note_poll();
  }
  if (place_.is_timed() && returns_later()) {
    note_unreturned();
  }
}

/// Whether the value of what took effect comes with the next exchange.
bool WarpWalk::returns_later() const {
  const isa::Instr& instr = place_.kernel.code[pc_];
  const isa::MemSpace space = place_.interpreter.access().space;
  const bool is_global_atomic =
      instr.kind == isa::OpKind::kAtomic && instr.space == isa::MemSpace::kGlobal && space == isa::MemSpace::kGlobal;
  return is_global_atomic || (instr.generic && has_value(instr) && lanes_elsewhere() != 0);
}

void WarpWalk::note_unreturned() {
  if (unreturned_since_ != *place_.exchanges) {
    unreturned_.clear();
    unreturned_since_ = *place_.exchanges;
  }
  unreturned_.push_back(pc_);
}

void WarpWalk::note_poll() {
  const AsyncEffect& poll = place_.interpreter.async();
  polled_in_vain_ = (warp_.predicates[poll.predicate] & poll.mask) == 0;
  if (place_.is_timed() && place_.kernel.code[pc_].kind == isa::OpKind::kPoll) {
    unanswered_.push_back({pc_, poll.predicate, poll.mask});
  }
}

void WarpWalk::answer(std::uint32_t pc, bool yes, trace::Step& step) {
  const auto poll = std::ranges::find(unanswered_, pc, &Unanswered::pc);
  if (poll == unanswered_.end()) {
    return;
  }
  warp_.set_predicate(poll->predicate, yes ? kAllLanes : LaneMask{0}, poll->mask);
  unanswered_.erase(poll);
  if (is_pending_) {
    step.mask = step.active & warp_.lanes_of(place_.interpreter.context().image.code[pc_].guard);
  }
}

/// The value of an atomic, or from another CTA, comes back over links that are longer than the time to the next
/// exchange.
void WarpWalk::require_returned() const {
  const trace::Kernel& kernel = place_.kernel;
  const auto needs = [&](std::uint32_t producer) {
    return pc_ != producer && depends_on(kernel.code[pc_], kernel.code[producer]);
  };
  for (const Unanswered& poll : unanswered_) {
    if (needs(poll.pc)) {
      fail_too_early(poll.pc, "is answered", "its control bits must wait for the counter that the poll lowers");
    }
  }
  if (unreturned_.empty() || unreturned_since_ != *place_.exchanges) {
    return;
  }
  for (const std::uint32_t atomic : unreturned_) {
    if (needs(atomic)) {
      fail_too_early(atomic, "has returned", "its control bits must wait for the counter that it lowers");
    }
  }
}

void WarpWalk::fail_too_early(std::uint32_t producer, const char* what, const char* hint) const {
  const trace::Kernel& kernel = place_.kernel;
  const isa::InstrText& text = kernel.texts[pc_];
  throw InputError(Problem{{kernel.where.file, text.line, 0},
                           "'" + text.text + "' issues before '" + kernel.texts[producer].text + "' " + what,
                           hint});
}

trace::AsyncOperands WarpWalk::async_operands() {
  if (is_pending_) {
    take_effect();
  }
  const AsyncEffect& effect = place_.interpreter.async();
  if (place_.kernel.code[pc_].set_registers != 0) {
    return {};
  }
  if (const std::string why = why_not_timed(effect); !why.empty()) {
    const isa::InstrText& text = place_.kernel.texts[pc_];
    throw InputError(Problem{{place_.kernel.where.file, text.line, 0},
                             "'" + text.text + "' of " + lane_text(warp_, lowest_lane(effect.mask)) + ": " + why +
                                 ", which is not simulated in compiled kernels so far",
                             "'gpusim exec' executes it without time"});
  }
  return engine_operands(effect, place_.tensor_maps);
}

/// The lanes of an access to shared memory that go to other CTAs of the cluster. Only a generic access may, or one that
/// names another CTA.
LaneMask WarpWalk::lanes_elsewhere() const {
  const Access& access = place_.interpreter.access();
  const bool names_own = place_.kernel.code[pc_].space == isa::MemSpace::kShared;
  if (access.space != isa::MemSpace::kShared || names_own || !warp_.cta().image().facts.shared_has_rank) {
    return 0;
  }
  LaneMask lanes = 0;
  for_each_lane(place_.interpreter.executed().mask, [&](unsigned lane) {
    lanes |= LaneMask{rank_in(access.addresses.of[lane]) != warp_.cta().rank()} << lane;
  });
  return lanes;
}

isa::MemSpace WarpWalk::space() {
  if (is_pending_) {
    take_effect();
  }
  const Access& access = place_.interpreter.access();
  return access.is_mixed ? isa::MemSpace::kNone : lanes_elsewhere() != 0 ? isa::MemSpace::kClusterShared : access.space;
}

/// The lowest rank that an access's lanes name, or that of the mbarrier.
std::uint32_t WarpWalk::target_rank() {
  if (is_pending_) {
    take_effect();
  }
  if (lanes_elsewhere() == 0) {
    return rank_in(place_.interpreter.async().barrier);
  }
  return rank_in(std::ranges::min(place_.interpreter.access().addresses.of));
}

/// Addresses in shared memory of the cluster, as seen from the CTA of target_rank().
trace::LaneAddresses WarpWalk::addresses_elsewhere() {
  const Address own = Address{target_rank()} << kRankBit;
  AddressRow seen = place_.interpreter.access().addresses;
  for (Address& address : seen.of) {
    address -= own;
  }
  return place_.patterns.of(pc_, trace::AccessSlot::kPrimary, seen,
                            seen.of[lowest_lane(place_.interpreter.executed().mask)], place_.offsets);
}

trace::LaneAddresses WarpWalk::addresses(trace::AccessSlot slot) {
  if (is_pending_) {
    take_effect();
  }
  if (slot == trace::AccessSlot::kPrimary && lanes_elsewhere() != 0) {
    return addresses_elsewhere();
  }
  const Interpreter& interpreter = place_.interpreter;
  const Access& access = slot == trace::AccessSlot::kPrimary ? interpreter.access() : interpreter.shared_destination();
  if (access.space == isa::MemSpace::kNone) {
    return trace::kNowhere;
  }
  Address base = access.addresses.of[lowest_lane(interpreter.executed().mask)];
  if (access.space == isa::MemSpace::kShared && warp_.cta().image().facts.shared_has_rank) {
    base = offset_in(base);
  }
  return place_.patterns.of(pc_, slot, access.addresses, base, place_.offsets);
}

}  // namespace gpusim::exec
