// SPDX-License-Identifier: MIT
// The time of a collective: t = launch + base + steps x hop + middle x sqrt(bytes / 1 MB) + bus factor x bytes / rate.
// docs/collectives.md says where each part comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/system/collective/collective.h"
#include "sim/system/collective/nccl.h"
#include "sim/system/collective/rates.h"

namespace gpusim::collective {

/// A collective of `bytes`: the whole result of an all-gather, the whole input of others, as nccl-tests counts.
struct Job {
  Collective of = Collective::kAllReduce;
  std::uint64_t bytes = 0;
  std::optional<Algorithm> algorithm;  ///< in place of the library's choice
  std::optional<Protocol> protocol;
  Library library = Library::kNccl;
};

struct Estimate {
  std::uint64_t bytes = 0;
  double microseconds = 0;
  Choice choice;
  double wire_bytes = 0;                                                        ///< that each GPU puts on its links
  [[nodiscard]] double algorithm_bandwidth() const;                             ///< bytes a second
  [[nodiscard]] double bus_bandwidth(Collective of, std::uint32_t gpus) const;  ///< bytes a second
};

class Model {
 public:
  /// For at least two GPUs of a system. `reach` is what they reach.
  Model(const system::System& system, std::span<const system::NodeId> gpus, const Reach& reach, Launch launch);

  [[nodiscard]] std::uint32_t gpus() const { return view_.gpus; }
  /// Throws UsageError when the library cannot run it with the wanted algorithm and protocol here.
  [[nodiscard]] Estimate estimate(const Job& job) const;

 private:
  [[nodiscard]] std::optional<Choice> custom_choice(const Job& job) const;
  [[nodiscard]] Estimate estimate_nccl(const Job& job) const;
  [[nodiscard]] double rate_of(Collective of, Algorithm algorithm) const;
  [[nodiscard]] double launch_us() const;

  NcclView view_;
  Reach reach_;
  Launch launch_;
};

}  // namespace gpusim::collective
