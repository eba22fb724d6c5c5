// SPDX-License-Identifier: MIT
// The work of copies and transposes, and of reductions and scans.
#include <algorithm>

#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

constexpr std::uint64_t kSizeofFloat = 4;

/// f32 | f64.
std::uint64_t wide_bytes(const Values& v) {
  return v.at("type") == 0 ? 4 : 8;
}

Work copy(const Values& v) {
  const std::uint64_t bytes = type_bytes(v) * v.at("n");
  return {0, bytes, bytes, 0};
}

/// Boxes that reach beyond the matrix move what lies in it.
Work tma_copy(const Values& v) {
  const std::uint64_t bytes = type_bytes(v) * v.at("m") * v.at("n");
  return {0, bytes, bytes, 0};
}

Work triad(const Values& v) {
  const std::uint64_t bytes = wide_bytes(v) * v.at("n");
  return {2 * v.at("n"), 2 * bytes, bytes, 0};
}

Algorithm fma(const Values& v) {
  return {2 * v.at("n")};
}

Algorithm additions(const Values& v) {
  return {v.at("n")};
}

Work add(const Values& v) {
  const std::uint64_t bytes = wide_bytes(v) * v.at("n");
  return {v.at("n"), 2 * bytes, bytes, 0};
}

/// Two halves are added at once: with one element per thread the upper one is added in vain.
Work elementwise(const Values& v) {
  const std::uint64_t bytes = type_bytes(v) * v.at("n");
  const std::uint64_t in_vain = v.at("width") == 2 ? v.at("n") : 0;
  return {v.at("n") + in_vain, 2 * bytes, bytes, 0};
}

Algorithm elements(const Values& v) {
  return {v.at("n"), v.at("width") == 2 ? 100U : 0U};
}

Work transpose(const Values& v) {
  const std::uint64_t bytes = type_bytes(v) * v.at("m") * v.at("n");
  return {0, bytes, bytes, 0};
}

/// A CTA's tree has an addition less than leaves; the last warp, unrolled, adds with all its lanes in each of 6 steps.
Work reduce(const Values& v) {
  const std::uint64_t threads = v.at("threads");
  const std::uint64_t ctas = v.at("n") / threads / v.at("loads");
  const std::uint64_t tree = v.at("last_warp") == 0 ? threads - 1 : threads - 64 + 6 * 32;
  return {ctas * (threads * (v.at("loads") - 1) + tree), kSizeofFloat * v.at("n"), kSizeofFloat * ctas, 0};
}

/// The totals of the CTAs are left. Half of what an unrolled last warp adds is in vain: the more, the smaller the CTA.
Algorithm sums(const Values& v) {
  return {v.at("n") - v.at("n") / v.at("threads") / v.at("loads"), v.at("last_warp") == 0 ? 0U : 210U};
}

/// Every lane adds in each of 5 steps of its warp, the first warp once more in as many as the warps take. One word per
/// CTA goes out, as a reduction or as a store.
Work reduce_shuffle(const Values& v) {
  std::uint64_t steps = 0;
  for (std::uint64_t warps = v.at("threads") / 32; warps > 1; warps /= 2) {
    ++steps;
  }
  const std::uint64_t out = kSizeofFloat * v.at("ctas");
  const bool stored = v.at("out") == 1;
  return {v.at("n") + v.at("ctas") * (v.at("threads") * 5 + 32 * steps), type_bytes(v) * v.at("n"), stored ? out : 0,
          stored ? 0 : out};
}

/// Each element once; in each CTA three halves of its four warps add up, of 128 columns each; so do they in the last
/// CTA of a group of columns, which has added the sums of all parts before. Each CTA
/// counts.
Work column_sum(const Values& v) {
  const std::uint64_t bytes = v.at("type") == 0 ? 4 : 2;
  const std::uint64_t groups = v.at("columns") / 128;
  const std::uint64_t parts = v.at("splits") * v.at("columns");
  return {v.at("rows") * v.at("columns") + groups * v.at("splits") * 384 + parts + groups * 384,
          bytes * v.at("rows") * v.at("columns") + kSizeofFloat * parts, kSizeofFloat * parts + bytes * v.at("columns"),
          kSizeofFloat * groups * v.at("splits")};
}

Algorithm column_additions(const Values& v) {
  return {(v.at("rows") - 1) * v.at("columns"), 30};
}

/// As with shuffles in each CTA; then one lane per cluster adds up the sums of its CTAs, and writes one.
Work dsmem_reduce(const Values& v) {
  std::uint64_t steps = 0;
  for (std::uint64_t warps = v.at("threads") / 32; warps > 1; warps /= 2) {
    ++steps;
  }
  const std::uint64_t clusters = v.at("ctas") / v.at("cluster");
  return {v.at("n") + v.at("ctas") * (v.at("threads") * 5 + 32 * steps) + clusters * (v.at("cluster") - 1),
          kSizeofFloat * v.at("n"), kSizeofFloat * clusters, 0};
}

/// An FFMA a value and turn, and their sum. What is spilled goes to local memory, which is counted apart.
Work spills(const Values& v) {
  return {v.at("n") * v.at("values") * (2 * v.at("turns") + 1), kSizeofFloat * v.at("n"), kSizeofFloat * v.at("n"), 0};
}

Algorithm spilled(const Values& v) {
  return {2 * v.at("n") * v.at("values") * v.at("turns"), 50};
}

/// The test's sums are short: additions in vain weigh as much as 5 elements a thread.
Algorithm sum(const Values& v) {
  return {v.at("n") - 1, 200};
}

/// A lane that has read one element takes part in five additions.
Algorithm halved_sum(const Values& v) {
  return {v.at("n") - 1, 200};
}

Algorithm shuffled_sum(const Values& v) {
  return {v.at("n") - 1, v.at("width") == 1 ? 550U : 200U};
}

/// Additions of a sum of a CTA's threads: halves down to a warp, then five in a warp.
std::uint64_t halved(std::uint64_t threads) {
  return threads - 32 + 5 * 32;
}

/// Every CTA stores its sum and counts, and the last one adds up those of all.
Work reduce_last_cta(const Values& v) {
  const std::uint64_t ctas = v.at("ctas");
  return {v.at("n") + (ctas + 1) * halved(v.at("threads")) + ctas, kSizeofFloat * (v.at("n") + ctas),
          kSizeofFloat * (ctas + 1), kSizeofFloat * ctas};
}

/// CTAs of 512 threads, 16 to 256 elements a thread where the GPU holds so many CTAs.
std::uint64_t configured_ctas(const Values& v) {
  const std::uint64_t each = (v.at("n") + 511) / 512;
  if (v.at("ctas") != 0 || each < 256) {
    return std::max<std::uint64_t>(v.at("ctas"), 1);
  }
  return std::max(std::min((each + 15) / 16, v.at("resident")), (each + 255) / 256);
}

/// As above; a thread adds up four accumulators, and all lanes of a CTA take part in the last five additions.
Work reduce_configured(const Values& v) {
  const std::uint64_t ctas = configured_ctas(v);
  const std::uint64_t parts = ctas > 1 ? ctas : 0;
  const std::uint64_t sums = ctas + (ctas > 1 ? 1 : 0);
  return {v.at("n") + 3 * 512 * ctas + sums * (480 + 5 * 512) + parts, kSizeofFloat * (v.at("n") + parts),
          kSizeofFloat * (parts + 1), kSizeofFloat * parts};
}

Work atomic_add(const Values& v) {
  return {0, 0, 0, (v.at("type") == 2 ? 8 : kSizeofFloat) * v.at("n")};
}

/// With private bins only the finished ones travel, once a CTA.
Work histogram(const Values& v) {
  const std::uint64_t ctas = v.at("n") / (256 * v.at("each_thread"));
  const std::uint64_t added = v.at("private") == 1 ? ctas * v.at("bins") : v.at("n");
  return {0, kSizeofFloat * v.at("n"), 0, kSizeofFloat * added};
}

/// One thread adds up all elements of a row or a column.
Work sum_thread(const Values& v) {
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  return {elements, kSizeofFloat * elements, kSizeofFloat * (v.at("along") == 0 ? v.at("rows") : v.at("columns")), 0};
}

/// A sum begins with zero, which is one addition more.
Algorithm plain_sums(const Values& v) {
  const std::uint64_t elements = v.at("rows") * v.at("columns");
  return {elements - (v.at("along") == 0 ? v.at("rows") : v.at("columns")), 2};
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
  const std::uint64_t elements = kSizeofFloat * v.at("n");
  const std::uint64_t behind_first = elements - kSizeofFloat * 1024;
  const std::uint64_t additions = ctas * of_cta + doubling(1024) + (ctas - 1) * 1024;
  return {v.at("type") == 0 ? additions : 0, elements + kSizeofFloat * ctas + 2 * behind_first,
          elements + 2 * kSizeofFloat * ctas + behind_first, 0};
}

}  // namespace

std::span<const LibraryCase> memory_and_reduction_cases() {
  static const std::vector<LibraryCase> kCases{
      {"copy", copy, {"", "n=1000 width=4", "n=4096 width=8", "type=f64 width=8", "type=bf16 width=2 threads=64"}},
      {"tma-copy", tma_copy, {"", "m=33 n=16 ctas=1", "type=f16 columns=128 stages=2", "type=f64 rows=7 ctas=40"}},
      {"elementwise",
       elementwise,
       {"", "n=1001 width=4 threads=256", "n=2048 width=8 function=multiply", "type=f16", "n=1001 type=f16 width=2",
        "n=4096 type=f16 width=4 function=multiply"},
       elements},
      {"triad", triad, {"", "n=1025 type=f32", "threads=96"}, fma},
      {"add-strided", add, {"", "n=100 stride=1", "n=1000 type=f64 stride=2 threads=32"}, additions, "x y"},
      {"add-grid-stride", add, {"", "n=1 ctas=1", "n=3000 ctas=3", "type=f64 threads=512"}, additions},
      {"transpose-padded",
       transpose,
       {"", "m=96 n=32 padding=0", "type=f16 tile=16 rows=4", "type=f64 tile=64 m=64 padding=0",
        "type=bf16 tile=64 rows=16"}},
      {"reduce",
       reduce,
       {"", "order=interleaved", "order=strided threads=128", "loads=2 last_warp=unrolled", "n=65536 loads=16",
        "n=4096 loads=8 last_warp=unrolled threads=512", "threads=64 last_warp=unrolled", "threads=1024",
        "order=interleaved loop=unrolled", "loop=unrolled threads=128"},
       sums},
      {"reduce-shuffle",
       reduce_shuffle,
       {"", "n=8192 ctas=1", "type=f16 threads=1024 ctas=1", "type=bf16 threads=64", "width=1 out=stored ctas=64",
        "type=f16 width=4", "width=2 threads=128 out=stored"},
       shuffled_sum},
      {"reduce-last-cta",
       reduce_last_cta,
       {"", "n=131072 ctas=32 threads=1024", "n=65536 ctas=256 threads=64", "n=1048576 ctas=1024 threads=256"},
       halved_sum},
      {"reduce-configured",
       reduce_configured,
       {"", "n=65536", "n=1048580 resident=20", "n=2097152", "n=1048576 ctas=300"},
       halved_sum},
      {"column-sum",
       column_sum,
       {"", "type=f32", "rows=1024 columns=128 splits=2", "type=f16 columns=640 splits=8"},
       column_additions},
      {"dsmem-reduce",
       dsmem_reduce,
       {"", "cluster=4 threads=64", "ctas=16 cluster=16 n=131072", "ctas=8 cluster=8 threads=512"},
       sum},
      {"spills", spills, {"", "spills=0", "spills=12", "values=128 spills=3 turns=1"}, spilled},
      {"atomic-add", atomic_add, {"", "n=4096 counters=100", "type=f32 threads=1024", "type=u64 counters=64"}},
      {"histogram", histogram, {"", "private=no", "bins=1024 skew=50", "n=4096 bins=32", "n=2048 each_thread=4"}},
      {"histogram", histogram, {"skew=100", "private=no skew=100"}, nullptr, "h"},
      {"sum-thread",
       sum_thread,
       {"", "along=column", "rows=64 columns=128 unrolled=1 threads=32", "along=column rows=75 columns=99 unrolled=5"},
       plain_sums},
      {"scan", scan, {"", "n=8192 within=shared", "n=1024", "type=u32", "type=u32 within=shared"}, nullptr, "sums"}};
  return kCases;
}

}  // namespace gpusim::testing
