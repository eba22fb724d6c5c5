// SPDX-License-Identifier: MIT
#include "sim/model/trace/split_cursor.h"

#include <algorithm>

#include "sim/base/problem.h"

namespace gpusim::trace {

template class FlowCursor<SplitCursor>;

namespace {

/// "lanes 0-15, 17"
std::string lanes_text(LaneMask lanes) {
  std::string text;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) {
      continue;
    }
    const std::uint32_t first = lane;
    while (lane + 1 < kWarpLanes && (lanes >> (lane + 1) & 1U) != 0) {
      ++lane;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(first) + (lane > first ? "-" + std::to_string(lane) : "");
  }
  return (text.find_first_of(",-") == std::string::npos ? "lane " : "lanes ") + text;
}

}  // namespace

bool SplitCursor::resume() {
  if (!parted_.exists()) {
    return false;
  }
  if (active_ != 0) {
    arrive(parted_->inner, active_);
    if (active_ != 0) {
      return true;
    }
  }
  for (std::size_t i = parted_->splits.size(); i-- > 0;) {
    if (parted_->splits[i].waits_at == kNone) {
      active_ = parted_->splits[i].lanes;
      pc_ = parted_->splits[i].pc;
      parted_->inner = parted_->splits[i].inner;
      std::copy_n(loops_of(i), loop_values(), loops());
      erase(i);
      look_for_join();
      return true;
    }
  }
  if (!parted_->splits.empty()) {
    fail_stuck();
  }
  return false;
}

void SplitCursor::diverge(const FlowOp& op, LaneMask taken) {
  // Lanes that meet where the lanes around them meet need no meeting of their own, and those inside a pair of BSSY and
  // BSYNC have been told where.
  if (op.join != kNone && op.join != join_ && (active_ & parted_->covered) == 0) {
    parted_->inner = add({Meeting::Kind::kJoin, 0, active_, 0, 0, op.join, parted_->inner});
    join_ = op.join;
  }
  set_aside({op.target, parted_->inner, taken, kNone}, parted_->splits.size());
  ++pc_;
}

void SplitCursor::exit(LaneMask lanes) {
  end_lanes(lanes);
  for (std::uint32_t i = 0; parted_.exists() && i < parted_->meetings.size(); ++i) {
    leave(i, lanes);
  }
}

void SplitCursor::converge(const FlowOp& op, LaneMask lanes) {
  ++pc_;
  const Convergence& what = program_->convergences[op.target];
  switch (what.action) {
    case Convergence::Action::kBegin: begin_barrier(what.barrier, lanes); break;
    case Convergence::Action::kWait: wait_at_barrier(what.barrier, lanes); break;
    case Convergence::Action::kLeave: leave_barrier(what.barrier, lanes); break;
    case Convergence::Action::kLanes: meet_lanes(what.lanes, lanes); break;
    case Convergence::Action::kYield: yield(); break;
  }
}

/// A barrier register is one of each lane: lanes that begin with it anew leave what they took part in before.
void SplitCursor::begin_barrier(std::uint8_t barrier, LaneMask lanes) {
  leave_barrier(barrier, lanes);
  if (lanes != 0) {
    add({Meeting::Kind::kRegister, barrier, lanes, 0, 0, at_, kNone});
  }
}

void SplitCursor::wait_at_barrier(std::uint8_t barrier, LaneMask lanes) {
  for (std::uint32_t i = 0; i < parted_->meetings.size(); ++i) {
    const LaneMask here = parted_->meetings[i].participants & lanes & active_;
    if (parted_->meetings[i].kind == Meeting::Kind::kRegister && parted_->meetings[i].barrier == barrier && here != 0) {
      arrive(i, here);
    }
  }
}

void SplitCursor::leave_barrier(std::uint8_t barrier, LaneMask lanes) {
  for (std::uint32_t i = 0; i < parted_->meetings.size(); ++i) {
    if (parted_->meetings[i].kind == Meeting::Kind::kRegister && parted_->meetings[i].barrier == barrier) {
      leave(i, lanes);
    }
  }
}

void SplitCursor::meet_lanes(LaneMask named, LaneMask lanes) {
  const LaneMask all = named & live_;
  const LaneMask here = all & lanes;
  if (here == all || here == 0) {
    return;
  }
  auto found = std::find_if(parted_->meetings.begin(), parted_->meetings.end(), [named](const Meeting& meeting) {
    return meeting.kind == Meeting::Kind::kLanes && meeting.participants != 0 && meeting.named == named;
  });
  arrive(found != parted_->meetings.end() ? static_cast<std::uint32_t>(found - parted_->meetings.begin())
                                          : add({Meeting::Kind::kLanes, 0, all, 0, named, at_, kNone}),
         here);
}

/// The running split goes behind all that wait for their turn, if there are any.
void SplitCursor::yield() {
  const bool others = parted_.exists() && std::any_of(parted_->splits.begin(), parted_->splits.end(),
                                                      [](const Split& split) { return split.waits_at == kNone; });
  if (others && active_ != 0) {
    set_aside({pc_, parted_->inner, active_, kNone}, 0);
  }
}

std::uint32_t SplitCursor::add(const Meeting& meeting) {
  const auto free = std::find_if(parted_->meetings.begin(), parted_->meetings.end(),
                                 [](const Meeting& one) { return one.participants == 0; });
  const auto index = static_cast<std::uint32_t>(free - parted_->meetings.begin());
  if (free == parted_->meetings.end()) {
    parted_->meetings.push_back(meeting);
  } else {
    *free = meeting;
  }
  count_covered();
  return index;
}

/// `lanes` of the running split have come; they wait until all have.
void SplitCursor::arrive(std::uint32_t meeting, LaneMask lanes) {
  parted_->meetings[meeting].arrived |= lanes;
  if (parted_->meetings[meeting].arrived == parted_->meetings[meeting].participants) {
    open(meeting);
  } else {
    set_aside({pc_, parted_->inner, lanes, meeting}, parted_->splits.size());
  }
}

/// Nobody waits for `lanes` any more.
void SplitCursor::leave(std::uint32_t meeting, LaneMask lanes) {
  Meeting& left = parted_->meetings[meeting];
  if ((left.participants & lanes) == 0) {
    return;
  }
  left.participants &= ~lanes;
  left.arrived &= ~lanes;
  if (left.arrived == left.participants) {
    open(meeting);
  } else {
    count_covered();
  }
}

void SplitCursor::open(std::uint32_t meeting) {
  const Meeting opened = parted_->meetings[meeting];
  parted_->meetings[meeting].participants = 0;
  count_covered();
  const bool is_join = opened.kind == Meeting::Kind::kJoin;
  if (is_join && (active_ & opened.arrived) != 0) {
    parted_->inner = opened.around;
    look_for_join();
  }
  for (Split& split : parted_->splits) {
    if (split.waits_at == meeting) {
      split.waits_at = kNone;
      split.inner = is_join ? opened.around : split.inner;
    }
  }
  unite(opened.arrived);
}

/// Splits of `released` lanes that stand at the same place become one.
void SplitCursor::unite(LaneMask released) {
  const bool runs = (active_ & released) != 0;
  for (std::size_t i = 0; i < parted_->splits.size();) {
    bool gone = false;
    if ((parted_->splits[i].lanes & released) != 0) {
      std::size_t like = 0;
      while (like < i && !((parted_->splits[like].lanes & released) != 0 && are_alike(like, i))) {
        ++like;
      }
      if (runs && absorbs(i)) {
        active_ |= parted_->splits[i].lanes;
        gone = true;
      } else if (like < i) {
        parted_->splits[like].lanes |= parted_->splits[i].lanes;
        gone = true;
      }
    }
    if (gone) {
      erase(i);
    } else {
      ++i;
    }
  }
}

bool SplitCursor::absorbs(std::size_t split) const {
  return parted_->splits[split].pc == pc_ && parted_->splits[split].inner == parted_->inner &&
         same_iterations(loops_of(split), variables() + kVarLoops, pc_);
}

bool SplitCursor::are_alike(std::size_t one, std::size_t other) const {
  return parted_->splits[one].pc == parted_->splits[other].pc &&
         parted_->splits[one].inner == parted_->splits[other].inner &&
         parted_->splits[one].waits_at == parted_->splits[other].waits_at &&
         same_iterations(loops_of(one), loops_of(other), parted_->splits[one].pc);
}

/// True if two splits are in the same iterations of the loops around an operation. A split has one iteration for all
/// its lanes, so splits in different iterations cannot join.
bool SplitCursor::same_iterations(const std::int64_t* one, const std::int64_t* other, std::uint32_t pc) const {
  const FlowOp& op = program_->ops[pc];
  const std::uint32_t begun = op.kind == FlowKind::kLoopBegin ? 0 : 1;  // a loop that begins here is not around it
  const std::uint32_t levels = op.loop == kNone ? 0 : program_->loops[op.loop].level + begun;
  for (std::uint32_t level = 0; level < levels; ++level) {
    const std::uint32_t at = iteration_variable(level) - kVarLoops;
    if (one[at] != other[at]) {
      return false;
    }
  }
  return true;
}

void SplitCursor::set_aside(const Split& split, std::size_t place) {
  parted_->all_loops.insert(parted_->all_loops.begin() + static_cast<std::ptrdiff_t>(place * loop_values()), loops(),
                            loops() + loop_values());
  parted_->splits.insert(parted_->splits.begin() + static_cast<std::ptrdiff_t>(place), split);
  active_ &= ~split.lanes;
  if (active_ == 0) {
    pc_ = join_ = kNone;
  }
}

void SplitCursor::erase(std::size_t split) {
  const auto begin = parted_->all_loops.begin() + static_cast<std::ptrdiff_t>(split * loop_values());
  parted_->all_loops.erase(begin, begin + static_cast<std::ptrdiff_t>(loop_values()));
  parted_->splits.erase(parted_->splits.begin() + static_cast<std::ptrdiff_t>(split));
}

void SplitCursor::count_covered() {
  parted_->covered = 0;
  for (const Meeting& meeting : parted_->meetings) {
    parted_->covered |= meeting.kind == Meeting::Kind::kRegister ? meeting.participants : 0;
  }
}

std::string SplitCursor::describe(const Split& split) const {
  const Meeting& meeting = parted_->meetings[split.waits_at];
  const std::string line = std::to_string(program_->places[meeting.at].line);
  const std::string missing = " for " + lanes_text(meeting.participants & ~meeting.arrived) + "\n";
  switch (meeting.kind) {
    case Meeting::Kind::kRegister:
      return lanes_text(split.lanes) + " at barrier B" + std::to_string(meeting.barrier) + ", begun in line " + line +
             "," + missing;
    case Meeting::Kind::kLanes:
      return lanes_text(split.lanes) + " at the WARPSYNC of " + lanes_text(meeting.named) + ", first reached in line " +
             line + "," + missing;
    default: return lanes_text(split.lanes) + " where paths meet again, in line " + line + "," + missing;
  }
}

void SplitCursor::fail_stuck() const {
  std::string text = "kernel '" + program_->kernel + "' cannot finish: the lanes of a warp wait for each other " +
                     warp_place() + ":\n";
  for (const Split& split : parted_->splits) {
    text += "  " + describe(split);
  }
  throw CannotFinishError(text + "  Lanes that a barrier waits for must reach its BSYNC, leave it by BREAK, or exit.");
}

}  // namespace gpusim::trace
