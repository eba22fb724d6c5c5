// SPDX-License-Identifier: MIT
// The operands of instructions for mbarriers and the TMA, evaluated and checked when a warp gets there.
#include <algorithm>
#include <bit>

#include "sim/base/problem.h"
#include "sim/model/trace/program_sources.h"

namespace gpusim::trace {
AsyncOperands ProgramSources::async_operands() {
  const std::uint32_t index = program_->ops[at_].async;
  if (index == kNone) {
    return {};
  }
  const AsyncSource& source = program_->asyncs[index];
  AsyncOperands operands;
  operands.action = source.action;
  if (source.barriers != kNone) {
    operands.barrier = barrier_of(source);
  }
  operands.parity = (uniform_value(source.parity) & 1) != 0;
  const std::int64_t count = uniform_value(source.count);
  const std::int64_t bytes = uniform_value(source.bytes);
  check_counts(source, count, bytes);
  operands.count = static_cast<std::uint32_t>(count);
  operands.bytes = static_cast<std::uint64_t>(bytes);
  if (!is_copy(source.action)) {
    return operands;
  }
  operands.multicast = source.is_multicast ? ranks_of(source) : std::uint16_t{0};
  if (source.map != kNone) {
    operands.map = &program_->tensor_maps[source.map];
    operands.bytes = operands.map->box_bytes();
    for (std::uint32_t d = 0; d < operands.map->rank; ++d) {
      operands.at[d] = uniform_value(source.at[d]);
    }
  } else {
    if (operands.bytes == 0 || operands.bytes % kBulkUnit != 0) {
      fail_async(source, "a bulk copy of " + std::to_string(bytes) + " bytes", "expected a multiple of 16");
    }
    operands.global = checked_bytes(source, source.global_buffer, uniform_value(source.global), operands.bytes);
  }
  if (source.shared_buffer != kNone) {
    (void)checked_bytes(source, source.shared_buffer, uniform_value(source.shared), operands.bytes);
  }
  return operands;
}

/// All lanes of an instruction together must not exceed what an mbarrier counts.
void ProgramSources::check_counts(const AsyncSource& source, std::int64_t count, std::int64_t bytes) const {
  const std::int64_t lanes = is_copy(source.action) ? 1 : std::max(1, std::popcount(mask_));
  const std::int64_t least = source.action == AsyncAction::kInitialise ? 1 : 0;
  if (count < least || count > kMostMbarrierCount / lanes) {
    fail_async(source, std::to_string(count) + " arrivals", "an mbarrier counts 1 to 1048575");
  }
  if (bytes < 0 || bytes > kMostMbarrierCount / lanes) {
    fail_async(source, std::to_string(bytes) + " bytes", "an mbarrier counts up to 1048575");
  }
}

/// The ranks that a copy to several CTAs of the cluster goes to, as a mask.
std::uint16_t ProgramSources::ranks_of(const AsyncSource& source) {
  const std::uint32_t ctas = std::min(program_->ctas_per_cluster, kMostMulticast);
  const std::int64_t mask = uniform_value(source.multicast);
  if (mask <= 0 || mask >= std::int64_t{1} << ctas) {
    fail_async(source, "a copy to the ranks of mask " + std::to_string(mask),
               "the mask has a bit for each of the ranks 0 to " + std::to_string(ctas - 1) + ", and one at least");
  }
  return static_cast<std::uint16_t>(mask);
}

std::uint32_t ProgramSources::barrier_of(const AsyncSource& source) {
  const MbarrierArray& array = program_->mbarriers[source.barriers];
  const std::int64_t index = uniform_value(source.barrier);
  if (index < 0 || index >= array.count) {
    fail_async(source, "index " + std::to_string(index) + " is outside mbarrier '" + array.name + "'",
               "it has " + std::to_string(array.count));
  }
  return array.first + static_cast<std::uint32_t>(index);
}

Address ProgramSources::checked_bytes(const AsyncSource& source, std::uint32_t buffer, std::int64_t address,
                                      std::uint64_t bytes) const {
  const Buffer& region = program_->buffers[buffer];
  const Address offset = static_cast<Address>(address) - region.base;
  if (offset > region.bytes || bytes > region.bytes - offset) {
    fail_async(source,
               "a copy of " + std::to_string(bytes) + " bytes from byte " +
                   std::to_string(static_cast<std::int64_t>(offset)) + " of '" + region.name +
                   "' on is outside the buffer",
               "'" + region.name + "' has " + std::to_string(region.bytes) + " bytes");
  }
  if (static_cast<Address>(address) % kBulkUnit != 0) {
    fail_async(
        source,
        "a bulk copy begins at byte " + std::to_string(static_cast<std::int64_t>(offset)) + " of '" + region.name + "'",
        "expected a multiple of 16");
  }
  return static_cast<Address>(address);
}

void ProgramSources::fail_async(const AsyncSource& source, const std::string& message, const std::string& hint) const {
  throw InputError(
      Problem{{program_->file, source.place.line, source.place.column}, message + " " + place(any_lane()), hint});
}

}  // namespace gpusim::trace
