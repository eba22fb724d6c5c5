// SPDX-License-Identifier: MIT
// What the time of a recorded kernel goes with, by its name.
#include "sim/commands/app/times/recorded.h"

#include <catch2/catch.hpp>

namespace recorded_test {

using gpusim::app::scale_by;
using gpusim::app::ScaleBy;

TEST_CASE("products, convolutions and attention go with tensor cores, the rest with DRAM, by their names") {
  for (const char* const name : {"nvjet_tst_128x256_64x4_2x1_v_bz_NNT", "ampere_bf16_s16816gemm_bf16_128x64_ldg8",
                                 "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>",
                                 "sm90_xmma_dgrad_implicit_gemm_bf16f32", "void pytorch_flash::flash_fwd_kernel<>",
                                 "fmha_cutlassF_bf16_aligned_64x64_rf_sm80", "cudnn_generated_sm90_flash_bprop"}) {
    INFO(name);
    CHECK(scale_by(name) == ScaleBy::kTensor);
  }
  for (const char* const name :
       {"void at::native::vectorized_elementwise_kernel<4>", "triton_poi_fused_convolution_relu_0",
        "void splitKreduce_kernel<32, 16, int>", "gemv2T_kernel_val", "", "nchwToNhwcKernel",
        "void at::native::batch_norm_collect_statistics_kernel<>"}) {
    INFO(name);
    CHECK(scale_by(name) == ScaleBy::kDram);
  }
  CHECK(scale_by("ampere_sgemm_128x64_tn") == ScaleBy::kFp32);
  CHECK(scale_by("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64>") == ScaleBy::kFp32);
  CHECK(scale_by("volta_dgemm_64x64_nn") == ScaleBy::kFp64);
  CHECK(scale_by("ncclDevKernel_AllReduce_Sum_f32_RING_LL") == ScaleBy::kNothing);
}

}  // namespace recorded_test
