// SPDX-License-Identifier: MIT
#include "sim/machine/sm/fetch/constant_cache.h"

#include <algorithm>

#include "sim/machine/lower/constant_operand.h"
#include "sim/model/arch/sm_config.h"

namespace gpusim::sm {
namespace {

/// Lines of all banks together.
constexpr std::uint64_t kEndLine = std::uint64_t{32} * lower::kConstantBankBytes / lower::kConstantLineBytes;

LineCache constants_of_bytes(std::uint64_t bytes, std::uint32_t ways) {
  return {bytes / lower::kConstantLineBytes, ways, kEndLine};
}

}  // namespace

ConstantCaches::ConstantCaches(const arch::SmConfig& config, std::span<const lower::ConstantLine> lines,
                               InstructionL1& l1)
    : lines_(lines),
      l1_(l1),
      operand_latency_(config.constant.miss_latency),
      load_latency_(config.constant.l1_miss_latency),
      operands_(config.sub_cores, constants_of_bytes(config.constant.l0_bytes, config.constant.l0_ways)),
      loads_(constants_of_bytes(config.constant.l1_bytes, config.constant.l1_ways)) {}

Cycle ConstantCaches::fetch(LineCache& cache, const lower::ConstantLine& line, Cycle now, std::uint32_t latency) {
  ++counters_.l1_requests;
  const Cycle arrival = l1_.request(line.l1_number, InstructionL1::Kind::kDemand, now, latency);
  cache.insert(line.number, arrival);
  return arrival;
}

}  // namespace gpusim::sm
