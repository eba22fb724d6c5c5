// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/study_file.h"

#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "tests/commands/sweep/study/support.h"

using namespace gpusim;
using namespace gpusim::sweep;
using namespace gpusim::sweep::test;

namespace {

std::string problems_in(const std::string& yaml) {
  return input_error_of([&] { (void)parse_study(yaml, "s.yaml"); });
}

}  // namespace

TEST_CASE("a study file says everything that the command line can") {
  const StudyFile file = parse_study(
      "arch: [h100, a100.yaml]\n"
      "trace: flashattn.trace\n"
      "vary:\n"
      "  sm.count: [66, 99, 132..160:3]\n"
      "  dram.bandwidth: 1x..2x:5, 4 TB/s\n"
      "  param.seq: 1024\n"
      "where: [sm.count < 150, dram.bandwidth > 1 TB/s]\n"
      "set:\n  l2.model: ideal\n"
      "param: {batch: 2}\n"
      "random: 20\nseed: 7\ncache: cold\ntest_params: true\nkernel: fa.*\nctas: 0..7\nmax_cycles: 1000\n"
      "jobs: 2\ndb: a.db\ncost: sm.count\n",
      "s.yaml");
  const Study& study = file.study;
  CHECK(study.archs == std::vector<std::string>{"h100", "a100.yaml"});
  CHECK(study.traces == std::vector<std::string>{"flashattn.trace"});
  CHECK(study.axes == std::vector<Axis>{{"sm.count", {"66", "99", "132..160:3"}},
                                        {"dram.bandwidth", {"1x..2x:5", "4 TB/s"}},
                                        {"param.seq", {"1024"}}});
  CHECK(study.where == std::vector<std::string>{"sm.count < 150", "dram.bandwidth > 1 TB/s"});
  CHECK(study.set == std::vector<std::string>{"l2.model=ideal"});
  CHECK(study.param == std::vector<std::string>{"batch=2"});
  CHECK(study.combination == Combination::kRandom);
  CHECK((study.random_count == 20 && study.seed == 7 && study.cache == "cold" && study.test_params));
  CHECK((study.kernel == "fa.*" && study.ctas == "0..7" && study.max_cycles == "1000"));
  CHECK((file.jobs == "2" && file.db == "a.db" && file.cost == "sm.count"));
}

TEST_CASE("every problem of a study file is reported with its line and column") {
  CHECK(problems_in("arch: h100\n"
                    "tracee: a.trace\n"
                    "vary:\n"
                    "  sm.counts: 1\n"
                    "  l2.bytes: [1 MiB, 5]\n"
                    "where:\n"
                    "  - sm.count < 5\n"
                    "  - sm.count <\n"
                    "combination: zipp\n"
                    "seed: -1\n"
                    "cache: hot\n") ==
        "s.yaml:2:1: unknown key 'tracee' (did you mean 'trace'?)\n"
        "s.yaml:9:14: 'combination' is 'zipp' (did you mean 'zip'?)\n"
        "s.yaml:10:7: 'seed': '-1' is not a whole number\n"
        "s.yaml:11:8: 'cache' is 'hot' (known: cold, warm, flush-between, dirty)\n"
        "s.yaml:4:3: unknown key 'sm.counts' (did you mean 'sm.count'?)\n"
        "s.yaml:5:3: '5' lacks a unit: B, KiB, MiB, GiB or TiB (write for example 50 MiB)\n"
        "s.yaml:8:5: 'sm.count <': unexpected end, at character 11 (expected a number, a key or '(')\n"
        "s.yaml:10:1: 'seed' is of 'random', which is not given");
}

TEST_CASE("axes of unequal length and a lone count of points are reported where the combination stands") {
  CHECK_THAT(problems_in("vary: {sm.count: [1, 2], l2.ways: 4}\ncombination: zip\n"),
             Catch::StartsWith("s.yaml:2:14: needs axes of equal length"));
  CHECK_THAT(problems_in("combination: random\n"), Catch::StartsWith("s.yaml:1:14: draws 0 points"));
  CHECK_THAT(problems_in("combination: grid\nrandom: 5\n"), Catch::StartsWith("s.yaml:2:1: contradicts"));
}

TEST_CASE("a study without architecture or trace is refused with what it lacks") {
  CHECK(problems_in("arch: h100\nvary: {sm.count: [1, 2]}\n") ==
        "s.yaml: lacks 'trace' (a name or file, or a list of them)");
  CHECK(problems_in("trace: a\n") == "s.yaml: lacks 'arch' (a name or file, or a list of them)");
  CHECK(problems_in("trace: a\narch: []\n") ==
        "s.yaml:2:7: 'arch' is an empty list (a name or file, or a list of them)");
}

TEST_CASE("a sample of nothing and a seed of no sample are refused as on the command line") {
  CHECK(problems_in("arch: a\ntrace: b\nrandom: 0\n") ==
        "s.yaml:3:9: 'random': '0' is out of range (allowed: 1 to 1,000,000)");
  CHECK(problems_in("arch: a\ntrace: b\nseed: 4\n") == "s.yaml:3:1: 'seed' is of 'random', which is not given");
}

TEST_CASE("how to run a study is checked with the rest of its file") {
  CHECK(problems_in("arch: a\ntrace: b\njobs: many\nmax_cycles: x\nctas: x\nkernel: \"(\"\ncost: sm.count *\n") ==
        "s.yaml:3:7: 'jobs': 'many' is not a whole number\n"
        "s.yaml:4:13: 'max_cycles': 'x' is not a whole number\n"
        "s.yaml:5:7: 'ctas': 'x' is not a range of CTAs (FIRST..LAST, such as 0..63)\n"
        "s.yaml:6:9: 'kernel': '(' is not a regular expression: missing ): (\n"
        "s.yaml:7:7: 'cost': 'sm.count *': unexpected end, at character 11 (expected a number, a key or '(')");
  for (const char* text :
       {"jobs: 0", "jobs: 1025", "max_cycles: 0", "ctas: 5..4", "ctas: ..", "ctas: 1..x", "cost: ''"}) {
    CHECK_THAT(problems_in("arch: a\ntrace: b\n" + std::string(text)), Catch::StartsWith("s.yaml:3:"));
  }
}

TEST_CASE("what shows when a study's traces are read is reported at its place in the file") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "gpusim-places.yaml";
  std::ofstream(file) << "arch: h100\ntrace: a\nvary:\n  sm.count: [66]\n  param.n: [1, 2]\n"
                         "where: [sm.count > 1, param.q > 2]\nparam: {}\n";
  const LocatedStudy read = read_study(file);
  std::filesystem::remove(file);
  const std::string place = file.string();
  CHECK(input_error_of([&] {
          (void)Plan(read.file.study, {&h100(), 1}, {&parameters(), 1}, read.locate);
        }) == place + ":6:23: 'a' has no parameter 'q' (known: seq, batch, shift)\n" + place +
                  ":5:3: 'a' has no parameter 'n' (known: seq, batch, shift)");
}

TEST_CASE("a file of the wrong form is refused") {
  CHECK(problems_in("") == "s.yaml: is not a study (one YAML document with keys such as 'vary:')");
  CHECK_THAT(problems_in("vary: [a, b]"), Catch::Contains("'vary' must be a map"));
  CHECK_THAT(problems_in("set: l2.model"), Catch::Contains("'set' must be a map"));
  CHECK_THAT(problems_in("vary: {sm.count: {a: b}}"), Catch::Contains("must be one word or text"));
  CHECK_THAT(problems_in("where: [[sm.count > 1]]"), Catch::Contains("must be one word or text"));
  CHECK_THAT(problems_in("seed: 1\nseed: 2"), Catch::Contains("s.yaml:2:1: key 'seed' is given twice"));
  CHECK_THAT(problems_in("vary: {sm.count: [1, 2"), Catch::Contains("is not YAML"));
  CHECK_THAT(problems_in("vary: " + std::string(100'000, '[')), Catch::Contains("is not YAML"));
  CHECK_THROWS_AS(read_study("no such file.yaml"), InputError);
}

TEST_CASE("the study and the problems that the documentation shows are what the program reads and says") {
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / "docs" / "sweeps.md");
  const std::string page{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t begin = page.find("```yaml\n") + 8;
  const StudyFile shown = parse_study(page.substr(begin, page.find("```", begin) - begin), "docs/sweeps.md");
  CHECK(shown.study.axes.size() == 2);
  CHECK(page.find(problems_in("arch: h100\ntrace: a.trace\n\n\nvary:\n"
                              "  l2.size: 1 MiB\n"
                              "  sm.count: 160..66\n"
                              "\nwhere: l2.bytes <= 50\n")) != std::string::npos);
}

TEST_CASE("what is written reads back to the same study") {
  StudyFile file;
  file.study = study({"sm.shared.carveouts=[0 KiB, 64 KiB],[0 KiB, 8 KiB]", "l2.bytes=1x..2x:3", "param.s q=1..3"});
  file.study.archs = {"my \"h100\".yaml", "tab\there", "#x", "back\\slash", "*a", "caf\xc3\xa9"};
  file.study.traces = {"a: b", "null", "1e3", " blank "};
  file.study.set = {"description=a, 'quoted' # text = x", "name="};
  file.study.param = {"batch=-3"};
  file.study.where = {"not l2.bytes > 1 MiB"};
  file.study.combination = Combination::kOneAtATime;
  file.study.kernel = "^a{2,3}\\.[b]$";
  file.db = "~/x.db";
  file.cost = "sm.count * 2";
  CHECK(parse_study(write_study(file), "s.yaml") == file);
  file.study.combination = Combination::kRandom;
  file.study.random_count = 3;
  file.study.seed = ~std::uint64_t{0};
  CHECK(parse_study(write_study(file), "s.yaml") == file);
}
