// SPDX-License-Identifier: MIT
#include "sim/mem/map/address_map.h"

#include <string>

#include "sim/base/hash.h"
#include "sim/base/problem.h"

namespace gpusim::mem::map {
namespace {

/// The three rounds must be rotated independently of each other; any distinct odd constants do.
constexpr std::uint64_t kPartitionSalt = 0x9e3779b97f4a7c15ULL;
constexpr std::uint64_t kSliceSalt = 0xc2b2ae3d27d4eb4fULL;
constexpr std::uint64_t kChannelSalt = 0x165667b19e3779f9ULL;

struct Round {
  std::uint32_t position = 0;
  std::uint64_t number = 0;
};

std::uint32_t rotation(std::uint64_t number, std::uint64_t count, std::uint64_t salt) {
  return scale_to(mix64(number + salt), static_cast<std::uint32_t>(count));
}

/// Deals item `n` to one of `by.divisor()` places: round after round, each rotated.
Round deal(std::uint64_t n, const Divider& by, std::uint64_t salt) {
  const std::uint64_t number = by.quotient(n);
  const auto in_order = static_cast<std::uint32_t>(n - number * by.divisor());
  const auto count = static_cast<std::uint32_t>(by.divisor());
  const std::uint32_t rotated = in_order + rotation(number, count, salt);
  return {rotated < count ? rotated : rotated - count, number};
}

std::uint64_t undeal(const Round& round, const Divider& by, std::uint64_t salt) {
  const std::uint64_t count = by.divisor();
  const std::uint64_t in_order = (round.position + count - rotation(round.number, count, salt)) % count;
  return round.number * count + in_order;
}

void require(bool ok, ProblemList& problems, const std::string& message) {
  if (!ok) {
    problems.add({{}, message, {}});
  }
}

void check(const arch::L2Config& l2, std::uint32_t channels) {
  ProblemList problems;
  const auto divides = [](std::uint64_t by, std::uint64_t n) { return by != 0 && n != 0 && n % by == 0; };
  require(l2.halves == 1 || l2.halves == 2, problems, "l2.halves must be 1 or 2");
  require(divides(l2.halves, l2.partitions), problems, "l2.partitions must be a multiple of l2.halves");
  require(divides(l2.partitions, l2.slices), problems, "l2.slices must be a multiple of l2.partitions");
  require(divides(l2.partitions, channels), problems, "dram.channels must be a multiple of l2.partitions");
  require(divides(kLineBytes, l2.interleave_bytes) && l2.interleave_bytes / kLineBytes < (std::uint64_t{1} << 32),
          problems, "l2.interleave_bytes must be a multiple of 128 bytes, below 512 GiB");
  problems.throw_if_any();
}

}  // namespace

AddressMap::AddressMap(const arch::L2Config& l2, std::uint32_t channels) {
  check(l2, channels);
  halves_ = l2.halves;
  partitions_ = l2.partitions;
  slices_each_ = l2.slices / l2.partitions;
  channels_each_ = channels / l2.partitions;
  by_chunk_ = Divider(l2.interleave_bytes / kLineBytes);
  by_partitions_ = Divider(partitions_);
  by_slices_ = Divider(slices_each_);
  by_channels_ = Divider(channels_each_);
}

AddressMap::Local AddressMap::localise(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  const std::uint64_t chunk = by_chunk_.quotient(line);
  const Round round = deal(chunk, by_partitions_, kPartitionSalt);
  return {round.position, round.number * by_chunk_.divisor() + (line - chunk * by_chunk_.divisor())};
}

Address AddressMap::globalise(const Local& local) const {
  const std::uint64_t number = by_chunk_.quotient(local.line);
  const std::uint64_t chunk = undeal({local.partition, number}, by_partitions_, kPartitionSalt);
  return (chunk * by_chunk_.divisor() + by_chunk_.remainder(local.line)) * kLineBytes;
}

Place AddressMap::locate(Address address) const {
  const Local local = localise(address);
  const Round slice = deal(local.line, by_slices_, kSliceSalt);
  const Round channel = deal(local.line, by_channels_, kChannelSalt);
  return {local.partition, local.partition * slices_each_ + slice.position,
          local.partition * channels_each_ + channel.position, slice.number, channel.number};
}

std::uint32_t AddressMap::home_partition(Address address) const {
  return localise(address).partition;
}

std::uint32_t AddressMap::home_slice(Address address) const {
  const Local local = localise(address);
  return local.partition * slices_each_ + deal(local.line, by_slices_, kSliceSalt).position;
}

std::uint32_t AddressMap::slice_for(Address address, std::uint32_t half) const {
  const std::uint32_t home = home_slice(address);
  return half_of_partition(partition_of_slice(home)) == half ? home : mirror_slice(home);
}

Address AddressMap::address_in_slice(std::uint32_t slice, std::uint64_t slice_line) const {
  const Round round{slice % slices_each_, slice_line};
  return globalise({slice / slices_each_, undeal(round, by_slices_, kSliceSalt)});
}

Address AddressMap::address_in_channel(std::uint32_t channel, std::uint64_t channel_line) const {
  const Round round{channel % channels_each_, channel_line};
  return globalise({channel / channels_each_, undeal(round, by_channels_, kChannelSalt)});
}

}  // namespace gpusim::mem::map
