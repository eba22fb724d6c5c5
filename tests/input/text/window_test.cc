// SPDX-License-Identifier: MIT
// `window` in the head of a kernel: what L2 is to do with the lines of a buffer.
#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace window_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

const std::string kHead = "grid (1)\nblock (32)\nbuffer x u32[4096]\nshared static 1024\nshared_buffer s u32[8] at 0\n";

trace::L2Window window(const std::string& line) {
  return load(kernel_text(kHead + line + "\n", "EXIT\n")).kernels[0].window.value();
}
std::string window_error(const std::string& line) {
  return load_error(kernel_text(kHead + line + "\n", "EXIT\n"));
}

}  // namespace

TEST_CASE("a window is over a buffer and says what its lines are to L2") {
  const trace::Trace trace = load(kernel_text(kHead + "window x persisting\n", "EXIT\n"));
  const trace::L2Window whole = trace.kernels[0].window.value();
  CHECK(whole.buffer == "x");
  CHECK(whole.base == trace.kernels[0].buffers[0].base);
  CHECK(whole.bytes == 4 * 4096);
  CHECK(whole.hit == Eviction::kLast);
  CHECK(whole.miss == Eviction::kNormal);
  CHECK(whole.hit_percent == 100);
  CHECK(whole.set_aside_bytes == 0);
  CHECK_FALSE(load(kernel_text(kHead, "EXIT\n")).kernels[0].window);
}

TEST_CASE("a window may hold for a share of the lines, say what the others are, and what to set aside") {
  const trace::L2Window part = window("window x persisting for 3*20 else streaming set_aside 1024*1024");
  CHECK(part.hit_percent == 60);
  CHECK(part.miss == Eviction::kFirst);
  CHECK(part.set_aside_bytes == 1024 * 1024);
  CHECK(window("window x streaming").hit == Eviction::kFirst);
  CHECK(window("window x normal for 10").hit == Eviction::kNormal);
}

TEST_CASE("windows that make no sense are refused") {
  CHECK_THAT(window_error("window y persisting"),
             Contains("t.trace") && Contains("'y' is not a buffer in global memory"));
  CHECK_THAT(window_error("window s persisting"), Contains("'s' is not a buffer in global memory"));
  CHECK_THAT(window_error("window x pinned"), Contains("'persisting', 'streaming' or 'normal'"));
  CHECK_THAT(window_error("window x persisting for 101"), Contains("for is 101 (allowed: 0 to 100)"));
  CHECK_THAT(window_error("window x streaming else persisting"),
             Contains("the other lines of a window cannot persist"));
  CHECK_THAT(window_error("window x persisting set_aside 0"), Contains("set_aside is 0"));
  CHECK_THAT(window_error("window x persisting\nwindow x streaming"), Contains("'window' was given before"));
  CHECK_THAT(window_error("windw x persisting"), Contains("'window'"));
}

}  // namespace window_test
