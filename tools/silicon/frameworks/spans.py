# SPDX-License-Identifier: MIT
"""What a profiler's duration of a kernel holds beside the kernel's own instructions.

Each CTA of a small kernel notes the GPU's clock at its first and at its last instruction. The duration that CUPTI
reports less the time from the first to the last note is what the GPU needs to begin and end a kernel: by what it left
behind (loads, stores, reductions, a fence), by its CTAs, by its instructions being new to the caches.
"""
import statistics

REPEATS = 12
SOURCE = r"""
__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t) :: "memory");
  return t;
}
#define KERNEL(NAME, BODY)                                                                              \
  extern "C" __global__ void NAME(const float4* in, float4* out, unsigned* words, unsigned long long* times) { \
    const unsigned long long begin = now();                                                             \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
    BODY                                                                                                \
    __syncthreads();                                                                                    \
    if (threadIdx.x == 0) {                                                                             \
      times[2 * blockIdx.x] = begin;                                                                    \
      times[2 * blockIdx.x + 1] = now();                                                                \
    }                                                                                                   \
  }
KERNEL(span_idle, )
KERNEL(span_load, const float4 x = __ldcg(in + i); if (x.x == 12345.5f) words[i] = 1;)
KERNEL(span_store, out[i] = make_float4(1, 2, 3, 4);)
KERNEL(span_copy, out[i] = __ldcg(in + i);)
KERNEL(span_reduce, atomicAdd(words + i, 1u);)
KERNEL(span_fence, out[i] = make_float4(1, 2, 3, 4); __threadfence();)
KERNEL(span_fence_system, out[i] = make_float4(1, 2, 3, 4); __threadfence_system();)
#define X4(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
KERNEL(span_long_code, float x = i; X4(X4(X4(X4(X4(
  asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));))))) if (x == 12345.5f) words[i] = 1;)
extern "C" __global__ void span_other(unsigned* words) { if (words == nullptr) *words = 1; }
"""
NAMES = ("idle", "load", "store", "copy", "reduce", "fence", "fence_system", "long_code")
SHAPES = [(1, 32), (1, 256), (1, 1024), (16, 256), (132, 32), (132, 256), (132, 1024), (264, 1024), (528, 256),
          (1056, 128), (1056, 256), (4224, 128), (4224, 256), (8448, 256)]


def measurements(bench, write):
    """Writes one record per kernel and shape: duration by CUPTI, span by the CTAs' notes, both in us."""
    import cupy
    module = cupy.RawModule(code=SOURCE, options=("-std=c++17",))
    ctas, threads = max(c for c, _ in SHAPES), max(c * t for c, t in SHAPES)
    data = bench.torch.zeros(2 * threads * 4, device="cuda")
    words = bench.torch.zeros(threads, device="cuda", dtype=bench.torch.int32)
    times = bench.torch.zeros(2 * ctas, device="cuda", dtype=bench.torch.int64)
    other = module.get_function("span_other")
    for name in NAMES:
        kernel = module.get_function("span_" + name)
        for grid, block in SHAPES:
            for before in ("same", "other"):
                write(one(bench, kernel, name, grid, block, before, other, data, words, times, threads))


def one(bench, kernel, name, grid, block, before, other, data, words, times, threads):
    import cupy
    spans = []

    def everything():
        with cupy.cuda.Stream.from_external(bench.torch.cuda.current_stream()):
            for _ in range(REPEATS):
                if before == "other":
                    other((1,), (32,), (words.data_ptr(),))
                kernel((grid,), (block,), (data.data_ptr(), data.data_ptr() + 16 * threads, words.data_ptr(),
                                           times.data_ptr()))
                noted = times[:2 * grid].view(-1, 2).cpu()
                spans.append((noted[:, 1].max() - noted[:, 0].min()).item() / 1000)
    everything()
    spans.clear()
    kernels = [k for k in bench.kernels_of(everything) if k["name"] == "span_" + name]
    durations = [k["dur"] for k in kernels]
    outside = [d - s for d, s in zip(durations, spans)]
    return {"type": "span", "kernel": name, "grid": grid, "block": block, "before": before,
            "duration_us": round(statistics.median(durations), 4), "span_us": round(statistics.median(spans), 4),
            "outside_us": round(statistics.median(outside), 4), "outside_min_us": round(min(outside), 4),
            "outside_max_us": round(max(outside), 4), "n": len(durations), "clock_mhz": bench.clock_mhz()}
