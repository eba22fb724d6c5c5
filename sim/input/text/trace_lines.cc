// SPDX-License-Identifier: MIT
#include "sim/input/text/trace_lines.h"

#include <algorithm>

namespace gpusim::frontend {
namespace {

constexpr std::string_view kNameBegin = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

}  // namespace

void TraceLines::report(const LineError& error) {
  problems_.add({{syntax_.file, error.place.line, error.place.column}, error.message, error.hint});
}

void TraceLines::skip(const LineError& error) {
  // A file with so many unknown words is not a trace, and would fill the memory.
  constexpr std::size_t kMostExcused = 4096;
  report(error);
  ++skipped_;
  syntax_.skipped_lines = true;
  const std::string_view text = line_.text;
  for (std::size_t at = text.find_first_of(kNameBegin);
       at != std::string_view::npos && syntax_.excused.size() <= kMostExcused;) {
    const std::size_t end = std::min(text.find_first_not_of(kNameLetters, at), text.size());
    syntax_.excused.emplace(text.substr(at, end - at));
    at = text.find_first_of(kNameBegin, end);
  }
  syntax_.cut_short = syntax_.cut_short || syntax_.excused.size() > kMostExcused;
}

bool TraceLines::on_next(const std::function<void(Scanner&)>& read) {
  if (!reader_.next(line_)) {
    return false;
  }
  Scanner in(line_, syntax_, name_ids_);
  const std::size_t holes = syntax_.holes.size();
  const std::string text(line_.text.substr(line_.text.find_first_not_of(' ')));
  const std::uint32_t first_line = line_.place(0).line;
  try {
    read(in);
  } catch (const LineError& error) {
    skip(error);
  }
  for (std::size_t i = holes; i < syntax_.holes.size() && syntax_.holes[i].place.line == first_line; ++i) {
    syntax_.holes[i].line = text;
  }
  return true;
}

}  // namespace gpusim::frontend
