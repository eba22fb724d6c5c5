// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/channel.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "sim/base/rate_server.h"
#include "sim/machine/mem/dram/banked.h"
#include "sim/machine/mem/dram/ideal.h"
#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

namespace {

using Model = std::variant<BankedChannel, IdealChannel>;

Model make_model(const arch::DramConfig& config) {
  return config.model == arch::DramModel::kIdeal ? Model(IdealChannel(config)) : Model(BankedChannel(config));
}

}  // namespace

struct PseudoChannel::State {
  State(const arch::DramConfig& config, std::uint64_t sm_hz)
      : model(make_model(config)),
        banked(std::get_if<BankedChannel>(&model)),
        ideal(std::get_if<IdealChannel>(&model)),
        to_dram(sm_hz, config.command_hz),
        to_sm(config.command_hz, sm_hz),
        controller_latency(config.controller_latency) {}

  [[nodiscard]] Cycle at_slice(Clock clock) const { return to_sm.convert(clock) + controller_latency; }
  /// The first cycle at which run() decides `clock`.
  [[nodiscard]] Cycle cycle_that_decides(Clock clock) const {
    const Cycle cycle = to_sm.convert(clock);
    return to_dram.convert(cycle) > clock ? cycle : cycle + 1;
  }
  /// The first clock that is not decided by run(now).
  [[nodiscard]] Clock end_of(Cycle now) {
    if (now != latest) {
      latest = now;
      latest_end = to_dram.convert(now);
    }
    return latest_end;
  }
  void advance(Clock end);
  [[nodiscard]] Cycle next_event() const;

  Model model;
  BankedChannel* banked;  ///< the model, if it is that; the next one likewise
  IdealChannel* ideal;
  RowBus bus;              ///< bus that both share
  State* other = nullptr;  ///< that shares the bus
  ClockConverter to_dram;
  ClockConverter to_sm;
  std::uint32_t controller_latency;
  Cycle latest = 0;               ///< cycle asked about last, and its clock: owners run, accept and accept at one cycle
  Clock latest_end = 0;           ///< DRAM clock
  std::vector<Arrival> arrivals;  ///< decided, not yet handed to the owner; by clock
};

void PseudoChannel::State::advance(Clock end) {
  if (ideal != nullptr) {
    ideal->advance(end, arrivals);
  } else if (other != nullptr) {
    BankedChannel::advance_both({banked, other->banked}, end, {&arrivals, &other->arrivals});
  } else if (banked->next_step() < end) {
    banked->advance(end, arrivals);
  }
}

Cycle PseudoChannel::State::next_event() const {
  const Cycle handed_out = arrivals.empty() ? kNever : at_slice(arrivals.front().clock);
  const Clock burst = banked != nullptr ? banked->next_burst() : ideal->next_burst();
  if (burst == kNever) {
    return handed_out;
  }
  // Nobody sees a command itself: only its data, or its place in a queue that is full.
  const bool full = banked != nullptr && banked->full();
  const std::uint64_t latency = banked != nullptr ? banked->read_latency() : ideal->read_latency();
  return std::min(handed_out, full ? cycle_that_decides(burst) : at_slice(burst + latency));
}

PseudoChannel::PseudoChannel(const arch::DramConfig& config, std::uint64_t sm_hz)
    : state_(std::make_unique<State>(config, sm_hz)) {}
PseudoChannel::PseudoChannel(PseudoChannel&&) noexcept = default;
PseudoChannel& PseudoChannel::operator=(PseudoChannel&&) noexcept = default;
PseudoChannel::~PseudoChannel() = default;

bool PseudoChannel::can_accept(bool write) const {
  return state_->banked == nullptr || state_->banked->can_accept(write);
}

void PseudoChannel::accept(const Request& request, Cycle now) {
  const Clock clock = state_->end_of(now);
  state_->advance(clock);
  if (state_->banked != nullptr) {
    state_->banked->accept(request, clock);
  } else {
    state_->ideal->accept(request, clock);
  }
}

Cycle PseudoChannel::next_event() const {
  return state_->next_event();
}

void PseudoChannel::run(Cycle now, std::vector<Completion>& done) {
  state_->advance(state_->end_of(now));
  for (const Arrival& arrival : state_->arrivals) {
    done.push_back({arrival.token, state_->at_slice(arrival.clock)});
  }
  state_->arrivals.clear();
}

void PseudoChannel::share_row_bus(PseudoChannel& other) {
  State& mine = *state_;
  State& theirs = *other.state_;
  if (mine.banked == nullptr || theirs.banked == nullptr) {
    return;  // no buses
  }
  mine.banked->share_row_bus(mine.bus);
  theirs.banked->share_row_bus(mine.bus);
  mine.other = &theirs;
  theirs.other = &mine;
}

void PseudoChannel::record(BusSeries* series) {
  std::visit([series](auto& channel) { channel.record(series); }, state_->model);
}

std::uint32_t PseudoChannel::queued() const {
  return std::visit([](const auto& channel) { return channel.queued(); }, state_->model);
}

stats::DramCounters PseudoChannel::counters() const {
  return std::visit([](const auto& channel) -> stats::DramCounters { return channel.counters(); }, state_->model);
}

void PseudoChannel::reset() {
  std::visit([](auto& channel) { channel.reset(); }, state_->model);
  state_->arrivals.clear();
}

}  // namespace gpusim::mem::dram
