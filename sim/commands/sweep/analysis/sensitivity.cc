// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/commands/sweep/analysis/findings.h"
#include "sim/commands/sweep/analysis/fit.h"

namespace gpusim::sweep {
namespace {

double as_percent(double log_error) {
  return 100 * (std::exp(log_error) - 1);
}

double log_of(const Group& group, std::size_t sample, std::size_t dimension) {
  return std::log(group.level_of(group.samples[sample], dimension).number->value);
}

std::vector<double> log_values(const Group& group, std::span<const std::size_t> samples) {
  std::vector<double> out;
  std::ranges::transform(samples, std::back_inserter(out),
                         [&](std::size_t i) { return std::log(group.samples[i].value); });
  return out;
}

double spread_of(const Group& group, std::span<const std::size_t> samples) {
  const auto [least, most] =
      std::ranges::minmax_element(samples, {}, [&](std::size_t i) { return group.samples[i].value; });
  return group.samples[*most].value / group.samples[*least].value;
}

void take(const std::optional<Coefficient>& coefficient, double residual, Evidence evidence, Sensitivity& out) {
  if (coefficient) {
    out.evidence = evidence;
    out.elasticity = coefficient->value;
    out.error = coefficient->error;
    out.fit_error_pct = as_percent(residual);
  }
}

/// Those at which all of the dimensions that are numbers are above zero: of a zero there is no logarithm.
std::vector<std::size_t> above_zero(const Group& group, std::vector<std::size_t> samples,
                                    std::span<const std::size_t> dimensions) {
  std::erase_if(samples, [&](std::size_t i) {
    return std::ranges::any_of(dimensions, [&](std::size_t d) {
      return group.dimensions[d].is_numeric && group.level_of(group.samples[i], d).number->value <= 0;
    });
  });
  return samples;
}

Sensitivity of_slice(const Group& group, const Slice& slice) {
  Sensitivity out{slice.dimension, Evidence::kSpread, slice.samples.size(), "", "", 0, std::nullopt, 0, 1};
  const auto text = [&](std::size_t i) { return group.level_of(group.samples[i], slice.dimension).text; };
  out.spread = spread_of(group, slice.samples);
  if (!group.dimensions[slice.dimension].is_numeric) {
    const auto [least, most] =
        std::ranges::minmax_element(slice.samples, {}, [&](std::size_t i) { return group.samples[i].value; });
    out.low = text(*least);
    out.high = text(*most);
    return out;
  }
  out.low = text(slice.samples.front());
  out.high = text(slice.samples.back());
  const std::vector<std::size_t> fitted = above_zero(group, slice.samples, std::array{slice.dimension});
  std::vector<std::vector<double>> x(1);
  for (const std::size_t i : fitted) {
    x[0].push_back(log_of(group, i, slice.dimension));
  }
  const Fit fit = fit_least_squares(x, log_values(group, fitted));
  take(fit.coefficients[0], fit.residual, Evidence::kSlice, out);
  return out;
}

/// The numbers of the combinations of those dimensions that are not numbers.
std::vector<std::size_t> word_blocks(const Group& group, std::span<const std::size_t> samples) {
  std::map<std::vector<std::size_t>, std::size_t> numbers;
  std::vector<std::size_t> out;
  for (const std::size_t i : samples) {
    const Sample& sample = group.samples[i];
    std::vector<std::size_t> words;
    for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
      if (!group.dimensions[d].is_numeric) {
        words.push_back(sample.level[d]);
      }
    }
    out.push_back(numbers.try_emplace(std::move(words), numbers.size()).first->second);
  }
  return out;
}

/// The sensitivities over all samples at once. Points with different words are not compared with each other.
std::vector<Sensitivity> of_all(const Group& group) {
  std::vector<std::size_t> all(group.samples.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::size_t> dimensions(group.dimensions.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  const std::vector<std::size_t> fitted = above_zero(group, all, dimensions);
  std::vector<Sensitivity> out;
  std::vector<std::vector<double>> columns;
  std::vector<std::size_t> column_of;
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    const Dimension& dimension = group.dimensions[d];
    out.push_back({d, Evidence::kNone, all.size(), dimension.levels.front().text, dimension.levels.back().text, 0,
                   std::nullopt, 0, spread_of(group, all)});
    if (dimension.is_numeric) {
      std::vector<double> column;
      std::ranges::transform(fitted, std::back_inserter(column), [&](std::size_t i) { return log_of(group, i, d); });
      columns.push_back(std::move(column));
      column_of.push_back(d);
    }
  }
  const Fit fit = fit_least_squares(columns, log_values(group, fitted), word_blocks(group, fitted));
  for (std::size_t i = 0; i < column_of.size(); ++i) {
    take(fit.coefficients[i], fit.residual, Evidence::kRegression, out[column_of[i]]);
  }
  return out;
}

/// By how much the metric moves: with one per cent of a number, or between the best and the worst word.
double weight(const Sensitivity& s) {
  return s.evidence == Evidence::kSpread ? s.spread - 1 : std::abs(s.elasticity);
}

}  // namespace

std::vector<Sensitivity> rank_sensitivities(const Group& group, std::size_t centre) {
  std::vector<Sensitivity> out;
  bool all_told = true;
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    const Slice slice = slice_through(group, d, centre);
    all_told = all_told && above_zero(group, slice.samples, std::array{d}).size() > 1;
    out.push_back(of_slice(group, slice));
  }
  if (!all_told) {
    out = of_all(group);
  }
  std::ranges::stable_sort(out, [&](const Sensitivity& a, const Sensitivity& b) {
    const auto rank = [&](const Sensitivity& s) {
      return std::tuple(group.dimensions[s.dimension].is_workload(), s.evidence == Evidence::kNone,
                        s.evidence == Evidence::kSpread, -weight(s));
    };
    return rank(a) < rank(b);
  });
  return out;
}

}  // namespace gpusim::sweep
