// SPDX-License-Identifier: MIT
// Local memory: what spilled registers do to L1, and what of them L2 gets to see.
#include <string>

#include <catch2/catch.hpp>

#include "sim/machine/gpu/conservation.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

#include "tests/system/on_h100.h"

namespace local_memory_test {

using namespace gpusim;
using Catch::Contains;
using test::on_h100;

namespace {

constexpr std::uint64_t kResident = 132 * 2;  ///< CTAs of 1024 threads that the GPU holds

std::string head(std::uint64_t ctas, std::uint64_t threads, std::uint64_t words) {
  return "grid (" + std::to_string(ctas) + ")\nblock (" + std::to_string(threads) + ")\nregisters 32\nlocal " +
         std::to_string(4 * words) + "\nlocal_buffer s f32[" + std::to_string(words) + "] at 0\nbuffer x f32[16777216]";
}

std::string each_word(std::uint64_t words, const std::string& access) {
  return "loop i = 0.." + std::to_string(words) + "\n" + access + " @ s[i]\nend\n";
}

const std::string kStore = "STL [R1], R4";
const std::string kLoad = "LDL R4, [R1]";

/// Loads more than an L1 holds, so that what was in it has to leave.
std::string flood() {
  return "loop j = 0..96\nLDG.E.128 R8, [R2.64] @ x[(j*1024 + tid)*4]\nFADD R5, R5, R8\nend\n";
}

void check_sums(const stats::KernelResult& kernel) {
  CHECK(gpu::conservation_problem(kernel, test::shipped("h100")) == "");
}

}  // namespace

TEST_CASE("a word that a warp spills is one line of four sectors") {
  const auto kernel = on_h100(head(1, 32, 4), kStore + " @ s[1]\n" + kLoad + " @ s[1]\nFADD R5, R5, R4\n");
  CHECK(kernel.local.store_requests == 1);
  CHECK(kernel.local.store_sectors == 4);
  CHECK(kernel.local.load_requests == 1);
  CHECK(kernel.local.load_sectors == 4);
  CHECK(kernel.l1.wavefronts == 2);
  check_sums(kernel);
}

TEST_CASE("a wide spill is one line per word, and lanes with different words have a line each") {
  const auto wide = on_h100(head(1, 32, 4), "STL.128 [R1], R4 @ s[0]\n");
  CHECK(wide.local.store_sectors == 16);
  CHECK(wide.l1.wavefronts == 4);
  const auto scattered = on_h100(head(1, 32, 32), "STL [R1], R4 @ s[lane]\n");
  CHECK(scattered.local.store_sectors == 32);
  const auto widest = on_h100(head(1, 32, 128), "STL.128 [R1], R4 @ s[4*lane]\n");
  CHECK(widest.local.store_sectors == 128);
  check_sums(widest);
}

TEST_CASE("bytes and halves of a word share its line") {
  const auto kernel = on_h100(head(1, 32, 1), "STL.U8 [R1], R4 @ s + 1\nSTL.U16 [R1], R4 @ s + 2\n");
  CHECK(kernel.local.store_sectors == 8);
  CHECK(kernel.local.store_hits == 4);
}

TEST_CASE("what is spilled and fetched again stays in L1: L2 sees none of it") {
  const auto kernel = on_h100(head(kResident, 1024, 16), each_word(16, kStore) + each_word(16, kLoad));
  CHECK(kernel.local.load_hits == kernel.local.load_sectors);
  CHECK(kernel.l2.read_sectors == 0);
  CHECK(kernel.l2.write_sectors == 0);
  CHECK(kernel.local.dropped_sectors == kResident * 32 * 16 * 4);
  check_sums(kernel);
}

TEST_CASE("a spill that nobody has written comes from below") {
  const auto kernel = on_h100(head(1, 32, 1), kLoad + " @ s[0]\nFADD R5, R5, R4\n");
  CHECK(kernel.local.load_hits == 0);
  CHECK(kernel.local.fill_sectors == 4);
  CHECK(kernel.dram.read_bytes == 128);
}

TEST_CASE("spills beyond the size of L1 are written back to L2 and fetched from there") {
  const auto kernel = on_h100(head(1, 1024, 128), each_word(128, kStore) + each_word(128, kLoad));
  CHECK(kernel.local.written_back_sectors > 0);
  CHECK(kernel.local.fill_sectors > 0);
  CHECK(kernel.l1.store_sectors == 0);
  CHECK(kernel.l2.write_sectors == kernel.local.written_back_sectors);
  CHECK(kernel.l2.read_sectors == kernel.local.fill_sectors);
  CHECK(kernel.dram.read_bytes == 0);
  check_sums(kernel);
}

TEST_CASE("a line of which few lanes were spilled is written back in part") {
  // 12 lanes are one and a half sectors: L2 has to fetch the rest of the second one when all of it is read.
  const std::string few = "@P0 STL [R1], R4 @ s[0] when lane < 12\n";
  const auto kernel =
      on_h100(head(1, 1024, 1), few + "BAR.SYNC 0x0\n" + flood() + kLoad + " @ s[0]\nFADD R5, R5, R4\n");
  CHECK(kernel.local.written_back_sectors == 32 * 2);
  CHECK(kernel.local.fill_sectors == 32 * 4);
  CHECK(kernel.l2.write_sectors == 32 * 2);
  check_sums(kernel);
}

TEST_CASE("the next CTA gets the local memory of the one before it, and finds it in L1") {
  const auto kernel = on_h100(head(3 * kResident, 1024, 8), each_word(8, kStore) + each_word(8, kLoad));
  CHECK(kernel.local.store_hits * 3 == kernel.local.store_sectors * 2);
  CHECK(kernel.l2.write_sectors == 0);
  check_sums(kernel);
}

TEST_CASE("what a warp left behind when it exited is not written back") {
  // There are two rounds of CTAs: the first spills, and the second makes all lines leave.
  const std::string first = std::to_string(kResident);
  const std::string spills = "@P0 STL [R1], R4 @ s[i] when ctaid.x < " + first + "\n";
  const std::string body = "loop i = 0..8\n" + spills + "end\n";
  const std::string floods = "if P1: ctaid.x >= " + first + "\n" + flood() + "end\n";
  const auto kernel = on_h100(head(2 * kResident, 1024, 8), body + floods);
  CHECK(kernel.local.dirtied_sectors == kResident * 32 * 8 * 4);
  CHECK(kernel.local.dropped_sectors == kernel.local.dirtied_sectors);
  CHECK(kernel.l2.write_sectors == 0);
  const auto own = on_h100(head(1, 1024, 8), each_word(8, kStore) + "BAR.SYNC 0x0\n" + flood());
  CHECK(own.local.written_back_sectors == own.local.dirtied_sectors);
}

TEST_CASE("what was read for the last time need not be written back") {
  const auto ends = [](const std::string& load) {
    return on_h100(head(1, 1024, 8), each_word(8, kStore) + each_word(8, load) + "BAR.SYNC 0x0\n" + flood());
  };
  CHECK(ends("LDL R4, [R1]").local.written_back_sectors == 32 * 8 * 4);
  CHECK(ends("LDL.LU R4, [R1]").local.written_back_sectors == 0);
}

TEST_CASE("whoever waits for a spill waits in long_scoreboard, and the report says what spills cost") {
  const auto kernel =
      on_h100(head(1, 32, 8), each_word(8, kStore) + "loop i = 0..8\n" + kLoad + " @ s[i]\nFADD R5, R5, R4\nend\n");
  CHECK(test::waited(kernel, "FADD", stats::Stall::kLongScoreboard) > 8 * 20);
  gpu::SimulateOptions options = test::from(CacheState::kCold);
  const auto result =
      gpu::simulate(test::shipped("h100"),
                    test::program(head(1, 32, 8), each_word(8, kStore) + each_word(8, kLoad) + "EXIT"), options);
  const std::string text = report::to_text(result, {});
  CHECK_THAT(text, Contains("local memory, 32 B a thread: 8 loads (100.0 % of their sectors hit L1), 8 stores"));
  CHECK_THAT(text, Contains("goes into local memory (LDL,"));
}

TEST_CASE("local memory is the same whatever the threads") {
  const auto trace = test::program(head(300, 256, 64), each_word(64, kStore) + flood() + each_word(64, kLoad) + "EXIT");
  gpu::SimulateOptions options = test::from(CacheState::kWarm);
  const auto arch = test::shipped("h100");
  const auto one = gpu::simulate(arch, trace, options).kernels.at(0);
  options.threads = 3;
  const auto three = gpu::simulate(arch, trace, options).kernels.at(0);
  CHECK(one.cycles == three.cycles);
  CHECK(one.local.written_back_sectors == three.local.written_back_sectors);
  CHECK(one.local.fill_sectors == three.local.fill_sectors);
}

TEST_CASE("an access beyond a thread's local memory is refused, as is one to another kind of memory") {
  CHECK_THAT(test::failure_on_h100(head(1, 32, 4), "STL [R1], R4 @ s[lane]\n"), Contains("'s' has 16 bytes"));
  CHECK_THAT(test::load_failure(head(1, 32, 4), "STL [R1], R4 @ x[0]\n"),
             Contains("'x' is in global memory, the access is to local memory"));
  CHECK_THAT(test::load_failure(head(1, 32, 4), "STG.E [R2.64], R4 @ s[0]\n"),
             Contains("'s' is in local memory, the access is to global memory"));
  CHECK_THAT(
      test::load_failure("grid (1)\nblock (32)\nlocal_buffer s f32[4] at 0", "STL [R1], R4 @ s[0]\n"),
      Contains("local buffer 's' ends at byte 16 of a thread's local memory") && Contains("'local' gives 0 bytes"));
  CHECK_THAT(test::load_failure("grid (1)\nblock (32)\nlocal 524289", ""), Contains("524288"));
  CHECK_THAT(test::load_failure("grid (1)\nblock (32)\nlocal 4\nlocal 4", ""), Contains("'local' was given before"));
}

}  // namespace local_memory_test
