// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/refresh_choice.h"

#include <algorithm>

#include "sim/machine/mem/dram/banks.h"

namespace gpusim::mem::dram {
namespace {

/// A unit without requests, preferably one that is closed, so that no open row is lost.
BankSet idle_unit(const RefreshSchedule& schedule, const Banks& banks) {
  BankSet idle = schedule.left();
  for (const bool write : {false, true}) {
    idle = idle.without(banks.queue(write).banks_with_hits()).without(banks.queue(write).banks_waiting());
  }
  BankSet closed;
  BankSet any;
  idle.for_each([&](std::uint32_t bank) {
    const BankSet unit = schedule.unit_of(bank);
    if (!unit.without(idle).empty()) {
      return;
    }
    any = any.empty() ? unit : any;
    closed = closed.empty() && unit.within(banks.open()).empty() ? unit : closed;
  });
  return closed.empty() ? any : closed;
}

/// The one whose oldest request has come last; a row that has just been opened for a request is spared.
BankSet least_urgent_unit(const RefreshSchedule& schedule, const Banks& banks) {
  BankSet best;
  std::uint64_t best_order = 0;
  for (const bool spare : {true, false}) {
    schedule.left().for_each([&](std::uint32_t bank) {
      const BankSet unit = schedule.unit_of(bank);
      std::uint64_t order = kNever;
      bool promised = false;
      unit.for_each([&](std::uint32_t one) {
        order = std::min(order, banks.oldest_order(one));
        promised = promised || banks.promised(false).contains(one) || banks.promised(true).contains(one);
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

BankSet banks_to_refresh(const RefreshSchedule& schedule, const Banks& banks) {
  if (!schedule.is_owed()) {
    return {};
  }
  const BankSet idle = idle_unit(schedule, banks);
  return idle.empty() && schedule.is_urgent() ? least_urgent_unit(schedule, banks) : idle;
}

}  // namespace gpusim::mem::dram
