// SPDX-License-Identifier: MIT
#include "sim/base/read_pipe.h"

#include <array>

#include <catch2/catch.hpp>
#include <unistd.h>

using namespace gpusim;

namespace {

/// What is kept of a text that fits the pipe, and whether nothing of it is left in the pipe.
std::string through_pipe(const std::string& text, std::size_t most) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const std::string kept = read_pipe(ends[0], most);
  char left = 0;
  CHECK(::read(ends[0], &left, 1) == 0);
  ::close(ends[0]);
  return kept;
}

}  // namespace

TEST_CASE("a pipe is read to its end, and no more of it is kept than asked for") {
  CHECK(through_pipe("all of it", 100) == "all of it");
  CHECK(through_pipe("all of it", 9) == "all of it");
  CHECK(through_pipe("all of it", 3) == "all");
  CHECK(through_pipe("all of it", 0).empty());
  CHECK(through_pipe("", 10).empty());
}
