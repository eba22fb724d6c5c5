// SPDX-License-Identifier: MIT
#include "sim/mem/l2/slice_tags.h"

namespace gpusim::mem::l2 {

using cache::LineNumber;
using cache::LineState;
using cache::SectorMask;
using cache::TagArray;

SliceTags::SliceTags(const arch::L2Config& l2, std::uint64_t seed)
    : tags_(cache::TagArray::of_bytes(l2.bytes / l2.slices, l2.ways, seed)) {}

SectorMask SliceTags::look_up(LineNumber line, SectorMask sectors) {
  const LineState found = tags_.use(line);
  return static_cast<SectorMask>(found.valid & ~found.user & sectors);
}

LineState SliceTags::fill(LineNumber line, SectorMask sectors) {
  const TagArray::Entered entered = tags_.enter(line, sectors, 0);
  entered.way->set_user(static_cast<SectorMask>(entered.way->user() & ~sectors));
  return entered.evicted;
}

LineState SliceTags::write(LineNumber line, SectorMask sectors, SectorMask full) {
  const TagArray::Entered entered = tags_.enter(line, sectors, sectors);
  const SectorMask partial = entered.way->user();
  const auto readable = static_cast<SectorMask>(entered.valid_before & ~partial);
  entered.way->set_user(static_cast<SectorMask>((partial & ~full) | (sectors & ~full & ~readable)));
  return entered.evicted;
}

void SliceTags::drop(LineNumber line, SectorMask sectors) {
  tags_.set_user(line, static_cast<SectorMask>(tags_.probe(line).user & ~sectors));
  tags_.invalidate(line, sectors);
}

void SliceTags::clear() {
  tags_.clear();
}

}  // namespace gpusim::mem::l2
