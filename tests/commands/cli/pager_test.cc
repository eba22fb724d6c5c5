// SPDX-License-Identifier: MIT
#include "sim/commands/cli/pager.h"

#include <string>

#include <catch2/catch.hpp>

using gpusim::cli::choose_pager;
using gpusim::cli::PagerSetting;

namespace {

const std::string kThirtyLines(30, '\n');

PagerSetting terminal_of_24_rows() {
  PagerSetting setting;
  setting.is_terminal = true;
  setting.rows = 24;
  return setting;
}

}  // namespace

TEST_CASE("a list that is longer than the terminal is shown by less") {
  CHECK(choose_pager(terminal_of_24_rows(), kThirtyLines) == "less");
  // The prompt takes the last line of the terminal.
  CHECK(choose_pager(terminal_of_24_rows(), std::string(24, '\n')) == "less");
  CHECK(choose_pager(terminal_of_24_rows(), std::string(23, '\n')).empty());
}

TEST_CASE("PAGER names another pager, and GPUSIM_PAGER one for gpusim alone") {
  PagerSetting setting = terminal_of_24_rows();
  setting.general = "more";
  CHECK(choose_pager(setting, kThirtyLines) == "more");
  setting.own = "most -s";
  CHECK(choose_pager(setting, kThirtyLines) == "most -s");
}

TEST_CASE("a pipe, --no-pager, an empty variable and cat mean no pager") {
  PagerSetting pipe = terminal_of_24_rows();
  pipe.is_terminal = false;
  pipe.own = "more";
  CHECK(choose_pager(pipe, kThirtyLines).empty());
  PagerSetting unwanted = terminal_of_24_rows();
  unwanted.is_wanted = false;
  unwanted.own = "more";
  CHECK(choose_pager(unwanted, kThirtyLines).empty());
  PagerSetting empty = terminal_of_24_rows();
  empty.general = "more";
  for (const char* const none : {"", "cat"}) {
    empty.own = none;
    CHECK(choose_pager(empty, kThirtyLines).empty());
  }
}
