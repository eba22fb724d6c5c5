// SPDX-License-Identifier: MIT
#include "sim/commands/roofline/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/values.h"

namespace gpusim::commands {
namespace {

struct QuantityUnit {
  std::string_view word;
  double factor;
};

constexpr std::array<QuantityUnit, 14> kFlopUnits{{{"FLOP", 1},
                                                   {"kFLOP", 1e3},
                                                   {"MFLOP", 1e6},
                                                   {"GFLOP", 1e9},
                                                   {"TFLOP", 1e12},
                                                   {"PFLOP", 1e15},
                                                   {"EFLOP", 1e18},
                                                   {"OP", 1},
                                                   {"kOP", 1e3},
                                                   {"MOP", 1e6},
                                                   {"GOP", 1e9},
                                                   {"TOP", 1e12},
                                                   {"POP", 1e15},
                                                   {"EOP", 1e18}}};
constexpr std::array<QuantityUnit, 11> kByteUnits{{{"B", 1},
                                                   {"kB", 1e3},
                                                   {"MB", 1e6},
                                                   {"GB", 1e9},
                                                   {"TB", 1e12},
                                                   {"PB", 1e15},
                                                   {"KiB", 0x1p10},
                                                   {"MiB", 0x1p20},
                                                   {"GiB", 0x1p30},
                                                   {"TiB", 0x1p40},
                                                   {"PiB", 0x1p50}}};
/// Beyond what any machine does or moves in a lifetime.
constexpr double kMostQuantity = 1e30;

double parse_quantity(std::string_view option, std::string_view text, std::span<const QuantityUnit> units,
                      const char* example) {
  const auto refuse = [&](const std::string& why) {
    return UsageError(std::string(option) + ": " + cli::in_quotes(text) + why + ", for example " + example);
  };
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value)) {
    throw refuse(" is not a number with or without a unit");
  }
  std::string_view word(rest, static_cast<std::size_t>(end - rest));
  word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
  const auto unit = std::ranges::find(units, word.empty() ? units.front().word : word, &QuantityUnit::word);
  if (unit == units.end()) {
    std::vector<std::string_view> known;
    for (const QuantityUnit& u : units) {
      known.push_back(u.word);
    }
    throw UsageError(std::string(option) + ": " + cli::in_quotes(text) + " has an unknown unit " +
                     cli::in_quotes(word) + " (" + suggestion(word, known) + ")");
  }
  value *= unit->factor;
  if (value < 1 || value > kMostQuantity) {
    throw refuse(" is out of range (allowed: 1 to 1e30)");
  }
  return value;
}

}  // namespace

std::string option_name(const roofline::ShapeField& field) {
  std::string name = "--" + std::string(field.name);
  std::ranges::replace(name, '_', '-');
  return name;
}

double parse_flops(std::string_view option, std::string_view text) {
  return parse_quantity(option, text, kFlopUnits, "'2.2 TFLOP' or 1.5e12");
}

double parse_bytes(std::string_view option, std::string_view text) {
  return parse_quantity(option, text, kByteUnits, "'64 MiB', '412 MB' or 4e8");
}

}  // namespace gpusim::commands
