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
  auto* const heap = static_cast<char*>(first);
  char* const begin = heap + (0 - reinterpret_cast<std::uintptr_t>(heap)) % kLargePage;
  char* const end = static_cast<char*>(sbrk(0));
  const bool is_on_heap = first != nullptr && begin < end && end - begin <= 2 * kHeapBytes;
  if (is_on_heap) {
    madvise(begin, static_cast<std::uintptr_t>(end - begin) / kLargePage * kLargePage, MADV_HUGEPAGE);
  }
  std::free(first);
#endif
}

}  // namespace gpusim
