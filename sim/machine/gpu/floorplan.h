// SPDX-License-Identifier: MIT
// Which parts a machine has, what number each has as a domain, which are near each other, and how long the shortest way
// between two is.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/msg/message.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::gpu {

/// Domain numbers: SMs, then routers, then memory partitions, then the dispatcher, then the MMU where there is one.
struct Numbering {
  std::uint32_t sms = 0;
  std::uint32_t routers = 0;
  std::uint32_t partitions = 0;

  [[nodiscard]] msg::DomainId sm(std::uint32_t i) const { return i; }
  [[nodiscard]] msg::DomainId router(std::uint32_t i) const { return sms + i; }
  [[nodiscard]] msg::DomainId partition(std::uint32_t i) const { return sms + routers + i; }
  [[nodiscard]] msg::DomainId dispatcher() const { return sms + routers + partitions; }
  [[nodiscard]] msg::DomainId mmu() const { return dispatcher() + 1; }
};
[[nodiscard]] Numbering numbering(const arch::Arch& arch);

/// Which GPC an SM is in, and which half of L2 is near it. SMs are spread over the GPCs as evenly as their number
/// allows; the first half of the GPCs is near the first half of L2.
struct Floorplan {
  std::vector<std::uint32_t> gpc_of_sm;
  std::vector<std::uint32_t> half_of_gpc;
};
[[nodiscard]] Floorplan floorplan(const arch::Arch& arch);

/// The smallest link latency: how far the domains may run on their own. The links between SMs count where a kernel may
/// use them.
[[nodiscard]] Cycle lookahead(const arch::Arch& arch, bool uses_clusters = false);

}  // namespace gpusim::gpu
