// SPDX-License-Identifier: MIT
// The TMA: boxes of tensors between global and shared memory, their bytes at mbarriers, groups of stores; and registers
// that warps hand to one another.
#include <string>

#include <catch2/catch.hpp>

#include "tests/system/on_h100.h"

namespace bulk_copy_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using test::load_failure;
using test::waited;

namespace {

const std::string kHead =
    "grid (1)\nblock (64)\nregisters 64\nshared dynamic 65536\nbuffer x f32[262144]\nbuffer y f32[262144]\n"
    "shared_buffer s f32[16128] at 1024\nmbarrier full[4] at 0\n"
    "tensor_map tx f32(512, 512) over x box (32, 64) swizzle 128B\ntensor_map ty f32(512, 512) over y box (32, 64)\n";
const std::string kInit =
    "if P1: warp == 0 && lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ full[0] init 1\nend\nNANOSLEEP 0x10\nBAR.SYNC "
    "0x0\n";
const std::string kWait =
    "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ full[0] parity 0\n@!P0 BRA again when !live\n";

/// One thread expects `bytes` and issues `code`.
std::string producer(const std::string& bytes, const std::string& code) {
  return kInit + "if P2: warp == 0 && lane == 0\nSYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ full[0] expect " + bytes + "\n" +
         code + "\nend\n";
}
std::string load(const std::string& at) {
  return "UTMALDG.2D [UR8], [UR4] @ s <- tx[" + at + "] signals full[0]";
}

stats::KernelResult run(const std::string& body, const std::vector<arch::Override>& overrides = {},
                        CacheState cache = CacheState::kCold) {
  return test::on_h100(kHead, body, overrides, test::from(cache));
}

std::string failure(const std::string& body) {
  return test::failure_on_h100(kHead, body);
}

}  // namespace

TEST_CASE("a box is fetched line by line past L1, and its bytes end the phase") {
  const auto kernel = run(producer("32*64*4", load("32, 64")) + kWait);
  CHECK(kernel.l1.bypass_sectors == 64 * 4);  // 64 rows of a line
  CHECK(kernel.l1.load_sectors == 0);
  CHECK(kernel.l1.bulk_sectors == 64 * 4);
  CHECK(kernel.l1.global_load_requests == 0);
  CHECK(kernel.l2.read_sectors == 64 * 4);
  CHECK(kernel.sm.shared_write_bytes == 8192);
  CHECK(kernel.sm.shared_wavefronts == 64);
}

TEST_CASE("what lies outside the tensor costs no traffic and counts as bytes that have come") {
  const auto corner = run(producer("32*64*4", load("496, -48")) + kWait);
  CHECK(corner.l2.read_sectors == 16 * 2);  // 16 rows of 16 elements
  const auto outside = run(producer("32*64*4", load("512, 0")) + kWait);
  CHECK(outside.l2.read_sectors == 0);
}

TEST_CASE("more bytes expected than ever arrive are told with what is lacking") {
  CHECK_THAT(failure(producer("32*64*4 + 16", load("0, 0")) + kWait),
             Contains("1 of 1 arrival made, 16 bytes outstanding"));
}

TEST_CASE("the engine sends so many lines a cycle, begins commands at an interval, and waits for answers") {
  const std::string four =
      producer("4*32*64*4", load("0, 0") + "\n" + load("32, 0") + "\n" + load("64, 0") + "\n" + load("96, 0")) + kWait;
  const auto cycles = [&](const std::vector<arch::Override>& overrides) {
    return run(four, overrides, CacheState::kWarm).cycles;
  };
  const std::uint64_t usual = cycles({});
  CHECK(cycles({{"sm.tma.interval", "1000 cycles"}}) > usual + 2500);
  CHECK(cycles({{"sm.tma.outstanding_lines", "8"}}) > 3 * usual);
  CHECK(cycles({{"sm.tma.start_latency", "134 cycles"}}) == usual + 100);
}

TEST_CASE("a full queue of commands stops the load/store unit, and everything still comes") {
  std::string many;
  for (int i = 0; i < 8; ++i) {
    many += load(std::to_string(32 * i) + ", 0") + "\n";
  }
  const auto kernel = run(producer("8*32*64*4", many) + kWait, {{"sm.tma.queue_entries", "1"}});
  CHECK(kernel.l2.read_sectors == 8 * 64 * 4);
}

TEST_CASE("a store writes the box to L2, and its group ends when shared memory has been read") {
  const std::string store = kInit + "if P2: warp == 0 && lane == 0\nUTMASTG.2D [UR8], [UR4] @ ty[0, 0] <- s\n";
  const auto kernel = run(store + "UTMACMDFLUSH\nDEPBAR.LE SB0, 0x0\nFADD R1, R2, R3\nend\n");
  CHECK(kernel.l2.write_sectors == 64 * 4);
  CHECK(kernel.sm.shared_read_bytes == 8192);
  // 34 cycles to begin, and 64 lines that leave through a port of 32 bytes a cycle, 136 bytes each.
  const std::uint64_t reads = waited(kernel, "DEPBAR", stats::Stall::kLongScoreboard);
  CHECK(reads > 64 + 34);
  CHECK(reads < 34 + 64 * 136 / 32 + 30);
}

TEST_CASE("with its write counter a bulk group lasts until L2 has acknowledged it") {
  const auto bits = [](const std::string& line) { return "[B------:R-:W-:-:S04] " + line + "\n"; };
  const std::string store = bits("UTMASTG.2D [UR8], [UR4] @ ty[0, 0] <- s");
  const auto reads =
      run(store + "[B------:R0:W-:-:S04] UTMACMDFLUSH\n" + bits("DEPBAR.LE SB0, 0x0") + "[B------:R-:W-:-:S04] ");
  const auto writes =
      run(store + "[B------:R-:W0:-:S04] UTMACMDFLUSH\n" + bits("DEPBAR.LE SB0, 0x0") + "[B------:R-:W-:-:S04] ");
  CHECK(waited(writes, "DEPBAR", stats::Stall::kLongScoreboard) >
        waited(reads, "DEPBAR", stats::Stall::kLongScoreboard) + 150);
}

TEST_CASE("reductions add at L2, bulk copies move bytes, a prefetch brings a box to L2") {
  const std::string lane0 = kInit + "if P2: warp == 0 && lane == 0\n";
  CHECK(run(lane0 + "UTMAREDG.2D.ADD [UR8], [UR4] @ ty[0, 0] <- s\nend\n").l2.atomic_sectors == 64 * 4);
  CHECK(run(lane0 + "UBLKCP.G.S [UR8], [UR10], UR11 @ y + 64 <- s + 256 bytes 1040\nend\n").l2.write_sectors == 33);
  CHECK(run(lane0 + "UTMAPF.L2.2D [UR8], [UR4] @ tx[0, 0]\nend\n").l2.read_sectors == 64 * 4);
  const auto bulk =
      run(producer("4096", "UBLKCP.S.G [UR8], [UR10], UR11 @ s <- x[64] bytes 4096 signals full[0]") + kWait);
  CHECK(bulk.l2.read_sectors == 128);
}

TEST_CASE("bulk copies share the request port with loads, and both come through") {
  const std::string loads = "else\nloop i = 0..32\nLDG.E.128 R4, [R2.64] @ x[131072 + i*128 + lane*4]\nend\nend\n";
  const std::string body =
      kInit +
      "if P2: warp == 0\n@P3 SYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ full[0] expect 32*64*4 when lane == 0\n"
      "@P3 UTMALDG.2D [UR8], [UR4] @ s <- tx[0, 0] signals full[0] when lane == 0\n" +
      loads;
  const auto kernel = run(body);
  CHECK(kernel.l2.read_sectors == 64 * 4 + 32 * 16);
}

TEST_CASE("a clause that means nothing to its instruction is refused, with those that would") {
  const std::string head = "grid (1)\nblock (32)\nshared dynamic 1024\nbuffer x f32[4096]\nmbarrier b at 1016\n";
  CHECK_THAT(load_failure(head, "LDG.E R4, [R2.64] @ x[lane] expect 128\n"),
             Contains("'expect' means nothing to 'LDG.E'") && Contains("mbarriers and bulk copies have such clauses"));
  CHECK_THAT(load_failure(head, "SYNCS.PHASECHK.TRANS64 P0, [UR4], R2 @ b parity 0 expect 16\n"),
             Contains("'expect' means nothing to 'SYNCS.PHASECHK.TRANS64'") && Contains("it takes 'parity'"));
}

TEST_CASE("a box of more bytes than an mbarrier counts is refused, whatever copies it") {
  const std::string head = "grid (1)\nblock (32)\nbuffer x f32[4194304]\n";
  const std::string prefetch = "UTMAPF.L2.3D [UR8], [UR4] @ t[0, 0, 0]\nEXIT\n";
  CHECK_THAT(load_failure(head + "tensor_map t f32(256, 256, 64) over x box (16, 128, 128)", prefetch),
             Contains("tensor map 't': the box has 1048576 bytes") && Contains("counts up to 1048575"));
  CHECK_NOTHROW(test::program(head + "tensor_map t f32(256, 256, 64) over x box (16, 127, 129)", prefetch));
}

TEST_CASE("tensor maps beyond the limits, and copies that do not fit, are refused") {
  const std::string head =
      "grid (1)\nblock (32)\nshared dynamic 1024\nbuffer x f32[4096]\nshared_buffer s f32[256] at 0\n";
  CHECK_THAT(load_failure(head + "tensor_map t f32(64, 64) over x box (16, 257)", ""),
             Contains("box size 1 of tensor map 't' is 257") || Contains("257"));
  CHECK_THAT(load_failure(head + "tensor_map t f32(64, 64) over x box (5, 4)", ""),
             Contains("a row of the box has 20 bytes") && Contains("multiple of 16"));
  CHECK_THAT(load_failure(head + "tensor_map t f32(64, 64) over x box (32, 4) swizzle 64B", ""),
             Contains("swizzle 64B allows 64"));
  CHECK_THAT(load_failure(head + "tensor_map t f32(64, 65) over x box (32, 4)", ""),
             Contains("'x'") && Contains("16384 bytes"));
  CHECK_THAT(load_failure(head + "tensor_map t f32(62, 64) over x box (32, 4)", ""),
             Contains("stride 1 of tensor map 't' is 248"));
  CHECK_THAT(load_failure(head + "tensor_map t f32(64, 64) over y box (32, 4)", ""), Contains("undefined buffer 'y'"));
  CHECK_THAT(load_failure(head + "mbarrier b at 1020", ""), Contains("ends at byte 1028"));
  CHECK_THAT(load_failure(head + "mbarrier b at 4", ""), Contains("multiple of 8"));
  CHECK_THAT(load_failure(head + "mbarrier b[2] at 8\nmbarrier c at 16", ""), Contains("overlaps mbarrier 'b'"));
  const std::string maps = head + "mbarrier b at 1016\ntensor_map t f32(64, 64) over x box (32, 4)";
  CHECK_THAT(load_failure(maps, "UTMALDG.2D [UR8], [UR4] @ s <- t[0] signals b\n"),
             Contains("takes 2 coordinates, not 1"));
  CHECK_THAT(load_failure(maps, "UTMALDG.2D [UR8], [UR4] @ s <- t[0, 0]\n"), Contains("signals no mbarrier"));
  CHECK_THAT(load_failure(maps, "UTMALDG.2D [UR8], [UR4] @ s <- t[lane, 0] signals b\n"),
             Contains("must be the same for all lanes"));
  CHECK_THAT(load_failure(maps, "UTMALDG.2D.IM2COL [UR8], [UR4] @ s <- t[0, 0] signals b\n"),
             Contains("tensor maps of images (im2col) are not modelled"));
  CHECK_THAT(load_failure(maps, "UTMALDG.2D [UR8], [UR4] @ s in cta (0) <- t[0, 0] signals b\n"),
             Contains("'UTMALDG.2D' takes no 'in cta' here"));
  CHECK_THAT(load_failure(maps, "SYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ b\n"), Contains("needs 'expect NUMBER'"));
  CHECK_THAT(load_failure(maps, "@P0 EXIT when live\n"), Contains("no poll writes its predicate"));
  CHECK_THAT(load_failure(maps, "LDS R4, [R2] @ s[live]\n"), Contains("cannot depend on 'live'"));
  CHECK_THAT(failure(producer("64", "UBLKCP.S.G [UR8], [UR10], UR11 @ s + 64000 <- x bytes 8192 signals full[0]")),
             Contains("is outside the buffer"));
  const trace::Trace trace = test::program(kHead, kInit + "UTMAPF.L2.2D [UR8], [UR4] @ tx[0, 0]\nEXIT");
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("a100"), trace, {}), Contains("UTMAPF.L2.2D does not exist on"));
}

TEST_CASE("warps take the registers that others give back, and wait for them") {
  const std::string takes = "take:\nUSETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0x68\n@!UP0 BRA take when !live\n";
  const std::string gives = "if P2: warp == 0\nNANOSLEEP 0x400\nNOP\nUSETMAXREG.DEALLOC.CTAPOOL 0x18\nelse\n";
  const auto kernel = run(gives + takes + "FADD R1, R2, R3\nend\n");  // 64 - 24 = 40 more: 104
  CHECK(waited(kernel, "@!UP0 BRA", stats::Stall::kShortScoreboard) > 1000);
  CHECK_THAT(failure(gives + "take:\nUSETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0x70\n@!UP0 BRA take when !live\nend\n"),
             Contains("waits for 48 more registers a thread, where the CTA's pool has 40"));
  CHECK_THAT(failure("USETMAXREG.DEALLOC.CTAPOOL 0x48\n"), Contains("in a warp that has 64 registers a thread"));
  CHECK_THAT(load_failure(kHead, "USETMAXREG.DEALLOC.CTAPOOL 0x19\n"), Contains("a multiple of 8 from 24 to 256"));
}

}  // namespace bulk_copy_test
