// SPDX-License-Identifier: MIT
// mma.sync of the shapes that came with Hopper: f64 of 16 rows. That of fp8 is checked only: Hopper's machine code for
// it is a sequence, most of which the compiler takes out of a chain that multiplies the same operands again.
#include "tools/silicon/micro/tensor_mma.cuh"

namespace gpusim::silicon {
namespace {

void run(Session& session) {
  SILICON_MMA_SHAPES_SM90(SILICON_MEASURE_MMA)
  tensor_check::is_right<E4m3K32>(session);
}

const Registered kMma{
    {.name = "micro/tensor/mma_sm90", .priority = 60, .seconds = 1, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
