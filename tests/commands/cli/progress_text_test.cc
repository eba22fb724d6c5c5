// SPDX-License-Identifier: MIT
#include "sim/commands/cli/progress_text.h"

#include <catch2/catch.hpp>

using gpusim::cli::progress_text;
using gpusim::gpu::Progress;

TEST_CASE("the progress line shows the share of CTAs, the kernel and the cycle") {
  CHECK(progress_text({"gemm", 0, 1, 0, 8, 1}, 0.4) == "[........................]   0 %  gemm  1 cycles  0 s");
  CHECK(progress_text({"gemm", 0, 1, 2, 8, 1234567}, 3.2) ==
        "[######..................]  25 %  gemm  1,234,567 cycles  3 s");
  CHECK(progress_text({"gemm", 0, 1, 8, 8, 99}, 61) == "[########################] 100 %  gemm  99 cycles  61 s");
}

TEST_CASE("of several kernels the progress line says which one runs") {
  CHECK(progress_text({"b", 1, 3, 1, 2, 5}, 0) == "[############............]  50 %  2/3 b  5 cycles  0 s");
}

TEST_CASE("before the first cycle the progress line says that caches are warmed") {
  CHECK(progress_text({"gemm", 0, 1, 0, 8, 0}, 2) == "warming the caches for gemm  2 s");
}

TEST_CASE("a kernel's name cannot break the progress line") {
  const std::string text = progress_text({"line\nbreak\x1b[2J and a very long name", 0, 1, 0, 0, 7}, 0);
  CHECK(text == "[........................]   0 %  line?break?[2J a  7 cycles  0 s");
}
