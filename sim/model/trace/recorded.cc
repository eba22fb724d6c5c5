// SPDX-License-Identifier: MIT
#include "sim/model/trace/recorded.h"

#include <bit>

#include "sim/base/address_space.h"

namespace gpusim::trace {
namespace {

/// An entry of the kernel's vocabulary or, beyond its end, of the CTAs' own.
template <class T>
const T& entry(const std::vector<T>& shared, const std::vector<T>& own, std::uint32_t id) {
  return id < shared.size() ? shared[id] : own[id - shared.size()];
}

/// The sequence that an entry of `ranges` names, taken from the vocabulary that has the entry.
template <class T>
std::span<const T> sequence(const std::vector<Vocabulary::Range>& shared, const std::vector<T>& shared_items,
                            const std::vector<Vocabulary::Range>& own, const std::vector<T>& own_items,
                            std::uint32_t id) {
  const Vocabulary::Range& range = entry(shared, own, id);
  return {(id < shared.size() ? shared_items : own_items).data() + range.first, range.count};
}

}  // namespace

bool has_command(const isa::Instr& instr) {
  return instr.kind == isa::OpKind::kMbarrier || instr.kind == isa::OpKind::kPoll ||
         instr.kind == isa::OpKind::kTensorCopy;
}

bool may_name_other_cta(const isa::Instr& instr, AsyncAction action) {
  return (instr.of_cluster && instr.kind == isa::OpKind::kMbarrier) || is_move(action);
}

Sites sites_of(std::span<const isa::Instr> code, Commands commands) {
  Sites sites;
  const auto add = [&sites](SiteUse use) {
    sites.uses.push_back(use);
    return sites.count() - 1;
  };
  for (const isa::Instr& instr : code) {
    std::array<std::uint32_t, kAccessSlots> of{kNoSite, kNoSite};
    if (instr.is_memory()) {
      of[0] = add(instr.space == isa::MemSpace::kClusterShared ? SiteUse::kClusterLanes : SiteUse::kLanes);
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        of[1] = add(SiteUse::kLanes);
      }
    } else if (commands == Commands::kRecorded && has_command(instr)) {
      of[0] = add(SiteUse::kCommand);
    }
    sites.of.push_back(of);
  }
  return sites;
}

std::size_t Vocabulary::bytes() const {
  const auto of = [](const auto& items) { return items.size() * sizeof(items[0]); };
  return of(steps) + of(segments) + of(path_items) + of(paths) + of(runs) + of(shapes) + of(pattern_ids) +
         patterns.bytes();
}

std::size_t RecordedCtas::bytes() const {
  std::size_t sum = paths.bytes() + own.bytes();
  for (const SiteStreams& site : streams) {
    sum += sizeof site + site.shapes.bytes() + site.bases.bytes();
  }
  return sum;
}

std::span<const Vocabulary::PathItem> RecordedCtas::path(std::uint32_t id) const {
  return sequence(shared->paths, shared->path_items, own.paths, own.path_items, id);
}

std::span<const Step> RecordedCtas::segment(std::uint32_t id) const {
  return sequence(shared->segments, shared->steps, own.segments, own.steps, id);
}

std::span<const Vocabulary::AddressRun> RecordedCtas::runs(std::uint32_t shape) const {
  return sequence(shared->shapes, shared->runs, own.shapes, own.runs, shape);
}

const LaneOffsets& RecordedCtas::pattern(std::uint32_t id) const {
  const std::size_t of_kernel = shared->patterns.size();
  return id < of_kernel ? shared->patterns.at(id) : own.patterns.at(id - static_cast<std::uint32_t>(of_kernel));
}

std::uint32_t RecordedCtas::pattern_id(std::uint32_t id) const {
  return entry(shared->pattern_ids, own.pattern_ids, id);
}

RecordedCursor::RecordedCursor(const Recording& recording, CtaId cta, std::uint32_t warp, const CommandLimits& limits)
    : recording_(&recording),
      cta_(linear_cta(cta, recording.grid)),
      warp_(warp),
      ctas_(recording.source->around(cta_)),
      path_(ctas_->path(static_cast<std::uint32_t>(ctas_->paths.at(cta_, warp)))),
      limits_(limits),
      positions_(recording.sites.count()) {}

void RecordedCursor::enter_segment() {
  if (!path_.empty() && repeats_ == path_.front().repeats) {
    path_ = path_.subspan(1);
    repeats_ = 0;
  }
  if (path_.empty()) {
    return;
  }
  ++repeats_;
  const std::span<const Step> steps = ctas_->segment(path_.front().segment);
  next_step_ = steps.data();
  segment_end_ = next_step_ + steps.size();
}

bool RecordedCursor::next(Step& step) {
  if (next_step_ == segment_end_) {
    enter_segment();
    if (next_step_ == segment_end_) {
      return false;
    }
  }
  step = *next_step_++;
  pc_ = step.pc;
  mask_ = step.mask;
  if (step.mask != 0) {
    for (const std::uint32_t site : recording_->sites.of[pc_]) {
      if (site != kNoSite) {
        advance(site);
      }
    }
  }
  return true;
}

void RecordedCursor::start(std::uint32_t site) {
  const RecordedCtas::SiteStreams& streams = ctas_->streams[site];
  Position& position = positions_[site];
  position.started = true;
  position.runs = ctas_->runs(static_cast<std::uint32_t>(streams.shapes.at(cta_, warp_)));
  position.base = streams.bases.at(cta_, warp_);
}

void RecordedCursor::advance(std::uint32_t site) {
  Position& position = positions_[site];
  if (!position.started) {
    start(site);
  } else if (!position.runs.empty() && ++position.index >= position.runs.front().count) {
    position.index = 0;
    position.runs = position.runs.subspan(1);
  }
}

LaneAddresses RecordedCursor::addresses(AccessSlot slot) {
  const std::uint32_t site = recording_->sites.of[pc_][static_cast<std::size_t>(slot)];
  LaneAddresses lanes = at(site);
  if (site != kNoSite && recording_->sites.uses[site] == SiteUse::kClusterLanes) {
    lanes.base &= (Address{1} << kRankBit) - 1;
  }
  return lanes;
}

LaneAddresses RecordedCursor::at(std::uint32_t site) const {
  static constexpr LaneOffsets kZero{};
  // A stored stream may be shorter than its path: sizes are checked when it is read, sums of them are not.
  if (site == kNoSite || positions_[site].runs.empty()) {
    return {0, kZero.data(), LaneAddresses::kNoPattern};
  }
  const Position& position = positions_[site];
  const Vocabulary::AddressRun& run = position.runs.front();
  const Address distance = static_cast<Address>(run.delta) + static_cast<Address>(run.stride) * position.index;
  return {position.base + distance, ctas_->pattern(run.pattern).data(), ctas_->pattern_id(run.pattern)};
}

RecordedCommand RecordedCursor::command(std::uint32_t site) const {
  return command_in(at(site), mask_, recording_->boxes, limits_, {cta_, warp_});
}

AsyncOperands RecordedCursor::async_operands() const {
  const std::uint32_t site = recording_->sites.of[pc_][0];
  const bool has_one = site != kNoSite && recording_->sites.uses[site] == SiteUse::kCommand && mask_ != 0;
  return has_one ? command(site).operands : AsyncOperands{};
}

std::uint32_t RecordedCursor::target_rank() const {
  const std::uint32_t site = recording_->sites.of[pc_][0];
  if (site == kNoSite || mask_ == 0 || recording_->sites.uses[site] == SiteUse::kLanes) {
    return 0;
  }
  if (recording_->sites.uses[site] == SiteUse::kCommand) {
    return command(site).rank;
  }
  const LaneAddresses lanes = at(site);
  const auto first = static_cast<std::size_t>(std::countr_zero(mask_));
  const Address address = lanes.base + static_cast<Address>(lanes.offsets[first]);
  return checked_rank(address >> kRankBit, limits_, {cta_, warp_});
}

}  // namespace gpusim::trace
