// SPDX-License-Identifier: MIT
// gpusim-core, which runs traces until the whole program is built.
#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace gpusim::app {
namespace {

Workshop::Said run_core(const Workshop& at, const std::string& arguments, const std::string& before = "") {
  return at.shell(before + " '" GPUSIM_CORE_PROGRAM "' " + arguments + " >out 2>err");
}

/// Every metric, and nothing of the host.
constexpr const char* kRun = "--arch h100 --trace saxpy --param n=4096 --quiet --format ncu-csv";

TEST_CASE("the core's metrics of a trace are the whole program's, byte for byte") {
  const Workshop at;
  const Workshop::Said whole = at.run(kRun);
  const Workshop::Said core = run_core(at, kRun);
  REQUIRE(whole.code == 0);
  CHECK(core.code == 0);
  CHECK(core.out == whole.out);
  CHECK(run_core(at, std::string("run ") + kRun).out == whole.out);
}

TEST_CASE("the core refuses wrong options and traces in the words of the whole program") {
  const Workshop at;
  for (const char* const words : {"--arch h100 --trace sxpy", "--arch h100 --trcae saxpy", "run --trace saxpy",
                                  "--arch h100 --trace saxpy --format xml"}) {
    INFO(words);
    const Workshop::Said core = run_core(at, words);
    CHECK(core.code != 0);
    CHECK_FALSE(core.err.empty());
    CHECK(core.err == at.run(words).err);
  }
}

TEST_CASE("the core itself reads text below comments, and says what is wrong with a misspelt first line") {
  const Workshop at;
  const Workshop::Said made = at.run("trace make copy --param n=4096 -o copy.trace");
  REQUIRE(made.code == 0);
  REQUIRE(at.shell("{ printf '\\357\\273\\277# mine\\n\\n'; cat copy.trace; } >commented.trace").code == 0);
  at.write("wrong.trace", "gpusin trace 1\n");
  CHECK(run_core(at, "--arch h100 --trace commented.trace --quiet").code == 0);
  const Workshop::Said wrong = run_core(at, "--arch h100 --trace wrong.trace");
  CHECK(wrong.code == 2);
  CHECK(wrong.err == at.run("--arch h100 --trace wrong.trace").err);
}

TEST_CASE("the core hands other commands, help, compiled kernels and traces that are not text over as they are") {
  const Workshop at;
  at.write("whole", "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 9\n");
  at.write("empty.cu", "");
  at.write("kernelslist.g", "kernel-1.traceg\n");
  at.write("k.sass", "Function : k\n");
  at.write("k.gtrace", "\x89gpusim\n");
  at.write("k.py", "print(1)\n");
  for (const char* const words :
       {"sweep", "--help", "run --help", "--arch h100 --trace empty.cu", "--arch h100 --trace kernelslist.g",
        "--arch h100 --trace k.sass", "--arch h100 --trace k.gtrace", "--arch h100 --trace k.py"}) {
    INFO(words);
    const Workshop::Said said = run_core(at, words, "chmod +x whole; GPUSIM_WHOLE=./whole");
    CHECK(said.code == 9);
    CHECK(said.err.empty());
    std::string expected = "<" + std::string(words) + ">";
    for (std::size_t at_blank = 0; (at_blank = expected.find(' ', at_blank)) != std::string::npos;) {
      expected.replace(at_blank, 1, "><");
    }
    CHECK(said.out == expected);
  }
}

TEST_CASE("the core alone says which program is needed") {
  const Workshop at;
  const Workshop::Said said = run_core(at, "sweep");
  CHECK(said.code == 1);
  CHECK(said.err ==
        "gpusim: error: gpusim-core only simulates traces in their text form; build and run gpusim for everything "
        "else\n");
}

}  // namespace
}  // namespace gpusim::app
