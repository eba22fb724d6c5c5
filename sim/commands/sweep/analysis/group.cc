// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"

namespace gpusim::sweep {
namespace {

/// Stands for the architecture's own value where it is not known.
constexpr const char* kBaseValue = "(base)";

std::string unit_of(std::string_view metric) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kUnits{
      {{"_us", "us"}, {"_pct", "%"}, {"_gbs", "GB/s"}, {"tflops", "TFLOP/s"}, {"cycles", "cycles"}, {"_bytes", "B"}}};
  const auto* const found =
      std::ranges::find_if(kUnits, [metric](const auto& unit) { return metric.ends_with(unit.first); });
  return found == kUnits.end() ? "" : std::string(found->second);
}

/// Times, cycles, bytes moved and instructions are spent; rates and shares of peaks are reached.
/// Shares of a step's time in which its GPU does not work at what it could.
constexpr std::array<std::string_view, 5> kLostShares{"small_pct", "communication_pct", "copies_pct", "data_pct",
                                                      "launch_gaps_pct"};

bool is_spent(std::string_view metric) {
  return metric.ends_with("_us") || metric == "cycles" || metric.ends_with("_bytes") ||
         metric.ends_with("_instructions") || std::ranges::find(kLostShares, metric) != kLostShares.end();
}

std::vector<std::string> varied_keys(std::span<const PointRow> rows, std::span<const std::size_t> members) {
  std::vector<std::string> keys;
  std::set<std::string> seen;
  for (const std::size_t member : members) {
    for (const auto& [key, text] : rows[member].parameters) {
      if (seen.insert(key).second) {
        keys.push_back(key);
      }
    }
  }
  return keys;
}

/// Values by size when all are numbers. "50 MiB" and "51200 KiB" are one level, named as it occurs first.
struct Levels {
  Dimension dimension;
  std::vector<std::size_t> of_member;
};

class LevelMaker {
 public:
  std::size_t place(const std::string& text) {
    const auto [known, is_new] = by_text_.try_emplace(text, levels_.size());
    if (!is_new) {
      return known->second;
    }
    Level level{text, parse_quantity(text)};
    if (level.number) {
      const auto [same, is_first] = by_number_.try_emplace(level.number->value, levels_.size());
      known->second = same->second;
      if (!is_first) {
        return same->second;
      }
    }
    levels_.push_back(std::move(level));
    return known->second;
  }

  Levels finish(std::string key, std::vector<std::size_t> of_member) {
    const bool numbers = std::ranges::all_of(levels_, [](const Level& level) { return level.number.has_value(); });
    std::vector<std::size_t> order(levels_.size());
    std::iota(order.begin(), order.end(), 0);
    if (numbers) {
      std::ranges::sort(order, {}, [this](std::size_t i) { return levels_[i].number->value; });
    }
    std::vector<std::size_t> rank(order.size());
    Levels out;
    for (std::size_t i = 0; i < order.size(); ++i) {
      rank[order[i]] = i;
      out.dimension.levels.push_back(std::move(levels_[order[i]]));
    }
    out.dimension.key = std::move(key);
    // What can be scaled along: two values to make a quotient of, beside which there may be a zero.
    const auto is_above_zero = [](const Level& level) { return level.number->value > 0; };
    out.dimension.is_numeric = numbers && out.dimension.levels.front().number->value >= 0 &&
                               std::ranges::count_if(out.dimension.levels, is_above_zero) > 1;
    out.of_member = std::move(of_member);
    for (std::size_t& level : out.of_member) {
      level = rank[level];
    }
    return out;
  }

 private:
  std::map<std::string, std::size_t> by_text_;
  std::map<double, std::size_t> by_number_;
  std::vector<Level> levels_;
};

std::string text_at(const PointRow& row, const std::string& key, const KeySource& source) {
  for (const TextPairs* said : {&row.parameters, &row.derived}) {
    if (const std::string* const text = find_text(*said, key)) {
      return *text;
    }
  }
  return source.find ? source.find(row, key).value_or(kBaseValue) : kBaseValue;
}

Levels levels_of(const std::string& key, std::span<const PointRow> rows, std::span<const std::size_t> members,
                 const KeySource& source) {
  LevelMaker maker;
  std::vector<std::size_t> of_member;
  for (const std::size_t member : members) {
    of_member.push_back(maker.place(text_at(rows[member], key, source)));
  }
  return maker.finish(key, std::move(of_member));
}

Group make_group(std::span<const PointRow> rows, const std::vector<std::size_t>& finished, const Metric& metric,
                 const KeySource& source) {
  Group group;
  std::vector<std::size_t> members;
  std::ranges::copy_if(finished, std::back_inserter(members), [&](std::size_t i) {
    const std::optional<double> value = metric_of(rows[i], metric.name);
    return value && *value > 0 && std::isfinite(*value);
  });
  group.unusable = finished.size() - members.size();
  std::vector<Sample> samples(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    samples[i] = {members[i], {}, *metric_of(rows[members[i]], metric.name)};
  }
  for (const std::string& key : varied_keys(rows, members)) {
    Levels levels = levels_of(key, rows, members, source);
    if (levels.dimension.levels.size() < 2) {
      continue;
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      samples[i].level.push_back(levels.of_member[i]);
    }
    group.dimensions.push_back(std::move(levels.dimension));
  }
  std::map<std::vector<std::size_t>, std::size_t> taken;
  for (Sample& sample : samples) {
    const auto [first, is_new] = taken.try_emplace(sample.level, sample.row);
    if (is_new) {
      group.samples.push_back(std::move(sample));
    } else if (rows[sample.row].key.empty() || rows[sample.row].key != rows[first->second].key) {
      ++group.hidden;  // the same simulation, asked for twice, hides nothing
    }
  }
  return group;
}

/// Whether a level is what the user wrote.
bool is_level(const Level& level, const std::string& text) {
  const std::optional<Quantity> number = parse_quantity(text);
  return level.text == text || (number && level.number && number->value == level.number->value);
}

/// A pinned key's place among the dimensions and its level; nothing where the group lacks either.
struct Pin {
  std::size_t dimension = 0;
  std::size_t level = 0;
};
std::optional<Pin> find_pin(const Group& group, const std::string& key, const std::string& text) {
  const auto dimension = std::ranges::find(group.dimensions, key, &Dimension::key);
  if (dimension == group.dimensions.end()) {
    return std::nullopt;
  }
  const auto level = std::ranges::find_if(dimension->levels, [&](const Level& l) { return is_level(l, text); });
  if (level == dimension->levels.end()) {
    return std::nullopt;
  }
  return Pin{static_cast<std::size_t>(dimension - group.dimensions.begin()),
             static_cast<std::size_t>(level - dimension->levels.begin())};
}

/// Indices of the samples that have all of the fixed values that the group has; all of them when it has none.
std::vector<std::size_t> samples_at(const Group& group, const TextPairs& fixed) {
  std::vector<std::size_t> kept(group.samples.size());
  std::iota(kept.begin(), kept.end(), 0);
  for (const auto& [key, text] : fixed) {
    if (const std::optional<Pin> pin = find_pin(group, key, text)) {
      std::erase_if(kept, [&](std::size_t i) { return group.samples[i].level[pin->dimension] != pin->level; });
    }
  }
  return kept;
}

/// Why no group has the value.
[[noreturn]] void refuse_pin(std::span<const Group> groups, const std::string& key, const std::string& text) {
  std::vector<std::string_view> keys;
  std::vector<std::string_view> values;
  for (const Group& group : groups) {
    for (const Dimension& dimension : group.dimensions) {
      keys.push_back(dimension.key);
      for (const Level& level : dimension.levels) {
        if (dimension.key == key && std::ranges::find(values, level.text) == values.end()) {
          values.push_back(level.text);
        }
      }
    }
  }
  if (values.empty()) {
    throw InputError({{"--at", 0, 0}, "'" + key + "' was not varied", suggestion(key, keys)});
  }
  std::string known;
  for (const std::string_view value : values) {
    known += (known.empty() ? "its values: " : ", ") + std::string(value);
  }
  throw InputError({{"--at", 0, 0}, "'" + key + "' was never '" + text + "'", known});
}

/// Twice the distance from the middle level, as a share of the dimension, over all dimensions.
double distance_from_middle(const Group& group, const Sample& sample) {
  double sum = 0;
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    const auto last = static_cast<double>(group.dimensions[d].levels.size() - 1);
    sum += std::abs(2 * static_cast<double>(sample.level[d]) - last) / last;
  }
  return sum;
}

}  // namespace

Metric find_metric(std::string_view name, std::span<const PointRow> rows) {
  std::set<std::string_view> known{"time_us", "cycles"};
  for (const PointRow& row : rows) {
    for (const auto& [metric, value] : row.metrics) {
      known.insert(metric);
    }
  }
  if (!known.contains(name)) {
    const std::vector<std::string_view> words(known.begin(), known.end());
    throw InputError({{"--metric", 0, 0}, "no point has '" + std::string(name) + "'", suggestion(name, words)});
  }
  return {std::string(name), unit_of(name), !is_spent(name)};
}

std::optional<double> metric_of(const PointRow& row, std::string_view name) {
  if (row.status != kDone) {
    return std::nullopt;
  }
  if (name == "time_us") {
    return row.time_us;
  }
  if (name == "cycles") {
    return static_cast<double>(row.cycles);
  }
  const auto found = row.metrics.find(std::string(name));
  return found == row.metrics.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Group> make_groups(std::span<const PointRow> rows, const Metric& metric, const KeySource& source) {
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> finished;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].status == kDone) {
      const auto [entry, is_new] = finished.try_emplace({rows[i].trace, rows[i].arch});
      entry->second.push_back(i);
      if (is_new) {
        order.push_back(entry->first);
      }
    }
  }
  std::vector<Group> groups;
  for (const auto& name : order) {
    groups.push_back(make_group(rows, finished.at(name), metric, source));
    groups.back().trace = name.first;
    groups.back().arch = name.second;
  }
  return groups;
}

std::vector<Slice> slices_along(const Group& group, std::size_t dimension) {
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> by_others;
  for (std::size_t i = 0; i < group.samples.size(); ++i) {
    std::vector<std::size_t> others = group.samples[i].level;
    others[dimension] = 0;
    by_others[std::move(others)].push_back(i);
  }
  std::vector<Slice> slices;
  for (auto& [others, members] : by_others) {
    if (members.size() > 1) {
      std::ranges::sort(members, {}, [&](std::size_t i) { return group.samples[i].level[dimension]; });
      slices.push_back({dimension, std::move(members)});
    }
  }
  return slices;
}

Slice slice_through(const Group& group, std::size_t dimension, std::size_t sample) {
  const std::vector<std::size_t>& centre = group.samples[sample].level;
  Slice slice{dimension, {}};
  for (std::size_t i = 0; i < group.samples.size(); ++i) {
    bool fits = true;
    for (std::size_t d = 0; d < centre.size(); ++d) {
      fits = fits && (d == dimension || group.samples[i].level[d] == centre[d]);
    }
    if (fits) {
      slice.samples.push_back(i);
    }
  }
  std::ranges::sort(slice.samples, {}, [&](std::size_t i) { return group.samples[i].level[dimension]; });
  return slice;
}

std::size_t find_centre(const Group& group, const TextPairs& fixed) {
  std::vector<std::size_t> neighbours(group.samples.size(), 0);
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    for (const Slice& slice : slices_along(group, d)) {
      for (const std::size_t sample : slice.samples) {
        neighbours[sample] += slice.samples.size() - 1;
      }
    }
  }
  const auto rank = [&](std::size_t i) {
    return std::pair(-static_cast<double>(neighbours[i]), distance_from_middle(group, group.samples[i]));
  };
  std::vector<std::size_t> kept = samples_at(group, fixed);
  if (kept.empty()) {
    kept = samples_at(group, {});
  }
  return *std::ranges::min_element(kept, {}, rank);
}

void check_fixed(std::span<const Group> groups, const TextPairs& fixed) {
  for (const auto& pin : fixed) {
    const auto has_pin = [&pin](const Group& group) { return find_pin(group, pin.first, pin.second).has_value(); };
    if (std::ranges::none_of(groups, has_pin)) {
      refuse_pin(groups, pin.first, pin.second);
    }
  }
  const auto has_samples = [&](const Group& group) { return !samples_at(group, fixed).empty(); };
  const auto is_pinned = [&](const Group& group) {
    return std::ranges::any_of(fixed,
                               [&](const auto& pin) { return find_pin(group, pin.first, pin.second).has_value(); });
  };
  if (!fixed.empty() &&
      std::ranges::none_of(groups, [&](const Group& group) { return is_pinned(group) && has_samples(group); })) {
    throw InputError({{"--at", 0, 0}, "no finished point has all of these values", ""});
  }
}

std::string place_text(const Group& group, const Sample& sample,
                       std::initializer_list<std::optional<std::size_t>> but) {
  std::string text;
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    if (std::ranges::find(but, std::optional(d)) == but.end()) {
      text += (text.empty() ? "" : ", ") + group.dimensions[d].key + "=" + group.level_of(sample, d).text;
    }
  }
  return text;
}

}  // namespace gpusim::sweep
