// SPDX-License-Identifier: MIT
// gpusim --advise as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace advise_test {

using Catch::Matchers::Contains;
using gpusim::app::content_of;
using gpusim::app::Workshop;
using nlohmann::json;

namespace {

const std::string kTranspose = "--arch h100 --trace transpose --test-params ";

}  // namespace

TEST_CASE("--advise simulates what the findings ask for, and says what it gains") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kTranspose + "--advise --json result.json --quiet");
  CHECK(said.code == 0);
  CHECK(said.err.empty());
  CHECK_THAT(said.out, Contains("What if  simulated again") && Contains("ideal_coalescing"));
  CHECK_THAT(said.out, Contains("Uncoalesced global accesses, line 51: simulated: "));
  CHECK_THAT(said.out, !Contains("no_bank_conflicts"));
  const json kernel = json::parse(content_of(shop.folder() / "result.json"))["kernels"][0];
  CHECK(kernel["advice"][0]["what_if"] == "ideal_coalescing");
  CHECK(kernel["advice"][0]["gain_pct"] > 20);
  CHECK(kernel["advice"][0]["findings"] == json::array({"uncoalesced"}));
  CHECK_THAT(shop.run("report result.json").out, Contains("ideal_coalescing"));
}

TEST_CASE("without --advise there is an estimate and no what-if") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kTranspose);
  CHECK_THAT(said.out, Contains("Uncoalesced global accesses, line 51: up to "));
  CHECK_THAT(said.out, !Contains("What if"));
}

TEST_CASE("--advise changes no number of the run itself") {
  const Workshop shop;
  json plain = json::parse(shop.run(kTranspose + "--format json").out);
  json advised = json::parse(shop.run("run --advise " + kTranspose + "--format json").out);
  for (json* const result : {&plain, &advised}) {
    result->erase("host");
    (*result)["kernels"][0].erase("findings");
    (*result)["kernels"][0].erase("advice");
  }
  CHECK(plain == advised);
}

TEST_CASE("--advise=all runs every what-if; one without gain says so") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kTranspose + "--advise=all");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("no_bank_conflicts") && Contains("(no finding asks for it)"));
}

TEST_CASE("--advise says so where no what-if tests what was found") {
  const Workshop shop;
  const Workshop::Said said = shop.run("--arch h100 --trace gemv --test-params --set launch.kernel_ns=0ns --advise");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, !Contains("What if"));
  CHECK_THAT(said.err, Contains("no what-if tests what was found here; --advise=all simulates all"));
}

TEST_CASE("what --advise does not go with is refused") {
  const Workshop shop;
  for (const auto& [more, why] : {std::pair{"--advise --watch sm=0,cycles=0..10", "--advise does not go with --watch"},
                                  std::pair{"--advise --format csv", "--advise does not go with --format csv"},
                                  std::pair{"--advise --why sm=0,warp=0,cycle=1", "--advise does not go with --why"},
                                  std::pair{"--advise --format ncu-csv", "does not go with --format ncu-csv"},
                                  std::pair{"--advise=some", "'some' is neither 'found' nor 'all'"}}) {
    const Workshop::Said said = shop.run(kTranspose + more);
    CHECK(said.code != 0);
    CHECK(said.out.empty());
    CHECK_THAT(said.err, Contains(why));
  }
}

}  // namespace advise_test
