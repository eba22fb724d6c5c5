// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/l2_window.h"

#include <algorithm>
#include <string_view>

#include "sim/base/text.h"
#include "sim/machine/mem/l2/access_window.h"
#include "sim/model/arch/arch.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::gpu {
namespace {

bool persists(const trace::L2Window& window) {
  return window.hit == Eviction::kLast;
}

std::uint64_t set_aside(const arch::Arch& arch, const trace::L2Window& window) {
  return window.set_aside_bytes != 0 ? window.set_aside_bytes : std::min(arch.l2.persisting_bytes, arch.l2.bytes);
}

/// Sets are set aside in whole ways.
std::uint64_t set_aside_ways(const arch::Arch& arch, const trace::L2Window& window) {
  return set_aside(arch, window) * arch.l2.ways / arch.l2.bytes;
}

std::string_view verb(Eviction eviction) {
  switch (eviction) {
    case Eviction::kFirst: return "stream";
    case Eviction::kLast: return "persist";
    default: return "are normal";
  }
}

}  // namespace

void check_window(const arch::Arch& arch, const trace::Kernel& kernel, ProblemList& problems) {
  if (!kernel.window) {
    return;
  }
  const std::string who = "kernel '" + kernel.name + "'";
  const std::uint64_t most = std::min(arch.l2.persisting_bytes, arch.l2.bytes);
  if (most == 0) {
    problems.add({kernel.where, who + " has an access policy window: " + arch.name + " has none",
                  "l2.persisting_bytes is 0; compute capability 8.0 and above have windows"});
    return;
  }
  const std::uint64_t wanted = set_aside(arch, *kernel.window);
  if (wanted > most) {
    problems.add({kernel.where, who + " sets " + with_binary_prefix(wanted) + " of L2 aside on " + arch.name,
                  "at most " + with_binary_prefix(most) + ", l2.persisting_bytes"});
  } else if (persists(*kernel.window) && set_aside_ways(arch, *kernel.window) == 0) {
    problems.add({kernel.where, who + " sets " + with_binary_prefix(wanted) + " of L2 aside: less than a way of a set",
                  "a way of all sets of " + arch.name + " is " + with_binary_prefix(arch.l2.bytes / arch.l2.ways)});
  }
}

mem::l2::AccessWindow access_window(const arch::Arch& arch, const trace::Kernel& kernel) {
  if (!kernel.window) {
    return {};
  }
  const trace::L2Window& window = *kernel.window;
  return {window.base, window.bytes, window.hit_percent,
          window.hit,  window.miss,  static_cast<std::uint32_t>(set_aside_ways(arch, window))};
}

std::string window_text(const arch::Arch& arch, const trace::Kernel& kernel) {
  if (!kernel.window) {
    return {};
  }
  const trace::L2Window& window = *kernel.window;
  std::string text = std::to_string(window.hit_percent) + " % of the lines of '" + window.buffer + "' " +
                     std::string(verb(window.hit));
  if (persists(window)) {
    text += ", in " + with_binary_prefix(set_aside(arch, window)) + " set aside";
  }
  if (window.hit_percent < 100) {
    text += ", the others " + std::string(verb(window.miss));
  }
  return text;
}

}  // namespace gpusim::gpu
