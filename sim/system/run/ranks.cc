// SPDX-License-Identifier: MIT
#include "sim/system/run/ranks.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::run {
namespace {

std::string text_of(const application::RunCollective& run) {
  return std::string(arch::word_of(run.of)) + " of " + with_binary_prefix(run.bytes);
}

system::Uses ring_of(const Binding& binding) {
  std::map<std::size_t, double> times;
  const std::vector<std::uint32_t>& ranks = binding.ranks();
  for (std::size_t i = 0; ranks.size() > 1 && i < ranks.size(); ++i) {
    const system::NodeId from = binding.gpus()[binding.gpu_of(ranks[i])];
    const system::NodeId to = binding.gpus()[binding.gpu_of(ranks[(i + 1) % ranks.size()])];
    for (const system::Use& use : binding.fabric().uses_of(binding.fabric().route(from, to))) {
      times[use.resource] += use.times;
    }
  }
  system::Uses uses;
  std::ranges::transform(times, std::back_inserter(uses), [](const auto& of) {
    return system::Use{of.first, of.second};
  });
  return uses;
}

}  // namespace

Ranks::Ranks(const Binding& binding, std::vector<double> dram, LinkUse& links)
    : binding_(binding),
      dram_(std::move(dram)),
      links_(links),
      ring_(ring_of(binding)),
      joined_(binding.gpus().size(), 0) {}

Ranks::Meeting Ranks::make(Index thread, const application::Call& call) const {
  constexpr double kNsPerUs = 1000;
  const auto estimate = binding_.estimate(std::get<application::RunCollective>(call.is));
  Meeting meeting{&call, thread, estimate.microseconds * kNsPerUs, estimate.wire_bytes, {}, {}};
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
  note_links(meeting, links_free_);
  return links_free_;
}

void Ranks::note_links(const Meeting& meeting, double end) {
  for (const system::Use& use : ring_) {
    const double rate = use.times * meeting.wire_bytes / meeting.ns;
    links_.change(end - meeting.ns, use.resource, rate);
    links_.change(end, use.resource, -rate);
  }
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
