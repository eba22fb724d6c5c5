// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/line_store.h"

#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/mem/l2/dram_side.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/model/arch/l2_config.h"

namespace gpusim::mem::l2 {

LineStore::LineStore(const Around& around, std::uint16_t local, std::uint32_t global)
    : around_(around), local_(local), global_(global), tags_(around.config, global) {}

bool LineStore::has_write_place() const {
  return around_.dram.waiting_writes(local_) < around_.config.queue_entries;
}

void LineStore::fill(cache::LineNumber line, std::uint8_t sectors, Cycle now) {
  write_back_if_dirty(tags_.fill(line, sectors), counters_.evicted_dirty_sectors, now);
}

bool LineStore::write(const msg::Message& message, cache::LineNumber line, std::uint8_t full, Cycle now) {
  const SliceTags::Written written = tags_.write(line, message.sectors, full);
  write_back_if_dirty(written.evicted, counters_.evicted_dirty_sectors, now);
  write_back_if_dirty(written.cleaned, counters_.cleaned_sectors, now);
  return written.has_copy;
}

void LineStore::age(const msg::Message& message, cache::LineNumber line) {
  if (message.as<msg::L2Access>().leaves_soon != 0) {
    tags_.age(line);
  } else {
    keep_by_window(message, line);
  }
}

void LineStore::keep_by_window(const msg::Message& message, cache::LineNumber line) {
  around_.window.apply(message.as<msg::L2Access>().address, line, tags_);
}

FunctionalResult LineStore::access_functionally(const FunctionalRequest& request) {
  return l2::access_functionally(request, around_.config.fill_bytes, around_.window, tags_);
}

[[gnu::noinline]] void LineStore::write_back(const cache::LineState& line, std::uint64_t& sectors, Cycle now) {
  sectors += msg::sector_count(line.dirty);
  counters_.dram_write_sectors += msg::sector_count(line.dirty);
  const map::ChannelLine place = around_.map.channel_line(around_.map.address_in_slice(global_, line.line));
  around_.dram.write(place, local_, line.dirty, now);
}

}  // namespace gpusim::mem::l2
