// SPDX-License-Identifier: MIT
#include "sim/commands/cli/host_memory.h"

#include <limits>

#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace gpusim::cli {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// A tree like /sys/fs/cgroup, and the list of a process in it.
class Groups {
 public:
  explicit Groups(const std::string& list) { shop_.write("list", list); }

  void write(const std::string& group, const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(shop_.folder() / "root" / group);
    shop_.write("root/" + group + "/" + file, text);
  }
  [[nodiscard]] std::uint64_t available() const {
    return available_in_groups(shop_.folder() / "list", shop_.folder() / "root");
  }

 private:
  app::Workshop shop_;
};

}  // namespace

TEST_CASE("a job's control group leaves what its limit has beyond its use, files that can be dropped not counted") {
  const Groups groups("0::/slurm/job_7\n");
  groups.write("slurm/job_7", "memory.max", "1000000\n");
  groups.write("slurm/job_7", "memory.current", "700000\n");
  CHECK(groups.available() == 300'000);
  groups.write("slurm/job_7", "memory.stat", "anon 400000\ninactive_file 200000\n");
  CHECK(groups.available() == 500'000);
}

TEST_CASE("a limit around a control group holds for it, too") {
  const Groups groups("0::/slurm/job_7\n");
  groups.write("slurm/job_7", "memory.max", "max\n");
  groups.write("slurm/job_7", "memory.current", "700000\n");
  CHECK(groups.available() == kNoLimit);
  groups.write("slurm", "memory.max", "900000\n");
  groups.write("slurm", "memory.current", "800000\n");
  CHECK(groups.available() == 100'000);
}

TEST_CASE("control groups of version 1 count as well") {
  const Groups groups("9:name=systemd:/\n4:cpu,memory:/job_7\n0::/\n");
  groups.write("memory/job_7", "memory.limit_in_bytes", "1000000\n");
  groups.write("memory/job_7", "memory.usage_in_bytes", "900000\n");
  groups.write("memory/job_7", "memory.stat", "cache 1\ntotal_inactive_file 50000\n");
  CHECK(groups.available() == 150'000);
}

TEST_CASE("without control groups there is no limit") {
  CHECK(Groups("").available() == kNoLimit);
  CHECK(Groups("no list at all\n0::/gone\n").available() == kNoLimit);
}

}  // namespace gpusim::cli
