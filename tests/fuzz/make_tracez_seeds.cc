// SPDX-License-Identifier: MIT
// Makes the binary seeds of the target for Accel-Sim's traces. Their frames are not compressed, so that a change of a
// byte changes a line.
#include <filesystem>
#include <fstream>

#include "tests/input/accelsim/tracez.h"

namespace {

using gpusim::test::Tracez;

/// Two CTAs of a cluster, whose first warp loads a tile for both and whose second waits for it.
Tracez small_kernel() {
  Tracez file;
  file.header = gpusim::test::hopper_header("(2,1,1)", "(64,1,1)");
  file.frames = Tracez::Frames::kRaw;
  for (std::uint32_t cta = 0; cta < 2; ++cta) {
    file.ctas.push_back(
        {{cta, 0, 0},
         {0, 0, 0},
         {cta, 0, 0},
         cta,
         {{"0010 00000001 1 UR4 SYNCS.EXCH.64 2 R255 UR6 8 1 0x400 0 0 0 Val 1 0 1 0 1 7ffff800001ffffe",
           "0020 ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal", "0030 ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal",
           "0040 00000001 1 R255 SYNCS.ARRIVE.TRANS64 2 R255 R3 8 1 0x400 0 0 0 Val 1 0 1 0 1 100",
           "0050 00000001 0 UTMALDG.2D.MULTICAST 0 16 0x00000400 1 0x0003 128 0 4 0x7f2000000000 8 16 "
           "16 16 48 16 16 16 0 0 NoVal",
           "0060 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x400 0 0 0 Val 1 0 1 0",
           "0070 ffffffff 0 EXIT 0 0 0 0 NoVal"},
          {"0080 ffffffff 1 R24 HGMMA.64x64x16.F32 1 R24 1 0 0 0 NoVal",
           "0090 ffffffff 0 WARPGROUP.DEPBAR 0 0 0 0 NoVal", "0070 ffffffff 0 EXIT 0 0 0 0 NoVal"}}});
  }
  return file;
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
  file.dictionary = "0000 ffffffff 0 EXIT 0 0 0 0 NoVal\n";
  std::ofstream(into / "dictionary.tracez", std::ios::binary) << file.bytes();
  return 0;
}
