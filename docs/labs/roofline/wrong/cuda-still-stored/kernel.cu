// SPDX-License-Identifier: MIT
// out = gelu(x + bias) + r, element by element, in one kernel: what lies between the operations stays in registers.

__device__ float tanh_of(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));  // one instruction
  return y;
}

__device__ float gelu_of(float x) {
  return 0.5f * x + 0.5f * x * tanh_of(x * (0.797884583f + 0.035677409f * x * x));
}

__global__ void fused(const float4* x, const float4* r, float4* out, float4* t2, float bias) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[i];
  const float4 w = r[i];
  t2[i] = make_float4(gelu_of(v.x + bias), gelu_of(v.y + bias), gelu_of(v.z + bias), gelu_of(v.w + bias));
  out[i] = make_float4(gelu_of(v.x + bias) + w.x, gelu_of(v.y + bias) + w.y, gelu_of(v.z + bias) + w.z,
                       gelu_of(v.w + bias) + w.w);
}
