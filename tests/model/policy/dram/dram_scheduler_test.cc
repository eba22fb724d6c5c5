// SPDX-License-Identifier: MIT
// Which banks each DRAM request scheduler lets go, and the names of all.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/policy_words.h"
#include "sim/model/arch/words.h"
#include "sim/model/policy/dram/classes.h"

using namespace gpusim;
using namespace gpusim::policy;

namespace {

/// At most a hit and a waiting request a bank, given by their orders.
struct Queue {
  struct Request {
    std::uint64_t order;
  };
  struct Bank {
    std::optional<Request> hit;
    std::optional<Request> waiting;
  };
  std::vector<Bank> banks;

  [[nodiscard]] BankSet banks_with_hits() const { return those(&Bank::hit); }
  [[nodiscard]] BankSet banks_waiting() const { return those(&Bank::waiting); }
  [[nodiscard]] const Request& oldest_hit(std::uint32_t bank) const { return *banks[bank].hit; }
  [[nodiscard]] const Request& oldest_waiting(std::uint32_t bank) const { return *banks[bank].waiting; }

 private:
  [[nodiscard]] BankSet those(std::optional<Request> Bank::*member) const {
    BankSet set;
    for (std::uint32_t bank = 0; bank < banks.size(); ++bank) {
      if ((banks[bank].*member).has_value()) {
        set.insert(bank);
      }
    }
    return set;
  }
};

std::vector<std::uint32_t> list(BankSet set) {
  std::vector<std::uint32_t> banks;
  set.for_each([&](std::uint32_t bank) { banks.push_back(bank); });
  return banks;
}

using Banks = std::vector<std::uint32_t>;

/// Bank 0 has a hit that is younger than what waits there, bank 1 waits, bank 2 has a hit, bank 3 nothing.
Queue queue_whose_oldest_waits() {
  return {{{Queue::Request{5}, Queue::Request{1}}, {{}, Queue::Request{2}}, {Queue::Request{3}, {}}, {}}};
}

}  // namespace

TEST_CASE("FR-FCFS lets every hit go, and prepares rows in banks without one") {
  const Queue queue = queue_whose_oldest_waits();
  CHECK(list(FrFcfs::may_burst(queue)) == Banks{0, 2});
  CHECK(list(FrFcfs::may_prepare(queue)) == Banks{1});
  CHECK_FALSE(FrFcfs({1}).must_close(1'000'000));
}

TEST_CASE("FR-FCFS with a cap lets go what FR-FCFS does, until the cap is reached") {
  const Queue queue = queue_whose_oldest_waits();
  CHECK(list(FrFcfsCap::may_burst(queue)) == Banks{0, 2});
  CHECK(list(FrFcfsCap::may_prepare(queue)) == Banks{1});
  CHECK_FALSE(FrFcfsCap({4}).must_close(3));
  CHECK(FrFcfsCap({4}).must_close(4));
}

TEST_CASE("FCFS serves the oldest request alone, be it a hit or not") {
  const Queue waits = queue_whose_oldest_waits();
  CHECK(list(Fcfs::may_burst(waits)).empty());
  CHECK(list(Fcfs::may_prepare(waits)) == Banks{0});
  const Queue hits{{{{}, Queue::Request{4}}, {Queue::Request{2}, Queue::Request{7}}}};
  CHECK(list(Fcfs::may_burst(hits)) == Banks{1});
  CHECK(list(Fcfs::may_prepare(hits)).empty());
}

TEST_CASE("every scheduler lets somebody go where requests are queued, and nobody where none are"){
#define GPUSIM_X(enumerator, type, name, option, what)                                 \
  SECTION(name) {                                                                      \
    const Queue queue = queue_whose_oldest_waits();                                    \
    CHECK_FALSE((type::may_burst(queue).empty() && type::may_prepare(queue).empty())); \
    CHECK(type::may_burst(queue).without(queue.banks_with_hits()).empty());            \
    CHECK(type::may_prepare(queue).without(queue.banks_waiting()).empty());            \
    CHECK((type::may_burst(Queue{}).empty() && type::may_prepare(Queue{}).empty()));   \
  }
    GPUSIM_DRAM_SCHEDULERS(GPUSIM_X)
#undef GPUSIM_X
}

TEST_CASE("architecture files accept exactly the names of the schedulers there are") {
  const std::string file = std::string(GPUSIM_SOURCE_DIR) + "/configs/a100.yaml";
  CHECK(arch::load_arch(file, {}).dram.scheduler == kDramSchedulers.front().policy);
  CHECK(arch::load_arch(file, {}).dram.scheduler_cap == 0);
  for (const DramSchedulerInfo& info : kDramSchedulers) {
    const std::array overrides{arch::Override{"dram.scheduler", std::string(info.name)}};
    CHECK(arch::load_arch(file, overrides).dram.scheduler == info.policy);
    CHECK(arch::word_of(info.policy) == info.name);
    CHECK(kDramSchedulersMeaning.find(info.what) != std::string_view::npos);
  }
  const std::array unknown{arch::Override{"dram.scheduler", "no-such-policy"}};
  CHECK_THROWS_WITH(arch::load_arch(file, unknown), Catch::Contains("fr-fcfs-cap") && Catch::Contains("fcfs"));
  const std::array no_cap{arch::Override{"dram.scheduler_cap", "0"}};
  CHECK_THROWS_WITH(arch::load_arch(file, no_cap), Catch::Contains("dram.scheduler_cap"));
}
