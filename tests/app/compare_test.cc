// SPDX-License-Identifier: MIT
// `gpusim compare` as its user meets it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/app/refused.h"

namespace compare_test {

using Catch::Matchers::Contains;
using gpusim::app::check_refused;
using gpusim::app::content_of;
using gpusim::app::Workshop;
using nlohmann::json;

namespace {

/// A workshop with two results, of which the second takes longer.
class Results : public Workshop {
 public:
  Results() {
    REQUIRE(run("-a h100 -t saxpy --test-params --json small.json").code == 0);
    REQUIRE(run("-a h100 -t saxpy --param n=65536 --json large.json").code == 0);
  }
};

}  // namespace

TEST_CASE("compare takes saved results, and its conditions decide its exit code") {
  const Results shop;
  const auto text = shop.run("compare small.json large.json --fail-if 'time_us < 1x'");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK_THAT(text.out, Contains("B against A") && Contains("saxpy") && Contains("passed"));
  const auto failed = shop.run("compare small.json large.json --fail-if 'time_us > 1.02x' --fail-if 'cycles < 1'");
  CHECK(failed.code == 5);
  CHECK_THAT(failed.out, Contains("FAILED"));
  CHECK_THAT(failed.err, Contains("--fail-if 'time_us > 1.02x' holds for B (large.json): time_us is "));
  CHECK(failed.err.find("cycles < 1") == std::string::npos);
  const auto same = shop.run("compare small.json small.json --fail-if 'time_us > 1x'");
  CHECK(same.code == 0);
  CHECK_THAT(same.out, Contains("No change: every total of B is that of A."));
}

TEST_CASE("compare prints JSON, and writes it beside the text") {
  const Results shop;
  const auto printed = shop.run("compare small.json large.json --format json");
  CHECK(printed.code == 0);
  const json root = json::parse(printed.out);
  CHECK(root.at("schema") == "gpusim.compare/1");
  CHECK(root.at("runs").at(1).at("source") == "large.json");
  const auto written = shop.run("compare small.json large.json --json compared.json");
  CHECK_THAT(written.out, Contains("Warp states"));
  CHECK(content_of(shop.folder() / "compared.json") == printed.out);
}

TEST_CASE("compare simulates every trace on every architecture, with values of their own") {
  const Workshop shop;
  const auto said = shop.run(
      "compare --arch h100 --arch h100:sm.count=66 --trace saxpy --trace saxpy:n=8192 --test-params --format json");
  INFO(said.err);
  CHECK(said.code == 0);
  const json root = json::parse(said.out);
  REQUIRE(root.at("runs").size() == 4);
  CHECK(root["runs"][1]["source"] == "saxpy:n=8192 on h100");
  CHECK(root["runs"][1]["parameters"]["n"] == 8192);
  CHECK(root["runs"][2]["source"] == "saxpy on h100:sm.count=66");
  CHECK(root["changes"][1]["settings"][1]["second"] == "66");
}

TEST_CASE("a saved result and its simulation are the same") {
  const Workshop shop;
  REQUIRE(shop.run("-a h100 -t saxpy --test-params --json saved.json").code == 0);
  const auto said = shop.run("compare saved.json -a h100 -t saxpy --test-params --fail-if 'cycles > 1x'");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("No change"));
}

TEST_CASE("compare refuses wrong usage") {
  const Workshop shop;
  check_refused(shop, {"compare", "needs two results", 1});
  check_refused(shop, {"compare a.json", "needs two results", 1});
  check_refused(shop, {"compare -a h100 -t saxpy", "needs two results", 1});
  check_refused(shop, {"compare a.json b.json -a h100", "--arch needs --trace", 1});
  check_refused(shop, {"compare a.json b.json -t saxpy", "--trace needs --arch", 1});
  check_refused(shop, {"compare a.json b.json --param n=5", "--param is for what is simulated", 1});
  check_refused(shop, {"compare a.json b.json --fail-if 'tiem_us > 1'", "did you mean 'time_us'?", 1});
  check_refused(shop, {"compare a.json b.json --json -", "use --format json", 1});
  check_refused(shop, {"compare a.json b.json --json x --html x", "--json and --html name the same file, 'x'", 1});
  check_refused(shop, {"compare -a h100 -t saxpy -t saxpy:n", "saxpy:n: no such file", 2});
  check_refused(shop, {"compare '' a.json", "a name is empty where a saved result is wanted", 1});
  check_refused(shop, {"compare -a '' -a h100 -t saxpy", "a name is empty where a file in configs is wanted", 1});
  check_refused(shop, {"compare -a saxpy -a h100 -t saxpy", "saxpy: no such file in configs (it is a trace, which", 2});
  check_refused(shop, {"compare -a h100 -t saxpy -t h100", "h100: no such file in traces (it is an architecture,", 2});
  check_refused(shop, {"compare saxpy h100", "saxpy: no such file (it is a trace, which --trace takes)", 2});
  check_refused(shop, {"compare -a h100 -t saxpy -t saxpy:n=1,m=2", "unknown parameter 'm'", 2});
}

TEST_CASE("compare refuses files that are not results, each with its reason") {
  const Results shop;
  const std::string text = content_of(shop.folder() / "small.json");
  shop.write("cut.json", text.substr(0, text.size() / 2));
  std::string other = text;
  other.replace(other.find("gpusim.result/1"), 15, "gpusim.result/9");
  shop.write("other.json", other);
  shop.write("empty.json", "");
  check_refused(shop, {"compare small.json cut.json", ": is not a result of gpusim: the file was cut short", 2});
  check_refused(shop, {"compare small.json other.json", "other.json: 'schema' is 'gpusim.result/9', not", 2});
  check_refused(shop, {"compare small.json empty.json", "empty.json: ", 2});
  check_refused(shop, {"compare small.json missing.json", "missing.json: no such file", 2});
  const auto both = shop.run("compare cut.json other.json");
  CHECK_THAT(both.err, Contains("cut.json:") && Contains("other.json: "));
  check_refused(shop, {"compare small.json large.json --json small.json", "small.json", 2});
}

TEST_CASE("compare --html writes a page of all results, and not over one of them") {
  const Results shop;
  REQUIRE(shop.run("compare small.json large.json --html page.html").code == 0);
  CHECK(content_of(shop.folder() / "page.html").size() > 100'000);
  const auto over = shop.run("compare small.json large.json --html large.json");
  CHECK(over.code == 2);
  CHECK_THAT(over.err, Contains("large.json: is what is to be read"));
}

}  // namespace compare_test
