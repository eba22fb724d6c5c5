// SPDX-License-Identifier: MIT
// out = gelu(x + bias) + r, element by element: the first two operations in one kernel.

__device__ float tanh_of(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));  // one instruction
  return y;
}

__device__ float gelu_of(float x) {
  return 0.5f * x + 0.5f * x * tanh_of(x * (0.797884583f + 0.035677409f * x * x));
}

__global__ void gelu(const float4* x, float4* t2, float bias) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[i];
  t2[i] = make_float4(gelu_of(v.x + bias), gelu_of(v.y + bias), gelu_of(v.z + bias), gelu_of(v.w + bias));
}

__global__ void add_residual(const float4* t2, const float4* r, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = t2[i];
  const float4 w = r[i];
  out[i] = make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
}
