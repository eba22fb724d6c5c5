// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>

/// From FP32 and FP64 to integers and back, in all ways of rounding; 16 results a thread.
extern "C" __global__ void conversions(const float* in, const long long* wide, unsigned long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  const long long w = wide[i];
  unsigned long long* to = out + i * 16;
  to[0] = static_cast<unsigned>(__float2int_rn(x));
  to[1] = static_cast<unsigned>(__float2int_rz(x));
  to[2] = static_cast<unsigned>(__float2int_rd(x));
  to[3] = static_cast<unsigned>(__float2int_ru(x));
  to[4] = __float2uint_rz(x);
  to[5] = static_cast<unsigned long long>(__float2ll_rz(x));
  to[6] = __float_as_uint(__ll2float_rn(w));
  to[7] = __float_as_uint(__int2float_rz(static_cast<int>(w)));
  to[8] = __float_as_uint(__uint2float_rn(static_cast<unsigned>(w)));
  to[9] = __double_as_longlong(__ll2double_rn(w));
  to[10] = __double_as_longlong(static_cast<double>(x));
  to[11] = __float_as_uint(__double2float_rn(static_cast<double>(w) * 0.1));
  to[12] = __half_as_ushort(__float2half_rn(x));
  to[13] = static_cast<unsigned char>(static_cast<signed char>(w));
  to[14] = __float_as_uint(truncf(x)) ^ __float_as_uint(rintf(x));
  to[15] = static_cast<unsigned>(static_cast<short>(w)) + static_cast<unsigned short>(w >> 8);
}
