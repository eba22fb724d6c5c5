// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/box_of_rows.h"

#include <vector>

namespace gpusim::frontend::accelsim {
namespace {

/// How many of the addresses from the first on are `stride` bytes apart.
std::size_t count_of_row(std::span<const Address> addresses, Address stride) {
  std::size_t count = 1;
  while (count < addresses.size() && addresses[count] - addresses[count - 1] == stride) {
    ++count;
  }
  return count;
}

/// The first address of each `count`, if those behind it are `stride` bytes apart; nothing where some are not.
std::optional<std::vector<Address>> heads_of(std::span<const Address> addresses, std::size_t count, Address stride) {
  if (addresses.size() % count != 0) {
    return std::nullopt;
  }
  std::vector<Address> heads;
  for (std::size_t first = 0; first < addresses.size(); first += count) {
    if (count_of_row(addresses.subspan(first, count), stride) != count) {
      return std::nullopt;
    }
    heads.push_back(addresses[first]);
  }
  return heads;
}

}  // namespace

std::optional<trace::TensorMap> box_of_rows(std::span<const Address> addresses, std::uint64_t width) {
  trace::TensorMap box;
  box.stride[0] = 1;
  std::size_t touching = count_of_row(addresses, width);
  std::optional<std::vector<Address>> heads = heads_of(addresses, touching, width);
  if (!heads) {
    // Rows that are cut off differently, or pieces that touch across rows by chance: each is a row.
    touching = 1;
    heads.emplace(addresses.begin(), addresses.end());
  }
  box.box[0] = static_cast<std::uint32_t>(touching * width);
  for (box.rank = 1; heads->size() > 1; ++box.rank) {
    const Address stride = (*heads)[1] - (*heads)[0];
    if (box.rank == trace::kMostTensorRank || static_cast<std::int64_t>(stride) <= 0) {
      return std::nullopt;
    }
    const std::size_t count = count_of_row(*heads, stride);
    box.box[box.rank] = static_cast<std::uint32_t>(count);
    box.stride[box.rank] = stride;
    heads = heads_of(*heads, count, stride);
    if (!heads) {
      return std::nullopt;
    }
  }
  for (std::size_t d = 0; d < box.rank; ++d) {
    box.size[d] = box.box[d];
  }
  return box;
}

}  // namespace gpusim::frontend::accelsim
