// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/attempts.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "sim/base/output_file.h"

namespace gpusim::lab {
namespace {

constexpr const char* kTries = "tries";
constexpr std::size_t kMostTries = 100;

}  // namespace

Attempts Attempts::read(const std::filesystem::path& folder) {
  Attempts attempts;
  std::ifstream in(folder / kAttemptsFile, std::ios::binary);
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains(kTries) || !json[kTries].is_object()) {
    return attempts;
  }
  for (const auto& [task, tries] : json[kTries].items()) {
    for (const nlohmann::json& one : tries) {
      if (one.is_number_unsigned()) {
        attempts.tries_[task].push_back(one.get<std::uint64_t>());
      }
    }
  }
  return attempts;
}

void Attempts::write(const std::filesystem::path& folder) const {
  nlohmann::json json;
  json["schema"] = "gpusim.lab-tries/1";
  json[kTries] = tries_;
  OutputFile(folder / kAttemptsFile).commit(json.dump(1) + "\n");
}

std::size_t Attempts::count(const std::string& task, std::uint64_t digest) {
  std::vector<std::uint64_t>& tries = tries_[task];
  if (std::ranges::find(tries, digest) == tries.end() && tries.size() < kMostTries) {
    tries.push_back(digest);
  }
  return tries.size();
}

}  // namespace gpusim::lab
