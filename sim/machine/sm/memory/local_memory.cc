// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/local_memory.h"

#include "sim/machine/msg/message.h"

namespace gpusim::sm {
namespace {

using mem::cache::LineState;

mem::cache::LineNumber number_of(const LineAccess& access) {
  return static_cast<Address>(access.line) / kLineBytes;
}

std::uint8_t without(std::uint8_t sectors, std::uint8_t others) {
  return static_cast<std::uint8_t>(sectors & ~others);
}

}  // namespace

LineState LocalMemory::store(std::uint32_t warp, const LineAccess& line) {
  const mem::cache::LineNumber number = number_of(line);
  const mem::cache::TagArray::Entered entered = tags_.enter(number, line.sectors, 0);
  mem::cache::SectorMask full = line.full;
  if (frames_.is_of(entered.way->user(), warp)) {
    full |= LocalFrames::full_sectors(entered.way->user());
  } else {
    drop(number, mem::cache::kAllSectors);  // its warp has left
  }
  counters_.store_sectors += msg::sector_count(line.sectors);
  counters_.store_hits += msg::sector_count(line.sectors & entered.valid_before);
  counters_.dirtied_sectors += msg::sector_count(without(line.sectors, tags_.probe(number).dirty));
  tags_.mark_dirty(number, line.sectors);
  entered.way->set_user(frames_.mark(warp, full));
  return entered.evicted();
}

void LocalMemory::load(const LineAccess& line, std::uint8_t hits, bool is_last) {
  counters_.load_sectors += msg::sector_count(line.sectors);
  counters_.load_hits += msg::sector_count(hits);
  counters_.load_misses += msg::sector_count(without(line.sectors, hits));
  if (is_last) {
    drop(number_of(line), hits & line.full);
  }
}

void LocalMemory::count_fill(std::uint8_t sectors) {
  counters_.fill_sectors += msg::sector_count(sectors);
}

void LocalMemory::drop(mem::cache::LineNumber line, mem::cache::SectorMask sectors) {
  counters_.dropped_sectors += msg::sector_count(tags_.clean(line, sectors));
}

std::optional<LineAccess> LocalMemory::write_back(const LineState& left) {
  if (!frames_.is_alive(left)) {
    counters_.dropped_sectors += msg::sector_count(left.dirty);
    return std::nullopt;
  }
  counters_.written_back_sectors += msg::sector_count(left.dirty);
  LineAccess line;
  line.line = static_cast<std::int64_t>(left.line * kLineBytes);
  line.sectors = left.dirty;
  line.full = left.dirty & LocalFrames::full_sectors(left.user);
  return line;
}

stats::LocalCounters LocalMemory::counters() const {
  stats::LocalCounters counters = counters_;
  if (frames_.any()) {
    // With the kernel all its warps are gone.
    tags_.for_each([&counters](const LineState& line) { counters.dropped_sectors += msg::sector_count(line.dirty); });
  }
  return counters;
}

}  // namespace gpusim::sm
