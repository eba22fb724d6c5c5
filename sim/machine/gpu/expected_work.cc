// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/expected_work.h"

#include <algorithm>

#include "sim/base/problem.h"
#include "sim/model/trace/walker.h"

namespace gpusim::gpu {
namespace {

/// CTAs that are walked. If the CTAs of a grid differ, say in rows of a triangle, these three give the mean.
constexpr std::uint64_t kWalkedCtas = 3;

/// Steps of a warp, at most `most`.
std::uint64_t steps_of(const trace::Kernel& kernel, std::uint64_t cta, std::uint32_t warp, std::uint64_t most) {
  trace::Walker walker(kernel, trace::cta_at(cta, kernel.grid), warp);
  trace::Step step;
  std::uint64_t steps = 0;
  while (steps < most && walker.next(step)) {
    ++steps;
  }
  return steps;
}

/// The mean number of steps of a warp. It is measured on as many warps as `most_steps` allows, all warps of a CTA
/// before the next CTA.
double steps_a_warp(const trace::Kernel& kernel, std::uint64_t first, std::uint64_t end, std::uint64_t most_steps) {
  const std::uint64_t ctas = std::min(kWalkedCtas, end - first);
  std::uint64_t steps = 0;
  std::uint64_t warps = 0;
  for (std::uint64_t i = 0; i < ctas; ++i) {
    const std::uint64_t cta = first + (end - first) * i / ctas + (end - first) / (2 * ctas);
    for (std::uint32_t warp = 0; warp < kernel.warps_per_cta() && steps < most_steps; ++warp) {
      steps += steps_of(kernel, std::min(cta, end - 1), warp, most_steps - steps);
      ++warps;
    }
  }
  return static_cast<double>(steps) / static_cast<double>(std::max<std::uint64_t>(warps, 1));
}

}  // namespace

double expected_instructions(const trace::Kernel& kernel, std::uint64_t first, std::uint64_t end,
                             std::uint64_t most_steps) {
  const double warps = static_cast<double>(end - first) * kernel.warps_per_cta();
  if (trace::is_executed(kernel)) {  // what a warp does depends on those before it
    return warps * static_cast<double>(kernel.code.size());
  }
  try {
    return warps * steps_a_warp(kernel, first, end, most_steps);
  } catch (const InputError&) {  // its own simulation says so, if it comes to that CTA
  } catch (const CannotFinishError&) {
  }
  return warps * static_cast<double>(kernel.code.size());
}

}  // namespace gpusim::gpu
