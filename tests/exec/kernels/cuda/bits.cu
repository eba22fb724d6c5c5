// SPDX-License-Identifier: MIT
/// Funnel shifts, permutations of bytes, counts and fields; 16 results a thread.
extern "C" __global__ void bits(const unsigned* x, const unsigned* y, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = x[i];
  const unsigned b = y[i];
  unsigned* to = out + i * 16;
  to[0] = __funnelshift_l(a, b, b);
  to[1] = __funnelshift_r(a, b, a);
  to[2] = __funnelshift_lc(a, b, b & 63);
  to[3] = __funnelshift_rc(a, b, b & 63);
  to[4] = __byte_perm(a, b, a >> 3);
  to[5] = __popc(a) + 100 * __clz(a) + 10000 * __ffs(a);
  to[6] = __brev(a);
  to[7] = __umulhi(a, b);
  to[8] = static_cast<unsigned>(__mulhi(static_cast<int>(a), static_cast<int>(b)));
  to[9] = __sad(static_cast<int>(a), static_cast<int>(b), 5u);
  to[10] = static_cast<unsigned>(__dp4a(static_cast<int>(a), static_cast<int>(b), 77));
  to[11] = __vabsdiffu4(a, b);
  to[12] = (a << (b & 31)) ^ (static_cast<unsigned>(static_cast<int>(a) >> (b & 31)));
  to[13] = static_cast<unsigned>((static_cast<unsigned long long>(a) << 32 | b) >> (a & 63));
  to[14] = (a & b) | (~a & 0x0f0f0f0f);
  to[15] = __popcll(static_cast<unsigned long long>(a) * b) + __clzll(static_cast<long long>(a) * b);
}
