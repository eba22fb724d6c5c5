// SPDX-License-Identifier: MIT
// Mistakes that a check finds, each beside a kernel without it. The cubins are made with nvcc 13.0:
//   nvcc -cubin -lineinfo -arch=sm_80 check.cu -o data/check_sm80.cubin      and sm_90a to check_sm90.cubin

extern "C" __global__ void sum(const int* in, int* out, int waits) {
  __shared__ int tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      tile[threadIdx.x] += tile[threadIdx.x + half];
    }
    if (waits) {
      __syncthreads();
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = tile[0];
  }
}

extern "C" __global__ void beyond(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i];
  }
}

extern "C" __global__ void steps(const char* in, int* out, int step) {
  out[threadIdx.x] = *(const int*)(in + threadIdx.x * step);
}

extern "C" __global__ void unwritten(int* out, int written) {
  __shared__ int tile[128];
  if (threadIdx.x < written) {
    tile[threadIdx.x] = threadIdx.x;
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x / 2];
}

extern "C" __global__ void all_write(int* out, int each) {
  __shared__ int winner;
  winner = threadIdx.x * each / 32;
  __syncthreads();
  out[threadIdx.x] = winner;
}

extern "C" __global__ void lanes_part(int* out, int from) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  __syncwarp();
  if (threadIdx.x < 16) {
    for (int i = 0; i < from + 1; ++i) {
      tile[threadIdx.x] += i;
    }
  } else {
    for (int i = 0; i < from + 1; ++i) {
      out[threadIdx.x] += tile[threadIdx.x - from];
    }
  }
  __syncwarp();
  out[threadIdx.x] += tile[threadIdx.x];
}

extern "C" __global__ void copy(const int* in, int* out, int waits) {
  __shared__ int tile[32];
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.commit_group;");
  if (waits) {
    asm volatile("cp.async.wait_group 0;");
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

// Neighbouring bytes are different places; the two threads of a pair share one.
extern "C" __global__ void bytes(int* out, int shift) {
  __shared__ unsigned char tile[256];
  tile[threadIdx.x >> shift] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x >> shift];
}

extern "C" __global__ void behind_shared(int* out, int plus) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x + plus] = 1;
  __syncthreads();
  out[threadIdx.x] = plus;
}

extern "C" __global__ void count(int* out, int waits) {
  __shared__ int counts[32];
  if (threadIdx.x < 32) {
    counts[threadIdx.x] = 0;
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x * 7 % 32], 1);
  if (waits) {
    __syncthreads();
  }
  out[threadIdx.x] = counts[threadIdx.x % 32];
}

// Half of the warps produce what the other half reads, over named barriers.
extern "C" __global__ void stages(int* out, int waits) {
  __shared__ int tile[32];
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x < 32) {
      if (i > 0 && waits) {
        asm volatile("bar.sync %0, 64;" ::"r"(8 + i));
      }
      tile[threadIdx.x] = i;
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + i));
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + i));
      sum += tile[threadIdx.x - 32];
      if (i < 3 && waits) {
        asm volatile("bar.arrive %0, 64;" ::"r"(9 + i));
      }
    }
  }
  out[threadIdx.x] = sum;
}

#if __CUDA_ARCH__ >= 900
__device__ void wait_for(unsigned barrier) {
  asm volatile(
      "{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again; }" ::"r"(barrier));
}

extern "C" __global__ void bulk(const int* in, int* out, int waits) {
  __shared__ alignas(16) int tile[128];
  __shared__ unsigned long long state;
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  unsigned barrier = static_cast<unsigned>(__cvta_generic_to_shared(&state));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" ::"r"(barrier));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(to),
                 "l"(in), "r"(barrier)
                 : "memory");
  }
  if (waits) {
    wait_for(barrier);
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = tile[threadIdx.x];
}
#endif
