// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/functional_access.h"

#include <algorithm>

#include "sim/machine/mem/l2/events.h"
#include "sim/machine/mem/l2/line_store.h"
#include "sim/model/arch/l2_config.h"

namespace gpusim::mem::l2 {

using cache::LineNumber;
using cache::SectorMask;
using cache::TagArray;
using cache::UserBits;
using msg::Kind;

/// missing() and then fill() of the sectors that it returns; `by_mirror` is set_copy(). Nothing goes to DRAM.
SectorMask LineStore::read_in(LineNumber line, SectorMask sectors, bool by_mirror) {
  const TagArray::Entered entered = tags_.enter(line, sectors, 0);
  const UserBits before = entered.way->user();
  const auto missed = static_cast<SectorMask>(sectors & ~(entered.valid_before & ~before));
  entered.way->set_user(static_cast<UserBits>((before & ~missed) | (by_mirror ? kHasCopy : 0)));
  return missed;
}

/// With the sectors that the line's home reads from DRAM beside those that are missing.
FunctionalResult LineStore::read_functionally(const FunctionalRequest& request) {
  const LineNumber line = line_in_tags(request.slice_line, request.is_copy);
  const bool by_mirror = request.kind == Kind::kFarRead;
  const std::uint8_t missed = read_in(line, request.sectors, by_mirror);
  const std::uint32_t bytes = std::max(around_.config.fill_bytes, request.fetch_sectors * kSectorBytes);
  const std::uint8_t beside = without(widened(missed, bytes), missed);
  if (beside != 0 && !request.is_copy) {
    static_cast<void>(read_in(line, beside, by_mirror));
  }
  return {missed, request.is_copy};
}

FunctionalResult LineStore::write_functionally(const FunctionalRequest& request) {
  const LineNumber line = line_in_tags(request.slice_line, false);
  const bool is_write = request.kind == Kind::kWrite || request.kind == Kind::kFarWrite;
  const Written written =
      enter_written(line, request.sectors, {is_write ? request.full : request.sectors, request.parts});
  const bool invalidates = written.has_copy && !is_from_mirror(request.kind);
  if (invalidates) {
    set_copy(line, false);
  }
  return {without(request.sectors, written.readable), false, invalidates};
}

FunctionalResult LineStore::access_functionally(const FunctionalRequest& request) {
  const LineNumber line = line_in_tags(request.slice_line, request.is_copy);
  const bool reads = request.kind == Kind::kRead || request.kind == Kind::kFarRead;
  if (!reads && request.is_copy) {
    if (request.kind != Kind::kWrite) {
      invalidate(line, request.sectors);
    }
    return {request.sectors, true};
  }
  const FunctionalResult result = reads ? read_functionally(request) : write_functionally(request);
  keep_by_window(request.address, line);
  return result;
}

}  // namespace gpusim::mem::l2
