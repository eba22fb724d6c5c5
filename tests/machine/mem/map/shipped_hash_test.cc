// SPDX-License-Identifier: MIT
// How evenly the maps of the shipped GPUs spread what kernels touch over slices, channels and banks: strides of 2^k,
// 2^k + 1 and 3 x 2^k bytes, tiles of matrices, random lines.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/mem/dram/address_map.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/files.h"
#include "sim/model/arch/loader.h"

namespace shipped_hash_test {

using gpusim::Address;
using gpusim::kLineBytes;
using gpusim::mem::map::AddressMap;
using gpusim::mem::map::Place;

namespace {

constexpr std::uint32_t kManyLines = 16'384;  ///< from here on the worst place is held to the mean
constexpr double kAllowed = 1.25;

/// The most that a place has, times the mean.
double worst_of(const std::vector<std::uint32_t>& counts, std::uint32_t lines) {
  return *std::ranges::max_element(counts) * static_cast<double>(counts.size()) / lines;
}

/// The same of a hash that is nothing but chance: the mean of some throws of the dice.
double worst_of_chance(std::uint32_t places, std::uint32_t lines) {
  constexpr int kThrows = 32;
  static std::map<std::pair<std::uint32_t, std::uint32_t>, double> known;
  const auto [found, is_new] = known.try_emplace({places, lines}, 0);
  if (is_new) {
    std::mt19937_64 random(1);
    for (int i = 0; i < kThrows; ++i) {
      std::vector<std::uint32_t> counts(places);
      for (std::uint32_t line = 0; line < lines; ++line) {
        ++counts[random() % places];
      }
      found->second += worst_of(counts, lines) / kThrows;
    }
  }
  return found->second;
}

/// The most that a place may have, times the mean.
double allowed(std::uint32_t places, std::uint32_t lines) {
  return lines < kManyLines ? kAllowed * worst_of_chance(places, lines) : kAllowed;
}

/// A shipped GPU, with what its addresses go to.
struct ShippedGpu {
  explicit ShippedGpu(const gpusim::arch::Arch& arch)
      : map(arch.l2, arch.dram.channels),
        banks(arch.dram),
        slices(arch.l2.slices),
        channels(arch.dram.channels),
        banks_each(arch.dram.bank_groups * arch.dram.banks_per_group),
        bursts_a_line(kLineBytes / arch.dram.burst_bytes) {}
  AddressMap map;
  gpusim::mem::dram::AddressMap banks;
  std::uint32_t slices;
  std::uint32_t channels;
  std::uint32_t banks_each;  ///< banks of a channel
  std::uint32_t bursts_a_line;
};

/// What each slice, channel and bank has of some lines.
struct Counts {
  explicit Counts(const ShippedGpu& gpu)
      : slices(gpu.slices), channels(gpu.channels), banks(std::size_t{gpu.channels} * gpu.banks_each) {}
  void add(const ShippedGpu& gpu, Address address) {
    const Place place = gpu.map.locate(address);
    ++slices[place.slice];
    ++channels[place.channel];
    ++banks[place.channel * gpu.banks_each + gpu.banks.place(place.channel_line * gpu.bursts_a_line).bank];
    ++lines;
  }
  /// Parts of what is allowed: above 1 it is too much.
  [[nodiscard]] double worst_slice() const { return excess(slices); }
  [[nodiscard]] double worst_channel() const { return excess(channels); }
  [[nodiscard]] double worst_bank() const {
    return worst_of(banks, lines) / (kAllowed * worst_of_chance(static_cast<std::uint32_t>(banks.size()), lines));
  }

  std::vector<std::uint32_t> slices;
  std::vector<std::uint32_t> channels;
  std::vector<std::uint32_t> banks;
  std::uint32_t lines = 0;

 private:
  [[nodiscard]] double excess(const std::vector<std::uint32_t>& counts) const {
    return worst_of(counts, lines) / allowed(static_cast<std::uint32_t>(counts.size()), lines);
  }
};

/// So many lines of a stride from `first` on, each once.
Counts strided(const ShippedGpu& gpu, Address first, std::uint64_t stride, std::uint32_t lines) {
  Counts counts(gpu);
  Address last = ~Address{0};
  for (Address address = first; counts.lines < lines; address += stride) {
    if (address / kLineBytes != last) {
      last = address / kLineBytes;
      counts.add(gpu, address);
    }
  }
  return counts;
}

/// A tile of a matrix whose rows lie `pitch` bytes apart.
Counts tile(const ShippedGpu& gpu, std::uint64_t pitch, std::uint32_t rows, std::uint32_t lines_of_row) {
  Counts counts(gpu);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t line = 0; line < lines_of_row; ++line) {
      counts.add(gpu, row * pitch + std::uint64_t{line} * kLineBytes);
    }
  }
  return counts;
}

std::vector<std::uint64_t> usual_strides() {
  std::vector<std::uint64_t> strides;
  for (std::uint32_t k = 5; k <= 34; ++k) {
    strides.insert(strides.end(), {1ULL << k, (1ULL << k) + 1, 3ULL << k});
  }
  return strides;
}

/// Each kind of GPU once: most share their counts with another.
template <class Look>
void for_each_shipped(Look&& look) {
  const std::vector<std::filesystem::path> folders{std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs"};
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t>> seen;
  for (const gpusim::arch::ArchFile& file : gpusim::arch::list_archs(folders)) {
    const gpusim::arch::Arch arch = gpusim::arch::load_arch(file.file, {});
    const ShippedGpu gpu(arch);
    if (seen.insert({arch.l2.partitions, gpu.slices, gpu.channels, arch.l2.interleave_bytes, gpu.banks_each}).second) {
      INFO(file.name);
      look(file.name, gpu);
    }
  }
}

}  // namespace

// The bound is met but for two strides, where chance alone has 1.29 times the mean on the worst of 176 places at 16,384
// lines and 1.36 on that of 240.
TEST_CASE("strides of 2^k, 2^k + 1 and 3 x 2^k bytes favour no slice and no channel, but for those known by GPU",
          "[.slow]") {
  struct Missed {
    int slices = 0;
    int channels = 0;
  };
  static const std::map<std::pair<std::string, std::uint32_t>, Missed> kKnown{
      {{"h100", kManyLines}, {2, 1}},      {{"h100-pcie", kManyLines}, {2, 1}}, {{"b200", kManyLines}, {1, 0}},
      {{"gtx1660ti", kManyLines}, {1, 0}}, {{"gtx1660ti", 256}, {2, 1}},        {{"rtx2080ti", 256}, {0, 1}}};
  for_each_shipped([](const std::string& name, const ShippedGpu& gpu) {
    for (const std::uint32_t lines : {256U, 1024U, 4096U, kManyLines, 65'536U}) {
      INFO(lines << " lines");
      Missed missed;
      for (const std::uint64_t stride : usual_strides()) {
        const Counts counts = strided(gpu, 0, stride, lines);
        missed.slices += counts.worst_slice() > 1 ? 1 : 0;
        missed.channels += counts.worst_channel() > 1 ? 1 : 0;
        CAPTURE(stride);
        CHECK(counts.worst_slice() <= 1.15);
        CHECK(counts.worst_channel() <= 1.15);
      }
      const auto known = kKnown.find({name, lines});
      CHECK(missed.slices <= (known == kKnown.end() ? 0 : known->second.slices));
      CHECK(missed.channels <= (known == kKnown.end() ? 0 : known->second.channels));
    }
  });
}

TEST_CASE("wherever an array begins, nine of ten usual strides are within what is allowed, five of six on B200",
          "[.slow]") {
  for_each_shipped([](const std::string& name, const ShippedGpu& gpu) {
    int beyond = 0;
    int all = 0;
    for (const std::uint64_t stride : usual_strides()) {
      for (const std::uint64_t first : {5ULL << 13, 0x7f12'3456'7900ULL, 0x1'0000'0080ULL}) {
        const Counts counts = strided(gpu, first, stride, kManyLines);
        const double worst = std::max(counts.worst_slice(), counts.worst_channel());
        beyond += worst > 1 ? 1 : 0;
        ++all;
        CAPTURE(stride, first);
        CHECK(worst <= 1.3);  // as chance has it, or less
      }
    }
    CHECK((name == "b200" ? 6 : 10) * beyond <= all);
  });
}

// A tile of 32 rows of 4 KiB has 32 chunks, each of which goes to one partition as a whole: 43 of 130 such tiles are
// beyond what single lines are allowed when the rounds are turned by chance, 30 so.
TEST_CASE("large tiles of matrices with rows of 2^k bytes spread as strides do, and small ones as well as chunks can") {
  for_each_shipped([](const std::string&, const ShippedGpu& gpu) {
    for (std::uint32_t k = 12; k <= 24; ++k) {
      for (const auto& [rows, lines, most] :
           {std::tuple{4096U, 4U, 1.1}, {128U, 128U, 1.3}, {64U, 4U, 1.5}, {32U, 32U, 2.4}}) {
        const Counts counts = tile(gpu, std::max<std::uint64_t>(1ULL << k, lines * kLineBytes), rows, lines);
        CAPTURE(k, rows, lines);
        CHECK(counts.worst_slice() <= most);
        CHECK(counts.worst_channel() <= most);
      }
    }
  });
}

TEST_CASE("no usual stride favours a bank of DRAM more than chance does", "[.slow]") {
  for_each_shipped([](const std::string&, const ShippedGpu& gpu) {
    for (const std::uint64_t stride : usual_strides()) {
      CAPTURE(stride);
      CHECK(strided(gpu, 0, stride, 65'536).worst_bank() <= 1);
    }
  });
}

TEST_CASE("a stride without a pattern spreads as chance has it, or not much worse") {
  for_each_shipped([](const std::string&, const ShippedGpu& gpu) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t stride = kLineBytes + (random() >> (24 + random() % 30));
      const Counts counts = strided(gpu, 0, stride, kManyLines);
      CAPTURE(stride);
      CHECK(worst_of(counts.slices, kManyLines) <= 1.25 * worst_of_chance(gpu.slices, kManyLines));
      CHECK(worst_of(counts.channels, kManyLines) <= 1.25 * worst_of_chance(gpu.channels, kManyLines));
    }
  });
}

TEST_CASE("random lines spread over slices, channels and banks as chance has it") {
  for_each_shipped([](const std::string&, const ShippedGpu& gpu) {
    std::mt19937_64 random(2);
    Counts counts(gpu);
    for (int i = 0; i < 65'536; ++i) {
      counts.add(gpu, random() >> 20);
    }
    for (const std::vector<std::uint32_t>* one : {&counts.slices, &counts.channels, &counts.banks}) {
      CHECK(worst_of(*one, counts.lines) <=
            1.1 * worst_of_chance(static_cast<std::uint32_t>(one->size()), counts.lines));
    }
  });
}

}  // namespace shipped_hash_test
