// SPDX-License-Identifier: MIT
// What a DRAM request scheduler sees: the queued requests of one direction (reads, or writes), sorted by bank and by
// whether their row is open. `order` is that of arrival.
#pragma once

#include <concepts>
#include <cstdint>

#include "sim/model/policy/dram/bank_set.h"

namespace gpusim::policy {

/// The values of a configuration that schedulers take.
struct DramSchedulerOptions {
  std::uint32_t cap = 0;  ///< dram.scheduler_cap, or a row's bursts
};

/// A hit is a request whose row is open and still being served; the others wait for theirs.
template <class Queue>
concept DramQueue = requires(const Queue& queue, std::uint32_t bank) {
  { queue.banks_with_hits() } -> std::same_as<BankSet>;
  { queue.banks_waiting() } -> std::same_as<BankSet>;
  { queue.oldest_hit(bank).order } -> std::convertible_to<std::uint64_t>;
  { queue.oldest_waiting(bank).order } -> std::convertible_to<std::uint64_t>;
};

/// The request that came first of all.
struct OldestRequest {
  std::uint32_t bank = 0;
  bool hit = false;
  std::uint64_t order = ~std::uint64_t{0};  ///< so: there is none
  [[nodiscard]] bool exists() const { return order != ~std::uint64_t{0}; }
};

template <DramQueue Queue>
[[nodiscard]] OldestRequest oldest_request(const Queue& queue) {
  OldestRequest oldest;
  const auto consider = [&oldest](const OldestRequest& other) { oldest = other.order < oldest.order ? other : oldest; };
  queue.banks_with_hits().for_each([&](std::uint32_t bank) { consider({bank, true, queue.oldest_hit(bank).order}); });
  queue.banks_waiting().for_each([&](std::uint32_t bank) {
    consider({bank, false, queue.oldest_waiting(bank).order});
  });
  return oldest;
}

}  // namespace gpusim::policy
