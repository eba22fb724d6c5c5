// SPDX-License-Identifier: MIT
#include "sim/output/text/layout.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/text.h"

namespace gpusim::layout {
namespace {

constexpr std::size_t kColumnGap = 2;
/// A column is cut to no less.
constexpr std::size_t kLeastWidth = 8;

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += piece;
  }
  return text;
}

/// "%", "us", "GB/s", "TFLOP/s", also with a mark of the sentence behind it.
bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 8> kBases{"%", "B", "B/s", "s", "Hz", "FLOP", "FLOPs", "FLOP/s"};
  word.remove_suffix(word.size() - (word.find_last_not_of(",.;:)") + 1));
  return std::ranges::any_of(kBases, [word](std::string_view base) {
    if (!word.ends_with(base)) {
      return false;
    }
    std::string_view prefix = word.substr(0, word.size() - base.size());
    prefix.remove_suffix(prefix.size() == 2 && prefix.ends_with('i') ? 1 : 0);
    return prefix.empty() ||
           (prefix.size() == 1 && std::string_view("munkKMGTPE").find(prefix) != std::string_view::npos);
  });
}

/// Where the first word ends. A number and its unit are one word.
std::size_t word_end(std::string_view text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  if (end == 0 || end == text.size() || text[end - 1] < '0' || text[end - 1] > '9') {
    return end;
  }
  const std::size_t next = std::min(text.find(' ', end + 1), text.size());
  return is_unit(text.substr(end + 1, next - end - 1)) ? next : end;
}

std::string padded(const std::string& cell, std::size_t width, char alignment) {
  const std::string space(width - std::min(width, shown_width(cell)), ' ');
  return alignment == 'r' || alignment == 'R' ? space + cell : cell + space;
}

void trim_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

/// What a row of the table is wide.
std::size_t total_width(const std::vector<std::size_t>& widths) {
  std::size_t total = kIndent;
  std::size_t columns = 0;
  for (const std::size_t width : widths) {
    total += width;
    columns += width > 0 ? 1 : 0;
  }
  return total + kColumnGap * (columns == 0 ? 0 : columns - 1);
}

}  // namespace

// Escapes take no column, a character of several bytes takes one.
std::size_t shown_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) {
      ++width;
    }
  }
  return width;
}

std::string paint(std::string_view text, Style style, const Look& look) {
  // Bold, grey, yellow, bold red (ECMA-48 SGR).
  static constexpr std::array<std::string_view, 4> kCodes{"\x1b[1m", "\x1b[90m", "\x1b[33m", "\x1b[1;31m"};
  if (!look.colour || text.empty()) {
    return std::string(text);
  }
  const std::string_view line_end = text.ends_with('\n') ? "\n" : "";
  text.remove_suffix(line_end.size());
  return std::string(kCodes[static_cast<std::size_t>(style)]) + std::string(text) + "\x1b[0m" + std::string(line_end);
}

std::string bar(double pct, std::size_t width, const Look& look) {
  if (width == 0) {
    return {};
  }
  // A character is filled by eighths, as U+258F..U+2588 are; ASCII has only whole and part.
  static constexpr std::array<std::string_view, 8> kParts{"",       "\u258f", "\u258e", "\u258d",
                                                          "\u258c", "\u258b", "\u258a", "\u2589"};
  // Written so that NaN (of a result read from a damaged file) is empty.
  const double share = pct > 0 ? std::min(pct, 100.0) / 100.0 : 0.0;
  auto eighths = static_cast<std::size_t>(std::lround(share * 8.0 * static_cast<double>(width)));
  eighths = std::max<std::size_t>(eighths, pct > 0 ? 1 : 0);
  const std::size_t whole = eighths / 8;
  const std::size_t part = eighths % 8;
  const std::size_t empty = width - whole - (part > 0 ? 1 : 0);
  if (look.unicode) {
    return repeated("\u2588", whole) + std::string(kParts[part]) +
           paint(repeated("\u00b7", empty), Style::kFaint, look);
  }
  return repeated("#", whole) + (part > 0 ? "-" : "") + paint(repeated(".", empty), Style::kFaint, look);
}

std::string heading(std::string_view text, std::string_view remark, const Look& look) {
  const std::string line = "\n" + paint(text, Style::kStrong, look);
  if (remark.empty()) {
    return line + "\n";
  }
  if (shown_width(text) + kColumnGap + shown_width(remark) <= look.width) {
    return line + "  " + paint(remark, Style::kFaint, look) + "\n";
  }
  return line + "\n" + paint(wrapped(remark, kIndent, look.width), Style::kFaint, look);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) {
      out += std::string(indent, ' ') + line + "\n";
    }
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = word_end(text);
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && indent + shown_width(line) + 1 + shown_width(word) > width) {
      flush();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  flush();
  return out;
}

Table::Table(std::string_view alignment, std::vector<std::string> header) : alignment_(alignment) {
  add(std::move(header));
}

void Table::add(std::vector<std::string> cells) {
  assert(cells.size() == alignment_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::natural_widths() const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], shown_width(row[c]));
    }
  }
  return widths;
}

std::vector<std::size_t> Table::widths_within(std::size_t page) const {
  std::vector<std::size_t> widths = natural_widths();
  const auto excess = [&] { return total_width(widths) - std::min(total_width(widths), page); };
  const auto widest_to_cut = [&] {
    std::size_t widest = widths.size();
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (alignment_[c] == 'L' && widths[c] > kLeastWidth && (widest == widths.size() || widths[c] > widths[widest])) {
        widest = c;
      }
    }
    return widest;
  };
  for (std::size_t c = widest_to_cut(); excess() > 0 && c < widths.size(); c = widest_to_cut()) {
    --widths[c];
  }
  for (std::size_t c = widths.size(); excess() > 0 && c-- > 0;) {
    widths[c] = alignment_[c] == 'R' ? 0 : widths[c];
  }
  return widths;
}

std::string Table::to_text(const Look& look) const {
  const std::vector<std::size_t> widths = widths_within(look.width);
  std::string out;
  for (const auto& row : rows_) {
    std::string line(kIndent, ' ');
    bool first = true;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths[c] == 0) {
        continue;
      }
      const std::string cell = shown_width(row[c]) > widths[c] ? clipped(row[c], widths[c]) : row[c];
      line += (first ? "" : std::string(kColumnGap, ' ')) + padded(cell, widths[c], alignment_[c]);
      first = false;
    }
    trim_end(line);
    out += (&row == &rows_.front() ? paint(line, Style::kFaint, look) : line) + "\n";
  }
  return out;
}

}  // namespace gpusim::layout
