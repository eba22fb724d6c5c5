// SPDX-License-Identifier: MIT
#include "sim/mem/l2/slice_tags.h"

namespace gpusim::mem::l2 {

using cache::LineNumber;
using cache::LineState;
using cache::SectorMask;

SliceTags::SliceTags(const arch::L2Config& l2, std::uint64_t seed)
    : tags_(cache::TagArray::of_bytes(l2.bytes / l2.slices, l2.ways, seed)) {}

SectorMask SliceTags::partial(LineNumber line) const {
  return partial_lines_ == 0 ? 0 : tags_.probe(line).user;
}

void SliceTags::set_partial(LineNumber line, SectorMask before, SectorMask after) {
  if (before == after) {
    return;
  }
  tags_.set_user(line, after);
  partial_lines_ += (before == 0 ? 1 : 0);
  partial_lines_ -= (after == 0 ? 1 : 0);
}

void SliceTags::forget(const LineState& gone) {
  partial_lines_ -= (gone.present() && gone.user != 0 ? 1 : 0);
}

SectorMask SliceTags::look_up(LineNumber line, SectorMask sectors) {
  const SectorMask valid = tags_.lookup(line, sectors);
  return static_cast<SectorMask>(valid & ~partial(line));
}

LineState SliceTags::fill(LineNumber line, SectorMask sectors) {
  const SectorMask before = partial(line);
  const LineState gone = tags_.fill(line, sectors);
  set_partial(line, before, static_cast<SectorMask>(before & ~sectors));
  forget(gone);
  return gone;
}

LineState SliceTags::write(LineNumber line, SectorMask sectors, SectorMask full) {
  SectorMask before = partial(line);
  SectorMask after = static_cast<SectorMask>(before & ~full);
  if ((sectors & ~full) != 0) {
    const SectorMask readable = static_cast<SectorMask>(tags_.probe(line).valid & ~before);
    after = static_cast<SectorMask>(after | (sectors & ~full & ~readable));
  }
  const LineState gone = tags_.write(line, sectors);
  set_partial(line, before, after);
  forget(gone);
  return gone;
}

void SliceTags::drop(LineNumber line, SectorMask sectors) {
  const SectorMask before = partial(line);
  set_partial(line, before, static_cast<SectorMask>(before & ~sectors));
  tags_.invalidate(line, sectors);
}

void SliceTags::clear() {
  tags_.clear();
  partial_lines_ = 0;
}

}  // namespace gpusim::mem::l2
