// SPDX-License-Identifier: MIT
// Fields of an architecture that take one of a few words: an enumeration each, and the one list of its words. The
// schema, its messages and the documentation take them from here; the machine compares enumerators.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gpusim::arch {

/// A word of an architecture file, and what it stands for.
template <class E>
struct Word {
  std::string_view word;
  E value;
};

/// All words of an enumeration, as documents list them. Of several for one value the first is its name.
template <class E>
inline constexpr std::array<Word<E>, 0> kWords{};

/// Experimental: described, never compared with measurements.
enum class Maturity : std::uint8_t { kStable, kExperimental };
template <>
inline constexpr auto kWords<Maturity> = std::to_array<Word<Maturity>>({{"stable", Maturity::kStable},
                                                                        {"experimental", Maturity::kExperimental}});

/// How an instruction waits for registers: the assembler's control bits, or one entry per register (for comparison).
enum class Dependence : std::uint8_t { kControlBits, kScoreboard };
template <>
inline constexpr auto kWords<Dependence> = std::to_array<Word<Dependence>>({{"control_bits", Dependence::kControlBits},
                                                                            {"scoreboard", Dependence::kScoreboard}});

/// Independent thread scheduling, or a reconvergence stack.
enum class Simt : std::uint8_t { kIndependent, kStack };
template <>
inline constexpr auto kWords<Simt> = std::to_array<Word<Simt>>({{"its", Simt::kIndependent}, {"stack", Simt::kStack}});

/// Ideal: the next instruction is always at hand.
enum class FrontEndModel : std::uint8_t { kCached, kIdeal };
template <>
inline constexpr auto kWords<FrontEndModel> = std::to_array<Word<FrontEndModel>>({{"cached", FrontEndModel::kCached},
                                                                                  {"ideal", FrontEndModel::kIdeal}});

/// Who has a stream buffer of instructions.
enum class StreamPer : std::uint8_t { kSubCore, kWarp };
template <>
inline constexpr auto kWords<StreamPer> = std::to_array<Word<StreamPer>>({{"sub_core", StreamPer::kSubCore},
                                                                          {"warp", StreamPer::kWarp}});

/// Ideal: every constant is at hand.
enum class ConstantModel : std::uint8_t { kCached, kIdeal };
template <>
inline constexpr auto kWords<ConstantModel> = std::to_array<Word<ConstantModel>>({{"cached", ConstantModel::kCached},
                                                                                  {"ideal", ConstantModel::kIdeal}});

/// Ideal: as many ports as anyone wants.
enum class RegisterFileModel : std::uint8_t { kBanked, kIdeal };
template <>
inline constexpr auto kWords<RegisterFileModel> = std::to_array<Word<RegisterFileModel>>(
    {{"banked", RegisterFileModel::kBanked}, {"ideal", RegisterFileModel::kIdeal}});

/// Ideal, a what-if: an access to shared memory takes only the passes that its bytes need.
enum class SharedModel : std::uint8_t { kBanked, kIdeal };
template <>
inline constexpr auto kWords<SharedModel> = std::to_array<Word<SharedModel>>({{"banked", SharedModel::kBanked},
                                                                              {"ideal", SharedModel::kIdeal}});

/// Ideal, a what-if: a load or store touches the fewest lines and sectors that hold its bytes.
enum class Coalescing : std::uint8_t { kLanes, kIdeal };
template <>
inline constexpr auto kWords<Coalescing> = std::to_array<Word<Coalescing>>({{"lanes", Coalescing::kLanes},
                                                                            {"ideal", Coalescing::kIdeal}});

/// Ideal: latency without contention.
enum class NocModel : std::uint8_t { kCrossbar, kIdeal };
template <>
inline constexpr auto kWords<NocModel> = std::to_array<Word<NocModel>>({{"crossbar", NocModel::kCrossbar},
                                                                        {"ideal", NocModel::kIdeal}});

/// Off: every address is translated in no time.
enum class TlbModel : std::uint8_t { kModelled, kOff };
template <>
inline constexpr auto kWords<TlbModel> = std::to_array<Word<TlbModel>>({{"modelled", TlbModel::kModelled},
                                                                        {"off", TlbModel::kOff}});

/// Ideal: every access hits.
enum class L2Model : std::uint8_t { kSectored, kIdeal };
template <>
inline constexpr auto kWords<L2Model> = std::to_array<Word<L2Model>>({{"sectored", L2Model::kSectored},
                                                                      {"ideal", L2Model::kIdeal}});

/// Ideal: bandwidth and latency only.
enum class DramModel : std::uint8_t { kBanked, kIdeal };
template <>
inline constexpr auto kWords<DramModel> = std::to_array<Word<DramModel>>({{"banked", DramModel::kBanked},
                                                                          {"ideal", DramModel::kIdeal}});

/// Banks that a refresh command closes.
enum class DramRefresh : std::uint8_t { kAllBank, kPerBank, kTwoBank };
template <>
inline constexpr auto kWords<DramRefresh> = std::to_array<Word<DramRefresh>>({{"all_bank", DramRefresh::kAllBank},
                                                                              {"per_bank", DramRefresh::kPerBank},
                                                                              {"two_bank", DramRefresh::kTwoBank}});

/// The bus of row commands: each pseudo-channel's own, or one that two of them share.
enum class RowBus : std::uint8_t { kOwn, kShared };
template <>
inline constexpr auto kWords<RowBus> = std::to_array<Word<RowBus>>({{"own", RowBus::kOwn},
                                                                    {"shared", RowBus::kShared}});

/// Where check bits are: nowhere, in bits of their own, or among the data.
enum class DramEcc : std::uint8_t { kNone, kSideband, kInline };
template <>
inline constexpr auto kWords<DramEcc> = std::to_array<Word<DramEcc>>({{"none", DramEcc::kNone},
                                                                      {"sideband", DramEcc::kSideband},
                                                                      {"inline", DramEcc::kInline}});

/// The clock that a peak holds at. DRAM and links have their own, everything else runs with the SMs.
enum class PeakClock : std::uint8_t { kSm, kBoost, kTensorBoost, kMemory, kLink };
template <>
inline constexpr auto kWords<PeakClock> = std::to_array<Word<PeakClock>>({{"sm", PeakClock::kSm},
                                                                          {"boost", PeakClock::kBoost},
                                                                          {"tensor_boost", PeakClock::kTensorBoost},
                                                                          {"memory", PeakClock::kMemory},
                                                                          {"link", PeakClock::kLink}});

/// What a peak counts in a second. Operations on integers are not FLOPs.
enum class PeakUnit : std::uint8_t { kFlops, kOps, kBytes };
template <>
inline constexpr auto kWords<PeakUnit> =
    std::to_array<Word<PeakUnit>>({{"FLOP/s", PeakUnit::kFlops}, {"OP/s", PeakUnit::kOps}, {"B/s", PeakUnit::kBytes}});

/// The name of a value.
template <class E>
[[nodiscard]] constexpr std::string_view word_of(E value) {
  static_assert(!kWords<E>.empty(), "its words are in another header, such as policy_words.h");
  return std::ranges::find(kWords<E>, value, &Word<E>::value)->word;
}

/// The value that a word stands for; nothing for a word that is none of the enumeration's.
template <class E>
[[nodiscard]] constexpr std::optional<E> find_value(std::string_view word) {
  static_assert(!kWords<E>.empty(), "its words are in another header, such as policy_words.h");
  const auto found = std::ranges::find(kWords<E>, word, &Word<E>::word);
  return found == kWords<E>.end() ? std::nullopt : std::optional(found->value);
}
/// The same of one of the enumeration's words.
template <class E>
[[nodiscard]] constexpr E value_of(std::string_view word) {
  return *find_value<E>(word);
}

/// All words of an enumeration, for messages that say what is allowed.
template <class E>
[[nodiscard]] constexpr auto all_words() {
  std::array<std::string_view, kWords<E>.size()> words{};
  std::ranges::transform(kWords<E>, words.begin(), &Word<E>::word);
  return words;
}

}  // namespace gpusim::arch
