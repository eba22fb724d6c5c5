// SPDX-License-Identifier: MIT
#include "sim/commands/validate/program.h"

#include <algorithm>
#include <vector>

#include "sim/base/cache_state.h"
#include "sim/base/text.h"
#include "sim/commands/validate/case.h"
#include "sim/input/text/load.h"

namespace gpusim::validate {
namespace {

constexpr std::string_view kMagic = "gpusim trace ";
constexpr std::uint32_t kRegistersOfSubCores = 2048;  ///< that a thread may have, times the warps of a CTA

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A line without comment and blanks around it.
std::string_view stripped(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

bool is_label(std::string_view line) {
  return line.ends_with(':') && is_word(line.substr(0, line.size() - 1));
}

/// Lines that stand for no instruction of their own.
bool opens_block(std::string_view line) {
  constexpr std::array<std::string_view, 5> kWords{"unroll ", "loop ", "static ", "if ", "let "};
  return std::ranges::any_of(kWords, [line](std::string_view word) { return line.starts_with(word); });
}

/// Where the instruction behind each label stands, from 1.
std::map<std::string, std::uint32_t> labels_in(const std::vector<std::string_view>& lines) {
  std::map<std::string, std::uint32_t> labels;
  std::vector<std::string> waiting;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = stripped(lines[i]);
    if (is_label(line)) {
      waiting.emplace_back(line.substr(0, line.size() - 1));
    } else if (!line.empty() && !opens_block(line)) {
      for (std::string& label : waiting) {
        labels.emplace(std::move(label), static_cast<std::uint32_t>(i + 1));
      }
      waiting.clear();
    }
  }
  return labels;
}

/// Registers a thread may have beside so many warps: those of a warp are allocated in eights a lane.
std::uint32_t registers_of(std::uint32_t warps) {
  constexpr std::uint32_t kUnit = 8;
  return kRegistersOfSubCores / warps / kUnit * kUnit;
}

/// The lines around a program that make a trace of it.
struct Frame {
  std::string head;
  std::string tail;
  std::uint32_t passes = 1;
};

/// The program runs in a loop of two turns when caches are to be warm. Between them everything that the first began
/// comes to an end; warps then set off together.
Frame frame_of(const Case& of, const std::vector<std::string_view>& lines) {
  const bool has_head = std::ranges::any_of(lines, [](std::string_view line) { return stripped(line) == "code"; });
  const bool has_bits =
      std::ranges::any_of(lines, [](std::string_view line) { return stripped(line).starts_with("["); });
  const auto bits = [has_bits](std::string_view control) {
    return has_bits ? std::string(control) + " " : std::string();
  };
  Frame frame;
  frame.head = "gpusim trace 1\nkernel case\ngrid (" + std::to_string(of.ctas) + ")\nblock (" +
               std::to_string(kWarpLanes * of.warps) + ")\n";
  if (has_head) {
    frame.tail = bits("[B------:R-:W-:-:S05]") + "EXIT\nend\n";
    return frame;
  }
  frame.head += "registers " + std::to_string(std::min(255U, registers_of(of.warps))) +
                "\nshared static 32768\nbuffer g f32[262144]\nshared_buffer s f32[8192] at 0\ncode\n";
  if (of.cache == CacheState::kWarm) {
    frame.passes = 2;
    frame.head += "loop pass = 0..2 using PT " + bits("[B------:R-:W-:-:S05]") + "\n" + bits("[B------:R-:W-:-:S05]") +
                  "NANOSLEEP 0x800\n";
    frame.tail = "end\n";
  }
  if (of.warps > 1) {
    frame.head += bits("[B012345:R-:W-:-:S05]") + "BAR.SYNC 0x0\n";
  }
  frame.tail += bits("[B012345:R-:W-:-:S05]") + "EXIT\nend\n";
  return frame;
}

/// The same problem at its place in the case's file.
Problem moved(const Problem& problem, const Case& of, const Program& program) {
  Problem out = problem;
  out.where = of.program_at;
  if (problem.where.line > program.lines_before) {
    const std::uint32_t line = std::min(problem.where.line - program.lines_before, program.lines) - 1;
    out.where.line += line * of.program_step;
  }
  return out;
}

}  // namespace

std::optional<Mark> parse_mark(std::string_view text) {
  Mark mark;
  const std::size_t at = text.find('@');
  if (at != std::string_view::npos) {
    const auto warp = parse_unsigned(text.substr(at + 1));
    if (!warp || *warp >= 32) {
      return std::nullopt;
    }
    mark.warp = static_cast<std::uint32_t>(*warp);
    text = text.substr(0, at);
  }
  const std::size_t hash = text.find('#');
  if (hash != std::string_view::npos) {
    const std::string_view number = text.substr(hash + 1);
    const auto nth = number == "last" ? std::optional<std::uint64_t>(0) : parse_unsigned(number);
    if (!nth || *nth > 1'000'000 || (*nth == 0 && number != "last")) {
      return std::nullopt;
    }
    mark.nth = static_cast<std::uint32_t>(*nth);
    text = text.substr(0, hash);
  }
  mark.label = text;
  return is_word(text) ? std::optional(mark) : std::nullopt;
}

Program make_program(const Case& of) {
  Program program;
  const std::vector<std::string_view> lines = lines_of(of.program);
  program.lines = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(lines.size()));
  program.labels = labels_in(lines);
  std::string text = of.program;
  if (!of.program.starts_with(kMagic)) {
    const Frame frame = frame_of(of, lines);
    program.passes = frame.passes;
    program.lines_before = static_cast<std::uint32_t>(std::ranges::count(frame.head, '\n'));
    text = frame.head + of.program + (of.program.ends_with('\n') ? "" : "\n") + frame.tail;
  }
  try {
    program.trace = frontend::load_trace_text(text, of.id, {});
  } catch (const InputError& error) {
    std::vector<Problem> problems;
    for (const Problem& problem : error.problems()) {
      problems.push_back(moved(problem, of, program));
    }
    throw InputError(std::move(problems));
  }
  return program;
}

}  // namespace gpusim::validate
