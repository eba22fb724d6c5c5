// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/credits.h"

#include <algorithm>

namespace gpusim::mem::noc {
namespace {

/// A batch is a quarter of what is under way, so that waiting for one costs little, and at most this many: eight to a
/// message leave hardly any credit messages to save.
constexpr std::uint32_t kLargestBatch = 8;

CreditWindow window(std::uint64_t bytes_per_cycle, std::uint64_t round_trip, std::uint64_t header_bytes) {
  // The widest and longest links that a file may ask for hold more than can ever be asked for.
  constexpr std::uint64_t kMostUnderWay = 1U << 24;
  const auto under_way = static_cast<std::uint32_t>(
      std::min((bytes_per_cycle * round_trip + header_bytes - 1) / header_bytes, kMostUnderWay));
  const std::uint32_t batch = std::clamp(under_way / 4, 1U, kLargestBatch);
  return {under_way + batch, batch};
}

/// A message without a header still is one: it counts as a byte.
std::uint32_t header_of(const arch::NocConfig& noc) {
  return std::max(noc.request_header_bytes, 1U);
}

}  // namespace

CreditWindow sm_window(const arch::NocConfig& noc) {
  if (noc.model == arch::NocModel::kIdeal) {
    return {0, 1};
  }
  const std::uint32_t rate = std::min(noc.sm_request_bytes_per_cycle, noc.gpc_request_bytes_per_cycle);
  return window(rate, std::uint64_t{noc.sm_to_gpc_latency} + noc.gpc_to_sm_latency, header_of(noc));
}

CreditWindow slice_window(const arch::NocConfig& noc, const arch::L2Config& l2) {
  if (noc.model == arch::NocModel::kIdeal) {
    return {0, 1};
  }
  // A slice looks up one request per cycle, whatever its port could bring.
  const std::uint32_t rate =
      std::min({noc.gpc_request_bytes_per_cycle, noc.slice_request_bytes_per_cycle, header_of(noc)});
  const std::uint64_t round_trip = std::uint64_t{noc.gpc_to_l2_latency} + l2.tag_latency + noc.l2_to_gpc_latency;
  CreditWindow result = window(rate, round_trip, header_of(noc));
  const std::uint32_t gpcs = std::max(noc.gpcs, 1U);
  result.places += (l2.queue_entries + gpcs - 1) / gpcs;
  return result;
}

}  // namespace gpusim::mem::noc
