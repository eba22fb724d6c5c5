// SPDX-License-Identifier: MIT
// Fair shares: properties that hold for all flows, and cases worked out by hand.
#include "sim/system/route/max_min.h"

#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

namespace max_min_test {

using gpusim::system::max_min_rates;
using gpusim::system::Use;
using gpusim::system::Uses;

namespace {

struct Sample {
  std::vector<double> capacities;
  std::vector<Uses> flows;
};

Sample random_sample(std::mt19937& random) {
  std::uniform_int_distribution<int> some(1, 8);
  std::uniform_real_distribution<double> size(0.5, 100);
  Sample sample;
  for (int i = some(random); i > 0; --i) {
    sample.capacities.push_back(size(random));
  }
  for (int i = some(random); i > 0; --i) {
    Uses uses;
    for (std::size_t r = 0; r < sample.capacities.size(); ++r) {
      if (some(random) > 5) {
        uses.push_back({r, some(random) > 6 ? 2.0 : 1.0});
      }
    }
    if (uses.empty()) {
      uses.push_back({0, 1});
    }
    sample.flows.push_back(uses);
  }
  return sample;
}

double load_of(const Sample& sample, const std::vector<double>& rates, std::size_t resource) {
  double load = 0;
  for (std::size_t f = 0; f < sample.flows.size(); ++f) {
    for (const Use& use : sample.flows[f]) {
      load += use.resource == resource ? rates[f] * use.times : 0;
    }
  }
  return load;
}

/// Whether a flow that has no more than any other of the resource's fills it.
bool is_held_by(const Sample& sample, const std::vector<double>& rates, std::size_t flow, std::size_t resource) {
  if (load_of(sample, rates, resource) < sample.capacities[resource] * (1 - 1e-9)) {
    return false;
  }
  for (std::size_t f = 0; f < sample.flows.size(); ++f) {
    const bool uses = std::ranges::find(sample.flows[f], resource, &Use::resource) != sample.flows[f].end();
    if (uses && rates[f] > rates[flow] * (1 + 1e-9)) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("no resource carries more than it can, whatever the flows are") {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const Sample sample = random_sample(random);
    const std::vector<double> rates = max_min_rates(sample.capacities, sample.flows);
    for (std::size_t r = 0; r < sample.capacities.size(); ++r) {
      REQUIRE(load_of(sample, rates, r) <= sample.capacities[r] * (1 + 1e-9));
    }
  }
}

TEST_CASE("each flow is held by a full resource on which no other flow has more") {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const Sample sample = random_sample(random);
    const std::vector<double> rates = max_min_rates(sample.capacities, sample.flows);
    for (std::size_t f = 0; f < sample.flows.size(); ++f) {
      REQUIRE(rates[f] > 0);
      REQUIRE(std::ranges::any_of(sample.flows[f],
                                  [&](const Use& use) { return is_held_by(sample, rates, f, use.resource); }));
    }
  }
}

TEST_CASE("the order of flows does not change what each gets") {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    Sample sample = random_sample(random);
    std::vector<double> rates = max_min_rates(sample.capacities, sample.flows);
    std::ranges::reverse(sample.flows);
    std::ranges::reverse(rates);
    const std::vector<double> reversed = max_min_rates(sample.capacities, sample.flows);
    for (std::size_t f = 0; f < rates.size(); ++f) {
      REQUIRE(reversed[f] == Approx(rates[f]));
    }
  }
}

TEST_CASE("a short flow takes what two long ones leave") {
  // Flows 0 and 1 share a link of 10; flow 1 goes on over a link of 4.
  const std::vector<double> capacities{10, 4};
  const std::vector<Uses> flows{{{0, 1}}, {{0, 1}, {1, 1}}};
  const std::vector<double> rates = max_min_rates(capacities, flows);
  CHECK(rates[0] == Approx(6));
  CHECK(rates[1] == Approx(4));
}

TEST_CASE("a flow that passes a resource twice gets half of it") {
  const std::vector<double> capacities{10};
  const std::vector<Uses> flows{{{0, 2}}};
  CHECK(max_min_rates(capacities, flows).front() == Approx(5));
}

TEST_CASE("no flows have no rates") {
  const std::vector<double> capacities{10};
  CHECK(max_min_rates(capacities, {}).empty());
}

}  // namespace max_min_test
