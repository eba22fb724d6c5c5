// SPDX-License-Identifier: MIT
#include "sim/model/arch/dram_mapping.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/base/types.h"

namespace gpusim::arch {
namespace {

using MapField = AddressField::Field;
constexpr std::array<std::string_view, 4> kMappingFields{"row", "bank", "column", "group"};
constexpr std::string_view kMappingForm = "such as 'row bank^ column group^' or 'row column/8 bank group column'";

std::string name_of(MapField field) {
  return "'" + std::string(kMappingFields[static_cast<std::size_t>(field)]) + "'";
}

class MappingParser {
 public:
  explicit MappingParser(const DramConfig& dram)
      : dram_(dram), sizes_{0, dram.banks_per_group, dram.row_bytes / kLineBytes, dram.bank_groups} {}

  std::variant<std::vector<AddressField>, MappingProblem> parse() {
    std::string_view rest = dram_.mapping;
    while (!problem_ && (rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size())), !rest.empty())) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      take(word);
      rest.remove_prefix(word.size());
    }
    if (!problem_ && (fields_.empty() || fields_.front().field != MapField::kRow || fields_.front().size != 0)) {
      fail("must begin with 'row', to which all that is above the others goes", std::string(kMappingForm));
    }
    if (!problem_ && fields_.front().hashed) {
      fail("has 'row^' in front, where nothing is above that could turn it", "'row'");
    }
    for (const MapField field : {MapField::kRow, MapField::kBank, MapField::kColumn, MapField::kGroup}) {
      if (!problem_) {
        complete(field);
      }
    }
    if (problem_) {
      return *problem_;
    }
    return fields_;
  }

 private:
  void fail(std::string what, std::string hint) { problem_ = MappingProblem{std::move(what), std::move(hint)}; }

  /// "column/8^"
  void take(std::string_view word) {
    AddressField part;
    part.hashed = word.ends_with('^');
    const std::string_view sized = word.substr(0, word.size() - (part.hashed ? 1 : 0));
    const std::size_t slash = std::min(sized.find('/'), sized.size());
    const std::string_view name = sized.substr(0, slash);
    const auto* const found = std::ranges::find(kMappingFields, name);
    if (found == kMappingFields.end()) {
      fail("has '" + std::string(word) + "', which is none of row, bank, column, group",
           suggestion(name, kMappingFields));
      return;
    }
    part.field = static_cast<MapField>(found - kMappingFields.begin());
    if (slash < sized.size() && !take_size(sized.substr(slash + 1), part)) {
      fail("has '" + std::string(word) + "', which needs a whole number of values above 1", std::string(kMappingForm));
    }
    fields_.push_back(part);
    if (fields_.size() > kMostFields) {
      fail("has more than " + std::to_string(kMostFields) + " address fields", "say more with fewer");
    }
  }

  static bool take_size(std::string_view text, AddressField& part) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part.size);
    return error == std::errc{} && end == text.data() + text.size() && part.size > 1 && part.size <= kMostSize;
  }

  /// Every value of the field must have a line, and one only.
  void complete(MapField field) {
    const std::uint64_t all = sizes_[static_cast<std::size_t>(field)];
    AddressField* whole = nullptr;
    std::uint64_t given = 1;
    bool named = false;
    for (AddressField& part : fields_) {
      if (part.field != field) {
        continue;
      }
      named = true;
      if (part.size == 0 && whole != nullptr) {
        fail("is not one-to-one: it takes all of " + name_of(field) + " twice",
             "give all but one of them a number, '/N'");
        return;
      }
      whole = part.size == 0 ? &part : whole;
      given = times(given, part.size);
    }
    if (!named) {
      fail("is not one-to-one: lines that differ in " + name_of(field) + " would lie at one place",
           "add " + name_of(field));
    } else if (field != MapField::kRow) {
      share(field, all, given, whole);
    }
    if (!problem_) {
      count_scales(field);
    }
  }

  /// The part of a field that gives no number takes all values that `given` leaves.
  void share(MapField field, std::uint64_t all, std::uint64_t given, AddressField* whole) {
    if (given > all || all % given != 0 || (whole == nullptr && given != all)) {
      fail("is not one-to-one: its address fields of " + name_of(field) + " have " + std::to_string(given) +
               " values, and a channel " + std::to_string(all),
           whole == nullptr ? "they must have as many in all" : "they must divide them");
    } else if (whole != nullptr) {
      whole->size = all / given;
    }
  }

  /// The least significant part of a field counts its values one by one.
  void count_scales(MapField field) {
    std::uint64_t scale = 1;
    for (auto part = fields_.rbegin(); part != fields_.rend(); ++part) {
      if (part->field == field) {
        part->scale = scale;
        scale = times(scale, part->size);
      }
    }
  }

  static constexpr std::uint64_t kMostSize = 1U << 20U;
  static constexpr std::size_t kMostFields = 16;

  /// More than any memory has of anything stays as it is.
  static std::uint64_t times(std::uint64_t product, std::uint64_t size) {
    return std::min(product * std::max<std::uint64_t>(size, 1), std::uint64_t{1} << 40U);
  }

  const DramConfig& dram_;
  std::array<std::uint64_t, 4> sizes_;  ///< by MapField; of a row's fields nothing is known
  std::vector<AddressField> fields_;
  std::optional<MappingProblem> problem_;
};

}  // namespace

std::variant<std::vector<AddressField>, MappingProblem> parse_mapping(const DramConfig& dram) {
  return MappingParser(dram).parse();
}

}  // namespace gpusim::arch
