// SPDX-License-Identifier: MIT
#include "sim/commands/cli/progress_text.h"

#include <catch2/catch.hpp>

using gpusim::cli::progress_text;
using gpusim::gpu::Progress;

TEST_CASE("the progress line shows the share of the run, the kernel, the cycle and the time left") {
  CHECK(progress_text({"gemm", 0, 1, 1, 0}, 0.4) == "[........................]   0 %  gemm  1 cycles  0 s");
  CHECK(progress_text({"gemm", 0, 1, 1234567, 0.25}, 3.2) ==
        "[######..................]  25 %  gemm  1,234,567 cycles  3 s, about 10 s left");
  CHECK(progress_text({"gemm", 0, 1, 99, 1}, 61) == "[########################] 100 %  gemm  99 cycles  61 s");
}

TEST_CASE("of several kernels the progress line says which one runs") {
  CHECK(progress_text({"b", 1, 3, 5, 0.5}, 0) == "[############............]  50 %  2/3 b  5 cycles  0 s");
}

TEST_CASE("before the first cycle the progress line says that caches are warmed") {
  CHECK(progress_text({"gemm", 0, 1, 0, 0.05}, 2) ==
        "[#.......................]   5 %  gemm  warming caches  2 s, about 38 s left");
}

TEST_CASE("long times are told in minutes and hours, and a share just begun says nothing of the rest") {
  CHECK(progress_text({"gemm", 0, 1, 7, 0.5}, 600) ==
        "[############............]  50 %  gemm  7 cycles  10 min, about 10 min left");
  CHECK(progress_text({"gemm", 0, 1, 7, 0.125}, 3600) ==
        "[###.....................]  12 %  gemm  7 cycles  60 min, about 7.0 h left");
  CHECK(progress_text({"gemm", 0, 1, 7, 0.01}, 30) == "[........................]   1 %  gemm  7 cycles  30 s");
}

TEST_CASE("a kernel's name cannot break the progress line") {
  const std::string text = progress_text({"line\nbreak\x1b[2J and a very long name", 0, 1, 7, 0}, 0);
  CHECK(text == "[........................]   0 %  line?break?[2J a  7 cycles  0 s");
}
