// SPDX-License-Identifier: MIT
// The index at the end of a .tracez file: where each warp of each CTA is. All of it is checked before any of it is
// believed, and little of it is kept.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/input/accelsim/paged_file.h"

namespace gpusim::frontend::accelsim {

/// Where things are in a .tracez file.
struct PagedParts {
  std::uint64_t payloads = 0;  ///< the first byte of the payloads
  std::uint64_t index = 0;     ///< the first byte behind them, of the index
  std::uint64_t end = 0;       ///< the first byte behind the index
};

/// A CTA's entry in the index without its warps.
struct PagedCta {
  using Place = std::array<std::uint32_t, 3>;  ///< x, y, z
  Place cta{};
  Place cluster{};
  Place in_cluster{};
  std::uint32_t rank = 0;
  std::uint32_t warps = 0;
};

struct PagedWarp {
  std::uint32_t instructions = 0;
  std::uint32_t sub_chunks = 0;
  std::uint64_t payload = 0;  ///< its first byte in the file
};

class PagedIndex {
 public:
  /// Reads all of the index once. `file` must outlive this. Throws InputError when a count or a place in it cannot be.
  PagedIndex(PagedFile& file, const PagedParts& parts);

  /// The next CTA in the order of their numbers, x first; nothing behind the last.
  std::optional<PagedCta> next_cta();
  /// Its next warp, as often as it has warps.
  PagedWarp next_warp();
  /// Instructions of the warp's next sub-chunk, as often as it has some.
  std::uint32_t next_sub_chunk() { return numbers_.next_32(); }

 private:
  struct Entry {
    PagedCta::Place zyx{};
    std::uint64_t at = 0;  ///< its first byte in the file
  };
  PagedCta read_cta();
  PagedWarp read_warp();
  void check_warp(const PagedCta& cta, std::uint32_t number);
  bool check_all();
  void sort();

  PagedFile& file_;
  PagedParts parts_;
  PagedNumbers numbers_;
  std::uint32_t ctas_ = 0;
  std::uint32_t given_ = 0;
  std::vector<Entry> order_;  ///< only where the file has the CTAs in another order
};

}  // namespace gpusim::frontend::accelsim
