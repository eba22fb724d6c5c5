// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/slice_tags.h"

#include <algorithm>

#include "sim/model/arch/l2_config.h"

namespace gpusim::mem::l2 {

using cache::LineNumber;
using cache::LineState;
using cache::SectorMask;
using cache::TagArray;
using cache::UserBits;

namespace {
constexpr std::uint32_t kHundred = 100;
}  // namespace

SliceTags::SliceTags(const arch::L2Config& l2, std::uint64_t seed)
    : tags_(cache::TagArray::of_bytes(l2.bytes / l2.slices, l2.ways, seed, l2.replacement)),
      most_dirty_(std::max(l2.ways * l2.dirty_percent / kHundred, 1U)) {}

bool SliceTags::takes_write(LineNumber line) const {
  const LineState state = tags_.probe(line);
  return state.dirty != 0 || (state.present() && most_dirty_ == tags_.ways());
}

SectorMask SliceTags::look_up(LineNumber line, SectorMask sectors) {
  const LineState found = tags_.use(line);
  return static_cast<SectorMask>(found.valid & ~found.user & sectors);
}

LineState SliceTags::fill(LineNumber line, SectorMask sectors) {
  const TagArray::Entered entered = tags_.enter(line, sectors, 0);
  latest_ = {line, entered.way};
  entered.way->set_user(static_cast<UserBits>(entered.way->user() & ~sectors));
  return entered.evicted();
}

SectorMask SliceTags::read_in(LineNumber line, SectorMask sectors, bool by_mirror) {
  const TagArray::Entered entered = tags_.enter(line, sectors, 0);
  const UserBits before = entered.way->user();
  const auto missed = static_cast<SectorMask>(sectors & ~(entered.valid_before & ~before));
  entered.way->set_user(static_cast<UserBits>((before & ~missed) | (by_mirror ? kHasCopy : 0)));
  return missed;
}

SliceTags::Written SliceTags::write(LineNumber line, SectorMask sectors, SectorMask full) {
  const TagArray::Entered entered = tags_.enter(line, sectors, sectors);
  latest_ = {line, entered.way};
  const UserBits before = entered.way->user();
  const auto readable = static_cast<SectorMask>(entered.valid_before & ~before);
  entered.way->set_user(static_cast<UserBits>((before & ~full) | (sectors & ~full & ~readable)));
  Written written{entered.evicted(), {}, (before & kHasCopy) != 0, readable};
  if (entered.dirty_before == 0 && most_dirty_ < tags_.ways()) {
    written.cleaned = tags_.limit_dirty(line, most_dirty_);
  }
  return written;
}

void SliceTags::set_copy(LineNumber line, bool has_copy) {
  if (TagArray::Way* const way = line == latest_.line ? latest_.way : tags_.find(line); way != nullptr) {
    way->set_user(static_cast<UserBits>(has_copy ? way->user() | kHasCopy : way->user() & ~kHasCopy));
  }
}

void SliceTags::invalidate(LineNumber line, SectorMask sectors) {
  if (TagArray::Way* const way = tags_.find(line); way != nullptr) {
    way->set_user(static_cast<UserBits>(way->user() & ~sectors));
    latest_ = {};
    tags_.invalidate(line, sectors);
  }
}

void SliceTags::clear() {
  latest_ = {};
  tags_.clear();
}

}  // namespace gpusim::mem::l2
