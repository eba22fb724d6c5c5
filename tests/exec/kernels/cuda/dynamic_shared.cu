// SPDX-License-Identifier: MIT
/// Reverses each CTA's part, of which the launch says how large it is; elements of 1, 2 and 8 bytes beside it.
extern "C" __global__ void dynamic_shared(int n, const int* in, int* out) {
  extern __shared__ int values[];
  unsigned char* bytes = reinterpret_cast<unsigned char*>(values + n);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    values[i] = in[blockIdx.x * n + i];
    bytes[i] = static_cast<unsigned char>(in[blockIdx.x * n + i] >> 8);
  }
  __syncthreads();
  const short* halves = reinterpret_cast<const short*>(values);
  const long long* wide = reinterpret_cast<const long long*>(values);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int other = n - 1 - i;
    out[blockIdx.x * n + i] = values[other] + bytes[other] + halves[i] + static_cast<int>(wide[other / 2] >> 32);
  }
}
