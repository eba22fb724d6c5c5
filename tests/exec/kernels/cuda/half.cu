// SPDX-License-Identifier: MIT
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// Pairs of FP16; 8 results a thread.
extern "C" __global__ void half_arithmetic(const __half2* x, const __half2* y, __half2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 a = x[i];
  const __half2 b = y[i];
  __half2* to = out + i * 8;
  to[0] = __hadd2(a, b);
  to[1] = __hmul2(a, b);
  to[2] = __hfma2(a, b, __hneg2(a));
  to[3] = __hsub2_sat(a, b);
  to[4] = __hgt2(a, b);
  to[5] = __lows2half2(a, b);
  to[6] = __float22half2_rn(make_float2(__low2float(a) * 0.3f, __high2float(b) + 0.7f));
  to[7] = __heq2(a, a);
}
