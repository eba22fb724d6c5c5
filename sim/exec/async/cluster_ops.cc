// SPDX-License-Identifier: MIT
// The barrier of a cluster, and Hopper's instructions that order what is done in order here anyway.
#include <bit>

#include "sim/exec/async/families.h"
#include "sim/exec/core/context.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/core/watch.h"

namespace gpusim::exec {
namespace {

/// Where the CTAs of a cluster run apart, the machine holds back the warps that wait.
bool waits_here(const Warp& warp, LaneMask mask) {
  return mask != 0 && warp.cta().cluster_port() == nullptr;
}

void arrive_at_cluster(Context&, Warp& warp, const MicroOp&, LaneMask mask) {
  if (waits_here(warp, mask)) {
    Cluster& cluster = warp.cta().cluster();
    if (Watch* const watch = warp.cta().watch(); watch != nullptr) [[unlikely]] {
      watch->arrives_at_cluster(warp);
    }
    warp.cluster_openings = cluster.openings();
    cluster.arrive(static_cast<std::uint32_t>(std::popcount(warp.active)));
  }
}

void wait_for_cluster(Context&, Warp& warp, const MicroOp&, LaneMask mask) {
  if (waits_here(warp, mask) && warp.cta().cluster().openings() == warp.cluster_openings) {
    warp.wait(Path::Wait::kCluster, 0);
  }
}

/// Registers are always there, so TRY_ALLOC succeeds; a machine with time may answer later.
void lower_set_registers(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.op().handler = [](Context& context, Warp& warp, const MicroOp& op, LaneMask) {
    warp.set_predicate(op.predicate_destinations[0], kAllLanes, kAllLanes);
    context.async = {};
    context.async.kind = AsyncEffect::Kind::kAsk;
    context.async.predicate = op.predicate_destinations[0];
    context.async.mask = kAllLanes;
  };
}

void lower_order(Lowering& lowering) {
  lowering.op().handler = [](Context&, Warp&, const MicroOp&, LaneMask) {};
}

}  // namespace

std::span<const LowerRow> cluster_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kUcgabarArv, [](Lowering& lowering) { lowering.op().handler = arrive_at_cluster; }},
      {Op::kUcgabarWait, [](Lowering& lowering) { lowering.op().handler = wait_for_cluster; }},
      {Op::kUsetmaxreg, lower_set_registers},
      {Op::kFenceViewAsync, lower_order},
      {Op::kCgaerrbar, lower_order},
      {Op::kAcqbulk, lower_order},
      {Op::kPreexit, lower_order},
      {Op::kWarpgroup, lower_order},
  };
  return kRows;
}

}  // namespace gpusim::exec
