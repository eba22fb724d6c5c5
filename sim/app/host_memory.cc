// SPDX-License-Identifier: MIT
#include "sim/app/host_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include <sys/resource.h>

#include "sim/base/units.h"

namespace gpusim::app {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// The number behind a word at the beginning of a line.
std::optional<std::uint64_t> number_behind(const fs::path& file, const std::string& word) {
  std::ifstream in(file);
  for (std::string name; in >> name;) {
    if (std::uint64_t number = 0; name == word && in >> number) {
      return number;
    }
    in.clear();
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

/// Of one group: files that were read and can be dropped count as free.
std::uint64_t available_in(const fs::path& group) {
  const std::optional<std::uint64_t> most = number_in(group / "memory.max");
  const std::optional<std::uint64_t> used = number_in(group / "memory.current");
  if (!most || !used) {
    return kNoLimit;
  }
  const std::uint64_t files = number_behind(group / "memory.stat", "inactive_file").value_or(0);
  const std::uint64_t needed = *used - std::min(*used, files);
  return *most - std::min(*most, needed);
}

/// The group and all above it (version 2 of control groups).
std::uint64_t available_in_groups() {
  std::ifstream in("/proc/self/cgroup");
  std::string line;
  constexpr std::string_view kUnified = "0::/";
  while (std::getline(in, line) && !line.starts_with(kUnified)) {
  }
  if (!in) {
    return kNoLimit;
  }
  std::uint64_t least = kNoLimit;
  const fs::path top = "/sys/fs/cgroup";
  for (fs::path group = top / line.substr(kUnified.size()); group != top && group.has_relative_path();
       group = group.parent_path()) {
    least = std::min(least, available_in(group));
  }
  return std::min(least, available_in(top));
}

}  // namespace

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  // Linux counts in KiB, here and in /proc/meminfo.
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * kKi : 0;
}

std::uint64_t available_memory_bytes() {
  const std::optional<std::uint64_t> kib = number_behind("/proc/meminfo", "MemAvailable:");
  return std::min(kib ? *kib * kKi : kNoLimit, available_in_groups());
}

}  // namespace gpusim::app
