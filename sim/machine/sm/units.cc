// SPDX-License-Identifier: MIT
#include "sim/machine/sm/units.h"

#include <algorithm>

#include "sim/model/arch/arch.h"

namespace gpusim::sm {
namespace {

/// After how many cycles, at least, an instruction that issues in one sub-core concerns another: when it gets to the
/// load/store unit, opens a barrier, or is through the tensor cores that a warpgroup shares.
Cycle least_reach(const arch::SmConfig& config, const lower::KernelImage& image) {
  std::uint32_t least = std::min(LsuTiming(config).address_cycles(0), config.barrier_latency);
  for (const lower::WarpOp& op : image.ops) {
    least = op.kind == isa::OpKind::kWgmma ? std::min(least, op.latency) : least;
  }
  if (config.wgmma.result_latency != 0) {
    least = std::min(least, config.wgmma.result_latency);
  }
  return std::max(least, 1U);
}

}  // namespace

Units::Units(const arch::Arch& arch, const SmWiring& wiring, const SmJob& job)
    : warps(arch.sm.limits.warps_per_sm, arch.sm.sub_cores),
      ctas(job.ctas_per_sm, arch.sm.limits.warps_per_sm, arch.sm.sub_cores),
      sub_cores(arch.sm),
      dependences(*job.image, warps, sub_cores, events),
      ledger(wiring.place.index, warps, ctas, sub_cores, dependences, job.watch),
      instruction_l1(arch.sm.front_end, job.image->code_lines, job.image->constant_lines),
      front_end(arch.sm, instruction_l1, job.image->code_lines, events),
      constants(arch.sm, job.image->constants, instruction_l1),
      cta_log(job.cta_log_end == 0
                  ? std::nullopt
                  : std::optional<CtaLog>(std::in_place, wiring.place.index, job.ctas_per_sm, job.cta_log_end)),
      memory(arch, wiring.place, {job.image->kernel, job.ctas_per_sm, job.l1_bytes}, constants, events),
      wgmma(arch.sm, job.ctas_per_sm, job.image->kernel->warps_per_cta(), memory.shared(), warps, sub_cores, events),
      barriers(ctas, arch.sm, events),
      clusters(arch.noc, *job.image, wiring.place.index, wiring.router, ctas, warps, sub_cores, memory, outbox),
      polls(*job.image, warps, sub_cores, memory, memory.sync(), events),
      residency(*job.image, wiring.place.index, wiring.dispatcher, arch.launch.completion_latency,
                {ctas, warps, sub_cores, dependences, front_end, memory, barriers, clusters, ledger, outbox}, cta_log,
                job.execution),
      executor(*job.image, {warps, sub_cores, memory, barriers, clusters, wgmma, events}),
      issuer(arch.sm, *job.image,
             {warps, sub_cores, dependences, ledger, front_end, constants, wgmma, residency, polls, executor, events}),
      reach(least_reach(arch.sm, *job.image)) {
  if (job.warm_code) {
    instruction_l1.load_all();
  }
}

}  // namespace gpusim::sm
