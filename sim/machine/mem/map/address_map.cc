// SPDX-License-Identifier: MIT
#include "sim/machine/mem/map/address_map.h"

#include <bit>
#include <string>

#include "sim/base/problem.h"

namespace gpusim::mem::map {
namespace {

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
  const std::uint64_t chunk_lines = l2.interleave_bytes / kLineBytes;
  by_chunk_ = Divider(chunk_lines);
  chunk_bits_ = static_cast<unsigned>(std::countr_zero(chunk_lines));
  to_partition_ = Dealer(partitions_, Dealer::kMostBits);
  to_slice_ = Dealer(slices_each_, chunk_bits_);
  to_channel_ = Dealer(channels_each_, chunk_bits_);
}

AddressMap::Local AddressMap::localise(std::uint64_t line, const LineHash& hash) const {
  const std::uint64_t chunk = by_chunk_.quotient(line);
  const std::uint64_t hashed = to_partition_.hashed(chunk) << chunk_bits_;
  const Round round = to_partition_.deal(chunk, hash.toggled(line ^ hashed).partition());
  return {round.place, round.number * by_chunk_.divisor() + (line - chunk * by_chunk_.divisor())};
}

std::uint64_t AddressMap::globalise(const Local& local) const {
  const std::uint64_t number = by_chunk_.quotient(local.line);
  const std::uint64_t chunk = to_partition_.undeal(
      {local.partition, number}, [this](std::uint64_t hashed) { return LineHash(hashed << chunk_bits_).partition(); });
  return chunk * by_chunk_.divisor() + by_chunk_.remainder(local.line);
}

Round AddressMap::deal_to_slice(std::uint64_t line, const LineHash& hash, const Local& local) const {
  return to_slice_.deal(local.line, hash.toggled(line ^ to_slice_.hashed(line)).slice());
}

Place AddressMap::locate(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  const LineHash hash(line);
  const Local local = localise(line, hash);
  const Round slice = deal_to_slice(line, hash, local);
  const Round channel = to_channel_.deal(local.line, hash.toggled(line ^ to_channel_.hashed(line)).channel());
  return {local.partition, local.partition * slices_each_ + slice.place,
          local.partition * channels_each_ + channel.place, slice.number, channel.number};
}

std::uint32_t AddressMap::home_partition(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  return localise(line, LineHash(line)).partition;
}

std::uint32_t AddressMap::home_slice(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  const LineHash hash(line);
  const Local local = localise(line, hash);
  return local.partition * slices_each_ + deal_to_slice(line, hash, local).place;
}

std::uint32_t AddressMap::slice_for(Address address, std::uint32_t half) const {
  const std::uint32_t home = home_slice(address);
  return half_of_partition(partition_of_slice(home)) == half ? home : mirror_slice(home);
}

Address AddressMap::address_in_slice(std::uint32_t slice, std::uint64_t slice_line) const {
  const std::uint32_t partition = slice / slices_each_;
  const std::uint64_t local = to_slice_.undeal({slice % slices_each_, slice_line}, [&](std::uint64_t hashed) {
    return LineHash(globalise({partition, hashed})).slice();
  });
  return globalise({partition, local}) * kLineBytes;
}

Address AddressMap::address_in_channel(std::uint32_t channel, std::uint64_t channel_line) const {
  const std::uint32_t partition = channel / channels_each_;
  const std::uint64_t local = to_channel_.undeal({channel % channels_each_, channel_line}, [&](std::uint64_t hashed) {
    return LineHash(globalise({partition, hashed})).channel();
  });
  return globalise({partition, local}) * kLineBytes;
}

}  // namespace gpusim::mem::map
