// SPDX-License-Identifier: MIT
// Instructions of the asynchronous engines with their sources: which mbarrier, how many arrivals and bytes, which box
// of which tensor.
#include <algorithm>
#include <array>

#include "sim/input/text/kernel_builder.h"

namespace gpusim::frontend {
namespace {

using isa::OpKind;
using trace::AsyncAction;
using trace::DraftAsync;
using trace::ExprId;

bool has_part(std::string_view opcode, std::string_view part) {
  const std::string dotted = "." + std::string(part) + ".";
  return (std::string(opcode) + ".").find(dotted) != std::string::npos;
}

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

}  // namespace

const Clause* KernelBuilder::find_clause(const Statement& statement, std::string_view word) {
  clauses_asked_for_.insert(word);
  const auto found = std::ranges::find(statement.clauses, word, [](const Clause& one) { return one.word.text; });
  return found == statement.clauses.end() ? nullptr : &*found;
}

ExprId KernelBuilder::clause(const Statement& statement, std::string_view word) {
  if (const Clause* const found = find_clause(statement, word)) {
    return names_.uniform(found->value, "'" + found->word.text + "'");
  }
  reporter_.add(statement.access->place, "'" + statement.name + "' needs '" + std::string(word) + " NUMBER'",
                "behind the mbarrier");
  return trace::kNoExpr;
}

void KernelBuilder::refuse_other_clauses(const Statement& statement) {
  for (const Clause& one : statement.clauses) {
    if (!clauses_asked_for_.contains(one.word.text)) {
      std::string taken;
      for (const std::string_view word : clauses_asked_for_) {
        taken += (taken.empty() ? "it takes '" : ", '") + std::string(word) + "'";
      }
      reporter_.add(one.word.place,
                    "'" + one.word.text + "' means nothing to '" + names_.expand(statement.opcode) + "'",
                    taken.empty() ? "mbarriers and bulk copies have such clauses" : taken);
    }
  }
}

void KernelBuilder::warn_of_missing_source(const Statement& statement) {
  if (file_.warnings.take_line(FileWarnings::Cause::kNoSource, statement.place.line)) {
    file_.warnings.add(statement.place, "'" + names_.expand(statement.opcode) +
                                            "' without a source: it takes its time and signals nobody");
  }
}

void KernelBuilder::add_async(const Statement& statement, const isa::Instr& instr, trace::DraftOp& op) {
  const std::string opcode = names_.expand(statement.opcode);
  if (!statement.access) {
    warn_of_missing_source(statement);
    return;
  }
  DraftAsync async;
  async.place = statement.access->place;
  if (instr.kind == OpKind::kTensorCopy) {
    add_bulk_copy(statement, opcode, async);
    add_multicast(statement, opcode, op, async);
  } else {
    add_mbarrier(statement, opcode, async);
    add_mbarrier_rank(statement, opcode, op);
  }
  op.async = static_cast<std::uint32_t>(draft_.asyncs.size());
  draft_.asyncs.push_back(async);
}

void KernelBuilder::add_mbarrier(const Statement& statement, const std::string& opcode, DraftAsync& async) {
  declarations_.mbarriers.add_source(*statement.access, async);
  if (statement.shared_destination) {
    reporter_.add(statement.access->place, "'" + opcode + "' copies nothing");
  }
  async.count = names_.pool().constant(1);
  if (opcode.starts_with("ARRIVES")) {
    async.action = AsyncAction::kArriveOnCopies;
  } else if (has_part(opcode, "EXCH")) {
    async.action = AsyncAction::kInitialise;
    async.count = clause(statement, "init");
  } else if (has_part(opcode, "CCTL")) {
    async.action = AsyncAction::kInvalidate;
  } else if (has_part(opcode, "PHASECHK")) {
    async.action = AsyncAction::kWait;
    async.parity = clause(statement, "parity");
  } else if (has_part(opcode, "ARRIVE")) {
    add_arrival(statement, opcode, async);
  } else {
    reporter_.add(statement.place, "'" + opcode + "' is not modelled with an mbarrier",
                  "SYNCS.EXCH, .ARRIVE, .PHASECHK and .CCTL are");
  }
}

void KernelBuilder::add_arrival(const Statement& statement, const std::string& opcode, DraftAsync& async) {
  const auto form = std::ranges::find_if(kArriveForms, [&](const ArriveForm& f) { return has_part(opcode, f.part); });
  const bool drops = has_part(opcode, "OPTOUT");
  if (form == kArriveForms.end() || (drops && form->arrivals == "0")) {
    reporter_.add(statement.place, "'" + opcode + "' is not a known form of SYNCS.ARRIVE",
                  "known: .TRANS64 with .A1T0, .ART0, .A0TR, .A0TX or neither; .OPTOUT with arrivals");
    return;
  }
  async.action = form->bytes == "complete" ? AsyncAction::kComplete : drops ? AsyncAction::kDrop : AsyncAction::kArrive;
  const bool fixed = form->arrivals != "arrive";
  async.count = fixed ? names_.pool().constant(form->arrivals == "1" ? 1 : 0) : clause(statement, "arrive");
  async.bytes = form->bytes.empty() ? trace::kNoExpr : clause(statement, form->bytes);
}

/// PTX ISA, mbarrier: arrivals and bytes reach the mbarriers of other CTAs of the cluster, all else is done at home.
void KernelBuilder::add_mbarrier_rank(const Statement& statement, const std::string& opcode, trace::DraftOp& op) {
  const AccessSyntax& syntax = *statement.access;
  if (syntax.rank == kNoSyntax) {
    return;
  }
  if (!has_part(opcode, "ARRIVE") || !has_part(opcode, "RED")) {
    reporter_.add(syntax.place, "'" + opcode + "' does not reach the mbarrier of another CTA",
                  "SYNCS.ARRIVE.TRANS64.RED does: .A1T0, .ART0, .A0TR, .A0TX or neither");
    return;
  }
  if (bind_rank(syntax.rank, op)) {
    kernel_.code[op.instr].of_cluster = true;
  }
}

/// For STAS and REDAS: the mbarrier that counts their bytes, in the CTA that they store to.
void KernelBuilder::add_signal(const Statement& statement, trace::DraftOp& op) {
  const Clause* const signals = find_clause(statement, "signals");
  if (signals == nullptr) {
    reporter_.add(statement.access->place, "'" + statement.name + "' signals no mbarrier",
                  "add 'signals MBARRIER[index]'");
    return;
  }
  DraftAsync async;
  async.place = statement.access->place;
  async.action = AsyncAction::kSignalStores;
  check_place(signals->barrier, statement.name);
  declarations_.mbarriers.add_source(signals->barrier, async);
  op.async = static_cast<std::uint32_t>(draft_.asyncs.size());
  draft_.asyncs.push_back(async);
}

void KernelBuilder::add_bulk_copy(const Statement& statement, const std::string& opcode, DraftAsync& async) {
  const bool loads = opcode.starts_with("UTMALDG") || opcode.starts_with("UBLKCP.S");
  const bool prefetches = opcode.starts_with("UTMAPF") || opcode.starts_with("UBLKPF");
  const bool reduces = opcode.starts_with("UTMAREDG") || opcode.starts_with("UBLKRED");
  async.action = loads        ? AsyncAction::kLoad
                 : prefetches ? AsyncAction::kPrefetch
                 : reduces    ? AsyncAction::kReduce
                              : AsyncAction::kStore;
  if (statement.shared_destination.has_value() == prefetches) {
    reporter_.add(statement.access->place, "'" + opcode + "' needs a source of the form",
                  prefetches ? "@ GLOBAL" : (loads ? "@ SHARED <- GLOBAL signals MBARRIER" : "@ GLOBAL <- SHARED"));
    return;
  }
  const AccessSyntax& global = loads || prefetches ? *statement.access : *statement.shared_destination;
  add_remote(global, async);
  if (!prefetches) {
    const AccessSyntax& shared = loads ? *statement.shared_destination : *statement.access;
    async.shared = declarations_.buffers.access(shared, isa::MemSpace::kShared);
    if (async.shared.address != trace::kNoExpr &&
        (names_.pool()[async.shared.address].flags & trace::kDependsLane) != 0) {
      reporter_.add(shared.place, "the address of a bulk copy must be the same for all lanes");
    }
  }
  const bool by_map = async.map != trace::kNone;
  if (by_map != opcode.starts_with("UTMA")) {
    reporter_.add(global.place, "'" + opcode + "' copies " + (by_map ? "bytes" : "a box of a tensor"),
                  by_map ? "give it '@ BUFFER + OFFSET'" : "give it '@ TENSOR_MAP[x, ...]'");
  }
  async.bytes = by_map ? trace::kNoExpr : clause(statement, "bytes");
  const Clause* const signals = find_clause(statement, "signals");
  if (signals != nullptr && loads) {
    check_place(signals->barrier, opcode);
    declarations_.mbarriers.add_source(signals->barrier, async);
  } else if (loads != (signals != nullptr)) {
    reporter_.add(global.place, loads ? "'" + opcode + "' signals no mbarrier" : "'" + opcode + "' signals nothing",
                  loads ? "add 'signals MBARRIER[index]'" : "UTMACMDFLUSH and DEPBAR wait for it");
  }
  check_place(*statement.access, opcode);
  if (statement.shared_destination) {
    check_place(*statement.shared_destination, opcode);
  }
  if (has_part(opcode, "IM2COL")) {
    reporter_.add(statement.place, "'" + opcode + "': tensor maps of images (im2col) are not modelled",
                  "a tiled map of the same bytes comes near, for a filter of one point exactly");
  }
}

void KernelBuilder::check_place(const AccessSyntax& syntax, const std::string& opcode) {
  if (syntax.rank != kNoSyntax) {
    reporter_.add(syntax.place, "'" + opcode + "' takes no 'in cta' here",
                  "a load goes to several CTAs by 'multicast MASK', and signals the mbarrier of each that gets it");
  }
}

/// PTX ISA, cp.async.bulk.tensor: with .multicast::cluster a load goes to the CTAs of a mask, one bit per rank.
void KernelBuilder::add_multicast(const Statement& statement, const std::string& opcode, trace::DraftOp& op,
                                  DraftAsync& async) {
  const Clause* const found = find_clause(statement, "multicast");
  const bool given = found != nullptr;
  const Place place = given ? found->word.place : statement.access->place;
  if (given != has_part(opcode, "MULTICAST")) {
    reporter_.add(
        place, "'" + opcode + "' goes to " + (given ? "one CTA" : "several CTAs"),
        given ? "UTMALDG.2D.MULTICAST and its kin take 'multicast MASK'" : "add 'multicast MASK', one bit per rank");
    return;
  }
  if (!given) {
    return;
  }
  if (async.action != AsyncAction::kLoad) {
    reporter_.add(place, "'" + opcode + "' cannot go to several CTAs", "loads to shared memory can");
    return;
  }
  async.multicast = names_.uniform(found->value, "'multicast'");
  const std::int64_t ctas = kernel_.ctas_per_cluster();
  const trace::ExprNode& mask = names_.pool()[async.multicast];
  if (ctas == 1) {
    reporter_.add(place, "a copy to several CTAs, and each is alone", "'cluster (X, Y, Z)' in the kernel's head");
  } else if (names_.pool().is_constant(async.multicast) &&
             (mask.value <= 0 || mask.value >> std::min<std::int64_t>(ctas, trace::kMostMulticast) != 0)) {
    reporter_.add(place, "mask " + std::to_string(mask.value) + " names no CTA, or some outside the cluster",
                  "it has a bit for each of the ranks 0 to " +
                      std::to_string(std::min<std::int64_t>(ctas, trace::kMostMulticast) - 1));
  }
  kernel_.code[op.instr].of_cluster = true;
}

/// The side in global memory: "map[x, y]", or "buffer + bytes".
void KernelBuilder::add_remote(const AccessSyntax& syntax, DraftAsync& async) {
  if (declarations_.tensor_maps.add_source(syntax, async)) {
    return;
  }
  async.global = declarations_.buffers.access(syntax, isa::MemSpace::kGlobal);
  if (async.global.address != trace::kNoExpr &&
      (names_.pool()[async.global.address].flags & trace::kDependsLane) != 0) {
    reporter_.add(syntax.place, "the address of a bulk copy must be the same for all lanes");
  }
}

/// A run-time predicate is one that some poll writes; which one answers is decided by that.
void KernelBuilder::check_live_guards() {
  const auto is_polled = [&](const isa::Operand& guard) {
    return std::ranges::any_of(kernel_.code, [&](const isa::Instr& instr) {
      return instr.kind == OpKind::kPoll && instr.destinations[0].file == guard.file &&
             instr.destinations[0].index == guard.index;
    });
  };
  for (std::size_t i = 0; i < kernel_.code.size(); ++i) {
    if (kernel_.code[i].runtime_guard && !is_polled(kernel_.code[i].guard)) {
      reporter_.add({kernel_.texts[i].line, 0}, "the guard depends on 'live', but no poll writes its predicate",
                    "SYNCS.PHASECHK and USETMAXREG.TRY_ALLOC do");
    }
  }
}

}  // namespace gpusim::frontend
