// SPDX-License-Identifier: MIT
// What scripts for gnuplot are made of. No text of the user gets into a script but in single quotes, where gnuplot
// expands nothing.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sim/commands/sweep/analysis/group.h"

namespace gpusim::sweep {

/// Colours that people with any colour vision tell apart (Okabe and Ito, "Color Universal Design", 2008), without the
/// yellow, which is faint on white.
inline constexpr std::array<std::string_view, 7> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                          "#E69F00", "#56B4E9", "#000000"};
/// gnuplot's numbers of filled marks of different shapes: circle, square, triangle, diamond, upside-down, pentagon, and
/// a cross.
inline constexpr std::array<int, 7> kMarks{7, 5, 9, 13, 11, 15, 2};

/// Between data sets of one file.
inline constexpr const char* kNextIndex = "\n\n";
/// gnuplot leaves out the whole key, silently, when its titles are so long that the drawing has no room.
inline constexpr std::size_t kMostKeyLetters = 44;
inline constexpr std::size_t kMostRemarkLetters = 110;
/// The height of a drawing in pixels. It was measured on pictures, because gnuplot rounds it in its own ways.
inline constexpr double kPlotHeight = 390;
[[nodiscard]] double plot_width(std::size_t longest_key_title);
/// Ticks that have room beside each other below a map.
[[nodiscard]] std::size_t ticks_across(std::size_t letters);

/// A title in the key, cut to what has room there; "KEY=VALUE" loses letters of the key.
[[nodiscard]] std::string key_title(std::string_view text);
[[nodiscard]] std::string key_title_of(std::string_view key, std::string_view value);

/// In single quotes, for a script.
[[nodiscard]] std::string script_text(std::string_view text);

/// A cell of a data file: without commas and line ends, and never empty.
[[nodiscard]] std::string data_cell(std::string_view text);

/// A number as gnuplot reads it, with all its digits.
[[nodiscard]] std::string data_number(double value);

/// Letters, digits, '-', '_' and '.', for a file's name; at most 100 characters, the first no dot.
[[nodiscard]] std::string file_stem(std::string_view text);

/// Terminal, output, title and a grey line below it, grid, frame, key.
[[nodiscard]] std::string preamble(const std::string& name, const std::string& title, const std::string& remark);

/// Whether its axis is logarithmic.
[[nodiscard]] bool is_wide(const Dimension& dimension);

/// "set xlabel", ticks at the levels, range and scale; from high to low if less of the key is better. Ticks nearer than
/// their numbers are wide in a drawing of `width` pixels have none.
[[nodiscard]] std::string x_axis_of(const Dimension& dimension, bool falls, double width);

}  // namespace gpusim::sweep
