// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/refresh_choice.h"

#include <algorithm>

namespace gpusim::mem::dram {
namespace {

/// The order of the bank's oldest request; kNever when it has none.
std::uint64_t oldest_order(const std::array<BankQueues, 2>& queues, std::uint32_t bank) {
  std::uint64_t oldest = kNever;
  for (const BankQueues& one : queues) {
    oldest = one.banks_with_hits().contains(bank) ? std::min(oldest, one.oldest_hit(bank).order) : oldest;
    oldest = one.banks_waiting().contains(bank) ? std::min(oldest, one.oldest_waiting(bank).order) : oldest;
  }
  return oldest;
}

/// A unit without requests, preferably one that is closed, so that no open row is lost.
BankSet idle_unit(const BanksToChooseFrom& banks) {
  BankSet idle = banks.schedule.left();
  for (const BankQueues& one : banks.queues) {
    idle = idle.without(one.banks_with_hits()).without(one.banks_waiting());
  }
  BankSet closed;
  BankSet any;
  idle.for_each([&](std::uint32_t bank) {
    const BankSet unit = banks.schedule.unit_of(bank);
    if (!unit.without(idle).empty()) {
      return;
    }
    any = any.empty() ? unit : any;
    closed = closed.empty() && unit.within(banks.open).empty() ? unit : closed;
  });
  return closed.empty() ? any : closed;
}

/// The one whose oldest request has come last; a row that has just been opened for a request is spared.
BankSet least_urgent_unit(const BanksToChooseFrom& banks) {
  BankSet best;
  std::uint64_t best_order = 0;
  for (const bool spare : {true, false}) {
    banks.schedule.left().for_each([&](std::uint32_t bank) {
      const BankSet unit = banks.schedule.unit_of(bank);
      std::uint64_t order = kNever;
      bool promised = false;
      unit.for_each([&](std::uint32_t one) {
        order = std::min(order, oldest_order(banks.queues, one));
        promised = promised || banks.promised[0].contains(one) || banks.promised[1].contains(one);
      });
      if (!(spare && promised) && (best.empty() || order > best_order)) {
        best = unit;
        best_order = order;
      }
    });
    if (!best.empty()) {
      break;
    }
  }
  return best;
}

}  // namespace

bool has_requests(const std::array<BankQueues, 2>& queues, std::uint32_t bank) {
  return oldest_order(queues, bank) != kNever;
}

BankSet banks_to_refresh(const BanksToChooseFrom& banks) {
  if (!banks.schedule.is_owed()) {
    return {};
  }
  const BankSet idle = idle_unit(banks);
  return idle.empty() && banks.schedule.is_urgent() ? least_urgent_unit(banks) : idle;
}

}  // namespace gpusim::mem::dram
