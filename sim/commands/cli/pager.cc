// SPDX-License-Identifier: MIT
#include "sim/commands/cli/pager.h"

#include <algorithm>
#include <cstdlib>

#include "sim/commands/cli/console.h"

namespace gpusim::cli {
namespace {

constexpr const char* kUsualPager = "less";

/// As git does: leave at once what fits, show colours, keep what was shown.
void set_options_of_less() {
  constexpr int kKeep = 0;
  ::setenv("LESS", "FRX", kKeep);
  ::setenv("LV", "-c", kKeep);
}

}  // namespace

std::string choose_pager(const PagerSetting& setting, std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  if (!setting.is_terminal || !setting.is_wanted || lines < setting.rows) {
    return {};
  }
  const std::string pager = setting.own != nullptr       ? setting.own
                            : setting.general != nullptr ? setting.general
                                                         : kUsualPager;
  return pager == "cat" ? "" : pager;
}

void print_list(std::string_view text, const Common& common) {
  const std::string pager = choose_pager({.is_terminal = is_output_terminal(),
                                          .rows = output_height(),
                                          .is_wanted = !common.no_pager,
                                          .own = std::getenv("GPUSIM_PAGER"),
                                          .general = std::getenv("PAGER")},
                                         text);
  if (!pager.empty()) {
    set_options_of_less();
  }
  if (pager.empty() || !print_through(pager, text)) {
    print(text);
  }
}

void print_answer(std::string_view text, std::string_view format, const Common& common) {
  format == "json" ? print(text) : print_list(text, common);
}

Action show(const std::string& text) {
  return [text](const Common& common) {
    print_list(text, common);
    return Exit::kDone;
  };
}

}  // namespace gpusim::cli
