// SPDX-License-Identifier: MIT
#include "sim/commands/cli/console.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/letter_case.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/output/text/layout.h"

namespace gpusim::cli {
namespace {

/// The value of a variable, or nothing when it is unset or empty.
std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// no-color.org: any value but the empty one.
bool wants_colour(const std::string& colour, int file) {
  if (colour != "auto") {
    return colour == "always";
  }
  return ::isatty(file) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

/// Where a sequence that only sets colours ends, as "\x1b[1;31m"; `at` itself where there is none.
std::size_t end_of_colour(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\x1b[") {
    return at;
  }
  const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : at;
}

enum class Colours { kKept, kReplaced };

/// Whether the eight bytes are all from ' ' to '~': none has its highest bit set, or would have after subtracting ' '
/// or adding 1.
bool are_plain(const char* eight) {
  constexpr std::uint64_t kEveryByte = 0x0101010101010101;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, eight, sizeof bytes);
  return ((bytes | (bytes - ' ' * kEveryByte) | (bytes + kEveryByte)) & 0x80 * kEveryByte) == 0;
}

/// How many bytes from `at` on are plain text, which is nearly all that is ever printed.
std::size_t plain_length(std::string_view text, std::size_t at) {
  const auto is_plain = [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; };
  std::size_t end = at;
  while (end < text.size()) {
    if (text.size() - end >= sizeof(std::uint64_t) && are_plain(text.data() + end)) {
      end += sizeof(std::uint64_t);
    } else if (is_plain(text[end])) {
      ++end;
    } else {
      break;
    }
  }
  return end - at;
}

/// Names come from input files, and what controls a terminal must not: '?' stands for it.
std::string harmless(std::string_view text, Colours colours) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const std::size_t plain = plain_length(text, at); plain > 0) {
      out += text.substr(at, plain);
      at += plain - 1;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
    const bool ends_line = byte == '\n' || (byte == '\r' && next == '\n');
    if (const std::size_t end = end_of_colour(text, at); end != at && colours == Colours::kKept) {
      out += text.substr(at, end - at);
      at = end - 1;
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // control characters that UTF-8 writes with two bytes
      out += '?';
      ++at;
    } else if ((byte < 0x20 && !ends_line && byte != '\t') || byte == 0x7f) {
      out += '?';
    } else {
      out += text[at];
    }
  }
  return out;
}

void log_lines(spdlog::level::level_enum level, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    spdlog::log(level, harmless(text.substr(0, end), Colours::kReplaced));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw InputError({{"standard output", 0, 0}, std::string("cannot write: ") + std::strerror(errno), ""});
  }
}

/// The size of standard output; zeros when it is not a terminal.
winsize size_of_terminal() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

}  // namespace

void open_log(const std::string& colour, bool quiet) {
  const auto mode = wants_colour(colour, STDERR_FILENO) ? spdlog::color_mode::always : spdlog::color_mode::never;
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode);
  auto logger = std::make_shared<spdlog::logger>("gpusim", std::move(sink));
  logger->set_pattern("%n: %^%l%$: %v");
  logger->set_level(quiet ? spdlog::level::err : spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void log_error(std::string_view text) {
  log_lines(spdlog::level::err, text);
}

void log_info(std::string_view text) {
  log_lines(spdlog::level::info, text);
}

void log_warning(std::string_view text) {
  log_lines(spdlog::level::warn, text);
}

void print(std::string_view text) {
  write_out(harmless(text, Colours::kKept));
}

void print_plain(std::string_view text) {
  write_out(harmless(text, Colours::kReplaced));
}

bool print_through(const std::string& command, std::string_view text) {
  constexpr int kNoSuchCommand = 127;  // POSIX, "sh"
  std::fflush(stdout);
  std::FILE* const pipe = ::popen(command.c_str(), "w");
  if (pipe == nullptr) {
    return false;
  }
  // The user leaves the pager when they like, and Ctrl-C there is the pager's. Only now: the pager takes none of it
  // over.
  const auto on_broken_pipe = std::signal(SIGPIPE, SIG_IGN);
  const auto on_interrupt = std::signal(SIGINT, SIG_IGN);
  const std::string shown = harmless(text, Colours::kKept);
  std::fwrite(shown.data(), 1, shown.size(), pipe);
  const int status = ::pclose(pipe);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGPIPE, on_broken_pipe);
  return status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) == kNoSuchCommand);
}

bool colour_output(const std::string& colour) {
  return wants_colour(colour, STDOUT_FILENO);
}

std::size_t output_width() {
  constexpr std::uint64_t kWidest = 400;
  const std::uint64_t columns = size_of_terminal().ws_col;
  const std::uint64_t width =
      columns > 0 ? columns : parse_unsigned(environment("COLUMNS")).value_or(layout::kPageWidth);
  return std::clamp<std::uint64_t>(width, layout::kNarrowestPage, kWidest);
}

std::size_t output_height() {
  return size_of_terminal().ws_row;
}

bool is_output_terminal() {
  return ::isatty(STDOUT_FILENO) == 1 && environment("TERM") != "dumb";
}

bool can_show_progress() {
  return ::isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb";
}

bool can_ask() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

bool ask(std::string_view question) {
  std::fputs((std::string(question) + " [y/N] ").c_str(), stderr);
  const int reply = std::getchar();
  return reply == 'y' || reply == 'Y';
}

bool is_utf8_locale() {
  // The first that is set decides, as POSIX says.
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (const std::string value = in_lower_case(environment(name)); !value.empty()) {
      return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
    }
  }
  return false;
}

}  // namespace gpusim::cli
