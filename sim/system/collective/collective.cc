// SPDX-License-Identifier: MIT
#include "sim/system/collective/collective.h"

namespace gpusim::collective {

double bus_factor(Collective of, std::uint32_t gpus) {
  const double n = gpus;
  switch (of) {
    case Collective::kAllReduce: return 2 * (n - 1) / n;
    case Collective::kAllGather:
    case Collective::kReduceScatter:
    case Collective::kAllToAll: return (n - 1) / n;
    default: return 1;
  }
}

std::uint32_t ring_steps(Collective of, std::uint32_t gpus) {
  switch (of) {
    case Collective::kAllReduce: return 2 * (gpus - 1);
    case Collective::kAllToAll:
    case Collective::kSendReceive: return 1;
    default: return gpus - 1;
  }
}

double wire_bytes(Collective of, Algorithm algorithm, Protocol protocol, std::uint32_t gpus, std::uint64_t bytes) {
  const double n = gpus;
  const double data = algorithm == Algorithm::kNvls      ? (n + 1) / n
                      : algorithm == Algorithm::kOneShot ? n - 1
                                                         : bus_factor(of, gpus);
  const double flags = protocol == Protocol::kLl ? 2.0 : protocol == Protocol::kLl128 ? 128.0 / 120.0 : 1.0;
  return data * flags * static_cast<double>(bytes);
}

}  // namespace gpusim::collective
