// SPDX-License-Identifier: MIT
#include "sim/system/collective/nccl.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace gpusim::collective {
namespace {

constexpr std::size_t kProtocols = 3;
constexpr std::array<Protocol, kProtocols> kAllProtocols{Protocol::kLl, Protocol::kLl128, Protocol::kSimple};
using ByProtocol = std::array<double, kProtocols>;

/// Microseconds by protocol.
constexpr ByProtocol kRingBase{6.6, 14.0, 8.4};
constexpr ByProtocol kTreeBase{6.8, 14.0, 8.4};
constexpr ByProtocol kRingHopNvlink{0.6, 1.9, 3.4};
constexpr ByProtocol kTreeHopNvlink{0.6, 1.25, 4.0};
constexpr ByProtocol kRingHopPcie{1.0, 2.5, 5.7};
constexpr ByProtocol kTreeHopPcie{1.0, 1.9, 4.0};
constexpr double kNvlsLatency = 25;

/// Constants of a generation, in GB/s.
struct Rates {
  double nvlink;      ///< that a link is counted with
  double most_ll;     ///< most of all channels together
  double ring_ll128;  ///< a channel, as the next two
  double tree_ll128;
  double tree;
  double nvls_share;               ///< share of the line rate
  std::span<const double> speeds;  ///< speeds of a channel that the search tries, descending
};
constexpr std::array<double, 9> kAmpereSpeeds{40, 30, 20, 18, 15, 12, 10, 6, 3};
constexpr std::array<double, 11> kHopperSpeeds{60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
constexpr std::array<double, 11> kBlackwellSpeeds{120, 100, 80, 60, 48, 40, 30, 24, 22, 12, 6};

Rates rates_of(Generation generation) {
  switch (generation) {
    case Generation::kVolta: return {20, 39, 20, 20, 26.5, 0, kAmpereSpeeds};
    case Generation::kAmpere: return {20, 87.7, 20, 20, 24, 0, kAmpereSpeeds};
    case Generation::kHopper: return {20.6, 141, 36.7, 36.7, 38.7, 0.85, kHopperSpeeds};
    case Generation::kBlackwell: return {40.1, 282, 40, 55.6, 70, 0.74, kBlackwellSpeeds};
  }
  return {};
}

/// Rings that the search finds, each a channel.
struct Channels {
  std::uint32_t count = 1;
  double each = 0;  ///< GB/s
  [[nodiscard]] double bus() const { return count * each; }
};

/// The fastest of the speeds that so many channels fit into a rate with; the slowest when none does.
double speed_within(std::span<const double> speeds, double count, double rate) {
  const auto found = std::ranges::find_if(speeds, [&](double speed) { return speed * count <= rate; });
  return found == speeds.end() ? speeds.back() : *found;
}

Channels channels_of(const NcclView& view) {
  constexpr std::uint32_t kMost = 24;
  constexpr double kHalfNvlink = 12;  // GB/s of a link of compute capability 8.6
  const Rates rates = rates_of(view.generation);
  if (view.nvlinks == 0) {
    return {2, view.pcie_gigabytes_per_second / 2};
  }
  const double link = view.has_full_nvlinks ? rates.nvlink : kHalfNvlink;
  const double all = link * view.nvlinks;
  const std::uint32_t count = std::min(2 * view.nvlinks, kMost);
  return {count, speed_within(rates.speeds, count, all)};
}

/// What trees reach of their modelled rate, by log2(bytes / 64).
constexpr std::array<std::array<double, 24>, kProtocols> kTreeCorrection{{
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9},
}};

double tree_correction(std::size_t protocol, std::uint64_t bytes) {
  const std::uint64_t units = bytes / 64;
  const auto log2 = static_cast<std::size_t>(units == 0 ? 0 : std::bit_width(units) - 1);
  return log2 < kTreeCorrection[protocol].size() ? kTreeCorrection[protocol][log2] : 1;
}

/// Bus bandwidth of a ring, GB/s.
double ring_bus(const Rates& rates, const Channels& channels, std::size_t protocol) {
  constexpr double kLl128Share = 0.92;
  const ByProtocol bus{std::min(rates.most_ll, channels.bus() / 2),
                       std::min(kLl128Share * channels.bus(), channels.count * rates.ring_ll128), channels.bus()};
  return bus[protocol];
}

double tree_bus(const Rates& rates, const Channels& channels, std::size_t protocol) {
  constexpr double kShare = 0.92;
  constexpr double kPattern = 0.85;
  const double bus = std::min(kShare * channels.bus(), channels.count * rates.tree);
  const ByProtocol by{bus / 3.8, std::min(bus * 7 / 9, channels.count * rates.tree_ll128), bus};
  return kPattern * by[protocol];
}

/// Channels that are worth it: fewer for fewer bytes a thread.
std::uint32_t used_channels(std::uint32_t channels, std::size_t protocol, std::uint32_t gpus, std::uint64_t bytes) {
  constexpr std::array<std::uint64_t, kProtocols> kThreads{512, 640, 512};
  const std::array<std::uint64_t, kProtocols> bytes_a_thread{8ULL * gpus, 8, 64};
  const std::uint64_t a_channel = kThreads[protocol] * bytes_a_thread[protocol];
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bytes / a_channel, 1, channels));
}

/// Adds the ways in which NCCL may run one collective.
class Ways {
 public:
  Ways(const NcclView& view, Collective of, std::uint64_t bytes)
      : view_(view), rates_(rates_of(view.generation)), channels_(channels_of(view)), of_(of), bytes_(bytes) {}

  std::vector<Choice> all() {
    if (of_ == Collective::kAllToAll || of_ == Collective::kSendReceive) {
      add_pairs();
      return std::move(ways_);
    }
    for (std::size_t p = 0; p < kProtocols; ++p) {
      if (kAllProtocols[p] == Protocol::kLl128 && view_.nvlinks == 0) {
        continue;
      }
      add_ring(p);
      if (of_ == Collective::kAllReduce) {
        add_tree(p);
      }
    }
    if (of_ == Collective::kAllReduce && view_.reduces_in_network && view_.nvlinks > 0 && view_.gpus > 2) {
      add_nvls();
    }
    std::ranges::stable_sort(ways_, {}, &Choice::microseconds);
    return std::move(ways_);
  }

 private:
  void add(Algorithm algorithm, std::size_t protocol, double latency, double gigabytes_per_second,
           std::uint32_t channels) {
    const double us = latency + static_cast<double>(bytes_) / (1000 * gigabytes_per_second);
    ways_.push_back(
        {algorithm, kAllProtocols[protocol], latency, us, used_channels(channels, protocol, view_.gpus, bytes_)});
  }
  void add_ring(std::size_t protocol) {
    const std::uint32_t steps = ring_steps(of_, view_.gpus);
    const double hop = (view_.nvlinks > 0 ? kRingHopNvlink : kRingHopPcie)[protocol];
    add(Algorithm::kRing, protocol, kRingBase[protocol] + steps * hop,
        ring_bus(rates_, channels_, protocol) / bus_factor(of_, view_.gpus), channels_.count);
  }
  void add_tree(std::size_t protocol) {
    const double hop = (view_.nvlinks > 0 ? kTreeHopNvlink : kTreeHopPcie)[protocol];
    const double rate = tree_bus(rates_, channels_, protocol) / 2 * tree_correction(protocol, bytes_);
    add(Algorithm::kTree, protocol, kTreeBase[protocol] + 2 * (view_.gpus - 1) * hop, rate, channels_.count);
  }
  /// A head for each GPU, over whose link all others send its part.
  void add_nvls() {
    const double n = view_.gpus;
    const double head = speed_within(rates_.speeds, n, rates_.nvlink * view_.nvlinks);
    const double bus = n * head * rates_.nvls_share * (n - 1) / n * 2;
    const std::uint32_t channels = view_.generation == Generation::kBlackwell ? 24 : 16;
    if (rates_.nvls_share > 0) {
      add(Algorithm::kNvls, 2, kNvlsLatency, bus / bus_factor(of_, view_.gpus), channels);
    }
  }
  /// LL up to 16 KiB for each partner, Simple above.
  void add_pairs() {
    constexpr std::uint64_t kMostLl = 16 * 1024;
    const std::uint64_t partners = of_ == Collective::kAllToAll ? view_.gpus : 1;
    const std::size_t protocol = bytes_ / partners <= kMostLl ? 0 : 2;
    const double hop = (view_.nvlinks > 0 ? kRingHopNvlink : kRingHopPcie)[protocol];
    add(Algorithm::kPairs, protocol, kRingBase[protocol] + hop,
        ring_bus(rates_, channels_, protocol) / bus_factor(of_, view_.gpus), channels_.count);
  }

  const NcclView& view_;
  Rates rates_;
  Channels channels_;
  Collective of_;
  std::uint64_t bytes_;
  std::vector<Choice> ways_;
};

}  // namespace

std::vector<Choice> nccl_choices(const NcclView& view, Collective of, std::uint64_t bytes) {
  return Ways(view, of, bytes).all();
}

std::optional<Choice> first_with(std::span<const Choice> choices, std::optional<Algorithm> algorithm,
                                 std::optional<Protocol> protocol) {
  const auto found = std::ranges::find_if(choices, [&](const Choice& choice) {
    return choice.algorithm == algorithm.value_or(choice.algorithm) &&
           choice.protocol == protocol.value_or(choice.protocol);
  });
  return found == choices.end() ? std::nullopt : std::optional(*found);
}

std::optional<Choice> nccl_choice(const NcclView& view, Collective of, std::uint64_t bytes,
                                  std::optional<Algorithm> algorithm, std::optional<Protocol> protocol) {
  return first_with(nccl_choices(view, of, bytes), algorithm, protocol);
}

}  // namespace gpusim::collective
