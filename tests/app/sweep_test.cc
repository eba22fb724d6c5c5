// SPDX-License-Identifier: MIT
// gpusim sweep as a user runs it: results, interruption, what is refused.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/commands/sweep/store/store.h"

#include "tests/app/program.h"
#include "tests/app/refused.h"

namespace sweep_test {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using gpusim::app::check_refused;
using gpusim::app::content_of;
using gpusim::app::Workshop;
using gpusim::sweep::PointRow;
using gpusim::sweep::Store;
using nlohmann::json;

namespace {

const std::string kSmall = "sweep --arch h100 --trace saxpy --test-params ";
const std::string kProgram = "'" GPUSIM_PROGRAM "' ";
/// Sixteen points of about a third of a second.
const std::string kSlow = "sweep -a h100 -t flashattn --test-params --param seq=2048 --vary sm.count=16..31 --jobs 1 ";

json without_host(const std::string& text) {
  json result = json::parse(text);
  result.erase("host");
  return result;
}

std::vector<PointRow> rows_of(const Workshop& shop, const std::string& db = "gpusim-sweep.db") {
  const Store store(shop.folder() / db, Store::Access::kRead);
  return store.points(store.study().value().id);
}

/// Shell: waits until the database holds a point, while the process `$pid` lives.
std::string until_a_point_is_stored() {
  return "until " + kProgram +
         "sweep show -q -f csv 2>/dev/null | grep -q done || ! kill -0 $pid; do sleep 0.05; done; ";
}

}  // namespace

TEST_CASE("a sweep prints its points and keeps them in gpusim-sweep.db") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSmall + "--vary sm.count=66,132 --vary dram.bandwidth=1x,2x");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("sm.count") && Contains("6704.64 GB/s") && Contains("gpusim sweep show"));
  CHECK_THAT(said.err, Contains("4 points; results are kept in gpusim-sweep.db") && Contains("noc.gpcs=4"));
  CHECK(rows_of(shop).size() == 4);
}

TEST_CASE("a stored result is what 'gpusim run' gives, byte for byte but for the host") {
  const Workshop shop;
  REQUIRE(shop.run("sweep -a h100 -a a100 -t flashattn -t saxpy --test-params --cache cold --vary l2.ways=8,16").code ==
          0);
  const Store store(shop.folder() / "gpusim-sweep.db", Store::Access::kRead);
  const std::vector<PointRow> rows = store.points(store.study().value().id);
  REQUIRE(rows.size() == 8);
  for (const PointRow& row : rows) {
    const std::string single = shop.run("run -a " + row.arch + " -t " + row.trace + " --test-params --cache cold -s " +
                                        row.parameters.at(0).first + "=" + row.parameters.at(0).second + " -f json")
                                   .out;
    const std::string stored = store.result(row.key).value();
    CHECK(without_host(stored).dump() == without_host(single).dump());
    const auto guesses = [](const std::string& text) { return text.substr(text.find("\"guesses\"")); };
    CHECK(guesses(stored) == guesses(single));  // as bytes, all that follows the host
  }
}

TEST_CASE("an architecture or trace that is named twice is swept once") {
  const Workshop shop;
  const Workshop::Said said = shop.run("sweep -a h100 -a h100 -t saxpy -t saxpy --test-params --vary sm.count=66,132");
  CHECK(said.code == 0);
  CHECK(rows_of(shop).size() == 2);
}

TEST_CASE("studies of one name are told apart by their numbers") {
  const Workshop shop;
  for (const char* counts : {"[66]", "[66, 132]"}) {
    shop.write("st.yaml",
               std::string("arch: h100\ntrace: saxpy\ntest_params: true\nvary: {sm.count: ") + counts + "}\n");
    REQUIRE(shop.run("sweep st.yaml").code == 0);
  }
  CHECK_THAT(shop.run("sweep show --study list").out, Contains("1  st") && Contains("2  st"));
  CHECK(json::parse(shop.run("sweep show --study st -f json").out)["points"].size() == 2);
  CHECK(json::parse(shop.run("sweep show --study 1 -f json").out)["points"].size() == 1);
}

TEST_CASE("points that have not run yet are counted") {
  const Workshop shop;
  REQUIRE(shop.run(kSmall + "--vary sm.count=60..65 --shard 1/3").code == 0);
  CHECK_THAT(shop.run("sweep show").out, Contains("6 points: 2 done, 4 not run yet"));
  CHECK(json::parse(shop.run("sweep show -f json").out)["missing"] == 4);
}

TEST_CASE("sweep show --result gives a point's whole result, which 'gpusim report' renders") {
  const Workshop shop;
  REQUIRE(shop.run(kSmall + "--vary sm.count=66,132").code == 0);
  const auto points = json::parse(shop.run("sweep show -f json").out)["points"];
  const std::string key = points[1]["key"];
  CHECK(shop.shell("'" + std::string(GPUSIM_PROGRAM) + "' sweep show --result " + key.substr(0, 12) + " > one.json; '" +
                   GPUSIM_PROGRAM + "' report one.json > out 2> err")
            .code == 0);
  CHECK(json::parse(content_of(shop.folder() / "one.json"))["kernels"][0]["cycles"] == points[1]["cycles"]);
  CHECK(shop.run("sweep show --result best").code == 0);
  check_refused(shop, {"sweep show --result zz", "no point has a key that begins with 'zz'", 2});
}

TEST_CASE("a repeated sweep simulates nothing") {
  const Workshop shop;
  const std::string command = kSmall + "--vary sm.count=66,132";
  const Workshop::Said first = shop.run(command);
  const Workshop::Said second = shop.run(command);
  CHECK_THAT(first.err, Contains("2 points run"));
  CHECK_THAT(second.err, Contains("0 points run, 2 were there already"));
  CHECK(second.out == first.out);
}

TEST_CASE("kill -9 loses nothing that was finished, and the same command goes on") {
  const Workshop shop;
  const Workshop::Said killed =
      shop.shell(kProgram + kSlow + ">out 2>err & pid=$!; " + until_a_point_is_stored() + "kill -KILL $pid; wait $pid");
  CHECK(killed.code == 128 + 9);
  const std::size_t kept = rows_of(shop).size();
  CHECK(kept >= 1);
  CHECK(kept < 16);
  const Workshop::Said said = shop.run(kSlow);
  CHECK(said.code == 0);
  CHECK_THAT(said.err,
             Contains(std::to_string(16 - kept) + " points run, " + std::to_string(kept) + " were there already"));
  CHECK(rows_of(shop).size() == 16);
}

TEST_CASE("Ctrl-C stops, keeps what ended, exits with 130 and says how to go on") {
  const Workshop shop;
  const Workshop::Said said =
      shop.shell(kProgram + kSlow + ">out 2>err & pid=$!; " + until_a_point_is_stored() + "kill -INT $pid; wait $pid");
  CHECK(said.code == 130);
  CHECK_THAT(said.err, Contains("the same command goes on with the others"));
  const std::size_t kept = rows_of(shop).size();
  CHECK(kept >= 1);
  CHECK(kept < 16);
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "gpusim-sweep.db.lock"));
}

TEST_CASE("a sweep that is interrupted before its first point ended prints no table") {
  const Workshop shop;
  const Workshop::Said said =
      shop.shell(kProgram + "sweep -a h100 -t flashattn >out 2>err & pid=$!; until grep -q kept err; do sleep 0.05; " +
                 "done; kill -INT $pid; wait $pid");
  CHECK(said.code == 130);
  CHECK(said.out.empty());
}

TEST_CASE("a second sweep of the same database is refused with the process of the first, which goes on") {
  const Workshop shop;
  const Workshop::Said said =
      shop.shell(kProgram + kSlow + ">first 2>&1 & pid=$!; echo $pid >pid; " + until_a_point_is_stored() + kProgram +
                 kSmall + ">out 2>err; code=$?; kill -INT $pid; wait $pid; exit $code");
  CHECK(said.code == 2);
  std::string pid = content_of(shop.folder() / "pid");
  pid.pop_back();
  CHECK_THAT(said.err, Contains("is in use by the sweep of process " + pid + " on ") && Contains("gpusim sweep merge"));
  CHECK_THAT(content_of(shop.folder() / "first"), Contains("interrupted"));
}

TEST_CASE("no thread needs memory for a destructor of its own variables: glibc ends the program where there is none") {
  const Workshop shop;
  const Workshop::Said said = shop.shell("nm -D --undefined-only " + kProgram + ">out 2>err");
  REQUIRE(said.code == 0);
  CHECK_THAT(said.out, Contains("malloc") && !Contains("__cxa_thread_atexit"));
}

// That sanitizer maps terabytes, so no limit of this kind fits it.
#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("a sweep with more threads than memory fails in order, and the same command with fewer jobs goes on") {
  const Workshop shop;
  const std::string sweep = kSmall + "--vary sm.count=66,99 --vary dram.bandwidth=1x..2x:3 ";
  for (int run = 0; run < 5; ++run) {
    const Workshop::Said said = shop.shell("ulimit -v 3000000; " + kProgram + sweep + "--retry --jobs 1024 >out 2>err");
    INFO(said.err);
    CHECK((said.code == 0 || said.code == 3));
  }
  CHECK(shop.run(sweep + "--jobs 1 --retry").code == 0);
}
#endif

TEST_CASE("a sweep ends with the command that analyses it, which can be typed as it stands") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSmall + "--vary sm.count=66,99");
  const std::string lead = "What they teach: ";
  const std::size_t at = said.out.find(lead);
  REQUIRE(at != std::string::npos);
  CHECK(said.out.substr(at + lead.size()) == "gpusim sweep show\n");
  CHECK(shop.run("sweep show").code == 0);
}

TEST_CASE("a sweep that has no room for its database leaves none") {
  const Workshop shop;
  const Workshop::Said said =
      shop.shell("trap '' XFSZ; ulimit -f 1; " + kProgram + kSmall + "--vary sm.count=1..3 >out 2>err");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("no room is left on the disk"));
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "gpusim-sweep.db"));
}

TEST_CASE("a full disk stops the sweep with what was stored, and the same command goes on") {
  const Workshop shop;
  REQUIRE(shop.run(kSmall + "--vary sm.count=1..3").code == 0);
  const Workshop::Said said =
      shop.shell("trap '' XFSZ; ulimit -f 128; " + kProgram + kSmall + "--vary sm.count=1..99 >out 2>err");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("no room is left on the disk") && Contains("the same command goes on"));
  const std::size_t kept = rows_of(shop).size();
  CHECK(kept >= 3);
  CHECK(kept < 99);
  CHECK(shop.run(kSmall + "--vary sm.count=1..99").code == 0);
}

TEST_CASE("shards are run apart and joined; one that is missing is named") {
  const Workshop shop;
  const std::string study = kSmall + "--vary sm.count=60..66 --db ";
  CHECK(shop.run(study + "a.db --shard 1/3").code == 0);
  CHECK(shop.run(study + "c.db --shard 3/3").code == 0);
  const Workshop::Said missing = shop.run("sweep merge a.db c.db");
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Contains("2 of 7 points are missing: 2, 5") && Contains("no database had shard 2/3"));
  CHECK(rows_of(shop).size() == 5);
  CHECK(shop.run(study + "b.db --shard 2/3").code == 0);
  const Workshop::Said whole = shop.run("sweep merge a.db b.db c.db");
  CHECK(whole.code == 0);
  CHECK_THAT(whole.out, Contains("2 points added, 5 were there already"));
  CHECK(shop.run("sweep merge a.db gone.db").code == 2);
}

TEST_CASE("--format json and csv list the points, and are all there is on standard output") {
  const Workshop shop;
  const json points = json::parse(shop.run(kSmall + "--vary sm.count=66,132 -f json").out);
  CHECK(points["schema"] == "gpusim.sweep/1");
  REQUIRE(points["points"].size() == 2);
  const json& point = points["points"][0];
  CHECK(point["parameters"]["sm.count"] == "66");
  CHECK(point["trace"] == "saxpy");
  CHECK(point["arch"] == "h100");
  CHECK(point["status"] == "done");
  for (const auto* key : {"cycles", "time_us", "bound"}) {
    CHECK(point.contains(key));
  }
  const std::string csv = shop.run(kSmall + "--vary sm.count=66,132 -f csv -q").out;
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
}

TEST_CASE("--dry-run prints every point with what follows from its values, and runs and writes nothing") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSmall + "--vary sm.count=66,132,160 --dry-run");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("noc.gpcs=4") && Contains("noc.gpcs=9") && Contains("to run"));
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "gpusim-sweep.db"));
  REQUIRE(shop.run(kSmall + "--vary sm.count=66").code == 0);
  CHECK_THAT(shop.run(kSmall + "--vary sm.count=66,132 -n").out, Contains("stored") && Contains("to run"));
}

TEST_CASE("all architectures: what cannot run the trace is skipped and named") {
  const Workshop shop;
  const Workshop::Said said = shop.run("sweep --arch all --trace gemm_bf16 --test-params");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("h200") && Contains("a100-40gb"));
  CHECK_THAT(said.err, Contains("v100: V100 SXM2 32GB lacks HMMA.16816.F32.BF16"));
}

TEST_CASE("failures are listed with their reason, and exit with 3; --retry runs them once more") {
  const Workshop shop;
  const std::string command = kSmall + "--vary sm.count=66,132 --max-cycles 100";
  const Workshop::Said said = shop.run(command);
  CHECK(said.code == 3);
  CHECK_THAT(said.err, Contains("2 points failed; --retry runs them once more") && Contains("after 100 cycles"));
  CHECK_THAT(shop.run(command).err, Contains("0 points run, 2 were there already"));
  CHECK_THAT(shop.run(command + " --retry").err, Contains("2 points run, 2 failed"));
}

TEST_CASE("a study's file runs as its options would, and gives the study its name") {
  const Workshop shop;
  REQUIRE(shop.run(kSmall + "--vary sm.count=66,132 --db options.db").code == 0);
  const Store by_options(shop.folder() / "options.db", Store::Access::kRead);
  shop.write("sms.yaml", by_options.study()->text);
  CHECK(shop.run("sweep sms.yaml --db file.db").code == 0);
  const Store by_file(shop.folder() / "file.db", Store::Access::kRead);
  CHECK(by_file.study("sms")->done == 2);
  const auto id = by_options.study()->id;
  CHECK(by_file.points(by_file.study()->id).at(1).key == by_options.points(id).at(1).key);
}

TEST_CASE("what cannot be swept is refused before anything runs") {
  const Workshop shop;
  struct Wrong {
    const char* arguments;
    int code;
    const char* message;
  };
  shop.write("no.db", std::string(5000, 'x'));
  shop.write("study.yaml", "arch: h100\ntrace: saxpy\n");
  for (const Wrong& wrong : {
           Wrong{"sweep", 1, "'gpusim sweep' needs --arch GPU|all, --system and --app, or a study's"},
           Wrong{"sweep -a h100", 1, "needs --trace"},
           Wrong{"sweep shwo", 2, "shwo: no such study (did you mean 'show'?)"},
           Wrong{"sweep merge", 1, "needs the databases to merge"},
           Wrong{"sweep -a h100 -t saxpy --vary sm.cuont=1", 2, "did you mean 'sm.count'?"},
           Wrong{"sweep -a h100 -t saxpy --vary sm.count=5..1", 2, "--vary sm.count"},
           Wrong{"sweep -a h100 -t saxpy --vary sm.count=1..1024 --vary l2.ways=8,16", 1, "2,048 points"},
           Wrong{"sweep -a h100 -t saxpy --zip --one-at-a-time", 1, "exclude each other"},
           Wrong{"sweep -a h100 -t saxpy --seed 3", 1, "--seed is of --random"},
           Wrong{"sweep -a h100 -t saxpy --shard 3", 1, "--shard takes I/N"},
           Wrong{"sweep -a h100 -t saxpy --shard 3/2", 1, "--shard: '3' is out of range"},
           Wrong{"sweep -a h100 -t saxpy --jobs 0", 1, "--jobs: '0' is out of range"},
           Wrong{"sweep -a h100 -t saxpy --test-params --db no.db", 2, "no.db: is not a database of sweeps"},
           Wrong{"sweep -a h100 -t saxpy --test-params --db gone/x.db", 2, "there is no folder"},
           Wrong{"sweep -a h100 -t saxpy --vary l2.slices=95,96", 2, "none of the points, 2, can be run"},
           Wrong{"sweep -a h100 -t saxpy --where 'sm.count > 500'", 2, "leaves none of 1 point"},
           Wrong{"sweep study.yaml --vary sm.count=1", 1, "--vary: the study 'study.yaml' says what to sweep"},
           Wrong{"sweep -a h100 -a nix -t saxpy", 2, "nix: no such file"},
       }) {
    INFO(wrong.arguments);
    const Workshop::Said said = shop.run(wrong.arguments);
    CHECK(said.code == wrong.code);
    CHECK_THAT(said.err, Contains(wrong.message));
    CHECK(said.out.empty());
  }
  CHECK(content_of(shop.folder() / "no.db") == std::string(5000, 'x'));
}

}  // namespace sweep_test
