// SPDX-License-Identifier: MIT
// That a result does not depend on how the host works it off.
#pragma once

#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

namespace gpusim::test {

/// Simulates with the host's defaults, then with three threads, a third of the window and the domains in reverse order:
/// both must give the same bytes. The runs themselves check the invariants of conservation.
inline stats::Result same_in_any_order(const arch::Arch& arch, const trace::Trace& trace) {
  gpu::SimulateOptions options;
  stats::Result one = gpu::simulate(arch, trace, options);
  options.threads = 3;
  options.window_divisor = 3;
  options.reverse_domain_order = true;
  stats::Result other = gpu::simulate(arch, trace, options);
  other.host = {};
  CHECK(report::to_json(other) == report::to_json(one));
  return one;
}

}  // namespace gpusim::test
