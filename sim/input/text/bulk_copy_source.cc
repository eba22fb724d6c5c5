// SPDX-License-Identifier: MIT
#include "sim/input/text/bulk_copy_source.h"

#include <algorithm>

#include "sim/input/text/cluster_rank.h"

namespace gpusim::frontend {
namespace {

using trace::AsyncAction;
using trace::DraftAsync;

void require_same_for_lanes(const SourceContext& in, const trace::DraftAccess& address, Place place) {
  if (address.address != trace::kNoExpr && (in.names.pool()[address.address].flags & trace::kDependsLane) != 0) {
    in.reporter().add(place, "the address of a bulk copy must be the same for all lanes");
  }
}

/// The side in global memory: "map[x, y]", or "buffer + bytes".
void add_remote(const SourceContext& in, const AccessSyntax& syntax, DraftAsync& async) {
  if (in.declarations.tensor_maps.add_source(syntax, async)) {
    return;
  }
  async.global = in.declarations.buffers.access(syntax, isa::MemSpace::kGlobal);
  require_same_for_lanes(in, async.global, syntax.place);
}

/// From the CTA's shared memory to that of a CTA of the cluster, whose mbarrier is signalled (PTX ISA, cp.async.bulk
/// and cp.reduce.async.bulk with .shared::cluster and .shared::cta).
void add_move(const SourceContext& in, const std::string& opcode, DraftAsync& async) {
  async.action = opcode.starts_with("UBLKRED") ? AsyncAction::kMoveReduce : AsyncAction::kMove;
  const Clause* const signals = in.clauses.find("signals");
  if (!in.statement.shared_destination || in.statement.shared_destination->rank == kNoSyntax || signals == nullptr) {
    in.reporter().add(in.statement.access->place, "'" + opcode + "' needs a source of the form",
                      "@ SHARED in cta (RANK) <- SHARED bytes N signals MBARRIER");
    return;
  }
  const AccessSyntax& to = *in.statement.shared_destination;
  const AccessSyntax& from = *in.statement.access;
  async.global = in.declarations.buffers.access(to, isa::MemSpace::kShared);
  async.shared = in.declarations.buffers.access(from, isa::MemSpace::kShared);
  require_same_for_lanes(in, async.global, to.place);
  require_same_for_lanes(in, async.shared, from.place);
  async.bytes = in.clauses.value("bytes");
  for (const AccessSyntax* const own : {&from, &signals->barrier}) {
    if (own->rank != kNoSyntax) {
      in.reporter().add(own->place, "'" + opcode + "' takes no 'in cta' here",
                        "the destination names the CTA, and the mbarrier is one of that CTA");
    }
  }
  in.declarations.mbarriers.add_source(signals->barrier, async);
  in.instr.of_cluster = bind_rank(to.rank, in.ctas, in.names, in.op);
}

void add_copy(const SourceContext& in, const std::string& opcode, DraftAsync& async) {
  const bool loads = opcode.starts_with("UTMALDG") || opcode.starts_with("UBLKCP.S");
  const bool prefetches = opcode.starts_with("UTMAPF") || opcode.starts_with("UBLKPF");
  const bool reduces = opcode.starts_with("UTMAREDG") || opcode.starts_with("UBLKRED");
  async.action = loads        ? AsyncAction::kLoad
                 : prefetches ? AsyncAction::kPrefetch
                 : reduces    ? AsyncAction::kReduce
                              : AsyncAction::kStore;
  if (in.statement.shared_destination.has_value() == prefetches) {
    in.reporter().add(in.statement.access->place, "'" + opcode + "' needs a source of the form",
                      prefetches ? "@ GLOBAL" : (loads ? "@ SHARED <- GLOBAL signals MBARRIER" : "@ GLOBAL <- SHARED"));
    return;
  }
  const AccessSyntax& global = loads || prefetches ? *in.statement.access : *in.statement.shared_destination;
  add_remote(in, global, async);
  if (!prefetches) {
    const AccessSyntax& shared = loads ? *in.statement.shared_destination : *in.statement.access;
    async.shared = in.declarations.buffers.access(shared, isa::MemSpace::kShared);
    require_same_for_lanes(in, async.shared, shared.place);
  }
  const bool by_map = async.map != trace::kNone;
  if (by_map != opcode.starts_with("UTMA")) {
    in.reporter().add(global.place, "'" + opcode + "' copies " + (by_map ? "bytes" : "a box of a tensor"),
                      by_map ? "give it '@ BUFFER + OFFSET'" : "give it '@ TENSOR_MAP[x, ...]'");
  }
  async.bytes = by_map ? trace::kNoExpr : in.clauses.value("bytes");
  const Clause* const signals = in.clauses.find("signals");
  if (signals != nullptr && loads) {
    refuse_rank(signals->barrier, opcode, in.reporter());
    in.declarations.mbarriers.add_source(signals->barrier, async);
  } else if (loads != (signals != nullptr)) {
    in.reporter().add(global.place, loads ? "'" + opcode + "' signals no mbarrier" : "'" + opcode + "' signals nothing",
                      loads ? "add 'signals MBARRIER[index]'" : "UTMACMDFLUSH and DEPBAR wait for it");
  }
  refuse_rank(*in.statement.access, opcode, in.reporter());
  if (in.statement.shared_destination) {
    refuse_rank(*in.statement.shared_destination, opcode, in.reporter());
  }
  if (has_part(opcode, "IM2COL")) {
    in.reporter().add(in.statement.place, "'" + opcode + "': tensor maps of images (im2col) are not modelled",
                      "a tiled map of the same bytes comes near, for a filter of one point exactly");
  }
}

/// PTX ISA, cp.async.bulk.tensor: with .multicast::cluster a load goes to the CTAs of a mask, one bit per rank.
void add_multicast(const SourceContext& in, const std::string& opcode, DraftAsync& async) {
  const Clause* const found = in.clauses.find("multicast");
  const bool given = found != nullptr;
  const Place place = given ? found->word.place : in.statement.access->place;
  if (given != has_part(opcode, "MULTICAST")) {
    in.reporter().add(
        place, "'" + opcode + "' goes to " + (given ? "one CTA" : "several CTAs"),
        given ? "UTMALDG.2D.MULTICAST and its kin take 'multicast MASK'" : "add 'multicast MASK', one bit per rank");
    return;
  }
  if (!given) {
    return;
  }
  if (async.action != AsyncAction::kLoad) {
    in.reporter().add(place, "'" + opcode + "' cannot go to several CTAs", "loads to shared memory can");
    return;
  }
  async.multicast = in.names.uniform(found->value, "'multicast'");
  const std::int64_t ctas = in.ctas;
  const trace::ExprNode& mask = in.names.pool()[async.multicast];
  if (ctas == 1) {
    in.reporter().add(place, "a copy to several CTAs, and each is alone", "'cluster (X, Y, Z)' in the kernel's head");
  } else if (in.names.pool().is_constant(async.multicast) &&
             (mask.value <= 0 || mask.value >> std::min<std::int64_t>(ctas, trace::kMostMulticast) != 0)) {
    in.reporter().add(place, "mask " + std::to_string(mask.value) + " names no CTA, or some outside the cluster",
                      "it has a bit for each of the ranks 0 to " +
                          std::to_string(std::min<std::int64_t>(ctas, trace::kMostMulticast) - 1));
  }
  in.instr.of_cluster = true;
}

}  // namespace

DraftAsync read_bulk_copy(const SourceContext& in, const std::string& opcode) {
  DraftAsync async;
  async.place = in.statement.access->place;
  if (opcode.find(".S.S") != std::string::npos) {
    add_move(in, opcode, async);
  } else {
    add_copy(in, opcode, async);
  }
  add_multicast(in, opcode, async);
  return async;
}

}  // namespace gpusim::frontend
