// SPDX-License-Identifier: MIT
#include "sim/machine/mem/cache/tag_array.h"

#include <list>
#include <map>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using gpusim::mem::cache::kAllSectors;
using gpusim::mem::cache::LineNumber;
using gpusim::mem::cache::LineState;
using gpusim::mem::cache::SectorMask;
using gpusim::mem::cache::TagArray;

namespace {

/// The same contract in the plainest possible way: a list of lines a set, most recently used first.
class NaiveTags {
 public:
  NaiveTags(const TagArray& like) : like_(like), sets_(like.sets()) {}

  LineState probe(LineNumber line) {
    for (const LineState& state : set(line)) {
      if (state.line == line) {
        return state;
      }
    }
    return {};
  }
  SectorMask lookup(LineNumber line, SectorMask sectors) {
    return use(line) ? static_cast<SectorMask>(set(line).front().valid & sectors) : SectorMask{0};
  }
  LineState enter(LineNumber line, SectorMask sectors, SectorMask dirty) {
    LineState evicted;
    if (!use(line)) {
      if (set(line).size() == like_.ways()) {
        evicted = set(line).back();
        set(line).pop_back();
      }
      set(line).push_front({line, 0, 0, 0});
    }
    set(line).front().valid |= sectors;
    set(line).front().dirty |= dirty;
    return evicted;
  }
  SectorMask mark_dirty(LineNumber line, SectorMask sectors) {
    if (!use(line)) {
      return 0;
    }
    LineState& state = set(line).front();
    state.dirty |= state.valid & sectors;
    return state.valid & sectors;
  }
  LineState invalidate(LineNumber line, SectorMask sectors) {
    LineState dropped = probe(line);
    dropped.valid &= sectors;
    dropped.dirty &= sectors;
    for (LineState& state : set(line)) {
      if (state.line == line) {
        state.valid &= static_cast<SectorMask>(~sectors);
        state.dirty &= static_cast<SectorMask>(~sectors);
      }
    }
    set(line).remove_if([](const LineState& state) { return state.valid == 0; });
    return dropped;
  }

 private:
  std::list<LineState>& set(LineNumber line) { return sets_[like_.set_of(line)]; }
  bool use(LineNumber line) {
    auto& lines = set(line);
    for (auto it = lines.begin(); it != lines.end(); ++it) {
      if (it->line == line) {
        lines.splice(lines.begin(), lines, it);
        return true;
      }
    }
    return false;
  }
  const TagArray& like_;
  std::vector<std::list<LineState>> sets_;
};

bool same(const LineState& a, const LineState& b) {
  return a.line == b.line && a.valid == b.valid && a.dirty == b.dirty && a.user == b.user;
}

}  // namespace

TEST_CASE("of a set so many lines leave last, and beyond them the one used least recently is as the others again") {
  TagArray tags(1, 4);
  for (const LineNumber line : {1, 2, 3, 4}) {
    tags.fill(line, 1);
  }
  tags.keep(1, 2);
  tags.keep(2, 2);
  CHECK(tags.fill(5, 1).line == 3);
  CHECK(tags.fill(6, 1).line == 4);
  tags.keep(6, 2);  // 1 leaves when it is its turn again, which is before 5
  CHECK(tags.fill(7, 1).line == 1);
  CHECK(tags.fill(8, 1).line == 5);
  CHECK(tags.fill(9, 1).line == 7);
  tags.keep(3, 2);  // not there
  CHECK(tags.probe(2).present());
  CHECK(tags.probe(6).present());
}

TEST_CASE("a lookup hits exactly the sectors that were filled") {
  TagArray tags(4, 2);
  CHECK(tags.lookup(7, kAllSectors) == 0);
  CHECK_FALSE(tags.fill(7, 0b0101).present());
  CHECK(tags.lookup(7, kAllSectors) == 0b0101);
  CHECK(tags.lookup(7, 0b0110) == 0b0100);
  tags.fill(7, 0b0010);
  CHECK(tags.lookup(7, kAllSectors) == 0b0111);
  CHECK(tags.lines_present() == 1);
}

TEST_CASE("the least recently used line leaves, and looking without touching does not count as use") {
  TagArray tags(1, 3);
  tags.fill(1, 1);
  tags.fill(2, 1);
  tags.fill(3, 1);
  CHECK(tags.lookup(1, 1) == 1);
  CHECK(tags.probe(2).valid == 1);
  CHECK(tags.fill(4, 1).line == 2);
  CHECK(tags.mark_dirty(3, 1) == 1);
  CHECK(tags.fill(5, 1).line == 1);
  CHECK(tags.fill(6, 1).line == 4);
  CHECK(tags.fill(7, 1).line == 3);
}

TEST_CASE("a lookup that misses the sector still counts as a use of the line") {
  TagArray tags(1, 2);
  tags.fill(1, 0b0001);
  tags.fill(2, 0b0001);
  CHECK(tags.lookup(1, 0b1000) == 0);
  CHECK(tags.fill(3, 1).line == 2);
}

TEST_CASE("an eviction returns exactly what the line held") {
  TagArray tags(1, 1);
  tags.fill(9, 0b0011);
  tags.write(9, 0b1000);
  tags.mark_dirty(9, 0b0110);  // sector 2 is not valid and cannot be dirty
  tags.find(9)->set_user(5);
  const LineState evicted = tags.fill(10, 1);
  CHECK(evicted.line == 9);
  CHECK(evicted.valid == 0b1011);
  CHECK(evicted.dirty == 0b1010);
  CHECK(evicted.user == 5);
  CHECK(tags.probe(10).user == 0);
}

TEST_CASE("written-back sectors are clean and stay valid") {
  TagArray tags(2, 2);
  tags.write(3, 0b0111);
  CHECK(tags.clean(3, 0b1110) == 0b0110);
  CHECK(tags.probe(3).dirty == 0b0001);
  CHECK(tags.probe(3).valid == 0b0111);
}

TEST_CASE("a line leaves with its last sector and its way is free for another") {
  TagArray tags(1, 2);
  tags.write(1, 0b0011);
  tags.fill(2, kAllSectors);
  CHECK(tags.invalidate(1, 0b0001).dirty == 0b0001);
  CHECK(tags.probe(1).valid == 0b0010);
  CHECK(tags.invalidate(1).valid == 0b0010);
  CHECK_FALSE(tags.probe(1).present());
  CHECK_FALSE(tags.fill(3, 1).present());
  CHECK(tags.lines_present() == 2);
}

TEST_CASE("any number of sets and ways holds its capacity and no line more") {
  for (const auto& [sets, ways] :
       std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {3, 5}, {7, 13}, {1, 300}, {80, 16}}) {
    TagArray tags(sets, ways);
    std::size_t evicted = 0;
    const std::size_t lines = std::size_t{sets} * ways * 20;
    for (LineNumber line = 0; line < lines; ++line) {
      evicted += tags.fill(line, 1).present() ? 1 : 0;
    }
    CHECK(tags.lines_present() == std::size_t{sets} * ways);
    CHECK(tags.lines_present() + evicted == lines);
    std::size_t seen = 0;
    tags.for_each([&](const LineState& state) { seen += state.valid; });
    CHECK(seen == tags.lines_present());
  }
}

TEST_CASE("consecutive lines that fit all hit, wherever they begin and whatever the number of sets") {
  for (const unsigned sets : {320U, 48U, 7U}) {
    for (const LineNumber first : {LineNumber{0}, LineNumber{1000003}, LineNumber{1} << 47}) {
      TagArray tags(sets, 16, 3);
      const LineNumber lines =
          LineNumber{sets} * 15;  // a run that begins inside a round has up to a line more in a set
      std::size_t evicted = 0;
      for (LineNumber i = 0; i < lines; ++i) {
        evicted += tags.fill(first + i, 1).present() ? 1 : 0;
      }
      CHECK(evicted == 0);
      CHECK(tags.lines_present() == lines);
    }
  }
}

TEST_CASE("lines at a stride spread as by chance, whatever power of two it is") {
  for (const LineNumber stride : {64, 4096, 1 << 20}) {
    TagArray tags(320, 16, 3);
    const LineNumber lines = 320 * 16;
    std::size_t hits = 0;
    for (int pass = 0; pass < 3; ++pass) {
      hits = 0;
      for (LineNumber i = 0; i < lines; ++i) {
        hits += tags.lookup(i * stride, 1);
        tags.fill(i * stride, 1);
      }
    }
    // Cyclic use under LRU: only sets that got no more lines than ways hit, about half of them.
    CHECK(hits > lines / 4);
    CHECK(hits < lines * 3 / 4);
  }
}

TEST_CASE("a line that is to leave first does so before older ones, one that is to stay after younger ones") {
  TagArray tags(1, 3);
  tags.fill(1, 1);
  tags.fill(2, 1);
  tags.fill(3, 1);
  tags.set_eviction(3, gpusim::Eviction::kFirst);
  tags.set_eviction(1, gpusim::Eviction::kLast);
  CHECK(tags.fill(4, 1).line == 3);
  CHECK(tags.fill(5, 1).line == 2);
  CHECK(tags.fill(6, 1).line == 4);
  CHECK(tags.lookup(1, 1) == 1);  // a plain use, and it is a line as others are
  CHECK(tags.fill(7, 1).line == 5);
  CHECK(tags.fill(8, 1).line == 6);
  CHECK(tags.fill(9, 1).line == 1);
  tags.set_eviction(100, gpusim::Eviction::kFirst);  // absent: nothing happens
  CHECK(tags.lines_present() == 3);
}

TEST_CASE("lines that are to stay do so when the clock of their set has run out") {
  TagArray tags(1, 3);
  tags.fill(1, 1);
  tags.set_eviction(1, gpusim::Eviction::kLast);
  for (LineNumber line = 2; line < 100'000; ++line) {
    tags.fill(line, 1);
  }
  CHECK(tags.probe(1).present());
}

TEST_CASE("a size in bytes gives whole sets") {
  CHECK(TagArray::of_bytes(256 * 1024, 4).sets() == 512);
  CHECK(TagArray::of_bytes(200 * 1024, 3).sets() == 533);
  CHECK(TagArray::of_bytes(0, 4).sets() == 1);
}

TEST_CASE("tags agree with a naive model under random use") {
  std::mt19937_64 random(7);
  for (const auto& [sets, ways] : std::vector<std::pair<unsigned, unsigned>>{{1, 4}, {5, 3}, {16, 16}}) {
    TagArray tags(sets, ways, sets);
    NaiveTags naive(tags);
    const std::uint64_t lines = std::uint64_t{sets} * ways * 2;
    for (int step = 0; step < 20000; ++step) {
      const LineNumber line = random() % lines;
      const auto sectors = static_cast<SectorMask>(1 + random() % kAllSectors);
      bool agree = true;
      switch (random() % 6) {
        case 0: agree = tags.lookup(line, sectors) == naive.lookup(line, sectors); break;
        case 1: agree = same(tags.fill(line, sectors), naive.enter(line, sectors, 0)); break;
        case 2: agree = same(tags.write(line, sectors), naive.enter(line, sectors, sectors)); break;
        case 3: agree = tags.mark_dirty(line, sectors) == naive.mark_dirty(line, sectors); break;
        case 4: agree = same(tags.probe(line), naive.probe(line)); break;
        default: agree = same(tags.invalidate(line, sectors), naive.invalidate(line, sectors)); break;
      }
      REQUIRE(agree);
    }
  }
}

TEST_CASE("after clear nothing of the past is left") {
  TagArray used(5, 3);
  for (LineNumber line = 0; line < 100; ++line) {
    used.write(line, kAllSectors);
    used.find(line)->set_user(1);
  }
  used.clear();
  CHECK(used.lines_present() == 0);
  TagArray fresh(5, 3);
  std::mt19937_64 random(1);
  for (int step = 0; step < 500; ++step) {
    const LineNumber line = random() % 40;
    REQUIRE(used.lookup(line, kAllSectors) == fresh.lookup(line, kAllSectors));
    REQUIRE(same(used.fill(line, 0b0010), fresh.fill(line, 0b0010)));
  }
}

TEST_CASE("of the dirty lines beyond the limit the one used least recently becomes clean, and stays") {
  TagArray tags(1, 4);
  tags.write(1, 0x1);
  tags.write(2, 0x3);
  tags.fill(3, 0xf);
  CHECK_FALSE(tags.limit_dirty(2, 2).present());
  tags.lookup(1, 0x1);
  tags.write(4, 0x1);
  const LineState cleaned = tags.limit_dirty(4, 2);
  CHECK(cleaned.line == 2);
  CHECK(cleaned.dirty == 0x3);
  CHECK(tags.probe(2).valid == 0x3);
  CHECK(tags.probe(2).dirty == 0);
  CHECK_FALSE(tags.limit_dirty(4, 2).present());
}

TEST_CASE("with any policy a set keeps as many dirty lines as the limit allows") {
  for (const auto& policy : gpusim::policy::kReplacements) {
    CAPTURE(policy.name);
    TagArray tags(1, 8, 0, policy.policy);
    for (LineNumber line = 0; line < 40; ++line) {
      tags.write(line, 0x1);
      static_cast<void>(tags.limit_dirty(line, 3));
      CHECK(tags.probe(line).dirty != 0);
    }
    int dirty = 0;
    tags.for_each([&](const LineState& state) { dirty += state.dirty != 0 ? 1 : 0; });
    CHECK(dirty == 3);
    CHECK(tags.lines_present() == 8);
  }
}
