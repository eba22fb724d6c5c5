// SPDX-License-Identifier: MIT
#include "sim/input/text/tensor_maps.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/address_space.h"

namespace gpusim::frontend {
namespace {

constexpr std::int64_t kMostBoxElements = 256;
constexpr auto kMostBoxBytes = std::uint64_t{trace::kMostMbarrierCount};  ///< bytes of a copy that signals an mbarrier
constexpr std::uint64_t kTensorUnit = 16;  ///< addresses, strides and the rows of a box are multiples of it, in bytes
constexpr std::int64_t kMostStride = 1LL << 40U;  ///< bytes
constexpr std::int64_t kMostElements = std::numeric_limits<std::uint32_t>::max();

struct Swizzle {
  std::string_view name;
  std::uint64_t span;  ///< bytes that a row of the box must not exceed; 0: no limit
};
constexpr std::array<Swizzle, 5> kSwizzles{{{"", 0}, {"none", 0}, {"32B", 32}, {"64B", 64}, {"128B", 128}}};

/// The bytes from the tensor's first element to behind its last, or some more than any buffer has: sizes and strides
/// alone may each be allowed when what they multiply to is not even a number of 64 bits.
std::uint64_t extent(const trace::TensorMap& map) {
  std::uint64_t bytes = map.element_bytes;
  for (std::uint32_t d = 0; d < map.rank; ++d) {
    const auto steps = static_cast<std::uint64_t>(map.size[d] - 1);
    if (steps > kGlobalEnd / map.stride[d]) {
      return kGlobalEnd;
    }
    bytes = std::min(kGlobalEnd, bytes + steps * map.stride[d]);
  }
  return bytes;
}

}  // namespace

void TensorMaps::declare(const TensorMapSyntax& syntax) {
  if (!by_name_.emplace(syntax.name.text, static_cast<std::uint32_t>(maps_.size())).second) {
    reporter_.add(syntax.name.place, "tensor map '" + syntax.name.text + "' was declared before");
    return;
  }
  // A map with a problem still gives its name a meaning.
  read(syntax, maps_.emplace_back());
}

void TensorMaps::read(const TensorMapSyntax& syntax, trace::TensorMap& map) {
  map.name = syntax.name.text;
  const std::string named = "tensor map '" + map.name + "'";
  const std::string* const word = names_.word_of(syntax.type.text);
  map.element_bytes =
      syntax.element_bytes != 0 ? syntax.element_bytes : element_bytes(word == nullptr ? syntax.type.text : *word);
  if (map.element_bytes == 0) {
    reporter_.add(syntax.type.place, "unknown element type '" + syntax.type.text + "'");
    map.element_bytes = 1;
  }
  const std::size_t rank = syntax.sizes.size();
  if (rank > trace::kMostTensorRank || syntax.box.size() != rank ||
      (!syntax.strides.empty() && syntax.strides.size() + 1 != rank)) {
    reporter_.add(syntax.name.place,
                  named + " has " + std::to_string(rank) + " sizes, " + std::to_string(syntax.box.size()) +
                      " box sizes and " + std::to_string(syntax.strides.size()) + " strides",
                  "at most 5 sizes, as many of the box, and one stride less or none");
    return;
  }
  map.rank = static_cast<std::uint32_t>(rank);
  read_sizes(syntax, map);
  check_box(syntax, map);
  place(syntax, map);
}

/// Strides that are not given are those of rows without gaps.
void TensorMaps::read_sizes(const TensorMapSyntax& syntax, trace::TensorMap& map) {
  const std::string named = " of tensor map '" + map.name + "'";
  map.stride[0] = map.element_bytes;
  for (std::size_t d = 0; d < map.rank; ++d) {
    const std::string axis = " " + std::to_string(d) + named;
    map.size[d] = names_.constant_in(syntax.sizes[d], "size" + axis, 1, kMostElements).value_or(1);
    map.box[d] = static_cast<std::uint32_t>(
        names_.constant_in(syntax.box[d], "box size" + axis, 1, kMostBoxElements).value_or(1));
    if (d == 0) {
      continue;
    }
    // What is too large for any buffer stays so.
    const auto elements = static_cast<std::uint64_t>(map.size[d - 1]);
    map.stride[d] = elements > kGlobalEnd / map.stride[d - 1] ? kGlobalEnd : map.stride[d - 1] * elements;
    if (!syntax.strides.empty()) {
      map.stride[d] = static_cast<std::uint64_t>(
          names_.constant_in(syntax.strides[d - 1], "stride" + axis, 1, kMostStride).value_or(1));
    }
    if (map.stride[d] % kTensorUnit != 0) {
      reporter_.add(syntax.name.place, "stride" + axis + " is " + std::to_string(map.stride[d]) + " bytes",
                    "expected a multiple of 16");
    }
  }
}

void TensorMaps::check_box(const TensorMapSyntax& syntax, const trace::TensorMap& map) {
  const std::uint64_t row = std::uint64_t{map.box[0]} * map.element_bytes;
  const std::string told = "tensor map '" + map.name + "': a row of the box has " + std::to_string(row) + " bytes";
  if (row % kTensorUnit != 0) {
    reporter_.add(syntax.name.place, told, "expected a multiple of 16");
  }
  if (map.box_bytes() > kMostBoxBytes) {
    reporter_.add(syntax.name.place,
                  "tensor map '" + map.name + "': the box has " + std::to_string(map.box_bytes()) + " bytes",
                  "an mbarrier counts up to " + std::to_string(kMostBoxBytes));
  }
  const auto swizzle = std::ranges::find(kSwizzles, syntax.swizzle.text, &Swizzle::name);
  if (swizzle->span != 0 && row > swizzle->span) {
    reporter_.add(syntax.swizzle.place, told,
                  "swizzle " + syntax.swizzle.text + " allows " + std::to_string(swizzle->span));
  }
}

void TensorMaps::place(const TensorMapSyntax& syntax, trace::TensorMap& map) {
  const std::string named = "tensor map '" + map.name + "'";
  const trace::Buffer* const found = buffers_.find(syntax.buffer.text);
  const auto offset = syntax.offset == kNoSyntax
                          ? std::optional<std::int64_t>(0)
                          : names_.constant_in(syntax.offset, "the offset of " + named, 0, kMostStride);
  if (found == nullptr) {
    buffers_.report_undefined(syntax.buffer.text, syntax.buffer.place);
    return;
  }
  const trace::Buffer& region = *found;
  const auto begin = static_cast<std::uint64_t>(offset.value_or(0));
  map.base = region.base + begin;
  if (region.space != isa::MemSpace::kGlobal) {
    reporter_.add(syntax.buffer.place, "'" + region.name + "' is in " +
                                           (region.space == isa::MemSpace::kShared ? "shared" : "local") +
                                           " memory: a tensor lies in global memory");
  } else if (region.bytes != 0 && begin + extent(map) > region.bytes) {
    reporter_.add(syntax.name.place,
                  named + " ends at byte " + std::to_string(begin + extent(map)) + " of '" + region.name + "'",
                  "it has " + std::to_string(region.bytes) + " bytes");
  }
  if (map.base % kTensorUnit != 0) {
    reporter_.add(syntax.name.place, named + " begins at byte " + std::to_string(begin), "expected a multiple of 16");
  }
}

bool TensorMaps::add_source(const AccessSyntax& syntax, trace::DraftAsync& async) {
  const auto map = by_name_.find(syntax.buffer);
  if (map == by_name_.end()) {
    return false;
  }
  async.map = map->second;
  const std::uint32_t rank = maps_[map->second].rank;
  const std::size_t given = syntax.is_index ? 1 + syntax.more.size() : 0;
  if (given != rank) {
    reporter_.add(syntax.place,
                  "tensor map '" + syntax.buffer + "' takes " + std::to_string(rank) + " coordinates, not " +
                      std::to_string(given),
                  "innermost first");
    return true;
  }
  async.at[0] = names_.uniform(syntax.expression, "a coordinate");
  for (std::size_t d = 1; d < given; ++d) {
    async.at[d] = names_.uniform(syntax.more[d - 1], "a coordinate");
  }
  return true;
}

void TensorMaps::move_to(trace::Kernel& kernel, trace::ProgramDraft& draft) {
  draft.tensor_maps = maps_;
  kernel.tensor_maps = std::move(maps_);
}

}  // namespace gpusim::frontend
