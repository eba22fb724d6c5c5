// SPDX-License-Identifier: MIT
#include "tests/input/text/support.h"

#include "sim/base/problem.h"
#include "sim/input/text/load.h"

namespace gpusim::test {

using trace::Kernel;
using trace::Step;
using trace::Walker;

trace::Trace load(const std::string& text, const trace::ParameterChoice& choice) {
  return frontend::load_trace_text(text, "t.trace", choice);
}

std::string kernel_text(const std::string& head, const std::string& code) {
  return "gpusim trace 1\nkernel k\n" + head + "code\n" + code + "end\n";
}

trace::Trace one_warp(const std::string& code, const std::string& more_head) {
  return load(kernel_text("grid (1)\nblock (32)\n" + more_head, code));
}

std::string load_error(const std::string& text, const trace::ParameterChoice& choice) {
  try {
    (void)load(text, choice);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<Event> walk(const Kernel& kernel, trace::CtaId cta, std::uint32_t warp, std::size_t most,
                        trace::Simt simt) {
  std::vector<Event> events;
  Walker walker(kernel, cta, warp, trace::PollAnswers::kAlwaysYes, simt);
  Step step;
  while (events.size() < most && walker.next(step)) {
    events.push_back({kernel.texts[step.pc].opcode, step.pc, step.active, step.mask});
  }
  return events;
}

std::string opcodes(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) {
    text += (text.empty() ? "" : " ") + event.opcode;
  }
  return text;
}

std::vector<Lanes> addresses(const Kernel& kernel, trace::CtaId cta, std::uint32_t warp, trace::AccessSlot slot,
                             std::size_t most) {
  std::vector<Lanes> all;
  Walker walker(kernel, cta, warp);
  Step step;
  for (std::size_t steps = 0; steps < most && walker.next(step); ++steps) {
    if (!kernel.code[step.pc].is_memory()) {
      continue;
    }
    const trace::LaneAddresses got = walker.addresses(slot);
    Lanes& lanes = all.emplace_back();
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      lanes[lane] = (step.mask >> lane & 1U) != 0 ? got.base + static_cast<Address>(got.offsets[lane]) : 0;
    }
  }
  return all;
}

void walk_all(const Kernel& kernel) {
  for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
    for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
      (void)addresses(kernel, trace::cta_at(cta, kernel.grid), warp);
      (void)addresses(kernel, trace::cta_at(cta, kernel.grid), warp, trace::AccessSlot::kSharedDestination);
    }
  }
}

std::string walk_error(const std::string& text) {
  const trace::Trace trace = load(text);
  try {
    for (const Kernel& kernel : trace.kernels) {
      walk_all(kernel);
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace gpusim::test
