// SPDX-License-Identifier: MIT
#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace errors_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

const std::string kHead =
    "grid (1)\nblock (32)\nbuffer x f32[64]\nshared static 256\nshared_buffer s bytes[256] at 0\n";

/// What is wrong with `code` in a kernel whose first line of code is line 9.
std::string code_error(const std::string& code) {
  return load_error(kernel_text(kHead, code));
}
/// What is wrong with the head line `line`, which is line 5.
std::string head_error(const std::string& line) {
  return load_error(kernel_text("grid (1)\nblock (32)\n" + line + "\n", "EXIT\n"));
}
std::string walking(const std::string& code) {
  return walk_error(kernel_text(kHead, code));
}

}  // namespace

TEST_CASE("a file that is not a trace says so") {
  CHECK(load_error("") == "t.trace: is empty (a trace begins with 'gpusim trace 1')");
  CHECK(load_error("# nothing\n\n") == "t.trace: has no statements (a trace begins with 'gpusim trace 1')");
  CHECK(load_error("hello\n") == "t.trace:1:1: not a gpusim trace (its first line must be 'gpusim trace 1')");
  CHECK(load_error("gpusim trace 2\n") ==
        "t.trace:1:14: unknown version of the trace format (this program reads version 1)");
  CHECK(load_error(std::string("\x7f"
                               "ELF\x02\x01\x00",
                               7)) ==
        "t.trace: is not text: it contains control characters (a trace is text, plain or compressed with zstd)");
  CHECK(load_error("gpusim trace 1\ntitle \"x\"\n") == "t.trace: has no kernel (add 'kernel NAME')");
}

TEST_CASE("where no word stands the character is named") {
  CHECK_THAT(load_error("gpusim trace 1\n%% (((\n"),
             Catch::Matchers::StartsWith("t.trace:2:1: unknown statement '%' outside"));
  CHECK_THAT(head_error("%%"), Catch::Matchers::StartsWith("t.trace:5:1: unknown statement '%' in the head"));
}

TEST_CASE("unknown words name the nearest known one") {
  CHECK(load_error("gpusim trace 1\nparm n = 3\n") ==
        "t.trace:2:1: unknown statement 'parm' outside kernels (did you mean 'param'?)");
  CHECK(head_error("registrs 32") ==
        "t.trace:5:1: unknown statement 'registrs' in the head of a kernel (did you mean 'registers'?)");
  CHECK(code_error("lop i = 0..4\nEXIT\n") ==
        "t.trace:9:1: unknown statement 'lop' (did you mean 'loop'?; opcodes are in capitals)");
  CHECK(head_error("buffer x ff32[4]") == "t.trace:5:10: unknown element type 'ff32' (did you mean 'f32'?)");
  CHECK(code_error("LDG.E R4, [R2.64] @ y[lane]\nEXIT\n") == "t.trace:9:21: undefined buffer 'y' (known: x, s)");
  CHECK_THAT(code_error("LDG.E R4, [R2.64] @ x[lnae]\nEXIT\n"),
             Contains("t.trace:9:23: unknown name 'lnae' (did you mean 'lane'?)"));
  CHECK(code_error("top:\n@P0 BRA tpo when lane\nEXIT\n") ==
        "t.trace:10:9: undefined label 'tpo' (did you mean 'top'?)");
  CHECK(code_error("LDG.E R4, [R2.64] @ x[mn(1,2)]\nEXIT\n") ==
        "t.trace:9:23: unknown function 'mn' (did you mean 'min'?)");
}

TEST_CASE("an unknown opcode is a warning, one for each opcode") {
  const trace::Trace trace = one_warp("FMULL R1, R2, R3\nFMULL R1, R2, R3\nEXIT\n");
  REQUIRE(trace.warnings.size() == 1);
  CHECK(trace.warnings[0] == "t.trace:6: unknown opcode 'FMULL': treated as an ALU operation (did you mean 'FMUL'?)");
}

TEST_CASE("a guard without a source is a warning, one for each line") {
  const trace::Trace trace = one_warp("unroll k = 0..4\n@P0 FADD R1, R2, R3\nend\nEXIT\n");
  REQUIRE(trace.warnings.size() == 1);
  CHECK(trace.warnings[0] == "t.trace:7: guard without a source: taken as true for all lanes (add 'when CONDITION')");
}

TEST_CASE("all problems of a file are reported together, each once") {
  CHECK(
      code_error("LDG.E R4, [R2.64]\nunroll k = 0..100\nFADD R1, R2, R{kk}\nend\nBRA nowhere\nFADD R1, , R2\nEXIT\n") ==
      "t.trace:14:10: an operand is missing\n"
      "t.trace:9:1: 'LDG.E' has no address source (add '@ BUFFER[index]')\n"
      "t.trace:11:16: unknown name 'kk' (did you mean 'k'?)\n"
      "t.trace:13:5: undefined label 'nowhere' (there are no labels here)");
}

TEST_CASE("sizes that no GPU has are refused with what is allowed") {
  CHECK(load_error(kernel_text("grid (1)\nblock (2000)\n", "EXIT\n")) ==
        "t.trace:4:8: block.x is 2000 (allowed: 1 to 1024)");
  CHECK(load_error(kernel_text("grid (1)\nblock (32, 64)\n", "EXIT\n")) ==
        "t.trace:2:8: the block has 2048 threads (at most 1024)");
  CHECK(load_error(kernel_text("grid (0)\nblock (32)\n", "EXIT\n")) ==
        "t.trace:3:7: grid.x is 0 (allowed: 1 to 2147483647)");
  CHECK(load_error(kernel_text("grid (-5)\nblock (32)\n", "EXIT\n")) ==
        "t.trace:3:7: grid.x is -5 (allowed: 1 to 2147483647)");
  CHECK(load_error(kernel_text("grid=(1e12)\nblock (32)\n", "EXIT\n")) ==
        "t.trace:3:7: '1e12' is not an integer (integers only, decimal or 0x hexadecimal)");
  CHECK(load_error(kernel_text("grid (2000000000, 60000)\nblock (32)\n", "EXIT\n")) ==
        "t.trace:2:8: the grid has more than 2^40 CTAs");
  CHECK(load_error(kernel_text("grid (65536, 65535, 65536)\nblock (32)\n", "EXIT\n")) ==
        "t.trace:3:21: grid.z is 65536 (allowed: 1 to 65535)");
  CHECK(load_error(kernel_text("grid (1, 65536)\nblock (1, 1, 65)\n", "EXIT\n")) ==
        "t.trace:3:10: grid.y is 65536 (allowed: 1 to 65535)\n"
        "t.trace:4:14: block.z is 65 (allowed: 1 to 64)");
  CHECK(load_error(kernel_text("block (32)\n", "EXIT\n")) ==
        "t.trace:2:8: kernel 'k' has no grid (add 'grid (x, y, z)' and 'block (x, y, z)')");
  CHECK(head_error("registers 256") == "t.trace:5:11: registers is 256 (allowed: 1 to 255)");
  CHECK(head_error("registers -1") == "t.trace:5:11: registers is -1 (allowed: 1 to 255)");
  CHECK(head_error("buffer x f32[0]") ==
        "t.trace:5:14: the number of elements of 'x' is 0 (allowed: 1 to 4398046511104)");
  CHECK(head_error("buffer x f32[99999999999999999999]") ==
        "t.trace:5:14: the number 99999999999999999999 does not fit into 64 bits");
  CHECK(head_error("shared dynamic 1 << 40") ==
        "t.trace:5:18: shared dynamic is 1099511627776 (allowed: 0 to 2147483647)");
  CHECK(head_error("shared_buffer s bytes[16] at 0") ==
        "t.trace:5:15: shared buffer 's' ends at byte 16 of the CTA's shared memory ('shared static' and 'shared "
        "dynamic' give 0 bytes)");
  CHECK(head_error("grid (1)(2)") == "t.trace:5:9: unexpected '(2)'");
  CHECK(head_error("registers lane") == "t.trace:5:11: unknown name 'lane'");
  CHECK(head_error("registers 1/0") ==
        "t.trace:5:12: registers has no value (division by zero, or an index outside its table)");
}

TEST_CASE("parameters are checked by name, range and the author's conditions") {
  const std::string text =
      "gpusim trace 1\nparam seq = 256 in 128..1024 \"length\"\ncheck seq % 128 == 0 \"seq must be a multiple of "
      "128\"\n"
      "test seq=128\nlet tiles = seq / 128\nkernel k\ngrid (tiles)\nblock (32)\ncode\nEXIT\nend\n";
  CHECK(load(text).kernels.at(0).grid.x == 2);
  CHECK(load(text, {{{"seq", 1024}}, false}).kernels.at(0).grid.x == 8);
  CHECK(load(text, {{}, true}).kernels.at(0).grid.x == 1);
  CHECK(load(text, {{{"seq", 512}}, true}).parameters.at(0).value == 512);
  CHECK(load(text).parameters.at(0).what == "length");
  CHECK(load(text).parameters.at(0).test_value == 128);
  CHECK(load_error(text, {{{"sq", 1}}, false}) == "t.trace: unknown parameter 'sq' (did you mean 'seq'?)");
  CHECK(load_error(text, {{{"seq", 64}}, false}) == "t.trace:2:7: parameter 'seq' is 64 (allowed: 128 to 1024)");
  CHECK(load_error(text, {{{"seq", 200}}, false}) ==
        "t.trace:3:7: check failed: seq must be a multiple of 128 (seq = 200)");
}

TEST_CASE("a check that fails names the parameters behind its lets, and what follows from their values is not told") {
  const std::string text =
      "gpusim trace 1\nparam least = 1\nparam most = 4\nparam other = 1\nlet span = most - least\nlet spare = span + "
      "0\n"
      "check spare >= 0 \"least must not be more than most\"\nkernel k\ngrid (other)\nblock (32)\n"
      "buffer begin u32[33] = offsets(1, least, most, 1)\nbuffer x f32[begin[32]]\ncode\nLDG.E R4, [R2.64] @ "
      "x[begin[lane]]\nEXIT\nend\n";
  CHECK(load_error(text, {{{"least", 9}}, false}) ==
        "t.trace:7:7: check failed: least must not be more than most (least = 9, most = 4)");
}

TEST_CASE("a table that cannot be made is told once, not wherever it is used") {
  CHECK(load_error("gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\nbuffer begin u32[33] = offsets(1, 9, 4, 1)\n"
                   "buffer x f32[begin[32]]\ncode\nLDG.E R4, [R2.64] @ x[begin[lane]]\nEXIT\nend\n")
            .find("unknown table") == std::string::npos);
}

TEST_CASE("an address outside its buffer names place, lane and iteration") {
  CHECK(walking("loop i = 0..4\nLDG.E R4, [R2.64] @ x[lane + i*16]\nend\nEXIT\n") ==
        "t.trace:10:21: address 0x7f0000000100 (byte 256 of 'x') is outside the buffer in kernel 'k', CTA (0,0,0), "
        "warp 0, "
        "lane 16, i=3 ('x' has 256 bytes, the access 4)");
  CHECK_THAT(walking("LDG.E.128 R4, [R2.64] @ x + 8\nEXIT\n"), Contains("is not a multiple of the 16 bytes"));
  CHECK_THAT(walking("LDG.E R4, [R2.64] @ x[lane - 1]\nEXIT\n"),
             Contains("(byte -4 of 'x') is outside the buffer in kernel 'k', CTA (0,0,0), warp 0, lane 0"));
  CHECK_THAT(walking("LDS R4, [R2] @ s + lane*8 + 8\nEXIT\n"), Contains("address 0x100 (byte 256 of 's'"));
  CHECK(walking("@P0 LDG.E R4, [R2.64] @ x[lane - 1] when lane > 0\nEXIT\n") == "no error");
  CHECK_THAT(walking("LDGSTS.E [R1], [R2.64] @ s + lane*4 + 160 <- x[lane]\nEXIT\n"),
             Contains("t.trace:9:26: ") && Contains("'s'"));
  CHECK_THAT(walking("LDG.E R4, [R2.64] \\\n  @ x[lane*4]\nEXIT\n"), Contains("t.trace:10:5: address"));
}

TEST_CASE("an LDSM of one matrix answers for the addresses of eight lanes only") {
  CHECK(walking("LDSM.16.M88 R4, [R2] @ s + lane*32\nEXIT\n") == "no error");
  CHECK_THAT(walking("LDSM.16.M88.4 R4, [R2] @ s + lane*32\nEXIT\n"), Contains("lane 8"));
}

TEST_CASE("a division by zero while walking names place, lane and all counters") {
  CHECK(walking("loop i = 2..4\nloop j = 0..2\nLDG.E R4, [R2.64] @ x[lane/(6-lane-i-j*2)]\nend\nend\nEXIT\n") ==
        "t.trace:11:1: division by zero in kernel 'k', CTA (0,0,0), warp 0, lane 4, i=2, j=0");
  CHECK(walking("@P0 LDG.E R4, [R2.64] @ x[lane/(6-lane)+7] when lane < 3\nEXIT\n") == "no error");
  CHECK(walking("LDG.E R4, [R2.64] @ x[lane == 6 ? 0 : lane/abs(6-lane)]\nEXIT\n") == "no error");
}

TEST_CASE("an index outside its table names the index and the table") {
  CHECK(walk_error(kernel_text("grid (1)\nblock (32)\nbuffer x f32[64]\nbuffer idx u32[16] = affine(1, 0)\n",
                               "LDG.E R4, [R2.64] @ x[idx[lane]]\nEXIT\n")) ==
        "t.trace:8:1: index 16 is outside table 'idx' in kernel 'k', CTA (0,0,0), warp 0, lane 16 (it has 16 entries)");
}

TEST_CASE("tables are checked when they are declared") {
  CHECK_THAT(head_error("buffer t u32[8] = permutation(9, 1)"),
             Contains("t.trace:5:19: 'permutation' of 9 entries in a buffer of 8 (the two must be equal)"));
  CHECK_THAT(head_error("buffer t u32[8] = permutaton(8, 1)"), Contains("did you mean 'permutation'?"));
  CHECK_THAT(head_error("buffer t u32[8] = hash(8, 0)"), Contains("the modulus of 'hash' is 0"));
  CHECK_THAT(head_error("buffer t u32[8] = chain(8)"), Contains("'chain' takes 2 arguments, not 1"));
  CHECK_THAT(head_error("buffer t u32[1000000000] = chain(1000000000, 1)"), Contains("more than 67108864 entries"));
}

TEST_CASE("memory instructions and sources must fit each other") {
  CHECK(code_error("LDG.E R4, [R2.64]\nEXIT\n") ==
        "t.trace:9:1: 'LDG.E' has no address source (add '@ BUFFER[index]')");
  CHECK(code_error("LDGSTS.E [R4], [R2.64] @ x[lane]\nEXIT\n") ==
        "t.trace:9:26: 'LDGSTS.E' has no shared destination (write '@ SHARED[index] <- GLOBAL[index]')");
  CHECK(code_error("LDG.E R4, [R2.64] @ s[lane]\nEXIT\n") ==
        "t.trace:9:21: 's' is in shared memory, the access is to global memory");
  CHECK(code_error("FADD R4, R2, R1 @ x[lane]\nEXIT\n") == "t.trace:9:19: 'FADD' accesses no memory");
  CHECK(code_error("FADD R4, R2, R1 when lane\nEXIT\n") ==
        "t.trace:9:1: 'when' needs a guard before the opcode, such as '@P0'");
}

TEST_CASE("code must end, and branches must not enter loops") {
  CHECK(code_error("FADD R1, R2, R3\n") == "t.trace:2:8: the code of kernel 'k' can run past its end (add EXIT)");
  CHECK(code_error("@P0 EXIT when lane\n") == "t.trace:2:8: the code of kernel 'k' can run past its end (add EXIT)");
  CHECK(code_error("BRA in\nloop i = 0..4\nin:\nFADD R1, R2, R3\nend\nEXIT\n") ==
        "t.trace:9:5: the branch to 'in' enters a loop from outside (the label stands in line 11)");
  CHECK(code_error("a:\na:\nEXIT\n") == "t.trace:10:1: label 'a' stands a second time (first in line 9)");
  CHECK_THAT(code_error("EXIT\nend1:\n"), Contains("t.trace:10:1: no instruction follows this label"));
}

TEST_CASE("blocks must be closed, and nested within reason") {
  CHECK_THAT(load_error("gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\ncode\nloop i = 0..3\nEXIT\n"),
             Contains("t.trace:6:1: 'loop' is not closed by 'end'"));
  CHECK_THAT(code_error("else\nEXIT\n"), Contains("t.trace:9:5: 'else' without 'if'"));
  std::string deep;
  for (int i = 0; i < 100; ++i) {
    deep += "if lane\n";
  }
  CHECK_THAT(code_error(deep), Contains("blocks are nested too deeply: at most 64"));
  CHECK_THAT(code_error("@P0 EXIT when " + std::string(100000, '(') + "1\nEXIT\n"), Contains("nested too deeply"));
  CHECK_THAT(code_error("@P0 EXIT when " + std::string(100000, '-') + "1\nEXIT\n"), Contains("nested too deeply"));
}

TEST_CASE("hostile sizes are refused before they cost memory or time") {
  CHECK_THAT(code_error("unroll k = 0..1000000000000\nend\nEXIT\n"), Contains("more than 1000000 turns"));
  CHECK_THAT(code_error("unroll k = 0..300000\nNOP\nend\nEXIT\n"),
             Contains("longer than 262144 instructions, unrolled (a 'loop' takes the place"));
  CHECK_THAT(code_error("unroll k = 0..9000\nif lane\nNOP\nend\nend\nEXIT\n"), Contains("more than 8192 branches"));
  std::string sum = "1";
  for (int i = 0; i < 10000; ++i) {
    sum += "+1";
  }
  CHECK_THAT(code_error("@P0 EXIT when " + sum + "\nEXIT\n"), Contains("too long: at most 4000 terms"));
  std::string chain = "let a0 = lane\n";
  for (int i = 1; i < 300; ++i) {
    chain += "let a" + std::to_string(i) + " = hash(a" + std::to_string(i - 1) + ", 1)\n";
  }
  CHECK_THAT(code_error(chain + "EXIT\n"), Contains("at most 200 operators within each other"));
  std::string doubling = "let a0 = lane\n";
  for (int i = 1; i <= 60; ++i) {
    const std::string half = "a" + std::to_string(i - 1);
    doubling += "let a" + std::to_string(i) + " = " + half + " + " + half + "\n";
  }
  CHECK_THAT(code_error(doubling + "@P0 EXIT when a60\nEXIT\n"), Contains("at most 20,000 terms"));
}

TEST_CASE("a kernel whose expressions are too many is given up at once") {
  std::string address = "x";
  for (int i = 0; i < 150; ++i) {
    address += " + (lane ^ (k*150 + " + std::to_string(i) + "))";
  }
  const std::string error = code_error("unroll k = 0..900000\nLDG.E R4, [R2.64] @ " + address + "\nend\nEXIT\n");
  CHECK_THAT(error, Contains("the kernel's expressions are too many"));
  CHECK(std::count(error.begin(), error.end(), '\n') == 0);
}

TEST_CASE("expressions of a kernel that are short one by one are bounded together") {
  // Each condition has 2^14 terms, and is compiled once for a lane and once for a warp.
  std::string code = "let a0 = lane ^ ctaid.x\n";
  for (int i = 1; i <= 12; ++i) {
    const std::string half = "a" + std::to_string(i - 1);
    code += "let a" + std::to_string(i) + " = hash(" + half + ", " + half + ")\n";
  }
  const auto conditions = [&code](int count) {
    return load_error(kernel_text("grid (2)\nblock (32)\n", code + "unroll k = 0.." + std::to_string(count) +
                                                                "\n@P0 FADD R1, R2, R3 when hash(a12, k)\nend\n"
                                                                "EXIT\n"));
  };
  CHECK(conditions(100) == "no error");
  CHECK(conditions(300) ==
        "t.trace:2:8: the kernel's expressions are too long: at most 8,388,608 terms with names written out");
}

TEST_CASE("names have one meaning at a time") {
  CHECK(code_error("loop lane = 0..4\nend\nEXIT\n") == "t.trace:9:1: 'lane' has a meaning already");
  CHECK(code_error("loop i = 0..4\nunroll i = 0..4\nend\nend\nEXIT\n") == "t.trace:10:1: 'i' has a meaning already");
  CHECK(code_error("unroll i = 0..4\nend\nunroll i = 0..4\nend\nEXIT\n") == "no error");
  CHECK(load_error("gpusim trace 1\nlet a = 1\nlet a = 2\nkernel k\ngrid(1)\nblock(1)\ncode\nEXIT\nend\n") ==
        "t.trace:3:5: 'a' is defined a second time");
}

TEST_CASE("a misspelt memory instruction is told from one that accesses no memory") {
  CHECK(code_error("LGD.E R4, [R2.64] @ x[lane]\nEXIT\n") ==
        "t.trace:9:21: 'LGD.E' is not a known opcode, so it takes no address (did you mean 'LDG'?)");
  CHECK(code_error("FADD R4, R2, R2 @ x[lane]\nEXIT\n") == "t.trace:9:19: 'FADD' accesses no memory");
}

TEST_CASE("control bits stand on all instructions of a kernel or on none") {
  CHECK(code_error("[B------:R-:W-:-:S01] FADD R1, R2, R3\nEXIT\n") ==
        "t.trace:10:1: this instruction has no control bits, others of the kernel have (the first of those in line 9)");
  CHECK(code_error("[B------:R-:W-:-:S1] FADD R1, R2, R3\nEXIT\n") ==
        "t.trace:9:1: '[B------:R-:W-:-:S1]' are not control bits (they look like [B--2---:R0:W3:Y:S04])");
}

TEST_CASE("a stall count that no GPU has is a warning, once for its line") {
  const trace::Trace trace = one_warp(
      "unroll k = 0..2\n  [B------:R-:W-:-:S99] FADD R1, R2, R3\nend\n"
      "[B------:R-:W-:-:S15] EXIT\n");
  REQUIRE(trace.warnings.size() == 1);
  CHECK_THAT(trace.warnings[0],
             Catch::Matchers::StartsWith("t.trace:7: a stall count of 99 is simulated, but no GPU has it"));
}

TEST_CASE("a buffer counts once, in front of the kernels and in one") {
  const auto trace_of = [](int buffers, const std::string& indent) {
    std::string declared;
    for (int i = 0; i < buffers; ++i) {
      declared += indent + "buffer b" + std::to_string(i) + " f32[1]\n";
    }
    const std::string head = "  grid (1)\n  block (32)\n  registers 16\n";
    const bool is_first = indent.empty();
    return "gpusim trace 1\n" + (is_first ? declared : "") + "kernel k\n" + head + (is_first ? "" : declared) +
           "code\n  EXIT\nend\n";
  };
  for (const std::string indent : {"", "  "}) {
    INFO("'" << indent << "'");
    CHECK(load_error(trace_of(2046, indent)) == "no error");
    CHECK_THAT(load_error(trace_of(2049, indent)), Contains("the file declares more than 2048"));
  }
}

TEST_CASE("declarations and warnings without end are cut off") {
  std::string text = "gpusim trace 1\n";
  for (int i = 0; i < 3000; ++i) {
    text += "let a" + std::to_string(i) + " = 1\n";
  }
  CHECK_THAT(load_error(text),
             Contains("t.trace:2050:1: the file declares more than 2048") && Contains("(split it into several files)"));
  std::string code;
  for (int i = 0; i < 2100; ++i) {
    code += "XYZZY" + std::to_string(i) + " R1\n";
  }
  const trace::Trace trace = one_warp(code + "EXIT\n");
  REQUIRE(trace.warnings.size() == 2);
  CHECK(trace.warnings.back() == "and 100 more warnings");
}

TEST_CASE("many warnings of one kind are told in one, with their lines") {
  std::string code;
  for (int i = 0; i < 60; ++i) {
    code += "FFMA R1, R2\n";
  }
  const trace::Trace trace = one_warp(code + "XYZZY R1\nEXIT\n");
  REQUIRE(trace.warnings.size() == 2);
  CHECK_THAT(trace.warnings[0], Contains("FFMA takes at least 4 operands, and has 2: what it reads or writes is not "
                                         "all known; 59 more lines like this ("));
  CHECK_THAT(trace.warnings[1], Contains("unknown opcode 'XYZZY'"));
}

TEST_CASE("choices nested as deeply as expressions may be evaluate for all lanes at once") {
  std::string code = "let a0 = lane\n";
  for (int i = 1; i < 150; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    code += "let a" + std::to_string(i) + " = lane == " + std::to_string(i % 32) + " ? " + std::to_string(i) + " : " +
            before + "\n";
  }
  const trace::Trace trace = one_warp(code + "LDG.E.U8 R1, [R2.64] @ x[a149]\nEXIT\n", "buffer x u8[256]\n");
  const auto got = addresses(trace.kernels.at(0)).at(0);
  CHECK(got[0] - 0x7f0000000000ULL == 128);
  CHECK(got[149 % 32] - 0x7f0000000000ULL == 149);
}

TEST_CASE("a loop without a way out is refused when the trace is read") {
  CHECK_THAT(code_error("top:\nNOP\nBRA top\nEXIT\n"), Contains("t.trace:11:") && Contains("this loop never ends"));
  CHECK_THAT(code_error("@P0 BRA spin when lane < 4\nEXIT\nspin:\nNOP\nBRA spin\n"), Contains("this loop never ends"));
}

TEST_CASE("a jump back under a condition that never changes is refused, the innermost one by name") {
  constexpr const char* kForEver = "a lane that jumps back once does so for ever";
  CHECK_THAT(code_error("top:\nNOP\n@P0 BRA top when lane == 0\nEXIT\n"),
             Contains("t.trace:11:") && Contains(kForEver));
  CHECK_THAT(code_error("top:\nNOP\nin:\nNOP\n@P0 BRA in when lane < 4\n@P1 BRA top when lane < 8\nEXIT\n"),
             Contains("t.trace:13:") && Contains(kForEver));
  CHECK_THAT(code_error("loop i = 0..4\ntop:\nNOP\n@P0 BRA top when i == 2\nend\nEXIT\n"), Contains(kForEver));
}

TEST_CASE("a jump back is accepted when it is never taken, or when lanes can leave before it") {
  for (const char* const code : {"top:\nNOP\n@P0 BRA top when 0\nEXIT\n",
                                 "top:\n@P1 BRA out when lane > 3\n@P0 BRA top when lane > 2\nout:\nEXIT\n"}) {
    CHECK(load(kernel_text(kHead, code)).kernels.size() == 1);
  }
}

TEST_CASE("a jump to itself that no warp comes to is not an endless loop") {
  CHECK(load(kernel_text(kHead, "EXIT\nself:\nBRA self\n")).kernels.size() == 1);
}

TEST_CASE("an instruction with too few operands is a warning, with how many it takes") {
  CHECK(load(kernel_text(kHead, "FFMA R1, R2\nEXIT\n")).warnings ==
        std::vector<std::string>{
            "t.trace:9: FFMA takes at least 4 operands, and has 2: what it reads or writes is not all known"});
  CHECK(load(kernel_text(kHead, "MOV R1, R2\nEXIT\n")).warnings.empty());
  // The guard of the same line has a warning of its own.
  CHECK(load(kernel_text(kHead, "@P0 FFMA R1, R2\nEXIT\n")).warnings.size() == 2);
}

TEST_CASE("code that uses more registers than its kernel declares is refused, at the last register") {
  const auto with = [](const std::string& registers, const std::string& code) {
    return load_error(kernel_text("grid (1)\nblock (32)\n" + registers, code));
  };
  CHECK(with("registers 8\n", "FADD R3, R2, R2\nFADD R200, R2, R2\nFADD R9, R2, R2\nEXIT\n") ==
        "t.trace:8: R200 is used here, and the kernel declares 8 registers a thread ('registers 201' or more)");
  CHECK(with("registers 201\n", "FADD R200, R2, R2\nEXIT\n") == "no error");
  CHECK(with("registers 8\n", "FADD RZ, R2, R7\nEXIT\n") == "no error");
  CHECK_THAT(with("registers 8\n", "DADD R6, R2, R4\nDADD R2, R6, R8\nEXIT\n"), Contains("R9 is used here"));
}

TEST_CASE("a kernel that declares no registers has those that its code uses, and 32 at least") {
  const auto registers = [](const std::string& code) {
    return load(kernel_text("grid (1)\nblock (32)\n", code)).kernels[0].registers_per_thread;
  };
  CHECK(registers("FADD R3, R2, R2\nEXIT\n") == 32);
  CHECK(registers("FADD R99, R2, R2\nEXIT\n") == 100);
}

TEST_CASE("a sleep of a negative time is refused") {
  CHECK_THAT(code_error("NANOSLEEP -1\nEXIT\n"), Contains("NANOSLEEP takes a time of 0 ns or more, not -1"));
}

}  // namespace errors_test
