// SPDX-License-Identifier: MIT
#include "tests/machine/mem/dram/reference.h"

#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <stdexcept>

#include "sim/machine/mem/dram/banked.h"

#include "tests/machine/mem/dram/presets.h"

namespace gpusim::test {

namespace {

using mem::dram::Arrival;
using mem::dram::BankedChannel;
using mem::dram::Clock;
using mem::dram::Place;

constexpr std::uint64_t kRows = 16384;
constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

std::optional<double> number(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(std::stod(text));
}

/// A burst of the channel by its number, and where the reference's mapping puts it.
struct Located {
  std::uint32_t pseudo_channel = 0;
  Place place;
};

enum class Digit : std::uint8_t { kPseudoChannel, kGroup, kColumn, kBank, kStackId };
constexpr std::size_t kDigits = 5;

/// A part of a burst's number, counted from the bottom: as many values as the digit has, or `most` of them.
struct Part {
  Digit digit;
  std::uint64_t most = kNoLimit;
};

/// The parts of a setup's mapping, the least significant first; rows are above.
const std::vector<Part>& parts_of(char setup) {
  using enum Digit;
  static const std::vector<Part> row_first{{kColumn}, {kPseudoChannel}, {kStackId}, {kGroup}, {kBank}};
  static const std::vector<Part> four_columns{{kColumn, 4}, {kPseudoChannel}, {kStackId}, {kGroup}, {kBank}, {kColumn}};
  static const std::vector<Part> group_first{{kPseudoChannel}, {kGroup}, {kColumn}, {kBank}, {kStackId}};
  return setup == 'A' ? row_first : setup == 'C' ? four_columns : group_first;
}

class Mapping {
 public:
  explicit Mapping(const ReferencePart& part) : part_(part), setup_(part.setup) {
    using enum Digit;
    count(kPseudoChannel) = part.pseudo_channels;
    count(kGroup) = part.config.bank_groups;
    count(kColumn) = part.config.row_bytes / part.config.burst_bytes;
    count(kBank) = part.config.banks_per_group / part.stack_ids;
    count(kStackId) = part.stack_ids;
  }

  [[nodiscard]] Located locate(std::uint64_t burst) const {
    using enum Digit;
    std::array<std::uint64_t, kDigits> value{};
    std::array<std::uint64_t, kDigits> scale;
    scale.fill(1);
    for (const Part& part : parts_of(setup_)) {
      const auto i = static_cast<std::size_t>(part.digit);
      const std::uint64_t values = std::min(part.most, counts_[i] / scale[i]);
      value[i] += burst % values * scale[i];
      scale[i] *= values;
      burst /= values;
    }
    std::uint64_t row = burst % kRows;
    if (setup_ == 'C') {
      scramble(value, row);
    }
    const auto at = [&value](Digit digit) {
      return static_cast<std::uint32_t>(value[static_cast<std::size_t>(digit)]);
    };
    const std::uint32_t bank =
        at(kStackId) * static_cast<std::uint32_t>(counts_[static_cast<std::size_t>(kBank)]) + at(kBank);
    return {at(kPseudoChannel), {at(kGroup) * part_.config.banks_per_group + bank, row}};
  }
  /// Bursts until the first bank comes again.
  [[nodiscard]] std::uint64_t sweep() const {
    std::uint64_t product = 1;
    for (const std::uint64_t count : counts_) {
      product *= count;
    }
    return product;
  }
  [[nodiscard]] std::uint64_t bursts() const { return sweep() * kRows; }

 private:
  [[nodiscard]] std::uint64_t& count(Digit digit) { return counts_[static_cast<std::size_t>(digit)]; }
  /// MOP4CLXOR: the bits of the column, from the lowest, turn those of the pseudo-channel, stack identifier, group and
  /// bank; what is left of them the row's.
  void scramble(std::array<std::uint64_t, kDigits>& value, std::uint64_t& row) const {
    using enum Digit;
    std::uint64_t column = value[static_cast<std::size_t>(kColumn)];
    for (const Digit digit : {kPseudoChannel, kStackId, kGroup, kBank}) {
      const std::uint64_t values = counts_[static_cast<std::size_t>(digit)];  // a power of two
      value[static_cast<std::size_t>(digit)] ^= column % values;
      column /= values;
    }
    row ^= column;
  }

  const ReferencePart& part_;
  char setup_;
  std::array<std::uint64_t, kDigits> counts_{};
};

struct Access {
  std::uint64_t burst = 0;
  bool write = false;
};

/// The i-th access of a stream, asked for in order.
using Stream = std::function<Access(std::uint64_t)>;

Stream mixed(const ReferenceRow& row, const Mapping& map) {
  const std::uint64_t period = row.param == "2:1" ? 3 : 2;
  if (row.pattern == "one_stream") {
    return [period](std::uint64_t i) { return Access{i, i % period == period - 1}; };
  }
  const std::uint64_t writes_from = map.bursts() / 2 + (row.pattern == "two_streams" ? map.sweep() / 2 : 0);
  return [period, writes_from](std::uint64_t i) {
    const bool write = i % period == period - 1;
    return write ? Access{writes_from + i / period, true} : Access{i / period * (period - 1) + i % period, false};
  };
}

Stream random(const ReferenceRow& row, const Mapping& map) {
  const bool mix = row.pattern == "random_mix";
  const bool write = row.pattern == "random_write";
  return [mix, write, bursts = map.bursts(), generator = std::mt19937_64(1)](std::uint64_t i) mutable {
    return Access{generator() % bursts, write || (mix && i % 2 == 1)};
  };
}

/// Upward, shifted by a burst whenever the channel's end is reached.
Stream strided(const ReferenceRow& row, const Mapping& map, std::uint32_t burst_bytes) {
  const std::uint64_t stride = std::stoull(row.param) / burst_bytes;
  const std::uint64_t steps = map.bursts() / stride;
  return [stride, steps](std::uint64_t i) { return Access{i % steps * stride + i / steps, false}; };
}

Stream stream_of(const ReferenceRow& row, const Mapping& map, std::uint32_t burst_bytes) {
  if (row.pattern == "one_stream" || row.pattern.starts_with("two_streams")) {
    return mixed(row, map);
  }
  if (row.pattern.find("random") != std::string::npos) {
    return random(row, map);
  }
  if (row.pattern == "stride_read") {
    return strided(row, map, burst_bytes);
  }
  return [write = row.pattern == "seq_write"](std::uint64_t i) { return Access{i, write}; };
}

/// The pseudo-channels of a part, in step, with the queues they share.
class Channel {
 public:
  explicit Channel(const ReferencePart& part)
      : part_(part), map_(part), channels_(part.pseudo_channels, BankedChannel(part.config)) {
    for (BankedChannel& channel : channels_) {
      if (shares_bus()) {
        channel.share_row_bus(bus_);
      }
    }
  }

  [[nodiscard]] const Mapping& map() const { return map_; }
  void advance(Clock end) {
    if (shares_bus()) {
      BankedChannel::advance_both({&channels_[0], &channels_[1]}, end, {&arrivals_, &arrivals_});
    } else {
      channels_[0].advance(end, arrivals_);
    }
    for (; summed_ < arrivals_.size(); ++summed_) {
      latency_ += arrivals_[summed_].clock - accepted_[arrivals_[summed_].token];
    }
  }
  bool offer(const Access& access, Clock now) {
    if (queued(access.write) >= (access.write ? part_.write_entries : part_.read_entries)) {
      return false;
    }
    const Located where = map_.locate(access.burst);
    const auto token = static_cast<std::uint32_t>(accepted_.size());
    accepted_.push_back(now);
    ++offered_[access.write ? 1 : 0];
    channels_[where.pseudo_channel].accept_at(where.place, {0, 1, access.write, token}, now);
    return true;
  }
  [[nodiscard]] std::uint64_t served(bool write) const {
    std::uint64_t bytes = 0;
    for (const BankedChannel& channel : channels_) {
      bytes += write ? channel.counters().write_bytes : channel.counters().read_bytes;
    }
    return bytes / part_.config.burst_bytes;
  }
  [[nodiscard]] std::uint64_t served() const { return served(false) + served(true); }
  [[nodiscard]] std::uint64_t queued(bool write) const { return offered_[write ? 1 : 0] - served(write); }
  [[nodiscard]] std::uint64_t latency() const { return latency_; }
  [[nodiscard]] std::uint64_t reads_back() const { return summed_; }
  /// The end of the data of the latest read.
  [[nodiscard]] Clock latest() const { return arrivals_.empty() ? 0 : arrivals_.back().clock; }

 private:
  [[nodiscard]] bool shares_bus() const { return part_.pseudo_channels == 2; }

  const ReferencePart& part_;
  Mapping map_;
  mem::dram::RowBus bus_;
  std::vector<BankedChannel> channels_;
  std::vector<Arrival> arrivals_;
  std::vector<Clock> accepted_;
  std::array<std::uint64_t, 2> offered_{};
  std::size_t summed_ = 0;
  std::uint64_t latency_ = 0;
};

/// How many accesses have come to the channel's door by now.
class Arrivals {
 public:
  Arrivals(const ReferenceRow& row, const ReferencePart& part)
      : trials_(part.ticks_per_clock), saturating_(!row.pattern.starts_with("loaded")) {
    if (!saturating_) {
      const double bursts_per_clock = part.pseudo_channels / static_cast<double>(part.config.timing.BL);
      chance_ = std::bernoulli_distribution(std::stod(row.param) * bursts_per_clock / trials_);
    }
  }
  std::uint64_t at_next_clock() {
    for (std::uint32_t trial = 0; !saturating_ && trial < trials_; ++trial) {
      come_ += chance_(generator_) ? 1 : 0;
    }
    return saturating_ ? kNoLimit : come_;
  }

 private:
  std::uint32_t trials_;
  bool saturating_;
  std::uint64_t come_ = 0;
  std::bernoulli_distribution chance_;
  std::mt19937_64 generator_{2};
};

struct Window {
  std::uint64_t warm_up = 0;
  std::uint64_t total = 0;
};

Window window_of(const ReferenceRow& row) {
  if (row.pattern == "stride_read" || row.pattern == "dependent_random_read") {
    return {1000, 6000};
  }
  return row.pattern.starts_with("loaded") ? Window{5000, 35000} : Window{5000, 30000};
}

}  // namespace

std::vector<ReferenceRow> reference_rows() {
  std::ifstream in(GPUSIM_SOURCE_DIR "/tests/machine/mem/dram/reference.csv");
  std::vector<ReferenceRow> rows;
  bool header = true;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#') || std::exchange(header, false)) {
      header = header || line.starts_with('#');
      continue;
    }
    std::istringstream cells(line + ',');
    std::array<std::string, 6> cell;
    for (std::string& one : cell) {
      std::getline(cells, one, ',');
    }
    rows.push_back({cell[0], cell[1].at(0), cell[2], cell[3], number(cell[4]), number(cell[5])});
  }
  return rows;
}

StreamResult run_stream(const ReferenceRow& row) {
  const ReferencePart part = reference_part(row);
  Channel channel(part);
  const Stream stream = stream_of(row, channel.map(), part.config.burst_bytes);
  Arrivals arrivals(row, part);
  const bool dependent = row.pattern == "dependent_random_read";
  const Window window = window_of(row);
  std::uint64_t sent = 0;
  Access access = stream(0);
  struct {
    Clock clock = 0;
    std::uint64_t served = 0, reads = 0, latency = 0;
  } start;
  for (Clock now = 0;; ++now) {
    channel.advance(now);
    if (start.served == 0 && channel.served() >= window.warm_up) {
      start = {now, channel.served(), channel.reads_back(), channel.latency()};
    }
    if (channel.served() >= window.total) {
      const std::uint64_t reads = channel.reads_back() - start.reads;
      const double clocks = static_cast<double>(now - start.clock) * part.pseudo_channels;
      const double clock_ns = 1e9 / static_cast<double>(part.config.command_hz);
      return {static_cast<double>((channel.served() - start.served) * part.config.timing.BL) / clocks,
              reads == 0
                  ? 0
                  : static_cast<double>(channel.latency() - start.latency) * clock_ns / static_cast<double>(reads)};
    }
    const std::uint64_t come = arrivals.at_next_clock();
    while (sent < come && !(dependent && (channel.queued(false) > 0 || now < channel.latest())) &&
           channel.offer(access, now)) {
      access = stream(++sent);
    }
  }
}

std::uint64_t idle_clocks(const ReferencePart& part, const std::string& state) {
  BankedChannel channel(part.config);
  std::vector<Arrival> arrivals;
  constexpr Clock kQuiet = 1000;
  if (state != "closed") {
    channel.accept_at({0, 0}, {0, 1, false, 0}, 0);
    channel.advance(kQuiet, arrivals);
  }
  channel.accept_at({0, state == "conflict" ? 1U : 0U}, {0, 1, false, 1}, kQuiet);
  channel.advance(2 * kQuiet, arrivals);
  return arrivals.back().clock - kQuiet;
}

}  // namespace gpusim::test
