// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/reason.h"

#include "sim/base/text.h"

namespace gpusim::sweep {

std::string one_line(std::string_view text) {
  constexpr std::size_t kLongest = 400;
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty()) {
      out += (out.empty() ? "" : "; ") + std::string(line);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return clipped(out, kLongest);
}

std::string reason_of(const InputError& error) {
  std::string text;
  for (Problem problem : error.problems()) {
    if (!problem.where.file.starts_with("--")) {
      problem.where = {};
    }
    text += to_text(problem) + "\n";
  }
  return one_line(text);
}

}  // namespace gpusim::sweep
