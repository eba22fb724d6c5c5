// SPDX-License-Identifier: MIT
// gpusim sweep --cost: which GPU to rent.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace gpusim::app::sweep_cost_test {
namespace {

/// Two GPUs with prices in files of the user's own.
void write_priced_parts(const Workshop& workshop) {
  workshop.write("dear.yaml", "extends: h100\nprice: {usd_per_hour: [4, given, \"an offer of 2026-01-31\"]}\n");
  workshop.write("cheap.yaml", "extends: a100\nprice: {usd_per_hour: [1, given, \"an offer of 2026-01-31\"]}\n");
}

constexpr const char* kSmall = "--trace saxpy --test-params --quiet ";

}  // namespace

TEST_CASE("sweep --cost ranks GPUs by time and by cost, and names those without a price") {
  const Workshop workshop;
  write_priced_parts(workshop);
  const auto said = workshop.run(std::string("sweep --arch dear.yaml --arch cheap.yaml --arch l40s --cost "
                                             "price.usd_per_hour ") +
                                 kSmall);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Catch::Contains("GPUs compared") &&
                           Catch::Contains("l40s has no cost: its file says nothing of 'price.usd_per_hour'."));
}

TEST_CASE("sweep show takes the study's cost unless another is given") {
  const Workshop workshop;
  write_priced_parts(workshop);
  const auto cost = [&workshop](const std::string& options) {
    return nlohmann::json::parse(workshop.run("sweep show --format json " + options).out)["points"][0]["cost"];
  };
  CHECK(workshop.run(std::string("sweep --arch dear.yaml --cost 'price.usd_per_hour * 2' ") + kSmall).code == 0);
  CHECK(cost("") == 8);
  CHECK(cost("--cost price.usd_per_hour") == 4);
}

TEST_CASE("A price that was set for a sweep is its cost") {
  const Workshop workshop;
  const auto said = workshop.run(
      std::string("sweep --arch h100 --set price.usd_per_hour=2.5 --cost price.usd_per_hour --format json ") + kSmall);
  CHECK(said.code == 0);
  CHECK(nlohmann::json::parse(said.out)["points"][0]["cost"] == 2.5);
}

TEST_CASE("Prices on the command line rank GPUs by what runs cost, in a sweep and in its answers") {
  const Workshop workshop;
  const std::string small = " --trace saxpy --test-params";
  const auto swept = workshop.run("sweep --arch h100 --arch a100 --price h100=3.6,a100=1.8" + small);
  CHECK(swept.code == 0);
  CHECK_THAT(swept.out, Catch::Contains("USD/hour") && Catch::Contains("USD per million runs"));
  const auto shown = workshop.run("sweep show --price h100=7.2,a100=1.8 --format json");
  CHECK(shown.code == 0);
  const nlohmann::json gpus = nlohmann::json::parse(shown.out)["best"][0]["parts"];
  REQUIRE(gpus.size() == 2);
  for (const nlohmann::json& gpu : gpus) {
    const double price = gpu["arch"] == "h100" ? 7.2 : 1.8;
    CHECK(gpu["cost"] == price);
    CHECK(gpu["usd_a_million_runs"].get<double>() == Approx(price * gpu["value"].get<double>() / 3600));
  }
  CHECK(workshop.run("sweep show").code == 0);  // the study keeps no price
}

TEST_CASE("A price that cannot be read, or is of no GPU, is refused") {
  const Workshop workshop;
  const std::string sweep = "sweep --arch h100 --trace saxpy --test-params --price ";
  CHECK_THAT(workshop.run(sweep + "h100").err, Catch::Contains("--price: 'h100' has no price; write NAME=USD"));
  CHECK_THAT(workshop.run(sweep + "h100=free").err, Catch::Contains("has a price that is not a number above 0"));
  CHECK_THAT(workshop.run(sweep + "h100=-1").err, Catch::Contains("has a price that is not a number above 0"));
  CHECK_THAT(workshop.run(sweep + "h100=1,h100=2").err, Catch::Contains("'h100=2' is given twice"));
  CHECK_THAT(workshop.run(sweep + "h100=1 --cost sm.count").err,
             Catch::Contains("--price does not go with --cost 'sm.count', which has no price.usd_per_hour"));
  const auto unknown = workshop.run(sweep + "h10=1");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Catch::Contains("--price: no point has the architecture 'h10' (did you mean 'h100'?)"));
  CHECK_FALSE(std::filesystem::exists(workshop.folder() / "gpusim-sweep.db"));
}

TEST_CASE("A new price needs no new run") {
  const Workshop workshop;
  const std::string sweep = "sweep --arch dear.yaml --cost price.usd_per_hour --trace saxpy --test-params";
  write_priced_parts(workshop);
  CHECK_THAT(workshop.run(sweep).err, Catch::Contains("1 point run"));
  workshop.write("dear.yaml", "extends: h100\nprice: {usd_per_hour: [3, given, \"an offer of 2026-02-28\"]}\n");
  CHECK_THAT(workshop.run(sweep).err, Catch::Contains("0 points run, 1 were there already"));
}

TEST_CASE("A cost that cannot be had is refused before anything runs") {
  const Workshop workshop;
  const auto unread = workshop.run(std::string("sweep --arch h100 --cost '2 +' ") + kSmall);
  CHECK(unread.code == 2);
  CHECK_FALSE(std::filesystem::exists(workshop.folder() / "gpusim-sweep.db"));
  const auto unpriced = workshop.run(std::string("sweep --arch h100 --cost price.usd_per_hour ") + kSmall);
  CHECK(unpriced.code == 2);
  CHECK_THAT(unpriced.err, Catch::Contains("'price.usd_per_hour' is not known of any GPU: h100"));
  const auto misspelt = workshop.run(std::string("sweep --arch h100 --cost 'sm.cout * time_us' ") + kSmall);
  CHECK(misspelt.code == 2);
  CHECK_THAT(misspelt.err, Catch::Contains("no point has 'sm.cout'") && Catch::Contains("did you mean 'sm.count'?"));
  CHECK_THAT(workshop.run("sweep show").err, Catch::Contains("no such database"));
}

TEST_CASE("A cost may name the metrics that points will have") {
  const Workshop workshop;
  const auto said =
      workshop.run(std::string("sweep --arch h100 --format json --cost 'sm.count * warp_instructions' ") + kSmall);
  CHECK(said.code == 0);
  CHECK(nlohmann::json::parse(said.out)["points"][0]["cost"] > 0);
}

}  // namespace gpusim::app::sweep_cost_test
