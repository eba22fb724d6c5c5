// SPDX-License-Identifier: MIT
#include <map>

#include "sim/model/arch/arch.h"

#include "tests/machine/mem/dram/presets.h"
#include "tests/machine/mem/dram/reference.h"

namespace gpusim::test {

namespace {

struct PartFacts {
  arch::DramConfig config;
  std::uint32_t pseudo_channels;
  std::uint32_t stack_ids;
  std::uint32_t ticks_per_clock;
  std::uint32_t read_entries;  ///< entries of setup B
  std::uint32_t write_entries;
};

const std::map<std::string, PartFacts>& facts() {
  static const std::map<std::string, PartFacts> all{
      {"HBM2 2pc", {hbm2(), 2, 1, 1, 64, 64}},  {"HBM2 1pc", {hbm2(), 1, 1, 1, 64, 64}},
      {"HBM3 2pc", {hbm3(), 2, 2, 2, 128, 64}}, {"HBM3 1pc", {hbm3(), 1, 2, 2, 128, 64}},
      {"GDDR6", {gddr6(), 1, 1, 1, 32, 32}},    {"GDDR6 lv", {gddr6_low_voltage(), 1, 1, 1, 32, 32}},
  };
  return all;
}

}  // namespace

ReferencePart reference_part(const ReferenceRow& row) {
  const PartFacts& part = facts().at(row.part);
  const bool shallow = row.setup != 'B' && row.setup != 'E';
  ReferencePart result{row.setup,
                       part.config,
                       part.pseudo_channels,
                       part.stack_ids,
                       part.ticks_per_clock,
                       shallow ? 32 : part.read_entries,
                       shallow ? 32 : part.write_entries};
  // The marks are shares of the write queue there, of queue_entries here.
  result.config.queue_entries = result.read_entries;
  result.config.write_high_percent = 80 * result.write_entries / result.read_entries;
  result.config.write_low_percent = 20 * result.write_entries / result.read_entries;
  if (row.setup == 'E') {
    result.config.timing.REFI = 0;
  }
  return result;
}

}  // namespace gpusim::test
