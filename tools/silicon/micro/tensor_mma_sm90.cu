// SPDX-License-Identifier: MIT
// mma.sync of the shapes that came with Hopper: f64 of 16 rows, and fp8, which Hopper's own machine code converts to
// 16 bits first (a step is several instructions and measured as a whole).
#include "tools/silicon/micro/tensor_mma.cuh"

namespace gpusim::silicon {
namespace {

void run(Session& session) {
  SILICON_MMA_SHAPES_SM90(SILICON_MEASURE_MMA)
}

const Registered kMma{
    {.name = "micro/tensor/mma_sm90", .priority = 60, .seconds = 2, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
