// SPDX-License-Identifier: MIT
// What a kernel for sm_90 may not do.

__device__ unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
__device__ unsigned in_rank(unsigned rank, const void* at) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(shared_address(at)), "r"(rank));
  return mapped;
}

// A bulk copy to one CTA of the cluster, which signals an mbarrier of another.
extern "C" __global__ void __cluster_dims__(2) copies_apart(unsigned to, unsigned barrier, unsigned bytes) {
  __shared__ alignas(128) int words[512];
  __shared__ alignas(8) unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     in_rank(to, words + 256)),
                 "r"(shared_address(words)), "r"(bytes), "r"(in_rank(barrier, &full))
                 : "memory");
  }
}

// A product with a sparse A, whose B is swizzled by as many bytes as its descriptor says: 0, 128, 64 or 32 by number.
extern "C" __global__ void __launch_bounds__(128) sparse_product(unsigned long long swizzle, float* out) {
  __shared__ alignas(1024) char tile[8192];
  const unsigned long long at = (shared_address(tile) & 0x3ffff) >> 4 | 16ull << 16 | 16ull << 32;
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, %6, 0, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(at), "l"(at | swizzle << 62), "r"(0x44444444));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
