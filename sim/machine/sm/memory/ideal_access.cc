// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/ideal_access.h"

#include <algorithm>
#include <bit>

#include "sim/base/rounding.h"

namespace gpusim::sm {
namespace {

/// So many sectors of a line, those that are touched first.
std::uint8_t choose_sectors(std::uint8_t touched, std::uint32_t count) {
  std::uint32_t chosen = 0;
  for (const std::uint32_t from : {std::uint32_t{touched}, ~std::uint32_t{touched}}) {
    for (std::uint32_t s = 0; s < kSectorsPerLine && count > 0; ++s) {
      if ((from >> s & 1U) != 0) {
        chosen |= 1U << s;
        --count;
      }
    }
  }
  return static_cast<std::uint8_t>(chosen);
}

/// The line that an access begins with.
std::uint32_t first_choice(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                           std::uint32_t lines) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  const Address address = addresses.base + static_cast<Address>(addresses.offsets[lane]);
  return static_cast<std::uint32_t>(address % kLineBytes) / width.bytes_per_lane * lines;
}

}  // namespace

void coalesce_ideally(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
                      CoalescedAccess& access) {
  if (mask == 0 || width.bytes_per_lane == 0 || access.line_count == 0) {
    return;
  }
  const std::uint32_t sectors = access.ideal_sectors();
  const std::uint32_t lines = ceil_divide(sectors, kSectorsPerLine);
  if (access.wavefronts != 0) {
    access.wavefronts = std::min(access.wavefronts, ceil_divide(access.bytes, stage.bytes_per_cycle));
  }
  if (sectors == access.sectors && lines == access.line_count) {
    return;
  }
  LineAccess* const begin = access.lines.data();
  std::rotate(begin, begin + first_choice(addresses, mask, width, lines) % access.line_count,
              begin + access.line_count);
  std::uint32_t left = sectors;
  std::uint32_t whole = access.bytes / kSectorBytes;
  for (std::uint32_t i = 0; i < lines; ++i) {
    LineAccess& line = access.lines[i];
    const std::uint32_t taken = std::min(left, kSectorsPerLine);
    line.sectors = choose_sectors(line.sectors, taken);
    line.full = choose_sectors(line.sectors, std::min(whole, taken));
    line.pairs = 0;  // what is left of the bytes covers a part of one sector at most
    left -= taken;
    whole -= std::min(whole, taken);
  }
  access.line_count = lines;
  access.sectors = sectors;
}

}  // namespace gpusim::sm
