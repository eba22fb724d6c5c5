// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/slice.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/model/arch/arch.h"

namespace gpusim::mem::l2 {

Slice::Slice(const Shared& shared, std::uint16_t local)
    : shared_(shared),
      local_(local),
      global_(shared.ports.wiring().index * shared.map.slices_per_partition() + local),
      config_(shared.arch.l2),
      is_ideal_(config_.model == arch::L2Model::kIdeal),
      input_(shared.arch, local, shared.ports, shared.calendar),
      tags_(config_, global_),
      home_misses_(config_.mshrs),
      copy_misses_(config_.mshrs),
      atomic_unit_(config_),
      output_(shared.arch, global_, shared.ports) {}

void Slice::restart() {
  input_.restart();
  output_.restart();
  stalls_ = {};
  resume_from_ = 0;
  atomic_unit_.restart();
  counters_ = {};
}

// ---- Results ----------------------------------------------------------------------------------------------------

stats::L2Counters Slice::counters() const {
  stats::L2Counters result = counters_;
  result.atomic_cycles = atomic_unit_.busy_cycles();
  output_.add_to(result);
  return result;
}

void Slice::add_to(stats::NocCounters& counters, Cycle end) const {
  input_.add_to(counters, end);
  output_.add_to(counters, end);
  counters.slice_request_stall_cycles += stalls_.any.cycles(end);
  counters.link_stall_cycles += stalls_.for_mirror.cycles(end);
  counters.dram_stall_cycles += stalls_.for_dram.cycles(end);
}

std::string Slice::leftovers() const {
  const std::pair<const char*, std::size_t> kinds[] = {
      {"queued requests", input_.size()},
      {"stalled requests", near_.requests.size() + far_.requests.size()},
      {"MSHRs", std::size_t{home_misses_.size()} + copy_misses_.size()},
      {"requests to the other half", far_operations_.used()},
      {"atomics", atomic_unit_.held()},
  };
  std::string text;
  for (const auto& [name, count] : kinds) {
    if (count != 0) {
      text += "slice " + std::to_string(global_) + ": " + std::to_string(count) + " " + name + " left\n";
    }
  }
  return text;
}

}  // namespace gpusim::mem::l2
