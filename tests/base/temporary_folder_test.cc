// SPDX-License-Identifier: MIT
#include "sim/base/temporary_folder.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

using namespace gpusim;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

/// TMPDIR with another value while it lives.
class TmpDir {
 public:
  explicit TmpDir(const std::string& value) {
    const char* const before = std::getenv("TMPDIR");
    was_set_ = before != nullptr;
    before_ = was_set_ ? before : "";
    ::setenv("TMPDIR", value.c_str(), 1);
  }
  ~TmpDir() {
    if (was_set_) {
      ::setenv("TMPDIR", before_.c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }
  TmpDir(const TmpDir&) = delete;
  TmpDir& operator=(const TmpDir&) = delete;

 private:
  std::string before_;
  bool was_set_ = false;
};

}  // namespace

TEST_CASE("a temporary folder goes away with all that is in it") {
  fs::path folder;
  {
    const TemporaryFolder temporary;
    folder = temporary.path();
    fs::create_directory(folder / "deeper");
    std::ofstream(folder / "deeper" / "file") << "x";
    CHECK(fs::exists(folder / "deeper" / "file"));
  }
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("two temporary folders are two") {
  const TemporaryFolder one;
  const TemporaryFolder other;
  CHECK(one.path() != other.path());
}

TEST_CASE("where no temporary folder can be made the message says what to set") {
  const TmpDir nowhere("/nowhere");
  CHECK_THROWS_WITH(TemporaryFolder(), Contains("no temporary folder can be made there") && Contains("set TMPDIR"));
}
