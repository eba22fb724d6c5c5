// SPDX-License-Identifier: MIT
// gpusim sweep show, on a database made here.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/commands/sweep/store/store.h"

#include "tests/app/program.h"
#include "tests/commands/sweep/analysis/rows.h"

namespace gpusim::app::sweep_show_test {
namespace {

using Json = nlohmann::json;

void store_study(const Workshop& workshop, const std::string& name, std::vector<sweep::PointRow> rows) {
  sweep::Store store(workshop.folder() / "points.db", sweep::Store::Access::kWrite);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].key = name + "-" + std::to_string(i);
    if (rows[i].status != sweep::kSkipped) {
      store.put(rows[i], "{}", "test");
    }
  }
  store.record({name, "--vary " + name, std::move(rows)});
}

/// The grid as study "grid", and after it a single point of another trace.
void store_two(const Workshop& workshop) {
  store_study(workshop, "grid", sweep::roofline_grid());
  sweep::PointRow single = sweep::done({}, 5);
  single.trace = "gemm";
  store_study(workshop, "single", {single});
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool has_gnuplot(const Workshop& workshop) {
  return workshop.shell("gnuplot --version >out 2>err").code == 0;
}

}  // namespace

TEST_CASE("sweep show answers from the study run last, from a named one, or from all") {
  const Workshop workshop;
  store_two(workshop);
  CHECK_THAT(workshop.run("sweep show --db points.db").out, Catch::StartsWith("1 point: 1 done."));
  CHECK_THAT(workshop.run("sweep show --db points.db --study grid").out, Catch::StartsWith("12 points: 12 done."));
  CHECK_THAT(workshop.run("sweep show --db points.db --study all").out, Catch::StartsWith("13 points: 13 done."));
  CHECK_THAT(workshop.run("sweep show --db points.db --study all --trace gemm").out, Catch::StartsWith("1 point:"));
}

TEST_CASE("sweep show prints JSON and CSV, and judges by any metric") {
  const Workshop workshop;
  store_two(workshop);
  const Json json =
      Json::parse(workshop.run("sweep show --db points.db --study grid --format json --metric tflops").out);
  CHECK(json["schema"] == "gpusim.sweep/1");
  CHECK(json["more_is_better"] == true);
  CHECK(json["best"][0]["points"][0] == 11);
  CHECK(first_line(workshop.run("sweep show --db points.db --study grid --format csv").out) ==
        "trace,arch,sm.count,dram.bandwidth,status,bound,cycles,time_us,dram_pct,tensor_share_pct,tflops,reason,key");
}

TEST_CASE("A cost may ask for keys of the architecture that were not varied") {
  const Workshop workshop;
  store_two(workshop);
  const auto said = workshop.run("sweep show --db points.db --study grid --format json --cost 'sm.count * l2.ways'");
  CHECK(said.code == 0);
  const Json json = Json::parse(said.out);
  // The H100's file says 20 ways.
  CHECK(json["points"][0]["cost"] == 200);
}

TEST_CASE("What sweep show cannot find is refused with what there is") {
  const Workshop workshop;
  store_two(workshop);
  const auto refused = [&workshop](const std::string& options, int code, const std::string& message) {
    const auto said = workshop.run("sweep show " + options);
    INFO(options);
    CHECK(said.code == code);
    CHECK(said.out.empty());
    CHECK_THAT(said.err, Catch::Contains(message));
  };
  refused("--db none.db", 2, "none.db");
  refused("--db points.db --study gird", 2, "has no study 'gird' (did you mean 'grid'?)");
  refused("--db points.db --study grid --trace saxpi", 2, "no point is of 'saxpi' (did you mean 'saxpy'?)");
  refused("--db points.db --metric tflop --study grid", 2, "no point has 'tflop' (did you mean 'tflops'?)");
  refused("--db points.db --cost price.usd_per_hour", 2, "'price.usd_per_hour' is not known of any GPU: h100");
  refused("--db points.db --cost 'sm.count +'", 2, "unexpected end, at character 11");
  refused("--db points.db --study grid --at sm.count=11", 2, "'sm.count' was never '11'");
  refused("--db points.db --at sm.count", 1, "'sm.count' is not KEY=VALUE");
  refused("--db points.db --top 0", 1, "--top: '0' is out of range");
  refused("--db points.db --format yaml", 1, "--format");
  refused("", 2, "gpusim-sweep.db");
}

TEST_CASE("sweep show writes a page beside what it prints") {
  const Workshop workshop;
  store_two(workshop);
  const auto said = workshop.run("sweep show --db points.db --study grid --html sweep.html");
  CHECK(said.code == 0);
  CHECK(said.out == workshop.run("sweep show --db points.db --study grid").out);
  CHECK_THAT(content_of(workshop.folder() / "sweep.html"),
             Catch::StartsWith("<!doctype html>") && Catch::Contains("Content-Security-Policy"));
}

TEST_CASE("A page of a sweep goes into a file of its own") {
  const Workshop workshop;
  store_two(workshop);
  const std::string database = content_of(workshop.folder() / "points.db");
  const auto refused = [&workshop](const std::string& options, int code, const std::string& message) {
    const auto said = workshop.run("sweep show --db points.db " + options);
    INFO(options);
    CHECK(said.code == code);
    CHECK(said.out.empty());
    CHECK_THAT(said.err, Catch::Contains(message));
  };
  refused("--html -", 1, "'-' is not a file");
  refused("--html points.db", 2, "points.db");
  refused("--html none/sweep.html", 2, "none/sweep.html");
  refused("--html sweep.html --study list", 1, "--html: the page shows points");
  refused("--html sweep.html --result best", 1, "--html: the page shows points");
  refused("--html sweep.html --metric tflop --study grid", 2, "did you mean 'tflops'?");
  CHECK(content_of(workshop.folder() / "points.db") == database);
  CHECK_FALSE(std::filesystem::exists(workshop.folder() / "sweep.html"));
}

TEST_CASE("sweep show draws into the folder it is given, and leaves scripts and data there") {
  const Workshop workshop;
  if (!has_gnuplot(workshop)) {
    WARN("gnuplot is not installed: no plots are drawn");
    return;
  }
  store_two(workshop);
  const auto said = workshop.run("sweep show --db points.db --study grid --cost sm.count --svg new/plots");
  CHECK(said.code == 0);
  CHECK_THAT(said.err, Catch::EndsWith("4 plots in new/plots\n"));
  CHECK(workshop.run("sweep show --db points.db --study grid --svg plots --quiet").err.empty());
  const std::filesystem::path folder = workshop.folder() / "new" / "plots";
  for (const char* name : {"scaling-saxpy-h100-sm.count", "scaling-saxpy-h100-dram.bandwidth",
                           "map-saxpy-h100-sm.count-dram.bandwidth", "pareto-saxpy"}) {
    INFO(name);
    const std::string drawing = content_of(folder / (std::string(name) + ".svg"));
    CHECK_THAT(drawing, Catch::Contains("<svg") && Catch::Contains("saxpy") && Catch::EndsWith("</svg>\n\n"));
    CHECK(std::filesystem::exists(folder / (std::string(name) + ".gp")));
    CHECK(std::filesystem::exists(folder / (std::string(name) + ".dat")));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 12);
}

TEST_CASE("sweep show says which plots it did not draw, and why; several GPUs are compared as bars") {
  const Workshop workshop;
  if (!has_gnuplot(workshop)) {
    WARN("gnuplot is not installed: no plots are drawn");
    return;
  }
  store_two(workshop);
  CHECK_THAT(workshop.run("sweep show --db points.db --study single --svg plots").err,
             Catch::Contains("0 plots in plots; not drawn: gemm on h100 (nothing varies in it)"));
  sweep::PointRow other = sweep::done({}, 3, "tensor");
  other.arch = "a100";
  store_study(workshop, "parts", {sweep::done({}, 4), other});
  CHECK_THAT(workshop.run("sweep show --db points.db --svg plots").err, Catch::EndsWith("1 plot in plots\n"));
  CHECK_THAT(content_of(workshop.folder() / "plots" / "parts-saxpy.svg"),
             Catch::Contains("a100") && Catch::Contains("tensor-bound"));
}

TEST_CASE("Names that gnuplot or a shell could take for commands stay names") {
  const Workshop workshop;
  if (!has_gnuplot(workshop)) {
    WARN("gnuplot is not installed: no plots are drawn");
    return;
  }
  std::vector<sweep::PointRow> rows = sweep::roofline_grid();
  for (sweep::PointRow& row : rows) {
    row.trace = "it's `touch pwned`'; system 'touch pwned2'; $(touch pwned3) @x {/Bold y}\\n";
    row.bound = "a\"b`touch pwned4`";
  }
  store_study(workshop, "odd", rows);
  const auto said = workshop.run("sweep show --db points.db --svg plots --cost sm.count");
  CHECK(said.code == 0);
  for (const std::filesystem::path& place : {workshop.folder(), workshop.folder() / "plots"}) {
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
      CHECK_THAT(entry.path().filename().string(), !Catch::StartsWith("pwned"));
    }
  }
}

TEST_CASE("A drawing does not go through a link out of its folder") {
  const Workshop workshop;
  if (!has_gnuplot(workshop)) {
    WARN("gnuplot is not installed: no plots are drawn");
    return;
  }
  store_two(workshop);
  workshop.write("precious", "mine");
  std::filesystem::create_directory(workshop.folder() / "plots");
  for (const char* ending : {".svg", ".gp", ".dat"}) {
    std::filesystem::create_symlink(
        "../precious", workshop.folder() / "plots" / (std::string("scaling-saxpy-h100-sm.count") + ending));
  }
  CHECK(workshop.run("sweep show --db points.db --study grid --svg plots").code == 0);
  CHECK(content_of(workshop.folder() / "precious") == "mine");
}

TEST_CASE("Without gnuplot, --svg says what to install") {
  const Workshop workshop;
  store_two(workshop);
  const auto said = workshop.run("sweep show --db points.db --study grid --svg plots", "PATH=/nowhere");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Catch::Contains("gnuplot is not installed") && Catch::Contains("apt-get install gnuplot-nox"));
}

TEST_CASE("A folder for plots that cannot be made is refused") {
  const Workshop workshop;
  store_two(workshop);
  workshop.write("file", "");
  CHECK(workshop.run("sweep show --db points.db --study grid --svg file/plots").code == 2);
}

}  // namespace gpusim::app::sweep_show_test
