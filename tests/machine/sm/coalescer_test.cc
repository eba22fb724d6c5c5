// SPDX-License-Identifier: MIT
// Coalescing and bank conflicts by hand, against a set-based reference, and through the caches of patterns.
#include "sim/machine/sm/memory/coalescer.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <catch2/catch.hpp>

namespace coalescer_test {

using namespace gpusim;
using namespace gpusim::sm;

namespace {

using Offsets = std::array<std::int64_t, kWarpLanes>;
constexpr L1DataStage kStage{4, 128};

Offsets strided(std::int64_t bytes) {
  Offsets offsets{};
  for (std::size_t lane = 0; lane < offsets.size(); ++lane) {
    offsets[lane] = static_cast<std::int64_t>(lane) * bytes;
  }
  return offsets;
}

trace::LaneAddresses at(Address base, const Offsets& offsets,
                        std::uint32_t pattern = trace::LaneAddresses::kNoPattern) {
  return {base, offsets.data(), pattern};
}

CoalescedAccess global(Address base, const Offsets& offsets, std::uint8_t bytes, LaneMask mask = kAllLanes) {
  CoalescedAccess shape;
  coalesce(at(base, offsets), mask, {bytes, 0}, kStage, shape);
  return shape;
}

SharedPasses shared(const Offsets& offsets, AccessWidth width, LaneMask mask = kAllLanes) {
  return passes_of(at(0, offsets), mask, width);
}

std::uint32_t sectors_of(const CoalescedAccess& shape) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < shape.line_count; ++i) {
    sum += static_cast<std::uint32_t>(std::popcount(shape.lines[i].sectors));
  }
  return sum;
}

bool all_full(const CoalescedAccess& shape) {
  return std::all_of(shape.lines.begin(), shape.lines.begin() + shape.line_count,
                     [](const LineAccess& line) { return line.full == line.sectors; });
}

/// Addresses of one row each of up to four 8x8 matrices, rows `pitch` bytes apart.
Offsets matrix_rows(std::int64_t pitch) {
  return strided(pitch);
}

/// What an access touches, byte by byte.
struct Reference {
  std::map<Address, std::set<Address>> bytes_of_line;
  std::map<Address, std::set<std::uint32_t>> lanes_of_line;

  Reference(const trace::LaneAddresses& addresses, LaneMask mask, std::uint32_t bytes) {
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      for (std::uint32_t i = 0; (mask >> lane & 1U) != 0 && i < bytes; ++i) {
        const Address byte = addresses.base + static_cast<Address>(addresses.offsets[lane]) + i;
        bytes_of_line[byte / 128].insert(byte % 128);
        lanes_of_line[byte / 128].insert(lane);
      }
    }
  }
  [[nodiscard]] std::uint32_t count(Address line, std::uint32_t sector) const {
    const auto& bytes = bytes_of_line.at(line);
    return static_cast<std::uint32_t>(
        std::count_if(bytes.begin(), bytes.end(), [sector](Address byte) { return byte / 32 == sector; }));
  }
};

/// Passes by definition: per phase, the most distinct words of any bank.
std::uint32_t reference_passes(const trace::LaneAddresses& addresses, LaneMask mask, std::uint32_t bytes) {
  const std::uint32_t phases = std::max(1U, bytes / 4);
  std::uint32_t passes = 0;
  for (std::uint32_t phase = 0; phase < phases; ++phase) {
    std::map<Address, std::set<Address>> words_of_bank;
    for (std::uint32_t lane = phase * 32 / phases; lane < (phase + 1) * 32 / phases; ++lane) {
      for (std::uint32_t i = 0; (mask >> lane & 1U) != 0 && i < bytes; ++i) {
        const Address word = (addresses.base + static_cast<Address>(addresses.offsets[lane]) + i) / 4;
        words_of_bank[word % 32].insert(word);
      }
    }
    std::size_t most = 0;
    for (const auto& [bank, words] : words_of_bank) {
      most = std::max(most, words.size());
    }
    passes += static_cast<std::uint32_t>(most);
  }
  return passes;
}

bool equal(const CoalescedAccess& a, const CoalescedAccess& b) {
  const auto same = [](const LineAccess& x, const LineAccess& y) {
    return x.line == y.line && x.sectors == y.sectors && x.full == y.full && x.lanes == y.lanes &&
           x.passes == y.passes && x.depth == y.depth;
  };
  return a.line_count == b.line_count && a.wavefronts == b.wavefronts && a.bytes == b.bytes &&
         std::equal(a.lines.begin(), a.lines.begin() + a.line_count, b.lines.begin(), same);
}

struct RandomAccess {
  Offsets offsets{};
  LaneMask mask = 0;
  std::uint8_t bytes = 4;
  Address base = 0;
};

RandomAccess random_access(std::mt19937& random) {
  RandomAccess access;
  access.bytes = static_cast<std::uint8_t>(1U << random() % 5);
  const std::int64_t reach = std::int64_t{64} << random() % 8;
  const std::int64_t unit = random() % 4 == 0 ? 1 : access.bytes;
  for (std::int64_t& offset : access.offsets) {
    offset = (static_cast<std::int64_t>(random()) % reach - reach / 4) / unit * unit;
  }
  access.mask = random() % 3 == 0 ? kAllLanes : static_cast<LaneMask>(random());
  access.base = 0x100000 + random() % 4096 / static_cast<Address>(unit) * static_cast<Address>(unit);
  return access;
}

}  // namespace

TEST_CASE("of sectors that a store writes in part it is known how many pairs of bytes it covers") {
  const auto stored = [](std::int64_t stride, std::uint8_t bytes) {
    const Offsets offsets = strided(stride);
    CoalescedAccess shape;
    coalesce(at(0, offsets), kAllLanes, {bytes, 0, DataPath::kWrites}, kStage, shape);
    return shape.lines[0];
  };
  CHECK(stored(32, 4).pairs == 0x2222);
  CHECK(stored(32, 16).pairs == 0x8888);
  CHECK(stored(16, 2).pairs == 0x2222);
  CHECK(stored(2, 1).pairs == 0);  // no byte beside it
  const Offsets apart = strided(32);
  Coalescer coalescer;
  CHECK(coalescer.lines(at(0, apart), kAllLanes, {4, 0, DataPath::kWrites})[0].pairs == 0x2222);
  CHECK(coalescer.lines(at(0, apart, 0), kAllLanes, {4, 0, DataPath::kWrites})[0].pairs == 0x2222);
  const LineAccess whole = stored(4, 4);
  CHECK(whole.full == 0xf);
  CHECK(whole.pairs == 0);
}

TEST_CASE("serial lanes take a pass each on one word, and no more than others on different banks") {
  AccessWidth serial{4, 0};
  serial.serial = true;
  CHECK(shared(strided(0), {4, 0}).wavefronts == 1);
  CHECK(shared(strided(0), serial).wavefronts == 32);
  CHECK(shared(strided(0), serial, 0xff).wavefronts == 8);
  CHECK(shared(strided(4), serial).wavefronts == 1);
  CHECK(shared(strided(8), serial).wavefronts == 2);
}

TEST_CASE("a warp's neighbouring words are one line of four full sectors") {
  const CoalescedAccess shape = global(0x1000, strided(4), 4);
  REQUIRE(shape.line_count == 1);
  CHECK(shape.lines[0].line == 0x1000);
  CHECK(shape.lines[0].sectors == 0xf);
  CHECK(shape.lines[0].full == 0xf);
  CHECK(shape.lines[0].lanes == 32);
  CHECK(shape.wavefronts == 1);
  CHECK(shape.bytes == 128);
}

TEST_CASE("wider neighbouring accesses take two and four lines, and as many passes") {
  const CoalescedAccess two = global(0, strided(8), 8);
  CHECK(two.line_count == 2);
  CHECK(sectors_of(two) == 8);
  CHECK(two.wavefronts == 2);
  CHECK(all_full(two));
  const CoalescedAccess four = global(0, strided(16), 16);
  CHECK(four.line_count == 4);
  CHECK(sectors_of(four) == 16);
  CHECK(four.wavefronts == 4);
  CHECK(four.bytes == 512);
}

TEST_CASE("strided words touch every sector on their way, and none as a whole") {
  const CoalescedAccess two = global(0, strided(8), 4);
  CHECK(two.line_count == 2);
  CHECK(sectors_of(two) == 8);
  CHECK(two.lines[0].full == 0);
  CHECK(global(0, strided(12), 4).line_count == 3);
  const CoalescedAccess apart = global(0, strided(33 * 4), 4);
  CHECK(apart.line_count == 32);
  CHECK(sectors_of(apart) == 32);
}

TEST_CASE("powers of two serialise on banks of data, odd strides on banks of tags") {
  CHECK(global(0, strided(128), 4).wavefronts == 32);
  CHECK(global(0, strided(64), 4).wavefronts == 16);
  CHECK(global(0, strided(33 * 4), 4).wavefronts == 8);
}

TEST_CASE("an access across a line's end belongs to both lines") {
  const CoalescedAccess shape = global(126, strided(0), 4, 1);
  REQUIRE(shape.line_count == 2);
  CHECK(shape.lines[0].line == 0);
  CHECK(shape.lines[0].sectors == 0x8);
  CHECK(shape.lines[1].line == 128);
  CHECK(shape.lines[1].sectors == 0x1);
  CHECK(shape.lines[0].lanes == 1);
  CHECK(shape.lines[1].lanes == 1);
  CHECK(shape.bytes == 4);
  CHECK(global(4, strided(4), 4).line_count == 2);
}

TEST_CASE("only the lanes of the mask take part, and a sector is full when all its bytes are") {
  const CoalescedAccess half = global(0, strided(4), 4, 0x0000ffff);
  CHECK(half.line_count == 1);
  CHECK(half.lines[0].sectors == 0x3);
  CHECK(half.lines[0].full == 0x3);
  CHECK(half.lines[0].lanes == 16);
  const CoalescedAccess hole = global(0, strided(4), 4, 0xffffffef);
  CHECK(hole.lines[0].sectors == 0xf);
  CHECK(hole.lines[0].full == 0xe);
  const CoalescedAccess none = global(0, strided(4), 4, 0);
  CHECK(none.line_count == 0);
  CHECK(none.wavefronts == 0);
  CHECK(none.bytes == 0);
}

TEST_CASE("lanes that read one word share a sector and a pass") {
  const CoalescedAccess shape = global(64, strided(0), 4);
  CHECK(shape.line_count == 1);
  CHECK(shape.lines[0].sectors == 0x4);
  CHECK(shape.lines[0].lanes == 32);
  CHECK(shape.wavefronts == 1);
  CHECK(shared(strided(0), {4, 0}).wavefronts == 1);
}

TEST_CASE("a stride of n words conflicts gcd(n, 32) ways in shared memory") {
  for (std::uint32_t stride = 1; stride <= 64; ++stride) {
    INFO("stride " << stride);
    const SharedPasses shape = shared(strided(4 * std::int64_t{stride}), {4, 0});
    CHECK(shape.wavefronts == std::gcd(stride, 32U));
    CHECK(shape.ideal_wavefronts == 1);
    CHECK(shape.bytes == 128);
  }
}

TEST_CASE("64-bit accesses go through the banks in halves, 128-bit ones in quarters") {
  CHECK(shared(strided(8), {8, 0}).wavefronts == 2);
  CHECK(shared(strided(8), {8, 0}).ideal_wavefronts == 2);
  CHECK(shared(strided(16), {16, 0}).wavefronts == 4);
  CHECK(shared(strided(16), {8, 0}).wavefronts == 4);
  CHECK(shared(strided(0), {16, 0}).wavefronts == 4);
  CHECK(shared(strided(128), {16, 0}).wavefronts == 32);
  // Only the second half takes part: one phase is empty.
  CHECK(shared(strided(8), {8, 0}, 0xffff0000).wavefronts == 1);
}

TEST_CASE("wide loads of pairs of lanes on one address take two phases in one") {
  const AccessWidth load8{.bytes_per_lane = 8, .packs = true};
  const AccessWidth load16{.bytes_per_lane = 16, .packs = true};
  CHECK(shared(strided(0), load8).wavefronts == 1);
  CHECK(shared(strided(0), load16).wavefronts == 2);
  CHECK(shared(strided(0), load16).ideal_wavefronts == 2);
  CHECK(shared(strided(0), load16).unpacked_wavefronts == 4);
  CHECK(shared(strided(0), {4, 0, DataPath::kReads, false, true}).wavefronts == 1);
  Offsets neighbours{};   // lanes 0 and 1, 2 and 3 ...
  Offsets second_next{};  // lanes 0 and 2, 1 and 3 ...
  Offsets halves{};       // lanes 0 and 8, 1 and 9 ...: not packed
  Offsets one_differs{};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    neighbours[lane] = 16 * (lane / 2 % 8);
    second_next[lane] = 16 * (lane % 2 + lane / 4 % 4 * 2);
    halves[lane] = 16 * (lane % 8);
    one_differs[lane] = lane == 31 ? 16 : 0;
  }
  CHECK(shared(neighbours, load16).wavefronts == 2);
  CHECK(shared(second_next, load16).wavefronts == 2);
  CHECK(shared(halves, load16).wavefronts == 4);
  CHECK(shared(one_differs, load16).wavefronts == 4);
  CHECK(shared(one_differs, load16, 0x3fffffff).wavefronts == 2);
  CHECK(shared(neighbours, {16, 0}).wavefronts == 4);
}

TEST_CASE("lanes of a packed load still conflict") {
  Offsets rows{};  // two addresses a half-warp, in the same banks
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    rows[lane] = 256 * (lane / 8 % 2);
  }
  CHECK(shared(rows, {.bytes_per_lane = 16, .packs = true}).wavefronts == 4);
}

TEST_CASE("bytes of one word do not conflict") {
  CHECK(shared(strided(1), {1, 0}).wavefronts == 1);
  CHECK(shared(strided(2), {2, 0}).wavefronts == 1);
  CHECK(shared(strided(1), {1, 0}).ideal_wavefronts == 1);
}

TEST_CASE("matrix loads take a pass a matrix when their rows fall into different banks, eight when into the same") {
  CHECK(shared(matrix_rows(16), {16, 4}).wavefronts == 4);
  CHECK(shared(matrix_rows(144), {16, 4}).wavefronts == 4);
  CHECK(shared(matrix_rows(128), {16, 4}).wavefronts == 32);
  CHECK(shared(matrix_rows(64), {16, 4}).wavefronts == 16);
  CHECK(shared(matrix_rows(128), {4, 1}).wavefronts == 8);
  CHECK(shared(matrix_rows(16), {8, 2}).wavefronts == 2);
  CHECK(shared(matrix_rows(16), {16, 4}).ideal_wavefronts == 4);
  CHECK(shared(matrix_rows(16), {16, 4}).bytes == 512);
}

TEST_CASE("a matrix load none of whose address lanes take part passes through once") {
  CHECK(passes_of(at(0, matrix_rows(16)), 0xffffff00U, {4, 1}).wavefronts == 1);
  CHECK(passes_of(at(0, matrix_rows(16)), 0, {4, 1}).wavefronts == 0);
}

TEST_CASE("lines, sectors, whole sectors, lanes and passes are those of a byte by byte reference") {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const RandomAccess access = random_access(random);
    const auto addresses = at(access.base, access.offsets);
    const CoalescedAccess shape = global(access.base, access.offsets, access.bytes, access.mask);
    const Reference reference(addresses, access.mask, access.bytes);
    REQUIRE(shape.line_count == reference.bytes_of_line.size());
    for (std::uint32_t i = 0; i < shape.line_count; ++i) {
      const LineAccess& line = shape.lines[i];
      const Address number = static_cast<Address>(line.line) / 128;
      REQUIRE(line.line % 128 == 0);
      REQUIRE(reference.bytes_of_line.contains(number));
      REQUIRE(line.lanes == reference.lanes_of_line.at(number).size());
      for (std::uint32_t sector = 0; sector < 4; ++sector) {
        const std::uint32_t bytes = reference.count(number, sector);
        REQUIRE((line.sectors >> sector & 1U) == (bytes > 0 ? 1U : 0U));
        REQUIRE((line.full >> sector & 1U) == (bytes == 32 ? 1U : 0U));
      }
    }
    const std::uint32_t passes = reference_passes(addresses, access.mask, access.bytes);
    REQUIRE(passes_of(addresses, access.mask, {access.bytes, 0}).wavefronts == passes);
    std::array<std::uint32_t, 4> lines{};
    for (const auto& [number, bytes] : reference.bytes_of_line) {
      ++lines[tag_bank(number, 4)];
    }
    REQUIRE(shape.wavefronts == std::max(passes, *std::max_element(lines.begin(), lines.end())));
  }
}

TEST_CASE("the caches of patterns answers as the functions do, for any base, mask and width of a pattern") {
  std::mt19937 random(4);
  std::vector<Offsets> patterns;
  for (int i = 0; i < 20; ++i) {
    patterns.push_back(random_access(random).offsets);
  }
  Coalescer coalescer;
  BankConflictCache bank_conflicts;
  constexpr std::array<LaneMask, 3> masks{kAllLanes, 0x0000ffff, 0x80000001};
  for (int round = 0; round < 20'000; ++round) {
    const auto pattern = static_cast<std::uint32_t>(random() % patterns.size());
    const bool known = random() % 8 != 0;
    const auto addresses =
        at(0x40000 + random() % 4096 * 4, patterns[pattern], known ? pattern : trace::LaneAddresses::kNoPattern);
    const LaneMask mask = masks[random() % masks.size()];
    const AccessWidth width{static_cast<std::uint8_t>(1U << random() % 5), 0,
                            random() % 4 == 0 ? DataPath::kAtomics : DataPath::kReads};
    CoalescedAccess expected;
    CoalescedAccess cached;
    coalesce(addresses, mask, width, kStage, expected);
    coalescer.coalesce(addresses, mask, width, kStage, cached);
    REQUIRE(equal(cached, expected));
    const AccessWidth rows{16, static_cast<std::uint8_t>(random() % 2 == 0 ? 4 : 0)};
    const SharedPasses direct = passes_of(addresses, mask, rows);
    const SharedPasses remembered = bank_conflicts.passes_of(addresses, mask, rows);
    REQUIRE(remembered.wavefronts == direct.wavefronts);
    REQUIRE(remembered.bytes == direct.bytes);
    REQUIRE(remembered.ideal_wavefronts == direct.ideal_wavefronts);
  }
}

}  // namespace coalescer_test
