// SPDX-License-Identifier: MIT
/// Five points, a tile with its border in shared memory; CTAs of 16 x 16. Outside of the grid all is 0.
extern "C" __global__ void stencil_2d(int width, int height, float centre, float side, const float* in, float* out) {
  __shared__ float tile[18][18];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
    const int from_x = static_cast<int>(blockIdx.x * 16) + i % 18 - 1;
    const int from_y = static_cast<int>(blockIdx.y * 16) + i / 18 - 1;
    const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
    tile[i / 18][i % 18] = inside ? in[from_y * width + from_x] : 0;
  }
  __syncthreads();
  if (x < width && y < height) {
    const float(*at)[18] = &tile[threadIdx.y + 1];
    const int column = threadIdx.x + 1;
    const float sides = (at[-1][column] + at[1][column]) + (at[0][column - 1] + at[0][column + 1]);
    out[y * width + x] = fmaf(side, sides, centre * at[0][column]);
  }
}

/// Seven points, one thread per column of z, with three values of it in registers.
extern "C" __global__ void stencil_3d(int width, int height, int depth, float centre, float side, const float* in,
                                      float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) {
    return;
  }
  const int plane = width * height;
  const float* at = in + y * width + x;
  float below = at[0];
  float here = at[plane];
  for (int z = 1; z < depth - 1; ++z) {
    const float above = at[(z + 1) * plane];
    const float* p = at + z * plane;
    const float sides = ((p[-1] + p[1]) + (p[-width] + p[width])) + (below + above);
    out[z * plane + y * width + x] = fmaf(side, sides, centre * here);
    below = here;
    here = above;
  }
}
