// SPDX-License-Identifier: MIT
#include "sim/code/sass/decode.h"

#include <catch2/catch.hpp>

#include "sim/code/sass/text.h"

#include "tests/exec/kernels/files.h"

using namespace gpusim;
using namespace gpusim::exec;

TEST_CASE("every instruction of our kernels is decoded, and encoded again gives the same bits") {
  std::size_t instructions = 0;
  for (const auto& file : kernel_files()) {
    for (const unsigned sm : kCompiledFor) {
      for (const cubin::Module& module : modules_of(file, sm)) {
        for (const cubin::Function& function : module.functions) {
          INFO(file.filename().string() << " for sm_" << sm << ", " << function.name);
          for (const sass::Code& code : function.code) {
            const sass::Instruction instruction = sass::decode(code, module.generation().value());
            ++instructions;
            if (!instruction.is_known() || sass::encode(instruction) != code) {
              FAIL_CHECK(sass::to_text(instruction, 0));
            }
          }
        }
      }
    }
  }
  CHECK(instructions > 30'000);
}

TEST_CASE("there are more than forty kernels, each for at least one SM") {
  std::size_t kernels = 0;
  for (const auto& file : kernel_files()) {
    const std::vector<cubin::Module> modules = modules_of(file, 90);
    REQUIRE(modules.size() == 1);
    for (const cubin::Function& function : modules.front().functions) {
      kernels += function.is_kernel ? 1 : 0;
    }
  }
  CHECK(kernels >= 40);
}
