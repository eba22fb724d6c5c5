// SPDX-License-Identifier: MIT
#include "sim/trace/recorded.h"

#include <bit>

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

Sites sites_of(std::span<const isa::Instr> code) {
  Sites sites;
  for (const isa::Instr& instr : code) {
    std::array<std::uint32_t, kAccessSlots> of{kNoSite, kNoSite};
    if (instr.is_memory()) {
      of[0] = sites.count++;
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        of[1] = sites.count++;
      }
    }
    sites.of.push_back(of);
  }
  return sites;
}

RecordedCursor::RecordedCursor(const Recording& recording, CtaId cta, std::uint32_t warp)
    : recording_(&recording), ctas_(&recording.all), positions_(recording.sites.count) {
  const std::uint64_t linear = linear_cta(cta, recording.grid);
  if (recording.source != nullptr) {
    kept_ = recording.source->around(linear);
    ctas_ = kept_.get();
  }
  warp_ = &ctas_->warps[(linear - ctas_->first) * recording.warps_per_cta + warp];
}

void RecordedCursor::enter_segment() {
  const Vocabulary& shared = recording_->shared;
  const Vocabulary& own = ctas_->own;
  const auto path = sequence(shared.paths, shared.path_items, own.paths, own.path_items, warp_->path);
  if (repeats_ == 0) {
    if (item_ == path.size()) {
      return;
    }
    repeats_ = path[item_].repeats;
    ++item_;
  }
  --repeats_;
  const auto steps = sequence(shared.segments, shared.steps, own.segments, own.steps, path[item_ - 1].segment);
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
  if (step.mask != 0) {
    for (const std::uint32_t site : recording_->sites.of[pc_]) {
      if (site != kNoSite) {
        advance(site);
      }
    }
  }
  return true;
}

std::span<const Vocabulary::AddressRun> RecordedCursor::runs_at(std::uint32_t site) const {
  const std::uint32_t shape = ctas_->streams[warp_->first_stream + site].shape;
  return sequence(recording_->shared.shapes, recording_->shared.runs, ctas_->own.shapes, ctas_->own.runs, shape);
}

void RecordedCursor::advance(std::uint32_t site) {
  Position& position = positions_[site];
  if (!position.started) {
    position.started = true;
    return;
  }
  const auto runs = runs_at(site);
  if (position.run < runs.size() && ++position.index >= runs[position.run].count) {
    position.index = 0;
    ++position.run;
  }
}

LaneAddresses RecordedCursor::addresses(AccessSlot slot) {
  static constexpr Vocabulary::Offsets kZero{};
  const std::uint32_t site = recording_->sites.of[pc_][static_cast<std::size_t>(slot)];
  const bool started = site != kNoSite && positions_[site].started;
  const auto runs = started ? runs_at(site) : std::span<const Vocabulary::AddressRun>{};
  // A stored stream may be shorter than its path: sizes are checked when it is read, sums of them are not.
  if (!started || positions_[site].run >= runs.size()) {
    return {0, kZero.data(), LaneAddresses::kNoPattern};
  }
  const Position& position = positions_[site];
  const Vocabulary::AddressRun& run = runs[position.run];
  const Address distance = static_cast<Address>(run.delta) + static_cast<Address>(run.stride) * position.index;
  const Vocabulary& shared = recording_->shared;
  return {ctas_->streams[warp_->first_stream + site].base + distance,
          entry(shared.patterns, ctas_->own.patterns, run.pattern).data(),
          entry(shared.pattern_ids, ctas_->own.pattern_ids, run.pattern)};
}

}  // namespace gpusim::trace
