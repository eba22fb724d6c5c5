// SPDX-License-Identifier: MIT
#include "sim/exec/check/shadow.h"

#include <algorithm>

namespace gpusim::exec {

void Shadow::restart() {
  std::ranges::fill(cells_, Cell{});
  split_.clear();
  readers_.resize(1);
  free_readers_.clear();
}

void Shadow::split(std::uint32_t word) {
  Cell& whole = cells_[word];
  std::array<Cell, kWord>& bytes = split_[word];
  for (Cell& byte : bytes) {
    byte = whole;
    byte.first_reader = 0;
    for (std::uint32_t i = whole.first_reader; i != 0; i = readers_[i].next) {
      add_reader(byte, Stamp(readers_[i].stamp));
    }
  }
  whole.is_split = true;
}

void Shadow::note(const Order& order, const Access& access, const Cell& cell, std::span<const Stamp*, kHazards> hazards,
                  const Stamp& uninitialised) const {
  const auto hazard = [&](Hazard kind) -> const Stamp*& { return hazards[static_cast<std::size_t>(kind)]; };
  const bool reads = access.kind != AccessKind::kWrite;
  const bool writes = access.kind != AccessKind::kRead;
  const bool is_atomic = reads && writes;
  if (reads && !cell.is_written) {
    hazard(Hazard::kUninitialised) = &uninitialised;
  }
  const bool is_same = cell.is_written && order.is_same(cell.write, access.stamp);
  const bool two_lanes = is_same && cell.write.lane != access.stamp.lane;
  if (cell.is_written && !(is_atomic && cell.is_atomic) &&
      (two_lanes || (!is_same && !order.is_before(cell.write, access.warp, access.stamp.lane)))) {
    hazard(reads ? Hazard::kReadAfterWrite : Hazard::kWriteAfterWrite) = &cell.write;
  }
  for (std::uint32_t i = writes ? cell.first_reader : 0; i != 0; i = readers_[i].next) {
    const Stamp& reader = readers_[i].stamp;
    if (!order.is_same(reader, access.stamp) && !order.is_before(reader, access.warp, access.stamp.lane)) {
      hazard(Hazard::kWriteAfterRead) = &reader;
    }
  }
}

void Shadow::update(const Order& order, const Access& access, Cell& cell) {
  if (access.kind == AccessKind::kRead) {
    // A read that follows another of its warp stands for both.
    for (std::uint32_t i = cell.first_reader; i != 0; i = readers_[i].next) {
      Stamp& reader = readers_[i].stamp;
      if (reader.who == access.stamp.who &&
          (order.is_same(reader, access.stamp) || order.is_before(reader, access.warp, access.stamp.lane))) {
        reader = access.stamp;
        return;
      }
    }
    add_reader(cell, access.stamp);
    return;
  }
  while (cell.first_reader != 0) {
    free_readers_.push_back(cell.first_reader);
    cell.first_reader = readers_[cell.first_reader].next;
  }
  cell.write = access.stamp;
  cell.is_written = true;
  cell.is_atomic = access.kind != AccessKind::kWrite;
}

void Shadow::add_reader(Cell& cell, const Stamp& stamp) {
  std::uint32_t place = static_cast<std::uint32_t>(readers_.size());
  if (free_readers_.empty()) {
    readers_.emplace_back();
  } else {
    place = free_readers_.back();
    free_readers_.pop_back();
  }
  readers_[place] = {stamp, cell.first_reader};
  cell.first_reader = place;
}

}  // namespace gpusim::exec
