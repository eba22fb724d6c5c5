// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/functional_access.h"

#include <algorithm>

#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/mem/l2/sectors.h"
#include "sim/machine/mem/l2/slice_tags.h"

namespace gpusim::mem::l2 {
namespace {

using msg::Kind;

/// With the sectors that the line's home reads from DRAM beside those that are missing.
FunctionalResult read(const FunctionalRequest& request, std::uint32_t fill_bytes, SliceTags& tags) {
  const cache::LineNumber line = line_in_tags(request.slice_line, request.is_copy);
  const bool by_mirror = request.kind == Kind::kFarRead;
  const std::uint8_t missed = tags.read_in(line, request.sectors, by_mirror);
  const std::uint32_t bytes = std::max(fill_bytes, request.fetch_sectors * kSectorBytes);
  const std::uint8_t beside = without(widened(missed, bytes), missed);
  if (beside != 0 && !request.is_copy) {
    static_cast<void>(tags.read_in(line, beside, by_mirror));
  }
  return {missed, request.is_copy};
}

FunctionalResult write(const FunctionalRequest& request, SliceTags& tags) {
  const cache::LineNumber line = line_in_tags(request.slice_line, false);
  const bool is_write = request.kind == Kind::kWrite || request.kind == Kind::kFarWrite;
  const SliceTags::Written written = tags.write(line, request.sectors, is_write ? request.full : request.sectors);
  const bool invalidates = written.has_copy && !is_from_mirror(request.kind);
  if (invalidates) {
    tags.set_copy(line, false);
  }
  return {without(request.sectors, written.readable), false, invalidates};
}

}  // namespace

FunctionalResult access_functionally(const FunctionalRequest& request, std::uint32_t fill_bytes,
                                     const AccessWindow& window, SliceTags& tags) {
  const cache::LineNumber line = line_in_tags(request.slice_line, request.is_copy);
  const bool reads = request.kind == Kind::kRead || request.kind == Kind::kFarRead;
  if (!reads && request.is_copy) {
    if (request.kind != Kind::kWrite) {
      tags.invalidate(line, request.sectors);
    }
    return {request.sectors, true};
  }
  const FunctionalResult result = reads ? read(request, fill_bytes, tags) : write(request, tags);
  window.apply(request.address, line, tags);
  return result;
}

}  // namespace gpusim::mem::l2
