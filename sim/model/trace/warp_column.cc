// SPDX-License-Identifier: MIT
#include "sim/model/trace/warp_column.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace gpusim::trace {

WarpColumn::WarpColumn(const Frame& frame, Kind kind)
    : frame_(frame), origin_(cta_at(frame.first, frame.grid)), knows_row_(frame.warps), row_(frame.warps) {
  knows_coefficient_.fill(kind == Kind::kIds);
}

WarpColumn::WarpColumn(const Frame& frame, const Coefficients& coefficients, std::vector<std::uint64_t> row)
    : frame_(frame), origin_(cta_at(frame.first, frame.grid)), coefficients_(coefficients), row_(std::move(row)) {}

WarpColumn::WarpColumn(const Frame& frame, std::vector<std::uint64_t> table)
    : frame_(frame),
      origin_(cta_at(frame.first, frame.grid)),
      is_expression_(false),
      end_(table.size() / frame.warps),
      table_(std::move(table)) {}

WarpColumn::Distance WarpColumn::distance_to(std::uint64_t cta) const {
  const CtaId place = cta_at(cta, frame_.grid);
  return {std::int64_t{place.x} - origin_.x, std::int64_t{place.y} - origin_.y, std::int64_t{place.z} - origin_.z};
}

std::uint64_t WarpColumn::expected(const Distance& distance, std::uint32_t warp) const {
  std::uint64_t value = row_[warp];
  for (std::size_t d = 0; d < distance.size(); ++d) {
    value += coefficients_[d] * static_cast<std::uint64_t>(distance[d]);
  }
  return value;
}

std::uint64_t WarpColumn::at(std::uint64_t cta, std::uint32_t warp) const {
  if (is_expression_) {
    return expected(distance_to(cta), warp);
  }
  return table_[(cta - frame_.first) * frame_.warps + warp];
}

/// Chooses the coefficient so that the expression gives `value`, if a whole number does.
bool WarpColumn::solve(std::size_t dimension, const Distance& distance, std::uint32_t warp, std::uint64_t value) {
  // By magnitudes: the least number has no positive counterpart.
  const std::uint64_t more = value - expected(distance, warp);
  const bool is_negative = static_cast<std::int64_t>(more) < 0;
  const std::uint64_t magnitude = is_negative ? 0 - more : more;
  const auto steps = static_cast<std::uint64_t>(std::abs(distance[dimension]));
  if (magnitude % steps != 0) {
    return false;
  }
  const bool falls = is_negative != (distance[dimension] < 0);
  coefficients_[dimension] = falls ? 0 - magnitude / steps : magnitude / steps;
  knows_coefficient_[dimension] = true;
  return true;
}

/// Whether the expression says `value`, or can be made to by settling the one thing that is still open. Warps mostly
/// come in order, so that one thing is new at a time: a warp, then x, then y, then z.
bool WarpColumn::agrees(const Distance& distance, std::uint32_t warp, std::uint64_t value) {
  std::size_t open = distance.size();
  for (std::size_t d = 0; d < distance.size(); ++d) {
    if (distance[d] != 0 && !knows_coefficient_[d]) {
      if (open != distance.size()) {
        return false;
      }
      open = d;
    }
  }
  if (open != distance.size()) {
    return knows_row_[warp] && solve(open, distance, warp, value);
  }
  if (!knows_row_[warp]) {
    row_[warp] += value - expected(distance, warp);
    knows_row_[warp] = true;
  }
  return expected(distance, warp) == value;
}

/// Entries that are never set keep what the expression would have said, which costs least to store.
void WarpColumn::append_expected(std::uint64_t ctas) {
  const std::uint64_t had = table_.size() / frame_.warps;
  for (std::uint64_t cta = had; cta < ctas; ++cta) {
    const Distance distance = distance_to(frame_.first + cta);
    for (std::uint32_t warp = 0; warp < frame_.warps; ++warp) {
      table_.push_back(expected(distance, warp));
    }
  }
}

void WarpColumn::extend(std::uint64_t ctas) {
  if (!is_expression_) {
    append_expected(ctas);
  }
}

void WarpColumn::set(std::uint64_t cta, std::uint32_t warp, std::uint64_t value) {
  const std::uint64_t number = cta - frame_.first;
  if (is_expression_) {
    if (agrees(distance_to(cta), warp, value)) {
      end_ = std::max(end_, number + 1);
      return;
    }
    is_expression_ = false;
    append_expected(end_);
  }
  append_expected(number + 1);
  table_[number * frame_.warps + warp] = value;
}

}  // namespace gpusim::trace
