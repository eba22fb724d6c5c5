// SPDX-License-Identifier: MIT
/// A small machine with a program a thread: the switch becomes a table of branches.
extern "C" __global__ void switch_table(int steps, const unsigned char* codes, const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = in[i];
  int b = i;
  for (int step = 0; step < steps; ++step) {
    switch (codes[i * steps + step]) {
      case 0: a += b; break;
      case 1: a -= 3 * b; break;
      case 2:
        a *= 5;
        b ^= a;
        break;
      case 3: b = a >> 3; break;
      case 4:
        a ^= 0x5a5a;
        b += 7;
        break;
      case 5: a = (a << 1) | (a < 0); break;
      case 6: b = min(a, b); break;
      case 7: a = max(a, -b); break;
      case 8:
        b = a & 0xff;
        a >>= 2;
        break;
      case 9: b = __popc(a); break;
      case 10: a = ~a; break;
      case 11: a += b * b; break;
      default: b = -b; break;
    }
  }
  out[i] = a ^ b;
}
