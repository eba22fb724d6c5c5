// SPDX-License-Identifier: MIT
// The program explains itself: help, man page, completions, version.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace gpusim::app::help_test {

using Catch::Contains;
using Catch::StartsWith;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// "arch", "arch show", ...: the words below "Commands:" of each help, all the way down.
std::vector<std::string> commands_below(const Workshop& shop, const std::string& command) {
  std::vector<std::string> found;
  bool is_list = false;
  for (const std::string& line : lines_of(shop.run("help " + command).out)) {
    is_list = line == "Commands:" || (is_list && !line.empty());
    if (is_list && line.starts_with("  ") && line[2] != ' ') {
      found.push_back(command + (command.empty() ? "" : " ") + line.substr(2, line.find(' ', 2) - 2));
    }
  }
  const std::vector<std::string> here = found;
  for (const std::string& inner : here) {
    const std::vector<std::string> below = commands_below(shop, inner);
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

}  // namespace

TEST_CASE("the help of every command is at most 100 columns wide, and ends with two examples of its own") {
  const Workshop shop;
  const std::vector<std::string> commands = commands_below(shop, "");
  REQUIRE(commands.size() > 25);
  for (const std::string& command : commands) {
    INFO(command);
    const std::string help = shop.run(command + " --help").out;
    CHECK(help == shop.run("help " + command).out);
    CHECK(help.find("{false}") == std::string::npos);
    const std::vector<std::string> lines = lines_of(help);
    const auto examples = std::ranges::find(lines, "Examples:");
    CHECK(std::count_if(examples, lines.end(), [&](const std::string& line) {
            return line.find("gpusim " + command) != std::string::npos || command == "help";
          }) >= 2);
    CHECK(std::ranges::all_of(lines, [](const std::string& line) { return line.size() <= 100; }));
  }
}

TEST_CASE("the help of a command that is not there names the nearest") {
  const Workshop shop;
  const Workshop::Said said = shop.run("help sweep shwo");
  CHECK(said.code == 1);
  CHECK_THAT(said.err, Contains("'gpusim sweep' has no command 'shwo' (did you mean 'show'?)"));
}

TEST_CASE("the help shows the options that a run needs first, and what every command has last") {
  const Workshop shop;
  const std::string help = shop.run("--help").out;
  CHECK_THAT(help, Contains("Usage: gpusim --arch GPU --trace TRACE [OPTIONS]\n"));
  CHECK(help.find("What to simulate:") < help.find("Output:"));
  CHECK(help.find("Limits:") < help.find("Every command:"));
}

TEST_CASE("the version names the compiler") {
  const Workshop shop;
  CHECK_THAT(shop.run("--version").out, StartsWith("gpusim ") && Contains("g++ "));
}

TEST_CASE("the man page has every command, option, exit code and variable, and troff has no complaint") {
  const Workshop shop;
  const Workshop::Said page = shop.run("help --man");
  for (const std::string& command : commands_below(shop, "")) {
    CHECK_THAT(page.out, Contains(".SS gpusim " + command + "\n"));
  }
  CHECK_THAT(page.out, Contains("\\-\\-max\\-cycles N") && Contains(".SH EXIT STATUS") && Contains("\\fB143\\fR") &&
                           Contains("GPUSIM_PATH"));
  CHECK_THAT(page.out, !Contains(".SH OPTIONS\n.PP\n") && !Contains(".SH EXAMPLES\n.PP\n"));
  const auto lines = lines_of(page.out);
  CHECK(std::none_of(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("'"); }));
}

TEST_CASE("bash completes commands, options, choices and the names of GPUs") {
  const Workshop shop;
  const auto completed = [&](const std::string& words, const std::string& count) {
    return shop
        .shell("'" GPUSIM_PROGRAM
               "' help --completion bash >script; bash -c 'compopt() { :; }; . ./script; COMP_WORDS=(" +
               words + "); COMP_CWORD=" + count + "; _gpusim; printf \"%s \" \"${COMPREPLY[@]}\"' >out 2>err")
        .out;
  };
  CHECK(completed("gpusim arch sh", "2") == "show ");
  CHECK(completed("gpusim --arch h100", "2") == "h100 h100-pcie ");
  CHECK(completed("gpusim run --cache w", "3") == "warm ");
  CHECK(completed("gpusim sweep --one", "2") == "--one-at-a-time ");
  CHECK(completed("gpusim trace make softm", "3") == "softmax ");
  CHECK(completed("gpusim lab start coal", "3") == "coalescing ");
  CHECK(completed("gpusim help sw", "2") == "sweep ");
  CHECK(completed("gpusim --trace gemm-g", "2") == "gemm-grouped ");
  CHECK(completed("gpusim help arch sho", "3") == "show ");
}

TEST_CASE("every shell has completions, and a shell that is not known is refused by name") {
  const Workshop shop;
  CHECK_THAT(shop.run("help --completion zsh").out, StartsWith("#compdef gpusim\n"));
  CHECK_THAT(shop.run("help --completion fish").out, Contains("complete -c gpusim"));
  // fish shows the description of an option beside each of the values on its line.
  CHECK_THAT(shop.run("help --completion fish").out,
             Contains(" -l cache -x -d '") && Contains(" -l cache -x -a 'cold warm flush-between dirty'\n"));
  const Workshop::Said said = shop.run("help --completion fsh");
  CHECK(said.code == 1);
  CHECK_THAT(said.err, Contains("'fsh' is none of bash, zsh, fish"));
}

TEST_CASE("the list of kernels can be about a word, and a word that no kernel has is refused") {
  const Workshop shop;
  const std::string list = shop.run("trace make --list attention").out;
  CHECK_THAT(list, Contains("flash-attention-2") && !Contains("saxpy"));
  const Workshop::Said said = shop.run("trace make --list atention");
  CHECK(said.code == 2);
  CHECK_THAT(said.err,
             Contains("atention: no kernel of the library has this word") && Contains("did you mean 'attention'?"));
}

TEST_CASE("a shipped trace is not taken for a kernel of the library") {
  const Workshop shop;
  CHECK_THAT(shop.run("trace make flashattn").err,
             Contains("no such kernel in the library (it is a trace, which --trace takes; 'gpusim trace make --list'"));
}

TEST_CASE("the options of every command stand in the program's help, and the others name it") {
  const Workshop shop;
  CHECK_THAT(shop.run("help").out, Contains("--no-pager"));
  CHECK_THAT(shop.run("help compare").out,
             Contains("Every command also takes --help, --quiet, --color and --no-pager: see gpusim help"));
}

TEST_CASE("an option that is given twice is explained") {
  const Workshop shop;
  const Workshop::Said said = shop.run("--arch h100 --trace saxpy --trace transpose");
  CHECK(said.code == 1);
  CHECK_THAT(said.err, Contains("--trace is given more than once: a run simulates one trace on one GPU; 'gpusim "
                                "compare' and 'gpusim sweep' take several"));
}

TEST_CASE("on a terminal long lists and help go through the pager, and nothing else does") {
  const Workshop shop;
  shop.write("pager", "#!/bin/sh\necho PAGER with LESS=$LESS\nexec cat\n");
  const std::string program = std::string("'\\''") + GPUSIM_PROGRAM + "'\\'' ";
  // script(1) gives the command a terminal, here of 10 lines.
  const auto on_terminal = [&](const std::string& arguments, const std::string& variables) {
    return shop
        .shell("chmod +x pager; unset PAGER GPUSIM_PAGER LESS; " + variables +
               " TERM=xterm script -qec 'stty rows 10; " + program + arguments + "' /dev/null >out 2>err </dev/null")
        .out;
  };
  for (const char* const list : {"trace make --list", "arch list", "lab list", "help", "--help", "sweep --help"}) {
    INFO(list);
    CHECK_THAT(on_terminal(list, "PAGER=./pager"), StartsWith("PAGER with LESS=FRX"));
    CHECK_THAT(on_terminal(list, "PAGER=false GPUSIM_PAGER=./pager LESS=S"), StartsWith("PAGER with LESS=S"));
    CHECK_THAT(on_terminal(std::string(list) + " --no-pager", "PAGER=./pager"), !Contains("PAGER with"));
    CHECK_THAT(on_terminal(list, "PAGER=./pager GPUSIM_PAGER="), !Contains("PAGER with"));
    CHECK_THAT(shop.run(list, "PAGER=./pager").out, !Contains("PAGER with") && !StartsWith("PAGER"));
  }
  CHECK_THAT(on_terminal("arch show h100 --format json", "PAGER=./pager"), !Contains("PAGER with"));
  CHECK_THAT(on_terminal("--version", "PAGER=./pager"), StartsWith("gpusim "));
}

TEST_CASE("a list is printed all the same where its pager is not to be found") {
  const Workshop shop;
  const std::string program = std::string("'\\''") + GPUSIM_PROGRAM + "'\\'' ";
  CHECK_THAT(shop.shell("TERM=xterm GPUSIM_PAGER=no-such-pager script -qec 'stty rows 10; " + program +
                        "arch list' /dev/null >out 2>err </dev/null")
                 .out,
             Contains("h100"));
}

}  // namespace gpusim::app::help_test
