// SPDX-License-Identifier: MIT
#include "sim/base/written_by.h"

#include <type_traits>

#include <catch2/catch.hpp>

namespace written_by_test {

using gpusim::WrittenBy;

namespace {

class Owner;
struct Record {
  WrittenBy<int, Owner> count{};
  WrittenBy<const int*, Owner> place{};
};

class Owner {
 public:
  static void set(Record& record, int count) { record.count = count; }
  static void add(Record& record, int more) { record.count.edit() += more; }
};

}  // namespace

TEST_CASE("a field is written by the class that its type names, and by no other") {
  STATIC_REQUIRE_FALSE(std::is_assignable_v<WrittenBy<int, Owner>&, int>);
  STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<Record>);
  STATIC_REQUIRE(sizeof(WrittenBy<int, Owner>) == sizeof(int));
  Record record;
  Owner::set(record, 3);
  Owner::add(record, 4);
  CHECK(record.count == 7);
}

TEST_CASE("everybody reads a field as the value that it holds") {
  const int five = 5;
  const Record record{.count = 2, .place = &five};
  CHECK(record.count + *record.place == 7);
}

}  // namespace written_by_test
