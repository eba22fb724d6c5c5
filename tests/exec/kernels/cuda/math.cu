// SPDX-License-Identifier: MIT
/// Functions of FP32; 12 results a thread. x is positive, y between -10 and 10.
extern "C" __global__ void math_functions(const float* x, const float* y, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = x[i];
  const float b = y[i];
  float* to = out + i * 12;
  to[0] = sinf(b);
  to[1] = cosf(a * 1000);  // large arguments take the slow reduction
  to[2] = expf(b);
  to[3] = logf(a);
  to[4] = powf(a, b);
  to[5] = rsqrtf(a);
  to[6] = tanhf(b);
  to[7] = erff(b);
  to[8] = __sinf(b);
  to[9] = __expf(b);
  to[10] = __log2f(a);
  to[11] = cbrtf(a);
}
