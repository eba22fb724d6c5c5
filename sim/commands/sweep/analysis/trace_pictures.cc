// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/trace_pictures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/analysis/gnuplot.h"
#include "sim/commands/sweep/analysis/words.h"

namespace gpusim::sweep {
namespace {

constexpr std::size_t kMostPlaces = 12;   ///< that the key explains
constexpr std::size_t kMostKeyRows = 17;  ///< that the key has room for
constexpr std::size_t kMostBars = 24;

/// What tells the points of a front apart: the keys, and each point's values in their order.
struct PointNames {
  std::string title;
  std::vector<std::string> of_point;
};

PointNames names_of(const Analysis& analysis, const TraceAnalysis& trace) {
  std::vector<std::string> keys;
  for (const std::string& key : varying_keys(analysis)) {
    const std::string first = text_or_dash(analysis.rows[trace.front.front().row], key);
    const bool varies = std::ranges::any_of(
        trace.front, [&](const Costed& p) { return text_or_dash(analysis.rows[p.row], key) != first; });
    if (varies) {
      keys.push_back(key);
    }
  }
  const bool has_gpus = !trace.gpus.empty();
  PointNames names{has_gpus ? "arch" : "", {}};
  for (const std::string& key : keys) {
    names.title += (names.title.empty() ? "" : " / ") + key;
  }
  for (const Costed& point : trace.front) {
    std::string text = has_gpus ? printable(analysis.rows[point.row].arch) : "";
    for (const std::string& key : keys) {
      text += (text.empty() ? "" : " / ") + text_or_dash(analysis.rows[point.row], key);
    }
    names.of_point.push_back(std::move(text));
  }
  return names;
}

/// Points of a front that have the same cost and value: numbered and named once.
struct FrontPlace {
  double cost = 0;
  double value = 0;
  std::string name;  ///< name of the first
  std::size_t equal = 1;
};

std::vector<FrontPlace> places_of(const TraceAnalysis& trace, const PointNames& names) {
  std::vector<FrontPlace> places;
  for (std::size_t i = 0; i < trace.front.size(); ++i) {
    const Costed& point = trace.front[i];
    if (!places.empty() && places.back().cost == point.cost && places.back().value == point.value) {
      ++places.back().equal;
    } else {
      places.push_back({point.cost, point.value, names.of_point[i]});
    }
  }
  return places;
}

/// Numbers that stand at one place of the drawing.
struct Label {
  const FrontPlace* at;
  std::vector<std::size_t> numbers;

  [[nodiscard]] std::string text() const {
    constexpr std::size_t kMostNumbers = 3;
    if (numbers.size() > kMostNumbers) {
      return fmt::format("{}-{}", numbers.front(), numbers.back());
    }
    std::string out;
    for (const std::size_t number : numbers) {
      out += (out.empty() ? "" : ", ") + std::to_string(number);
    }
    return out;
  }
};

/// Puts numbers that would lie on each other into one label. What the axes span is estimated: gnuplot rounds it up.
class Labeller {
 public:
  Labeller(std::span<const Costed> points, std::size_t longest_title) {
    const auto [least_cost, most_cost] = std::ranges::minmax(points, {}, &Costed::cost);
    const auto [least_value, most_value] = std::ranges::minmax(points, {}, &Costed::value);
    const auto scale = [](double pixels, double span) { return span > 0 ? pixels / (span * kRounding) : 0; };
    across_ = scale(plot_width(longest_title), most_cost.cost - least_cost.cost);
    along_ = scale(kPlotHeight, most_value.value - least_value.value);
  }

  [[nodiscard]] std::vector<Label> labels(const std::vector<FrontPlace>& places,
                                          const std::vector<std::size_t>& shown) const {
    std::vector<Label> out;
    for (const std::size_t i : shown) {
      const Label next{&places[i], {i + 1}};
      if (out.empty() || !overlap(out.back(), next)) {
        out.push_back(next);
      } else {
        out.back().numbers.push_back(i + 1);
      }
    }
    return out;
  }

 private:
  static constexpr double kRounding = 1.2;
  static constexpr double kLetter = 8;
  static constexpr double kLine = 16;

  /// They end left of their places, so the width of the second counts.
  [[nodiscard]] bool overlap(const Label& a, const Label& b) const {
    const double width = kLetter * static_cast<double>(std::max(a.text().size(), b.text().size()) + 1);
    return std::abs(a.at->cost - b.at->cost) * across_ < width && std::abs(a.at->value - b.at->value) * along_ < kLine;
  }

  double across_;  ///< pixels a unit of cost
  double along_;   ///< pixels a unit of the metric
};

/// Collects the commands of a front.
class Front {
 public:
  Front(const Analysis& analysis, const TraceAnalysis& trace, const std::string& name)
      : analysis_(analysis), trace_(trace), data_(script_text(name + ".dat")) {
    picture_.name = name;
  }

  Picture make() {
    plots_ = "plot " + data_ + " index 0 using 1:2 with steps linewidth 2.5 linecolor rgb '#000000' notitle";
    for (const Costed& point : trace_.front) {
      picture_.data += data_number(point.cost) + "," + data_number(point.value) + "\n";
    }
    add_cloud();
    add_places();
    picture_.script =
        preamble(picture_.name, printable(trace_.trace) + ": what is worth its cost", "cost = " + analysis_.cost);
    picture_.script += remark_ + "set xlabel 'cost'\nset ylabel " +
                       script_text(with_unit(analysis_.metric.name, analysis_.metric.unit)) +
                       "\nset offsets graph 0.03, graph 0.03, graph 0.03, graph 0.05\n" + plots_;
    return std::move(picture_);
  }

 private:
  void add_title(const std::string& style, const std::string& text) {
    const std::string title = key_title(text);
    longest_ = std::max(longest_, title.size());
    plots_ += style + " title " + script_text(title);
    ++rows_;
  }

  void add_cloud() {
    std::map<std::string, std::string> by_bound;
    for (const Costed& point : trace_.costed) {
      by_bound[analysis_.rows[point.row].bound] += data_number(point.cost) + "," + data_number(point.value) + "\n";
    }
    for (const auto& [bound, rows] : by_bound) {
      picture_.data += kNextIndex + rows;
      add_title(
          fmt::format(", \\\n  {} index {} using 1:2 with points pointtype {} pointsize 0.9 linecolor rgb '{}'", data_,
                      index_, kMarks[(index_ - 1) % kMarks.size()], kColours[(index_ - 1) % kColours.size()]),
          bound + "-bound");
      ++index_;
    }
  }

  void add_places() {
    const PointNames names = names_of(analysis_, trace_);
    const std::vector<FrontPlace> places = places_of(trace_, names);
    // Keys that have no room in the key stand below the title.
    const std::string title = "worth its cost: " + names.title;
    const bool fits = key_title(title) == title;
    if (!fits) {
      remark_ = "set label 3 " + script_text(clipped("numbers: " + names.title, kMostRemarkLetters)) +
                " at screen 0.5,0.865 center font 'sans-serif,12' textcolor rgb '#606060'\n";
    }
    add_title(", \\\n  NaN with lines linewidth 2.5 linecolor rgb '#000000'", fits ? title : "worth its cost");
    const std::size_t room = std::min(kMostPlaces, kMostKeyRows - std::min(rows_, kMostKeyRows - 2));
    const std::vector<std::size_t> shown = spread_over(places.size(), room);
    for (const std::size_t i : shown) {
      add_title(", \\\n  NaN with lines linecolor rgb '#ffffff'", name_of_place(i, places[i]));
    }
    picture_.data += kNextIndex;
    for (const Label& label : Labeller(trace_.costed, longest_).labels(places, shown)) {
      picture_.data +=
          fmt::format("{},{},\"{}\"\n", data_number(label.at->cost), data_number(label.at->value), label.text());
    }
    plots_ +=
        fmt::format(", \\\n  {} index {} using 1:2:3 with labels right offset -0.5,-0.7 font 'sans-serif,12' notitle\n",
                    data_, index_);
  }

  static std::string name_of_place(std::size_t index, const FrontPlace& place) {
    const std::string equals = place.equal > 1 ? fmt::format(" ({} equal)", place.equal) : "";
    const std::string number = fmt::format("{}: ", index + 1);
    return number + clipped(place.name, kMostKeyLetters - number.size() - equals.size()) + equals;
  }

  const Analysis& analysis_;
  const TraceAnalysis& trace_;
  std::string data_;
  Picture picture_;
  std::string plots_;
  std::string remark_;
  std::size_t index_ = 1;    ///< index of the data set that comes next
  std::size_t rows_ = 0;     ///< rows of the key
  std::size_t longest_ = 0;  ///< title in the key
};

}  // namespace

std::string PictureNames::make(const std::string& text) {
  const std::string stem = file_stem(text);
  std::string name = stem;
  for (std::size_t i = 2; !taken_.insert(name).second; ++i) {
    name = stem + "-" + std::to_string(i);
  }
  return name;
}

Picture make_front(const Analysis& analysis, const TraceAnalysis& trace, PictureNames& names) {
  return Front(analysis, trace, names.make("pareto-" + trace.trace)).make();
}

Picture make_bars(const Analysis& analysis, const TraceAnalysis& trace, PictureNames& names) {
  Picture picture;
  picture.name = names.make("parts-" + trace.trace);
  const std::size_t count = std::min(trace.gpus.size(), kMostBars);
  std::map<std::string, std::string> by_bound;
  std::string ticks;
  for (std::size_t i = 0; i < count; ++i) {
    const RankedGpu& gpu = trace.gpus[i];
    const PointRow& row = analysis.rows[gpu.row];
    by_bound[row.bound] += fmt::format("{},{},{}\n", data_number(gpu.value), i, data_cell(number_text(gpu.value)));
    ticks += fmt::format("{}{} {}", i == 0 ? "" : ", ", script_text(clipped(printable(row.arch), kMostKeyLetters)), i);
  }
  const std::string more = count < trace.gpus.size() ? fmt::format("the best {} of {}", count, trace.gpus.size()) : "";
  picture.script = preamble(picture.name, printable(trace.trace) + ": the best point of each GPU", more);
  picture.script += "set xlabel " + script_text(with_unit(analysis.metric.name, analysis.metric.unit)) +
                    "\nset ytics (" + ticks +
                    fmt::format(")\nset yrange [{}:-0.6]\n", static_cast<double>(count) - 0.4) +
                    "set xrange [0:*]\nset offsets 0, graph 0.08, 0, 0\nunset grid\n";
  const std::string data = script_text(picture.name + ".dat");
  std::string plots;
  std::size_t index = 0;
  for (const auto& [bound, rows] : by_bound) {
    picture.data += (index == 0 ? "" : kNextIndex) + rows;
    plots += fmt::format(
        "{}{} index {} using ($1/2):2:($1/2):(0.35) with boxxyerror fillstyle solid 1.0 noborder linecolor rgb '{}' "
        "title {}",
        index == 0 ? "plot " : ", \\\n  ", data, index, kColours[index % kColours.size()],
        script_text(key_title(bound + "-bound")));
    plots += fmt::format(", \\\n  {} index {} using 1:2:3 with labels left offset 0.4,0 font 'sans-serif,12' notitle",
                         data, index);
    ++index;
  }
  picture.script += plots + "\n";
  return picture;
}

}  // namespace gpusim::sweep
