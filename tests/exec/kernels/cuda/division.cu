// SPDX-License-Identifier: MIT
/// Integers have no instruction that divides; 8 results a thread, and FP32 division and square root.
extern "C" __global__ void division(const int* x, const int* y, const long long* wide, long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int a = x[i];
  const int b = y[i];
  const long long w = wide[i];
  long long* to = out + i * 10;
  to[0] = a / b;
  to[1] = a % b;
  to[2] = static_cast<unsigned>(a) / static_cast<unsigned>(b);
  to[3] = static_cast<unsigned>(a) % static_cast<unsigned>(b);
  to[4] = w / b;
  to[5] = w % b;
  to[6] = a / 7 + a % 1000;
  to[7] = static_cast<long long>(static_cast<unsigned long long>(w) / 10);
  to[8] = __float_as_int(static_cast<float>(a) / static_cast<float>(b));
  to[9] = __float_as_int(sqrtf(fabsf(static_cast<float>(a))));
}
