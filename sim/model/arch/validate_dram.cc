// SPDX-License-Identifier: MIT
// What DRAM must hold: counts that divide, timings that do not contradict each other, pins that give the bandwidth.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/base/types.h"
#include "sim/model/arch/dram_mapping.h"
#include "sim/model/arch/validator.h"
#include "sim/model/policy/dram/bank_set.h"
#include "sim/model/policy/dram/table.h"

namespace gpusim::arch {

namespace {

/// Data pins of a stack of that type, or of a chip; 0 where JEDEC says nothing (JESD235, JESD238, JESD270, JESD250).
std::uint32_t pins_of_stack(std::string_view type) {
  static constexpr std::pair<std::string_view, std::uint32_t> kPins[]{{"HBM4", 2048}, {"HBM", 1024}, {"GDDR", 32}};
  const auto* const found = std::ranges::find_if(kPins, [&](const auto& one) { return type.starts_with(one.first); });
  return found == std::end(kPins) ? 0 : found->second;
}

}  // namespace

void Validator::check_dram() {
  const DramConfig& dram = arch_.dram;
  divides({"dram.stacks", dram.stacks}, {"dram.channels", dram.channels});
  divides({"l2.partitions", arch_.l2.partitions}, {"dram.channels", dram.channels});
  divides({"dram.burst_bytes", dram.burst_bytes}, {"dram.row_bytes", dram.row_bytes});
  const Rule pairs{"dram.row_bus", "dram.channels", "l2.partitions"};
  if (knows(pairs) && dram.row_bus == RowBus::kShared && dram.channels % (2 * arch_.l2.partitions) != 0) {
    add(pairs,
        "takes two pseudo-channels of one partition, but each of " + std::to_string(arch_.l2.partitions) +
            " has no even number of " + std::to_string(dram.channels),
        "set 'dram.row_bus' to " + std::string(word_of(RowBus::kOwn)));
  }
  const Rule cap{"dram.scheduler_cap", "dram.scheduler"};
  const auto takes_cap = [](const policy::DramSchedulerInfo& info) { return info.option == "dram.scheduler_cap"; };
  if (dram.scheduler_cap != 0 && knows(cap) &&
      !takes_cap(policy::kDramSchedulers[static_cast<std::size_t>(dram.scheduler)])) {
    add(cap, "is for " + std::string(std::ranges::find_if(policy::kDramSchedulers, takes_cap)->name) + " alone");
  }
  check_bursts();
  check_mapping();
  check_bus();
  const Rule marks{"dram.write_low_percent", "dram.write_high_percent"};
  if (knows(marks) && dram.write_low_percent >= dram.write_high_percent) {
    add(marks, "is not below 'dram.write_high_percent'");
  }
}

/// What the scheduler's data structures take: a bank is a bit of a mask, a burst one to four sectors of a line, and a
/// line lies in one row.
void Validator::check_bursts() {
  constexpr std::uint32_t kMostBanks = policy::BankSet::kMostBanks;
  const DramConfig& dram = arch_.dram;
  const Rule banks{"dram.banks_per_group", "dram.bank_groups"};
  if (knows(banks) && dram.bank_groups * dram.banks_per_group > kMostBanks) {
    add(banks, "is " + std::to_string(dram.banks_per_group) + " for each of 'dram.bank_groups', " +
                   std::to_string(dram.bank_groups) + ": more than " + std::to_string(kMostBanks) + " banks in all");
  }
  const bool whole_sectors = dram.burst_bytes == 32 || dram.burst_bytes == 64 || dram.burst_bytes == 128;
  if (knows({"dram.burst_bytes"}) && !whole_sectors) {
    add({"dram.burst_bytes"}, "is " + std::to_string(dram.burst_bytes) + ", neither 32 nor 64 nor 128");
  }
  if (knows({"dram.row_bytes"}) && dram.row_bytes % kLineBytes != 0) {
    add({"dram.row_bytes"}, "is not a multiple of a line's 128 bytes");
  }
}

void Validator::check_mapping() {
  const DramConfig& dram = arch_.dram;
  const Rule mapping{"dram.mapping", "dram.row_bytes", "dram.bank_groups", "dram.banks_per_group"};
  if (knows(mapping) && dram.row_bytes % kLineBytes == 0) {
    if (const auto parsed = parse_mapping(dram); const auto* problem = std::get_if<MappingProblem>(&parsed)) {
      add(mapping, problem->what, problem->hint);
    }
  }
}

void Validator::check_bus() {
  const DramConfig& dram = arch_.dram;
  const Rule rule{"dram.channels", "dram.channel_bits", "dram.stacks"};
  const std::uint64_t pins = pins_of_stack(dram.type);
  if (pins != 0 && knows(rule) && std::uint64_t{dram.channels} * dram.channel_bits > dram.stacks * pins) {
    add(rule,
        "is " + std::to_string(dram.channels) + ", with " + std::to_string(dram.channel_bits) +
            " pins each ('dram.channel_bits') more than the bus: 'dram.stacks' is " + std::to_string(dram.stacks) +
            ", and one of " + dram.type + " has " + std::to_string(pins),
        "change 'dram.stacks' too");
  }
}

void Validator::check_dram_timing() {
  const DramTimings& t = arch_.dram.timing;
  at_most({"dram.timing.BL", t.BL}, {"dram.timing.CCDS", t.CCDS});
  at_most({"dram.timing.CCDS", t.CCDS}, {"dram.timing.CCDL", t.CCDL});
  at_most({"dram.timing.RRDS", t.RRDS}, {"dram.timing.RRDL", t.RRDL});
  at_most({"dram.timing.WTRS", t.WTRS}, {"dram.timing.WTRL", t.WTRL});
  at_most({"dram.timing.RRDS", t.RRDS}, {"dram.timing.FAW", t.FAW});
  at_most({"dram.timing.RRDL", t.RRDL}, {"dram.timing.FAW", t.FAW});
  at_most({"dram.timing.RTP", t.RTP}, {"dram.timing.RAS", t.RAS});
  at_most({"dram.timing.RCDRD", t.RCDRD}, {"dram.timing.RAS", t.RAS});
  at_most({"dram.timing.RCDWR", t.RCDWR}, {"dram.timing.RAS", t.RAS});
  check_row_cycle();
  check_refresh();
  check_turnaround();
}

/// A row is open for RAS, then its bank precharges for RP.
void Validator::check_row_cycle() {
  const DramTimings& t = arch_.dram.timing;
  const Rule rule{"dram.timing.RC", "dram.timing.RAS", "dram.timing.RP"};
  if (!knows(rule)) {
    return;
  }
  // Times are rounded up to clocks one by one, so the sum of two is at most one clock more than their rounded sum.
  const bool exact =
      std::ranges::all_of(rule, [this](std::string_view key) { return sheet_.find(key)->text.ends_with("clocks"); });
  if (t.RC + (exact ? 0 : 1) < t.RAS + t.RP) {
    add(rule, "is " + std::to_string(t.RC) + ", below 'dram.timing.RAS' + 'dram.timing.RP', " +
                  std::to_string(t.RAS + t.RP) + ": a row is open for RAS, and then its bank precharges for RP");
  }
}

void Validator::check_refresh() {
  const DramTimings& t = arch_.dram.timing;
  const Rule time{"dram.timing.RFC", "dram.timing.RAS", "dram.timing.RP", "dram.timing.REFI"};
  if (knows(time) && t.RFC + t.RAS + t.RP >= t.REFI) {
    add(time, "leaves no time for a row cycle between refreshes ('dram.timing.REFI')");
  }
  for (const Named& refresh : {Named{"dram.timing.RFC", t.RFC}, Named{"dram.timing.RFCpb", t.RFCpb}}) {
    const Rule cycle{refresh.key, "dram.timing.RAS", "dram.timing.RP"};
    if (knows(cycle) && refresh.value < t.RAS + t.RP) {
      add(cycle, "is " + std::to_string(refresh.value) + ", below a row cycle, 'dram.timing.RAS' + 'dram.timing.RP', " +
                     std::to_string(t.RAS + t.RP) + ": a refresh opens and closes rows");
    }
  }
  const std::uint64_t banks = std::uint64_t{arch_.dram.bank_groups} * arch_.dram.banks_per_group;
  const Rule rate{"dram.timing.RREFD", "dram.timing.REFI", "dram.bank_groups", "dram.banks_per_group"};
  if (knows(rate) && banks * t.RREFD >= t.REFI) {
    add(rate, "is " + std::to_string(t.RREFD) + ": refreshes of " + std::to_string(banks) +
                  " banks, one after another, take all of 'dram.timing.REFI', " + std::to_string(t.REFI));
  }
  if (knows({"dram.refresh", "dram.bank_groups", "dram.banks_per_group"}) &&
      arch_.dram.refresh == DramRefresh::kTwoBank && banks % 2 != 0) {
    add({"dram.refresh", "dram.bank_groups", "dram.banks_per_group"},
        "takes two banks, but there are " + std::to_string(banks));
  }
  check_work_between_refreshes();
}

/// Between refreshes a request must get through, whatever it waits for; what leaves less time has a message of its own.
void Validator::check_work_between_refreshes() {
  const DramTimings& t = arch_.dram.timing;
  std::uint64_t work = 0;
  for (const Named& one :
       {Named{"dram.timing.CL", t.CL}, Named{"dram.timing.CWL", t.CWL}, Named{"dram.timing.RCDRD", t.RCDRD},
        Named{"dram.timing.RCDWR", t.RCDWR}, Named{"dram.timing.RP", t.RP}, Named{"dram.timing.RAS", t.RAS},
        Named{"dram.timing.CCDS", t.CCDS}, Named{"dram.timing.CCDL", t.CCDL}, Named{"dram.timing.RRDS", t.RRDS},
        Named{"dram.timing.RRDL", t.RRDL}, Named{"dram.timing.FAW", t.FAW}, Named{"dram.timing.WR", t.WR},
        Named{"dram.timing.RTP", t.RTP}, Named{"dram.timing.WTRS", t.WTRS}, Named{"dram.timing.WTRL", t.WTRL},
        Named{"dram.timing.RTW", t.RTW}, Named{"dram.timing.BL", t.BL}}) {
    if (!is_readable(one.key)) {
      return;
    }
    work += one.value;
  }
  const std::uint64_t banks = std::uint64_t{arch_.dram.bank_groups} * arch_.dram.banks_per_group;
  const Rule rule{"dram.timing.REFI",  "dram.refresh",     "dram.timing.RFC",     "dram.timing.RFCpb",
                  "dram.timing.RREFD", "dram.bank_groups", "dram.banks_per_group"};
  if (!knows(rule) || t.RFC + t.RAS + t.RP >= t.REFI || banks * t.RREFD >= t.REFI) {
    return;
  }
  const bool all_banks = arch_.dram.refresh == DramRefresh::kAllBank;
  const std::uint64_t refreshing = all_banks ? t.RFC : t.RFCpb + banks * t.RREFD;
  if (t.REFI <= refreshing + work) {
    const std::uint64_t left = t.REFI - std::min<std::uint64_t>(t.REFI, refreshing);
    add(rule, "is " + std::to_string(t.REFI) + " clocks; refreshes take " + std::to_string(refreshing) +
                  " of them, and the " + std::to_string(left) + " left are no more than the " + std::to_string(work) +
                  " that all other timings add up to: a request might never be served");
  }
}

/// Data of a read and of the write after it share the pins.
void Validator::check_turnaround() {
  const DramTimings& t = arch_.dram.timing;
  const Rule rule{"dram.timing.RTW", "dram.timing.CL", "dram.timing.BL", "dram.timing.CWL"};
  if (knows(rule) && t.RTW + t.CWL < t.CL + t.BL) {
    add(rule, "is " + std::to_string(t.RTW) + ", below 'dram.timing.CL' + 'dram.timing.BL' - 'dram.timing.CWL', " +
                  std::to_string(t.CL + t.BL - t.CWL) + ": a write's data would meet that of the read before it");
  }
}

void Validator::check_pin_rate() {
  // The data of one column command, once from the pins and once from the commands.
  constexpr double kTolerance = 0.01;
  const Rule rule{"dram.command_hz", "clocks.memory", "dram.channel_bits", "dram.burst_bytes", "dram.timing.BL"};
  if (!knows(rule)) {
    return;
  }
  const DramConfig& dram = arch_.dram;
  const double seconds = static_cast<double>(dram.timing.BL) / static_cast<double>(dram.command_hz);
  const double bytes = 2.0 * static_cast<double>(arch_.clocks.memory) * dram.channel_bits / 8.0 * seconds;
  if (std::abs(bytes - dram.burst_bytes) > kTolerance * dram.burst_bytes) {
    add(rule,
        "does not fit 'clocks.memory': in 'dram.timing.BL' the pins move " + std::to_string(std::llround(bytes)) +
            " bytes, 'dram.burst_bytes' is " + std::to_string(dram.burst_bytes),
        "to change the bandwidth, use --set dram.bandwidth=...");
  }
}

}  // namespace gpusim::arch
