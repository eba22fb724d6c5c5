// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/check_bits.h"

#include <random>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

#include "tests/machine/mem/dram/command_log.h"
#include "tests/machine/mem/dram/drive.h"
#include "tests/machine/mem/dram/presets.h"

namespace check_bits_test {

using namespace gpusim;
using arch::DramEcc;
using mem::dram::Request;
using test::Bench;
using test::gddr6;

namespace {

arch::DramConfig with_ecc(DramEcc where) {
  arch::DramConfig config = gddr6();
  config.queue_entries = 256;
  config.ecc = where;
  return config;
}

/// Runs requests one after another; returns the counters.
template <class Next>
stats::DramCounters counted(DramEcc where, int requests, Next&& next) {
  Bench bench(with_ecc(where));
  for (int i = 0; i < requests; ++i) {
    bench.run(1000 * i);
    bench.channel.accept(next(i), 1000 * i);
  }
  bench.run(1000 * requests);
  return bench.channel.counters();
}

}  // namespace

TEST_CASE("a stream moves a burst of check bits for every 16 of data, reads and writes alike") {
  for (const bool write : {false, true}) {
    const auto line = [write](int i) { return Request{static_cast<std::uint64_t>(i), 0b1111, write, 0}; };
    const auto counters = counted(DramEcc::kInline, 400, line);
    CHECK((write ? counters.write_bytes : counters.read_bytes) == 400 * 128);
    CHECK(counters.ecc_bytes == 400 * 128 / 16);
    CHECK(counters.activates == counted(DramEcc::kNone, 400, line).activates);
  }
}

TEST_CASE("scattered sectors move as many check bits as data") {
  const auto sector = [](int i) { return Request{static_cast<std::uint64_t>(i) * 9973, 0b0001, false, 0}; };
  const auto counters = counted(DramEcc::kInline, 400, sector);
  CHECK(counters.read_bytes == 400 * 32);
  CHECK(counters.ecc_bytes == 400 * 32);
}

TEST_CASE("check bits that were read are written when their data is") {
  const auto update = [](int i) { return Request{static_cast<std::uint64_t>(i / 2), 0b1111, i % 2 == 1, 0}; };
  CHECK(counted(DramEcc::kInline, 8, update).ecc_bytes == 2 * 32);
}

TEST_CASE("data that needs check bits is there after them") {
  Bench bench(with_ecc(DramEcc::kInline));
  const auto& t = bench.config.timing;
  bench.channel.accept({0, 0b0001, false, 0}, 0);
  bench.run(1000);
  CHECK(bench.arrivals.back().clock == t.RCDRD + t.CCDL + t.CL + t.BL);
}

TEST_CASE("check bits in bits of their own cost nothing") {
  const auto line = [](int i) { return Request{static_cast<std::uint64_t>(i), 0b1111, false, 0}; };
  CHECK(counted(DramEcc::kSideband, 100, line).ecc_bytes == 0);
  CHECK(counted(DramEcc::kNone, 100, line).ecc_bytes == 0);
}

TEST_CASE("a stream with check bits among its data reads a seventeenth less") {
  const auto share = [](DramEcc where) {
    return test::saturate(with_ecc(where), 100000, [](std::uint64_t i) { return Request{i, 0b1111, false, 0}; });
  };
  // saturate() counts data alone.
  CHECK(share(DramEcc::kInline) == Approx(share(DramEcc::kNone) * 16 / 17).epsilon(0.01));
}

}  // namespace check_bits_test
