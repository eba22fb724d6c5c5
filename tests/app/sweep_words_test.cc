// SPDX-License-Identifier: MIT
// gpusim sweep: studies as files, and what it says of what it cannot do.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/app/refused.h"

namespace gpusim::app::sweep_words_test {
namespace {

const std::string kSmall = "sweep --arch h100 --trace saxpy --test-params ";

}  // namespace

TEST_CASE("what is wrong with a study's file is bad input, with its lines, also what shows when its trace is read") {
  const Workshop shop;
  shop.write("a.yaml", "arch: h100\nvary: {sm.count: 66}\n");
  check_refused(shop, {"sweep a.yaml", "a.yaml: lacks 'trace'", 2});
  shop.write("b.yaml", "arch: h100\ntrace: saxpy\njobs: many\nkernel: '('\n");
  check_refused(shop, {"sweep b.yaml", "b.yaml:3:7: 'jobs': 'many' is not a whole number", 2});
  check_refused(shop, {"sweep b.yaml", "b.yaml:4:9: 'kernel': '(' is not a regular expression", 2});
  shop.write("c.yaml", "arch: h100\ntrace: saxpy\ntest_params: true\nvary:\n  param.q: [1, 2]\nwhere: param.r > 1\n");
  check_refused(shop, {"sweep c.yaml", "c.yaml:5:3: 'saxpy' has no parameter 'q'", 2});
  check_refused(shop, {"sweep c.yaml", "c.yaml:6:8: 'saxpy' has no parameter 'r'", 2});
  shop.write("d.yaml", "arch: h100\ntrace: saxpy\ntest_params: true\nwhere: sm.count > 500\n");
  check_refused(shop, {"sweep d.yaml", "d.yaml:4:1: leaves none of 1 point", 2});
}

TEST_CASE("a study's files are looked up beside it first, then as those of the command line are") {
  const Workshop shop;
  std::filesystem::create_directory(shop.folder() / "studies");
  std::filesystem::copy_file(std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / "h100.yaml",
                             shop.folder() / "studies" / "mine.yaml");
  std::filesystem::copy_file(std::filesystem::path(GPUSIM_SOURCE_DIR) / "traces" / "saxpy.trace",
                             shop.folder() / "studies" / "kernel.trace");
  shop.write("studies/s.yaml", "arch: [mine, a100]\ntrace: kernel.trace\ntest_params: true\n");
  const Workshop::Said said = shop.run("sweep studies/s.yaml -f csv");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Catch::Contains("\nstudies/kernel.trace,studies/mine,done") &&
                           Catch::Contains("\nstudies/kernel.trace,a100,done"));
}

TEST_CASE("--dry-run asks nothing, checks the cost, and prints no other format than text") {
  const Workshop shop;
  CHECK(shop.run(kSmall + "--vary sm.count=1..501 --vary l2.ways=16,20 --dry-run").code == 0);
  check_refused(shop, {kSmall + "--dry-run --cost nonsense", "no point has 'nonsense'", 2});
  check_refused(shop, {kSmall + "--dry-run -f json", "--format json does not go with --dry-run", 1});
}

TEST_CASE("when no point can be run, every reason is given") {
  const Workshop shop;
  check_refused(shop, {kSmall + "--vary l2.slices=95,97", "l2.slices=95: --set l2.slices: 'l2.slices' is 95", 2});
  check_refused(shop, {kSmall + "--vary l2.slices=95,97", "l2.slices=97: --set l2.slices: 'l2.slices' is 97", 2});
  check_refused(shop, {kSmall + "--vary l2.slices=95,97", "none of the points, 2, can be run", 2});
}

TEST_CASE("merge and show say what to do about databases that have nothing") {
  const Workshop shop;
  shop.write("empty.db", "");
  check_refused(shop, {"sweep merge gone.db", "gone.db: no such database (run that shard, or leave it out)", 2});
  check_refused(shop, {"sweep show --db empty.db", "empty.db: is empty: nothing was stored", 2});
}

TEST_CASE("a damaged database is reported as damaged, with SQLite's words after our own") {
  const Workshop shop;
  REQUIRE(shop.run(kSmall + "--vary sm.count=1..9 --db a.db").code == 0);
  // Its second page, which the first one leads to.
  REQUIRE(shop.shell("dd if=/dev/zero of=a.db bs=4096 seek=1 count=9 conv=notrunc 2>err").code == 0);
  check_refused(shop, {"sweep merge a.db", "a.db: is damaged: SQLite", 2});
  check_refused(shop, {"sweep merge a.db", "(run that shard, or leave it out)", 2});
}

TEST_CASE(
    "the commands below sweep show their usage with their whole name, their defaults, and examples of their own") {
  const Workshop shop;
  const std::string show = shop.run("sweep show --help").out;
  CHECK_THAT(show, Catch::Contains("Usage: gpusim sweep show [OPTIONS]") && Catch::Contains("(default: time_us)") &&
                       Catch::Contains("(default: gpusim-sweep.db)") && !Catch::Contains("gpusim occupancy"));
  const std::string merge = shop.run("sweep merge --help").out;
  CHECK_THAT(merge, Catch::Contains("Usage: gpusim sweep merge") && Catch::Contains("merge shard-*.db"));
}

TEST_CASE("one point is not called points") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSmall);
  CHECK_THAT(said.err, Catch::Contains("1 point; results") && Catch::Contains("1 point run"));
  CHECK_THAT(shop.run("sweep show").out, Catch::StartsWith("1 point: 1 done."));
}

}  // namespace gpusim::app::sweep_words_test
