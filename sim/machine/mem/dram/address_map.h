// SPDX-License-Identifier: MIT
// Where a burst of a channel-local line lies, as `dram.mapping` says. As shipped, least significant first: the bursts
// of a line, bank group, column, bank, row. A line has one row to open, so random reads of whole lines are not bound by
// activates; a stream runs through all bank groups, a line each (CCDS, not CCDL, between bursts of different lines),
// and through a whole row before it needs another bank. Groups are rotated by a hash of the column and above, banks by
// a hash of the row, so that no power-of-two stride stays on one of them.
#pragma once

#include <bit>
#include <cstdint>
#include <variant>
#include <vector>

#include "sim/base/hash.h"
#include "sim/base/types.h"
#include "sim/model/arch/dram_config.h"
#include "sim/model/arch/dram_mapping.h"

namespace gpusim::mem::dram {

/// A bank (counting through a group before the next group) and the row in it.
struct Place {
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  friend constexpr bool operator==(const Place&, const Place&) = default;
};

/// Which bursts of a line move when `sectors` do. A burst is one, two or four sectors.
[[nodiscard]] constexpr std::uint32_t burst_mask(std::uint8_t sectors, std::uint32_t burst_bytes) {
  const std::uint32_t sectors_per_burst = burst_bytes / kSectorBytes;
  if (sectors_per_burst == 1) {
    return sectors;
  }
  std::uint32_t mask = 0;
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    mask |= (sectors >> sector & 1U) << (sector / sectors_per_burst);
  }
  return mask;
}

/// Bursts of check bits that move with a request of sectors of a line: one where they lie among the data, in the row of
/// the line. Kind: inferred, from what T4 and L4 reach of their peak: a stream of whole lines moves a quarter more.
[[nodiscard]] constexpr std::uint8_t check_bursts(const arch::DramConfig& config) {
  return config.ecc == arch::DramEcc::kInline ? 1 : 0;
}

class AddressMap {
 public:
  /// Consecutive bytes of one bank group, a divisor of row_bytes. Kind: inferred.
  static constexpr std::uint32_t kBytesInGroup = kLineBytes;

  /// The mapping of `config` must be sound.
  explicit AddressMap(const arch::DramConfig& config) : bursts_(kBytesInGroup / config.burst_bytes) {
    const auto parsed = std::get<std::vector<arch::AddressField>>(arch::parse_mapping(config));
    rows_ = parsed.front().scale;
    for (auto field = parsed.rbegin(); field + 1 != parsed.rend(); ++field) {
      fields_.emplace_back(*field, config.banks_per_group);
    }
  }

  /// `burst` counts the bursts of the channel; any number of groups, columns and banks.
  [[nodiscard]] Place place(std::uint64_t burst) const {
    Place place;
    std::uint64_t above = bursts_.divide(burst).quotient;
    for (const AddressField& field : fields_) {
      const auto [quotient, remainder] = field.values.divide(above);
      above = quotient;
      const std::uint32_t value =
          field.hashed ? rotated(remainder, above, field.values.value()) : static_cast<std::uint32_t>(remainder);
      place.bank += value * field.banks;
      place.row += value * field.rows;
    }
    place.row += above * rows_;
    return place;
  }

 private:
  /// `index` of `count`, rotated by a hash of `key`: one to one for every key.
  [[nodiscard]] static std::uint32_t rotated(std::uint64_t index, std::uint64_t key, std::uint32_t count) {
    const auto sum = static_cast<std::uint32_t>(index) + scale_to(mix64(key), count);
    return sum < count ? sum : sum - count;
  }

  /// Division by a number known only at run time, as a shift where that is possible.
  class Divisor {
   public:
    struct Result {
      std::uint64_t quotient;
      std::uint64_t remainder;
    };
    explicit Divisor(std::uint32_t value)
        : value_(value), shift_(std::has_single_bit(value) ? std::countr_zero(value) : kNoShift) {}
    [[nodiscard]] std::uint32_t value() const { return value_; }
    [[nodiscard]] Result divide(std::uint64_t n) const {
      if (shift_ != kNoShift) {
        return {n >> shift_, n & (value_ - 1)};
      }
      return {n / value_, n % value_};
    }

   private:
    static constexpr int kNoShift = -1;
    std::uint32_t value_;
    int shift_;
  };

  /// One field of the mapping, and by how many banks and rows its values differ; a column has neither.
  struct AddressField {
    AddressField(const arch::AddressField& parsed, std::uint32_t banks_per_group)
        : values(static_cast<std::uint32_t>(parsed.size)), hashed(parsed.hashed) {
      using Field = arch::AddressField::Field;
      banks = parsed.field == Field::kBank    ? static_cast<std::uint32_t>(parsed.scale)
              : parsed.field == Field::kGroup ? static_cast<std::uint32_t>(parsed.scale) * banks_per_group
                                              : 0;
      rows = parsed.field == Field::kRow ? parsed.scale : 0;
    }
    Divisor values;
    bool hashed;
    std::uint32_t banks = 0;
    std::uint64_t rows = 0;
  };

  Divisor bursts_;
  std::vector<AddressField> fields_;  ///< the least significant first, all but the uppermost
  std::uint64_t rows_ = 1;            ///< by which that, of rows, counts
};

}  // namespace gpusim::mem::dram
