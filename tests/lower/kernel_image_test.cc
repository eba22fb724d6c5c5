// SPDX-License-Identifier: MIT
#include "sim/lower/kernel_image.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/lower/listing.h"

using namespace gpusim;
using Catch::Contains;

namespace {

/// What making an image of the instruction complains about; "" when the part has it.
std::string refusal(const std::string& instruction, const arch::Arch& arch) {
  trace::Kernel kernel = test::kernel_from(instruction + "\nEXIT\n");
  kernel.texts.resize(kernel.code.size());
  try {
    (void)lower::make_image(kernel, arch);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

arch::Arch part() {
  arch::Arch arch;
  arch.name = "a part";
  arch.sm.timing = test::test_timing();
  return arch;
}

}  // namespace

TEST_CASE("an instruction of a class that the part lacks is refused") {
  arch::Arch arch = part();
  CHECK(refusal("REDUX.SUM UR4, R2", arch).empty());
  arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kRedux)].supported = false;
  CHECK_THAT(refusal("REDUX.SUM UR4, R2", arch), Contains("does not exist on a part") && Contains("'redux'"));
}

TEST_CASE("an instruction whose type the tensor cores lack is refused, although its class is there") {
  arch::Arch arch = part();
  arch.sm.tensor.flops_per_cycle.fp16 = 1024;
  CHECK(refusal("HMMA.1688.F32 R4, R8, R10, R4", arch).empty());
  CHECK_THAT(refusal("HMMA.1688.F32.BF16 R4, R8, R10, R4", arch), Contains("no rate of tensor_bf16"));
}
