// SPDX-License-Identifier: MIT
// Local memory in L1: a store stays there, dirty, until its line has to leave, and never waits for what the line held
// before. Loads are those of l1.cc.
#include <algorithm>

#include "sim/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

mem::cache::LineNumber number_of(const LineAccess& access) {
  return static_cast<Address>(access.line) / kLineBytes;
}

}  // namespace

bool MemoryUnit::execute_local_store(const Access& access, Cycle now) {
  for (; lines_done_ < access.global.line_count; ++lines_done_) {
    if (!port_.has_room(1)) {
      return false;  // for the line that may have to leave
    }
    store_local_line(access, access.global.lines[lines_done_]);
  }
  release_sources(access, now + store_read_cycles(*access.op));
  complete_operation(access, now + store_read_cycles(*access.op));
  return true;
}

void MemoryUnit::store_local_line(const Access& access, const LineAccess& line) {
  const std::uint32_t warp = access.origin.warp;
  const mem::cache::TagArray::Entered entered = tags_.enter(number_of(line), line.sectors, 0);
  if (entered.evicted.dirty != 0) {
    write_back(entered.evicted);
  }
  mem::cache::SectorMask full = line.full;
  if (frames_.is_of(*entered.user, warp)) {
    full |= LocalFrames::full_sectors(*entered.user);
  } else {
    drop_local(number_of(line), mem::cache::kAllSectors);  // of a warp that has left
  }
  local_counters_.store_sectors += msg::sector_count(line.sectors);
  local_counters_.store_hits += msg::sector_count(line.sectors & entered.valid_before);
  const mem::cache::LineState before = tags_.probe(number_of(line));
  local_counters_.dirtied_sectors += msg::sector_count(line.sectors & static_cast<std::uint8_t>(~before.dirty));
  tags_.mark_dirty(number_of(line), line.sectors);
  tags_.set_user(number_of(line), frames_.mark(warp, full));
}

/// A load that says that it is the last one (LDL.LU) spares what it has read from being written back.
void MemoryUnit::count_local_load(const Access& access, const LineAccess& line, std::uint8_t hits) {
  local_counters_.load_sectors += msg::sector_count(line.sectors);
  local_counters_.load_hits += msg::sector_count(hits);
  local_counters_.load_misses += msg::sector_count(line.sectors & static_cast<std::uint8_t>(~hits));
  if (access.op->eviction == Eviction::kFirst) {
    drop_local(number_of(line), hits & line.full);
  }
}

void MemoryUnit::drop_local(mem::cache::LineNumber line, mem::cache::SectorMask sectors) {
  local_counters_.dropped_sectors += msg::sector_count(tags_.clean(line, sectors));
}

/// What a line that leaves L1 takes with it. It goes into the queue to L2 even if that is full: who fills a line cannot
/// wait.
void MemoryUnit::write_back(const mem::cache::LineState& left) {
  if (!frames_.is_alive(left)) {
    local_counters_.dropped_sectors += msg::sector_count(left.dirty);
    return;
  }
  local_counters_.written_back_sectors += msg::sector_count(left.dirty);
  LineAccess line;
  line.line = static_cast<std::int64_t>(left.line * kLineBytes);
  line.sectors = left.dirty;
  line.full = left.dirty & LocalFrames::full_sectors(left.user);
  port_.push(make_request(msg::Kind::kWrite, line, kWriteBackToken));
}

stats::LocalCounters MemoryUnit::local_counters() const {
  stats::LocalCounters counters = local_counters_;
  if (frames_.any()) {
    // With the kernel all its warps are gone.
    tags_.for_each(
        [&counters](const mem::cache::LineState& line) { counters.dropped_sectors += msg::sector_count(line.dirty); });
  }
  return counters;
}

}  // namespace gpusim::sm
