// SPDX-License-Identifier: MIT
#include "sim/model/trace/dump_command.h"

#include <array>
#include <string_view>

#include "sim/base/address_space.h"
#include "sim/base/text.h"
#include "sim/model/trace/box.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::trace {
namespace {

/// In the order of AsyncAction.
constexpr std::array<std::string_view, 15> kActions{"nothing",
                                                    "initialise",
                                                    "invalidate",
                                                    "arrive",
                                                    "arrive and drop",
                                                    "complete",
                                                    "arrive when LDGSTS have come",
                                                    "wait",
                                                    "signal",
                                                    "load",
                                                    "store",
                                                    "add",
                                                    "fetch into L2",
                                                    "move",
                                                    "move and add"};

std::string describe_copy(const AsyncOperands& copy) {
  if (is_move(copy.action)) {
    return counted(copy.bytes, "byte") + " to " + address_text(copy.global);
  }
  const BoxRows rows(copy);
  std::string text = counted(copy.bytes, "byte");
  if (!rows.done()) {
    const bool is_store = copy.action == AsyncAction::kStore || copy.action == AsyncAction::kReduce;
    text += (is_store ? " to " : " from ") + address_text(rows.row().begin);
  }
  return copy.multicast == 0 ? text : text + ", to the ranks of mask " + address_text(copy.multicast);
}

}  // namespace

std::string mbarrier_name(const Kernel& kernel, std::uint32_t barrier) {
  for (const MbarrierArray& array : kernel.mbarriers) {
    if (barrier >= array.first && barrier - array.first < array.count) {
      const std::uint32_t index = barrier - array.first;
      if (array.name.empty()) {
        return "at " + address_text(array.offset + index * kMbarrierBytes);
      }
      return array.name + (array.count == 1 ? "" : "[" + std::to_string(index) + "]");
    }
  }
  return std::to_string(barrier);
}

std::string describe_command(const Kernel& kernel, const AsyncOperands& operands) {
  if (operands.action == AsyncAction::kNone) {
    return "";
  }
  std::string text(kActions[static_cast<std::size_t>(operands.action)]);
  if (is_copy(operands.action)) {
    text += " " + describe_copy(operands);
  } else if (operands.action == AsyncAction::kInitialise) {
    text += " for " + counted(operands.count, "arrival");
  } else if (operands.action == AsyncAction::kWait) {
    text += operands.parity ? " for parity 1" : " for parity 0";
  } else {
    text += operands.count != 0 ? " " + counted(operands.count, "time") : "";
    text += operands.bytes != 0 ? ", " + counted(operands.bytes, "byte") : "";
  }
  const bool names_one = operands.barrier != AsyncOperands::kNoBarrier;
  return names_one ? text + ", mbarrier '" + mbarrier_name(kernel, operands.barrier) + "'" : text;
}

}  // namespace gpusim::trace
