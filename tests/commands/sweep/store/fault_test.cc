// SPDX-License-Identifier: MIT
// Databases that cannot be used: a typed error each, and nothing lost.
#include <csignal>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/commands/sweep/store/error.h"

#include "tests/commands/sweep/store/support.h"
#include "tests/support/thorough.h"

using Catch::Matchers::Contains;

namespace gpusim::sweep {
namespace {

template <class F>
StoreError error_of(F&& act) {
  try {
    act();
  } catch (const StoreError& error) {
    return error;
  }
  FAIL("no StoreError");
  return {StoreFault::kBroken, "", "", ""};
}

StoreError error_of_opening(const std::filesystem::path& file, Store::Access access) {
  return error_of([&] { const Store store(file, access); });
}

/// Statements of somebody else.
void run_sql(const std::filesystem::path& file, const char* sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A database of some points.
void fill(const std::filesystem::path& file, int points) {
  Store store(file, Store::Access::kWrite);
  for (int i = 0; i < points; ++i) {
    std::string noise;
    for (std::uint32_t x = static_cast<std::uint32_t>(i) + 1; noise.size() < 5'000;) {
      x = x * 1664525U + 1013904223U;
      noise += static_cast<char>(x >> 24U);
    }
    store.put(done_row("key" + std::to_string(i), 1), noise, "1.0");
  }
}

}  // namespace

TEST_CASE("a database that is not there is missing to a reader, and made by a writer") {
  const Folder folder;
  CHECK(error_of_opening(folder.file(), Store::Access::kRead).fault() == StoreFault::kMissing);
  CHECK_FALSE(std::filesystem::exists(folder.file()));
  fill(folder.file(), 1);
  CHECK_NOTHROW(Store(folder.file(), Store::Access::kRead));
}

TEST_CASE("a folder that is not there is named") {
  const StoreError error = error_of_opening("/nonexistent/sweep.db", Store::Access::kWrite);
  CHECK(error.fault() == StoreFault::kMissing);
  CHECK_THAT(error.what(), Contains("there is no folder '/nonexistent'"));
}

TEST_CASE("a file that is not a database is refused and left as it was") {
  const Folder folder;
  const std::string text =
      "schema: gpusim.result/1, and more text than SQLite's header is long; " + std::string(99, '.');
  std::ofstream(folder.file()) << text;
  for (const Store::Access access : {Store::Access::kRead, Store::Access::kWrite}) {
    CHECK(error_of_opening(folder.file(), access).fault() == StoreFault::kNotADatabase);
  }
  CHECK(std::filesystem::file_size(folder.file()) == text.size());
  CHECK(error_of_opening(folder.file().parent_path(), Store::Access::kRead).fault() == StoreFault::kNotADatabase);
}

TEST_CASE("another program's database is refused and left as it was") {
  const Folder folder;
  run_sql(folder.file(), "PRAGMA journal_mode=WAL; CREATE TABLE recipe(name TEXT); INSERT INTO recipe VALUES('soup')");
  const std::string before = content_of(folder.file());
  const StoreError error = error_of_opening(folder.file(), Store::Access::kWrite);
  CHECK(error.fault() == StoreFault::kNotADatabase);
  CHECK_THAT(error.what(), Contains("not one of sweeps"));
  CHECK(content_of(folder.file()) == before);
}

TEST_CASE("a database of another layout is refused with both numbers") {
  const Folder folder;
  fill(folder.file(), 1);
  run_sql(folder.file(), "PRAGMA user_version=7");
  for (const Store::Access access : {Store::Access::kRead, Store::Access::kWrite}) {
    const StoreError error = error_of_opening(folder.file(), access);
    CHECK(error.fault() == StoreFault::kOtherVersion);
    CHECK_THAT(error.what(), Contains("layout 7") && Contains("reads layout 2"));
  }
}

TEST_CASE("a damaged database is said to be damaged, wherever the damage lies, and never crashes") {
  const Folder folder;
  fill(folder.file(), 40);
  const auto size = std::filesystem::file_size(folder.file());
  const std::filesystem::path copy = folder.file("copy.db");
  int found = 0;
  for (std::uintmax_t at = 100; at < size; at += size / 50) {
    std::filesystem::copy_file(folder.file(), copy, std::filesystem::copy_options::overwrite_existing);
    std::fstream(copy, std::ios::in | std::ios::out | std::ios::binary).seekp(static_cast<std::streamoff>(at))
        << std::string(600, '\x5a');
    try {
      const Store store(copy, Store::Access::kRead);
      for (int i = 0; i < 40; ++i) {
        static_cast<void>(store.find("key" + std::to_string(i)));
        static_cast<void>(store.result("key" + std::to_string(i)));
      }
      static_cast<void>(store.points(1));
    } catch (const StoreError& error) {
      CHECK(error.fault() == StoreFault::kDamaged);
      ++found;
    }
  }
  CHECK(found > 25);  // free space and the middle of what zstd stored as it was need not matter
}

TEST_CASE("a flipped bit never changes what a study's points say, and a point that it hides is counted as missing") {
  const Folder folder;
  fill(folder.file(), 5);
  Store(folder.file(), Store::Access::kWrite).record(study_of({"key0", "key1", "key2", "key3", "key4"}));
  const std::string whole = content_of(folder.file());
  const std::filesystem::path copy = folder.file("copy.db");
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); at += test::thorough_or(13U, 131U)) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    std::ofstream(copy, std::ios::binary | std::ios::trunc) << flipped;
    INFO("byte " << at);
    try {
      const Store store(copy, Store::Access::kRead);
      const StudyInfo study = store.study().value_or(StudyInfo{});
      const std::vector<PointRow> points = store.points(study.id);
      CHECK(points.size() + study.missing() == 5);
      for (const PointRow& point : points) {
        CHECK(point.metrics == done_row("", 1).metrics);
        CHECK(point.status == kDone);
        CHECK(point.cycles == 1);
        CHECK(point.time_us == done_row("", 1).time_us);
        CHECK(point.arch == "h100");
      }
    } catch (const StoreError&) {
      ++refused;
    }
  }
  CHECK(refused > 10);
}

TEST_CASE("a table that was dropped is noticed when the database is opened") {
  const Folder folder;
  fill(folder.file(), 1);
  run_sql(folder.file(), "DROP TABLE result");
  for (const Store::Access access : {Store::Access::kRead, Store::Access::kWrite}) {
    CHECK(error_of_opening(folder.file(), access).fault() == StoreFault::kDamaged);
  }
}

TEST_CASE("a damaged database is refused to a writer before anything is written") {
  const Folder folder;
  fill(folder.file(), 40);
  std::fstream(folder.file(), std::ios::in | std::ios::out | std::ios::binary).seekp(4096) << std::string(200, 'x');
  const std::string before = content_of(folder.file());
  CHECK(error_of_opening(folder.file(), Store::Access::kWrite).fault() == StoreFault::kDamaged);
  CHECK(content_of(folder.file()) == before);
}

TEST_CASE("a study that asks for a damaged point is refused before anything is written") {
  const Folder folder;
  fill(folder.file(), 3);
  run_sql(folder.file(), "UPDATE point SET cycles=cycles+1 WHERE key='key1'");
  const std::string before = content_of(folder.file());
  const StoreError error = error_of([&] {
    Store(folder.file(), Store::Access::kWrite).record(study_of({"key0", "key1", "another"}));
  });
  CHECK(error.fault() == StoreFault::kDamaged);
  CHECK_THAT(error.what(), Contains("the numbers of point key1 do not have their checksum"));
  CHECK(content_of(folder.file()) == before);
}

TEST_CASE("a result that is damaged stops a merge before anything is added") {
  const Folder folder;
  fill(folder.file("other.db"), 3);
  run_sql(folder.file("other.db"), "UPDATE result SET json_zstd=substr(json_zstd, 1, 100) WHERE key='key1'");
  const std::vector<std::filesystem::path> others{folder.file("other.db")};
  const StoreError error = error_of([&] { (void)Store::merge(folder.file(), others); });
  CHECK(error.fault() == StoreFault::kDamaged);
  CHECK_THAT(error.what(), Contains("other.db") && Contains("the result of point key1 cannot be decompressed"));
  CHECK_FALSE(std::filesystem::exists(folder.file()));
}

TEST_CASE("a database that is cut off is said to be damaged") {
  const Folder folder;
  fill(folder.file(), 40);
  std::filesystem::resize_file(folder.file(), std::filesystem::file_size(folder.file()) / 2);
  CHECK(error_of([&] {
          const Store store(folder.file(), Store::Access::kRead);
          for (int i = 0; i < 40; ++i) {
            static_cast<void>(store.result("key" + std::to_string(i)));
          }
        }).fault() == StoreFault::kDamaged);
}

TEST_CASE("a second writer is refused with the process and the host of the first") {
  const Folder folder;
  {
    const Store first(folder.file(), Store::Access::kWrite);
    const StoreError error = error_of_opening(folder.file(), Store::Access::kWrite);
    CHECK(error.fault() == StoreFault::kInUse);
    char host[256] = {};
    REQUIRE(::gethostname(host, sizeof host - 1) == 0);
    CHECK_THAT(error.what(), Contains("process " + std::to_string(::getpid()) + " on " + host));
    CHECK_THAT(error.what(), Contains("gpusim sweep merge"));
  }
  CHECK_NOTHROW(Store(folder.file(), Store::Access::kWrite));
  CHECK_FALSE(std::filesystem::exists(folder.file("sweep.db.lock")));
}

TEST_CASE("a lock file that a killed process left does not matter") {
  const Folder folder;
  std::ofstream(folder.file("sweep.db.lock")) << "process 1 on nowhere\n";
  CHECK_NOTHROW(Store(folder.file(), Store::Access::kWrite));
}

TEST_CASE("a disk without room loses the point in hand and nothing else") {
  const Folder folder;
  fill(folder.file(), 4);
  // A limit on the size of files stands for the disk's end.
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{std::filesystem::file_size(folder.file()) + 4096, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
  StoreFault fault = StoreFault::kBroken;
  {
    Store store(folder.file(), Store::Access::kWrite);
    std::string noise;
    for (std::uint32_t x = 9; noise.size() < 100'000;) {
      x = x * 1664525U + 1013904223U;
      noise += static_cast<char>(x >> 24U);
    }
    fault = error_of([&] { store.put(done_row("large", 1), noise, "1.0"); }).fault();
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, old_action);
    CHECK(fault == StoreFault::kFull);
    CHECK_FALSE(store.find("large"));
    store.put(done_row("large", 1), noise, "1.0");  // there is room again
    CHECK(store.result("large") == noise);
  }
  CHECK(Store(folder.file(), Store::Access::kRead).find("key3"));
}

TEST_CASE("a transaction that a killed process left open is undone by whoever opens the file next") {
  const Folder folder;
  fill(folder.file(), 3);
  // What is on the disk in the middle of a commit: the file changed, and the journal with what it was.
  const std::filesystem::path copy = folder.file("copy.db");
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(folder.file().c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, "PRAGMA cache_size=1; BEGIN; UPDATE point SET cycles=99; DELETE FROM result", nullptr,
                       nullptr, nullptr) == SQLITE_OK);
  std::filesystem::copy_file(folder.file("sweep.db-journal"), folder.file("copy.db-journal"));
  std::filesystem::copy_file(folder.file(), copy);
  sqlite3_close(handle);
  const Store store(copy, Store::Access::kRead);
  CHECK(store.find("key0")->cycles == 1);
  CHECK(store.result("key2"));
}

}  // namespace gpusim::sweep
