// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/outcome.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/commands/lab/run/bench.h"

using namespace gpusim;
using Kind = lab::LimitedEnd::Kind;

namespace {

const nlohmann::json kNothing = nlohmann::json::object();

std::string reason_of(Kind kind, double cpu_seconds = 0, const nlohmann::json& said = kNothing) {
  lab::LimitedEnd end;
  end.kind = kind;
  end.cpu_seconds = cpu_seconds;
  return lab::reason(end, said, "k.trace", lab::Bench::kWallSeconds);
}

}  // namespace

TEST_CASE("work that comes to its end has no reason to tell") {
  CHECK(reason_of(Kind::kDone).empty());
}

TEST_CASE("each limit is told by its own number") {
  CHECK(reason_of(Kind::kOutOfTime, 6) ==
        "k.trace did not end within the 6 s of processor time that all runs of a check have together. Does every loop "
        "end?");
  CHECK(reason_of(Kind::kOutOfWallTime, 2.5) ==
        "k.trace did not end within the 8 s that a check has for all that it runs and compiles, and had the processor "
        "for 2.5 s of "
        "them. Does every loop end? If so, try again when this machine has less to do.");
  CHECK(reason_of(Kind::kOutOfMemory) == "k.trace takes more than 480 MB of memory. Does every loop end?");
}

TEST_CASE("a launch of more than a million CTAs is named as the likely cause") {
  CHECK(reason_of(Kind::kOutOfTime, 6, {{"ctas", 1'000'000'000}}) ==
        "k.trace did not end within the 6 s of processor time that all runs of a check have together. It launches "
        "1,000,000,000 CTAs: does the grid follow from the parameters?");
}

TEST_CASE("what a file is refused for is told before any limit") {
  std::string said;
  lab::say_outcome([&said](std::string_view text) { said += text; },
                   []() -> nlohmann::json {
                     throw InputError({{"k.trace", 3, 7}, "no opcode 'FFMB'", "FFMA"});
                   });
  const nlohmann::json heard = lab::heard(said);
  CHECK(lab::is_refused(heard));
  CHECK(reason_of(Kind::kOutOfTime, 6, heard) == "k.trace:3:7: no opcode 'FFMB' (FFMA)");
}
