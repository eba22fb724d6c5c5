// SPDX-License-Identifier: MIT
// Makes the binary seeds of the target for Accel-Sim's traces. Their frames are not compressed, so that a change of a
// byte changes a line.
#include <filesystem>
#include <fstream>

#include "tests/input/accelsim/tracez.h"

namespace {

using gpusim::test::Tracez;

const char* const kExit = "0100 ffffffff 0 EXIT 0 0 0 0 NoVal";

/// Two CTAs of a cluster, whose first warp loads a tile for both and waits for it, arrives at the other's mbarrier and
/// reads from its shared memory; then all four multiply.
Tracez small_kernel() {
  const std::vector<std::string> product{"0080 ffffffff 1 R24 HGMMA.64x64x16.F32 2 R24 UR4 1 0 0 0 NoVal",
                                         "0090 ffffffff 0 WARPGROUP.DEPBAR 0 0 0 0 NoVal",
                                         "00a0 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 1 128 NoVal", kExit};
  const std::vector<std::string> cluster{"0020 ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal",
                                         "0030 ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal"};
  std::vector<std::string> others = cluster;
  others.insert(others.end(), product.begin(), product.end());
  others.insert(others.end() - 1, cluster.begin(), cluster.end());
  std::vector<std::string> first{
      "0010 00000001 1 UR4 SYNCS.EXCH.64 2 R255 UR6 8 1 0x400 0 0 0 Val 1 0 1 0 1 "
      "7ffff800001ffffe",
      "0014 00000001 1 UR4 SYNCS.EXCH.64 2 R255 UR6 8 1 0x408 0 0 0 Val 1 0 1 0 1 7ffff000001ffffc"};
  first.insert(first.end(), cluster.begin(), cluster.end());
  first.insert(first.end(),
               {"0040 00000001 1 R255 SYNCS.ARRIVE.TRANS64 2 R255 R3 8 1 0x400 0 0 0 Val 1 0 1 0 1 100",
                "0050 00000001 0 UTMALDG.2D.MULTICAST 0 16 0x00000400 1 0x0003 128 0 4 0x7f2000000000 8 16 16 16 48 16 "
                "16 16 0 0 NoVal",
                "0000 ffffffff 0 REPLAY_START 0 0 0 0",
                "0060 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x400 0 0 0 Val 1 0 1 0",
                "0070 00000000 0 BRA 0 0 0 0 NoVal", "0000 ffffffff 0 REPLAY_END 0 0 0 0",
                "0074 00000003 1 R255 SYNCS.ARRIVE.TRANS64.RED.A1T0 2 R4 R255 8 1 0x408 16777216 0 0 Val 1 0 1 0 1 0",
                "0078 ffffffff 1 R6 LD.E 1 R2 4 1 0x00007f0001000800 4 0 0 NoVal",
                "007c 00000001 0 UBLKCP.G.S 0 16 0x00000000 0 64 0 3 4 0x7f2000000000 0x7f2000000010 0x7f2000000400 "
                "0x7f2000000410 0 0 NoVal",
                "007e ffffffff 0 UTMACMDFLUSH 0 0 0 0 NoVal"});
  first.insert(first.end(), product.begin(), product.end());
  first.insert(first.end() - 1, cluster.begin(), cluster.end());
  Tracez file;
  file.header = gpusim::test::hopper_header("(2,1,1)", "(128,1,1)");
  file.frames = Tracez::Frames::kRaw;
  for (std::uint32_t cta = 0; cta < 2; ++cta) {
    file.ctas.push_back({{cta, 0, 0}, {0, 0, 0}, {cta, 0, 0}, cta, {first, others, others, others}});
  }
  return file;
}

void replace(std::string& line, const std::string& what, const std::string& by) {
  if (const std::size_t at = line.find(what); at != std::string::npos) {
    line.replace(at, what.size(), by);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    return 1;
  }
  const std::filesystem::path into = argv[1];
  std::filesystem::create_directories(into);
  Tracez file = small_kernel();
  std::ofstream(into / "raw.tracez", std::ios::binary) << file.bytes();
  file.frames = Tracez::Frames::kCompressed;
  file.dictionary = std::string(kExit) + "\n";
  std::ofstream(into / "dictionary.tracez", std::ios::binary) << file.bytes();
  for (Tracez::Cta& cta : file.ctas) {
    cta.cluster = cta.cta;
    cta.in_cluster = {};
    cta.rank = 0;
    for (std::string& line : cta.warps[0]) {
      replace(line, "0x0003", "0x0001");
      replace(line, "Val 1 0 1 0 1 100", "Val 1 0 1 0 1 80");
      replace(line, "0x408 16777216", "0x408 0");
      replace(line, "0x00007f0001000800", "0x00007f0000000800");
    }
  }
  file.frames = Tracez::Frames::kRaw;
  file.dictionary.clear();
  std::ofstream(into / "alone.tracez", std::ios::binary) << file.bytes();
  return 0;
}
