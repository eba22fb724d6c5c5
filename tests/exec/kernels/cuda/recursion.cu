// SPDX-License-Identifier: MIT
__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) {
    return n + 1;
  }
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

/// Every lane recurses as deep as its number says.
extern "C" __global__ void recursion(int* numbers, unsigned* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  numbers[i] = fibonacci(i % 11);
  values[i] = ackermann(i % 3, i / 3 % 4);
}
