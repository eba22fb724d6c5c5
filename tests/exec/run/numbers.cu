// SPDX-License-Identifier: MIT
// Kernels of arithmetic and of exchange, whose results a test calculates again. Compiled by:
//   ./compile numbers
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void integers(const unsigned* in, unsigned* out) {
  int i = threadIdx.x;
  unsigned a = in[i];
  unsigned b = in[i + 32] | 1;
  int sa = static_cast<int>(a);
  int sb = static_cast<int>(b);
  unsigned long long wide = static_cast<unsigned long long>(a) << 21 | b;
  unsigned* to = out + i * 16;
  to[0] = a / b;
  to[1] = static_cast<unsigned>(sa % sb);
  to[2] = __umulhi(a, b);
  to[3] = static_cast<unsigned>(__mulhi(sa, sb));
  to[4] = static_cast<unsigned>((wide * 0x123456789abcdull) >> 37);
  to[5] = static_cast<unsigned>(static_cast<long long>(wide) >> (b & 63));
  to[6] = __funnelshift_r(a, b, a);
  to[7] = __byte_perm(a, b, 0x6241);
  to[8] = static_cast<unsigned>(min(sa, sb)) ^ max(a, b);
  to[9] = static_cast<unsigned>(__clz(sa) + __ffs(sb) + __popc(a));
  to[10] = static_cast<unsigned>(wide % 1000003ull);
  to[11] = static_cast<unsigned>(__dp4a(sa, sb, 17));
  to[12] = (a & b) | (~a & (a >> 5)) ^ b;
  to[13] = __brev(a) + static_cast<unsigned>(abs(sb));
  to[14] = wide > (static_cast<unsigned long long>(b) << 20) ? 1u : 0u;
  to[15] = static_cast<unsigned>(static_cast<short>(a)) + static_cast<unsigned>(static_cast<signed char>(b));
}

extern "C" __global__ void singles(const float* in, float* out) {
  int i = threadIdx.x;
  float a = in[i];
  float b = in[i + 32];
  float* to = out + i * 12;
  to[0] = a / b;
  to[1] = sqrtf(fabsf(a));
  to[2] = __fadd_rd(a, b);
  to[3] = __fmul_ru(a, b);
  to[4] = __fmaf_rz(a, b, a);
  to[5] = fminf(a, b);
  to[6] = __saturatef(a);
  to[7] = static_cast<float>(static_cast<int>(a * 1000.0f));
  to[8] = floorf(a) + rintf(b);
  to[9] = __uint2float_ru(__float_as_uint(a));
  to[10] = 1.0f / b;
  to[11] = static_cast<float>(static_cast<long long>(a * 1e12f));
}

extern "C" __global__ void functions(const float* in, float* out) {
  int i = threadIdx.x;
  float a = in[i];
  float* to = out + i * 8;
  to[0] = expf(a);
  to[1] = logf(fabsf(a));
  to[2] = sinf(a);
  to[3] = cosf(a);
  to[4] = tanhf(a);
  to[5] = rsqrtf(fabsf(a));
  to[6] = __sinf(a);
  to[7] = powf(fabsf(a), 1.25f);
}

extern "C" __global__ void doubles(const double* in, double* out) {
  int i = threadIdx.x;
  double a = in[i];
  double b = in[i + 32];
  double* to = out + i * 8;
  to[0] = a / b;
  to[1] = sqrt(fabs(a));
  to[2] = fma(a, b, 1.0);
  to[3] = fmin(a, b);
  to[4] = static_cast<double>(static_cast<int>(a * 100));
  to[5] = __dadd_rd(a, b);
  to[6] = static_cast<double>(static_cast<float>(a)) + floor(b);
  to[7] = a < b ? exp(a) : exp(b);
}

extern "C" __global__ void halves(const __half2* in, __half2* out, float* wide) {
  int i = threadIdx.x;
  __half2 a = in[i];
  __half2 b = in[i + 32];
  __half2* to = out + i * 6;
  to[0] = __hadd2(a, b);
  to[1] = __hmul2(a, b);
  to[2] = __hfma2(a, b, a);
  to[3] = __hmax2(a, b);
  to[4] = __hgt2(a, b);
  to[5] = __floats2half2_rn(__low2float(a) * 3.0f, __high2float(b) / 3.0f);
  wide[i] = __half2float(__low2half(a)) + __half2float(__high2half(b));
}

extern "C" __global__ void bfloats(const __nv_bfloat162* in, __nv_bfloat162* out) {
  int i = threadIdx.x;
  __nv_bfloat162 a = in[i];
  __nv_bfloat162 b = in[i + 32];
  out[i * 2] = __hfma2(a, b, a);
  out[i * 2 + 1] = __floats2bfloat162_rn(__low2float(a) * 3.0f, __high2float(b) + 1.0f);
}

extern "C" __global__ void exchange(const int* in, unsigned* out) {
  int i = threadIdx.x;
  int value = in[i];
  unsigned* to = out + i * 8;
  to[0] = __ballot_sync(0xffffffffu, value > 3);
  to[1] = static_cast<unsigned>(__any_sync(0xffffffffu, value > 9)) * 2 +
          static_cast<unsigned>(__all_sync(0xffffffffu, value < 100));
  to[2] = __match_any_sync(0xffffffffu, value & 3);
  to[3] = static_cast<unsigned>(__reduce_add_sync(0xffffffffu, value));
  to[4] = static_cast<unsigned>(__shfl_up_sync(0xffffffffu, value, 3));
  to[5] = static_cast<unsigned>(__shfl_down_sync(0xffffffffu, value, 5, 8));
  to[6] = static_cast<unsigned>(__shfl_sync(0xffffffffu, value, i / 2));
  unsigned mask = __ballot_sync(0xffffffffu, i % 3 == 0);
  to[7] = i % 3 == 0 ? static_cast<unsigned>(__shfl_xor_sync(mask, value, 0)) + __popc(__activemask()) : 0;
}

extern "C" __global__ void votes_of_cta(const int* in, int* out) {
  int i = threadIdx.x;
  int value = in[i];
  out[i * 3] = __syncthreads_count(value > 3);
  out[i * 3 + 1] = __syncthreads_and(value < 100);
  out[i * 3 + 2] = __syncthreads_or(value == 1000);
}

extern "C" __global__ void histogram(const unsigned* in, int n, unsigned* bins, float* sum, unsigned long long* most,
                                     double* total, unsigned* ticket) {
  __shared__ unsigned local[16];
  __shared__ float shared_sum;
  if (threadIdx.x < 16) {
    local[threadIdx.x] = 0;
  }
  if (threadIdx.x == 0) {
    shared_sum = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[in[i] & 15], 1u);
    atomicAdd(&shared_sum, static_cast<float>(in[i] & 7));
    atomicMax(most, static_cast<unsigned long long>(in[i]) << 8);
    atomicAdd(total, 0.5);
  }
  __syncthreads();
  if (threadIdx.x < 16) {
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
  }
  if (threadIdx.x == 0) {
    atomicAdd(sum, shared_sum);
    unsigned mine = atomicInc(ticket, 100);
    atomicCAS(ticket + 1, mine, mine + 1);
  }
}

extern "C" __global__ void copies(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[128];
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + threadIdx.x * 16), "l"(in + threadIdx.x * 4));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(to + threadIdx.x * 16));
  out[threadIdx.x * 4] = a;
  out[threadIdx.x * 4 + 1] = b;
  out[threadIdx.x * 4 + 2] = c;
  out[threadIdx.x * 4 + 3] = d;
}

__device__ unsigned counters[4] = {5, 6, 7, 8};
__constant__ unsigned factors[4] = {2, 3, 5, 7};

extern "C" __global__ void variables(unsigned* out) {
  counters[threadIdx.x & 3] += 0;
  out[threadIdx.x] = counters[threadIdx.x & 3] * factors[(threadIdx.x + 1) & 3];
}

// A lock that lanes of one warp fight for.
extern "C" __global__ void locks(int* lock, int* count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      int value = *static_cast<volatile int*>(count);
      *static_cast<volatile int*>(count) = value + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// A predicated copy stores zeros; a swap of 64 bits in shared memory; a generic atomic; a conversion rounded to zero.
extern "C" __global__ void corners(const unsigned* in, unsigned* global, unsigned long long* out) {
  __shared__ unsigned words[32];
  __shared__ unsigned long long total;
  unsigned i = threadIdx.x;
  words[i] = 77;
  if (i == 0) {
    total = 0;
  }
  __syncthreads();
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(words + i));
  int size = i % 3 == 0 ? 0 : 4;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(in + i), "r"(size));
  asm volatile("cp.async.wait_all;");
  atomicAdd(&total, 1ull << i);
  __syncthreads();
  out[i] = words[i];
  unsigned* target = i % 2 == 0 ? words + i / 2 : global + i / 2;
  bool shared = __isShared(target);
  __syncthreads();
  atomicAdd(target, i + 1);
  __syncthreads();
  out[32 + i] = words[i] * 4ull + shared;
  out[64 + i] = total;
  out[96 + i] = __float_as_uint(__int2float_rz(static_cast<int>(in[i] | 0x40000000u)));
}
