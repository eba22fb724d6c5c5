// SPDX-License-Identifier: MIT
// Domains in windows: whatever the threads, the order of domains or the size of the window, every domain handles the
// same messages at the same cycles in the same order.
#include "sim/machine/engine/engine.h"

#include <array>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/hash.h"
#include "sim/machine/engine/worker.h"

#include "tests/support/messages.h"
#include "tests/support/stand_in.h"

using namespace gpusim;
using engine::Engine;
using engine::EngineOptions;
using engine::Outcome;
using test::StandIn;

namespace {

/// What one domain handled: cycle, source, content.
using Trace = std::vector<std::tuple<Cycle, msg::DomainId, Address>>;

constexpr Cycle kWindow = 8;

/// Answers each message with up to two others whose receivers, latencies and contents follow from the message alone.
class Gossip final : public engine::Domain {
 public:
  Gossip(msg::DomainId id, std::uint32_t domains, std::uint64_t seed) : Domain(id), domains_(domains), seed_(seed) {
    const std::uint64_t word = mix64(seed + id);
    msg::Message first = gossip(word);
    first.time = kWindow + word % 5;
    first.source = static_cast<std::uint16_t>(id);
    deliver(first);
  }
  void run_until(Cycle end) override {
    for (Cycle now = next_event(); now < end; now = next_event()) {
      receive(now, [this, now](const msg::Message& m) {
        trace.emplace_back(now, m.source, test::l2(m).address);
        if (trace.size() < kMostMessages) {
          answer(m, now);
        }
      });
    }
  }
  [[nodiscard]] Cycle next_event() const override { return next_message(); }

  Trace trace;

 private:
  static constexpr std::size_t kMostMessages = 200;

  static msg::Message gossip(std::uint64_t word) {
    msg::SmAccess access;
    access.address = word;
    return msg::make(msg::Kind::kRead, access);
  }
  void answer(const msg::Message& m, Cycle now) {
    const std::uint64_t word = mix64(test::l2(m).address ^ seed_ ^ (now << 20) ^ m.source);
    const std::uint64_t answers = word % 8 == 0 ? 2 : 1;
    for (std::uint64_t i = 0; i < answers; ++i) {
      const std::uint64_t choice = mix64(word + i);
      const Cycle latency = kWindow + (choice >> 8) % 3 + ((choice >> 16) % 16 == 0 ? 700 : 0);
      send(static_cast<msg::DomainId>((choice >> 32) % domains_), now + latency, gossip(choice));
    }
  }
  std::uint32_t domains_;
  std::uint64_t seed_;
};

std::vector<Trace> gossip(std::uint64_t seed, const EngineOptions& options, Cycle limit = kNever) {
  const auto count = static_cast<std::uint32_t>(2 + seed % 7);
  std::vector<std::unique_ptr<Gossip>> owned;
  std::vector<engine::Domain*> domains;
  for (std::uint32_t i = 0; i < count; ++i) {
    owned.push_back(std::make_unique<Gossip>(i, count, seed));
    domains.push_back(owned.back().get());
  }
  Engine engine(domains, options);
  engine.run(limit, {});
  std::vector<Trace> traces;
  for (const auto& domain : owned) {
    traces.push_back(domain->trace);
  }
  return traces;
}

/// Throws a text that names itself, at a cycle of its choice.
class Thrower final : public engine::Domain {
 public:
  Thrower(msg::DomainId id, Cycle when) : Domain(id), when_(when) {}
  void run_until(Cycle end) override {
    if (when_ < end) {
      when_ = kNever;
      throw std::runtime_error("domain " + std::to_string(id()));
    }
  }
  [[nodiscard]] Cycle next_event() const override { return when_; }

 private:
  Cycle when_;
};

std::string thrown_by(const EngineOptions& options) {
  Thrower quiet(0, 90);
  Thrower first(1, 12);
  Thrower second(2, 10);
  Thrower third(3, 11);
  Engine engine({&quiet, &first, &second, &third}, options);
  try {
    engine.run(kNever, {});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("messages of one cycle are handled by source, those of one source as it sent them") {
  class Receiver final : public engine::Domain {
   public:
    Receiver() : Domain(0) {}
    void run_until(Cycle end) override {
      for (Cycle now = next_message(); now < end; now = next_message()) {
        receive(now, [this](const msg::Message& m) { order.emplace_back(m.source, test::token_of(m)); });
      }
    }
    [[nodiscard]] Cycle next_event() const override { return next_message(); }
    std::vector<std::pair<msg::DomainId, std::uint32_t>> order;
  };
  std::vector<std::uint16_t> sources;
  std::vector<std::pair<msg::DomainId, std::uint32_t>> sorted;
  for (std::uint16_t source = 0; source < 4; ++source) {
    for (std::uint32_t sent = 0; sent < 3; ++sent) {
      sources.push_back(source);
      sorted.emplace_back(source, sent);
    }
  }
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(sources.begin(), sources.end(), random);
    Receiver receiver;
    std::array<std::uint32_t, 4> sent{};
    for (const std::uint16_t source : sources) {
      msg::Message message = test::numbered(sent[source]++);
      message.time = 20;
      message.source = source;
      receiver.deliver(message);
    }
    CHECK(receiver.next_event() == 20);
    Engine({&receiver}, {kWindow, 1, false}).run(kNever, {});
    CHECK(receiver.order == sorted);
  }
}

TEST_CASE("messages far apart in one window are handled in the same order as near ones") {
  constexpr Cycle kWide = 1000;
  StandIn receiver(0);
  StandIn first(1);
  StandIn second(2);
  const auto plan = [](StandIn& sender, Cycle arrival, std::uint32_t token) {
    sender.plan(0, 0, arrival, test::numbered(token));
  };
  plan(second, 1900, 5);
  plan(second, 1000, 2);
  plan(second, 1000, 3);
  plan(first, 1900, 4);
  plan(first, 1000, 1);
  Engine({&receiver, &first, &second}, {kWide, 1, true}).run(kNever, {});
  std::vector<std::uint32_t> tokens;
  for (const msg::Message& message : receiver.received) {
    tokens.push_back(test::token_of(message));
  }
  CHECK(tokens == std::vector<std::uint32_t>{1, 2, 3, 4, 5});
}

TEST_CASE("two domains that answer each other meet every latency") {
  const auto answer = [](StandIn& self, const msg::Message& m, Cycle now) {
    if (test::token_of(m) > 0) {
      self.plan(now, m.source, 10, test::numbered(test::token_of(m) - 1));
    }
  };
  StandIn ping(0, answer);
  StandIn pong(1, answer);
  ping.plan(3, 1, 10, test::numbered(5));
  Engine engine({&ping, &pong}, {kWindow, 1, false});
  CHECK(engine.run(kNever, {}) == Outcome::kIdle);
  REQUIRE(pong.received.size() == 3);
  REQUIRE(ping.received.size() == 3);
  CHECK(pong.received[0].time == 13);
  CHECK(ping.received[0].time == 23);
  CHECK(ping.received[2].time == 63);
}

TEST_CASE("the same events are handled for any number of threads, order of domains and size of window") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    const std::vector<Trace> expected = gossip(seed, {kWindow, 1, false});
    std::size_t handled = 0;
    for (const Trace& trace : expected) {
      handled += trace.size();
    }
    CHECK(handled > 50);
    CHECK(gossip(seed, {kWindow, 1, true}) == expected);
    CHECK(gossip(seed, {kWindow / 2, 1, false}) == expected);
    CHECK(gossip(seed, {1, 1, true}) == expected);
    CHECK(gossip(seed, {kWindow, 2, false}) == expected);
    CHECK(gossip(seed, {kWindow, 4, true}) == expected);
    CHECK(gossip(seed, {kWindow / 2, 4, false}) == expected);
  }
}

TEST_CASE("a limit cuts at its cycle, whatever the window") {
  const std::vector<Trace> all = gossip(5, {kWindow, 1, false});
  for (const Cycle limit : {Cycle{9}, Cycle{50}, Cycle{101}}) {
    std::vector<Trace> expected = all;
    for (Trace& trace : expected) {
      std::erase_if(trace, [limit](const auto& event) { return std::get<0>(event) >= limit; });
    }
    CHECK(gossip(5, {kWindow, 1, false}, limit) == expected);
    CHECK(gossip(5, {3, 2, false}, limit) == expected);
  }
}

TEST_CASE("a run that met its limit goes on from there") {
  StandIn sender(0);
  StandIn receiver(1);
  sender.plan(0, 1, 30, {});
  Engine engine({&sender, &receiver}, {kWindow, 1, false});
  CHECK(engine.run(30, {}) == Outcome::kLimit);
  CHECK(receiver.received.empty());
  CHECK(engine.run(31, {}) == Outcome::kIdle);
  CHECK(receiver.received.size() == 1);
}

TEST_CASE("a run that was stopped goes on from there, with what was under way") {
  const auto run = [](bool stops) {
    const auto answer = [](StandIn& self, const msg::Message& m, Cycle now) {
      if (now < 2'000) {
        self.plan(now, m.source, 10 + m.source, {});
      }
    };
    StandIn ping(0, answer);
    StandIn pong(1, answer);
    ping.plan(0, 1, 10, {});
    Engine engine({&ping, &pong}, {kWindow, 2, false});
    CHECK(engine.run(kNever, [stops](Cycle) { return stops; }) == (stops ? Outcome::kStopped : Outcome::kIdle));
    engine.run(kNever, {});
    return std::pair(ping.received.size(), pong.received.back().time);
  };
  CHECK(run(true) == run(false));
}

TEST_CASE("a run with nothing to do is idle at once") {
  StandIn alone(0);
  Engine engine({&alone}, {kWindow, 2, false});
  CHECK(engine.run(kNever, {}) == Outcome::kIdle);
}

TEST_CASE("the caller's stop ends a run that would go on for ever") {
  const auto forever = [](StandIn& self, const msg::Message& m, Cycle now) { self.plan(now, m.source, 10, {}); };
  for (const unsigned threads : {1U, 2U}) {
    StandIn ping(0, forever);
    StandIn pong(1, forever);
    ping.plan(0, 1, 10, {});
    Engine engine({&ping, &pong}, {kWindow, threads, false});
    Cycle asked_at = 0;
    CHECK(engine.run(kNever, [&asked_at](Cycle now) {
      asked_at = now;
      return now > 10'000;
    }) == Outcome::kStopped);
    CHECK(asked_at > 10'000);
    CHECK(asked_at < 20'000);
  }
}

TEST_CASE("of several exceptions in one window the lowest domain's is thrown") {
  CHECK(thrown_by({kWindow, 1, false}) == "domain 1");
  CHECK(thrown_by({kWindow, 1, true}) == "domain 1");
  CHECK(thrown_by({kWindow, 2, false}) == "domain 1");
  CHECK(thrown_by({kWindow, 4, true}) == "domain 1");
}

TEST_CASE("worker numbers are below the number of threads, and 0 outside a run") {
  class Worker final : public engine::Domain {
   public:
    explicit Worker(msg::DomainId id) : Domain(id) {}
    void run_until(Cycle end) override {
      for (; next < end && next < 400; ++next) {
        highest = std::max(highest, engine::worker_index());
      }
      if (next >= 400) {
        next = kNever;
      }
    }
    [[nodiscard]] Cycle next_event() const override { return next; }
    Cycle next = 0;
    unsigned highest = 0;
  };
  Worker a(0);
  Worker b(1);
  Worker c(2);
  Engine engine({&a, &b, &c}, {kWindow, 3, false});
  engine.run(kNever, {});
  CHECK(std::max({a.highest, b.highest, c.highest}) < 3);
  CHECK(engine::worker_index() == 0);
}
