// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/gnuplot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/analysis/words.h"

namespace gpusim::sweep {
namespace {

/// More levels than have room get gnuplot's own ticks.
constexpr std::size_t kMostTicks = 14;
/// Pixels, of the terminal's font.
constexpr double kLetterWidth = 9;

/// The text of each level's tick; empty where it would touch its neighbour's. The ends have theirs.
std::vector<std::string> tick_texts(const Dimension& dimension, double width) {
  struct Span {
    double low;
    double high;
  };
  const auto position = [&](std::size_t i) {
    const auto number = [&](std::size_t level) {
      const double value = dimension.levels[level].number->value;
      return is_wide(dimension) ? std::log(value) : value;
    };
    const double all = number(dimension.levels.size() - 1) - number(0);
    return all > 0 ? (number(i) - number(0)) / all * width : 0;
  };
  std::vector<std::string> texts;
  for (const Level& level : dimension.levels) {
    // "25/4" stays as it was written; what has a unit is written in the axis' own.
    texts.push_back(level.number->unit == nullptr ? level.text
                                                  : number_text(level.number->value / scale_of(dimension)));
  }
  const auto span = [&](std::size_t i) {
    const double half = kLetterWidth * static_cast<double>(texts[i].size() + 1) / 2;
    return Span{position(i) - half, position(i) + half};
  };
  double taken = span(0).high;
  const std::size_t last = texts.size() - 1;
  for (std::size_t i = 1; i < last; ++i) {
    const Span mine = span(i);
    if (mine.low < taken || mine.high > span(last).low) {
      texts[i].clear();
    } else {
      taken = mine.high;
    }
  }
  return texts;
}

}  // namespace

double plot_width(std::size_t longest_key_title) {
  constexpr double kPage = 900;
  constexpr double kLeft = 75;
  constexpr double kSample = 80;  // width of a line, and what stands around it
  constexpr double kKeyLetter = 9.8;
  return kPage - kLeft - kSample - kKeyLetter * static_cast<double>(longest_key_title);
}

std::size_t ticks_across(std::size_t letters) {
  constexpr double kMapWidth = 680;
  return static_cast<std::size_t>(kMapWidth / (kLetterWidth * static_cast<double>(letters + 1)));
}

std::string key_title(std::string_view text) {
  return clipped(printable(text), kMostKeyLetters);
}

std::string key_title_of(std::string_view key, std::string_view value) {
  constexpr std::size_t kLeastKey = 8;
  const std::string shown = clipped(value, kMostKeyLetters - kLeastKey - 1);
  return clipped(key, kMostKeyLetters - shown.size() - 1) + "=" + shown;
}

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
    out += "set label 2 " + script_text(clipped(remark, kMostRemarkLetters)) +
           " at screen 0.5,0.905 center font 'sans-serif,12' textcolor rgb '#606060'\n";
  }
  out += "set grid linecolor rgb '#dddddd' linewidth 1\nset border 3 linecolor rgb '#808080'\nset tics nomirror\n";
  return out + "set key outside right top vertical Left reverse samplen 2\n";
}

bool is_wide(const Dimension& dimension) {
  return is_wide(dimension.levels.front().number->value, dimension.levels.back().number->value);
}

std::string x_axis_of(const Dimension& dimension, bool falls, double width) {
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
  const std::vector<std::string> texts = tick_texts(dimension, width);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out += (i == 0 ? "" : ", ") + script_text(texts[i]) + " " +
           data_number(dimension.levels[i].number->value / scale_of(dimension));
  }
  return out + ")\n";
}

}  // namespace gpusim::sweep
