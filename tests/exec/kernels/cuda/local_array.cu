// SPDX-License-Identifier: MIT
/// An array with indices that are known at run time only lies in local memory: sorted there by insertion.
extern "C" __global__ void local_array(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int values[24];
  for (int j = 0; j < 24; ++j) {
    int at = j;
    const int value = in[i * 24 + j];
    while (at > 0 && values[at - 1] > value) {
      values[at] = values[at - 1];
      --at;
    }
    values[at] = value;
  }
  for (int j = 0; j < 24; ++j) {
    out[i * 24 + j] = values[j];
  }
}

/// More values at once than the 32 registers that the launch bounds leave: they are spilled.
extern "C" __global__ void __launch_bounds__(1024, 2) register_spills(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int values[48];
#pragma unroll
  for (int j = 0; j < 48; ++j) {
    values[j] = in[(i * 48 + j * 7) % 4096];
  }
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int j = 0; j < 48; ++j) {
#pragma unroll
    for (int k = 1; k < 4; ++k) {
      values[(j + k * 11) % 48] = values[(j + k * 11) % 48] * 3 + values[j];
    }
  }
#pragma unroll
  for (int j = 0; j < 48; ++j) {
    sum ^= values[j] + j;
  }
  out[i] = sum;
}
