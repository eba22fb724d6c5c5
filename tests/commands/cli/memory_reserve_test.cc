// SPDX-License-Identifier: MIT
// Without memory left the program cleans up and says so, instead of being ended.
#include "sim/commands/cli/memory_reserve.h"

#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/output_file.h"
#include "sim/commands/cli/common.h"

#include "tests/support/thorough.h"

namespace memory_reserve_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kCaught = 7;

// The address sanitizer maps terabytes and gives memory out itself, so no limit of this kind fits it.
#if !defined(__SANITIZE_ADDRESS__)

/// Bytes of address space that this process has.
rlim_t address_space() {
  std::ifstream pages("/proc/self/statm");
  rlim_t count = 0;
  pages >> count;
  return count * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// Builds JSON whose values nest until memory ends, with few bytes to spare at any time.
[[noreturn]] void build_until_memory_ends() {
  try {
    Json list = Json::array();
    for (int i = 0;; ++i) {
      Json row{{"name", std::string(40, 'x')}, {"parts", Json::array()}};
      row["parts"].push_back({{"a", i}, {"b", Json::array({1, 2, 3})}});
      list.push_back(row);
    }
  } catch (const std::bad_alloc&) {
    _exit(kCaught);
  }
}

#endif

void find_no_memory() {
  throw std::bad_alloc();
}

}  // namespace

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("when memory ends while nested values are built, the error is caught where it should be") {
  // Each limit stops another allocation; without the reserve some of them end the process.
  for (rlim_t more = 4U << 20U; more < (4U << 20U) + 64 * 4096;
       more += 4096 * gpusim::test::thorough_or<rlim_t>(1, 7)) {
    const pid_t child = fork();
    if (child == 0) {
      gpusim::cli::prepare_for_lack_of_memory();
      const rlim_t most = address_space() + more;
      const rlimit limit{most, most};
      setrlimit(RLIMIT_AS, &limit);
      build_until_memory_ends();
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CAPTURE(more, status);
    REQUIRE(WIFEXITED(status));
    CHECK((WEXITSTATUS(status) == kCaught || WEXITSTATUS(status) == gpusim::cli::Exit::kCannotFinish));
  }
}
#endif

TEST_CASE("a destructor that finds no memory ends the process like other lacks of it, without temporary files") {
  const std::string path = "lack-of-memory-" + std::to_string(getpid()) + ".txt";
  const pid_t child = fork();
  if (child == 0) {
    gpusim::cli::prepare_for_lack_of_memory();
    gpusim::OutputFile output(path);
    output.write("begun");
    struct Throws {
      ~Throws() { find_no_memory(); }  // noexcept, as all destructors
    };
    { const Throws value; }
    _exit(kCaught);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == gpusim::cli::Exit::kCannotFinish);
  CHECK_FALSE(std::filesystem::exists(path + ".part"));
  CHECK_FALSE(std::filesystem::exists(path));
}

}  // namespace memory_reserve_test
