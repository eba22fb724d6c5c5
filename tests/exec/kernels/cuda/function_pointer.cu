// SPDX-License-Identifier: MIT
using Operation = int (*)(int, int);

__device__ __noinline__ int add(int a, int b) {
  return a + b;
}
__device__ __noinline__ int multiply(int a, int b) {
  return a * b - 1;
}
__device__ __noinline__ int mix(int a, int b) {
  return (a << 3) ^ (b >> 1) ^ add(a, b);
}

__device__ Operation operations[3] = {add, multiply, mix};

/// Every lane calls what its data says.
extern "C" __global__ void function_pointers(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];
  for (int step = 0; step < 4; ++step) {
    value = operations[static_cast<unsigned>(value) % 3](value, step + i);
  }
  out[i] = value;
}
