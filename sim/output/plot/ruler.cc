// SPDX-License-Identifier: MIT
#include "sim/output/plot/ruler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace gpusim::plot {
namespace {

/// Rounding errors of logarithms and quotients are far below this, and no two numbers on a page are closer.
constexpr double kTiny = 1e-9;
/// Values are brought within these, so that spans and powers stay finite.
constexpr double kLargest = 1e300;
constexpr double kMostDecades = 300;

bool even(Ticks ticks) {
  return ticks == Ticks::kEven || ticks == Ticks::kBinary;
}

/// The least round number (1, 2, 5 times a power of ten, or a power of two) that is not below `least`.
double round_step(double least, Ticks ticks) {
  if (even(ticks)) {
    return std::exp2(std::ceil(std::log2(least) - kTiny));
  }
  const double decade = std::pow(10.0, std::floor(std::log10(least) + kTiny));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= least * (1.0 - kTiny)) {
      return factor * decade;
    }
  }
  return 10.0 * decade;
}

/// Where the 1, 2 and 5 of each decade stand, as fractions of the decade.
const std::array<double, 4> kRoundLogs{0.0, std::log10(2.0), std::log10(5.0), 1.0};

double log_below(double log) {
  const double decade = std::floor(log + kTiny);
  const auto above = std::upper_bound(kRoundLogs.begin(), kRoundLogs.end(), log - decade + kTiny);
  return decade + *(above - 1);
}

double log_above(double log) {
  const double decade = std::floor(log + kTiny);
  return decade + *std::lower_bound(kRoundLogs.begin(), kRoundLogs.end(), log - decade - kTiny);
}

/// Decimal places that show multiples of `step` in full, at most 6.
int decimals_of(double step) {
  int decimals = 0;
  for (double scaled = step; decimals < 6 && std::fabs(scaled - std::round(scaled)) > 1e-6 * scaled; scaled *= 10.0) {
    ++decimals;
  }
  return decimals;
}

struct Prefix {
  double scale = 1;
  std::string_view text;
};

Prefix prefix_of(double magnitude, Ticks ticks) {
  static constexpr std::array<std::string_view, 7> kBinary{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  static constexpr std::array<std::string_view, 12> kSi{"f", "p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  constexpr std::size_t kSiOne = 5;
  const bool binary = ticks == Ticks::kBinary;
  if (ticks == Ticks::kPlain || ticks == Ticks::kEven || magnitude <= 0) {
    return {};
  }
  const double base = binary ? 1024.0 : 1000.0;
  const double least = binary ? 0 : -static_cast<double>(kSiOne);
  const double most = binary ? kBinary.size() - 1 : kSi.size() - 1 - kSiOne;
  const double power = std::clamp(std::floor(std::log2(magnitude) / std::log2(base) + kTiny), least, most);
  const auto index = static_cast<std::size_t>(power - least);
  return {std::pow(base, power), binary ? kBinary[index] : kSi[index]};
}

}  // namespace

std::string tick_text(double value, double step, double largest, Ticks ticks) {
  const Prefix prefix = prefix_of(std::fabs(largest), ticks);
  const double scaled = value / prefix.scale;
  const double scaled_step = std::fabs(step / prefix.scale);
  if (std::fabs(scaled) < scaled_step * kTiny) {
    return "0";
  }
  const bool long_number = std::fabs(scaled) >= 1e6 || scaled_step < 1e-4;
  return (long_number ? fmt::format("{:.4g}", scaled) : fmt::format("{:.{}f}", scaled, decimals_of(scaled_step))) +
         std::string(prefix.text);
}

Ruler::Ruler(const Axis& axis, std::span<const double> values, std::size_t most_ticks) : axis_(axis) {
  settle_range(values);
  const std::size_t most = std::max<std::size_t>(most_ticks, 2);
  if (axis_.scale == Scale::kLinear) {
    // An end that nobody asked for moves outwards to a tick; two of the ticks are for that.
    const double step =
        round_step((high_ - low_) / static_cast<double>(std::max<std::size_t>(most, 3) - 2), axis_.ticks);
    low_ = axis_.low ? low_ : std::floor(low_ / step + kTiny) * step;
    high_ = axis_.high ? high_ : std::ceil(high_ / step - kTiny) * step;
    make_linear_ticks(most);
    return;
  }
  const bool decades = axis_.scale == Scale::kLog10;
  low_ = axis_.low ? low_ : (decades ? log_below(low_) : std::floor(low_ + kTiny));
  high_ = axis_.high ? high_ : (decades ? log_above(high_) : std::ceil(high_ - kTiny));
  make_log_ticks(most);
  if (ticks_.size() < 2) {
    ticks_.clear();
    make_linear_ticks(most);
  }
}

std::optional<double> Ruler::stretched(double value) const {
  if (!std::isfinite(value) || (axis_.scale != Scale::kLinear && value <= 0)) {
    return std::nullopt;
  }
  switch (axis_.scale) {
    case Scale::kLog2: return std::clamp(std::log2(value), -kMostDecades, kMostDecades);
    case Scale::kLog10: return std::clamp(std::log10(value), -kMostDecades, kMostDecades);
    default: return std::clamp(value, -kLargest, kLargest);
  }
}

std::optional<double> Ruler::position(double value) const {
  const std::optional<double> at = stretched(value);
  return at ? std::optional(*at / (high_ - low_) - low_ / (high_ - low_)) : std::nullopt;
}

void Ruler::settle_range(std::span<const double> values) {
  std::optional<double> least;
  std::optional<double> most;
  for (const double value : values) {
    if (const std::optional<double> at = stretched(value)) {
      least = std::min(least.value_or(*at), *at);
      most = std::max(most.value_or(*at), *at);
    }
  }
  const std::optional<double> low = axis_.low ? stretched(*axis_.low) : least;
  const std::optional<double> high = axis_.high ? stretched(*axis_.high) : most;
  low_ = low.value_or(high.value_or(0.0) - (high ? 1.0 : 0.0));
  high_ = high.value_or(low_ + 1.0);
  if (high_ < low_) {
    std::swap(low_, high_);
  }
  const double magnitude = std::max(std::fabs(low_), std::fabs(high_));
  if (high_ - low_ <= magnitude * kTiny || high_ - low_ < 1.0 / kLargest) {
    // One value only: room on both sides.
    const double room = axis_.scale == Scale::kLinear && magnitude > 1.0 / kLargest ? magnitude / 2.0 : 1.0;
    low_ -= room;
    high_ += room;
  }
}

void Ruler::make_linear_ticks(std::size_t most) {
  const auto value_at = [this](double at) {
    return axis_.scale == Scale::kLinear ? at : (axis_.scale == Scale::kLog2 ? std::exp2(at) : std::pow(10.0, at));
  };
  const double low = value_at(low_);
  const double high = value_at(high_);
  const double step =
      round_step(high / static_cast<double>(most - 1) - low / static_cast<double>(most - 1), axis_.ticks);
  const double first = std::ceil(low / step - kTiny);
  const double last = std::floor(high / step + kTiny);
  const double largest = std::max(std::fabs(first), std::fabs(last)) * step;
  for (double i = first; i <= last && ticks_.size() <= most; ++i) {
    if (const std::optional<double> at = position(i * step)) {
      ticks_.push_back({*at, tick_text(i * step, step, largest, axis_.ticks)});
    }
  }
}

void Ruler::make_log_ticks(std::size_t most) {
  const bool decades = axis_.scale == Scale::kLog10;
  const auto add = [&](double log) {
    if (log >= low_ - kTiny && log <= high_ + kTiny) {
      const double value = decades ? std::pow(10.0, log) : std::exp2(log);
      const double digit = decades ? std::pow(10.0, std::floor(log + kTiny)) : value;
      ticks_.push_back({(log - low_) / (high_ - low_), tick_text(value, digit, value, axis_.ticks)});
    }
  };
  const double room = static_cast<double>(most - 1);
  const double span = high_ - low_;
  if (decades && 3 * span <= room) {
    for (double decade = std::floor(low_); decade <= high_; ++decade) {
      std::for_each_n(kRoundLogs.begin(), 3, [&](double part) { add(decade + part); });
    }
    return;
  }
  const double step = std::max(1.0, std::ceil(span / room - kTiny));
  for (double log = std::ceil(low_ / step - kTiny) * step; log <= high_ + kTiny; log += step) {
    add(log);
  }
}

}  // namespace gpusim::plot
