// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/paged_index.h"

#include <algorithm>
#include <string>

#include "sim/base/text.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::uint64_t kCtaBytes = 44;
constexpr std::uint64_t kPayloadHeadBytes = 8;
constexpr std::uint32_t kMostWarps = 32;  // warps of a CTA, which has at most 1024 threads

PagedCta::Place reversed(const PagedCta::Place& place) {
  return {place[2], place[1], place[0]};
}

std::string name_of(const PagedCta& cta, std::uint32_t warp) {
  return "warp " + std::to_string(warp) + " of CTA " + std::to_string(cta.cta[0]) + ',' + std::to_string(cta.cta[1]) +
         ',' + std::to_string(cta.cta[2]);
}

}  // namespace

PagedIndex::PagedIndex(PagedFile& file, const PagedParts& parts)
    : file_(file), parts_(parts), numbers_(file, parts.index, parts.end, "its index ends within a CTA") {
  ctas_ = numbers_.next_32();
  if (ctas_ > numbers_.left() / kCtaBytes) {
    file_.fail_damaged("its index counts " + counted(ctas_, "CTA") + ", and has room for " +
                       std::to_string(numbers_.left() / kCtaBytes));
  }
  if (!check_all()) {
    sort();
  }
  numbers_.skip(parts.index + sizeof ctas_ - numbers_.at());
}

/// Whether the CTAs are in the order of their numbers.
bool PagedIndex::check_all() {
  bool in_order = true;
  PagedCta::Place last{};
  for (std::uint32_t i = 0; i < ctas_; ++i) {
    const PagedCta cta = read_cta();
    const PagedCta::Place place = reversed(cta.cta);
    in_order = in_order && (i == 0 || last < place);
    last = place;
    for (std::uint32_t warp = 0; warp < cta.warps; ++warp) {
      check_warp(cta, warp);
    }
  }
  if (numbers_.left() != 0) {
    file_.fail_damaged("its index has " + counted(numbers_.left(), "byte") + " behind the last CTA");
  }
  return in_order;
}

void PagedIndex::sort() {
  numbers_.skip(parts_.index + sizeof ctas_ - numbers_.at());
  for (std::uint32_t i = 0; i < ctas_; ++i) {
    const std::uint64_t at = numbers_.at();
    const PagedCta cta = read_cta();
    order_.push_back({reversed(cta.cta), at});
    for (std::uint32_t warp = 0; warp < cta.warps; ++warp) {
      numbers_.skip(std::uint64_t{read_warp().sub_chunks} * sizeof(std::uint32_t));
    }
  }
  std::ranges::stable_sort(order_, {}, &Entry::zyx);
}

PagedCta PagedIndex::read_cta() {
  PagedCta cta;
  for (PagedCta::Place* const place : {&cta.cta, &cta.cluster, &cta.in_cluster}) {
    for (std::uint32_t& side : *place) {
      side = numbers_.next_32();
    }
  }
  cta.rank = numbers_.next_32();
  cta.warps = numbers_.next_32();
  return cta;
}

PagedWarp PagedIndex::read_warp() {
  PagedWarp warp;
  warp.instructions = numbers_.next_32();
  warp.sub_chunks = numbers_.next_32();
  warp.payload = numbers_.next_64();
  return warp;
}

void PagedIndex::check_warp(const PagedCta& cta, std::uint32_t number) {
  if (cta.warps > kMostWarps) {
    file_.fail_damaged("its index says that a CTA has " + counted(cta.warps, "warp") + ", and 32 are the most");
  }
  const PagedWarp warp = read_warp();
  if (warp.payload < parts_.payloads || warp.payload > parts_.index ||
      parts_.index - warp.payload < kPayloadHeadBytes) {
    file_.fail_damaged("the place of " + name_of(cta, number) + " is byte " + std::to_string(warp.payload) +
                       ", and payloads are from byte " + std::to_string(parts_.payloads) + " to " +
                       std::to_string(parts_.index));
  }
  if (warp.sub_chunks > numbers_.left() / sizeof(std::uint32_t)) {
    file_.fail_damaged(name_of(cta, number) + " has " + counted(warp.sub_chunks, "sub-chunk") +
                       ", and its index ends before");
  }
  std::uint64_t instructions = 0;
  for (std::uint32_t i = 0; i < warp.sub_chunks; ++i) {
    instructions += numbers_.next_32();
  }
  if (instructions != warp.instructions) {
    file_.fail_damaged(name_of(cta, number) + " has " + counted(warp.instructions, "instruction") +
                       ", but its sub-chunks have " + std::to_string(instructions));
  }
}

std::optional<PagedCta> PagedIndex::next_cta() {
  if (given_ == ctas_) {
    return std::nullopt;
  }
  if (!order_.empty()) {
    numbers_.skip(order_[given_].at - numbers_.at());
  }
  ++given_;
  return read_cta();
}

PagedWarp PagedIndex::next_warp() {
  return read_warp();
}

}  // namespace gpusim::frontend::accelsim
