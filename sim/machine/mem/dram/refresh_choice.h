// SPDX-License-Identifier: MIT
// Which banks of a pseudo-channel are refreshed next, where they are refreshed one unit (one or two banks) at a time.
#pragma once

#include <array>
#include <cstdint>

#include "sim/machine/mem/dram/bank_queues.h"
#include "sim/machine/mem/dram/refresh.h"

namespace gpusim::mem::dram {

/// What the choice looks at.
struct BanksToChooseFrom {
  const RefreshSchedule& schedule;
  const std::array<BankQueues, 2>& queues;  ///< reads, writes
  BankSet open;                             ///< banks with an open row
  const std::array<BankSet, 2>& promised;   ///< banks whose row was opened for a read (or write) that has not gone yet
};

/// Whether a read or a write waits for the bank.
[[nodiscard]] bool has_requests(const std::array<BankQueues, 2>& queues, std::uint32_t bank);

/// A unit that no request wants is refreshed at once. While every bank has requests, refreshes wait as long as they
/// may. Empty when no unit is to be refreshed now.
[[nodiscard]] BankSet banks_to_refresh(const BanksToChooseFrom& banks);

}  // namespace gpusim::mem::dram
