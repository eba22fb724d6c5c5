// SPDX-License-Identifier: MIT
#include "tests/support/same_counts.h"

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace gpusim::testing {
namespace {

std::string both(const std::string& what, std::uint64_t a, std::uint64_t b) {
  return a == b ? "" : what + ": " + std::to_string(a) + " and " + std::to_string(b);
}

template <class Counters>
std::string counters_differ(const Counters& a, const Counters& b) {
  for (const auto& field : Counters::kFields) {
    if (std::string what = both(std::string(field.name), a.*field.member, b.*field.member); !what.empty()) {
      return what;
    }
  }
  return "";
}

auto counts_of(const stats::PcResult& row) {
  return std::tie(row.warp_instructions, row.thread_instructions, row.active_lanes, row.divergent_branches, row.stalls,
                  row.concurrent);
}

}  // namespace

std::string count_difference(const stats::KernelResult& a, const stats::KernelResult& b) {
  for (const std::string& what :
       {both("cycles", a.cycles, b.cycles), counters_differ(a.sm, b.sm), counters_differ(a.fetch, b.fetch),
        both("instructions", a.pcs.size(), b.pcs.size())}) {
    if (!what.empty()) {
      return what;
    }
  }
  for (std::size_t i = 0; i < a.pcs.size(); ++i) {
    if (counts_of(a.pcs[i]) != counts_of(b.pcs[i])) {
      return "instruction " + std::to_string(i) + ": " + a.pcs[i].text;
    }
  }
  return "";
}

}  // namespace gpusim::testing
