// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "tests/input/accelsim/folder.h"

namespace errors_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

constexpr const char* kExit = "0100 ffffffff 0 EXIT 0 0 0\n";

std::string complaint_about(const TraceText& text) {
  const Folder folder;
  return complaint(folder.write("k.traceg", text.text()));
}

/// What loading says of a warp of one such line and an EXIT.
std::string complaint_about_line(const std::string& line) {
  TraceText text;
  text.body = one_warp(line + "\n" + kExit);
  return complaint_about(text);
}

std::string complaint_about_body(const std::string& body) {
  TraceText text;
  text.body = body;
  return complaint_about(text);
}

}  // namespace

TEST_CASE("a malformed word is named with its place and what is expected") {
  CHECK_THAT(complaint_about_line("0010 zzz 1 R6 MOV 0 0 0"),
             Contains("k.traceg:20:6: lane mask 'zzz' makes no sense (expected 8 hexadecimal digits)"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 17 R6 MOV 0 0 0"), Contains(":15: number of destinations '17'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R256 MOV 0 0 0"), Contains(":17: register 'R256'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 UX6 MOV 0 0 0"), Contains("register 'UX6'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 7 0 0 0"), Contains("opcode '7'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 MOV x 0 0"), Contains("number of sources 'x'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 MOV 0 4096 0"), Contains("access width '4096'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 LDG.E 1 R2 3 1 0x7f00 4 0"),
             Contains("access width '3' makes no sense (expected bytes per lane, a power of two, or 0 for none)"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 LDG.E 1 R2 4 3 0x0 0"), Contains("address mode '3'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 LDG.E 1 R2 4 1 7f00 4 0"), Contains("address '7f00'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 LDG.E 1 R2 4 1 0x7f00 4.5 0"), Contains("stride '4.5'"));
  CHECK_THAT(complaint_about_line("0010 00000003 1 R6 LDG.E 1 R2 4 2 0x7f00 x 0"), Contains("address delta 'x'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 MOV 0 0 x"), Contains("immediate 'x'"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 MOV 0 0 0 7 8"), Contains("word behind the immediates '8'"));
  CHECK_THAT(complaint_about_line("00zz ffffffff 1 R6 MOV 0 0 0"), Contains("program counter '00zz'"));
}

TEST_CASE("a line that ends early says before what") {
  CHECK_THAT(complaint_about_line("0010"), Contains("the line ends before its lane mask"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 MOV 0"), Contains("the line ends before its access width"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 LDG.E 1 R2 4 0 0x7f00"), Contains("ends before its address"));
}

TEST_CASE("an access that lost its stride or a difference is refused, although its immediate could stand for that") {
  const std::string before = "0010 ffffffff 1 R6 LDG.E 1 R2 4 ";
  CHECK(complaint_about_line(before + "1 0x7f2000000000 4 0") == "");
  CHECK_THAT(complaint_about_line(before + "1 0x7f2000000000 0"), Contains("the line ends before its immediate"));
  std::string deltas = "2 0x7f2000000000";
  for (int i = 0; i < 30; ++i) {
    deltas += " 4";
  }
  CHECK(complaint_about_line(before + deltas + " 4 0") == "");
  CHECK_THAT(complaint_about_line(before + deltas + " 0"), Contains("the line ends before its immediate"));
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 MOV 0 0"), Contains("the line ends before its immediate"));
}

TEST_CASE("from which tracer on a line has an immediate, and how many") {
  TraceText text;
  const auto complaint_of = [&](const std::string& version, const std::string& rest) {
    text.version = version.empty() ? "" : "-accelsim tracer version = " + version + "\n";
    text.body = one_warp("0010 ffffffff 1 R6 LDG.E 1 R2 4 1 0x7f2000000000 4" + rest + "\n0100 ffffffff 0 EXIT 0 0" +
                         rest + "\n");
    return complaint_about(text);
  };
  const auto no_immediate = Contains("the line ends before its immediate");
  CHECK(complaint_of("3", "") == "");
  CHECK(complaint_of("3", " 0") == "");
  CHECK_THAT(complaint_of("4", ""), no_immediate);
  CHECK(complaint_of("4", " 0") == "");
  CHECK_THAT(complaint_of("6", " 0"), no_immediate);
  CHECK(complaint_of("6", " 0 NoVal").empty());  // so the first tracers of that version
  CHECK(complaint_of("6", " 0 0 NoVal") == "");
}

TEST_CASE("a format line that names the immediate requires one of older tracers, too") {
  TraceText text;
  text.version = "-accelsim tracer version = 3\n";
  text.body = one_warp("0010 ffffffff 1 R6 LDG.E 1 R2 4 1 0x7f2000000000 0\n" + std::string(kExit));
  CHECK(complaint_about(text) == "");
  text.more_header = "#traces format = PC mask ... [mem_addresses] immediate\n";
  CHECK_THAT(complaint_about(text), Contains("the line ends before its immediate"));
}

TEST_CASE("what the tracer writes before it is sorted by CTA and warp is told from a damaged trace") {
  TraceText text;
  text.version = "-accelsim tracer version = 3\n";
  text.body = "0 0 0 0 0000 ffffffff 1 R2 S2R 0 0 0\n0 0 0 0 0010 ffffffff 0 EXIT 0 0 0\n";
  const std::string said = complaint_about(text);
  CHECK_THAT(said, Contains("k.traceg:14:1: an instruction before the first CTA") &&
                       Contains("run Accel-Sim's post-traces-processing"));
  CHECK_THAT(said, !Contains("its grid has"));
}

TEST_CASE("a pipe is refused in words, and not waited for") {
  const Folder folder;
  const std::filesystem::path pipe = folder.path() / "pipe.traceg";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THAT(complaint(pipe), Contains("pipe.traceg: is a pipe or device"));
}

TEST_CASE("all problems are reported at once, and no more than a bounded number") {
  std::string lines;
  for (int i = 0; i < 3; ++i) {
    lines += "0010 zzz 1 R6 MOV 0 0 0\n";
  }
  TraceText text;
  text.body = one_warp(lines + kExit);
  const std::string three = complaint_about(text);
  CHECK_THAT(three, Contains(":20:6: lane mask") && Contains("2 more lines like this (21, 22)"));
  for (int i = 0; i < 500; ++i) {
    lines += "0010 zzz 1 R6 MOV 0 0 0\n";
  }
  text.body = one_warp(lines + kExit);
  const std::string many = complaint_about(text);
  CHECK(std::count(many.begin(), many.end(), '\n') < 60);
}

TEST_CASE("a memory instruction without addresses is an error") {
  CHECK_THAT(complaint_about_line("0010 ffffffff 1 R6 LDG.E 1 R2 0 0"), Contains("LDG.E has no addresses"));
  CHECK(complaint_about_line("0010 00000000 1 R6 LDG.E 1 R2 0 0") == "");
  CHECK(complaint_about_line("0010 ffffffff 1 R6 LDC 1 R2 0 0") == "");
}

TEST_CASE("a warp must end with an EXIT of some lane") {
  CHECK_THAT(complaint_about_body(one_warp("0010 ffffffff 1 R6 MOV 0 0 0\n")),
             Contains("warp 0 does not end with an EXIT"));
  CHECK_THAT(complaint_about_body(one_warp("0010 00000000 0 EXIT 0 0 0\n")), Contains("does not end with an EXIT"));
}

TEST_CASE("a warp has as many instructions as it says") {
  const std::string head = "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n";
  CHECK_THAT(complaint_about_body(head + "insts = 2\n" + kExit + "#END_TB\n"),
             Contains("warp 0 has 1 instructions, but says 2"));
  CHECK_THAT(complaint_about_body(head + "insts = 1\n0010 ffffffff 1 R6 MOV 0 0 0\n" + kExit + "#END_TB\n"),
             Contains(":19:1: warp 0 has more instructions than its 1"));
  CHECK_THAT(complaint_about_body(head + kExit + "#END_TB\n"), Contains("warp 0 has no 'insts = '"));
  CHECK_THAT(complaint_about_body(head + "insts = many\n" + kExit + "#END_TB\n"), Contains(":17:9: insts 'many'"));
}

TEST_CASE("a CTA is complete and within the grid") {
  const std::string warp = std::string("warp = 0\ninsts = 1\n") + kExit;
  CHECK_THAT(complaint_about_body("#BEGIN_TB\nthread block = 0,0,0\n" + warp),
             Contains("the trace ends within a CTA") && Contains("is the file cut off?"));
  CHECK_THAT(complaint_about_body("#BEGIN_TB\nthread block = 1,0,0\n" + warp + "#END_TB\n"),
             Contains("thread block '1,0,0' makes no sense (expected x,y,z within the grid)"));
  CHECK_THAT(complaint_about_body("#BEGIN_TB\n" + warp + "#END_TB\n"), Contains("the CTA has no 'thread block"));
  CHECK_THAT(complaint_about_body("#BEGIN_TB\nthread block = 0,0,0\nthread block = 0,0,0\n" + warp + "#END_TB\n"),
             Contains(":16:1: the CTA has a 'thread block = x,y,z' already"));
  CHECK_THAT(complaint_about_body("#BEGIN_TB\nthread block = 0,0,0\n" + warp + warp + "#END_TB\n"),
             Contains("warp '0' makes no sense (expected each of 0 to 0 once)"));
  CHECK_THAT(
      complaint_about_body("#BEGIN_TB\nthread block = 0,0,0\nwarp = 9\ninsts = 1\n" + std::string(kExit) + "#END_TB\n"),
      Contains("warp '9'"));
  CHECK_THAT(complaint_about_body("#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n"),
             Contains("the CTA has 0 warps, but its block has 1"));
  CHECK_THAT(complaint_about_body("#BEGIN_TB\nthread block = 0,0,0\n" + std::string(kExit) + "#END_TB\n"),
             Contains("an instruction outside of any warp"));
  CHECK_THAT(complaint_about_body("#END_TB\n"), Contains("#END_TB without #BEGIN_TB"));
  CHECK_THAT(complaint_about_body("#BEGIN_TB\n#BEGIN_TB\n"), Contains("a CTA begins within a CTA"));
  CHECK_THAT(complaint_about_body("what is this\n"), Contains(":14:1: 'what is this' is not a line of a trace"));
}

TEST_CASE("what keeps a recording refuses a warp with the place where it ends") {
  struct Refusing final : frontend::accelsim::KernelSink, trace::WarpSink {
    trace::WarpSink& begin_kernel(const trace::Kernel&) override { return *this; }
    void end_kernel() override {}
    void launch_again(std::uint32_t) override {}
    void begin_warp(std::uint64_t, std::uint32_t) override {}
    void step(std::uint32_t, LaneMask, LaneMask) override {}
    void access(trace::AccessSlot, std::span<const Address, kWarpLanes>, LaneMask) override {}
    void end_warp() override { throw InputError(Problem{{}, "takes too much", "do with less"}); }
  } sink;
  const Folder folder;
  TraceText text;
  text.body = one_warp(kExit);
  CHECK_THROWS_WITH(static_cast<void>(frontend::accelsim::read_accelsim(folder.write("k.traceg", text.text()), sink)),
                    Contains("k.traceg:22: takes too much (do with less)"));
}

TEST_CASE("the number of CTAs must be the grid's") {
  TraceText text;
  text.grid = "(3,1,1)";
  text.body = one_warp(kExit);
  CHECK_THAT(complaint_about(text), Contains("the trace has 1 CTAs, but its grid has 3"));
  text.grid = "(1,1,1)";
  text.body += one_warp(kExit);
  CHECK_THAT(complaint_about(text), Contains("has 2 CTAs, but its grid has 1") && Contains("'0,0,0' occurs twice"));
}

TEST_CASE("a CTA that is there twice is refused at its line, in whatever order CTAs come") {
  TraceText text;
  text.grid = "(1300,1,1)";
  const auto cta = [](int number) {
    return "#BEGIN_TB\nthread block = " + std::to_string(number) + ",0,0\nwarp = 0\ninsts = 1\n" + std::string(kExit) +
           "#END_TB\n";
  };
  for (const int last : {0, 5, 1299, 700}) {
    text.body = cta(0) + cta(1299) + cta(5) + cta(700) + cta(last);
    CHECK_THAT(complaint_about(text),
               Contains("k.traceg:39:16: thread block '" + std::to_string(last) + ",0,0' occurs twice"));
  }
}

TEST_CASE("what a header claims does not decide how much memory is used") {
  TraceText text;
  text.grid = "(2147483647,512,1)";
  text.body = one_warp(kExit);
  CHECK_THAT(complaint_about(text), Contains("the trace has 1 CTAs, but its grid has 1099511627264"));
}

TEST_CASE("headers are checked key by key") {
  TraceText text;
  text.body = one_warp(kExit);
  const auto with = [&](const std::string& grid, const std::string& block, const std::string& more) {
    TraceText changed = text;
    changed.grid = grid;
    changed.block = block;
    changed.more_header = more;
    return complaint_about(changed);
  };
  CHECK_THAT(with("(0,1,1)", "(32,1,1)", ""), Contains(":3:13: grid dim '(0,1,1)' makes no sense"));
  CHECK_THAT(with("(1e12)", "(32,1,1)", ""), Contains("grid dim '(1e12)'"));
  CHECK_THAT(with("(2147483647,2147483647,2147483647)", "(32,1,1)", ""), Contains("at most 2^40 CTAs"));
  CHECK_THAT(with("(1,1,1)", "(2048,1,1)", ""), Contains("block dim '(2048,1,1)'") && Contains("at most 1024"));
  CHECK_THAT(with("(1,1,1)", "(32,1,1)", "-nregs = 256\n"), Contains("nregs '256'"));
  CHECK_THAT(with("(1,1,1)", "(32,1,1)", "-shmem = -1\n"), Contains("shmem '-1'"));
  CHECK_THAT(with("(1,1,1)", "(32,1,1)", "-accelsim tracer version = 7\n"), Contains("expected a version up to 6"));
  CHECK_THAT(with("(1,1,1)", "(32,1,1)", "-enable lineinfo = 2\n"), Contains("expected 0 or 1"));
  CHECK_THAT(with("(1,1,1)", "(32,1,1)", "-shmem base_addr = 7f\n"), Contains("shmem base_addr '7f'"));
  CHECK_THAT(with("(1,1,1)", "(32,1,1)", "nonsense\n"), Contains("'nonsense' is not a header line"));
}

TEST_CASE("an unknown header key is a warning") {
  const Folder folder;
  TraceText text;
  text.more_header = "-colour = blue\n-colour = red\n";
  text.body = one_warp(kExit);
  CHECK(frontend::accelsim::load_accelsim(folder.write("k.traceg", text.text())).warnings ==
        std::vector<std::string>{"header key 'colour' is not known and ignored"});
}

TEST_CASE("a text that is something else is one problem, not one for each key it lacks") {
  const Folder folder;
  CHECK_THAT(complaint(folder.write("a.traceg", "# a program trace\ngpusim trace 1\n")),
             Contains("is not a trace of Accel-Sim") && !Contains("the header has no"));
}

TEST_CASE("a header that lacks a key, or never ends, says so") {
  const Folder folder;
  CHECK_THAT(complaint(folder.write("a.traceg", "-kernel name = k\n#traces\n")),
             Contains("the header has no '-grid dim'") && Contains("'-block dim'") && Contains("'-nregs'"));
  CHECK_THAT(complaint(folder.write("b.traceg", "-kernel name = k\n")), Contains("ends within its header"));
}

TEST_CASE("a file that cannot be a trace is refused with a reason") {
  const Folder folder;
  CHECK_THAT(complaint(folder.path() / "nowhere.traceg"), Contains("cannot be opened: No such file"));
  CHECK_THAT(complaint(folder.path()), Contains("is a directory (name its kernelslist.g)"));
  CHECK_THAT(complaint(folder.write("empty.traceg", "")), Contains("is empty"));
  CHECK_THAT(complaint(folder.write("blank.traceg", "\n\n")), Contains("nothing but empty lines"));
  CHECK_THAT(complaint(folder.write("z.traceg", "\x28\xB5\x2F\xFD....")), Contains("is zstd-compressed"));
  CHECK_THAT(complaint(folder.write("garbage.g", std::string("\x7f"
                                                             "ELF\0\1\2\3",
                                                             8))),
             Contains("is not text (expected an Accel-Sim trace or list of traces, as text or in xz)"));
  CHECK_THAT(complaint(folder.write("long.g", "kernel" + std::string(3 << 20, 'x'))), Contains("longer than 1 MiB"));
}

TEST_CASE("xz data that is cut off at any place says so, and is not a short trace") {
  const Folder folder;
  TraceText text;
  text.body = one_warp(kExit);
  const std::string whole = xz(text.text());
  for (std::size_t length = 1; length < whole.size(); ++length) {
    CHECK_THAT(complaint(folder.write("cut.traceg.xz", whole.substr(0, length))),
               Contains("cut.traceg.xz: is cut off: it ends within its xz-compressed data") && Contains("(copy it"));
  }
}

TEST_CASE("damaged xz data says so, in its header, in its contents, and where its first bytes are") {
  const Folder folder;
  TraceText text;
  text.body = one_warp(kExit);
  const std::string whole = xz(text.text());
  const auto complaint_with = [&](std::size_t at, std::size_t length) {
    std::string damaged = whole.substr(0, length);
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    return complaint(folder.write("bad.traceg.xz", damaged));
  };
  CHECK_THAT(complaint_with(whole.size() / 2, whole.size()),
             Contains("is damaged: its xz-compressed data cannot be read"));
  CHECK_THAT(complaint_with(7, whole.size()), Contains("is damaged: ") && Contains("xz-compressed data"));
  CHECK_THAT(complaint_with(0, whole.size()), Contains("is damaged: it does not begin as xz-compressed data does"));
  CHECK_THAT(complaint_with(0, whole.size() / 2), Contains("is damaged: it does not begin as xz-compressed data does"));
}

TEST_CASE("a list's problems name the line") {
  const Folder folder;
  CHECK_THAT(complaint(folder.write("kernelslist.g", "MemcpyHtoD,zzz,3\nkernel-7.tracez\n")),
             Contains("kernelslist.g:1:12: 'zzz,3' makes no sense"));
  CHECK_THAT(complaint(folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n")),
             Contains("kernelslist.g:1: '") && Contains("kernel-2.traceg' does not exist"));
  CHECK_THAT(complaint(folder.write("kernelslist.g", "MemcpyHtoD,0x7f,3\n")), Contains("names no kernel"));
}

TEST_CASE("a trace cut anywhere is refused or complete, and never crashes") {
  const Folder folder;
  TraceText text;
  text.body = one_warp("0010 0000000f 1 R2 LDG.E 1 R2 4 2 0x7f0000000 8 8 8 0\n" + std::string(kExit));
  const std::string whole = text.text();
  for (std::size_t size = 1; size + 1 < whole.size(); ++size) {
    INFO(whole.substr(0, size));
    CHECK(complaint(folder.write("cut.traceg", whole.substr(0, size))) != "");
  }
}

}  // namespace errors_test
