// SPDX-License-Identifier: MIT
/// Each integer operation on words of its own; `results` has one word for each, starting from what the host put there.
extern "C" __global__ void atomics_integer(const int* in, int* results, unsigned* wrapped, int* old_values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[i];
  atomicAdd(&results[0], value);
  atomicSub(&results[1], value);
  atomicMin(&results[2], value);
  atomicMax(&results[3], value);
  atomicAnd(&results[4], value | 0xff);
  atomicOr(&results[5], 1 << value % 31);
  atomicXor(&results[6], value);
  atomicInc(&wrapped[0], 100);
  atomicDec(&wrapped[1], 100);
  atomicMin(&wrapped[2], static_cast<unsigned>(value));
  atomicMax(&wrapped[3], static_cast<unsigned>(value));
  old_values[i] = atomicExch(&results[8 + i % 16], value);  // every value is exchanged out once, or is there at the end
  int seen = results[7];
  int expected;
  do {
    expected = seen;
    seen = atomicCAS(&results[7], expected, expected * 3 + 1);
  } while (seen != expected);
}

/// 64 bits, floating point (sums of small integers, which are exact in every order), and shared memory.
extern "C" __global__ void atomics_wide(const int* in, unsigned long long* results, float* sum, double* wide_sum,
                                        int* shared_results) {
  __shared__ int mine[4];
  __shared__ float mine_float;
  __shared__ unsigned long long mine_wide;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[i];
  if (threadIdx.x < 4) {
    mine[threadIdx.x] = 0;
  }
  if (threadIdx.x == 4) {
    mine_float = 0;
    mine_wide = 0;
  }
  __syncthreads();
  atomicAdd(&results[0], static_cast<unsigned long long>(value) << 24);
  atomicMax(&results[1], static_cast<unsigned long long>(value) << 32);
  atomicMin(&results[2], static_cast<unsigned long long>(value) << 32);
  atomicXor(&results[3], static_cast<unsigned long long>(value) * 0x100000001ull);
  unsigned long long seen = results[4];
  unsigned long long expected;
  do {
    expected = seen;
    seen = atomicCAS(&results[4], expected, expected * 3 + 1);
  } while (seen != expected);
  atomicAdd(sum, static_cast<float>(value % 16));
  atomicAdd(wide_sum, static_cast<double>(value));
  atomicAdd(&mine[0], value);
  atomicMax(&mine[1], value);
  atomicXor(&mine[2], value);
  atomicAdd(&mine_float, static_cast<float>(value % 8));
  atomicAdd(&mine_wide, static_cast<unsigned long long>(value) << 16);
  int last = mine[3];
  int before;
  do {
    before = last;
    last = atomicCAS(&mine[3], before, before + 2);
  } while (last != before);
  __syncthreads();
  if (threadIdx.x == 0) {
    int* out = shared_results + blockIdx.x * 6;
    for (int j = 0; j < 4; ++j) {
      out[j] = mine[j];
    }
    out[4] = static_cast<int>(mine_float);
    out[5] = static_cast<int>(mine_wide >> 16);
  }
}
