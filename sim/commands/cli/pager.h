// SPDX-License-Identifier: MIT
// Lists and help are read from their top: on a terminal that they do not fit on, a pager shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::cli {

/// Prints a list or a help text: through a pager where choose_pager() names one, else as print() does.
void print_list(std::string_view text, const Common& common);
/// The same for an answer in a format: "json" is for programs and always printed as it is.
void print_answer(std::string_view text, std::string_view format, const Common& common);

/// Does nothing but print_list().
[[nodiscard]] Action show(const std::string& text);

/// What decides whether there is a pager.
struct PagerSetting {
  bool is_terminal = false;       ///< standard output is one, and not "dumb"
  std::size_t rows = 0;           ///< rows of the terminal
  bool is_wanted = true;          ///< no --no-pager
  const char* own = nullptr;      ///< GPUSIM_PAGER; null: not set
  const char* general = nullptr;  ///< PAGER
};

/// The command that shows the text; empty when the text is to be printed as it is: it fits on the terminal, output is
/// not a terminal, or the user wants no pager, which "cat" and an empty variable say as well.
[[nodiscard]] std::string choose_pager(const PagerSetting& setting, std::string_view text);

}  // namespace gpusim::cli
