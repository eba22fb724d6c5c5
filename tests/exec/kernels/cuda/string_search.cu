// SPDX-License-Identifier: MIT
/// Where the pattern begins in the text, one thread per place: positions in no order, and how many.
extern "C" __global__ void string_search(int length, const char* text, int pattern_length, const char* pattern,
                                         unsigned* found, int* places) {
  const int begin = blockIdx.x * blockDim.x + threadIdx.x;
  if (begin > length - pattern_length) {
    return;
  }
  int i = 0;
  while (i < pattern_length && text[begin + i] == pattern[i]) {
    ++i;
  }
  if (i == pattern_length) {
    places[atomicAdd(found, 1)] = begin;
  }
}
