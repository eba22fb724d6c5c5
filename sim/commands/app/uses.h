// SPDX-License-Identifier: MIT
// The numbers that tools call a GPU's utilisation.
#pragma once

#include <array>
#include <string_view>

#include "sim/system/run/device.h"

namespace gpusim::app {

struct UseRow {
  std::string_view key;  ///< in JSON
  std::string_view name;
  /// A share of `ns`; `peak` is that of MFU, FLOPs a nanosecond.
  double (*of)(const run::Usage& use, double ns, double peak);
  std::string_view meaning;
};

inline constexpr std::array<UseRow, 5> kUses{
    {{"busy_share", "GPU-Util (nvidia-smi)", [](const run::Usage& use, double ns, double) { return use.busy / ns; },
      "time with a kernel on the GPU, however small"},
     {"sm_active_share", "SM active", [](const run::Usage& use, double ns, double) { return use.sms / ns; },
      "SMs with a CTA, over all SMs and the time"},
     {"tensor_active_share", "tensor active", [](const run::Usage& use, double ns, double) { return use.tensor / ns; },
      "FLOPs of tensor cores, of their peak"},
     {"dram_active_share", "DRAM active", [](const run::Usage& use, double ns, double) { return use.dram / ns; },
      "bytes to and from DRAM, of its peak"},
     {"mfu_share", "MFU", [](const run::Usage& use, double ns, double peak) { return use.flops / ns / peak; },
      "FLOPs of the model, of the peak"}}};

}  // namespace gpusim::app
