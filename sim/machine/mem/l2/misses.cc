// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/misses.h"

#include <algorithm>

#include "sim/machine/mem/l2/dram_side.h"
#include "sim/machine/mem/l2/line_store.h"
#include "sim/machine/mem/l2/mirror_link.h"
#include "sim/machine/mem/l2/sectors.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/model/arch/l2_config.h"

namespace gpusim::mem::l2 {

Misses::Misses(const Around& around, std::uint16_t local)
    : around_(around), local_(local), home_(around.config.mshrs), copies_(around.config.mshrs) {}

Need Misses::await(const Access& access, std::uint8_t missing, LineStore& lines, MirrorLink& mirror, Cycle now) {
  Table& table = access.is_home ? home_ : copies_;
  Table::Entry entry = table.find(access.line);
  std::uint8_t fresh = missing;
  if (entry != Table::kNone) {
    fresh = table.add_target(entry, missing, access.message);
  } else {
    if (!table.can_allocate()) {
      return access.is_home ? Need::kHomeMshr : Need::kCopyMshr;
    }
    if (!lines.has_write_place()) {
      return Need::kWritePlace;
    }
    entry = table.allocate(access.line, missing);
    table.add_target(entry, missing, access.message);
  }
  counters_.mshr_merges += msg::sector_count(without(missing, fresh));
  if (fresh == 0) {
    return Need::kNothing;
  }
  if (!access.is_home) {
    mirror.read(access.message, {access.line, entry, local_, fresh}, now);
    return Need::kNothing;
  }
  const std::uint8_t beside = sectors_beside(access, entry, fresh, lines);
  table.expect(entry, beside);
  counters_.beside_sectors += msg::sector_count(beside);
  read_dram(access, {access.line, entry, local_, static_cast<std::uint8_t>(fresh | beside)}, now);
  return Need::kNothing;
}

/// What is read from DRAM with missing sectors: the others of their piece that are neither there nor on their way.
std::uint8_t Misses::sectors_beside(const Access& access, Table::Entry entry, std::uint8_t fresh,
                                    LineStore& lines) const {
  const std::uint32_t asked = access.message.as<msg::L2Access>().fetch_sectors * kSectorBytes;
  const std::uint8_t beside = without(widened(fresh, std::max(around_.config.fill_bytes, asked)), fresh);
  return beside == 0 ? beside : lines.missing(access.line, without(beside, home_.outstanding(entry)));
}

void Misses::read_dram(const Access& access, const Fetch& fetch, Cycle now) {
  counters_.dram_read_sectors += msg::sector_count(fetch.sectors);
  around_.dram.read(around_.map.channel_line(access.message.as<msg::L2Access>().address), fetch, now);
}

}  // namespace gpusim::mem::l2
