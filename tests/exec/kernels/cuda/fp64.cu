// SPDX-License-Identifier: MIT
/// Every operation is rounded as IEEE 754 says; 8 results a thread.
extern "C" __global__ void fp64_arithmetic(const double* x, const double* y, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double a = x[i];
  const double b = y[i];
  double* to = out + i * 8;
  to[0] = __dadd_rn(a, b);
  to[1] = __dmul_rn(a, b);
  to[2] = fma(a, b, 1.0);
  to[3] = a / b;
  to[4] = sqrt(fabs(a));
  to[5] = fmin(a, b);
  to[6] = a > b ? floor(a) : ceil(b);
  to[7] = __dadd_rd(a, b) - __dadd_ru(a, b);
}
