// SPDX-License-Identifier: MIT
#include "sim/machine/mem/map/address_map.h"

#include <bit>
#include <cassert>

#include "sim/base/divider.h"
#include "sim/model/arch/arch.h"

namespace gpusim::mem::map {

/// The counts are those of an architecture that was checked when it was read (sim/model/arch/validate.cc).
AddressMap::AddressMap(const arch::L2Config& l2, std::uint32_t channels) {
  assert(l2.halves == 1 || l2.halves == 2);
  assert(l2.partitions != 0 && l2.partitions % l2.halves == 0);
  assert(l2.slices != 0 && l2.slices % l2.partitions == 0);
  assert(channels != 0 && channels % l2.partitions == 0);
  assert(l2.interleave_bytes != 0 && l2.interleave_bytes % kLineBytes == 0);
  assert(std::has_single_bit(l2.slice_share_bytes) && l2.slice_share_bytes % kLineBytes == 0);
  assert(l2.interleave_bytes % l2.slice_share_bytes == 0);
  halves_ = l2.halves;
  partitions_ = l2.partitions;
  slices_each_ = l2.slices / l2.partitions;
  channels_each_ = channels / l2.partitions;
  const std::uint64_t chunk_lines = l2.interleave_bytes / kLineBytes;
  by_chunk_ = Divider(chunk_lines);
  chunk_bits_ = static_cast<unsigned>(std::countr_zero(chunk_lines));
  to_partition_ = Interleaver(partitions_, Interleaver::kMostBits);
  share_ = SliceShare(l2.slice_share_bytes / kLineBytes);
  to_slice_ = Interleaver(slices_each_, chunk_bits_ - share_.line_bits());
  to_channel_ = Interleaver(channels_each_, chunk_bits_);
  const std::uint64_t free_bits = ((to_partition_.free_bits() + 1) << chunk_bits_) - 1;
  is_chunk_hashed_ = std::has_single_bit(chunk_lines) && free_bits <= PlaceHash::kMostFree;
  hash_ = PlaceHash(is_chunk_hashed_ ? free_bits : 0, share_.lines_of(to_slice_.free_bits()), to_channel_.free_bits());
}

std::uint64_t AddressMap::globalise(const Local& local) const {
  const std::uint64_t number = by_chunk_.quotient(local.line);
  const std::uint64_t chunk = to_partition_.item_of(
      {local.partition, number}, [this](std::uint64_t hashed) { return LineHash(hashed << chunk_bits_).partition(); });
  return chunk * by_chunk_.divisor() + by_chunk_.remainder(local.line);
}

Place AddressMap::locate(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  const LineHash hash = hash_.of(line);
  const Local local = localise(line, hash);
  const Round slice = slice_in(local, hash);
  const Round channel = channel_in(local, hash);
  return {local.partition, local.partition * slices_each_ + slice.place,
          local.partition * channels_each_ + channel.place, slice.number, channel.number};
}

std::uint32_t AddressMap::home_partition(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  return localise(line, hash_.of(line)).partition;
}

std::uint32_t AddressMap::home_slice(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  const LineHash hash = hash_.of(line);
  const Local local = localise(line, hash);
  return local.partition * slices_each_ + slice_in(local, hash).place;
}

ChannelLine AddressMap::channel_line(Address address) const {
  const std::uint64_t line = address / kLineBytes;
  const LineHash hash = hash_.of(line);
  const Local local = localise(line, hash);
  const Round channel = channel_in(local, hash);
  return {local.partition * channels_each_ + channel.place, channel.number};
}

Address AddressMap::address_in_slice(std::uint32_t slice, std::uint64_t slice_line) const {
  const std::uint32_t partition = slice / slices_each_;
  const std::uint64_t share =
      to_slice_.item_of({slice % slices_each_, share_.share_number(slice_line)}, [&](std::uint64_t hashed) {
        return LineHash(globalise({partition, share_.first_line(hashed)})).slice();
      });
  return globalise({partition, share_.line_of(share, slice_line)}) * kLineBytes;
}

Address AddressMap::address_in_channel(std::uint32_t channel, std::uint64_t channel_line) const {
  const std::uint32_t partition = channel / channels_each_;
  const std::uint64_t local = to_channel_.item_of({channel % channels_each_, channel_line}, [&](std::uint64_t hashed) {
    return LineHash(globalise({partition, hashed})).channel();
  });
  return globalise({partition, local}) * kLineBytes;
}

}  // namespace gpusim::mem::map
