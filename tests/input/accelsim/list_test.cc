// SPDX-License-Identifier: MIT
// Lists of kernels, and the warnings that come of several files.
#include <catch2/catch.hpp>

#include "tests/input/accelsim/folder.h"

namespace list_test {

using namespace gpusim;
using namespace gpusim::test;
using frontend::accelsim::load_accelsim;

namespace {

constexpr const char* kExitLine = "0100 ffffffff 0 EXIT 0 0 0\n";

}  // namespace

TEST_CASE("a list names its kernels, accepts copies and ignores what it does not know with a warning") {
  const Folder folder;
  TraceText text;
  text.body = one_warp(kExitLine);
  folder.write("kernel-1-ctx_0x55aa.traceg", text.text());
  const trace::Trace trace =
      load_accelsim(folder.write("kernelslist.g",
                                 "MemcpyHtoD,0x00007f2000000000,4194304\nkernel-1-ctx_0x55aa.traceg\ncommQ "
                                 "3\nkernel-1-ctx_0x55aa.traceg\n#kernel-9.traceg\n// "
                                 "kernel-8.traceg\n"));
  CHECK(trace.kernels.size() == 2);
  CHECK(trace.kernels[0].behaviour == trace.kernels[1].behaviour);
  REQUIRE(trace.warnings.size() == 3);
  CHECK_THAT(trace.warnings[0], Catch::Contains("kernelslist.g:3: 'commQ 3' is ignored"));
  CHECK_THAT(trace.warnings[1], Catch::Contains("kernelslist.g:5: '#kernel-9.traceg' is ignored"));
  CHECK_THAT(trace.warnings[2], Catch::Contains("kernelslist.g:6: '// kernel-8.traceg' is ignored"));
}

TEST_CASE("the entries of a list may be paths, and one file with two of them is one kernel") {
  const Folder folder;
  TraceText text;
  text.body = one_warp(kExitLine);
  std::filesystem::create_directory(folder.path() / "traces");
  folder.write("traces/kernel-1.traceg", text.text());
  folder.write("app.traceg.xz", xz(text.text()));
  const trace::Trace trace =
      load_accelsim(folder.write("kernelslist.g", "./traces/kernel-1.traceg\ntraces/kernel-1.traceg\napp.traceg.xz\n"));
  CHECK(trace.warnings.empty());
  REQUIRE(trace.kernels.size() == 3);
  CHECK(trace.kernels[0].behaviour == trace.kernels[1].behaviour);
}

TEST_CASE("of many warnings a few are told, each once, and how many there are more") {
  const Folder folder;
  TraceText text;
  std::string lines;
  for (int i = 0; i < 300; ++i) {
    lines += "0010 ffffffff 1 R6 FOO" + std::to_string(i / 2) + " 0 0 0\n";
  }
  text.body = one_warp(lines + kExitLine);
  const trace::Trace trace = load_accelsim(folder.write("k.traceg", text.text()));
  REQUIRE(trace.warnings.size() == 21);
  CHECK_THAT(trace.warnings[0], Catch::Contains("'FOO0'"));
  CHECK_THAT(trace.warnings[1], Catch::Contains("'FOO1'"));
  CHECK(trace.warnings[20] == "and 130 warnings more");
}

}  // namespace list_test
