// SPDX-License-Identifier: MIT
#include <cuda_bf16.h>

/// Pairs of BF16; 6 results a thread.
extern "C" __global__ void bf16_arithmetic(const __nv_bfloat162* x, const __nv_bfloat162* y, __nv_bfloat162* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat162 a = x[i];
  const __nv_bfloat162 b = y[i];
  __nv_bfloat162* to = out + i * 6;
  to[0] = __hadd2(a, b);
  to[1] = __hmul2(a, b);
  to[2] = __hfma2(a, b, __hneg2(a));
  to[3] = __hmax2(a, b);
  to[4] = __hmin2(a, b);
  to[5] = __float22bfloat162_rn(make_float2(__low2float(a) * 0.3f, __high2float(b) + 0.7f));
}
