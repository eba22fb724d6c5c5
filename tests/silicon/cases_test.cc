// SPDX-License-Identifier: MIT
// The reader of measured results. Every record here is made up: no GPU gave these numbers.
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/support/silicon_cases.h"

#include "tools/silicon/host/measurement.h"

namespace gpusim::test {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using silicon::Measurement;

std::string begin(const std::string& experiment, const std::string& gpu = "NVIDIA H200") {
  silicon::DeviceFacts device;
  device.gpu = gpu;
  return to_json(experiment, device) + "\n";
}

Measurement made_up(const std::vector<double>& values) {
  Measurement measurement{.metric = "time", .unit = "us", .summary = silicon::summarize(values), .clock = {1980, 1}};
  measurement.launch.kernel = "_Z5saxpyv";
  measurement.params = {{"n", 65536}};
  measurement.trace = {"saxpy.trace", {{"n", 65536}}};
  return measurement;
}

std::string line(const Measurement& measurement) {
  return to_json("kernels/saxpy", measurement) + "\n";
}

Case only_case(const std::string& text) {
  const std::vector<Case> cases = parse_silicon_cases(text, "made-up.jsonl");
  REQUIRE(cases.size() == 1);
  return cases[0];
}

TEST_CASE("a measurement with a trace becomes a case to simulate") {
  const Case result = only_case(begin("kernels/saxpy") + line(made_up({10, 10, 10, 10, 10})));
  CHECK(result.id == "kernels/saxpy time n=65536 input=none cache=warm");
  CHECK(result.suite == "kernels");
  CHECK(result.gpu == "NVIDIA H200");
  CHECK(result.arch == "h200.yaml");
  CHECK(result.trace == "saxpy.trace");
  CHECK(result.params.at("n") == "65536");
  CHECK(result.make.empty());
  CHECK(result.measured == 10);
  CHECK(result.unit == "us");
  CHECK(result.clock_mhz == 1980);
  CHECK(result.cache == "warm");
  CHECK(result.confidence == Confidence::High);
  CHECK(result.counted);
}

TEST_CASE("a measurement without a trace says what a trace would have to do, and is not counted") {
  Measurement measurement = made_up({4, 4, 4, 4, 4});
  measurement.trace = {};
  const Case result = only_case(begin("kernels/saxpy") + line(measurement));
  CHECK(result.make == "kernels/saxpy n=65536");
  CHECK_FALSE(result.counted);
}

TEST_CASE("runs that disagree, or few of them, lower the confidence") {
  const auto confidence = [](const std::vector<double>& values) {
    return only_case(begin("kernels/saxpy") + line(made_up(values))).confidence;
  };
  CHECK(confidence({10, 10, 10, 10.1, 10.1}) == Confidence::High);
  CHECK(confidence({9.5, 9.8, 10, 10.2, 10.3}) == Confidence::Medium);
  CHECK(confidence({5, 7, 10, 13, 15}) == Confidence::Low);
  CHECK(confidence({10, 10, 10, 10}) == Confidence::Low);
}

TEST_CASE("a kernel whose machine code is not what was meant is not trusted") {
  const std::string verdict =
      R"({"type":"sass","experiment":"kernels/saxpy","kernel":"_Z5saxpyv","mnemonic":"FFMA","ok":false})";
  const Case result = only_case(begin("kernels/saxpy") + line(made_up({10, 10, 10, 10, 10})) + verdict + "\n");
  CHECK(result.confidence == Confidence::Low);
  CHECK_FALSE(result.counted);
  CHECK_THAT(result.note, Contains("SASS"));
}

TEST_CASE("skipped experiments and wrong numbers give no case") {
  const std::string text = begin("kernels/saxpy") + to_json("kernels/saxpy", silicon::WrongNumbers{"saxpy", {}, {}}) +
                           "\n" + to_json("kernels/saxpy", silicon::Outcome::Wrong, "", 1) + "\n" +
                           to_json("micro/wgmma", silicon::Outcome::Skipped, "needs sm_90a", 0) + "\n";
  CHECK(parse_silicon_cases(text, "made-up.jsonl").empty());
}

TEST_CASE("a GPU that no architecture describes gives cases that are shown, not counted") {
  const Case result = only_case(begin("kernels/saxpy", "made-up GPU") + line(made_up({10, 10, 10, 10, 10})));
  CHECK(result.arch.empty());
  CHECK_FALSE(result.counted);
}

TEST_CASE("every line that is not a record is reported with its place") {
  try {
    (void)parse_silicon_cases(begin("kernels/saxpy") + "{\"type\":\n" + "[1]\n{\"type\":\"measurement\"}\n",
                              "made-up.jsonl");
    FAIL("nothing thrown");
  } catch (const InputError& error) {
    CHECK(error.problems().size() == 3);
    CHECK_THAT(error.what(), Contains("made-up.jsonl:2") && Contains("made-up.jsonl:3") && Contains("made-up.jsonl:4"));
  }
}

TEST_CASE("a file that is missing or no xz file is refused") {
  CHECK_THROWS_AS(read_silicon_cases("no-such-file.jsonl"), InputError);
  const fs::path file = fs::path(GPUSIM_SOURCE_DIR) / "README.md";
  const fs::path copy = fs::temp_directory_path() / "gpusim silicon.xz";
  fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
  CHECK_THROWS_AS(read_silicon_cases(copy), InputError);
  fs::remove(copy);
}

// Also the guard that data in the tree stays readable; there may be none yet.
TEST_CASE("all measured results in the tree can be read") {
  const fs::path data = fs::path(GPUSIM_SOURCE_DIR) / "tests/validation/silicon";
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(data)) {
    if (entry.path().filename().string().starts_with("results.jsonl")) {
      INFO(entry.path());
      CHECK_FALSE(read_silicon_cases(entry.path()).empty());
    }
  }
}

}  // namespace
}  // namespace gpusim::test
