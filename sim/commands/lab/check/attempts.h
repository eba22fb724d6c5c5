// SPDX-License-Identifier: MIT
// How often each task was tried, which decides how plain its hint is: kept in the student's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::lab {

inline constexpr const char* kAttemptsFile = ".gpusim-lab.json";

class Attempts {
 public:
  /// What the folder says; nothing when it says nothing that can be read.
  [[nodiscard]] static Attempts read(const std::filesystem::path& folder);
  /// Throws InputError when the file cannot be written.
  void write(const std::filesystem::path& folder) const;

  /// Notes a try that was not right, and says how many different ones there were; 1 for the first.
  std::size_t count(const std::string& task, std::uint64_t digest);

 private:
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> tries_;
};

}  // namespace gpusim::lab
