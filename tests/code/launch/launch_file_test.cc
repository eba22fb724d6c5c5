// SPDX-License-Identifier: MIT
#include "sim/code/launch/launch_file.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "tests/code/launch/problems.h"

namespace launch_file_test {

using namespace gpusim;
using namespace gpusim::launch;
using Catch::Contains;

namespace {

std::string problems_in(const std::string& yaml) {
  return problems_of([&] { static_cast<void>(parse_launch_file(yaml, "dir/saxpy.yaml")); });
}

}  // namespace

TEST_CASE("a launch file says what the command line says") {
  const Request request = parse_launch_file(R"(
file: saxpy.cubin
param: {n: 1048576}
kernel: saxpy
grid: (n + 255) / 256
block: [256, 1]
args:
  n: n
  a: 2.0
  x: f32[n]:random
  y: f32[n]:data/y.npy
out: {y: y.npy}
expect:
  y: {file: ref.npy, tolerance: 1e-3}
  x: zeros
tolerance: 1e-5
)",
                                            "dir/saxpy.yaml");
  CHECK(request.file->text == "dir/saxpy.cubin");
  CHECK(request.parameters.at(0).name == "n");
  REQUIRE(request.launches.size() == 1);
  const LaunchText& launch = request.launches[0];
  CHECK(launch.kernel->text == "saxpy");
  CHECK(launch.grid->text == "(n + 255) / 256");
  CHECK(launch.block->text == "256, 1");
  REQUIRE(launch.arguments.size() == 4);
  CHECK(launch.arguments[2].text == "f32[n]:random");
  CHECK(launch.arguments[3].text == "f32[n]:dir/data/y.npy");
  CHECK(launch.arguments[3].where.line == 11);
  CHECK(request.outputs.at(0).text == "dir/y.npy");
  CHECK(request.expectations.at(0).text == "dir/ref.npy");
  CHECK(request.expectations.at(0).tolerance == 1e-3);
  CHECK(request.expectations.at(1).text == "zeros");
  CHECK_FALSE(request.expectations.at(1).tolerance);
  CHECK(request.tolerance == 1e-5);
}

TEST_CASE("several launches share what stands at the top") {
  const Request request = parse_launch_file(R"(
block: 256
buffers: {x: "f32[1024]:random"}
args: {n: 1024}
launches:
  - {kernel: first, grid: 4, args: {x: x}}
  - {kernel: second, grid: 1, block: 128, repeat: 3, args: {x: x, n: 4}}
)",
                                            "two.yaml");
  REQUIRE(request.launches.size() == 2);
  CHECK(request.launches[0].block->text == "256");
  CHECK(request.launches[0].arguments.size() == 2);
  CHECK(request.launches[1].block->text == "128");
  CHECK(request.launches[1].repeat->text == "3");
  CHECK(request.launches[1].arguments.at(1).text == "4");
  CHECK(request.launches[1].where.line == 7);
}

TEST_CASE("all problems of a launch file are told at once, each at its place") {
  const std::string problems = problems_in(R"(kernal: saxpy
grid: {x: 4}
args: [1, 2]
tolerance: much
expect:
  y: {fil: ref.npy}
param: {2n: 4}
launches:
  - 5
  - {out: {y: y.npy}}
)");
  CHECK_THAT(problems, Contains("dir/saxpy.yaml:1:1: unknown key 'kernal' (did you mean 'kernel'?)"));
  CHECK_THAT(problems, Contains("dir/saxpy.yaml:2:7: 'grid' must be one word or text"));
  CHECK_THAT(problems, Contains("dir/saxpy.yaml:3:7: 'args' must be a map (such as  x: f32[n]:random)"));
  CHECK_THAT(problems,
             Contains("dir/saxpy.yaml:4:12: 'tolerance' is not a tolerance (a number from 0 on, such as 1e-5)"));
  CHECK_THAT(problems, Contains("dir/saxpy.yaml:6:7: unknown key 'fil' of an expectation (did you mean 'file'?)"));
  CHECK_THAT(problems, Contains("the expectation of 'y' has no 'file'"));
  CHECK_THAT(problems, Contains("dir/saxpy.yaml:7:9: '2n' is not a name"));
  CHECK_THAT(problems, Contains("dir/saxpy.yaml:9:5: a launch must be a map"));
  CHECK_THAT(problems, Contains("dir/saxpy.yaml:10:6: unknown key 'out' of a launch"));
}

TEST_CASE("a key without a value is not taken for a pointer to nothing") {
  CHECK_THAT(problems_in("args:\n  x:\n  y: nullptr\n"),
             Contains("'x' has no value (a pointer to nothing is written nullptr)"));
}

TEST_CASE("what is not a launch file is refused") {
  CHECK_THAT(problems_in(""), Contains("is not a launch (one YAML document with keys such as 'grid:')"));
  CHECK_THAT(problems_in("- 1"), Contains("is not a launch"));
  CHECK_THAT(problems_in("launches: []"), Contains("'launches' must be a list of 1 to 1,000 launches"));
  CHECK_THAT(problems_of([] { static_cast<void>(read_launch_file("nowhere.yaml")); }), Contains("no such file"));
  CHECK_THAT(problems_of([] { static_cast<void>(read_launch_file("/")); }), Contains("is a folder, not a file"));
}

TEST_CASE("the reference of launch files is up to date") {
  const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/docs/launch-files.md";
  const auto read = [&path] {
    std::ifstream in(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  };
  const std::string text = read();
  const std::string marker = "<!-- generated from the table of keys: GPUSIM_REGENERATE=1 test_code_launch -->\n";
  const std::size_t start = text.find(marker);
  REQUIRE(start != std::string::npos);
  const std::string expected = text.substr(0, start + marker.size()) + "\n" + launch_file_markdown();
  if (std::getenv("GPUSIM_REGENERATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << expected;
  }
  const bool up_to_date = read() == expected;
  CHECK(up_to_date);
}

}  // namespace launch_file_test
