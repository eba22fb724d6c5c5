// SPDX-License-Identifier: MIT
#include "sim/commands/cli/host_memory.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <sys/resource.h>

#include "sim/base/units.h"

namespace gpusim::cli {
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

/// How a version of control groups names what it knows of a group.
struct GroupFiles {
  std::string_view controller;  ///< as /proc/self/cgroup has it, between the colons
  const char* folder;           ///< below the root
  const char* limit;
  const char* used;
  const char* inactive_file;  ///< in memory.stat
};
constexpr std::array<GroupFiles, 2> kVersions{{
    {"", "", "memory.max", "memory.current", "inactive_file"},
    {"memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
}};

/// Free memory of one control group, in bytes. Cached files that the system can drop count as free.
std::uint64_t available_in(const fs::path& group, const GroupFiles& files) {
  const std::optional<std::uint64_t> most = number_in(group / files.limit);
  const std::optional<std::uint64_t> used = number_in(group / files.used);
  if (!most || !used) {
    return kNoLimit;
  }
  const std::uint64_t droppable = number_behind(group / "memory.stat", files.inactive_file).value_or(0);
  const std::uint64_t needed = *used - std::min(*used, droppable);
  return *most - std::min(*most, needed);
}

/// The group of this process, as a path without its first slash; nothing when the controller has none.
std::optional<fs::path> group_of(const fs::path& list, std::string_view controller) {
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(":/", first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers.find("," + std::string(controller) + ",") != std::string::npos) {
      return line.substr(second + 2);
    }
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  // Linux counts in KiB, here and in /proc/meminfo.
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * kKi : 0;
}

std::uint64_t available_in_groups(const fs::path& list, const fs::path& root) {
  std::uint64_t least = kNoLimit;
  for (const GroupFiles& files : kVersions) {
    const std::optional<fs::path> name = group_of(list, files.controller);
    if (!name) {
      continue;
    }
    fs::path group = root / files.folder;
    least = std::min(least, available_in(group, files));
    // What limits a group limits all groups in it.
    for (const fs::path& part : *name) {
      group /= part;
      least = std::min(least, available_in(group, files));
    }
  }
  return least;
}

std::uint64_t available_memory_bytes() {
  const std::optional<std::uint64_t> kib = number_behind("/proc/meminfo", "MemAvailable:");
  return std::min(kib ? *kib * kKi : kNoLimit, available_in_groups("/proc/self/cgroup", "/sys/fs/cgroup"));
}

}  // namespace gpusim::cli
