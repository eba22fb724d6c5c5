// SPDX-License-Identifier: MIT
#include "sim/system/run/transfers.h"

#include <algorithm>
#include <utility>

#include "sim/base/units.h"

namespace gpusim::run {
namespace {

constexpr double kNoBytes = 1e-3;  // bytes
constexpr std::size_t kWays = 3;   // to the device, from it, to peers

}  // namespace

Transfers::Transfers(const system::Fabric& fabric, const std::vector<std::uint32_t>& engines, LinkUse& links)
    : links_(links), carried_(fabric.resources().size(), 0) {
  for (const system::Resource& resource : fabric.resources()) {
    capacities_.push_back(resource.bytes_per_second);
  }
  for (const std::uint32_t count : engines) {
    has_one_.push_back(count == 1);
    engines_.push_back({1, {}});
    engines_.push_back({1, {}});
    engines_.push_back({std::max(1U, count > 2 ? count - 2 : 1U), {}});
  }
}

Transfers::Engines& Transfers::engines_of(const Transfer& transfer) {
  const std::size_t way = has_one_[transfer.gpu]                        ? 0
                          : transfer.way == application::Way::kToDevice ? 0
                          : transfer.way == application::Way::kToHost   ? 1
                                                                        : 2;
  return engines_[transfer.gpu * kWays + way];
}

void Transfers::add(Transfer transfer, double now) {
  advance(now);
  Engines& engines = engines_of(transfer);
  if (engines.free == 0) {
    engines.waiting.push_back(std::move(transfer));
    return;
  }
  --engines.free;
  begin(std::move(transfer));
  set_rates();
}

void Transfers::begin(Transfer transfer) {
  begun_.push_back(transfer.op);
  flows_.push_back({std::move(transfer), 0});
}

void Transfers::set_rates() {
  std::vector<double> capacities = capacities_;
  std::vector<system::Uses> uses;
  for (const Flow& flow : flows_) {
    uses.push_back(flow.transfer.uses);
    if (flow.transfer.most > 0) {
      uses.back().push_back({capacities.size(), 1});
      capacities.push_back(flow.transfer.most);
    }
  }
  const std::vector<double> rates = system::max_min_rates(capacities, uses);
  next_change_ = kNever;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    flows_[i].rate = rates[i] / static_cast<double>(kGiga);
    next_change_ = std::min(next_change_, now_ + flows_[i].transfer.bytes / flows_[i].rate);
  }
  note_links();
}

void Transfers::note_links() {
  std::vector<double> carried(carried_.size(), 0);
  for (const Flow& flow : flows_) {
    for (const system::Use& use : flow.transfer.uses) {
      carried[use.resource] += use.times * flow.rate;
    }
  }
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (carried[i] != carried_[i]) {
      links_.change(now_, i, carried[i] - carried_[i]);
    }
  }
  carried_ = std::move(carried);
}

void Transfers::advance(double now) {
  for (Flow& flow : flows_) {
    flow.transfer.bytes -= flow.rate * (now - now_);
  }
  now_ = now;
  constexpr double kResolution = 1e-15;  // resolution of a double, about
  const double none_ns = now * kResolution;
  const auto is_over = [none_ns](const Flow& flow) {
    return flow.transfer.bytes <= std::max(kNoBytes, flow.rate * none_ns);
  };
  std::vector<Transfer> over;
  for (const Flow& flow : flows_) {
    if (is_over(flow)) {
      over.push_back(flow.transfer);
    }
  }
  if (over.empty()) {
    return;
  }
  std::erase_if(flows_, is_over);
  for (const Transfer& transfer : over) {
    ended_.push_back(transfer.op);
    Engines& engines = engines_of(transfer);
    if (engines.waiting.empty()) {
      ++engines.free;
      continue;
    }
    begin(std::move(engines.waiting.front()));
    engines.waiting.pop_front();
  }
  set_rates();
}

std::vector<std::uint32_t> Transfers::take_begun() {
  return std::exchange(begun_, {});
}

std::vector<std::uint32_t> Transfers::take_ended() {
  return std::exchange(ended_, {});
}

}  // namespace gpusim::run
