// SPDX-License-Identifier: MIT
// Moves particles: out[i] = position[i] + dt * velocity[i], one particle per thread. A particle has `fields` floats; its
// position is field 0, its velocity field 1. Field f of particle i stands at particles[f*n + i]: a structure of arrays.

__global__ void move(const float* particles, float* out, int n, int fields, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float position = particles[0 * n + i];
    const float velocity = particles[i * fields + 1];
    out[i] = position + dt * velocity;
  }
}
