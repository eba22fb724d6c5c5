// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/submit/shell.h"

#include <catch2/catch.hpp>

#include "tests/commands/sweep/submit/hostile.h"

namespace gpusim::sweep {
namespace {

TEST_CASE("A shell reads every quoted word back as it was") {
  for (const std::string& word : hostile_words()) {
    CAPTURE(word);
    CHECK(shell_output("printf '<%s>' " + shell_word(word)) == "<" + word + ">");
  }
}

TEST_CASE("Words that need no quotes have none") {
  CHECK(shell_word("/data/me/sweep-1_b.d") == "/data/me/sweep-1_b.d");
  CHECK(shell_word("it's") == "'it'\\''s'");
}

TEST_CASE("A line holds its words, however many the shell would have made of them") {
  std::string expected;
  for (const std::string& word : hostile_words()) {
    expected += "<" + word + ">";
  }
  CHECK(shell_output("printf '<%s>' " + shell_line(hostile_words())) == expected);
}

}  // namespace
}  // namespace gpusim::sweep
