// SPDX-License-Identifier: MIT
// The work of copies, gathers and transposes, and of reductions and scans.
#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

constexpr std::uint64_t kWord = 4;

std::uint64_t type_bytes(const Values& v) {
  return v.at("type") == 0 ? 4 : 8;  // f32 | f64
}

Work copy(const Values& v) {
  return {0, kWord * v.at("n"), kWord * v.at("n"), 0};
}

Work triad(const Values& v) {
  const std::uint64_t bytes = type_bytes(v) * v.at("n");
  return {2 * v.at("n"), 2 * bytes, bytes, 0};
}

Work add(const Values& v) {
  return {v.at("n"), 2 * kWord * v.at("n"), kWord * v.at("n"), 0};
}

/// An index and an element in, an element out, whichever side is scattered.
Work gather(const Values& v) {
  return {0, (kWord + type_bytes(v)) * v.at("n"), type_bytes(v) * v.at("n"), 0};
}

Work transpose(const Values& v) {
  const std::uint64_t bytes = kWord * v.at("n") * v.at("n");
  return {0, bytes, bytes, 0};
}

/// A CTA's tree of 256 leaves has 255 additions; the last warp, unrolled, adds with all its lanes in each of 6 steps.
Work reduce(const Values& v) {
  const std::uint64_t ctas = v.at("n") / 256 / v.at("loads");
  const std::uint64_t tree = v.at("last_warp") == 0 ? 255 : 128 + 64 + 6 * 32;
  return {ctas * (256 * (v.at("loads") - 1) + tree), kWord * v.at("n"), kWord * ctas, 0};
}

/// Every lane adds in each of 5 steps of its warp, the first warp once more in 3.
Work reduce_shuffle(const Values& v) {
  return {v.at("n") + v.at("ctas") * (256 * 5 + 32 * 3), kWord * v.at("n"), 0, kWord * v.at("ctas")};
}

Work atomic_add(const Values& v) {
  return {0, 0, 0, kWord * v.at("n")};
}

/// With private bins only the finished ones travel, once a CTA of 4096 values.
Work histogram(const Values& v) {
  const std::uint64_t added = v.at("private") == 1 ? v.at("n") / 4096 * v.at("bins") : v.at("n");
  return {0, kWord * v.at("n"), 0, kWord * added};
}

/// Additions of a scan of `n` elements that doubles the distance in each step.
std::uint64_t doubling(std::uint64_t n) {
  std::uint64_t additions = 0;
  for (std::uint64_t distance = 1; distance < n; distance *= 2) {
    additions += n - distance;
  }
  return additions;
}

Work scan(const Values& v) {
  const std::uint64_t ctas = v.at("n") / 1024;
  // 32 warps scan their lanes, one scans their sums, and all but the first warp add one.
  const std::uint64_t of_cta = v.at("within") == 0 ? 33 * doubling(32) + 31 * 32 : doubling(1024);
  const std::uint64_t elements = kWord * v.at("n");
  const std::uint64_t behind_first = elements - kWord * 1024;
  return {ctas * of_cta + doubling(1024) + (ctas - 1) * 1024, elements + kWord * ctas + 2 * behind_first,
          elements + 2 * kWord * ctas + behind_first, 0};
}

}  // namespace

std::span<const LibraryCase> memory_and_reduction_cases() {
  static const std::vector<LibraryCase> kCases{
      {"copy", copy, {"", "n=1000 width=4", "n=4096 width=8"}},
      {"triad", triad, {"", "n=1025 type=f32"}},
      {"add-strided", add, {"", "n=100 stride=1"}},
      {"add-grid-stride", add, {"", "n=1 ctas=1", "n=3000 ctas=3"}},
      {"gather-scatter", gather, {"", "direction=scatter", "n=1024 type=f64", "n=512 type=f64 direction=scatter"}},
      {"transpose-padded", transpose, {"", "n=96 padding=0"}},
      {"reduce",
       reduce,
       {"", "order=interleaved", "order=strided", "loads=2 last_warp=unrolled", "n=65536 loads=16",
        "n=4096 loads=8 last_warp=unrolled"}},
      {"reduce-shuffle", reduce_shuffle, {"", "n=8192 ctas=1"}},
      {"atomic-add", atomic_add, {"", "n=4096 counters=100"}},
      {"histogram", histogram, {"", "private=no", "bins=1024 skew=50", "n=4096 bins=32"}},
      {"scan", scan, {"", "n=8192 within=shared", "n=1024"}}};
  return kCases;
}

}  // namespace gpusim::testing
