// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/commands/sweep/store/support.h"

using Catch::Matchers::Contains;

namespace gpusim::sweep {

TEST_CASE("a point comes back as it was put, with its whole result") {
  const Folder folder;
  const PointRow row = done_row("k1", 1234);
  const std::string result(100'000, 'x');
  {
    Store store(folder.file(), Store::Access::kWrite);
    store.put(row, result, "1.0");
  }
  const Store store(folder.file(), Store::Access::kRead);
  const auto found = store.find("k1");
  REQUIRE(found);
  CHECK(found->status == kDone);
  CHECK(found->cycles == 1234);
  CHECK(found->time_us == row.time_us);
  CHECK(found->bound == "dram");
  CHECK(found->metrics == row.metrics);
  CHECK(found->host_seconds == row.host_seconds);
  CHECK(store.result("k1") == result);
  CHECK_FALSE(store.find("k2"));
  CHECK_FALSE(store.result("k2"));
}

TEST_CASE("a database that is made and in which nothing is stored goes away again, and one that was there stays") {
  const Folder folder;
  { const Store store(folder.file(), Store::Access::kWrite); }
  CHECK_FALSE(std::filesystem::exists(folder.file()));
  {
    Store store(folder.file(), Store::Access::kWrite);
    (void)store.record(study_of({"a"}));
  }
  { const Store store(folder.file(), Store::Access::kWrite); }
  CHECK(std::filesystem::exists(folder.file()));
}

TEST_CASE("results are kept compressed") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  store.put(done_row("k1", 1), std::string(10'000'000, 'x'), "1.0");
  CHECK(std::filesystem::file_size(folder.file()) < 200'000);
}

TEST_CASE("a failure is replaced by a later end of the same point, a result never") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  store.put(failed_row("k1", "deadlock"), "", "1.0");
  CHECK(store.find("k1")->reason == "deadlock");
  store.put(done_row("k1", 7), "first", "1.0");
  CHECK(store.find("k1")->status == kDone);
  store.put(failed_row("k1", "out of memory"), "", "1.0");
  store.put(done_row("k1", 8), "second", "1.0");
  CHECK(store.find("k1")->cycles == 7);
  CHECK(store.result("k1") == "first");
}

TEST_CASE("a study answers in the order it asked, with what is done, failed and skipped, and counts the rest") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  const std::int64_t id = store.record(study_of({"d", "b", "", "a"}));
  store.put(done_row("a", 1), "ra", "1.0");
  store.put(failed_row("d", "limit"), "", "1.0");
  const std::vector<PointRow> points = store.points(id);
  REQUIRE(points.size() == 3);
  CHECK(points[0].key == "d");
  CHECK(points[0].status == kFailed);
  CHECK(points[0].parameters == std::vector<std::pair<std::string, std::string>>{{"sm.count", "1"}});
  CHECK(points[1].status == kSkipped);
  CHECK(points[1].reason == "contradicts itself");
  CHECK(points[2].cycles == 1);
  CHECK(points[2].arch == "h100");
  CHECK(points[2].derived == std::vector<std::pair<std::string, std::string>>{{"noc.gpcs", "9"}});
  const StudyInfo info = store.study().value();
  CHECK(info.points == 4);
  CHECK(info.done == 1);
  CHECK(info.failed == 1);
  CHECK(info.skipped == 1);
  CHECK(info.missing() == 1);
}

TEST_CASE("the same study is recorded once; the one recorded last is the last") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  const std::int64_t first = store.record(study_of({"a"}, "bandwidth"));
  const std::int64_t second = store.record(study_of({"b"}));
  CHECK(store.study()->id == second);
  CHECK(store.study()->name == "sweep-2");
  CHECK(store.record(study_of({"a"}, "bandwidth")) == first);
  CHECK(store.study()->id == first);
  CHECK(store.studies().size() == 2);
  CHECK(store.study("sweep-2")->id == second);
  CHECK_FALSE(store.study("sweep-3"));
}

TEST_CASE("a name stands for the last of the studies that had it") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  store.record(study_of({"a"}, "mine"));
  const std::int64_t later = store.record(study_of({"b"}, "mine"));
  CHECK(store.study("mine")->id == later);
}

TEST_CASE("a point says which program computed it") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  store.put(done_row("a", 1), "r", "1.0, model 7");
  CHECK(store.find("a")->program == "1.0, model 7");
}

TEST_CASE("names that are not UTF-8 are stored without harm") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  StudyRecord study = study_of({"a"});
  study.points[0].parameters = {{"sm.\xff", "\xfe"}};
  const std::int64_t id = store.record(study);
  store.put(done_row("a", 1), "\xff", "1.0");
  CHECK(store.points(id).size() == 1);
  CHECK(store.result("a") == "\xff");
}

TEST_CASE("a reader sees what a writer has stored so far") {
  const Folder folder;
  Store writer(folder.file(), Store::Access::kWrite);
  writer.put(done_row("a", 1), "r", "1.0");
  const Store reader(folder.file(), Store::Access::kRead);
  CHECK(reader.find("a"));
  writer.put(done_row("b", 2), "r", "1.0");
  CHECK(reader.find("b"));
}

TEST_CASE("ten thousand points are stored and asked for") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  std::vector<std::string> keys;
  for (int i = 0; i < 10'000; ++i) {
    keys.push_back("key" + std::to_string(i));
  }
  const std::int64_t id = store.record(study_of(keys));
  for (int i = 0; i < 10'000; i += 100) {  // a file system's round trip each
    store.put(done_row(keys[static_cast<std::size_t>(i)], 5), "result", "1.0");
  }
  CHECK(store.points(id).size() == 100);
  CHECK(store.study()->missing() == 9'900);
}

}  // namespace gpusim::sweep
