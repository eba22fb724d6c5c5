// SPDX-License-Identifier: MIT
#include "sim/input/container/command_form.h"

#include <utility>

#include "sim/input/container/columns.h"

namespace gpusim::container {
namespace {

constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostMbarriers = 0xffff;  ///< as messages number them
constexpr auto kMostBoxBytes = std::uint64_t{trace::kMostMbarrierCount};

/// A box from its columns.
trace::TensorMap box_at(const form::Program& in, int number, int first, const std::string& file) {
  constexpr const char* kWhat = "boxes of copies";
  trace::TensorMap box;
  box.rank = in.box_ranks(number);
  box.element_bytes = in.box_element_bytes(number);
  require(box.element_bytes != 0, file, kWhat);
  std::uint64_t bytes = box.element_bytes;
  for (std::uint32_t d = 0; d < box.rank; ++d) {
    const std::uint32_t elements = in.box_sizes(first + static_cast<int>(d));
    require(elements <= kMostBoxBytes && bytes * elements <= kMostBoxBytes, file, kWhat);
    bytes *= elements;
    box.box[d] = elements;
    box.size[d] = elements;
    box.stride[d] = in.box_strides(first + static_cast<int>(d));
  }
  return box;
}

}  // namespace

void encode_mbarriers(std::span<const trace::MbarrierArray> mbarriers, form::Program& out) {
  for (const trace::MbarrierArray& array : mbarriers) {
    append_line(*out.mutable_mbarrier_names(), array.name);
    out.add_mbarrier_offsets(array.offset);
    out.add_mbarrier_counts(array.count);
  }
}

void encode_boxes(std::span<const trace::TensorMap> boxes, form::Program& out) {
  for (const trace::TensorMap& box : boxes) {
    out.add_box_ranks(box.rank);
    out.add_box_element_bytes(box.element_bytes);
    for (std::uint32_t d = 0; d < box.rank; ++d) {
      out.add_box_sizes(box.box[d]);
      out.add_box_strides(box.stride[d]);
    }
  }
}

std::vector<trace::MbarrierArray> decode_mbarriers(const form::Program& in, const std::string& file) {
  constexpr const char* kWhat = "the mbarriers of a kernel";
  std::vector<std::string> names = split_lines(in.mbarrier_names());
  const auto count = static_cast<int>(names.size());
  require(in.mbarrier_offsets_size() == count && in.mbarrier_counts_size() == count, file, kWhat);
  std::vector<trace::MbarrierArray> mbarriers;
  std::uint64_t first = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t size = in.mbarrier_counts(i);
    require(in.mbarrier_offsets(i) <= kMostOffset && size != 0 && size <= kMostMbarriers - first, file, kWhat);
    mbarriers.push_back({std::move(names[static_cast<std::size_t>(i)]), in.mbarrier_offsets(i), size,
                         static_cast<std::uint32_t>(first)});
    first += size;
  }
  return mbarriers;
}

std::vector<trace::TensorMap> decode_boxes(const form::Program& in, const std::string& file) {
  constexpr const char* kWhat = "boxes of copies";
  require(in.box_element_bytes_size() == in.box_ranks_size() && in.box_strides_size() == in.box_sizes_size(), file,
          kWhat);
  std::vector<trace::TensorMap> boxes;
  int first = 0;
  for (int i = 0; i < in.box_ranks_size(); ++i) {
    const std::uint32_t rank = in.box_ranks(i);
    require(rank != 0 && rank <= trace::kMostTensorRank && static_cast<int>(rank) <= in.box_sizes_size() - first, file,
            kWhat);
    boxes.push_back(box_at(in, i, first, file));
    first += static_cast<int>(rank);
  }
  require(first == in.box_sizes_size(), file, kWhat);
  return boxes;
}

}  // namespace gpusim::container
