// SPDX-License-Identifier: MIT
#include "sim/input/text/mbarrier_source.h"

#include <algorithm>
#include <array>

#include "sim/input/text/cluster_rank.h"

namespace gpusim::frontend {
namespace {

using trace::AsyncAction;
using trace::DraftAsync;

/// The forms of SYNCS.ARRIVE.TRANS64: how many arrivals a lane makes, and what the bytes do.
struct ArriveForm {
  std::string_view part;
  std::string_view arrivals;  ///< clause that gives their number; "0", "1": fixed
  std::string_view bytes;     ///< clause; empty: none
};
constexpr std::array<ArriveForm, 5> kArriveForms{{{"A1T0", "1", ""},
                                                  {"ART0", "arrive", ""},
                                                  {"A0TR", "0", "expect"},
                                                  {"A0TX", "0", "complete"},
                                                  {"TRANS64", "1", "expect"}}};

void add_arrival(const SourceContext& in, const std::string& opcode, DraftAsync& async) {
  const auto form = std::ranges::find_if(kArriveForms, [&](const ArriveForm& f) { return has_part(opcode, f.part); });
  const bool drops = has_part(opcode, "OPTOUT");
  if (form == kArriveForms.end() || (drops && form->arrivals == "0")) {
    in.reporter().add(in.statement.place, "'" + opcode + "' is not a known form of SYNCS.ARRIVE",
                      "known: .TRANS64 with .A1T0, .ART0, .A0TR, .A0TX or neither; .OPTOUT with arrivals");
    return;
  }
  async.action = form->bytes == "complete" ? AsyncAction::kComplete : drops ? AsyncAction::kDrop : AsyncAction::kArrive;
  const bool fixed = form->arrivals != "arrive";
  async.count = fixed ? in.names.pool().constant(form->arrivals == "1" ? 1 : 0) : in.clauses.value("arrive");
  async.bytes = form->bytes.empty() ? trace::kNoExpr : in.clauses.value(form->bytes);
}

/// PTX ISA, mbarrier: arrivals and bytes reach the mbarriers of other CTAs of the cluster, all else is done at home.
void add_rank(const SourceContext& in, const std::string& opcode) {
  const AccessSyntax& syntax = *in.statement.access;
  if (syntax.rank == kNoSyntax) {
    return;
  }
  if (!has_part(opcode, "ARRIVE") || !has_part(opcode, "RED")) {
    in.reporter().add(syntax.place, "'" + opcode + "' does not reach the mbarrier of another CTA",
                      "SYNCS.ARRIVE.TRANS64.RED does: .A1T0, .ART0, .A0TR, .A0TX or neither");
    return;
  }
  if (bind_rank(syntax.rank, in.ctas, in.names, in.op)) {
    in.instr.of_cluster = true;
  }
}

}  // namespace

DraftAsync read_mbarrier_source(const SourceContext& in, const std::string& opcode) {
  DraftAsync async;
  async.place = in.statement.access->place;
  in.declarations.mbarriers.add_source(*in.statement.access, async);
  if (in.statement.shared_destination) {
    in.reporter().add(in.statement.access->place, "'" + opcode + "' copies nothing");
  }
  async.count = in.names.pool().constant(1);
  if (opcode.starts_with("ARRIVES")) {
    async.action = AsyncAction::kArriveOnCopies;
  } else if (has_part(opcode, "EXCH")) {
    async.action = AsyncAction::kInitialise;
    async.count = in.clauses.value("init");
  } else if (has_part(opcode, "CCTL")) {
    async.action = AsyncAction::kInvalidate;
  } else if (has_part(opcode, "PHASECHK")) {
    async.action = AsyncAction::kWait;
    async.parity = in.clauses.value("parity");
  } else if (has_part(opcode, "ARRIVE")) {
    add_arrival(in, opcode, async);
  } else {
    in.reporter().add(in.statement.place, "'" + opcode + "' is not modelled with an mbarrier",
                      "SYNCS.EXCH, .ARRIVE, .PHASECHK and .CCTL are");
  }
  add_rank(in, opcode);
  return async;
}

std::optional<DraftAsync> read_signal(const SourceContext& in) {
  const Clause* const signals = in.clauses.find("signals");
  if (signals == nullptr) {
    in.reporter().add(in.statement.access->place, "'" + in.statement.name + "' signals no mbarrier",
                      "add 'signals MBARRIER[index]'");
    return std::nullopt;
  }
  DraftAsync async;
  async.place = in.statement.access->place;
  async.action = AsyncAction::kSignalStores;
  refuse_rank(signals->barrier, in.statement.name, in.reporter());
  in.declarations.mbarriers.add_source(signals->barrier, async);
  return async;
}

}  // namespace gpusim::frontend
