// SPDX-License-Identifier: MIT
#include "sim/sweep/answer/gnuplot.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/sweep/answer/words.h"

namespace gpusim::sweep {
namespace {

/// More levels than have room get gnuplot's own ticks.
constexpr std::size_t kMostTicks = 14;

}  // namespace

std::string script_text(std::string_view text) {
  std::string out = "'";
  for (const char c : printable(text)) {
    out += std::string(c == '\'' ? 2 : 1, c);
  }
  return out + "'";
}

std::string data_cell(std::string_view text) {
  // A comma would end the cell, a quote open a text that goes on over cells, a number sign a remark.
  std::string out = printable(text);
  std::ranges::replace(out, '"', '\'');
  std::ranges::replace(out, '#', ' ');
  std::ranges::replace(out, ',', ' ');
  return out.empty() ? "-" : out;
}

std::string data_number(double value) {
  return fmt::format("{}", value);
}

std::string file_stem(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  std::string out(text.substr(0, kLongest));
  std::ranges::replace_if(
      out,
      [](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return !letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.';
      },
      '_');
  if (out.empty() || out.front() == '.') {
    out.insert(0, "_");
  }
  return out;
}

std::string preamble(const std::string& name, const std::string& title, const std::string& remark) {
  std::string out = "set terminal svg size 900,560 dynamic noenhanced background '#ffffff' font 'sans-serif,14'\n";
  out += "set output " + script_text(name + ".svg") + "\n";
  out += "set datafile separator comma\nset datafile missing 'NaN'\n";
  // As labels of the whole page, because a title stands over the drawing alone, beside its key.
  out += "set tmargin 5\nset label 1 " + script_text(clipped(title, 90)) +
         " at screen 0.5,0.955 center font 'sans-serif,17'\n";
  if (!remark.empty()) {
    out += "set label 2 " + script_text(clipped(remark, 110)) +
           " at screen 0.5,0.905 center font 'sans-serif,12' textcolor rgb '#606060'\n";
  }
  out += "set grid linecolor rgb '#dddddd' linewidth 1\nset border 3 linecolor rgb '#808080'\nset tics nomirror\n";
  return out + "set key outside right top vertical Left reverse samplen 2\n";
}

bool is_wide(const Dimension& dimension) {
  return is_wide(dimension.levels.front().number->value, dimension.levels.back().number->value);
}

std::string x_axis_of(const Dimension& dimension, bool falls) {
  std::string out = "set xlabel " + script_text(with_unit(dimension.key, unit_word(dimension))) + "\n";
  const bool wide = is_wide(dimension);
  const double low = dimension.levels.front().number->value / scale_of(dimension);
  const double high = dimension.levels.back().number->value / scale_of(dimension);
  // A little wider than the points, or the first tick would be lost to rounding.
  constexpr double kRoom = 0.02;
  const double first = wide ? low * (1 - kRoom) : low - kRoom * (high - low);
  const double last = wide ? high * (1 + kRoom) : high + kRoom * (high - low);
  out += fmt::format("set xrange [{}:{}]\n", falls ? last : first, falls ? first : last);
  out += wide ? "set logscale x 2\n" : "";
  if (dimension.levels.size() > kMostTicks) {
    return out;
  }
  out += "set xtics (";
  for (std::size_t i = 0; i < dimension.levels.size(); ++i) {
    const Level& level = dimension.levels[i];
    const double at = level.number->value / scale_of(dimension);
    // "25/4" stays as it was written; what has a unit is written in the axis' own.
    const std::string text = level.number->unit == nullptr ? level.text : number_text(at);
    out += (i == 0 ? "" : ", ") + script_text(text) + " " + data_number(at);
  }
  return out + ")\n";
}

}  // namespace gpusim::sweep
