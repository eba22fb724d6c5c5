// SPDX-License-Identifier: MIT
#include "sim/app/child_process.h"

#include <cerrno>
#include <system_error>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace gpusim::app {
namespace {

Ended run(const std::vector<std::string>& words) {
  return run_child(words, ".");
}

TEST_CASE("A child's output, errors and exit code are told apart") {
  const Ended ended = run({"sh", "-c", "echo out; echo err >&2; exit 7"});
  CHECK(ended.status == 7);
  CHECK(ended.output == "out\n");
  CHECK(ended.errors == "err\n");
}

TEST_CASE("A child gets its words as they are, without a shell") {
  CHECK(run({"printf", "<%s>", "a b", "$HOME", "*", ""}).output == "<a b><$HOME><*><>");
}

TEST_CASE("A child runs in its folder, whatever that is called") {
  const Workshop workshop;
  const std::filesystem::path folder = workshop.folder() / "it's a $HOME";
  std::filesystem::create_directory(folder);
  CHECK(run_child(std::vector<std::string>{"pwd", "-P"}, folder).output ==
        std::filesystem::canonical(folder).string() + "\n");
}

TEST_CASE("A child that a signal ends has the code that a shell would tell") {
  CHECK(run({"sh", "-c", "kill -9 $$"}).status == 137);
}

TEST_CASE("A program that is not there is an error of its own") {
  try {
    static_cast<void>(run({"gpusim-no-such-program"}));
    FAIL("it started");
  } catch (const std::system_error& error) {
    CHECK(error.code() == std::errc::no_such_file_or_directory);
  }
}

TEST_CASE("A child may say more than a pipe holds, in any order") {
  const Ended ended = run({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 200000 /dev/zero; echo end >&2"});
  CHECK(ended.errors.size() == 300'004);
  CHECK(ended.output.size() == 200'000);
}

TEST_CASE("A child that waits for input gets none") {
  CHECK(run({"cat"}).status == 0);
}

}  // namespace
}  // namespace gpusim::app
