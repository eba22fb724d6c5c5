// SPDX-License-Identifier: MIT
#include "sim/system/run/ranks.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/types.h"

namespace gpusim::run {
namespace {

std::string text_of(const application::RunCollective& run) {
  const bool is_custom = run.library == collective::Library::kCustom;
  return (is_custom ? "custom " : "") + std::string(arch::word_of(run.of)) + " of " + with_binary_prefix(run.bytes);
}

/// What a byte uses that each rank of a group sends to the next.
system::Uses ring_of(const Binding& binding, const std::vector<std::uint32_t>& group) {
  std::map<std::size_t, double> times;
  const auto node_of = [&](std::uint32_t rank) { return binding.gpus()[binding.gpu_of(binding.ranks()[rank])]; };
  for (std::size_t i = 0; i < group.size(); ++i) {
    const system::NodeId from = node_of(group[i]);
    const system::NodeId to = node_of(group[(i + 1) % group.size()]);
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
    : binding_(binding), dram_(std::move(dram)), links_(links), links_free_(binding.gpus().size(), 0) {}

Ranks::Group& Ranks::group_of(Index thread, const application::Call& call) {
  const auto& run = std::get<application::RunCollective>(call.is);
  std::vector<std::uint32_t> ranks = binding_.group_of(run, thread, call.place);
  const GroupKey key{ranks.size(), run.stride, ranks.front(), run.ranks == 0 ? 0 : run.stream};
  auto found = groups_.find(key);
  if (found == groups_.end()) {
    const collective::Model model = binding_.model_of(ranks);
    system::Uses ring = ring_of(binding_, ranks);
    found = groups_.emplace(key, Group{std::move(ranks), model, std::move(ring), {}, {}}).first;
  }
  return found->second;
}

Ranks::Meeting Ranks::make(Index thread, const application::Call& call, const Group& group) const {
  constexpr double kNsPerUs = 1000;
  const auto& run = std::get<application::RunCollective>(call.is);
  const collective::Estimate estimate = group.model.estimate({run.of, run.bytes, {}, {}, run.library});
  Meeting meeting{&call, thread, estimate.microseconds * kNsPerUs, estimate.wire_bytes, estimate.choice.algorithm, {},
                  {},    &group};
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
  Group& group = group_of(thread, call);
  const Index number = group.joined[binding_.gpu_of(thread)]++;
  if (number == group.meetings.size()) {
    group.meetings.push_back(static_cast<Index>(meetings_.size()));
    meetings_.push_back(make(thread, call, group));
    return group.meetings.back();
  }
  const Meeting& meeting = meetings_[group.meetings[number]];
  const auto& wanted = std::get<application::RunCollective>(meeting.call->is);
  const auto& run = std::get<application::RunCollective>(call.is);
  if (run.of != wanted.of || run.bytes != wanted.bytes || run.library != wanted.library) {
    const auto& threads = binding_.application().threads;
    throw InputError({{binding_.application().path, call.place.line, call.place.column},
                      "collective " + std::to_string(number + 1) + " of '" + threads[thread].name + "' is " +
                          text_of(run) + ", and of '" + threads[meeting.first_thread].name + "' (line " +
                          std::to_string(meeting.call->place.line) + ") " + text_of(wanted),
                      "all ranks call the same collectives in the same order"});
  }
  return group.meetings[number];
}

std::optional<double> Ranks::begin(Index number, Index op, double now) {
  Meeting& meeting = meetings_[number];
  meeting.begun.push_back(op);
  const std::vector<std::uint32_t>& ranks = meeting.group->ranks;
  if (meeting.begun.size() < ranks.size()) {
    return std::nullopt;
  }
  double begin = now;
  for (const std::uint32_t rank : ranks) {
    begin = std::max(begin, links_free_[gpu_of(rank)]);
  }
  const double end = begin + meeting.ns;
  for (const std::uint32_t rank : ranks) {
    links_free_[gpu_of(rank)] = end;
  }
  note_links(meeting, end);
  return end;
}

void Ranks::note_links(const Meeting& meeting, double end) {
  for (const system::Use& use : meeting.group->ring) {
    const double rate = use.times * meeting.wire_bytes / meeting.ns;
    links_.change(end - meeting.ns, use.resource, rate);
    links_.change(end, use.resource, -rate);
  }
}

const application::Call* Ranks::incomplete() const {
  const auto found = std::ranges::find_if(
      meetings_, [](const Meeting& meeting) { return meeting.begun.size() < meeting.group->ranks.size(); });
  return found == meetings_.end() ? nullptr : found->call;
}

std::vector<Index> Ranks::missing() const {
  std::vector<Index> threads;
  for (const auto& [key, group] : groups_) {
    for (const std::uint32_t rank : group.ranks) {
      const auto joined = group.joined.find(gpu_of(rank));
      if (joined == group.joined.end() || joined->second < group.meetings.size()) {
        threads.push_back(binding_.ranks()[rank]);
      }
    }
  }
  std::ranges::sort(threads);
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  return threads;
}

}  // namespace gpusim::run
