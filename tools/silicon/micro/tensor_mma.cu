// SPDX-License-Identifier: MIT
// mma.sync of the shapes that every GPU since sm_80 has.
#include "tools/silicon/micro/tensor_mma.cuh"

namespace gpusim::silicon {
namespace {

void run_dense(Session& session) {
  SILICON_MMA_SHAPES(SILICON_MEASURE_MMA)
}
void run_sparse(Session& session) {
  SILICON_SPARSE_MMA_SHAPES(SILICON_MEASURE_MMA)
}

const Registered kDense{
    {.name = "micro/tensor/mma", .priority = 90, .seconds = 2.5, .needs = {Feature::Sm80}, .run = run_dense}};
const Registered kSparse{
    {.name = "micro/tensor/mma_sparse", .priority = 50, .seconds = 2, .needs = {Feature::Sm80}, .run = run_sparse}};

}  // namespace
}  // namespace gpusim::silicon
