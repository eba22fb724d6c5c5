// SPDX-License-Identifier: MIT
// A store whose allocations fail, one after another: ours and SQLite's.
#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "tests/commands/sweep/store/support.h"
#include "tests/support/failing_allocations.h"

namespace gpusim::sweep {
namespace {

sqlite3_mem_methods sqlite_memory;

void* allocate_or_fail(int bytes) {
  return testing::allocation_fails() ? nullptr : sqlite_memory.xMalloc(bytes);
}

void* grow_or_fail(void* memory, int bytes) {
  return testing::allocation_fails() ? nullptr : sqlite_memory.xRealloc(memory, bytes);
}

/// SQLite's allocations are counted with ours while this lives. No database may be open before or after.
class CountedSqlite {
 public:
  CountedSqlite() {
    REQUIRE(sqlite3_shutdown() == SQLITE_OK);
    REQUIRE(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory) == SQLITE_OK);
    sqlite3_mem_methods counted = sqlite_memory;
    counted.xMalloc = allocate_or_fail;
    counted.xRealloc = grow_or_fail;
    REQUIRE(sqlite3_config(SQLITE_CONFIG_MALLOC, &counted) == SQLITE_OK);
    REQUIRE(sqlite3_initialize() == SQLITE_OK);
  }
  ~CountedSqlite() {
    sqlite3_shutdown();
    sqlite3_config(SQLITE_CONFIG_MALLOC, &sqlite_memory);
  }
  CountedSqlite(const CountedSqlite&) = delete;
  CountedSqlite& operator=(const CountedSqlite&) = delete;
};

}  // namespace

TEST_CASE("whichever allocation of a point's storage fails, what was stored before is there, and the point or none") {
  const Folder folder;
  const CountedSqlite counted;
  {
    Store store(folder.file(), Store::Access::kWrite);
    (void)store.record(study_of({"old", "new"}));
    store.put(done_row("old", 7), "old result", "1.0");
  }
  const std::uint64_t failures = testing::fail_allocations_of(
      [&] {
        Store store(folder.file(), Store::Access::kWrite);
        store.put(done_row("new", 8), "new result", "1.0");
      },
      [&](bool has_failed) {
        const Store store(folder.file(), Store::Access::kRead);
        REQUIRE(store.result("old") == "old result");
        REQUIRE(store.find("old")->cycles == 7);
        const bool is_there = store.find("new").has_value();
        REQUIRE((is_there ? store.result("new") == "new result" : has_failed));
      },
      5);
  CHECK(failures > 20);
  CHECK(Store(folder.file(), Store::Access::kRead).result("new") == "new result");
}

TEST_CASE("whichever allocation of a new database fails, no file is left") {
  const Folder folder;
  const CountedSqlite counted;
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.file().parent_path()), {});
  };
  (void)testing::fail_allocations_of([&] { const Store store(folder.file(), Store::Access::kWrite); },
                                     [&](bool /*has_failed*/) { REQUIRE(files() == 0); }, 5);
  CHECK(files() == 0);
}

}  // namespace gpusim::sweep
