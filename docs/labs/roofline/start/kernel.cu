// SPDX-License-Identifier: MIT
// out = gelu(x + bias) + r, element by element, as a framework runs it: one kernel for each operation, four elements a
// thread. What one kernel computes goes to memory, and the next one reads it again.
//
// Your task: one kernel that does all three, and keeps what lies between them in registers. kernel.yaml has the launches.

__device__ float tanh_of(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));  // one instruction
  return y;
}

__device__ float gelu_of(float x) {
  return 0.5f * x + 0.5f * x * tanh_of(x * (0.797884583f + 0.035677409f * x * x));
}

__global__ void add_bias(const float4* x, float4* t1, float bias) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[i];
  t1[i] = make_float4(v.x + bias, v.y + bias, v.z + bias, v.w + bias);
}

__global__ void gelu(const float4* t1, float4* t2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = t1[i];
  t2[i] = make_float4(gelu_of(v.x), gelu_of(v.y), gelu_of(v.z), gelu_of(v.w));
}

__global__ void add_residual(const float4* t2, const float4* r, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = t2[i];
  const float4 w = r[i];
  out[i] = make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
}
