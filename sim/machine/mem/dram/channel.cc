// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/channel.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "sim/base/problem.h"
#include "sim/machine/mem/dram/address_map.h"
#include "sim/machine/mem/dram/banked.h"
#include "sim/machine/mem/dram/ideal.h"

namespace gpusim::mem::dram {

namespace {

using Model = std::variant<BankedChannel, IdealChannel>;

/// Far above any part, far below what would overflow or exhaust memory.
constexpr std::uint32_t kMostQueued = 4096;
constexpr std::uint32_t kMostRowBytes = 1U << 24;
constexpr std::uint32_t kMostClocks = 1U << 24;

std::uint64_t sum_without_refresh(const arch::DramTimings& t) {
  std::uint64_t sum = 0;
  for (const std::uint32_t clocks : {t.CL, t.CWL, t.RCDRD, t.RCDWR, t.RP, t.RAS, t.CCDS, t.CCDL, t.RRDS, t.RRDL, t.FAW,
                                     t.WR, t.RTP, t.WTRS, t.WTRL, t.RTW, t.BL}) {
    sum += clocks;
  }
  return sum;
}

class Check {
 public:
  void require(bool holds, const std::string& key, const std::string& needed) {
    if (!holds) {
      problems_.add({{}, "dram." + key + " " + needed, ""});
    }
  }
  void finish() const { problems_.throw_if_any(); }

 private:
  ProblemList problems_;
};

void check(const arch::DramConfig& c, std::uint64_t sm_hz) {
  Check check;
  const std::uint64_t banks = std::uint64_t{c.bank_groups} * c.banks_per_group;
  check.require(c.command_hz > 0 && sm_hz > 0, "command_hz", "and clocks.sm must be above zero");
  check.require(c.burst_bytes == 32 || c.burst_bytes == 64 || c.burst_bytes == 128, "burst_bytes",
                "must be 32, 64 or 128");
  const std::uint32_t block = AddressMap::kBytesInGroup;
  check.require(c.row_bytes >= block && c.row_bytes % block == 0 && c.row_bytes <= kMostRowBytes, "row_bytes",
                "must be a multiple of 128, at most 2^24");
  const bool mapped = banks > 0 && c.row_bytes >= block &&
                      std::holds_alternative<std::vector<arch::MappingDigit>>(arch::parse_mapping(c));
  check.require(mapped, "mapping", "must be one-to-one for its groups, banks and rows");
  check.require(banks > 0 && banks <= BankSet::kMostBanks, "bank_groups",
                "times dram.banks_per_group must be 1 to " + std::to_string(BankSet::kMostBanks));
  check.require(c.queue_entries > 0 && c.queue_entries <= kMostQueued, "queue_entries", "must be 1 to 4096");
  check.require(c.write_low_percent < c.write_high_percent && c.write_high_percent <= 100, "write_low_percent",
                "must be below dram.write_high_percent, and that at most 100");
  const arch::DramTimings& t = c.timing;
  const std::uint64_t others = sum_without_refresh(t);
  check.require(t.BL > 0 && t.CCDS > 0, "timing.CCDS", "and dram.timing.BL must be at least 1");
  check.require(others <= kMostClocks && t.RFC <= kMostClocks, "timing", "must be at most 2^24 clocks in sum");
  check.require(c.refresh != arch::DramRefresh::kTwoBank || banks % 2 == 0, "refresh",
                "of two banks needs an even number of them");
  const bool all_banks = c.refresh == arch::DramRefresh::kAllBank;
  check.require(t.RFCpb <= kMostClocks && t.RREFD <= kMostClocks, "timing.RFCpb",
                "and dram.timing.RREFD must be at most 2^24 clocks");
  const std::uint64_t refreshing = all_banks ? t.RFC : t.RFCpb + banks * t.RREFD;
  check.require(t.REFI == 0 || t.REFI > refreshing + others, "timing.REFI",
                all_banks ? "must exceed dram.timing.RFC by all other timings in sum, or be 0 (no refresh): requests "
                            "would starve"
                          : "must exceed dram.timing.RFCpb, dram.timing.RREFD for each bank and all other timings in "
                            "sum, or be 0 (no refresh): requests would starve");
  check.require(c.ecc != arch::DramEcc::kInline || (c.ecc_entries > 0 && c.ecc_entries <= kMostQueued), "ecc_entries",
                "must be 1 to 4096");
  check.finish();
}

Model make_model(const arch::DramConfig& config, std::uint64_t sm_hz) {
  check(config, sm_hz);
  return config.model == arch::DramModel::kIdeal ? Model(IdealChannel(config)) : Model(BankedChannel(config));
}

}  // namespace

struct PseudoChannel::State {
  State(const arch::DramConfig& config, std::uint64_t sm_hz)
      : model(make_model(config, sm_hz)),
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
  RowBus bus;              ///< of both
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

void PseudoChannel::prefetch() const {
  gpusim::prefetch(state_.get(), sizeof(State));
}

void PseudoChannel::prefetch_queue() const {
  if (state_->banked != nullptr) {
    state_->banked->prefetch();
  }
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

std::uint32_t PseudoChannel::queued() const {
  return std::visit([](const auto& channel) { return channel.queued(); }, state_->model);
}

const stats::DramCounters& PseudoChannel::counters() const {
  return std::visit([](const auto& channel) -> const stats::DramCounters& { return channel.counters(); },
                    state_->model);
}

void PseudoChannel::reset() {
  std::visit([](auto& channel) { channel.reset(); }, state_->model);
  state_->arrivals.clear();
}

}  // namespace gpusim::mem::dram
