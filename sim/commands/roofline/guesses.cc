// SPDX-License-Identifier: MIT
// Which keys each peak is computed from (sim/model/arch/peaks.cc), to tell what it rests on.
#include <algorithm>
#include <iterator>

#include "sim/commands/roofline/roofline.h"

namespace gpusim::roofline {
namespace {

using Keys = std::vector<std::string>;

Keys keys_of_level(const std::string& name) {
  if (name == "dram") {
    return {"dram.channels", "dram.burst_bytes", "dram.command_hz", "dram.timing.CCDS"};
  }
  if (name == "l2") {
    return {"l2.slices", "l2.slice_bytes_per_cycle"};
  }
  return name == "l1" ? Keys{"sm.l1.data_bytes_per_cycle"} : Keys{};
}

Keys keys_of_compute(const std::string& name) {
  const std::size_t tensor = name.find("_tensor");
  if (tensor != std::string::npos) {
    const bool sparse = name.ends_with("_sparse");
    Keys keys{"sm.tensor.flops_per_cycle." + name.substr(0, tensor)};
    keys.resize(sparse ? 2 : 1, "sm.tensor.sparsity");
    return keys;
  }
  return {"sm.sub_cores", "sm.timing." +
                              std::string(name == "fp32"   ? "fma"
                                          : name == "fp16" ? "half"
                                                           : "fp64") +
                              ".interval"};
}

}  // namespace

std::vector<std::string> keys_behind(const Roofs& roofs) {
  const Ceiling& level = roofs.levels[roofs.level];
  Keys keys = keys_of_level(level.name);
  keys.insert(keys.end(), {"sm.count", "clocks." + level.clock});
  for (const Ceiling& compute : roofs.compute) {
    std::ranges::move(keys_of_compute(compute.name), std::back_inserter(keys));
    keys.push_back("clocks." + compute.clock);
  }
  return keys;
}

std::vector<arch::Guess> guesses_behind(const arch::Arch& arch, const Roofs& roofs) {
  const Keys keys = keys_behind(roofs);
  std::vector<arch::Guess> guesses;
  std::ranges::copy_if(arch.guesses, std::back_inserter(guesses),
                       [&](const arch::Guess& guess) { return std::ranges::find(keys, guess.key) != keys.end(); });
  return guesses;
}

}  // namespace gpusim::roofline
