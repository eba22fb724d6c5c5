// SPDX-License-Identifier: MIT
// What is refused of a file with kernels before a compiler runs.
#include "sim/commands/launch/kernel_file.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/base/temporary_folder.h"

namespace kernel_file_test {

using namespace gpusim;
using Catch::Contains;

/// What the file says of source for a GPU, and how often a compiler was begun.
struct Refusal {
  std::string message;
  int compilers = 0;
};

Refusal refusal_of(const std::string& gpu, const std::string& compute_capability) {
  const TemporaryFolder folder;
  const std::filesystem::path source = folder.path() / "k.cu";
  std::ofstream(source) << "__global__ void k() {}\n";
  Refusal refusal;
  try {
    const commands::KernelFile file(source, commands::TargetGpu{gpu, compute_capability}, {},
                                    [&refusal](const std::string&) { ++refusal.compilers; });
  } catch (const InputError& error) {
    refusal.message = error.what();
  }
  return refusal;
}

TEST_CASE("source for a GPU whose machine code is not read is refused before a compiler runs, with the GPUs that are") {
  const Refusal refusal = refusal_of("v100", "7.0");
  CHECK(refusal.compilers == 0);
  CHECK_THAT(refusal.message, Contains("k.cu: v100 has compute capability 7.0, whose machine code gpusim does not read "
                                       "(choose one of a100-40gb, a100, ") &&
                                  Contains(", h100, ") && Contains(", t4)") && !Contains("v100,") && !Contains("b200"));
}

TEST_CASE("source for a GPU that is too new is refused in the same way") {
  CHECK_THAT(refusal_of("b200", "10.0").message, Contains("b200 has compute capability 10.0, whose machine code"));
}

}  // namespace kernel_file_test
