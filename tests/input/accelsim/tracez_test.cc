// SPDX-License-Identifier: MIT
// Accel-Sim 2.0's binary form: it says what its text says, and every lie in it is refused.
#include "tests/input/accelsim/tracez.h"

#include <catch2/catch.hpp>

#include "tests/input/accelsim/folder.h"
#include "tests/support/same_kernel.h"

namespace tracez_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;
using frontend::accelsim::load_accelsim;

namespace {

/// The lines of a warp that goes `turns` times round a loop.
std::vector<std::string> loop(unsigned turns, std::uint64_t address) {
  std::vector<std::string> lines{"0010 ffffffff 1 R6 S2R 0 0 0 0 NoVal"};
  for (unsigned i = 0; i < turns; ++i) {
    lines.push_back("0020 ffffffff 1 R2 LDG.E 1 R2 4 1 0x" + std::to_string(7000000000 + address + 128 * i) +
                    " 4 0 0 NoVal");
    lines.emplace_back("0030 ffffffff 0 BRA 0 0 0 0 NoVal");
  }
  lines.emplace_back("0100 ffffffff 0 EXIT 0 0 0 0 NoVal");
  return lines;
}

Tracez three_ctas() {
  Tracez file;
  file.header = hopper_header("(3,1,1)", "(64,1,1)");
  for (std::uint32_t cta = 0; cta < 3; ++cta) {
    file.ctas.push_back(
        {{cta, 0, 0}, {cta, 0, 0}, {0, 0, 0}, 0, {loop(3 + cta, 4096 * cta), loop(1, 4096 * cta + 2048)}});
  }
  return file;
}

/// The same as `file`, read from its bytes and from its text.
void check_same(const Folder& folder, const Tracez& file) {
  const trace::Trace text = load_accelsim(folder.write("k.traceg", file.text()));
  const trace::Trace bytes = load_accelsim(folder.write("k.tracez", file.bytes()));
  CHECK(bytes.warnings == text.warnings);
  CHECK(testing::difference(bytes.kernels[0], text.kernels[0]).empty());
  CHECK(testing::behaviour_difference(bytes.kernels[0], text.kernels[0]).empty());
}

std::string complaint_about(const Folder& folder, const std::string& bytes) {
  return complaint(folder.write("k.tracez", bytes));
}

}  // namespace

TEST_CASE("a .tracez file is the same kernel as its text") {
  const Folder folder;
  Tracez file = three_ctas();
  check_same(folder, file);
  SECTION("with a dictionary") {
    file.dictionary = "0020 ffffffff 1 R2 LDG.E 1 R2 4 1 0x7000000000 4 0 0 NoVal\n";
  }
  SECTION("with frames that are not compressed") {
    file.frames = Tracez::Frames::kRaw;
  }
  SECTION("with all of a warp in one sub-chunk") {
    file.lines_of_chunk = 1000;
  }
  SECTION("with a line in each sub-chunk") {
    file.lines_of_chunk = 1;
  }
  check_same(folder, file);
}

TEST_CASE("a list may name .tracez files, and what begins as one is one whatever its name") {
  const Folder folder;
  folder.write("kernel-1-ctx_0x55aa.tracez", three_ctas().bytes());
  folder.write("kernel-2", three_ctas().bytes());
  const trace::Trace trace = load_accelsim(
      folder.write("kernelslist.g", "kernel-1-ctx_0x55aa.tracez\nkernel-2\nkernel-1-ctx_0x55aa.tracez\n"));
  REQUIRE(trace.kernels.size() == 3);
  CHECK(trace.kernels[0].ctas() == 3);
  CHECK(trace.kernels[0].behaviour == trace.kernels[2].behaviour);
}

TEST_CASE("the index decides where a CTA is read, whatever the order of the file") {
  const Folder folder;
  Tracez file = three_ctas();
  const trace::Trace in_order = load_accelsim(folder.write("a.tracez", file.bytes()));
  std::swap(file.ctas[0], file.ctas[2]);
  const trace::Trace other = load_accelsim(folder.write("b.tracez", file.bytes()));
  CHECK(testing::behaviour_difference(in_order.kernels[0], other.kernels[0]).empty());
  CHECK(other.kernels[0].texts[0].line == in_order.kernels[0].texts[0].line);
}

TEST_CASE("a header without the line of the format ends at its byte 0") {
  const Folder folder;
  Tracez file = three_ctas();
  file.header.resize(file.header.find("\n#"));
  CHECK(load_accelsim(folder.write("k.tracez", file.bytes())).kernels[0].code.size() == 4);
}

TEST_CASE("a problem in a line of a .tracez file names the line of its text") {
  const Folder folder;
  Tracez file = three_ctas();
  file.ctas[0].warps[0][1] = "0020 zzz";
  const std::string in_text = complaint(folder.write("k.traceg", file.text()));
  const std::string in_bytes = complaint_about(folder, file.bytes());
  CHECK_THAT(in_bytes, Contains("lane mask 'zzz' makes no sense"));
  CHECK(in_bytes.substr(in_bytes.rfind('/') + 9) == in_text.substr(in_text.rfind('/') + 9));
}

TEST_CASE("sizes and places of a .tracez file that cannot be are refused") {
  const Folder folder;
  Tracez file = three_ctas();
  file.dictionary = std::string(100, 'd');
  Tracez::Parts at;
  const std::string good = file.bytes(at);
  REQUIRE(complaint_about(folder, good).empty());
  const auto complaint_with = [&](std::size_t place, std::uint64_t value) {
    return complaint_about(folder, with_32(good, place, value));
  };
  const std::string end = std::to_string(at.tail);
  CHECK_THAT(complaint_with(at.tail, at.tail), Contains("k.tracez: is damaged or cut off: its index should begin at "
                                                        "byte " +
                                                        end + ", and may from byte "));
  CHECK_THAT(complaint_with(at.tail, 3), Contains("its index should begin at byte 3,"));
  CHECK_THAT(complaint_with(at.tail + 4, 1), Contains("its index should begin at byte "));
  CHECK_THAT(complaint_with(at.dictionary_bytes, 1 << 20),
             Contains("its dictionary of 1,048,576 bytes is longer than"));
  CHECK_THAT(complaint_with(at.index, 40), Contains("its index counts 40 CTAs, and has room for"));
  CHECK_THAT(complaint_with(at.index, ~0U), Contains("its index counts 4,294,967,295 CTAs"));
  CHECK_THAT(complaint_with(at.index, 2), Contains("its index has ") && Contains("bytes behind the last CTA"));
  CHECK_THAT(complaint_with(at.first_warp() - 4, 33), Contains("its index says that a CTA has 33 warps"));
  CHECK_THAT(complaint_with(at.first_warp(), 77), Contains("warp 0 of CTA 0,0,0 has 77 instructions, but its "
                                                           "sub-chunks have 8"));
  CHECK_THAT(complaint_with(at.first_warp() + 4, 1 << 30),
             Contains("has 1,073,741,824 sub-chunks, and its index ends"));
  CHECK_THAT(complaint_with(at.first_warp() + 8, 5), Contains("the place of warp 0 of CTA 0,0,0 is byte 5, and"));
  CHECK_THAT(complaint_with(at.first_warp() + 12, 1), Contains("the place of warp 0 of CTA 0,0,0 is byte "));
  CHECK_THAT(complaint_with(at.payload, 9), Contains("warp 0 of CTA 0,0,0 has 9 instructions in 4 sub-chunks, and by "
                                                     "the index 8 in 4"));
  CHECK_THAT(complaint_with(at.payload + 4, 3), Contains("8 instructions in 3 sub-chunks, and by the index 8 in 4"));
  CHECK_THAT(complaint_with(at.payload + 8, 1 << 24), Contains("a sub-chunk of warp 0 of CTA 0,0,0 takes 16,777,216 "
                                                               "bytes, and "));
  CHECK_THAT(complaint_with(at.payload + 8, 11), Contains("a sub-chunk of warp 0 of CTA 0,0,0 is not a zstd frame"));
  CHECK_THAT(complaint_with(at.payload + 12, 0), Contains("is not a zstd frame"));
}

TEST_CASE("a payload that ends before its sub-chunks is refused as such") {
  const Folder folder;
  Tracez::Parts at;
  std::string bytes = three_ctas().bytes(at);
  // The first warp's payload is moved to the last 8 bytes before the index: its sizes, and nothing behind them.
  std::string sizes;
  append_32(sizes, 8);
  append_32(sizes, 4);
  bytes = with_32(bytes, at.first_warp() + 8, at.index);
  bytes = with_32(bytes, at.tail, at.index + sizes.size());
  bytes.insert(at.index, sizes);
  CHECK_THAT(complaint_about(folder, bytes),
             Contains("is damaged or cut off: the payload of warp 0 of CTA 0,0,0 ends before 4 sub-chunks"));
}

TEST_CASE("frames of a .tracez file that cannot be are refused") {
  const Folder folder;
  Tracez file = three_ctas();
  SECTION("one that does not say how large it is") {
    file.frames = Tracez::Frames::kWithoutSize;
    CHECK_THAT(complaint_about(folder, file.bytes()), Contains("does not say how large it is"));
  }
  SECTION("one that says more than it can have") {
    file.frames = Tracez::Frames::kRaw;
    Tracez::Parts at;
    const std::string good = file.bytes(at);
    CHECK_THAT(complaint_about(folder, with_32(good, at.payload + 17, 60 << 20)),
               Contains("is 62914560 bytes of text in ") && Contains(", which is more than any has"));
    CHECK_THAT(complaint_about(folder, with_32(good, at.payload + 17, 70)), Contains("cannot be decompressed"));
  }
  SECTION("one with another number of lines than the index says") {
    file.lines_of_chunk = 1;
    file.ctas[0].warps[0][0] += "\n" + file.ctas[0].warps[0][0];
    CHECK_THAT(complaint_about(folder, file.bytes()), Contains("has 2 lines, and by the index 1 instruction"));
  }
  SECTION("one that needs a dictionary that is not there") {
    file.dictionary = "0020 ffffffff 1 R2 LDG.E 1 R2 4 1 0x7000000000 4 0 0 NoVal\n";
    Tracez::Parts at;
    const std::string with = file.bytes(at);
    std::string without = with;
    std::fill_n(without.begin() + static_cast<std::ptrdiff_t>(at.dictionary_bytes) + 8, file.dictionary.size(), 'x');
    CHECK_FALSE(complaint_about(folder, without).empty());
  }
}

TEST_CASE("a .tracez file that is cut off at any place says so") {
  const Folder folder;
  const std::string whole = three_ctas().bytes();
  CHECK_THAT(complaint_about(folder, "abc"), Contains("k.tracez: is not a .tracez file: no header of text, ended by"));
  for (std::size_t size = 1; size < whole.size(); size += 7) {
    CHECK_THAT(complaint_about(folder, whole.substr(0, size)),
               Contains("is not a .tracez file") || Contains("is damaged or cut off"));
  }
}

TEST_CASE("CTAs say how large their clusters are") {
  const Folder folder;
  Tracez file;
  file.header = hopper_header("(4,2,1)", "(32,1,1)");
  for (std::uint32_t y = 0; y < 2; ++y) {
    for (std::uint32_t x = 0; x < 4; ++x) {
      file.ctas.push_back({{x, y, 0}, {x / 2, 0, 0}, {x % 2, y, 0}, x % 2 + 2 * y, {loop(1, 0)}});
    }
  }
  check_same(folder, file);
  const trace::Kernel kernel = load_accelsim(folder.write("k.tracez", file.bytes())).kernels[0];
  CHECK(kernel.cluster == Dim3{2, 2, 1});
  SECTION("and do not agree on the place") {
    file.ctas[3].in_cluster = {0, 0, 0};
    CHECK_THAT(complaint_about(folder, file.bytes()), Contains("the CTA cannot be at 0,0,0 of cluster 1,0,0"));
  }
  SECTION("and do not agree on the rank") {
    file.ctas[6].rank = 3;
    CHECK_THAT(complaint_about(folder, file.bytes()), Contains("has rank 3, and in another cluster 2"));
  }
  SECTION("and all ranks are wrong") {
    for (Tracez::Cta& cta : file.ctas) {
      cta.rank = 7;
    }
    CHECK_THAT(complaint_about(folder, file.bytes()), Contains("has rank 7, which does not fit clusters of 2,2,1"));
  }
  SECTION("and a cluster lies between those of the others") {
    file.ctas[2].cluster = {2, 0, 0};
    CHECK_THAT(complaint_about(folder, file.bytes()), Contains("the CTA cannot be at 0,0,0 of cluster 2,0,0"));
  }
  SECTION("and a place lies outside the clusters of the others") {
    file.ctas[3].cluster = {0, 0, 0};
    file.ctas[3].in_cluster = {3, 0, 0};
    CHECK_THAT(complaint_about(folder, file.bytes()), Contains("the CTA cannot be at 0,1,0 of cluster 1,0,0"));
  }
  SECTION("and a line of text is not one of them") {
    std::string text = file.text();
    text.replace(text.find("cluster id = 0,0,0"), 18, "cluster id = 0,0");
    CHECK_THAT(complaint(folder.write("k.traceg", text)),
               Contains("expected 'cluster id = x,y,z', 'cluster cta = x,y,z' and 'cluster rank = n'"));
  }
  SECTION("and one line is missing") {
    std::string text = file.text();
    text.erase(text.find("cluster rank"), 17);
    CHECK_THAT(complaint(folder.write("k.traceg", text)), Contains("the CTA has 'cluster ' lines, but not all three"));
  }
}

TEST_CASE("clusters that are too large, or that do not divide the grid, are refused") {
  const Folder folder;
  const auto complaint_of_row = [&folder](std::uint32_t ctas, std::uint32_t side) {
    Tracez file;
    file.header = hopper_header("(" + std::to_string(ctas) + ",1,1)", "(32,1,1)");
    for (std::uint32_t x = 0; x < ctas; ++x) {
      file.ctas.push_back({{x, 0, 0}, {x / side, 0, 0}, {x % side, 0, 0}, x % side, {loop(1, 0)}});
    }
    return complaint_about(folder, file.bytes());
  };
  CHECK(complaint_of_row(32, 16) == "");
  CHECK_THAT(complaint_of_row(34, 17), Contains("the clusters have more than 16 CTAs"));
  CHECK_THAT(complaint_of_row(7, 3), Contains("clusters of 3,1,1 CTAs do not divide the grid of 7,1,1"));
}

TEST_CASE("a recording whose cluster fields are all zero has no clusters") {
  const Folder folder;
  Tracez file = three_ctas();
  for (Tracez::Cta& cta : file.ctas) {
    cta.cluster = {};
  }
  CHECK(load_accelsim(folder.write("k.tracez", file.bytes())).kernels[0].cluster == Dim3{});
}

TEST_CASE("a WGMMA operation says whether it closes its group, and must say its shape") {
  const Folder folder;
  Tracez file;
  file.header = hopper_header("(1,1,1)", "(32,1,1)");
  const std::string exit = "0100 ffffffff 0 EXIT 0 0 0 0 NoVal";
  file.ctas.push_back({{},
                       {},
                       {},
                       0,
                       {{"0010 ffffffff 1 R24 HGMMA.64x64x16.F32 2 R24 UR4 0 0 0 0 NoVal",
                         "0020 ffffffff 1 R24 HGMMA.64x64x16.F32 2 R24 UR8 1 0 0 0 NoVal", exit}}});
  const trace::Kernel kernel = load_accelsim(folder.write("k.tracez", file.bytes())).kernels[0];
  CHECK_FALSE(kernel.code[0].wgmma.closes_group);
  CHECK(kernel.code[1].wgmma.closes_group);
  CHECK(kernel.code[0].wgmma.columns == 64);
  CHECK(kernel.texts[0].text == "HGMMA.64x64x16.F32 R24, R24, UR4");
  file.ctas[0].warps[0][0] = "0010 ffffffff 1 R24 HGMMA.F32 1 R24 0 0 0 0 NoVal";
  CHECK_THAT(complaint_about(folder, file.bytes()), Contains("'HGMMA.F32' names no shape"));
}

TEST_CASE("the marks at a loop of polls are left out") {
  const Folder folder;
  Tracez file;
  file.header = hopper_header("(1,1,1)", "(32,1,1)");
  file.ctas.push_back({{},
                       {},
                       {},
                       0,
                       {{"0000 ffffffff 0 REPLAY_START 0 0 0 0", "0010 ffffffff 1 R2 MOV 1 R4 0 0 0 NoVal",
                         "0000 ffffffff 0 REPLAY_END 0 0 0 0", "0100 ffffffff 0 EXIT 0 0 0 0 NoVal"}}});
  CHECK(load_accelsim(folder.write("k.tracez", file.bytes())).kernels[0].code.size() == 2);
}

}  // namespace tracez_test
