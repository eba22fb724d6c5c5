// SPDX-License-Identifier: MIT
// Access policy windows: what persists leaves after the rest, as far as it is set aside; what streams leaves first.
#include <vector>

#include <catch2/catch.hpp>

#include "tests/machine/mem/l2/bench.h"

namespace window_test {

using namespace gpusim;
using mem::l2::AccessWindow;
using msg::Kind;
using test::PartitionBench;

namespace {

constexpr std::uint32_t kWays = 32;  // ways of the one set that a slice of the bench has
constexpr std::uint32_t kInWindow = 4;

struct WindowBench : PartitionBench {
  WindowBench() : PartitionBench(test::small_arch(1)) {
    for (Address line = 0; lines.size() < 3 * kWays; line += kLineBytes) {
      if (map.home_slice(line) == 0) {
        lines.push_back(line);
      }
    }
  }
  /// Over the first lines of the slice.
  void set_window(Eviction hit, std::uint32_t ways) {
    partitions[0]->set_window({0, lines[kInWindow], 100, hit, Eviction::kNormal, ways});
  }
  /// Whether the n-th line of the slice was there.
  bool access(std::size_t n, Kind kind = Kind::kRead) {
    return PartitionBench::access(request(kind, lines[n], 1)).missed == 0;
  }
  void access_range(std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      access(n);
    }
  }
  std::vector<Address> lines;
};

}  // namespace

TEST_CASE("lines that persist outlive a stream that would push them out") {
  for (const bool persists : {false, true}) {
    WindowBench bench;
    bench.set_window(persists ? Eviction::kLast : Eviction::kNormal, kInWindow);
    bench.access_range(0, 2 * kWays);
    for (std::size_t n = 0; n < kInWindow; ++n) {
      CHECK(bench.access(n) == persists);
    }
  }
}

TEST_CASE("at most as many lines of a set persist as are set aside, the latest ones") {
  WindowBench bench;
  bench.set_window(Eviction::kLast, kInWindow - 1);
  bench.access_range(0, 2 * kWays);
  CHECK(bench.access(3));
  CHECK(bench.access(2));
  CHECK(bench.access(1));
  CHECK_FALSE(bench.access(0));
}

TEST_CASE("what is set aside and not used is there for everybody") {
  WindowBench bench;
  bench.set_window(Eviction::kLast, kWays / 2);
  bench.access_range(kInWindow, kInWindow + kWays);
  for (std::size_t n = kInWindow; n < kInWindow + kWays; ++n) {
    CHECK(bench.access(n));
  }
}

TEST_CASE("lines that stream leave before older ones that do not") {
  WindowBench bench;
  bench.access_range(kInWindow, kWays);  // kInWindow ways are left
  bench.set_window(Eviction::kFirst, 0);
  bench.access_range(0, kInWindow);
  bench.access_range(kWays, kWays + kInWindow);
  for (std::size_t n = kInWindow; n < kWays; ++n) {
    CHECK(bench.access(n));
  }
  CHECK_FALSE(bench.access(0));
}

TEST_CASE("written lines persist as read ones do, in time as in the untimed pass") {
  WindowBench bench;
  bench.set_window(Eviction::kLast, kInWindow);
  bench.plan(100, Kind::kWrite, bench.lines[0], 1);
  bench.plan(200, Kind::kAtomic, bench.lines[1], 1);
  bench.plan(300, Kind::kRead, bench.lines[2], 1);
  bench.run();
  bench.access(3, Kind::kWrite);
  bench.access_range(kInWindow, kInWindow + 2 * kWays);
  for (std::size_t n = 0; n < kInWindow; ++n) {
    CHECK(bench.access(n));
  }
}

TEST_CASE("so many per cent of a window's lines are hits as it says, and always the same ones") {
  const auto hits = [](std::uint32_t percent) {
    const AccessWindow window{0, 1U << 30, percent, Eviction::kLast, Eviction::kFirst, 1};
    int count = 0;
    for (Address line = 0; line < 10'000 * kLineBytes; line += kLineBytes) {
      REQUIRE(window.of(line) != Eviction::kNormal);
      count += window.of(line) == Eviction::kLast ? 1 : 0;
    }
    return count;
  };
  CHECK(hits(0) == 0);
  CHECK(hits(60) > 5800);
  CHECK(hits(60) < 6200);
  CHECK(hits(100) == 10'000);
}

TEST_CASE("a window ends where it ends, and no window holds nothing") {
  const AccessWindow window{1024, 256, 100, Eviction::kLast, Eviction::kNormal, 1};
  CHECK_FALSE(window.holds(896));
  CHECK(window.holds(1024));
  CHECK(window.holds(1152));
  CHECK_FALSE(window.holds(1280));
  CHECK_FALSE(AccessWindow().holds(0));
}

}  // namespace window_test
