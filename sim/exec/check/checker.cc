// SPDX-License-Identifier: MIT
#include "sim/exec/check/checker.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "sim/base/address_space.h"
#include "sim/exec/core/context.h"
#include "sim/exec/run/interpreter.h"

namespace gpusim::exec {
namespace {

using sass::Op;

/// What DEPBAR waits for: at most so many of what lowers the counter are under way.
std::size_t most_left(const sass::Instruction& depbar) {
  return static_cast<std::size_t>(std::max<std::int64_t>(depbar.operands[1].value, 0));
}

bool is_same_address(const sass::Operand& a, const sass::Operand& b) {
  return a.file == b.file && a.index == b.index && a.has_uniform == b.has_uniform &&
         (!a.has_uniform || a.uniform == b.uniform) && a.value == b.value;
}

/// Where a swap has its address; none for what is not a swap.
std::optional<std::size_t> swap_address(Op op) {
  switch (op) {
    case Op::kAtomsCas:
    case Op::kAtomsCasCast: return 1;
    default: return std::nullopt;
  }
}

std::vector<bool> loads_before_swaps(const std::vector<sass::Instruction>& code) {
  constexpr std::size_t kNear = 16;  // instructions
  std::vector<bool> begins(code.size());
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const auto at = swap_address(code[pc].op);
    for (std::size_t back = 1; at && back <= std::min(kNear, pc); ++back) {
      const sass::Instruction& load = code[pc - back];
      if (load.op == Op::kLds && is_same_address(load.operands[1], code[pc].operands[*at])) {
        begins[pc - back] = true;
        break;
      }
    }
  }
  return begins;
}

const char* word_of_hazard(Finding::Kind kind) {
  using Kind = Finding::Kind;
  switch (kind) {
    case Kind::kReadAfterWrite: return "a write before it";
    case Kind::kWriteAfterRead: return "a read before it";
    default: return "a write before it, of another value";
  }
}

}  // namespace

Checker::Checker(const Image& image) : image_(image), begins_swap_(loads_before_swaps(image.instructions)) {}

void Checker::begins(const std::vector<std::unique_ptr<Cta>>& cluster) {
  if (!order_) {
    order_.emplace(cluster.size(), image_.facts.warps);
    shadows_.assign(cluster.size(), Shadow(image_.facts.shared_bytes));
    for (const auto& cta : cluster) {
      ctas_.push_back(cta.get());
    }
  } else {
    order_->restart();
    std::ranges::for_each(shadows_, &Shadow::restart);
  }
}

void Checker::begins(Warp& warp, const Executed& executed) {
  warp_ = &warp;
  pc_ = executed.pc;
  op_ = pc_ < image_.instructions.size() ? image_.instructions[pc_].op : Op{};
  order_->step(warp, executed.active);
  if (op_ == Op::kWarpsync) {
    waited_ = warp.waiting_for(Path::Wait::kLanes, 0) | executed.active;
  }
  if (is_bulk_copy(op_)) {
    order_->begin_bulk_copy(warp);
  }
}

void Checker::done(Warp& warp) {
  if (!second_writes_.empty()) {
    settle_second_writes();
  }
  if (!changed_.empty()) {
    end_phases();
  }
  for (const AskedMbarrier& asked : std::exchange(asked_, {})) {
    const std::uint8_t answer = image_.code[pc_].predicate_destinations[0];
    if ((warp.predicates[answer] >> asked.lane & 1U) != 0) {
      order_->pass_mbarrier(asked.name, warp);
    }
  }
  switch (op_) {
    case Op::kWarpsync:
      if (warp.waiting_for(Path::Wait::kLanes, 0) == 0) {
        order_->lanes_met(warp, waited_);
      }
      break;
    case Op::kUcgabarWait:
      if (warp.waiting_for(Path::Wait::kCluster, 0) == 0) {
        order_->pass_cluster(warp);
      }
      break;
    case Op::kLdgdepbar: order_->end_group(warp); break;
    case Op::kDepbar: order_->wait_for_groups(warp, most_left(image_.instructions[pc_])); break;
    default: break;
  }
}

bool Checker::faulted(Warp& warp, const AccessFault& fault) {
  using Kind = Finding::Kind;
  const Kind kind = fault.why == AccessFault::Why::kMisaligned ? Kind::kMisaligned : Kind::kOutOfBounds;
  if (Finding* const finding = findings_.add(kind, pc_, pc_)) {
    finding->message = fault.what() + (fault.hint.empty() ? "" : " (" + fault.hint + ")");
    finding->who = lane_text(warp, fault.lane);
  }
  return ++faults_ < kMostFaults;
}

Stamp Checker::stamp_of(unsigned lane, AccessKind kind) const {
  if (kind == AccessKind::kWrite && op_ == Op::kLdgsts) {
    return order_->copying(*warp_, lane, pc_);
  }
  if (kind == AccessKind::kWrite && is_bulk_copy(op_)) {
    return order_->bulk_copying(*warp_, pc_);
  }
  return order_->now(*warp_, lane, pc_);
}

void Checker::accesses(Cta& owner, unsigned lane, Address offset, unsigned bytes, AccessKind kind) {
  if (kind == AccessKind::kMbarrier) {
    note_mbarrier({owner.rank(), offset}, lane);
  } else if (op_ == Op::kSyncsExch) {
    order_->initialise_mbarrier({owner.rank(), offset});
  }
  const AccessKind counts_as = op_ == Op::kLds && begins_swap_[pc_] ? AccessKind::kAtomic : kind;
  const Shadow::Access access{*warp_, stamp_of(lane, kind), offset, bytes, counts_as};
  shadows_[owner.rank()].access(*order_, access,
                                [&](Hazard hazard, const Stamp& other) { found(hazard, owner, access, other); });
}

void Checker::found(Hazard hazard, const Cta& owner, const Shadow::Access& access, const Stamp& other) {
  using Kind = Finding::Kind;
  switch (hazard) {
    case Hazard::kUninitialised: add(Kind::kUninitialised, owner, access, access.stamp); break;
    case Hazard::kReadAfterWrite: add(Kind::kReadAfterWrite, owner, access, other); break;
    case Hazard::kWriteAfterRead: add(Kind::kWriteAfterRead, owner, access, other); break;
    case Hazard::kWriteAfterWrite: {
      SecondWrite& second = second_writes_.emplace_back(
          SecondWrite{owner.rank(), access.offset, access.bytes, access.stamp.lane, other, {}});
      std::memcpy(second.before.data(), ctas_[owner.rank()]->shared().data() + access.offset, access.bytes);
      break;
    }
  }
}

void Checker::settle_second_writes() {
  for (const SecondWrite& second : std::exchange(second_writes_, {})) {
    Cta& owner = *ctas_[second.rank];
    if (std::memcmp(second.before.data(), owner.shared().data() + second.offset, second.bytes) != 0) {
      const Stamp stamp = order_->now(*warp_, second.lane, pc_);
      add(Finding::Kind::kWriteAfterWrite, owner, {*warp_, stamp, second.offset, second.bytes, AccessKind::kWrite},
          second.first);
    }
  }
}

void Checker::add(Finding::Kind kind, const Cta& owner, const Shadow::Access& access, const Stamp& other) {
  const bool is_race = kind != Finding::Kind::kUninitialised;
  Finding* const finding = findings_.add(kind, pc_, is_race ? other.pc : pc_);
  if (finding == nullptr) {
    return;
  }
  const std::string what = std::string(word_of(access.kind)) + " of " + std::to_string(access.bytes) + " bytes at " +
                           address_text(access.offset) + " of shared memory";
  const std::string whose =
      &owner == &warp_->cta() ? "" : " of CTA " + std::to_string(owner.rank()) + " of the cluster";
  finding->message = is_race ? "race: the " + what + whose + " is not ordered with " + word_of_hazard(kind)
                             : "uninitialised: the " + what + whose + ", which nobody has written";
  finding->who = lane_text(*warp_, access.stamp.lane);
  finding->other = is_race ? other_text(kind, other) : "";
}

std::string Checker::other_text(Finding::Kind kind, const Stamp& other) const {
  const Order::Place place = order_->place_of(other);
  const std::string verb = kind == Finding::Kind::kWriteAfterRead ? "read" : "written";
  const std::string lane = lane_text(ctas_[place.rank]->warps()[place.warp], other.lane);
  const Op op = other.pc < image_.instructions.size() ? image_.instructions[other.pc].op : Op{};
  if (is_bulk_copy(op)) {
    return verb + " by the TMA, for which no mbarrier has been waited for";
  }
  if (op == Op::kLdgsts) {
    return verb + " by a copy that has not been waited for, of " + lane;
  }
  return verb + " by " + lane;
}

bool Checker::phase_of(const Order::MbarrierName& name) const {
  std::uint64_t state;
  std::memcpy(&state, ctas_[name.first]->shared().data() + name.second, sizeof state);
  return state >> 63U != 0;
}

void Checker::note_mbarrier(const Order::MbarrierName& name, unsigned lane) {
  if (op_ == Op::kSyncsPhasechk) {
    asked_.push_back({name, lane});
    return;
  }
  changed_.emplace_back(name, phase_of(name));
  if (is_bulk_copy(op_)) {
    order_->bytes_come(name, *warp_);
  } else {
    order_->arrive_at_mbarrier(name, *warp_);
  }
}

void Checker::end_phases() {
  for (const auto& [name, before] : std::exchange(changed_, {})) {
    if (phase_of(name) != before) {
      order_->end_phase(name);
    }
  }
}

}  // namespace gpusim::exec
