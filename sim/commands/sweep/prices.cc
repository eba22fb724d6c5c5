// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/prices.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "sim/base/letter_case.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/formula/quantity.h"

namespace gpusim::commands {
namespace {

constexpr const char* kForm = "write NAME=USD with commas between, for example --price h100=2.99,a100=1.49";

/// A file's name may have dots of its own: only what names a file loses its extension.
std::string name_of(const std::string& arch) {
  const std::filesystem::path path(arch);
  return path.extension() == ".yaml" ? path.stem().string() : path.filename().string();
}

/// Under which a price is kept: an architecture is found in capitals of any kind.
std::string key_of(const std::string& arch) {
  return in_lower_case(name_of(arch));
}

[[noreturn]] void refuse(const std::string& part, const std::string& why) {
  throw UsageError("--price: '" + clipped(printable(part), 60) + "' " + why + "; " + kForm);
}

}  // namespace

Prices::Prices(const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string part(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      refuse(part, "has no price");
    }
    const std::string price = part.substr(equals + 1);
    const std::optional<sweep::Quantity> number = sweep::parse_quantity(price);
    if (!number || number->unit != nullptr || !(number->value > 0)) {
      refuse(part, "has a price that is not a number above 0");
    }
    const std::string name = part.substr(0, equals);
    if (!by_name_.emplace(key_of(name), Price{name_of(name), price}).second) {
      refuse(part, "is given twice");
    }
  }
}

std::optional<std::string> Prices::of(const std::string& arch) const {
  const auto found = by_name_.find(key_of(arch));
  return found == by_name_.end() ? std::nullopt : std::optional(found->second.usd);
}

void Prices::require_gpus(std::span<const sweep::PointRow> rows) const {
  std::vector<std::string> names;
  std::ranges::transform(rows, std::back_inserter(names), [](const sweep::PointRow& row) { return name_of(row.arch); });
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const auto& [key, price] : by_name_) {
    if (std::ranges::find(names, key, &key_of) == names.end()) {
      throw InputError({{"--price", 0, 0},
                        "no point has the architecture '" + printable(clipped(price.name, 60)) + "'",
                        suggestion(price.name, known)});
    }
  }
}

std::string cost_of(const std::string& given, const std::string& of_study, const Prices& prices) {
  if (given.empty()) {
    return prices.empty() ? of_study : kPriceKey;
  }
  if (!prices.empty() && given.find(kPriceKey) == std::string::npos) {
    throw UsageError("--price does not go with --cost '" + clipped(printable(given), 60) + "', which has no " +
                     kPriceKey);
  }
  return given;
}

}  // namespace gpusim::commands
