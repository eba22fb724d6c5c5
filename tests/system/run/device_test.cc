// SPDX-License-Identifier: MIT
// How kernels share the SMs and the DRAM of a GPU with 100 SMs, among themselves and with collectives.
#include "sim/system/run/device.h"

#include <map>

#include <catch2/catch.hpp>

namespace device_test {

using namespace gpusim::run;

namespace {

constexpr double kSms = 100;

/// A kernel of so many CTAs, of which an SM holds one, that takes `ns` alone.
KernelCost kernel_of(double ctas, double ns, double of_sms = 1) {
  KernelCost cost;
  cost.ns = ns;
  cost.of_sms = of_sms;
  spread_ctas(cost, ctas, 1, kSms);
  cost.tail_ns = cost.ns * cost.tail_share;
  return cost;
}

/// A collective with so many channels, which ends when it is told to.
KernelCost collective_of(double channels, double dram = 0) {
  KernelCost cost;
  cost.ns = kNever;
  cost.sms = cost.tail_sms = cost.spread = cost.tail_spread = channels;
  cost.dram = dram;
  return cost;
}

/// When each kernel ends, all begun at 0 in this order, and what the device was used for until then.
struct Ends {
  std::map<std::uint32_t, double> of;
  Usage usage;
};
Ends ends_of(const std::vector<KernelCost>& kernels) {
  Device device(kSms);
  std::uint32_t op = 0;
  for (const KernelCost& kernel : kernels) {
    device.add(op++, kernel, 0);
  }
  Ends ends;
  while (device.next_change() != kNever) {
    const double now = device.next_change();
    device.advance(now);
    for (const std::uint32_t ended : device.take_ended()) {
      ends.of[ended] = now;
    }
  }
  ends.usage = device.usage();
  return ends;
}

}  // namespace

TEST_CASE("a kernel bound by compute loses as much speed as SMs, one bound by memory nothing down to half of them") {
  const KernelCost compute = kernel_of(1000, 1000, 1);
  const KernelCost memory = kernel_of(1000, 1000, 0);
  for (const double share : {1.0, 0.8, 0.5, 0.1}) {
    CHECK(compute.rate(share) == Approx(share));
  }
  CHECK(memory.rate(0.8) == Approx(1));
  CHECK(memory.rate(0.5) == Approx(1));
  CHECK(memory.rate(0.25) == Approx(0.5));
  CHECK(memory.rate(0) == 0);
}

TEST_CASE("what fewer SMs make longer follows from the time on half of them") {
  KernelCost cost = kernel_of(1000, 1000);
  const auto of_sms = [&cost](double ns) {
    set_of_sms(cost, kSms / 2, ns);
    return cost.of_sms;
  };
  CHECK(of_sms(2000) == Approx(1));
  CHECK(of_sms(1300) == Approx(0.3));
  CHECK(cost.slowdown_on_half() == Approx(1.3));
  CHECK(of_sms(990) == 0);
  CHECK(of_sms(2100) == 1);
}

TEST_CASE("the last wave that fits the fewer SMs is not slowed by them") {
  KernelCost cost = kernel_of(150, 1000);
  set_of_sms(cost, kSms / 2, 1500);  // three waves of 50 in place of one of 100 and one of 50
  CHECK(cost.of_sms == Approx(1));
}

TEST_CASE("a kernel that half of the SMs hold has no slowdown that is known") {
  KernelCost cost = kernel_of(40, 1000);
  set_of_sms(cost, kSms / 2, 1000);
  CHECK(cost.of_sms == 1);
  CHECK(how_slowdown_is_known(cost) == "assumed");
}

TEST_CASE("beside a collective a kernel bound by memory loses less than its SMs, one bound by compute as much") {
  const auto beside = [](double of_sms) {
    return ends_of({collective_of(20), kernel_of(1000, 1000, of_sms)}).of.at(1);
  };
  CHECK(beside(0) == Approx(1000));
  CHECK(beside(0.2) == Approx(1050));
  CHECK(beside(1) == Approx(1250));
}

TEST_CASE("a kernel has the DRAM that a collective beside it leaves, at least half") {
  const auto beside = [](double dram) {
    KernelCost kernel = kernel_of(1000, 1000, 0);
    kernel.dram = 0.9;
    return ends_of({collective_of(10, dram), kernel});
  };
  CHECK(beside(0.05).of.at(1) == Approx(1000));
  CHECK(beside(0.3).of.at(1) == Approx(1000 * 0.9 / 0.7));
  CHECK(beside(0.8).of.at(1) == Approx(1000 * 0.9 / 0.5));
  const Ends ends = beside(0.3);
  CHECK(ends.usage.dram == Approx(ends.of.at(1)));
}

TEST_CASE("a collective and a kernel that has half of DRAM beside it use no more of DRAM than there is") {
  KernelCost kernel = kernel_of(1000, 1000, 0);
  kernel.dram = 0.9;
  const Ends ends = ends_of({collective_of(10, 0.8), kernel});
  CHECK(ends.usage.dram == Approx(ends.of.at(1)));
}

TEST_CASE("kernels that are bound by memory move no more bytes together than DRAM does") {
  KernelCost kernel = kernel_of(50, 1000, 0);
  kernel.dram = 0.9;
  const Ends ends = ends_of({kernel, kernel});
  CHECK(ends.of.at(0) == Approx(1800));
  CHECK(ends.of.at(1) == Approx(1800));
  CHECK(ends.usage.dram == Approx(1800));
}

TEST_CASE("a kernel that starts in another one's last wave goes on with fewer SMs, as its cost says") {
  // The first leaves half of the SMs for its second half; then the other has them all.
  const auto end_of_second = [](double of_sms) {
    return ends_of({kernel_of(150, 1000), kernel_of(1000, 1000, of_sms)}).of.at(1);
  };
  CHECK(end_of_second(1) == Approx(500 + 500 + 750));
  CHECK(end_of_second(0) == Approx(500 + 1000));
}

}  // namespace device_test
