// SPDX-License-Identifier: MIT
// What is exported and read again: the same with the header lines that are gpusim's own, and without them the same
// instructions, lanes and addresses.
#include "sim/input/accelsim/export.h"

#include <algorithm>
#include <array>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/stats/result.h"

#include "tests/input/accelsim/folder.h"
#include "tests/input/accelsim/shipped.h"
#include "tests/support/same_kernel.h"

namespace export_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;
using frontend::accelsim::export_accelsim;
using frontend::accelsim::load_accelsim;

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Takes the lines that only gpusim reads out of a kernel's file.
void strip(const std::filesystem::path& file) {
  std::istringstream in(text_of(file));
  std::ofstream out(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("-gpusim ")) {
      out << line << '\n';
    }
  }
}

std::vector<Cycle> cycles_of(const trace::Trace& trace, bool is_for_volta = false) {
  static const arch::Arch ampere = arch::load_arch(GPUSIM_SOURCE_DIR "/configs/a100.yaml", {}, {});
  static const arch::Arch volta = arch::load_arch(GPUSIM_SOURCE_DIR "/configs/v100.yaml", {}, {});
  const arch::Arch& arch = is_for_volta ? volta : ampere;
  std::vector<Cycle> cycles;
  for (const stats::KernelResult& kernel : gpu::simulate(arch, trace, {}).kernels) {
    cycles.push_back(kernel.cycles);
  }
  return cycles;
}

/// A warp's instructions as a reader of the format sees them.
std::string story(const trace::Kernel& kernel, std::uint64_t cta, std::uint32_t warp) {
  std::ostringstream out;
  trace::Walker walker(kernel, trace::cta_at(cta, kernel.grid), warp);
  for (trace::Step step; walker.next(step);) {
    const isa::Instr& instr = kernel.code[step.pc];
    out << kernel.texts[step.pc].pc << ' ' << step.mask << ' ' << kernel.texts[step.pc].opcode;
    for (const trace::AccessSlot slot : {trace::AccessSlot::kPrimary, trace::AccessSlot::kSharedDestination}) {
      const bool has_slot = slot == trace::AccessSlot::kPrimary || instr.kind == isa::OpKind::kAsyncCopy;
      for (unsigned lane = 0; instr.is_memory() && step.mask != 0 && has_slot && lane < kWarpLanes; ++lane) {
        const trace::LaneAddresses lanes = walker.addresses(slot);
        out << ' ' << ((step.mask >> lane & 1U) != 0 ? lanes.base + static_cast<Address>(lanes.offsets[lane]) : 0);
      }
    }
    out << '\n';
  }
  return out.str();
}

/// Some of its lanes come to a BSYNC after the others, who then issue it again; a recording has it once.
constexpr std::string_view kMeetsTwice = "library/reduce-configured.trace";

/// Their test sets have tensor instructions of Volta alone.
constexpr std::array<std::string_view, 2> kForVolta{"library/gemm-pipelined.trace", "library/gemm-wmma.trace"};

}  // namespace

TEST_CASE("a shipped trace that is exported and read again has the same code and lanes, and takes the same cycles") {
  const Folder folder;
  for (const std::string& name : shipped_names()) {
    INFO(name);
    const trace::Trace original = shipped(name);
    export_accelsim(original, folder.path() / name);
    const trace::Trace again = load_accelsim(folder.path() / name / "kernelslist.g");
    REQUIRE(again.kernels.size() == original.kernels.size());
    for (std::size_t i = 0; i < again.kernels.size(); ++i) {
      trace::Kernel of_unknown_part = again.kernels[i];
      CHECK(of_unknown_part.binary_version == 80);
      of_unknown_part.binary_version = 0;
      CHECK(testing::difference(original.kernels[i], of_unknown_part) == "");
      CHECK(testing::behaviour_difference(original.kernels[i], again.kernels[i]) == "");
    }
    if (name != kMeetsTwice) {
      const bool is_for_volta = std::ranges::find(kForVolta, name) != kForVolta.end();
      CHECK(cycles_of(again, is_for_volta) == cycles_of(original, is_for_volta));
    }
  }
}

TEST_CASE("WGMMA operations that are exported and read again are the same") {
  const Folder folder;
  const trace::Trace original = frontend::load_trace_text(
      "gpusim trace 1\nkernel k\ngrid (1)\nblock (128)\ncode\n"
      "WARPGROUP.ARRIVE\nHGMMA.64x64x16.F32 R24, gdesc[UR4], RZ, !UPT\n"
      "HGMMA.64x64x16.F32 R24, R4, gdesc[UR8], R24, gsb0\nWARPGROUP.DEPBAR.LE gsb0, 0x1\nEXIT\nend\n",
      "inline.trace", {});
  export_accelsim(original, folder.path());
  trace::Kernel again = load_accelsim(folder.path() / "kernelslist.g").kernels[0];
  again.binary_version = 0;
  CHECK(testing::difference(original.kernels[0], again) == "");
  CHECK(again.code[2].wgmma == isa::WgmmaForm{64, 16, false, true, true});
}

TEST_CASE("without the header lines that are gpusim's own the instructions, lanes and addresses are the same") {
  const Folder folder;
  for (const std::string& name : shipped_names()) {
    INFO(name);
    const trace::Trace original = shipped(name);
    export_accelsim(original, folder.path() / name);
    for (std::size_t i = 0; i < original.kernels.size(); ++i) {
      const trace::Kernel& kernel = original.kernels[i];
      const std::filesystem::path file = folder.path() / name / ("kernel-" + std::to_string(i + 1) + ".traceg");
      strip(file);
      const trace::Kernel again = load_accelsim(file).kernels[0];
      CHECK(again.grid == kernel.grid);
      CHECK(again.block == kernel.block);
      for (const std::uint64_t cta : {std::uint64_t{0}, kernel.ctas() - 1}) {
        for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
          REQUIRE(story(again, cta, warp) == story(kernel, cta, warp));
        }
      }
    }
  }
}

TEST_CASE("an export for Accel-Sim has one line for an LDGSTS, that of its global side, and takes the same cycles") {
  const Folder folder;
  const trace::Trace original = frontend::load_trace_text(
      "gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\nbuffer a bytes[512]\nshared static 512\n"
      "shared_buffer s bytes[512] at 0\ncode\nLDGSTS.E.128 [R4], [R2.64] @ s[lane*16] <- a[lane*16]\n"
      "LDGDEPBAR\nDEPBAR.LE SB0, 0x0\nEXIT\nend\n",
      "inline.trace", {});
  export_accelsim(original, folder.path() / "ours");
  export_accelsim(original, folder.path() / "theirs", {.for_accelsim = true});
  const auto copies = [](const std::filesystem::path& file) {
    std::istringstream in(text_of(file));
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) {
      lines += !line.starts_with("-") && line.find("LDGSTS") != std::string::npos ? 1 : 0;
    }
    return lines;
  };
  CHECK(copies(folder.path() / "ours" / "kernel-1.traceg") == 2);
  CHECK(copies(folder.path() / "theirs" / "kernel-1.traceg") == 1);
  CHECK(text_of(folder.path() / "theirs" / "kernel-1.traceg").find("insts = 4\n") != std::string::npos);
  CHECK(cycles_of(load_accelsim(folder.path() / "theirs" / "kernelslist.g")) == cycles_of(original));
}

TEST_CASE("a few CTAs are exported as a launch of their own") {
  const Folder folder;
  const trace::Trace original = shipped("transpose.trace");
  const trace::Kernel& kernel = original.kernels[0];
  REQUIRE(kernel.ctas() > 3);
  export_accelsim(original, folder.path(), {1, 2, false});
  const trace::Kernel part = load_accelsim(folder.path() / "kernel-1.traceg").kernels[0];
  CHECK(part.grid == Dim3{2, 1, 1});
  CHECK(story(part, 0, 0) == story(kernel, 1, 0));
  CHECK(story(part, 1, 0) == story(kernel, 2, 0));
  CHECK_THROWS_WITH(export_accelsim(original, folder.path(), {kernel.ctas(), 1, false}), Contains("has no CTA"));
  const std::filesystem::path nowhere = folder.path() / "new";
  CHECK_THROWS_WITH(export_accelsim(original, nowhere, {kernel.ctas(), 1, false}), Contains("has no CTA"));
  CHECK_FALSE(std::filesystem::exists(nowhere));
}

TEST_CASE("copies, streams and the compute capability are written where readers look for them") {
  const Folder folder;
  trace::Trace trace = shipped("saxpy.trace");
  trace::Kernel second = trace.kernels[0];
  second.stream = 3;
  second.binary_version = 90;
  trace.kernels.push_back(second);
  trace.copies = {{0x7f0000000000, 4096, 0}, {0x7f0000001000, 12, 1}, {0x7f0000002000, 8, 2}};
  export_accelsim(trace, folder.path());
  CHECK(text_of(folder.path() / "kernelslist.g") ==
        "MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\nMemcpyHtoD,0x00007f0000001000,12\nkernel-2.traceg\n"
        "MemcpyHtoD,0x00007f0000002000,8\n");
  const trace::Trace again = load_accelsim(folder.path() / "kernelslist.g");
  CHECK(again.copies == trace.copies);
  CHECK(again.kernels[1].stream == 3);
  CHECK(again.kernels[1].binary_version == 90);
  export_accelsim(trace, folder.path() / "one", {0, 1, true});
  CHECK_THAT(text_of(folder.path() / "one" / "kernel-2.traceg"), Contains("-binary version = 86\n"));
}

TEST_CASE("what Accel-Sim does not simulate is refused when the export is for it") {
  const Folder folder;
  const auto refusal = [&](const std::string& line) -> std::string {
    const std::filesystem::path file =
        folder.write("k.trace", "gpusim trace 1\nkernel k\n grid (1)\n block (64)\ncode\n " + line + "\n EXIT\nend\n");
    try {
      export_accelsim(frontend::load_trace_text(file, {}), folder.path() / "raw", {0, 1, true});
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  CHECK(refusal("BAR.SYNC 0x0") == "");
  CHECK_THAT(refusal("BAR.SYNC 0x1, 0x40"), Contains("k.trace:6") && Contains("Accel-Sim knows no named barriers"));
  CHECK_THAT(refusal("UTMALDG.2D [UR8], [UR4]"), Contains("Accel-Sim knows no opcodes of Hopper"));
}

TEST_CASE("addresses that a reader would take for another memory space are refused, whichever lane has them") {
  const Folder folder;
  // What the lanes of one access do: all but the last go to 0x1000 and on, the last where it is said.
  const auto refusal = [&](const std::string& line, trace::AccessSlot slot, Address last) -> std::string {
    const std::filesystem::path file =
        folder.write("k.trace",
                     "gpusim trace 1\nkernel k\n grid (1)\n block (32)\n buffer a f32[64]\n shared static 256\n"
                     " shared_buffer s f32[64] at 0\ncode\n " +
                         line + "\n EXIT\nend\n");
    trace::Trace trace = frontend::load_trace_text(file, {});
    trace::Kernel kernel = trace.kernels[0];
    trace::RecordingBuilder builder(kernel.code, kernel.grid, 1);
    builder.begin_warp(0, 0);
    builder.step(0, kAllLanes, kAllLanes);
    for (const trace::AccessSlot other : {trace::AccessSlot::kPrimary, trace::AccessSlot::kSharedDestination}) {
      std::array<Address, kWarpLanes> addresses{};
      addresses.fill(kernel.code[0].space == isa::MemSpace::kGlobal && other == trace::AccessSlot::kPrimary
                         ? 0x7f0000000000
                         : 0x40);
      addresses[31] = other == slot ? last : addresses[0];
      builder.access(other, addresses, kAllLanes);
    }
    builder.step(1, kAllLanes, kAllLanes);
    builder.end_warp();
    kernel.behaviour = std::make_shared<const trace::Behaviour>(builder.finish());
    trace.kernels = {kernel};
    try {
      std::filesystem::remove_all(folder.path() / "raw");
      export_accelsim(trace, folder.path() / "raw");
    } catch (const InputError& error) {
      return error.what();
    }
    const trace::Trace again = load_accelsim(folder.path() / "raw" / "kernel-1.traceg");
    return testing::behaviour_difference(kernel, again.kernels[0]);
  };
  const auto primary = trace::AccessSlot::kPrimary;
  const auto destination = trace::AccessSlot::kSharedDestination;
  const auto another_space = Contains("would be taken for one of another memory space");
  constexpr Address kSharedWindow = 0x7e0000000000;
  constexpr Address kLocalWindow = 0x7e0001000000;
  CHECK(refusal("LDG.E R4, [R2.64] @ a[0]", primary, kSharedWindow) == "");
  CHECK(refusal("LDG.E R4, [R2.64] @ a[0]", primary, kLocalWindow) == "");
  CHECK(refusal("LDS R4, [R2] @ s[0]", primary, 0xff) == "");
  CHECK_THAT(refusal("LDS R4, [R2] @ s[0]", primary, kSharedWindow + 4), another_space);
  CHECK(refusal("LD.E R4, [R2.64] @ a[0]", primary, 0x100) == "");
  CHECK_THAT(refusal("LD.E R4, [R2.64] @ a[0]", primary, kLocalWindow + 4), another_space);
  const std::string copy = "LDGSTS.E.128 [R4], [R2.64] @ s[0] <- a[0]";
  CHECK(refusal(copy, primary, 0x7f0000000010) == "");
  CHECK_THAT(refusal(copy, primary, 0x100), another_space);
  CHECK_THAT(refusal(copy, primary, kSharedWindow), another_space);
  CHECK_THAT(refusal(copy, destination, 16 << 20), another_space);
}

TEST_CASE("an export that fails leaves nothing of its own, and of the folders only those that were there") {
  const Folder folder;
  trace::Trace trace = shipped("saxpy.trace");
  trace.kernels.push_back(trace.kernels[0]);
  struct Enough {};
  const auto stop = [](std::uint64_t ctas, std::uint64_t of) {
    if (2 * ctas > of + 2) {
      throw Enough{};
    }
  };
  CHECK_THROWS_AS(export_accelsim(trace, folder.path() / "a" / "b", {}, stop), Enough);
  CHECK_THROWS_AS(export_accelsim(trace, folder.path(), {}, stop), Enough);
  CHECK(std::filesystem::is_empty(folder.path()));
  export_accelsim(trace, folder.path() / "a" / "b");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path() / "a" / "b"), {}) == 3);
}

TEST_CASE("an export into a folder with a recording is refused, and what is there stays") {
  const Folder folder;
  trace::Trace trace = shipped("saxpy.trace");
  trace.kernels.push_back(trace.kernels[0]);
  export_accelsim(trace, folder.path());
  // Neither the order of the kernels nor what was read decides.
  const std::string list = "kernel-2.traceg\nkernel-1.traceg\n";
  const std::filesystem::path swapped = folder.write("mylist.g", list);
  std::filesystem::copy(folder.path() / "kernel-1.traceg", folder.path() / "kernel-3.traceg");
  const std::string first = text_of(folder.path() / "kernel-1.traceg");
  for (const std::filesystem::path& input : {swapped, folder.path() / "kernel-3.traceg"}) {
    const trace::Trace read = load_accelsim(input);
    CHECK_THROWS_WITH(export_accelsim(read, folder.path()),
                      Contains("holds a recording already") && Contains("name another folder"));
    CHECK(text_of(folder.path() / "kernel-1.traceg") == first);
    CHECK_THAT(text_of(folder.path() / "kernelslist.g"), Contains("kernel-1.traceg\nkernel-2.traceg\n"));
  }
  std::filesystem::create_directory(folder.path() / "old");
  folder.write("old/kernel-7-ctx_0x1.traceg.xz", "");
  CHECK_THROWS_WITH(export_accelsim(trace, folder.path() / "old"), Contains("'kernel-7-ctx_0x1.traceg.xz'"));
}

TEST_CASE("a header line of gpusim's own that makes no sense is refused with its place") {
  const Folder folder;
  const auto complaint_about = [&](const std::string& extra) {
    TraceText text;
    text.more_header = "-gpusim shared = 0 0\n-gpusim barriers = 1\n-gpusim instructions = 1\n" + extra;
    text.more_header += extra.find("version") == std::string::npos ? "-gpusim version = 1\n" : "";
    text.body = one_warp("0000 ffffffff 0 EXIT 0 0 0\n");
    return complaint(folder.write("k.traceg", text.text()));
  };
  const std::string exit = "-gpusim code = 0000 next=exit opcode=EXIT text=EXIT\n";
  CHECK(complaint_about("-gpusim version = 1\n" + exit) == "");
  CHECK_THAT(complaint_about("-gpusim version = 2\n"),
             Contains("k.traceg:14:19: '2' makes no sense in a -gpusim line"));
  CHECK_THAT(complaint_about("-gpusim code = 0000 to=R4:0 opcode=EXIT text=EXIT\n"), Contains("'to=R4:0'"));
  for (const char* operand : {"R256", "R255:0", "R254:2", "UR64", "UR62:2", "P8", "UP9", "P3:5", "R2@6"}) {
    CHECK_THAT(complaint_about("-gpusim code = 0000 from=" + std::string(operand) + " opcode=EXIT text=EXIT\n"),
               Contains("makes no sense"));
  }
  CHECK(complaint_about("-gpusim code = 0000 from=UR63,UR62,UP7,P6 next=exit opcode=EXIT text=EXIT\n") == "");
  CHECK_THAT(complaint_about("-gpusim code = 0000 space=global opcode=EXIT text=EXIT\n"), Contains("'space=global'"));
  CHECK_THAT(complaint_about("-gpusim code = 0000 from=X4 opcode=EXIT text=EXIT\n"), Contains("'from=X4'"));
  CHECK_THAT(complaint_about("-gpusim code = 0000 [B] opcode=EXIT text=EXIT\n"), Contains("'[B]'"));
  CHECK_THAT(complaint_about("-gpusim code = 0000 next=7 opcode=EXIT text=EXIT\n"), Contains("leads nowhere"));
  CHECK_THAT(complaint_about("-gpusim code = 0010 next=exit opcode=EXIT text=EXIT\n"),
             Contains("'0 EXIT 0' is not among the header's -gpusim code lines"));
  CHECK_THAT(complaint_about("-gpusim colour = red\n"), Contains("'red' makes no sense"));
}

TEST_CASE("header lines of gpusim's own are there once and complete, or not at all") {
  const Folder folder;
  const auto complaint_about = [&](const std::string& extra) {
    TraceText text;
    text.more_header = extra;
    text.body = one_warp("0000 ffffffff 0 EXIT 0 0 0\n");
    return complaint(folder.write("k.traceg", text.text()));
  };
  const std::vector<std::string> lines{"-gpusim version = 1\n", "-gpusim shared = 0 16\n", "-gpusim barriers = 1\n",
                                       "-gpusim instructions = 1\n",
                                       "-gpusim code = 0000 next=exit opcode=EXIT text=EXIT\n"};
  const std::string buffer = "-gpusim buffer = global 0x7f00 64 x\n";
  std::string all;
  for (const std::string& line : lines) {
    all += line;
  }
  CHECK(complaint_about(all) == "");
  CHECK(complaint_about(all + buffer + buffer) == "");
  for (const std::string& line : lines) {
    INFO(line);
    std::string others = all;
    others.erase(all.find(line), line.size());
    CHECK_THAT(complaint_about(others), Contains("k.traceg:") && Contains("take the -gpusim lines out"));
    CHECK_THAT(complaint_about(all + line), Contains("already") || Contains("2 -gpusim code lines, but says 1"));
    CHECK(complaint_about(line) != "");
  }
  CHECK_THAT(complaint_about(buffer), Contains("no '-gpusim instructions'"));
}

}  // namespace export_test
