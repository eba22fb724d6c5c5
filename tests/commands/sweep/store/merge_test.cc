// SPDX-License-Identifier: MIT
#include <fstream>

#include <catch2/catch.hpp>
#include <sys/resource.h>

#include "sim/commands/sweep/store/error.h"

#include "tests/commands/sweep/store/support.h"

using Catch::Matchers::Contains;

namespace gpusim::sweep {
namespace {

/// A share of the study of points a, b, c, d: every count-th from index on.
std::filesystem::path shard(const Folder& folder, std::uint64_t index, std::uint64_t count) {
  const std::filesystem::path file = folder.file("shard" + std::to_string(index) + ".db");
  const std::vector<std::string> keys{"a", "b", "c", "d"};
  Store store(file, Store::Access::kWrite);
  store.note_share(store.record(study_of(keys)), {index, count});
  for (std::uint64_t i = index - 1; i < keys.size(); i += count) {
    store.put(done_row(keys[i], i + 1), "result of " + keys[i], "1.0");
  }
  return file;
}

MergeReport merge_into(const std::filesystem::path& into, const std::vector<std::filesystem::path>& others) {
  return Store::merge(into, others);
}

}  // namespace

TEST_CASE("shards become one database with the whole study") {
  const Folder folder;
  const MergeReport report = merge_into(folder.file(), {shard(folder, 1, 2), shard(folder, 2, 2)});
  CHECK(report.added == 4);
  CHECK(report.known == 0);
  CHECK(report.incomplete.empty());
  const Store store(folder.file(), Store::Access::kRead);
  CHECK(store.studies().size() == 1);
  CHECK(store.points(store.study()->id).size() == 4);
  CHECK(store.result("c") == "result of c");
}

TEST_CASE("a missing shard is named with the points it owes, and the others are merged") {
  const Folder folder;
  const MergeReport report = merge_into(folder.file(), {shard(folder, 1, 3), shard(folder, 3, 3)});
  CHECK(report.added == 3);
  REQUIRE(report.incomplete.size() == 1);
  CHECK(report.incomplete[0].missing == std::vector<std::uint64_t>{2});
  CHECK(report.incomplete[0].absent == std::vector<Share>{{2, 3}});
  CHECK(merge_into(folder.file(), {shard(folder, 2, 3)}).incomplete.empty());
}

TEST_CASE("more shards are merged than a process may have open files") {
  const Folder folder;
  std::vector<std::filesystem::path> shards;
  for (std::uint64_t index = 1; index <= 40; ++index) {
    shards.push_back(shard(folder, index, 40));
  }
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit tight = before;
  tight.rlim_cur = 32;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &tight) == 0);
  const MergeReport report = merge_into(folder.file(), shards);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(report.added == 4);
  CHECK(report.incomplete.empty());
}

TEST_CASE("shards of two programs are not told to be absent, but the programs are named") {
  const Folder folder;
  const auto run_by = [&folder](const std::string& program, const std::vector<std::string>& keys, std::uint64_t index) {
    const std::filesystem::path file = folder.file(program + ".db");
    Store store(file, Store::Access::kWrite);
    store.note_share(store.record(study_of(keys)), {index, 2});
    store.put(done_row(keys[index - 1], 1), "a result", program);
    return file;
  };
  const MergeReport report = merge_into(folder.file(), {run_by("1.0", {"a", "b"}, 1), run_by("1.1", {"c", "d"}, 2)});
  REQUIRE(report.incomplete.size() == 2);
  CHECK(report.incomplete[0].programs_of_twins == std::vector<std::string>{"1.0", "1.1"});
}

TEST_CASE("merging again adds nothing") {
  const Folder folder;
  const auto one = shard(folder, 1, 1);
  merge_into(folder.file(), {one});
  const MergeReport report = merge_into(folder.file(), {one});
  CHECK(report.added == 0);
  CHECK(report.known == 4);
}

TEST_CASE("a shard that is not there or damaged stops the merge before anything is changed, and all such are named") {
  const Folder folder;
  std::ofstream(folder.file("broken.db")) << std::string(9000, 'x');
  const std::vector<std::filesystem::path> others{shard(folder, 1, 2), folder.file("gone.db"),
                                                  folder.file("broken.db")};
  CHECK_THROWS_WITH(merge_into(folder.file(), others),
                    Contains("gone.db: no such database") && Contains("broken.db: is not a database"));
  CHECK_FALSE(std::filesystem::exists(folder.file()));
}

TEST_CASE("the empty file of a process that was killed before it stored anything adds nothing") {
  const Folder folder;
  std::ofstream(folder.file("empty.db")).flush();
  const MergeReport report = merge_into(folder.file(), {shard(folder, 1, 1), folder.file("empty.db")});
  CHECK(report.added == 4);
  CHECK(report.incomplete.empty());
}

TEST_CASE("a point done in one database and failed in another is done") {
  const Folder folder;
  for (const bool failed_first : {true, false}) {
    const auto failed = folder.file("failed.db");
    const auto done = folder.file("done.db");
    Store(failed, Store::Access::kWrite).put(failed_row("a", "out of memory"), "", "1.0");
    Store(done, Store::Access::kWrite).put(done_row("a", 5), "result", "1.0");
    const auto into = folder.file(failed_first ? "one.db" : "two.db");
    merge_into(into, failed_first ? std::vector{failed, done} : std::vector{done, failed});
    CHECK(Store(into, Store::Access::kRead).result("a") == "result");
  }
}

TEST_CASE("results that contradict each other are reported, and the first is kept") {
  const Folder folder;
  Store(folder.file("one.db"), Store::Access::kWrite).put(done_row("a", 5), "five", "1.0");
  Store(folder.file("two.db"), Store::Access::kWrite).put(done_row("a", 6), "six", "1.0");
  const MergeReport report = merge_into(folder.file(), {folder.file("one.db"), folder.file("two.db")});
  CHECK(report.differing == std::vector<std::string>{"a"});
  CHECK(Store(folder.file(), Store::Access::kRead).result("a") == "five");
}

TEST_CASE("studies without a name of their own get different ones, and the others keep theirs") {
  const Folder folder;
  for (const char* name : {"one", "two"}) {
    Store store(folder.file(std::string(name) + ".db"), Store::Access::kWrite);
    store.record(study_of({name}));
    store.record(study_of({std::string("named ") + name}, "mine"));
  }
  merge_into(folder.file(), {folder.file("one.db"), folder.file("two.db")});
  std::vector<std::string> names;
  for (const StudyInfo& study : Store(folder.file(), Store::Access::kRead).studies()) {
    names.push_back(study.name);
  }
  CHECK(names == std::vector<std::string>{"sweep-1", "mine", "sweep-3", "mine"});
}

TEST_CASE("a database is not merged into itself") {
  const Folder folder;
  { const Store made(folder.file(), Store::Access::kWrite); }
  CHECK_THROWS_AS(merge_into(folder.file(), {folder.file()}), StoreError);
}

}  // namespace gpusim::sweep
