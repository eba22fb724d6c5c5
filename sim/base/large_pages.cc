// SPDX-License-Identifier: MIT
#include "sim/base/large_pages.h"

#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace gpusim {

void ask_for_large_pages() {
#ifdef __GLIBC__
  constexpr int kHeapBytes = 64 << 20;  // a whole H100 has room in it; pages that nothing touches cost nothing
  constexpr int kUsualPad = 128 << 10;
  constexpr std::uintptr_t kLargePage = 2U << 20;
  // The heap grows in one step, and keeps large arrays, too.
  mallopt(M_TOP_PAD, kHeapBytes);
  mallopt(M_TRIM_THRESHOLD, 2 * kHeapBytes);
  mallopt(M_MMAP_THRESHOLD, kHeapBytes / 2);
  void* const first = std::malloc(kLargePage);
  mallopt(M_TOP_PAD, kUsualPad);  // later steps are as small as usual
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + kLargePage - 1) / kLargePage * kLargePage;
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / kLargePage * kLargePage;
  std::free(first);
  if (first != nullptr && begin < end) {
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
#endif
}

}  // namespace gpusim
