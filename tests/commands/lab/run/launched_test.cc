// SPDX-License-Identifier: MIT
// How a kernel is launched: with the numbers of the run, then those of the student's launch file that are free, and,
// where the lab lists its buffers, with the launches of the student's file.
#include "sim/commands/lab/run/launched.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/base/temporary_folder.h"
#include "sim/code/launch/launch_file.h"
#include "sim/commands/lab/run/job.h"
#include "sim/commands/launch/job.h"
#include "sim/model/trace/kernel.h"

namespace launched_test {

using namespace gpusim;

/// CTAs of 256 threads for n elements, where the lab's launch file says n=1024 and the student's n=2048.
std::uint32_t ctas_of(std::vector<std::string> params, std::vector<std::string> lab_numbers) {
  const TemporaryFolder folder;
  const auto file = [&folder](const char* name, const char* n) {
    const std::filesystem::path path = folder.path() / name;
    std::ofstream(path) << "param: {n: " << n << "}\ngrid: n / 256\nblock: 256\n"
                        << "args: {n: n, a: 2.0, x: 'f32[n]:random', y: 'f32[n]:zeros'}\n";
    return path.string();
  };
  lab::Job job{
      GPUSIM_SOURCE_DIR "/tests/code/cubin/data/kernels_sm90.cubin", "h100", std::move(params), {}, "warm", "saxpy"};
  job.launch = file("launch.yaml", "1024");
  job.own_launch = file("own.yaml", "2048");
  job.lab_numbers = std::move(lab_numbers);
  return lab::load_trace_of(job).kernels.at(0).grid.x;
}

TEST_CASE("a number of the student's launch file counts where neither the run nor the lab sets it") {
  CHECK(ctas_of({}, {}) == 8);
  CHECK(ctas_of({}, {"n"}) == 4);
  CHECK(ctas_of({"n=512"}, {}) == 2);
  CHECK(ctas_of({"n=512"}, {"n"}) == 2);
}

constexpr const char* kOfLab =
    "param: {n: 1024, causal: 0}\nbuffers: {x: 'f32[n]:random', y: 'f32[n]:zeros'}\nblock: 256\nlaunches:\n"
    "  - {kernel: first, grid: n / 256, args: {x: x, y: y}}\n  - {kernel: second, grid: n / 256, args: {y: y}}\n";

/// The request of a job of which the student's launch file is `own`.
launch::Request request_with(const std::string& own, std::vector<std::string> params = {},
                             const std::string& of_lab = kOfLab) {
  const TemporaryFolder folder;
  const auto file = [&folder](const char* name, const std::string& text) {
    const std::filesystem::path path = folder.path() / name;
    std::ofstream(path) << text;
    return path.string();
  };
  lab::Job job{"kernel.cubin", "h100", std::move(params), {}, "warm", ""};
  job.launch = file("launch.yaml", of_lab);
  job.own_launch = file("own.yaml", own);
  return lab::request_of_job(job);
}

TEST_CASE("where the lab lists its buffers the student's file says what is launched, in what grid") {
  const launch::Request request = request_with("grid: n / 512\nblock: 512\nkernel: both\nargs: {x: x, y: y}\n");
  REQUIRE(request.launches.size() == 1);
  CHECK(request.launches.front().kernel->text == "both");
  CHECK(request.launches.front().grid->text == "n / 512");
}

TEST_CASE("buffers are the lab's, whatever the student's file says of them") {
  const launch::Request request = request_with(
      "buffers: {x: 'f32[1]:ones', z: 'f32[9]:ones'}\nkernel: both\ngrid: 1\nblock: 1\nargs: {x: x}\n"
      "out: {x: x.npy}\n");
  REQUIRE(request.buffers.size() == 2);
  CHECK(request.buffers.front().text == "f32[n]:random");
  CHECK(request.outputs.empty());
}

TEST_CASE("an argument of a student that makes a buffer or reads a file is refused at its place") {
  const std::string argument =
      GENERATE("'f32[n]:ones'", "'[n]'", "secret.npy", "'bytes:secret.npy'", "'{f32[n]:ones}'");
  CAPTURE(argument);
  try {
    (void)request_with("kernel: both\ngrid: 1\nblock: 1\nargs:\n  x: " + argument + "\n");
    FAIL("it was accepted");
  } catch (const InputError& error) {
    CHECK(error.problems().front().where.line == 5);
    CHECK(error.problems().front().hint == "write the name of one: x, y");
  }
}

TEST_CASE("a launch of a student that is repeated is refused at its place") {
  try {
    (void)request_with("kernel: both\ngrid: 1\nblock: 1\nrepeat: 1000000\nargs: {x: x}\n");
    FAIL("it was accepted");
  } catch (const InputError& error) {
    CHECK(error.problems().front().where.line == 4);
    CHECK(error.problems().front().message == "a check launches each kernel once");
  }
}

/// What of a student's launch file `own` does not count beside the lab's.
std::vector<std::string> ignored(const std::string& of_lab, const std::string& own) {
  const auto parse = [](const std::string& text) { return launch::parse_launch_file(text, "launch.yaml"); };
  return lab::ignored_keys(parse(of_lab), parse(own), {"n"});
}

TEST_CASE("what a student's launch file changes in a launch of the lab is named") {
  const std::string of_lab = "param: {n: 64, tile: 2}\nkernel: k\ngrid: n / 32\nblock: 32\nargs: {x: 'f32[n]:ones'}\n";
  using Keys = std::vector<std::string>;
  CHECK(ignored(of_lab, of_lab).empty());
  CHECK(ignored(of_lab, "param: {n: 64, tile: 4}\nkernel: k\ngrid: n / 32\nblock: 32\nargs: {x: 'f32[n]:ones'}\n")
            .empty());
  CHECK(ignored(of_lab, "param: {n: 32}\nkernel: k\ngrid: n / 64\nblock: 64\nrepeat: 9\nargs: {x: 'f32[n]:zeros'}\n") ==
        Keys{"grid", "block", "repeat", "args", "n"});
  CHECK(ignored(of_lab, "block: 32\nlaunches:\n  - {kernel: k, grid: 1}\n  - {kernel: k, grid: 1}\n") ==
        Keys{"launches"});
  CHECK(ignored(kOfLab, "buffers: {x: 'f32[9]:ones'}\nkernel: both\ngrid: 1\nblock: 1\nargs: {x: x}\n") ==
        Keys{"buffers"});
}

TEST_CASE("an argument of a student may be a place in a buffer of the lab") {
  CHECK_NOTHROW(request_with("kernel: both\ngrid: 1\nblock: 1\nargs: {x: '&x[n / 2]', y: y, n: n - 1}\n"));
}

TEST_CASE("where the lab's buffers stand among its arguments the student's launches do not count") {
  const launch::Request request =
      request_with("grid: 9\nblock: 9\nargs: {x: 'f32[9]:ones'}\n", {},
                   "param: {n: 1024}\ngrid: n / 256\nblock: 256\nargs: {x: 'f32[n]:random'}\n");
  CHECK(request.launches.front().grid->text == "n / 256");
  CHECK(request.launches.front().arguments.front().text == "f32[n]:random");
}

TEST_CASE("the words yes and no of a run are the numbers 1 and 0 of a launch") {
  const auto causal = [](const char* param) { return request_with("grid: 1\n", {param}).parameters.back().text; };
  CHECK(causal("causal=yes") == "1");
  CHECK(causal("causal=no") == "0");
}

}  // namespace launched_test
