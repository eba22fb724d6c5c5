// SPDX-License-Identifier: MIT
// What an hour on each GPU costs, as the command line says it: --price h100=2.99,a100=1.49.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "sim/commands/sweep/store/point.h"

namespace gpusim::commands {

/// The key that prices are values of, and the cost where no other formula is given.
inline constexpr const char* kPriceKey = "price.usd_per_hour";

class Prices {
 public:
  /// `text`: NAME=USD with commas between; empty: no prices. Throws UsageError.
  explicit Prices(const std::string& text);

  [[nodiscard]] bool empty() const { return by_name_.empty(); }
  /// USD an hour, as written. Architectures are known by their names, without folder, extension and capitals.
  [[nodiscard]] std::optional<std::string> of(const std::string& arch) const;
  /// Throws InputError for a price of an architecture that no row is of.
  void require_gpus(std::span<const sweep::PointRow> rows) const;

 private:
  struct Price {
    std::string name;  ///< as the user gave it
    std::string usd;
  };
  std::map<std::string, Price> by_name_;  ///< by the name in small letters
};

/// The cost to reckon with: the formula given, else the price where there are prices, else the study's formula. Throws
/// UsageError for prices beside a given formula that does not use them.
[[nodiscard]] std::string cost_of(const std::string& given, const std::string& of_study, const Prices& prices);

}  // namespace gpusim::commands
