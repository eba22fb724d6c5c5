// SPDX-License-Identifier: MIT
#include "sim/output/view/view.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/result.h"
#include "sim/output/view/instruction.h"
#include "sim/output/view/roofs.h"

namespace gpusim::report {
namespace {

using stats::KernelResult;
using stats::Result;

double divided(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0.0;
}

std::string_view name_of_fp_pipe(const KernelResult& kernel) {
  return isa::kPipeNames[static_cast<std::size_t>(stats::busiest_fp_pipe(kernel))];
}

std::string wavefront_note(const stats::SmCounters& sm) {
  if (sm.shared_wavefronts <= sm.shared_ideal_wavefronts) {
    return sm.shared_wavefronts == 0 ? "" : "no bank conflicts";
  }
  return fmt::format(
      "{:.2f} x the wavefronts its bytes need",
      divided(static_cast<double>(sm.shared_wavefronts), static_cast<double>(sm.shared_ideal_wavefronts)));
}

std::string rows_note(const Result& run, const KernelView& view) {
  if (run.machine.dram_activates_per_second == 0) {
    return "simulated without";
  }
  return view.counts.dram.activates == 0 ? "none opened"
                                         : with_si_prefix(view.rows.per_second, "") + " opened a second, " +
                                               with_si_prefix(view.rows.bytes_each, "B") + " each";
}

std::vector<PortRow> make_ports(const Result& run, const KernelResult& raw) {
  const auto cycles = static_cast<double>(raw.cycles);
  std::vector<PortRow> rows;
  for (std::size_t i = 0; i < stats::kNocLevels.size(); ++i) {
    const stats::NocLevel& level = stats::kNocLevels[i];
    const std::uint32_t ports = run.machine.noc_ports.value_or(stats::NocPorts{})[i];
    const auto queues = static_cast<double>(level.queue_count(ports, run.machine.sms, run.machine.l2_slices));
    const auto share = [&](stats::NocLevel::Member member) {
      return member == nullptr ? std::nullopt
                               : std::optional(percent(static_cast<double>(raw.noc.*member), cycles * queues));
    };
    if (ports == 0 || (level.is_of_clusters && raw.noc.*level.bytes == 0)) {
      continue;
    }
    rows.push_back({level.name, level.advice, ports, stats::noc_level_pct(run, raw, level), share(level.full),
                    share(level.stall), std::nullopt});
    if (level.wait != nullptr) {
      rows.back().waiting = divided(static_cast<double>(raw.noc.*level.wait), cycles * ports);
    }
  }
  return rows;
}

std::string noc_note(const KernelView& view) {
  const PortRow* const busiest = busiest_ports(view);
  if (busiest == nullptr) {
    return "simulated without ports";
  }
  return busiest->busy_pct == 0 ? "no traffic" : "busiest: " + std::string(busiest->name);
}

std::vector<UnitRow> make_units(const Result& run, const KernelResult& raw, const KernelView& view) {
  const stats::Throughput& t = view.throughput;
  const double seconds = view.time_us * 1e-6;
  const double tensor_busy = view.pipes[static_cast<std::size_t>(isa::Pipe::kTensor)].busy_pct;
  const auto bandwidth = [&](double bytes) {
    return bytes == 0 ? std::string("no traffic") : with_si_prefix(divided(bytes, seconds), "B/s");
  };
  using enum stats::Bound;
  std::vector<UnitRow> rows{
      {"Tensor", kTensor, t.tensor_pct,
       tensor_busy > 0 ? fmt::format("of dense peak; pipe busy {:.1f} %", tensor_busy) : ""},
      {"FP and integer", kFp, t.fp_pct, t.fp_pct > 0 ? fmt::format("busiest: {} pipe", name_of_fp_pipe(raw)) : ""},
      {"Issue slots", kIssue, t.issue_pct, fmt::format("{:.2f} a cycle of an active SM", view.ipc_active)},
      {"L1", kL1, t.l1_stage_pct, fmt::format("{:.1f} % of active cycles", t.l1_stage_active_pct)},
      {"Shared memory", kShared, t.shared_pct, wavefront_note(raw.sm)},
      {"L2", kL2, t.l2_slices_pct, bandwidth(static_cast<double>(view.levels[2].bytes))},
      {"NoC", kNoc, t.noc_pct, noc_note(view)},
      {"DRAM", kDram, t.dram_pct,
       bandwidth(static_cast<double>(view.levels[3].bytes)) + "; peak " +
           with_si_prefix(run.machine.dram_bytes_per_second, "B/s")},
      {"DRAM rows", kDramRows, t.dram_rows_pct, rows_note(run, view)}};
  for (const stats::UnitShare& share : stats::unit_shares(run, raw)) {
    std::ranges::find(rows, share.unit, &UnitRow::bound)->deciding_pct = share.pct;
  }
  if (!view.counts_noc) {
    std::erase_if(rows, [](const UnitRow& row) { return row.bound == kNoc; });
  }
  return rows;
}

std::vector<StateRow> make_states(const KernelResult& raw) {
  const double all = static_cast<double>(stats::total(raw.stalls));
  std::vector<StateRow> rows;
  for (std::size_t i = 0; i < stats::kStallCount; ++i) {
    const double cycles = static_cast<double>(raw.stalls[i]);
    rows.push_back({static_cast<stats::Stall>(i), raw.stalls[i],
                    divided(cycles, static_cast<double>(raw.sm.warp_instructions)), percent(cycles, all)});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const StateRow& a, const StateRow& b) { return a.cycles > b.cycles; });
  return rows;
}

/// A line of compiled source has instructions of many kinds; each is a row.
using RowKey = std::pair<LineKey, std::string_view>;
RowKey row_key(const isa::InstrText& instr) {
  return {line_key(instr), instr.line == 0 ? std::string_view() : std::string_view(instr.opcode)};
}

/// Cycles of a waiting line that are due to a producing line, by state.
using Pair = std::tuple<RowKey, stats::Stall, RowKey>;  ///< producer, state, waiter
std::map<Pair, std::uint64_t> producer_cycles(const KernelResult& raw) {
  std::map<Pair, std::uint64_t> cycles;
  for (const stats::PcResult& pc : raw.pcs) {
    for (const stats::Blame& blame : pc.producers) {
      cycles[{row_key(raw.pcs[blame.producer]), blame.state, row_key(pc)}] += blame.cycles;
    }
  }
  return cycles;
}

/// Names the row that causes most of each row's main wait.
void name_producers(const std::map<Pair, std::uint64_t>& pairs, std::map<RowKey, LineRow>& by_line) {
  std::map<RowKey, std::uint64_t> most;
  for (const auto& [pair, cycles] : pairs) {
    const auto& [producer, state, waiter] = pair;
    LineRow& row = by_line[waiter];
    if (state == stats::main_wait(row.stalls) && cycles > most[waiter]) {
      most[waiter] = cycles;
      row.producer = by_line[producer];
    }
  }
}

std::vector<ProducerRow> make_producers(const std::map<Pair, std::uint64_t>& pairs,
                                        const std::map<RowKey, LineRow>& by_line, double all) {
  std::vector<ProducerRow> rows;
  std::uint64_t most = 0;
  const Pair* last = nullptr;
  for (const auto& [pair, cycles] : pairs) {
    const auto& [producer, state, waiter] = pair;
    if (last == nullptr || std::get<0>(*last) != producer || std::get<1>(*last) != state) {
      rows.push_back({by_line.at(producer), state, 0, 0, {}});
      most = 0;
    }
    last = &pair;
    ProducerRow& row = rows.back();
    row.cycles += cycles;
    row.share_pct = percent(static_cast<double>(row.cycles), all);
    if (cycles > most) {
      most = cycles;
      row.waiter = by_line.at(waiter);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ProducerRow& a, const ProducerRow& b) { return a.cycles > b.cycles; });
  return rows;
}

void note_main_wait(LineRow& row) {
  row.main_wait = stats::main_wait(row.stalls);
  if (row.main_wait) {
    const std::uint64_t cycles = row.stalls[static_cast<std::size_t>(*row.main_wait)];
    row.main_wait_pct = percent(static_cast<double>(cycles), static_cast<double>(row.cycles));
  }
}

void make_lines(const KernelResult& raw, KernelView& view) {
  std::map<RowKey, LineRow> by_line;
  std::uint32_t lines = 0;
  view.line_numbers.reserve(raw.pcs.size());
  for (const stats::PcResult& pc : raw.pcs) {
    LineRow& row = by_line[row_key(pc)];
    if (row.copies == 0) {
      row.number = lines++;
    }
    row.add(pc);
    view.line_numbers.push_back(row.number);
  }
  const double all = static_cast<double>(stats::total(raw.stalls));
  const std::map<Pair, std::uint64_t> pairs = producer_cycles(raw);
  name_producers(pairs, by_line);
  view.producers = make_producers(pairs, by_line, all);
  for (auto& [key, row] : by_line) {
    row.cycles = stats::total(row.stalls);
    row.share_pct = percent(static_cast<double>(row.cycles), all);
    note_main_wait(row);
    if (row.cycles > 0) {
      view.lines.push_back(std::move(row));
    }
  }
  std::stable_sort(view.lines.begin(), view.lines.end(),
                   [](const LineRow& a, const LineRow& b) { return a.cycles > b.cycles; });
}

std::optional<double> hit_rate(std::uint64_t hits, std::uint64_t lookups) {
  return lookups == 0 ? std::nullopt : std::optional(percent(static_cast<double>(hits), static_cast<double>(lookups)));
}

/// Sectors of every access to the L1s, whether it looked them up or not.
std::uint64_t all_l1_sectors(const KernelResult& kernel) {
  const stats::L1Counters& l1 = kernel.l1;
  return l1.load_sectors + l1.store_sectors + l1.atomic_sectors + l1.bypass_sectors + kernel.local.store_sectors;
}

/// Sectors of every request to L2.
std::uint64_t all_l2_sectors(const KernelResult& kernel) {
  const stats::L2Counters& l2 = kernel.l2;
  return l2.read_sectors + l2.write_sectors + l2.atomic_sectors;
}

std::vector<LevelRow> make_levels(const KernelResult& raw, const KernelView& view) {
  const stats::L1Counters& l1 = raw.l1;
  const stats::L2Counters& l2 = raw.l2;
  const stats::DramCounters& dram = raw.dram;
  const std::uint64_t l1_sectors = all_l1_sectors(raw);
  const std::uint64_t l2_sectors = all_l2_sectors(raw);
  const std::uint64_t shared_bytes = raw.sm.shared_read_bytes + raw.sm.shared_write_bytes;
  const std::uint64_t dram_bytes = dram.read_bytes + dram.write_bytes;
  const std::uint64_t row_lookups = dram.row_hits + dram.row_misses + dram.row_conflicts;
  const stats::Throughput& t = view.throughput;
  std::vector<LevelRow> rows{
      {"L1", l1.requests, l1_sectors, hit_rate(l1.load_hits, l1.load_sectors), l1_sectors * kSectorBytes, 0,
       t.l1_stage_pct},
      {"Shared memory", raw.sm.shared_requests, shared_bytes / kSectorBytes, {}, shared_bytes, 0, t.shared_pct},
      {"L2", l2.requests, l2_sectors, hit_rate(l2.read_hits, l2.read_sectors), l2_sectors * kSectorBytes, 0,
       t.l2_slices_pct},
      {"DRAM", {}, dram_bytes / kSectorBytes, hit_rate(dram.row_hits, row_lookups), dram_bytes, 0, t.dram_pct}};
  for (LevelRow& row : rows) {
    row.bytes_per_second = divided(static_cast<double>(row.bytes), view.time_us * 1e-6);
  }
  return rows;
}

std::array<PipeRow, isa::kPipes> make_pipes(const Result& run, const KernelResult& raw) {
  std::array<PipeRow, isa::kPipes> rows{};
  for (std::size_t p = 0; p < isa::kPipes; ++p) {
    rows[p] = {isa::kPipeNames[p], raw.pipe_instructions[p], stats::pipe_pct(run, raw, static_cast<isa::Pipe>(p))};
  }
  return rows;
}

DramRows make_rows(const stats::DramCounters& dram, double time_us) {
  DramRows rows;
  rows.bursts = dram.row_hits + dram.row_misses + dram.row_conflicts;
  const auto share = [&rows](std::uint64_t count) {
    return percent(static_cast<double>(count), static_cast<double>(rows.bursts));
  };
  rows.hit_pct = share(dram.row_hits);
  rows.miss_pct = share(dram.row_misses);
  rows.conflict_pct = share(dram.row_conflicts);
  const auto activates = static_cast<double>(dram.activates);
  rows.per_second = divided(activates, time_us * 1e-6);
  rows.bytes_each = divided(static_cast<double>(dram.read_bytes + dram.write_bytes), activates);
  return rows;
}

bool is_local(const stats::PcResult& pc) {
  return pc.opcode.starts_with("LDL") || pc.opcode.starts_with("STL");
}

/// Warp-cycles spent on local memory: issuing its instructions, waiting for room for them and for what they load.
std::uint64_t local_memory_cycles(const KernelResult& kernel) {
  std::uint64_t cycles = 0;
  for (const stats::PcResult& pc : kernel.pcs) {
    if (is_local(pc)) {
      cycles += pc.stalls[static_cast<std::size_t>(stats::Stall::kSelected)] +
                pc.stalls[static_cast<std::size_t>(stats::Stall::kLgThrottle)];
    }
    for (const stats::Blame& blame : pc.producers) {
      const bool waits = blame.state == stats::Stall::kLongScoreboard;
      cycles += waits && is_local(kernel.pcs[blame.producer]) ? blame.cycles : 0;
    }
  }
  return cycles;
}

LocalMemory make_local_memory(const KernelResult& kernel) {
  const stats::LocalCounters& local = kernel.local;
  const std::uint64_t moved = local.fill_sectors + local.written_back_sectors;
  return {percent(static_cast<double>(local.load_hits), static_cast<double>(local.load_sectors)), moved * kSectorBytes,
          percent(static_cast<double>(moved), static_cast<double>(kernel.l2.read_sectors + kernel.l2.write_sectors)),
          percent(static_cast<double>(local_memory_cycles(kernel)), static_cast<double>(stats::total(kernel.stalls)))};
}

Translations make_translations(const stats::TlbCounters& tlb) {
  const auto misses = static_cast<double>(tlb.l1_misses);
  return {percent(misses, static_cast<double>(tlb.l1_lookups)), divided(static_cast<double>(tlb.wait_cycles), misses)};
}

double after_warps_pct(const KernelResult& kernel) {
  const std::vector<Cycle>& active = kernel.sm_active_cycles;
  const Cycle last = active.empty() ? kernel.cycles : std::ranges::max(active);
  const Cycle alone = kernel.cycles - std::min(kernel.cycles, last);
  return percent(static_cast<double>(alone), static_cast<double>(kernel.cycles));
}

double waves(const Result& result, const KernelResult& kernel) {
  const std::uint64_t clusters = kernel.occupancy.resident_clusters;
  const std::uint64_t at_once = clusters != 0 ? clusters * kernel.cluster.volume()
                                              : std::uint64_t{result.machine.sms} * kernel.occupancy.ctas_per_sm;
  return divided(static_cast<double>(kernel.simulated_ctas), static_cast<double>(at_once));
}

void make_ratios(const Result& result, const KernelResult& kernel, KernelView& view) {
  view.sms = result.machine.sms;
  view.sub_cores_per_sm = result.machine.sub_cores_per_sm;
  view.counts_noc = result.machine.noc_ports.has_value();
  view.time_us = stats::time_us(result, kernel);
  view.ipc_active = stats::ipc_active(kernel);
  view.achieved_pct = stats::achieved_occupancy_pct(kernel);
  view.avg_active_lanes = stats::avg_active_lanes(kernel);
  view.avg_lanes_on = stats::avg_lanes_on(kernel);
  view.branch_efficiency_pct = stats::branch_efficiency_pct(kernel);
  view.waves = waves(result, kernel);
  view.throughput = stats::throughput(result, kernel);
  view.bound = stats::bound(result, kernel);
  view.cycles_per_instruction =
      divided(static_cast<double>(stats::total(kernel.stalls)), static_cast<double>(kernel.sm.warp_instructions));
  view.energy_mj = stats::energy_mj(result, kernel);
  view.after_warps_pct = after_warps_pct(kernel);
}

KernelView make_kernel(const Result& result, const KernelResult& kernel) {
  KernelView view(kernel, kernel.pcs);
  view.record = kernel.record ? &*kernel.record : nullptr;
  make_ratios(result, kernel, view);
  view.rows = make_rows(kernel.dram, view.time_us);
  view.pipes = make_pipes(result, kernel);
  view.levels = make_levels(kernel, view);
  view.all_hits = {stats::l1_all_hit_pct(kernel), stats::l2_all_hit_pct(kernel)};
  view.ports = make_ports(result, kernel);
  view.units = make_units(result, kernel, view);
  view.states = make_states(kernel);
  if (const std::optional<stats::Stall> wait = stats::main_wait(kernel.stalls)) {
    view.main_wait = *std::ranges::find(view.states, *wait, &StateRow::state);
  }
  make_lines(kernel, view);
  view.roofs = make_roofs(result, kernel, view);
  view.requests = {{{"loads", kernel.l1.global_load_requests, stats::sectors_per_load(kernel)},
                    {"stores", kernel.l1.global_store_requests, stats::sectors_per_store(kernel)},
                    {"atomics", kernel.l1.global_atomic_requests, stats::sectors_per_atomic(kernel)}}};
  view.local_memory = make_local_memory(kernel);
  view.translations = make_translations(kernel.tlb);
  return view;
}

}  // namespace

View make_view(const Result& result) {
  View view{result, result.watch};
  std::uint64_t instructions = 0;
  view.kernels.reserve(result.kernels.size());
  for (const KernelResult& kernel : result.kernels) {
    instructions += kernel.sm.warp_instructions;
    view.kernels.push_back(make_kernel(result, kernel));
  }
  for (const KernelView& kernel : view.kernels) {
    view.total_us += kernel.time_us;
    view.launch_us += kernel.counts.launch_us;
  }
  for (KernelView& kernel : view.kernels) {
    kernel.time_pct = percent(kernel.time_us, view.total_us);
  }
  view.warp_instructions_per_second = divided(static_cast<double>(instructions), result.host.seconds);
  return view;
}

const UnitRow& busiest_unit(const KernelView& view) {
  return *std::ranges::max_element(view.units, {}, &UnitRow::deciding_pct);
}

const PortRow* busiest_ports(const KernelView& view) {
  const auto busiest = std::ranges::max_element(view.ports, {}, &PortRow::busy_pct);
  return busiest == view.ports.end() ? nullptr : &*busiest;
}

double percent(double part, double whole) {
  return 100.0 * divided(part, whole);
}

std::string to_text(const Dim3& dim) {
  return fmt::format("({}, {}, {})", dim.x, dim.y, dim.z);
}

}  // namespace gpusim::report
