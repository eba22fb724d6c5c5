// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/limited.h"

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "sim/base/temporary_folder.h"

using namespace gpusim;
using Kind = lab::LimitedEnd::Kind;

TEST_CASE("work in a process of its own says what it found, and changes nothing here") {
  int here = 1;
  const lab::LimitedEnd end = lab::run_limited({}, [&here](const lab::Say& say) {
    here = 2;
    say("one ");
    say(std::string(200'000, 'x'));
  });
  CHECK(end.kind == Kind::kDone);
  CHECK(end.said == "one " + std::string(200'000, 'x'));
  CHECK(here == 1);
}

TEST_CASE("work without an end is ended, and what it said before is there") {
  const lab::LimitedEnd end = lab::run_limited({1, 100'000'000}, [](const lab::Say& say) {
    say("begun");
    volatile int turns = 0;
    while (turns >= 0) {
      turns = 1;
    }
  });
  CHECK(end.kind == Kind::kOutOfTime);
  CHECK(end.said == "begun");
  CHECK(end.cpu_seconds > 0.5);
}

TEST_CASE("work that waits for ever is ended, too") {
  const lab::LimitedEnd end = lab::run_limited({5, 100'000'000, 1}, [](const lab::Say&) {
    while (true) {
      ::pause();
    }
  });
  CHECK(end.kind == Kind::kOutOfWallTime);
  CHECK(end.cpu_seconds < 1);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("work that takes too much memory is ended") {
  const lab::LimitedEnd end = lab::run_limited({5, 300'000'000}, [](const lab::Say& say) {
    const std::vector<char> all(1'000'000'000, 'x');
    say(std::string(all.begin(), all.begin() + 1));
  });
  CHECK(end.kind == Kind::kOutOfMemory);
}
#endif

TEST_CASE("work that fails is not a reason to fail") {
  CHECK(lab::run_limited({}, [](const lab::Say&) { throw std::runtime_error("no"); }).kind == Kind::kCrashed);
  CHECK(lab::run_limited({}, [](const lab::Say&) { std::_Exit(77); }).kind == Kind::kCrashed);
}

TEST_CASE("programs that the work starts end with it") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "alive").string();
  const std::string script = "(while :; do touch '" + file + "'; sleep 0.02; done) & wait";
  const lab::LimitedEnd end = lab::run_limited(
      {5, 300'000'000, 0.3, 1'000'000}, [&script](const lab::Say&) { static_cast<void>(std::system(script.c_str())); });
  CHECK(end.kind == Kind::kOutOfWallTime);
  std::filesystem::remove(file);
  ::usleep(200'000);
  CHECK_FALSE(std::filesystem::exists(file));
}
