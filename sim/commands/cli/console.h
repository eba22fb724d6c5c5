// SPDX-License-Identifier: MIT
// Where the program's words go: results to standard output, everything else to standard error. The only home of spdlog.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpusim::cli {

/// Sets up the log on standard error. `colour`: auto, always or never; auto means on a terminal without NO_COLOR.
void open_log(const std::string& colour, bool quiet);

/// One log entry a line of `text`. Here and below '?' stands for what would control a terminal; print() lets colours
/// pass, so names from files go through printable() first.
void log_error(std::string_view text);
void log_info(std::string_view text);
void log_warning(std::string_view text);

/// Writes a result. Throws InputError when standard output does not take it (a full disk, a closed file).
void print(std::string_view text);
/// The same of what has no colours of ours.
void print_plain(std::string_view text);

/// The same through a command of the shell, a pager. False when there is no such command: then nothing was shown.
[[nodiscard]] bool print_through(const std::string& command, std::string_view text);

/// Whether standard output is to be coloured.
[[nodiscard]] bool colour_output(const std::string& colour);
/// Columns of standard output: of the terminal, or what COLUMNS says, or a page's width; 80 at least.
[[nodiscard]] std::size_t output_width();
/// Lines of the terminal that standard output is; 0 when it is not one, or does not say.
[[nodiscard]] std::size_t output_height();
/// Whether standard output is a terminal that can do more than print.
[[nodiscard]] bool is_output_terminal();
/// Whether standard error is a terminal on which a line may be rewritten.
[[nodiscard]] bool can_show_progress();
/// Whether somebody is there to be asked: standard input and standard error are terminals.
[[nodiscard]] bool can_ask();
/// Puts a question on standard error; true for a yes.
[[nodiscard]] bool ask(std::string_view question);
/// Whether the locale's character set is UTF-8.
[[nodiscard]] bool is_utf8_locale();

}  // namespace gpusim::cli
