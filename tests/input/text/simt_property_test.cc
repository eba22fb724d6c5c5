// SPDX-License-Identifier: MIT
// Random structured programs: what the SIMT walker gives each lane must be what the lane would do alone.
#include <functional>
#include <random>

#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace simt_property_test {

using namespace gpusim;
using namespace gpusim::test;

namespace {

using Counters = std::vector<std::int64_t>;

/// (lane * a + the sum of counters + c) % m < r, as text and as a function.
struct RandomCondition {
  std::int64_t a, c, m, r;
  std::size_t counters;
  [[nodiscard]] bool holds(std::int64_t lane, const Counters& values) const {
    return (lane * a + sum(values) + c) % m < r;
  }
  [[nodiscard]] std::int64_t sum(const Counters& values) const {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < counters; ++i) {
      total += values[i];
    }
    return total;
  }
  [[nodiscard]] std::string text() const {
    std::string all = "(lane*" + std::to_string(a);
    for (std::size_t i = 0; i < counters; ++i) {
      all += " + i" + std::to_string(i);
    }
    return all + " + " + std::to_string(c) + ") % " + std::to_string(m) + " < " + std::to_string(r);
  }
};

/// What one lane does, one instruction after the other.
struct ScalarOp {
  enum Kind { kPlain, kBranch, kExit, kLoopBegin, kLoopGuard, kLoopEnd } kind = kPlain;
  std::uint32_t pc = 0;
  std::size_t target = 0;
  std::size_t level = 0;
  std::function<bool(std::int64_t, const Counters&)> condition;
  std::function<std::int64_t(std::int64_t, const Counters&)> trips;
};

class Generator {
 public:
  /// `converges`: about every second block begins and ends with a convergence barrier, and lanes yield now and then.
  explicit Generator(unsigned seed, bool converges = false) : random_(seed), converges_(converges) {}

  void run() {
    block(0);
    text += "EXIT\n";
    ops.push_back({ScalarOp::kExit, pc_++, 0, 0, always(), {}});
  }

  std::string text;
  std::vector<ScalarOp> ops;

 private:
  [[nodiscard]] std::int64_t pick(std::int64_t below) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(below));
  }
  static std::function<bool(std::int64_t, const Counters&)> always() {
    return [](std::int64_t, const Counters&) { return true; };
  }
  RandomCondition condition() {
    const std::int64_t m = 1 + pick(7);
    return {pick(4), pick(5), m, pick(m + 1), levels_};
  }

  void block(unsigned depth) {
    const std::int64_t count = 1 + pick(3);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t kind = depth < 4 ? pick(7) : pick(2);
      if (kind < 2) {
        plain(converges_ && pick(4) == 0 ? "YIELD" : "FADD R1, R1, R2");
      } else if (kind < 4) {
        branch_block(depth);
      } else if (kind < 6) {
        loop(depth);
      } else {
        leave();
      }
    }
  }

  void plain(const std::string& line) {
    text += line + "\n";
    ops.push_back({ScalarOp::kPlain, pc_++, 0, 0, always(), {}});
  }

  void leave() {
    const RandomCondition when = condition();
    const auto holds = [when](std::int64_t lane, const Counters& at) { return when.holds(lane, at); };
    if (exits_.empty() || pick(3) == 0) {
      text += "@P0 EXIT when " + when.text() + "\n";
      ops.push_back({ScalarOp::kExit, pc_++, 0, 0, holds, {}});
    } else {
      // Out of one of the blocks around, like break, continue or a goto to the common end.
      const auto which = static_cast<std::size_t>(pick(static_cast<std::int64_t>(exits_.size())));
      for (std::size_t i = exits_.size(); i-- > which + 1;) {
        if (exits_[i].has_barrier) {
          plain("@P0 BREAK B" + std::to_string(i) + " when " + when.text());
        }
      }
      text += "@P0 BRA " + exits_[which].label + " when " + when.text() + "\n";
      exits_[which].branches.push_back(ops.size());
      ops.push_back({ScalarOp::kBranch, pc_++, 0, 0, holds, {}});
    }
  }

  void branch_block(unsigned depth) {
    const RandomCondition when = condition();
    begin_exit();
    text += "if " + when.text() + "\n";
    const std::size_t over = ops.size();
    ops.push_back({ScalarOp::kBranch,
                   pc_++,
                   0,
                   0,
                   [when](std::int64_t lane, const Counters& at) { return !when.holds(lane, at); },
                   {}});
    block(depth + 1);
    if (pick(2) == 0) {
      text += "else\n";
      const std::size_t over_else = ops.size();
      ops.push_back({ScalarOp::kBranch, pc_++, 0, 0, always(), {}});
      ops[over].target = ops.size();
      block(depth + 1);
      ops[over_else].target = ops.size();
    } else {
      ops[over].target = ops.size();
    }
    text += "end\n";
    end_exit();
  }

  void loop(unsigned depth) {
    const RandomCondition trips = condition();
    const std::string name = "i" + std::to_string(levels_);
    const bool fixed = pick(2) == 0;
    const std::int64_t fixed_trips = 1 + pick(3);
    begin_exit();
    text += "loop " + name + " = 0.." +
            (fixed ? std::to_string(fixed_trips)
                   : "(" + trips.text() + ") * 2 + (" + std::to_string(trips.m) + " > lane)") +
            "\n";
    const std::size_t level = levels_;
    const auto count = [=](std::int64_t lane, const Counters& at) -> std::int64_t {
      return fixed ? fixed_trips : trips.holds(lane, at) * 2 + (trips.m > lane);
    };
    ops.push_back({ScalarOp::kLoopBegin, 0, 0, level, {}, count});
    const std::size_t guard = ops.size();
    if (!fixed) {
      ops.push_back({ScalarOp::kLoopGuard, pc_++, 0, level, {}, count});
    }
    const std::size_t body = ops.size();
    ++levels_;
    begin_exit();
    block(depth + 1);
    end_exit();
    --levels_;
    ops.push_back({ScalarOp::kLoopEnd, pc_++, body, level, {}, count});
    ops[guard].target = fixed ? ops[guard].target : ops.size();
    text += "end\n";
    end_exit();
  }

  struct Exit {
    std::string label;
    std::vector<std::size_t> branches;
    bool has_barrier = false;  ///< its number is that of the exit
  };
  void begin_exit() {
    exits_.push_back({"l" + std::to_string(labels_++), {}, converges_ && pick(2) == 0});
    if (exits_.back().has_barrier) {
      plain("BSSY B" + std::to_string(exits_.size() - 1) + ", " + exits_.back().label);
    }
  }
  void end_exit() {
    text += exits_.back().label + ":\n";
    for (const std::size_t branch : exits_.back().branches) {
      ops[branch].target = ops.size();
    }
    const bool has_barrier = exits_.back().has_barrier;
    exits_.pop_back();
    if (has_barrier) {
      plain("BSYNC B" + std::to_string(exits_.size()));
    }
  }

  std::mt19937 random_;
  bool converges_;
  std::vector<Exit> exits_;
  std::size_t levels_ = 0;
  unsigned labels_ = 0;
  std::uint32_t pc_ = 0;
};

std::vector<std::uint32_t> run_alone(const std::vector<ScalarOp>& ops, std::int64_t lane) {
  std::vector<std::uint32_t> pcs;
  Counters counters(16, 0);
  for (std::size_t at = 0;;) {
    const ScalarOp& op = ops[at++];
    if (op.kind != ScalarOp::kLoopBegin) {
      pcs.push_back(op.pc);
    }
    switch (op.kind) {
      case ScalarOp::kPlain: break;
      case ScalarOp::kBranch: at = op.condition(lane, counters) ? op.target : at; break;
      case ScalarOp::kExit:
        if (op.condition(lane, counters)) {
          return pcs;
        }
        break;
      case ScalarOp::kLoopBegin: counters[op.level] = 0; break;
      case ScalarOp::kLoopGuard: at = op.trips(lane, counters) == 0 ? op.target : at; break;
      case ScalarOp::kLoopEnd:
        if (++counters[op.level] < op.trips(lane, counters)) {
          at = op.target;
        }
        break;
    }
  }
}

/// Each lane's instructions, in its order.
std::vector<std::vector<std::uint32_t>> by_lane(const std::vector<Event>& events) {
  std::vector<std::vector<std::uint32_t>> lanes(kWarpLanes);
  for (const Event& event : events) {
    REQUIRE(event.active != 0);
    REQUIRE((event.mask & ~event.active) == 0);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((event.active >> lane & 1U) != 0) {
        lanes[lane].push_back(event.pc);
      }
    }
  }
  return lanes;
}

std::vector<Event> walk_with(trace::Simt simt, const std::string& text) {
  return walk(one_warp(text).kernels.at(0), {}, 0, 100'000, simt);
}

}  // namespace

TEST_CASE("a warp of diverging lanes gives every lane what it would do alone") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Generator program(seed);
    program.run();
    INFO("seed " << seed << "\n" << program.text);
    const auto lanes = by_lane(walk_with(trace::Simt::kStack, program.text));
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      REQUIRE(lanes[lane] == run_alone(program.ops, lane));
    }
  }
}

TEST_CASE("without convergence barriers independent lanes run together as with a stack") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Generator program(seed);
    program.run();
    INFO("seed " << seed << "\n" << program.text);
    const auto stack = walk_with(trace::Simt::kStack, program.text);
    const auto independent = walk_with(trace::Simt::kIndependent, program.text);
    REQUIRE(independent.size() == stack.size());
    for (std::size_t i = 0; i < stack.size(); ++i) {
      REQUIRE(independent[i].pc == stack[i].pc);
      REQUIRE(independent[i].active == stack[i].active);
      REQUIRE(independent[i].mask == stack[i].mask);
    }
  }
}

TEST_CASE("with convergence barriers and yields every lane does what it would do alone") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Generator program(seed, true);
    program.run();
    INFO("seed " << seed << "\n" << program.text);
    for (const trace::Simt simt : {trace::Simt::kStack, trace::Simt::kIndependent}) {
      const auto lanes = by_lane(walk_with(simt, program.text));
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        REQUIRE(lanes[lane] == run_alone(program.ops, lane));
      }
    }
  }
}

}  // namespace simt_property_test
