// SPDX-License-Identifier: MIT
/// Accelerations of bodies (x, y, z, mass), 128 a tile of shared memory and a CTA.
extern "C" __global__ void __launch_bounds__(128) nbody(int n, float softening, const float4* bodies, float4* result) {
  __shared__ float4 tile[128];
  const float4 me = bodies[blockIdx.x * 128 + threadIdx.x];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < 128; ++i) {
      const float4 other = tile[i];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening))));
      const float force = other.w * inverse * inverse * inverse;
      x = fmaf(dx, force, x);
      y = fmaf(dy, force, y);
      z = fmaf(dz, force, z);
    }
    __syncthreads();
  }
  result[blockIdx.x * 128 + threadIdx.x] = make_float4(x, y, z, 0);
}
