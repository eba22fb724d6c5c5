// SPDX-License-Identifier: MIT
// The JSON that Triton writes beside a cubin: triton/compiler/compiler.py and the NVIDIA backend's compiler.py have the
// keys.
#include <array>
#include <limits>

#include <nlohmann/json.hpp>

#include "sim/code/cubin/bytes.h"
#include "sim/code/cubin/images.h"

namespace gpusim::cubin {
namespace {

using nlohmann::json;

std::uint32_t number_of(const json& value, const std::string& key, const std::string& name, std::uint32_t missing) {
  const auto found = value.find(key);
  if (found == value.end() || found->is_null()) {
    return missing;
  }
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
    fail(name, "'" + key + "' is not a number of 32 bits", "it is what Triton wrote beside the cubin");
  }
  return found->get<std::uint32_t>();
}

/// "cluster_dims": [2, 1, 1] of older versions, else "num_ctas": 2.
Dim3 cluster_of(const json& value, const std::string& name) {
  const auto dims = value.find("cluster_dims");
  if (dims == value.end() || !dims->is_array() || dims->size() != 3) {
    return {number_of(value, "num_ctas", name, 1), 1, 1};
  }
  std::array<std::uint32_t, 3> sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = number_of(json{{"cluster_dims", (*dims)[i]}}, "cluster_dims", name, 1);
  }
  return {sizes[0], sizes[1], sizes[2]};
}

}  // namespace

TritonLaunch read_triton(const std::string& text, const std::string& name) {
  const json value = json::parse(text, nullptr, false);
  if (!value.is_object()) {
    fail(name, "is not a JSON object", "expected what Triton writes beside a cubin");
  }
  TritonLaunch launch;
  if (const auto kernel = value.find("name"); kernel != value.end() && kernel->is_string()) {
    launch.kernel = kernel->get<std::string>();
  }
  launch.warps = number_of(value, "num_warps", name, 0);
  launch.shared_bytes = number_of(value, "shared", name, 0);
  launch.cluster = cluster_of(value, name);
  for (const char* const key : {"global_scratch_size", "profile_scratch_size"}) {  // the second since Triton 3.4
    if (value.contains(key)) {
      launch.scratch.push_back(number_of(value, key, name, 0));
    }
  }
  return launch;
}

}  // namespace gpusim::cubin
