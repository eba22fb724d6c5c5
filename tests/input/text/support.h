// SPDX-License-Identifier: MIT
// Short ways to load, walk and fail on traces given as text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"
#include "sim/model/trace/walker.h"

namespace gpusim::test {

[[nodiscard]] trace::Trace load(const std::string& text, const trace::ParameterChoice& choice = {});

/// A trace of one kernel: `head` are its lines before `code`, `code` those after.
[[nodiscard]] std::string kernel_text(const std::string& head, const std::string& code);
/// As above with a grid of one CTA of 32 threads.
[[nodiscard]] trace::Trace one_warp(const std::string& code, const std::string& more_head = "");

/// What loading says is wrong.
[[nodiscard]] std::string load_error(const std::string& text, const trace::ParameterChoice& choice = {});

struct Event {
  std::string opcode;
  std::uint32_t pc = 0;
  LaneMask active = 0;
  LaneMask mask = 0;
};
/// All steps of one warp, at most `most`.
[[nodiscard]] std::vector<Event> walk(const trace::Kernel& kernel, trace::CtaId cta = {}, std::uint32_t warp = 0,
                                      std::size_t most = 100'000, trace::Simt simt = trace::Simt::kStack);
/// "FADD FADD BRA EXIT": opcodes in order.
[[nodiscard]] std::string opcodes(const std::vector<Event>& events);

/// Addresses of every memory step of one warp, lanes that take no part as 0.
using Lanes = std::array<Address, kWarpLanes>;
[[nodiscard]] std::vector<Lanes> addresses(const trace::Kernel& kernel, trace::CtaId cta = {}, std::uint32_t warp = 0,
                                           trace::AccessSlot slot = trace::AccessSlot::kPrimary,
                                           std::size_t most = 100'000);

/// Walks every warp of every CTA with all its addresses.
void walk_all(const trace::Kernel& kernel);

/// What walking all of it says is wrong.
[[nodiscard]] std::string walk_error(const std::string& text);

}  // namespace gpusim::test
