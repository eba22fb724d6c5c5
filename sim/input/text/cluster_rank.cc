// SPDX-License-Identifier: MIT
#include "sim/input/text/cluster_rank.h"

namespace gpusim::frontend {

bool bind_rank(SyntaxId rank, std::int64_t ctas, Environment& names, trace::DraftOp& op) {
  const trace::ExprPool& pool = names.pool();
  op.rank_place = names.place(rank);
  op.rank = names.build(rank);
  if ((pool[op.rank].flags & trace::kDependsLane) != 0) {
    names.reporter().add(op.rank_place, "the rank differs between the lanes of a warp",
                         "a warp accesses one CTA at a time: write an instruction for each");
    return false;
  }
  if (pool.is_constant(op.rank) && (pool[op.rank].value < 0 || pool[op.rank].value >= ctas)) {
    names.reporter().add(op.rank_place, "rank " + std::to_string(pool[op.rank].value) + " is outside the cluster",
                         "its CTAs have the ranks 0 to " + std::to_string(ctas - 1));
  }
  return true;
}

void refuse_rank(const AccessSyntax& syntax, const std::string& opcode, Reporter& reporter) {
  if (syntax.rank != kNoSyntax) {
    reporter.add(syntax.place, "'" + opcode + "' takes no 'in cta' here",
                 "a load goes to several CTAs by 'multicast MASK', and signals the mbarrier of each that gets it");
  }
}

}  // namespace gpusim::frontend
