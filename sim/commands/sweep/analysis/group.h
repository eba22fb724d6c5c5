// SPDX-License-Identifier: MIT
// Points as numbers: what was varied, in levels, and one measure of how each point did.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/commands/sweep/formula/quantity.h"
#include "sim/commands/sweep/store/point.h"

namespace gpusim::sweep {

/// What points are judged by.
struct Metric {
  std::string name = "time_us";
  std::string unit = "us";
  bool more_is_better = false;

  /// Whether a is better than b.
  [[nodiscard]] bool prefers(double a, double b) const { return more_is_better ? a > b : a < b; }
  /// How much better a is than b: above 1 when it is.
  [[nodiscard]] double speedup(double a, double b) const { return more_is_better ? a / b : b / a; }
};

/// Throws InputError with the nearest metric when no finished row has it.
[[nodiscard]] Metric find_metric(std::string_view name, std::span<const PointRow> rows);

/// "time_us", "cycles" or one of the row's metrics; nothing when it has none of that name, or did not finish.
[[nodiscard]] std::optional<double> metric_of(const PointRow& row, std::string_view name);

/// Values of keys that rows do not say, from the architectures that they name.
struct KeySource {
  /// The key's text in the row's architecture; nothing where that has none.
  std::function<std::optional<std::string>(const PointRow& row, const std::string& key)> find;
  std::vector<std::string_view> known;  ///< all keys there are, for "did you mean"
};

/// One value of a varied key.
struct Level {
  std::string text;
  std::optional<Quantity> number;
};

/// A varied key with its values: by size when all are numbers, else in the order in which they occur.
struct Dimension {
  std::string key;
  std::vector<Level> levels;
  bool is_numeric = false;  ///< all levels are numbers, none below zero and two or more above
  /// A parameter of the trace: it changes the work, and buys nothing.
  [[nodiscard]] bool is_workload() const { return key.starts_with("param."); }
};

/// A finished point.
struct Sample {
  std::size_t row = 0;             ///< index into the rows
  std::vector<std::size_t> level;  ///< by dimension
  double value = 0;                ///< value of the metric, above zero
};

/// The finished points of one trace on one architecture.
struct Group {
  std::string trace;
  std::string arch;
  std::vector<Dimension> dimensions;  ///< keys with at least two levels
  std::vector<Sample> samples;        ///< no two at the same place
  std::size_t hidden = 0;             ///< other points at places that were taken
  std::size_t unusable = 0;           ///< finished, but without the metric, or with none above zero

  [[nodiscard]] const Level& level_of(const Sample& sample, std::size_t dimension) const {
    return dimensions[dimension].levels[sample.level[dimension]];
  }
};

/// In the order in which traces and architectures occur first. A key that a row does not vary has the value that
/// followed from what it does, or its architecture's, if `source` knows it.
[[nodiscard]] std::vector<Group> make_groups(std::span<const PointRow> rows, const Metric& metric,
                                             const KeySource& source);

/// Samples that differ in one dimension only, by rising level.
struct Slice {
  std::size_t dimension = 0;
  std::vector<std::size_t> samples;  ///< indices into Group::samples
};

/// All slices of at least two samples along a dimension.
[[nodiscard]] std::vector<Slice> slices_along(const Group& group, std::size_t dimension);

/// The sample that most others differ from in one dimension only (of a one-at-a-time study, its base point); among
/// equals the one nearest to the middle level of every dimension. `fixed` pins keys, by text or by number, where the
/// group has that value of the key; where no sample has all of these, it is as without. The group must have samples.
[[nodiscard]] std::size_t find_centre(const Group& group, const TextPairs& fixed);

/// Throws InputError for a key or value of `fixed` that none of the groups has, and when no sample has all of those
/// that its group has.
void check_fixed(std::span<const Group> groups, const TextPairs& fixed);

/// The slice along a dimension through a sample; alone in it when no other sample differs in that dimension only.
[[nodiscard]] Slice slice_through(const Group& group, std::size_t dimension, std::size_t sample);

/// "sm.count=132, l2.bytes=50 MiB"; the dimensions of `but` are left out.
[[nodiscard]] std::string place_text(const Group& group, const Sample& sample,
                                     std::initializer_list<std::optional<std::size_t>> but = {});

}  // namespace gpusim::sweep
