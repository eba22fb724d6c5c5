// SPDX-License-Identifier: MIT
// Which numbers a kernel is launched with: those of the run, then those of the student's launch file that are free.
#include <fstream>

#include <catch2/catch.hpp>

#include "sim/base/temporary_folder.h"
#include "sim/commands/lab/run/job.h"

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
  job.own_numbers = file("own.yaml", "2048");
  job.lab_numbers = std::move(lab_numbers);
  return lab::load_trace_of(job).kernels.at(0).grid.x;
}

TEST_CASE("a number of the student's launch file counts where neither the run nor the lab sets it") {
  CHECK(ctas_of({}, {}) == 8);
  CHECK(ctas_of({}, {"n"}) == 4);
  CHECK(ctas_of({"n=512"}, {}) == 2);
  CHECK(ctas_of({"n=512"}, {"n"}) == 2);
}

}  // namespace launched_test
