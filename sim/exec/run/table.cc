// SPDX-License-Identifier: MIT
#include "sim/exec/run/table.h"

#include <array>

#include "sim/exec/async/families.h"
#include "sim/exec/lanes/families.h"
#include "sim/exec/ops/families.h"

namespace gpusim::exec {
namespace {

using Table = std::array<Lower, sass::kOps>;

Table make_table() {
  std::vector<std::span<const LowerRow>> families = lane_families();
  for (const std::span<const LowerRow> family :
       {control_rows(), barrier_rows(), exchange_rows(), special_rows(), constant_rows(), memory_rows(), atomic_rows(),
        convert_rows(), matrix_move_rows(), async_copy_rows(), mbarrier_rows(), bulk_copy_rows(), cluster_rows(),
        signalled_store_rows()}) {
    families.push_back(family);
  }
  Table table{};
  for (const std::span<const LowerRow> family : families) {
    for (const LowerRow& row : family) {
      table[static_cast<std::size_t>(row.op)] = row.lower;
    }
  }
  return table;
}

}  // namespace

Lower lower_of(sass::Op op) {
  static const Table table = make_table();
  return table[static_cast<std::size_t>(op)];
}

}  // namespace gpusim::exec
