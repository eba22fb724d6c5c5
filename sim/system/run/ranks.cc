// SPDX-License-Identifier: MIT
#include "sim/system/run/ranks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::run {
namespace {

std::string text_of(const application::RunCollective& run) {
  return std::string(arch::word_of(run.of)) + " of " + with_binary_prefix(run.bytes);
}

}  // namespace

Ranks::Ranks(const Binding& binding, std::vector<double> dram)
    : binding_(binding), dram_(std::move(dram)), joined_(binding.gpus().size(), 0) {}

Ranks::Meeting Ranks::make(Index thread, const application::Call& call) const {
  constexpr double kNsPerUs = 1000;
  const auto estimate = binding_.estimate(std::get<application::RunCollective>(call.is));
  Meeting meeting{&call, thread, estimate.microseconds * kNsPerUs, {}, {}};
  for (const double peak : dram_) {
    KernelCost cost;
    cost.ns = kNever;
    cost.sms = cost.tail_sms = cost.spread = cost.tail_spread = estimate.choice.channels;
    // What a GPU sends it has read, and it writes as much as it gets.
    cost.dram = 2 * estimate.wire_bytes / meeting.ns / peak;
    meeting.costs.push_back(cost);
  }
  return meeting;
}

Index Ranks::join(Index thread, const application::Call& call) {
  const Index number = joined_[binding_.gpu_of(thread)]++;
  if (number == meetings_.size()) {
    meetings_.push_back(make(thread, call));
    return number;
  }
  const Meeting& meeting = meetings_[number];
  const auto& wanted = std::get<application::RunCollective>(meeting.call->is);
  const auto& run = std::get<application::RunCollective>(call.is);
  if (run.of != wanted.of || run.bytes != wanted.bytes) {
    const auto& threads = binding_.application().threads;
    throw InputError({{binding_.application().path, call.place.line, call.place.column},
                      "collective " + std::to_string(number + 1) + " of '" + threads[thread].name + "' is " +
                          text_of(run) + ", and of '" + threads[meeting.first_thread].name + "' (line " +
                          std::to_string(meeting.call->place.line) + ") " + text_of(wanted),
                      "all ranks call the same collectives in the same order"});
  }
  return number;
}

std::optional<double> Ranks::begin(Index number, Index op, double now) {
  Meeting& meeting = meetings_[number];
  meeting.begun.push_back(op);
  if (meeting.begun.size() < binding_.ranks().size()) {
    return std::nullopt;
  }
  links_free_ = std::max(links_free_, now) + meeting.ns;
  return links_free_;
}

std::vector<Index> Ranks::missing() const {
  std::vector<Index> threads;
  for (const std::uint32_t rank : binding_.ranks()) {
    if (joined_[binding_.gpu_of(rank)] < meetings_.size()) {
      threads.push_back(rank);
    }
  }
  return threads;
}

}  // namespace gpusim::run
