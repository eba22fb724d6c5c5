// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/input/accelsim/kernel_trace.h"
#include "sim/input/accelsim/warnings.h"
#include "sim/machine/lower/control_bits.h"

#include "tests/input/accelsim/folder.h"

namespace load_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;
using frontend::accelsim::load_accelsim;

namespace {

constexpr const char* kExit = "0100 ffffffff 0 EXIT 0 0 0\n";

isa::TimingTable unit_timing() {
  isa::TimingTable timing{};
  for (isa::Timing& t : timing) {
    t.latency = 4;
  }
  return timing;
}

}  // namespace

TEST_CASE("a trace becomes a program with its header's sizes") {
  const Folder folder;
  const trace::Trace trace = load_warp(folder,
                                       "0000 ffffffff 1 R6 S2R 0 0 0\n"
                                       "0010 ffffffff 1 R6 IMAD 2 R6 R3 0 0\n"
                                       "0100 ffffffff 0 EXIT 0 0 0\n");
  CHECK(trace.origin == TraceOrigin::kAccelSim);
  CHECK(trace.warnings.empty());
  REQUIRE(trace.kernels.size() == 1);
  const trace::Kernel& kernel = trace.kernels[0];
  CHECK(kernel.name == "k");
  CHECK(kernel.where.file == (folder.path() / "kernel-1.traceg").string());
  CHECK(kernel.where.line == 1);
  CHECK(kernel.grid == Dim3{1, 1, 1});
  CHECK(kernel.block == Dim3{32, 1, 1});
  CHECK(kernel.registers_per_thread == 12);
  CHECK(kernel.shared_static_bytes == 1024);
  REQUIRE(kernel.code.size() == 3);
  CHECK(kernel.texts[1].opcode == "IMAD");
  CHECK(kernel.texts[1].text == "IMAD R6, R6, R3");
  CHECK(kernel.texts[1].pc == 0x10);
  CHECK(kernel.texts[1].line == 21);
  CHECK(kernel.code[1].sources[1].index == 3);
  CHECK(kernel.edges == std::vector<trace::Edge>{{0, 1}, {1, 2}, {2, trace::kExitNode}});
}

TEST_CASE("instructions are numbered by program counter and loops are seen as edges") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0000 ffffffff 1 R6 MOV 0 0 0\n"
                                         "0030 ffffffff 0 BRA 0 0 0\n"
                                         "0010 ffffffff 1 R6 IADD3 1 R6 0 0\n"
                                         "0020 ffffffff 0 BRA 0 0 0\n"
                                         "0010 ffffffff 1 R6 IADD3 1 R6 0 0\n"
                                         "0020 ffffffff 0 BRA 0 0 0\n"
                                         "0100 ffffffff 0 EXIT 0 0 0\n")
                                   .kernels[0];
  CHECK(kernel.edges == std::vector<trace::Edge>{{0, 3}, {1, 2}, {2, 1}, {2, 4}, {3, 1}, {4, trace::kExitNode}});
  std::vector<std::uint32_t> pcs;
  for (const trace::Step& step : steps_of(kernel)) {
    pcs.push_back(step.pc);
  }
  CHECK(pcs == std::vector<std::uint32_t>{0, 3, 1, 2, 1, 2, 4});
}

TEST_CASE("the three address modes say the same") {
  const Folder folder;
  const auto addresses = [&](const std::string& access) {
    const std::string exit = "0100 0000000f 0 EXIT 0 0 0\n";
    return addresses_of(load_warp(folder, "0010 0000000f 1 R2 LDG.E 1 R2 4 " + access + " 0\n" + exit).kernels[0], 0);
  };
  const auto listed = addresses("0 0x1000000 0x1000008 0x1000010 0x1000018");
  CHECK(listed[0] == 0x1000000);
  CHECK(listed[3] == 0x1000018);
  CHECK(addresses("1 0x1000000 8") == listed);
  CHECK(addresses("2 0x1000000 8 8 8") == listed);
  CHECK(addresses("2 0x1000018 -8 -8 -8")[3] == 0x1000000);
  CHECK(addresses("1 0x1000018 -8")[3] == 0x1000000);
}

TEST_CASE("modes with gaps in the mask follow the active lanes") {
  const Folder folder;
  const auto addresses = addresses_of(load_warp(folder,
                                                "0010 00000105 1 R2 LDG.E 1 R2 4 2 0x1000000 16 -4 0\n"
                                                "0100 ffffffff 0 EXIT 0 0 0\n")
                                          .kernels[0],
                                      0);
  CHECK(addresses[0] == 0x1000000);
  CHECK(addresses[2] == 0x1000010);
  CHECK(addresses[8] == 0x100000c);
  CHECK(addresses[1] == 0);
}

TEST_CASE("xz traces and xz lists load like plain ones") {
  const Folder folder;
  TraceText text;
  text.body = one_warp(kExit);
  CHECK(load_accelsim(folder.write("kernel-1.traceg.xz", xz(text.text()))).kernels.size() == 1);
  CHECK(load_accelsim(folder.write("kernelslist.g.xz", xz("kernel-1.traceg.xz\n"))).kernels.size() == 1);
}

TEST_CASE("an access without lanes is taken for the one of its program counter that came there last") {
  const Folder folder;
  std::string lines =
      "0010 ffffffff 1 R4 LD.E 1 R2 4 1 0x7fb139000000 4 0\n"
      "0000 ffffffff 1 R6 MOV 0 0 0\n"
      "0010 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f0000000000 4 0\n";
  for (int i = 0; i < 10; ++i) {
    lines += "0000 ffffffff 1 R6 MOV 0 0 0\n0" + std::to_string(200 + 10 * i) + " ffffffff 1 R6 MOV 0 0 0\n";
  }
  lines += "0000 ffffffff 1 R6 MOV 0 0 0\n0010 00000000 1 R4 LD.E 1 R2 4 1 0x0 0 0\n";
  const trace::Kernel kernel = load_warp(folder, lines + kExit).kernels[0];
  const std::vector<trace::Step> steps = steps_of(kernel);
  REQUIRE(steps.size() == 26);
  CHECK(kernel.code[steps[0].pc].space == isa::MemSpace::kShared);
  CHECK(kernel.code[steps[2].pc].space == isa::MemSpace::kGlobal);
  CHECK(steps[24].pc == steps[2].pc);
}

TEST_CASE("older and newer forms of the line are read") {
  const Folder folder;
  TraceText text;
  SECTION("before version 3 each line names CTA and warp") {
    text.version = "";
    text.body = one_warp("0 0 0 0 0010 ffffffff 1 R6 MOV 0 0\n0 0 0 0 0100 ffffffff 0 EXIT 0 0\n");
  }
  SECTION("with line numbers") {
    text.more_header = "-enable lineinfo = 1\n";
    text.body = one_warp("12 0010 ffffffff 1 R6 MOV 0 0 0\n13 0100 ffffffff 0 EXIT 0 0 0\n");
  }
  SECTION("version 6 with two immediates and values") {
    text.version = "-accelsim tracer version = 6\n";
    text.body = one_warp("0010 ffffffff 1 R6 MOV 0 0 0 0 Val 0x1 0x2\n0100 ffffffff 0 EXIT 0 0 0 0 NoVal\n");
  }
  const trace::Kernel kernel = load_accelsim(folder.write("kernel-1.traceg", text.text())).kernels[0];
  REQUIRE(kernel.code.size() == 2);
  CHECK(kernel.texts[0].pc == 0x10);
}

TEST_CASE("a comparison feeds the next branch or exit") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                                         "0010 ffffffff 1 R0 MOV 0 0 0\n"
                                         "0020 00000000 0 EXIT 0 0 0\n"
                                         "0030 ffffffff 0 EXIT 0 0 0\n")
                                   .kernels[0];
  REQUIRE(kernel.code[0].destinations[0].file == isa::RegFile::kPredicate);
  CHECK(kernel.code[2].guarded);
  CHECK(kernel.code[2].guard == kernel.code[0].destinations[0]);
  CHECK_FALSE(kernel.code[3].guarded);
  CHECK(lower::assign_control_bits(kernel, unit_timing())[1].stall == 3);
}

TEST_CASE("a comparison feeds the first instruction with fewer lanes, and its lanes count as active there") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                                         "0010 ffffffff 1 R0 MOV 0 0 0\n"
                                         "0020 0000ffff 1 R1 MOV 0 0 0\n"
                                         "0030 ffffffff 0 EXIT 0 0 0\n")
                                   .kernels[0];
  CHECK(kernel.code[2].guarded);
  CHECK_FALSE(kernel.code[3].guarded);
  const auto steps = steps_of(kernel);
  CHECK(steps[2].mask == 0xffff);
  CHECK(steps[2].active == kAllLanes);
}

TEST_CASE("lanes that have left are not active at a later guard") {
  const Folder folder;
  const auto steps = steps_of(load_warp(folder,
                                        "0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                                        "0010 ffff0000 0 EXIT 0 0 0\n"
                                        "0020 0000ffff 0 ISETP.GE.AND 1 R6 0 0\n"
                                        "0030 00000000 0 BRA 0 0 0\n"
                                        "0040 0000ffff 0 EXIT 0 0 0\n")
                                  .kernels[0]);
  CHECK(steps[1].active == kAllLanes);
  CHECK(steps[3].mask == 0);
  CHECK(steps[3].active == 0xffff);
}

TEST_CASE("a uniform load feeds the next memory instruction") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0000 ffffffff 0 ULDC.64 0 0 0\n"
                                         "0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000 4 0\n"
                                         "0020 ffffffff 0 EXIT 0 0 0\n")
                                   .kernels[0];
  REQUIRE(kernel.code[0].destinations[0].file == isa::RegFile::kUniform);
  CHECK(kernel.code[1].sources[1] == kernel.code[0].destinations[0]);
  CHECK(lower::assign_control_bits(kernel, unit_timing())[0].stall == 5);
}

TEST_CASE("an asynchronous copy's two lines are one instruction with two addresses") {
  const Folder folder;
  for (const bool shared_first : {true, false}) {
    const std::string shared = "0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R30 R2 16 1 0x400 16 0\n";
    const std::string global = "0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R30 R2 16 1 0x7f2000000000 16 0\n";
    const trace::Kernel kernel =
        load_warp(folder, (shared_first ? shared + global : global + shared) + kExit).kernels[0];
    CHECK(steps_of(kernel).size() == 2);
    CHECK(addresses_of(kernel, 0, trace::AccessSlot::kPrimary)[1] == 0x7f2000000010);
    CHECK(addresses_of(kernel, 0, trace::AccessSlot::kSharedDestination)[1] == 0x410);
  }
}

TEST_CASE("the number of groups a DEPBAR leaves outstanding is its immediate") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder, std::string("0010 ffffffff 0 LDGDEPBAR 0 0 0\n"
                                                             "0020 ffffffff 0 DEPBAR.LE 0 0 1\n") +
                                                     kExit)
                                   .kernels[0];
  CHECK(kernel.code[1].depbar_limit == 1);
  CHECK(lower::assign_control_bits(kernel, unit_timing())[0].write_barrier == kernel.code[1].depbar_counter);
}

TEST_CASE("a NANOSLEEP lasts its immediate") {
  const Folder folder;
  const std::string sleep = "0010 ffffffff 0 NANOSLEEP 0 0 100\n";
  CHECK(load_warp(folder, sleep + kExit).kernels[0].code[0].sleep_ns == 100);
}

TEST_CASE("generic accesses go where their address lies") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0010 ffffffff 1 R0 LD.E 1 R2 4 1 0x7fb139000100 4 0\n"
                                         "0010 ffffffff 1 R0 LD.E 1 R2 4 1 0x7fb000000000 4 0\n"
                                         "0010 ffffffff 1 R0 LD.E 1 R2 4 1 0x7fb137000008 4 0\n"
                                         "0100 ffffffff 0 EXIT 0 0 0\n")
                                   .kernels[0];
  REQUIRE(kernel.code.size() == 4);
  CHECK(kernel.code[0].space == isa::MemSpace::kShared);
  CHECK(addresses_of(kernel, 0)[0] == 0x100);
  CHECK(kernel.code[1].space == isa::MemSpace::kGlobal);
  CHECK(addresses_of(kernel, 1)[0] == 0x7fb000000000);
  CHECK(kernel.code[2].space == isa::MemSpace::kLocal);
  CHECK(addresses_of(kernel, 2)[0] == 8);
}

TEST_CASE("a thread's local memory is what threads are seen to access of it") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0010 ffffffff 0 STL 2 R1 R4 4 1 0x7fb137fffc24 0 0\n"
                                         "0020 ffffffff 1 R4 LDL.64 1 R1 8 1 0x7fb137fffc38 0 0\n"
                                         "0100 ffffffff 0 EXIT 0 0 0\n")
                                   .kernels[0];
  CHECK(kernel.local.base == 0xfffc20);
  CHECK(kernel.local.bytes == 0x20);
  CHECK(addresses_of(kernel, 0)[7] == 0xfffc24);
  CHECK_THROWS_WITH(load_warp(folder,
                              "0010 ffffffff 0 STL 2 R1 R4 4 1 0x7fb137000000 0 0\n"
                              "0020 ffffffff 1 R4 LDL 1 R1 4 1 0x7fb137fffc38 0 0\n"
                              "0100 ffffffff 0 EXIT 0 0 0\n"),
                    Contains("threads access") && Contains("bytes of local memory"));
}

TEST_CASE("an unknown opcode is a warning") {
  const Folder folder;
  const trace::Trace trace =
      load_warp(folder, "0010 ffffffff 1 R0 FROBNICATE.X 1 R2 0 0\n0100 ffffffff 0 EXIT 0 0 0\n");
  CHECK(trace.warnings == std::vector<std::string>{"unknown opcode 'FROBNICATE.X': timed as class 'default'"});
}

TEST_CASE("the opcode's suffix decides the width of an access, not the tracer's figure") {
  const Folder folder;
  const trace::Kernel kernel =
      load_warp(folder, std::string("0010 ffffffff 1 R4 LDG.E.128 1 R2 4 1 0x7f0000000 16 0\n") + kExit).kernels[0];
  CHECK(kernel.code[0].bytes_per_lane == 16);
  CHECK(kernel.code[0].destinations[0].width == 4);
}

TEST_CASE("CTAs are numbered by their place in the grid, in whatever order the file has them") {
  const Folder folder;
  TraceText text;
  text.grid = "(2,1,3)";
  const auto cta = [](const std::string& place, const std::string& pc) {
    return "#BEGIN_TB\nthread block = " + place + "\nwarp = 0\ninsts = 1\n" + pc + " ffffffff 0 EXIT 0 0 0\n#END_TB\n";
  };
  text.body = cta("1,0,0", "0200") + cta("1,0,2", "0600") + cta("0,0,0", "0100") + cta("0,0,1", "0300") +
              cta("0,0,2", "0500") + cta("1,0,1", "0400");
  const trace::Kernel kernel = load_accelsim(folder.write("kernel-1.traceg", text.text())).kernels[0];
  for (std::uint32_t number = 0; number < 6; ++number) {
    CHECK(kernel.texts[steps_of(kernel, trace::cta_at(number, kernel.grid))[0].pc].pc == 0x100 * (number + 1));
  }
}

TEST_CASE("CTAs in another order are put into order a part at a time where all of them take too much memory") {
  const Folder folder;
  TraceText text;
  constexpr std::uint32_t kCtas = 40;
  text.grid = "(40,1,1)";
  for (std::uint32_t i = kCtas; i-- > 0;) {
    text.body += "#BEGIN_TB\nthread block = " + std::to_string(i) + ",0,0\nwarp = 0\ninsts = 2\n" +
                 "0010 ffffffff 1 R2 LDG.E 1 R2 4 1 0x7f000" + std::to_string(10000 + i * i) + " 4 0\n" + kExit +
                 "#END_TB\n";
  }
  const std::filesystem::path file = folder.write("kernel-1.traceg", text.text());
  struct InOrder final : trace::WarpSink {
    void begin_warp(std::uint64_t cta, std::uint32_t) override { CHECK(cta == ctas++); }
    void step(std::uint32_t, LaneMask, LaneMask) override {}
    void access(trace::AccessSlot, std::span<const Address, kWarpLanes> at, LaneMask) override {
      addresses.push_back(at[0]);
    }
    void end_warp() override {}
    std::uint64_t ctas = 0;
    std::vector<Address> addresses;
  };
  constexpr std::size_t kSome = 900;
  for (const std::size_t most_bytes : {std::size_t{0}, kSome, std::size_t{1} << 20}) {
    std::uint64_t bytes = 0;
    frontend::accelsim::KernelReader reader(file, [&](std::uint64_t read) { bytes += read; });
    frontend::accelsim::Warnings warnings;
    static_cast<void>(reader.survey(warnings));
    InOrder sink;
    reader.record(sink, most_bytes);
    CHECK(sink.ctas == kCtas);
    CHECK(std::ranges::is_sorted(sink.addresses));
    const std::uint64_t passes = bytes / std::filesystem::file_size(file);
    INFO(most_bytes << ": " << passes);
    CHECK((most_bytes == 0 ? passes > kCtas : most_bytes == kSome ? passes > 3 && passes < kCtas : passes == 2));
  }
}

TEST_CASE("a global access keeps its address, also where the windows of other memory spaces are") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0010 ffffffff 1 R0 LDG.E 1 R2 4 1 0x7fb139000100 4 0\n"
                                         "0020 ffffffff 1 R0 LDS 1 R2 4 1 0x7fb139000100 4 0\n"
                                         "0030 ffffffff 1 R0 LDL 1 R2 4 1 0x7fb137000100 4 0\n"
                                         "0040 ffffffff 1 R0 LDS 1 R2 4 1 0x7fb137000100 4 0\n"
                                         "0100 ffffffff 0 EXIT 0 0 0\n")
                                   .kernels[0];
  CHECK(addresses_of(kernel, 0)[1] == 0x7fb139000104);
  CHECK(addresses_of(kernel, 1)[1] == 0x104);
  CHECK(addresses_of(kernel, 2)[1] == 0x104);
  CHECK(addresses_of(kernel, 3)[1] == 0x7fb137000104);
}

}  // namespace load_test
