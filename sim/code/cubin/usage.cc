// SPDX-License-Identifier: MIT
#include "sim/code/cubin/usage.h"

#include <algorithm>

#include "sim/code/sass/decode.h"

namespace gpusim::cubin {
namespace {

std::string dimensions_text(const Dim3& size) {
  std::string text = std::to_string(size.x);
  if (size.y != 1 || size.z != 1) {
    text += "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
  }
  return text;
}

}  // namespace

std::size_t local_accesses(const Module& module, const Function& function) {
  const std::optional<sass::Generation> generation = module.generation();
  if (!generation) {
    return 0;
  }
  return static_cast<std::size_t>(
      std::count_if(function.code.begin(), function.code.end(), [&](const sass::Code& code) {
        const sass::Op op = sass::decode(code, *generation).op;
        return op == sass::Op::kLdl || op == sass::Op::kStl;
      }));
}

std::string parameters_text(const Function& function) {
  if (function.unknown_parameters) {
    const std::optional<std::uint32_t>& all = function.unknown_parameters->all_bytes;
    return all ? std::to_string(*all) + " in all" : "";
  }
  std::string text;
  for (const Parameter& parameter : function.parameters) {
    text += (text.empty() ? "" : " ") + std::to_string(parameter.size);
  }
  return text;
}

std::string launch_text(const Function& function, const TritonLaunch* triton) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (function.required_threads) {
    add(dimensions_text(*function.required_threads) + " threads");
  } else if (triton != nullptr && triton->warps != 0) {
    add(std::to_string(triton->warps * kWarpLanes) + " threads");
  } else if (function.most_threads) {
    add("at most " + dimensions_text(*function.most_threads) + " threads");
  }
  if (function.cluster) {
    add("clusters of " + dimensions_text(*function.cluster));
  } else if (triton != nullptr && triton->cluster.volume() > 1) {
    add("clusters of " + dimensions_text(triton->cluster));
  }
  if (function.changes_registers) {
    add("setmaxnreg");
  }
  return text;
}

}  // namespace gpusim::cubin
