// SPDX-License-Identifier: MIT
// Moves particles: out[i] = position[i] + dt * velocity[i], one particle per thread. A particle is a structure of `fields`
// floats; its position is field 0, its velocity field 1. The structures lie one after the other: an array of structures.
//
// Your task: make it a structure of arrays. Field f of particle i then stands at particles[f*n + i].

__global__ void move(const float* particles, float* out, int n, int fields, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float position = particles[i * fields + 0];
    const float velocity = particles[i * fields + 1];
    out[i] = position + dt * velocity;
  }
}
