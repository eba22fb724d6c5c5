// SPDX-License-Identifier: MIT
// Names of files, GPUs, kernels and commands that are not there, and what the program makes of them.
#include <string>

#include <catch2/catch.hpp>

#include "tests/app/refused.h"

namespace names_test {

using Catch::Matchers::Contains;
using gpusim::app::check_refused;
using gpusim::app::Workshop;
using gpusim::app::Wrong;

TEST_CASE("a path that is not there is no such file, and names nothing that lies elsewhere") {
  const Workshop shop;
  std::filesystem::create_directory(shop.folder() / "mine");
  shop.write("mine/kernel.trace", "x");
  shop.write("saved.json", "x");
  for (const auto& [arguments, said] : {
           std::pair{"-a h100 -t ~/.triton/cache-that-is-not-there", "cache-that-is-not-there: no such file\n"},
           std::pair{"-a h100 -t nofile.cubin", "nofile.cubin: no such file\n"},
           std::pair{"-a h100 -t nofile.cu", "nofile.cu: no such file\n"},
           std::pair{"-a h100 -t nofile.json", "nofile.json: no such file\n"},
           std::pair{"-a h100 -t mine/kernle.trace", "no such file (did you mean 'mine/kernel.trace'?)\n"},
           std::pair{"-a h100 -t mine/kernle", "no such file (did you mean 'mine/kernel.trace'?)\n"},
           std::pair{"report savd.json", "savd.json: no such file (did you mean 'saved.json'?)\n"},
           std::pair{"-a mine/h100 -t saxpy", "mine/h100: no such file (did you mean 'h100'?)\n"},
       }) {
    check_refused(shop, {arguments, said, 2});
  }
}

TEST_CASE("a name that goes on where a GPU's name ends means that GPU") {
  const Workshop shop;
  check_refused(shop, {"-a H100-SXM -t saxpy", "(did you mean 'h100'?)", 2});
  check_refused(shop, {"-a h100-pci -t saxpy", "(did you mean 'h100-pcie'?)", 2});
}

TEST_CASE("a Python program gets the same advice wherever it is given") {
  const Workshop shop;
  shop.write("k.py", "import triton\n");
  for (const char* const arguments : {"-a h100 -t k.py", "-a h100 --kernel-file k.py --grid 1", "exec k.py --grid 1",
                                      "trace import k.py -o k.trace", "-a k.py -t saxpy"}) {
    check_refused(shop, {arguments, "run it, so that Triton compiles its kernels", 2});
  }
}

TEST_CASE("a file of another kind than an option takes is told which option takes it") {
  const Workshop shop;
  shop.write("k.cubin", std::string("\x7f"
                                    "ELF\x02\x01\0\0",
                                    8));
  check_refused(shop, {"-a k.cubin -t saxpy", "k.cubin: is not a file as those in configs (it is code of kernels,", 2});
  check_refused(shop, {"-a h100 --kernel-file saxpy --grid 1", "(it is a trace, which --trace takes)", 2});
  check_refused(shop, {"-a h100 --kernel-file gemm-batched --grid 1", "(it is a trace, which --trace takes)", 2});
  check_refused(shop, {"sweep saxpy", "saxpy: no such study (it is a trace, which --trace takes)", 2});
}

TEST_CASE("a link that leads nowhere is told in every place that takes a file") {
  const Workshop shop;
  std::filesystem::create_symlink("loop", shop.folder() / "loop");
  check_refused(shop, {"report loop", "loop: is a symbolic link that leads back to itself", 2});
  check_refused(shop, {"disasm loop", "loop: is a symbolic link that leads back to itself", 2});
}

TEST_CASE("a word that is an option of the command, or of one below it, is told so") {
  const Workshop shop;
  for (const Wrong& wrong : {
           Wrong{"version", "(did you mean 'gpusim --version'?)"},
           Wrong{"-v", "unknown option '-v' of 'gpusim' (did you mean '--version'?)"},
           Wrong{"trace list", "did you mean 'gpusim trace make --list', 'gpusim trace import --list'?"},
           Wrong{"sweep show help", "(did you mean 'gpusim sweep show --help'?)"},
       }) {
    check_refused(shop, wrong);
  }
}

TEST_CASE("the help of a command that is not there leads to the help of what there is") {
  const Workshop shop;
  check_refused(shop,
                {"help sweep foo", "'gpusim sweep' has no command 'foo' (known: merge, show); see gpusim help sweep"});
  check_refused(shop, {"help --man x", "COMMAND does not go with --man"});
  CHECK_THAT(shop.run("help --man x").err, !Contains("--COMMAND"));
}

TEST_CASE("a number with a suffix is told how it is written without") {
  const Workshop shop;
  check_refused(
      shop, {"trace info saxpy --param n=1M", "'1M' is not an integer (integers only, such as 1048576 or 1000000", 2});
}

}  // namespace names_test
