// SPDX-License-Identifier: MIT
// A real trace, captured with NVBit on an Ampere GPU. It is not part of the repository: without it, only a notice.
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/machine/lower/control_bits.h"
#include "sim/model/isa/decode.h"

#include "tests/input/accelsim/folder.h"

namespace capture_test {

using namespace gpusim;

namespace {

const std::filesystem::path kCapture =
    std::filesystem::path(GPUSIM_SOURCE_DIR) / ".." / "shared" / "traces" / "nvbit-vectoradd";

bool is_missing() {
  if (std::filesystem::exists(kCapture / "kernelslist.g")) {
    return false;
  }
  std::cerr << "skipped: the NVBit capture is not at " << kCapture.lexically_normal().string() << "\n";
  return true;
}

/// Instructions a warp, straight from the text, whose grid has one dimension: (CTA, warp) -> insts.
std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> counts_in_file() {
  std::ifstream in(kCapture / "kernel-1.traceg");
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> counts;
  std::uint64_t cta = 0;
  std::uint32_t warp = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("thread block = ", 0) == 0) {
      cta = std::stoull(line.substr(15));
    } else if (line.rfind("warp = ", 0) == 0) {
      warp = static_cast<std::uint32_t>(std::stoul(line.substr(7)));
    } else if (line.rfind("insts = ", 0) == 0) {
      counts[{cta, warp}] = std::stoull(line.substr(8));
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("the real capture has the instructions of its file, warp by warp") {
  if (is_missing()) {
    return;
  }
  const trace::Trace trace = frontend::accelsim::load_accelsim(kCapture / "kernelslist.g");
  REQUIRE(trace.kernels.size() == 1);
  CHECK(trace.warnings.empty());
  const trace::Kernel& kernel = trace.kernels[0];
  CHECK(kernel.grid == Dim3{196, 1, 1});
  CHECK(kernel.code.size() == 17);
  const auto counts = counts_in_file();
  REQUIRE(counts.size() == 196 * 8);
  for (const auto& [place, count] : counts) {
    REQUIRE(test::steps_of(kernel, trace::cta_at(place.first, kernel.grid), place.second).size() == count);
  }
}

TEST_CASE("the real capture's dependences come out as an assembler would write them") {
  if (is_missing()) {
    return;
  }
  const trace::Kernel kernel = frontend::accelsim::load_accelsim(kCapture / "kernel-1.traceg").kernels[0];
  isa::TimingTable timing{};
  for (isa::Timing& t : timing) {
    t.latency = 4;
  }
  const auto bits = lower::assign_control_bits(kernel, timing);
  // S2R and S2R feed the IMAD; the ISETP guards the EXIT; both LDG feed the FADD.
  CHECK(bits[3].wait_mask == ((1U << bits[1].write_barrier) | (1U << bits[2].write_barrier)));
  CHECK(kernel.code[5].guarded);
  CHECK(bits[4].stall == 4);
  CHECK(bits[13].wait_mask == ((1U << bits[10].write_barrier) | (1U << bits[11].write_barrier)));
  CHECK(bits[15].wait_mask == 0);
  CHECK(bits[16].wait_mask == 0);
}

}  // namespace capture_test
