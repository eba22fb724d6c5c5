// SPDX-License-Identifier: MIT
// Timelines of warps: --watch, --record, --why, --timeline and --konata, and how they refuse what they cannot do.
#include <algorithm>
#include <array>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/refused.h"

namespace timeline_test {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using gpusim::app::check_refused;
using gpusim::app::content_of;
using gpusim::app::Workshop;
using gpusim::app::Wrong;
using nlohmann::json;

namespace {

const std::string kSaxpy = "--arch h100 --trace saxpy --test-params ";
/// Goes on behind what is watched.
const std::string kLong = "--arch h100 --trace saxpy --param n=500000 ";

}  // namespace

TEST_CASE("--watch shows a timeline, says how much was simulated, and is not an error") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kLong + "--watch sm=0,warp=0,cycles=0..600");
  CHECK(said.code == 0);
  CHECK(said.err.empty());
  CHECK_THAT(said.out, StartsWith("simulated: cycles 0 to ") && Contains("the run stopped there"));
  CHECK_THAT(said.out, Contains("Timeline of SM 0") && Contains("\n  w0 0.0 ") && Contains("IMAD"));
}

TEST_CASE("--watch as JSON is the result up to there, with its intervals") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kLong + "--watch sm=1,cycles=0..600 --format json");
  CHECK(said.code == 0);
  const json result = json::parse(said.out);
  CHECK(result["complete"] == false);
  CHECK(result["stopped_after_watch"] == true);
  REQUIRE_FALSE(result["watch"]["rows"].empty());
  for (const json& row : result["watch"]["rows"]) {
    CHECK(row[1] == 1);
    CHECK(row[7].get<std::uint64_t>() <= 601);
  }
}

TEST_CASE("--record keeps the warps of SMs in a whole run, and changes nothing else") {
  const Workshop shop;
  json with = json::parse(shop.run(kSaxpy + "--record warps=0:0..200,warps=2 --record warps=1 --format json").out);
  json without = json::parse(shop.run(kSaxpy + "--format json").out);
  CHECK(with["complete"] == true);
  std::array<std::uint64_t, 3> last{};
  for (const json& row : with["watch"]["rows"]) {
    std::uint64_t& end = last.at(row[1].get<std::size_t>());
    end = std::max(end, row[7].get<std::uint64_t>());
  }
  CHECK(last[0] <= 201);
  CHECK(last[1] > 201);
  CHECK(last[2] > 201);
  with.erase("watch");
  with.erase("host");
  without.erase("host");
  CHECK(with == without);
}

TEST_CASE("--watch shows of a saved recording what it shows of a run, but for how much was simulated") {
  const Workshop shop;
  REQUIRE(shop.run(kLong + "--record warps=0,warps=1 --json saved.json").code == 0);
  const auto timeline = [](const std::string& text) { return text.substr(text.find('\n')); };
  for (const std::string watch : {"--watch sm=0,warp=0,cycles=0..600", "--watch sm=1,cycles=37..460 --details"}) {
    const Workshop::Said saved = shop.run("report saved.json " + watch);
    CHECK(saved.code == 0);
    CHECK_THAT(saved.out, StartsWith("simulated: all kernels, to their ends\n"));
    CHECK(timeline(saved.out) == timeline(shop.run(kLong + watch).out));
  }
  const std::string watch = "--watch sm=1,cycles=37..460 --format json";
  const json saved = json::parse(shop.run("report saved.json " + watch).out);
  CHECK(saved["complete"] == true);
  CHECK(saved["watch"] == json::parse(shop.run(kLong + watch).out)["watch"]);
}

TEST_CASE("--watch of a saved result refuses what it does not hold") {
  const Workshop shop;
  REQUIRE(shop.run(kSaxpy + "--record warps=0 --json saved.json").code == 0);
  const std::string report = "report saved.json ";
  for (const Wrong& wrong : {
           Wrong{report + "--watch sm=1,cycles=0..50",
                 "--watch: no warp of SM 1 is recorded in cycles 0 to 50 (recorded: SM 0, cycles ", 2},
           Wrong{report + "--watch cycles=0..1",
                 "no warp of SM 0 is recorded in cycles 0 to 1 (recorded: SM 0, cycles ", 2},
           Wrong{report + "--watch warp=63", "no warp in slot 63 of SM 0 is recorded in cycles 0 to 399", 2},
           Wrong{report + "--watch warp=64", "--watch: warp=64: there is no such warp in an SM (allowed: 0 to 63)", 2},
           Wrong{report + "--watch sm=132", "--watch: sm=132: there is no such sm in H100", 2},
           Wrong{report + "--watch kernel=1", "--watch: kernel=1: there is no such kernel in the run", 2},
           Wrong{report + "--watch cycles=90000000..90000100", "there is no such cycle in kernel 0", 2},
           Wrong{report + "--watch ''", "--watch: its value is empty"},
           Wrong{report + "--watch sm=0 --format csv", "--watch: a timeline has no CSV form"},
           Wrong{report + "--watch sm=0 --why warp=0,cycle=9", "--why does not go with --watch"},
           Wrong{report + "--watch sm=0 --kernel k", "--kernel does not go with --watch"},
           Wrong{report + "--why warp=0,cycle=9 --kernel k", "--kernel does not go with --why"},
       }) {
    check_refused(shop, wrong);
  }
  REQUIRE(shop.run(kSaxpy + "--json saved.json").code == 0);
  check_refused(shop, {report + "--watch sm=0", "(record them with --record warps=SM[:A..B])", 2});
}

TEST_CASE("--why answers in five lines, on a run and on a saved one") {
  const Workshop shop;
  REQUIRE(shop.run(kSaxpy + "--record warps=0 --json saved.json").code == 0);
  const json rows = json::parse(content_of(shop.folder() / "saved.json"))["watch"]["rows"];
  const auto wait = std::find_if(rows.begin(), rows.end(), [](const json& row) { return row[8] == "long_scoreboard"; });
  REQUIRE(wait != rows.end());
  const std::string question = "--why sm=0,warp=" + (*wait)[3].dump() + ",cycle=" + (*wait)[6].dump();
  const Workshop::Said on_run = shop.run(kSaxpy + question);
  CHECK(on_run.code == 0);
  CHECK(std::count(on_run.out.begin(), on_run.out.end(), '\n') <= 6);  // five answers, of which one may be wrapped
  CHECK_THAT(on_run.out, Contains(": long_scoreboard, it waits for") && Contains("LDG.E"));
  CHECK(shop.run("report saved.json " + question).out == on_run.out);
}

TEST_CASE("--why as JSON says the same on a run and on a saved one, also of a warp that issues") {
  const Workshop shop;
  REQUIRE(shop.run(kSaxpy + "--record warps=0 --json saved.json").code == 0);
  const json rows = json::parse(content_of(shop.folder() / "saved.json"))["watch"]["rows"];
  const auto issue = std::find_if(rows.begin(), rows.end(), [](const json& row) { return row[8] == "selected"; });
  REQUIRE(issue != rows.end());
  const std::string question = "--format json --why sm=0,warp=" + (*issue)[3].dump() + ",cycle=" + (*issue)[6].dump();
  const Workshop::Said on_run = shop.run(kSaxpy + question);
  CHECK(on_run.code == 0);
  const json why = json::parse(on_run.out);
  CHECK(why["state"] == "selected");
  CHECK(why["next"].is_object());
  CHECK(shop.run("report saved.json " + question).out == on_run.out);
}

TEST_CASE("--timeline and --konata write files beside the report") {
  const Workshop shop;
  const Workshop::Said said =
      shop.run(kSaxpy + "--record warps=0:0..400 --timeline t.json --konata k.log --json saved.json");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, StartsWith("gpusim "));
  const std::string events = content_of(shop.folder() / "t.json");
  CHECK(json::parse(events)["traceEvents"].size() > 100);
  const std::string log = content_of(shop.folder() / "k.log");
  CHECK_THAT(log, StartsWith("Kanata\t0004\n"));
  REQUIRE(shop.run("report saved.json --timeline t2.json.gz --konata k2.log").code == 0);
  CHECK(content_of(shop.folder() / "k2.log") == log);
  (void)shop.shell("gzip -dc t2.json.gz >out 2>err");
  CHECK(content_of(shop.folder() / "out") == events);
}

TEST_CASE("malformed timeline options exit with 1 and say what is expected") {
  const Workshop shop;
  for (const Wrong& wrong : {
           Wrong{kSaxpy + "--record warp=0", "--record: 'warp=0' is none of series, warps=SM[:A..B]"},
           Wrong{kSaxpy + "--record warps", "--record: 'warps' is not warps=SM[:A..B]"},
           Wrong{kSaxpy + "--record warps=x", "--record warps: 'x' is not a whole number"},
           Wrong{kSaxpy + "--record warps=0:9..3", "--record warps: '9..3' ends before it begins"},
           Wrong{kSaxpy + "--record warps=0,warps=0:1..2", "the warps of SM 0 are asked for twice"},
           Wrong{kSaxpy + "--record warps=0 --watch sm=0", "--record warps does not go with --watch"},
           Wrong{kSaxpy + "--why warp=0", "--why needs a warp and a cycle"},
           Wrong{kSaxpy + "--why warp=0,cycle=1,lane=2", "'lane=2' is none of sm=S, warp=W, cycle=N, kernel=K"},
           Wrong{kSaxpy + "--why warp=0,cycle=1,cycle=2", "--why: cycle is given twice"},
           Wrong{kSaxpy + "--why warp=0,cycle=1 --watch sm=0", "--why does not go with --watch"},
           Wrong{kSaxpy + "--why warp=0,cycle=1 --format csv", "--why: the answer has no CSV form"},
           Wrong{kSaxpy + "--why ''", "--why: its value is empty"},
           Wrong{kSaxpy + "--watch ''", "--watch: its value is empty"},
           Wrong{kSaxpy + "--watch warp=3,warp=4", "--watch: 'warp' is given twice"},
           Wrong{kSaxpy + "--konata k.log", "--konata needs the warps of one SM: --record warps=SM[:A..B]"},
           Wrong{kSaxpy + "--konata k.log --record warps=0,warps=1", "--konata needs the warps of one SM"},
           Wrong{kSaxpy + "--timeline -", "--timeline: '-' is not a file"},
       }) {
    check_refused(shop, wrong);
  }
}

TEST_CASE("SMs, warps, cycles and kernels that are not there exit with 2 and say what is") {
  const Workshop shop;
  for (const Wrong& wrong : {
           Wrong{kSaxpy + "--record warps=132", "--record warps: sm=132: the architecture has SMs 0 to 131", 2},
           Wrong{kSaxpy + "--watch kernel=1", "--watch: kernel=1: the trace has kernels 0 to 0", 2},
           Wrong{kSaxpy + "--watch cycles=900000..900010", "--watch: cycle=900000: there is no such cycle in kernel 0",
                 2},
           Wrong{kSaxpy + "--why warp=0,cycle=1", "--why: warp 0 of SM 0 (0.0) arrives at cycle ", 2},
           Wrong{kSaxpy + "--why sm=132,warp=0,cycle=1", "--why: sm=132: the architecture has SMs 0 to 131", 2},
           Wrong{kSaxpy + "--why warp=64,cycle=1", "--why: warp=64: an SM of the architecture has warps 0 to 63", 2},
           Wrong{kSaxpy + "--why warp=0,cycle=1,kernel=3", "--why: kernel=3: the trace has kernels 0 to 0", 2},
           Wrong{kSaxpy + "--why warp=0,cycle=99999999", "cycle=99999999: there is no such cycle in kernel 0", 2},
       }) {
    check_refused(shop, wrong);
  }
  REQUIRE(shop.run(kSaxpy + "--json plain.json").code == 0);
  check_refused(shop, {"report plain.json --why warp=0,cycle=100", "no warp of SM 0 is recorded in cycle 100", 2});
  check_refused(shop, {"report plain.json --konata k.log", "the result has the warps of 0 SMs", 2});
}

}  // namespace timeline_test
