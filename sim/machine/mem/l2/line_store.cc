// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/line_store.h"

#include <algorithm>

#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/mem/l2/dram_side.h"
#include "sim/machine/mem/map/address_map.h"
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

LineStore::LineStore(const Around& around, std::uint16_t local, std::uint32_t global, bool has_check_bits)
    : around_(around),
      local_(local),
      global_(global),
      tags_(TagArray::of_bytes(around.config.bytes / around.config.slices, around.config.ways, global,
                               around.config.replacement)),
      most_dirty_(std::max(around.config.ways * around.config.dirty_percent / kHundred, 1U)),
      reads_before_part_(has_check_bits) {}

std::uint8_t LineStore::missing(LineNumber line, std::uint8_t sectors) {
  const LineState found = tags_.use(line);
  return without(sectors, static_cast<SectorMask>(found.valid & ~found.user));
}

bool LineStore::has_write_place() const {
  return around_.dram.has_write_place(local_);
}

bool LineStore::takes_write(LineNumber line) const {
  if (has_write_place()) {
    return true;
  }
  const LineState state = tags_.probe(line);
  return state.dirty != 0 || (state.present() && most_dirty_ == tags_.ways());
}

void LineStore::fill(LineNumber line, std::uint8_t sectors, Cycle now) {
  const TagArray::Entered entered = tags_.enter(line, sectors, 0);
  latest_ = {line, entered.way};
  entered.way->set_user(static_cast<UserBits>(entered.way->user() & ~sectors));
  write_back_if_dirty(entered.evicted(), counters_.evicted_dirty_sectors, now);
}

LineStore::Written LineStore::enter_written(LineNumber line, SectorMask sectors, Coverage covered) {
  const TagArray::Entered entered = tags_.enter(line, sectors, sectors);
  latest_ = {line, entered.way};
  const UserBits before = entered.way->user();
  const auto readable = static_cast<SectorMask>(entered.valid_before & ~before);
  const auto in_part = static_cast<SectorMask>(sectors & ~covered.full & ~readable);
  const SectorMask partial = in_part == 0 ? 0 : count_parts(*entered.way, in_part, covered.parts);
  entered.way->set_user(static_cast<UserBits>((before & ~sectors) | partial));
  Written written{entered.evicted(), {}, (before & kHasCopy) != 0, readable};
  if (entered.dirty_before == 0 && most_dirty_ < tags_.ways()) {
    written.cleaned = tags_.limit_dirty(line, most_dirty_);
    complete(written.cleaned);
  }
  return written;
}

/// A line that becomes clean and stays: where the rest of its partial sectors is read, they are whole from then on.
void LineStore::complete(const LineState& cleaned) {
  if (reads_before_part_ && (cleaned.dirty & cleaned.user) != 0) [[unlikely]] {
    tags_.find(cleaned.line)->set_user(static_cast<UserBits>(cleaned.user & ~cleaned.dirty));
  }
}

/// Which of the sectors that are written in part, and were not readable before, still are partial.
[[gnu::noinline]] SectorMask LineStore::count_parts(const TagArray::Way& way, SectorMask written,
                                                    msg::WriteParts parts) {
  constexpr std::uint32_t kPairs = kSectorBytes / 2;
  if (pairs_.empty()) {
    pairs_.resize(tags_.place_count());
  }
  auto& pairs = pairs_[tags_.place_of(&way)];
  for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
    const auto bit = static_cast<SectorMask>(1U << s);
    if ((written & bit) != 0) {
      const std::uint32_t covered = ((way.user() & bit) != 0 ? pairs[s] : 0U) + parts.pairs_of(s);
      pairs[s] = static_cast<std::uint8_t>(std::min(covered, kPairs));
      written = static_cast<SectorMask>(covered >= kPairs ? written & ~bit : written);
    }
  }
  return written;
}

bool LineStore::write(const msg::Message& message, LineNumber line, Coverage covered, Cycle now) {
  const Written written = enter_written(line, message.sectors, covered);
  write_back_if_dirty(written.evicted, counters_.evicted_dirty_sectors, now);
  write_back_if_dirty(written.cleaned, counters_.cleaned_sectors, now);
  return written.has_copy;
}

void LineStore::set_copy(LineNumber line, bool has_copy) {
  if (TagArray::Way* const way = line == latest_.line ? latest_.way : tags_.find(line); way != nullptr) {
    way->set_user(static_cast<UserBits>(has_copy ? way->user() | kHasCopy : way->user() & ~kHasCopy));
  }
}

void LineStore::invalidate(LineNumber line, std::uint8_t sectors) {
  if (TagArray::Way* const way = tags_.find(line); way != nullptr) {
    way->set_user(static_cast<UserBits>(way->user() & ~sectors));
    latest_ = {};
    tags_.invalidate(line, sectors);
  }
}

void LineStore::age(const msg::Message& message, LineNumber line) {
  if (message.as<msg::L2Access>().leaves_soon != 0) {
    tags_.set_eviction(line, Eviction::kFirst);
  } else {
    keep_by_window(message.as<msg::L2Access>().address, line);
  }
}

void LineStore::keep_by_window(Address address, LineNumber line) {
  if (around_.window.holds(address)) [[unlikely]] {
    leave_by_window(address, line);
  }
}

[[gnu::noinline]] void LineStore::leave_by_window(Address address, LineNumber line) {
  switch (around_.window.of(address)) {
    case Eviction::kFirst: tags_.set_eviction(line, Eviction::kFirst); break;
    case Eviction::kLast: tags_.keep(line, around_.window.persisting_ways); break;
    case Eviction::kNormal: break;
  }
}

void LineStore::clear() {
  latest_ = {};
  tags_.clear();
}

[[gnu::noinline]] void LineStore::write_back(const LineState& line, std::uint64_t& sectors, Cycle now) {
  sectors += msg::sector_count(line.dirty);
  counters_.dram_write_sectors += msg::sector_count(line.dirty);
  const map::ChannelLine place = around_.map.channel_line(around_.map.address_in_slice(global_, line.line));
  const auto partial = static_cast<SectorMask>(reads_before_part_ ? line.dirty & line.user : 0);
  counters_.completed_sectors += msg::sector_count(partial);
  around_.dram.write({place, local_, line.dirty}, partial, now);
}

}  // namespace gpusim::mem::l2
