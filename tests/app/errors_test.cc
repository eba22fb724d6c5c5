// SPDX-License-Identifier: MIT
// Wrong usage and bad input: exit codes, and messages that say what to do.
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "tests/app/refused.h"

namespace errors_test {

using Catch::Matchers::Contains;
using Catch::Matchers::Matches;
using gpusim::app::check_refused;
using gpusim::app::kStuck;
using gpusim::app::Workshop;
using gpusim::app::Wrong;

TEST_CASE("wrong usage exits with 1 and names what was probably meant") {
  const Workshop shop;
  for (const Wrong& wrong : {
           Wrong{"", "'gpusim' needs --arch GPU"},
           Wrong{"--arch h100", "'gpusim' needs --trace TRACE"},
           Wrong{"--arhc h100", "unknown option '--arhc' of 'gpusim' (did you mean '--arch'?)"},
           Wrong{"--arch h100 --trace saxpy --detials", "did you mean '--details'?"},
           Wrong{"--kache=cold", "unknown option '--kache'"},
           Wrong{"--html page.html report old.json",
                 "'--html' stands in front of 'report'; write it behind 'gpusim report'"},
           Wrong{"--advise arch list", "'--advise' stands in front of 'list'; 'gpusim arch list' has no such option"},
           Wrong{"--fail-if 'cycles > 1' compare a.json b.json", "'--fail-if' stands in front of 'compare'; write it"},
           Wrong{"sweep --db all.db show", "'--db' stands in front of 'show'; write it behind 'gpusim sweep show'"},
           Wrong{"rnu", "unexpected 'rnu' of 'gpusim' (did you mean 'run'?)"},
           Wrong{"--arch h100 --trace saxpy more", "unexpected 'more'"},
           Wrong{"h100 saxpy", "unexpected 'h100' of 'gpusim' (it is an architecture, which --arch takes)"},
           Wrong{"run saxpy", "unexpected 'saxpy' of 'gpusim run' (it is a trace, which --trace takes); see"},
           Wrong{"fit llama-3-8b", "(it is a model, which --model takes)"},
           Wrong{"sweep show mine.db", "(write --db mine.db)"},
           Wrong{"-a h100 -t saxpy -p n=100 n=200",
                 "unexpected 'n=200' of 'gpusim' (each value has its own option: "
                 "--param n=200)"},
           Wrong{"-a h100 -t saxpy sm.count=60", "(each value has its own option: --set sm.count=60)"},
           Wrong{"list",
                 "(did you mean 'gpusim arch list', 'gpusim system list', 'gpusim lab list'?); see gpusim --help"},
           Wrong{"trace flashattn", "unexpected 'flashattn' of 'gpusim trace' (known: info, check, dump, make,"},
           Wrong{"help foo", "'gpusim' has no command 'foo' (known: run, arch, trace,"},
           Wrong{"help trace mak", "'gpusim trace' has no command 'mak' (did you mean 'make'?); see gpusim help trace"},
           Wrong{"--arch", "--arch needs a value"},
           Wrong{"arch", "'gpusim arch' needs a command: list, show, check or diff"},
           Wrong{"arch lst", "unexpected 'lst' of 'gpusim arch' (did you mean 'list'?)"},
           Wrong{"arch show", "'gpusim arch show' needs the name of an architecture"},
           Wrong{"arch diff", "'gpusim arch diff' needs the name of an architecture"},
           Wrong{"arch diff a100", "'gpusim arch diff' needs the names of two architectures, or one and --set"},
           Wrong{"trace info", "'gpusim trace info' needs the name of a trace"},
           Wrong{"report", "needs the file of a saved result"},
       }) {
    check_refused(shop, wrong);
  }
}

TEST_CASE("malformed values of options exit with 1 and say what is expected") {
  const Workshop shop;
  for (const Wrong& wrong : {
           Wrong{"-a h100 -t saxpy --format xml", "--format: 'xml' is none of text, json, csv, ncu-csv"},
           Wrong{"-a h100 -t saxpy --format jsn", "did you mean 'json'?"},
           Wrong{"-a h100 -t saxpy --cache wram",
                 "'wram' is none of cold, warm, flush-between, dirty (did you mean 'warm'?)"},
           Wrong{"-a h100 -t saxpy --cache lukewarm",
                 "--cache: 'lukewarm' is none of cold, warm, flush-between, dirty"},
           Wrong{"-a h100 -t saxpy --threads many", "--threads: 'many' is not a whole number"},
           Wrong{"-a h100 -t saxpy --threads ''", "--threads: its value is empty (expected: N)"},
           Wrong{"-a h100 -t saxpy --threads 0", "--threads: '0' is out of range (allowed: 1 to 1,024)"},
           Wrong{"-a h100 -t saxpy --max-cycles 1.5", "--max-cycles: '1.5' is not a whole number"},
           Wrong{"-a h100 -t saxpy --ctas 5..3", "--ctas: '5..3' ends before it begins"},
           Wrong{"-a h100 -t saxpy --ctas 1-3", "--ctas: '1-3' is not a whole number"},
           Wrong{"-a h100 -t saxpy --ctas 99999999999999999999", "is not a whole number"},
           Wrong{"-a h100 -t saxpy --watch sm=0,wrap=3", "'wrap=3' is none of sm=S, warp=W, cycles=A..B, kernel=K"},
           Wrong{"-a h100 -t saxpy --watch cycles=0..999999", "are more than 100,000 cycles"},
           Wrong{"-a h100 -t saxpy --watch sm=0 --format csv", "--watch: a timeline has no CSV form"},
           Wrong{"-a h100 -t saxpy --kernel 'x['", "is not a regular expression"},
           Wrong{"-a h100 -t saxpy --kernel " + std::string(20'000, 'x'), "xxx...' is not a regular expression: it is"},
           Wrong{"-a h100 -t saxpy --param n", "--param: 'n' is not NAME=VALUE"},
           Wrong{"-a h100 -t saxpy --set sm.count", "--set takes KEY=VALUE"},
           Wrong{"-a h100 -t saxpy --json -", "--json: '-' is not a file"},
           Wrong{"trace dump saxpy --cta 99999999", "--cta: '99999999' is out of range"},
       }) {
    check_refused(shop, wrong);
  }
}

TEST_CASE("files that are not there exit with 2, with what was searched and the nearest name") {
  const Workshop shop;
  check_refused(shop, {"-a h101 -t saxpy", "h101: no such file; searched: the current folder, ", 2});
  check_refused(shop, {"-a h101 -t saxpy", "did you mean 'h100'?", 2});
  std::filesystem::create_symlink("loop.yaml", shop.folder() / "loop.yaml");
  check_refused(shop, {"-a loop.yaml -t saxpy", "loop.yaml: is a symbolic link that leads back to itself", 2});
  std::filesystem::create_symlink("nowhere.yaml", shop.folder() / "dangling.yaml");
  check_refused(shop, {"-a dangling.yaml -t saxpy", "is a symbolic link to 'nowhere.yaml', which is not there", 2});
  check_refused(shop, {"-a h100 -t flashatn", "flashatn: no such file", 2});
  check_refused(shop, {"-a h100 -t flashatn", "did you mean 'flashattn'?", 2});
  check_refused(shop, {"-a h100 -t flash-atention", "did you mean 'flash-attention-1'?", 2});
  check_refused(shop,
                {"-a h100 -t nowhere/saxpy.trace", "nowhere/saxpy.trace: no such file (did you mean 'saxpy'?)", 2});
  check_refused(shop, {"report old.json", "old.json: no such file", 2});
}

TEST_CASE("a wrong architecture and a wrong trace are reported together") {
  const Workshop shop;
  const Workshop::Said said = shop.run("-a h101 -t flashatn");
  CHECK_THAT(said.err, Contains("h101: no such file") && Contains("flashatn: no such file"));
}

TEST_CASE("a file whose name says that it is not a trace gets the command that uses it") {
  const Workshop shop;
  shop.write("kernel.py", "import triton\n");
  shop.write("damaged.cubin", "x\n");
  shop.write("binary.cubin", std::string("\x7f\0\1\2", 4));
  shop.write("trace.py", "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\n  registers 16\ncode\n  EXIT\nend\n");
  check_refused(shop, {"-a h100 -t kernel.py",
                       "kernel.py: is a Python program, neither a trace nor compiled code (run it, so that", 2});
  check_refused(shop, {"-a h100 -t damaged.cubin", "damaged.cubin: holds no compiled code, although its name", 2});
  check_refused(shop,
                {"trace import binary.cubin -o k.trace", "binary.cubin: holds no compiled code, although its name", 2});
  CHECK(shop.run("trace check trace.py").code == 0);
}

TEST_CASE("folders, empty files and garbage exit with 2 and say what they are") {
  const Workshop shop;
  std::filesystem::create_directory(shop.folder() / "folder");
  std::filesystem::create_directory(shop.folder() / "captured");
  shop.write("captured/kernelslist.g", "kernel-1.traceg\n");
  shop.write("empty.trace", "");
  shop.write("empty.yaml", "");
  shop.write("garbage.trace", std::string("\x7f"
                                          "ELF\x02\x01\0\0\xff\xfe",
                                          10));
  shop.write("garbage.yaml", std::string("\x7f"
                                         "ELF\x02\x01\0\0\xff\xfe",
                                         10));
  shop.write("cut.zst", std::string("\x28\xb5\x2f\xfd\x04\x00", 6));
  shop.write("cut.xz", std::string("\xfd"
                                   "7zXZ\0\0",
                                   7));
  check_refused(shop, {"-a h100 -t folder", "folder: is a folder, not a file", 2});
  check_refused(shop, {"-a h100 -t captured", "did you mean 'captured/kernelslist.g'?", 2});
  check_refused(shop, {"-a h100 -t empty.trace", "empty.trace: is empty", 2});
  check_refused(shop, {"-a empty.yaml -t saxpy", "empty.yaml: is empty", 2});
  check_refused(shop, {"-a h100 -t garbage.trace", "garbage.trace", 2});
  check_refused(shop, {"-a garbage.yaml -t saxpy", "garbage.yaml", 2});
  check_refused(shop, {"-a h100 -t cut.zst", "cut.zst", 2});
  check_refused(shop, {"-a h100 -t cut.xz", "cut.xz", 2});
  check_refused(shop, {"report garbage.trace", "is not a JSON object", 2});
  check_refused(shop, {"report folder", "is a folder", 2});
}

TEST_CASE("parameters of the wrong kind exit with 2, all at once") {
  const Workshop shop;
  const Workshop::Said said = shop.run("-a h100 -t saxpy --param n=1e12 --param m=1.5");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("--param n: '1e12' is not an integer (integers only, such as 8192)"));
  CHECK_THAT(said.err, Contains("--param m: '1.5' is not an integer"));
  check_refused(shop, {"-a h100 -t saxpy --param n=m.mtx", "--param n: 'm.mtx' is not an integer", 2});
  check_refused(shop, {"-a h100 -t spmv-csr-file --param A=m.mtx", "m.mtx: no such file", 2});
  check_refused(shop, {"-a h100 -t saxpy --param m=12", "unknown parameter 'm' (known: n, type)", 2});
  check_refused(shop, {"-a h100 -t saxpy --param n=1 --param n=2", "--param n: is given twice", 2});
}

TEST_CASE("a machine that cannot be exits with 2") {
  const Workshop shop;
  check_refused(shop, {"-a h100 -t saxpy --set sm.count=0", "'0' is out of range", 2});
  check_refused(shop, {"-a h100 -t saxpy --set sm.cout=3", "did you mean 'sm.count'?", 2});
  check_refused(shop, {"arch check h100 --set l2.bytes=50", "l2.bytes", 2});
}

TEST_CASE("kernels, CTAs and SMs that do not exist exit with 2") {
  const Workshop shop;
  check_refused(shop, {"-a h100 -t saxpy --test-params --kernel gemm", "no kernel matches --kernel 'gemm'", 2});
  check_refused(shop, {"-a h100 -t saxpy --test-params --ctas 99999..99999", "has CTAs 0..", 2});
  check_refused(shop,
                {"-a h100 -t saxpy --test-params --watch sm=132", "sm=132: the architecture has SMs 0 to 131", 2});
  check_refused(shop,
                {"-a h100 -t saxpy --test-params --watch warp=64", "warp=64: an SM of the architecture has warps", 2});
}

TEST_CASE("an output that cannot be written is refused before anything is simulated") {
  const Workshop shop;
  std::filesystem::create_directory(shop.folder() / "folder");
  // The trace is wrong as well: had the output not been looked at first, this would be the message.
  check_refused(shop, {"-a h100 -t nosuch --json nowhere/x.json", "nowhere/x.json: cannot write: No such file", 2});
  check_refused(shop, {"-a h100 -t nosuch --json folder", "folder: cannot write: it is a folder", 2});
}

TEST_CASE("a full disk is noticed") {
  const Workshop shop;
  const Workshop::Said said = shop.shell("'" GPUSIM_PROGRAM "' --help >/dev/full 2>err");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("standard output: cannot write"));
}

TEST_CASE("a kernel that takes longer than it may exits with 3") {
  const Workshop shop;
  const Workshop::Said said = shop.run("-a h100 -t saxpy --test-params --max-cycles 10");
  CHECK(said.code == 3);
  CHECK_THAT(said.err, Contains("gpusim: error: kernel 'saxpy' has not finished after 10 cycles"));
  // Longer than anybody lives, and so is the untimed pass before it.
  shop.write("eternal.trace",
             "gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\ncode\nloop i = 0..1000000000000000\n"
             "FADD R1, R1, R1\nend\nEXIT\nend\n");
  const Workshop::Said eternal = shop.run("-a h100 -t eternal.trace --max-cycles 1000");
  CHECK(eternal.code == 3);
  CHECK_THAT(eternal.err, Contains("'k' cannot finish within 1,000 cycles"));
}

TEST_CASE("warps that wait for each other for ever exit with 3 and say which warps wait for which") {
  const Workshop shop;
  shop.write("stuck.trace", kStuck);
  const Workshop::Said said = shop.run("-a h100 -t stuck.trace");
  CHECK(said.code == 3);
  CHECK_THAT(said.err, Contains("barrier"));
  CHECK(said.out.empty());
}

TEST_CASE("an expression of brackets nested by the thousand is refused and no crash") {
  const Workshop shop;
  const std::string nested = std::string(20'000, '(') + "a" + std::string(20'000, ')');
  check_refused(shop, {"-a h100 -t saxpy --test-params --kernel '" + nested + "'", "is not a regular expression"});
}

TEST_CASE("a device is refused where a saved result is wanted, and is not read") {
  const Workshop shop;
  check_refused(shop, {"report /dev/zero", "/dev/zero: is a device, not a file", 2});
  check_refused(shop, {"roofline --result /dev/zero", "/dev/zero: is a device, not a file", 2});
}

TEST_CASE("a limit on the size of files gives a message, and leaves no part of a file") {
  const Workshop shop;
  const Workshop::Said said = shop.shell("(ulimit -f 8; '" GPUSIM_PROGRAM
                                         "' -a h100 -t saxpy --test-params --json r.json >/dev/null 2>err); "
                                         "echo $? >out");
  CHECK(said.out == "2\n");
  CHECK_THAT(said.err, Contains("r.json: cannot write: File too large"));
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "r.json.part"));
}

TEST_CASE("a loop that never ends is given up in every pass, and can be allowed more") {
  const Workshop shop;
  shop.write("spin.trace",
             "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\ncode\ntop:\n  @P1 EXIT when lane > 40\n"
             "  @P0 BRA top when lane < 32\n  EXIT\nend\n");
  for (const char* const cache : {"warm", "cold"}) {
    check_refused(shop, {std::string("-a h100 -t spin.trace --max-warp-instructions 10000 --cache ") + cache,
                         "after 10,000 instructions a warp has not left this loop", 3});
  }
  const Workshop::Said check = shop.run("trace check spin.trace --max-instructions 5000");
  CHECK(check.code == 3);
  CHECK_THAT(check.err, Contains("raise --max-instructions"));
}

TEST_CASE("a check that stops before the last CTA says how far it came, and has not succeeded") {
  const Workshop shop;
  const Workshop::Said part = shop.run("trace check saxpy -p n=4096 --max-instructions 100");
  CHECK(part.code == 3);
  CHECK_THAT(part.out, Contains("no problems so far; walked 0 of 16 CTAs"));
  CHECK_THAT(part.err, Contains("is checked in part: the limit of 100 warp instructions came after 0 of 16 CTAs"));
  const Workshop::Said whole = shop.run("trace check saxpy -p n=4096");
  CHECK(whole.code == 0);
  CHECK_THAT(whole.out, Contains("no problems; walked 16 of 16 CTAs"));
}

TEST_CASE("an option whose value is empty is refused before anything runs") {
  const Workshop shop;
  for (const char* const option : {"--json", "--ctas", "--kernel", "--max-cycles", "--html"}) {
    check_refused(shop, {std::string("-a h100 -t saxpy --test-params ") + option + " ''",
                         std::string(option) + ": its value is empty (expected: ", 1});
  }
}

TEST_CASE("a file without its option is told which option or command takes it") {
  const Workshop shop;
  for (const char* const name : {"mine.trace", "k.cu", "k.cubin", "r.json"}) {
    shop.write(name, "x");
  }
  shop.write("step.yaml", "name: a step\nsystem: dgx-h100\n");
  shop.write("gpu.yaml", "extends: h100\n");
  for (const auto& [name, hint] :
       std::map<std::string, std::string>{{"mine.trace", "it is a trace, which --trace takes"},
                                          {"k.cu", "it is code of kernels, which --trace takes"},
                                          {"k.cubin", "it is code of kernels, which --trace takes"},
                                          {"r.json", "gpusim report takes a saved result"},
                                          {"step.yaml", "it is an application, which gpusim app takes"},
                                          {"gpu.yaml", "it is an architecture, which --arch takes"}}) {
    check_refused(shop, {name, hint, 1});
  }
}

TEST_CASE("an architecture's name may be written in capitals") {
  const Workshop shop;
  CHECK(shop.run("arch check H100").code == 0);
}

TEST_CASE("an unknown opcode is told once by trace check, as an error") {
  const Workshop shop;
  shop.write("op.trace",
             "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\ncode\n  FFMB R1, R2, R3, R4\n  EXIT\nend\n");
  const auto said = shop.run("trace check op.trace");
  CHECK(said.code == 2);
  CHECK(said.err == "gpusim: error: op.trace:6: unknown opcode 'FFMB' (did you mean 'FFMA'?)\n");
}

TEST_CASE("an unknown opcode is a warning of every command that reads the trace, once") {
  const Workshop shop;
  shop.write("op.trace",
             "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\n  registers 16\ncode\n  FFMB R1, R2, R3, R4\n"
             "  EXIT\nend\n");
  const std::string warning = "gpusim: warning: op.trace:7: unknown opcode 'FFMB'";
  for (const char* const arguments : {"compare -a h100 -a a100 -t op.trace", "occupancy -a h100 -t op.trace",
                                      "sweep -a h100 -t op.trace --vary sm.count=66,132", "trace info op.trace"}) {
    INFO(arguments);
    const Workshop::Said said = shop.run(arguments);
    CHECK(said.code == 0);
    const std::size_t at = said.err.find(warning);
    REQUIRE(at != std::string::npos);
    CHECK(said.err.find(warning, at + 1) == std::string::npos);
  }
}

}  // namespace errors_test
