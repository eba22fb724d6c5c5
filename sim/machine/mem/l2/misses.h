// SPDX-License-Identifier: MIT
// What a slice waits for: lines of its own that DRAM reads, and copies that the mirror slice sends, with the requests
// that wait for their sectors. Owns the MSHRs of both (l2.mshrs lines each) and counts merges and reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/base/types.h"
#include "sim/machine/mem/cache/mshr.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct L2Config;
}  // namespace gpusim::arch
namespace gpusim::mem::map {
class AddressMap;
}  // namespace gpusim::mem::map

namespace gpusim::mem::l2 {

class DramSide;
class LineStore;
class MirrorLink;

/// A request behind the tags, with its line's number there.
struct Access {
  const msg::Message& message;
  bool is_home = true;
  cache::LineNumber line = 0;
};

class Misses {
 public:
  /// What it asks; all of it outlives the slice, but for what the calls name.
  struct Around {
    const arch::L2Config& config;
    const map::AddressMap& map;
    DramSide& dram;
  };
  /// `local`: the slice, counted in the partition.
  Misses(const Around& around, std::uint16_t local);

  /// Whether a line that is not awaited yet, of the slice's own or a copy, gets an MSHR.
  [[nodiscard]] bool has_mshr(bool is_home) const { return (is_home ? home_ : copies_).can_allocate(); }
  /// Lets the request wait for its missing sectors, and fetches those that are not on their way yet. Returns what it
  /// lacks to do so, having changed nothing.
  [[nodiscard]] Need await(const Access& access, std::uint8_t missing, LineStore& lines, MirrorLink& mirror, Cycle now);
  /// Sectors have come: f(message) for each request that has all of its own now.
  template <class F>
  void complete(bool is_home, const Fetch& fetch, F f) {
    (is_home ? home_ : copies_).complete(fetch.entry, fetch.sectors, std::move(f));
  }

  /// Lines that are awaited.
  [[nodiscard]] std::size_t size() const { return std::size_t{home_.size()} + copies_.size(); }
  void restart() { counters_ = {}; }
  [[nodiscard]] const stats::L2Counters& counters() const { return counters_; }

 private:
  using Table = cache::MshrTable<msg::Message>;

  [[nodiscard]] std::uint8_t sectors_beside(const Access& access, Table::Entry entry, std::uint8_t fresh,
                                            LineStore& lines) const;
  void read_dram(const Access& access, const Fetch& fetch, Cycle now);

  Around around_;
  std::uint16_t local_;
  Table home_;
  Table copies_;
  stats::L2Counters counters_;
};

}  // namespace gpusim::mem::l2
