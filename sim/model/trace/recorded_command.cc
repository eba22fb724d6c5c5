// SPDX-License-Identifier: MIT
#include "sim/model/trace/recorded_command.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "sim/base/address_space.h"
#include "sim/base/problem.h"
#include "sim/model/trace/box.h"

namespace gpusim::trace {
namespace {

constexpr std::uint64_t kMostLines = 0xffff;  ///< lines of a copy to several CTAs, as its messages count them

/// Where the numbers stand. The first is an address in global memory, which the others are less by when they are read.
enum Field : std::size_t { kGlobal, kAction, kBarrier, kParity, kCount, kBytes, kRanks, kBox, kRank, kFields };

/// What of a box lies in its tensor, as a box of its own from `begin` on.
TensorMap box_inside(const AsyncOperands& copy, Address& begin) {
  const TensorMap& map = *copy.map;
  TensorMap box;
  box.element_bytes = map.element_bytes;
  box.rank = map.rank;
  begin = map.base + copy.global;
  for (std::uint32_t d = 0; d < map.rank; ++d) {
    const BoxSpan span = span_in_tensor(copy.at[d], map.box[d], map.size[d]);
    if (span.first >= span.end) {
      begin = 0;
      box = {};
      box.size[0] = box.box[0] = 0;
      return box;
    }
    box.box[d] = static_cast<std::uint32_t>(span.end - span.first);
    box.size[d] = box.box[d];
    box.stride[d] = box.box[d] > 1 ? map.stride[d] : 0;
    begin += static_cast<Address>(span.first) * map.stride[d];
  }
  return box;
}

[[noreturn]] void fail(const CommandPlace& place, const std::string& what) {
  throw InputError(Problem{{},
                           "warp " + std::to_string(place.warp) + " of CTA " + std::to_string(place.cta) + " " + what,
                           "is the recording damaged?"});
}

/// The numbers of one row, checked as they are taken.
class RowReader {
 public:
  RowReader(const LaneAddresses& row, const CommandPlace& place) : row_(row), place_(place) {}

  std::uint64_t next(Field field, std::uint64_t most, const char* what) const {
    const auto number = static_cast<std::uint64_t>(row_.offsets[field]);
    if (number > most) {
      fail(place_, "asks for " + std::string(what) + " " + std::to_string(number));
    }
    return number;
  }

 private:
  const LaneAddresses& row_;
  const CommandPlace& place_;
};

/// At least as many lines as the copy touches.
std::uint64_t most_lines(const AsyncOperands& copy) {
  std::uint64_t rows = 1;
  std::uint64_t row_bytes = copy.bytes;
  if (copy.map != nullptr) {
    row_bytes = std::uint64_t{copy.map->box[0]} * copy.map->element_bytes;
    for (std::uint32_t d = 1; d < copy.map->rank; ++d) {
      rows *= copy.map->box[d];
    }
  }
  return rows * (row_bytes / kLineBytes + 2);
}

/// A move lies in shared memory, and signals an mbarrier.
void check_move(const AsyncOperands& copy, const CommandPlace& place) {
  constexpr Address kEnd = Address{1} << kRankBit;
  const bool is_aligned = copy.bytes % kBulkUnit == 0 && copy.global % kBulkUnit == 0;
  const bool fits = copy.global < kEnd && copy.bytes <= kEnd - copy.global;
  if (copy.map != nullptr || copy.multicast != 0 || copy.barrier == AsyncOperands::kNoBarrier || !is_aligned || !fits) {
    fail(place, "copies " + std::to_string(copy.bytes) + " bytes between shared memories to byte " +
                    std::to_string(copy.global));
  }
}

void check_memory(const AsyncOperands& copy, const CommandPlace& place) {
  if (is_move(copy.action)) {
    check_move(copy, place);
    return;
  }
  const bool fits = copy.map != nullptr ? lies_in_global(*copy.map, copy.global) : fits_global(copy.global, copy.bytes);
  if (!fits) {
    fail(place, "copies from or to " + address_text(copy.global) + ", beyond a GPU's addresses");
  }
  if (copy.multicast != 0 && (copy.bytes % kBulkUnit != 0 || most_lines(copy) > kMostLines)) {
    fail(place, "copies " + std::to_string(copy.bytes) + " bytes to several CTAs");
  }
}

}  // namespace

BoxShapes::Key BoxShapes::key_of(const TensorMap& box) {
  Key key{box.element_bytes, box.rank};
  for (std::uint32_t d = 0; d < box.rank; ++d) {
    key[2 + 2 * d] = box.box[d];
    key[3 + 2 * d] = box.stride[d];
  }
  return key;
}

std::uint32_t BoxShapes::number_of(const TensorMap& box) {
  const auto [known, is_new] = numbers_.try_emplace(key_of(box), static_cast<std::uint32_t>(boxes_.size()));
  if (is_new) {
    boxes_.push_back(box);
  }
  return known->second;
}

std::vector<TensorMap> BoxShapes::take() {
  numbers_.clear();
  return std::exchange(boxes_, {});
}

std::array<Address, kWarpLanes> command_row(const AsyncOperands& operands, std::uint32_t rank, BoxShapes& shapes) {
  Address global = operands.global;
  std::array<std::uint64_t, kFields> fields{};
  fields[kAction] = static_cast<std::uint64_t>(operands.action);
  fields[kBarrier] = operands.barrier == AsyncOperands::kNoBarrier ? 0 : std::uint64_t{operands.barrier} + 1;
  fields[kParity] = operands.parity ? 1 : 0;
  fields[kCount] = operands.count;
  fields[kBytes] = operands.bytes;
  fields[kRanks] = operands.multicast;
  fields[kBox] = operands.map == nullptr ? 0 : std::uint64_t{shapes.number_of(box_inside(operands, global))} + 1;
  fields[kRank] = rank;
  std::array<Address, kWarpLanes> row{};
  row.fill(global);
  for (std::size_t field = kAction; field < kFields; ++field) {
    row[field] += fields[field];
  }
  return row;
}

RecordedCommand command_in(const LaneAddresses& row, LaneMask mask, std::span<const TensorMap> boxes,
                           const CommandLimits& limits, const CommandPlace& place) {
  const RowReader reader(row, place);
  RecordedCommand command;
  AsyncOperands& operands = command.operands;
  operands.action =
      static_cast<AsyncAction>(reader.next(kAction, static_cast<std::uint64_t>(AsyncAction::kMoveReduce), "action"));
  if (operands.action == AsyncAction::kNone || operands.action == AsyncAction::kSignalStores) {
    operands.action = AsyncAction::kNone;
    return command;
  }
  const std::uint64_t lanes = is_copy(operands.action) ? 1 : std::max(1, std::popcount(mask));
  if (const auto barrier = static_cast<std::uint64_t>(row.offsets[kBarrier]); barrier > limits.mbarriers) {
    fail(place,
         "names mbarrier " + std::to_string(barrier - 1) + ", and a CTA has " + std::to_string(limits.mbarriers));
  } else if (barrier != 0) {
    operands.barrier = static_cast<std::uint32_t>(barrier - 1);
  } else if (!is_copy(operands.action)) {
    fail(place, "names no mbarrier");
  }
  operands.parity = reader.next(kParity, 1, "parity") != 0;
  const std::uint64_t most = std::uint64_t{kMostMbarrierCount} / lanes;
  operands.count = static_cast<std::uint32_t>(reader.next(kCount, most, "arrivals:"));
  operands.bytes = reader.next(kBytes, most, "bytes:");
  if (operands.action == AsyncAction::kInitialise && operands.count == 0) {
    fail(place, "initialises an mbarrier for no arrivals");
  }
  const std::uint64_t every_rank = (std::uint64_t{1} << std::min(limits.ctas, kMostMulticast)) - 1;
  operands.multicast = static_cast<std::uint16_t>(reader.next(kRanks, every_rank, "ranks of mask"));
  command.rank = checked_rank(static_cast<std::uint64_t>(row.offsets[kRank]), limits, place);
  if (is_copy(operands.action)) {
    operands.global = row.base;
    const std::uint64_t box = reader.next(kBox, boxes.size(), "box");
    operands.map = box == 0 ? nullptr : &boxes[box - 1];
    check_memory(operands, place);
  }
  return command;
}

std::uint32_t checked_rank(std::uint64_t rank, const CommandLimits& limits, const CommandPlace& place) {
  if (rank >= limits.ctas) {
    fail(place, "names rank " + std::to_string(rank) + " of a cluster of " + std::to_string(limits.ctas));
  }
  return static_cast<std::uint32_t>(rank);
}

bool lies_in_global(const TensorMap& box, Address begin) {
  if (box.box[0] == 0) {
    return true;
  }
  // Each term is below 2^32 times 2^49: none wraps around a 128-bit sum.
  __extension__ using Exact = unsigned __int128;
  Exact end = Exact{begin} + Exact{box.box[0]} * box.element_bytes;
  for (std::uint32_t d = 1; d < box.rank; ++d) {
    end += box.box[d] == 0 ? Exact{0} : Exact{box.box[d] - 1} * box.stride[d];
  }
  return end <= kGlobalEnd;
}

}  // namespace gpusim::trace
