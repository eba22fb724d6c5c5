// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/guesses.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "sim/machine/lower/kernel_image.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/schema.h"
#include "sim/model/policy/warp/table.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::gpu {
namespace {

using arch::Aspect;

class AspectSet {
 public:
  constexpr AspectSet(std::initializer_list<Aspect> aspects) {
    for (const Aspect aspect : aspects) {
      bits_ |= std::uint64_t{1} << static_cast<unsigned>(aspect);
    }
  }
  [[nodiscard]] constexpr bool contains(Aspect aspect) const {
    return (bits_ >> static_cast<unsigned>(aspect) & 1U) != 0;
  }

 private:
  std::uint64_t bits_ = 0;
};

/// What a trace makes the machine do, as far as not every trace does.
class Usage {
 public:
  Usage(const arch::Arch& arch, const trace::Trace& trace)
      : translates_(arch.tlb.is_modelled()),
        policy_option_(policy::kWarpPolicies[static_cast<std::size_t>(arch.sm.scheduler.policy)].option) {
    for (const trace::Kernel& kernel : trace.kernels) {
      clusters_ = clusters_ || lower::uses_clusters(kernel);
      windows_ = windows_ || kernel.window;
      for (const isa::Instr& instr : kernel.code) {
        timing_.set(static_cast<std::size_t>(instr.timing));
        flops_.set(static_cast<std::size_t>(instr.flop_class));
        atomics_ = atomics_ || instr.kind == isa::OpKind::kAtomic || instr.kind == isa::OpKind::kReduction;
      }
    }
  }

  /// Whether the run has anything to do with what the key describes.
  [[nodiscard]] bool involves(const arch::Key& key) const {
    switch (key.aspect) {
      case Aspect::kDescription:
      case Aspect::kIdentity: return false;
      case Aspect::kTiming: return timing_[std::get<arch::TimingField>(key.field).timing_class];
      case Aspect::kTensor: return uses_tensor_cores();
      case Aspect::kTensorRate:
        return key.flops != isa::FlopClass::kNone && flops_[static_cast<std::size_t>(key.flops)];
      case Aspect::kMbarrier: return has(isa::TimingClass::kMbarrier);
      case Aspect::kTma: return has(isa::TimingClass::kTensorCopy);
      case Aspect::kWgmma: return has(isa::TimingClass::kWgmma);
      case Aspect::kCluster: return clusters_;
      case Aspect::kTlb: return translates_;
      case Aspect::kPolicyOption: return key.path == policy_option_;
      case Aspect::kAtomics: return atomics_;
      case Aspect::kWindow: return windows_;
      default: return true;
    }
  }

 private:
  [[nodiscard]] bool has(isa::TimingClass c) const { return timing_[static_cast<std::size_t>(c)]; }
  [[nodiscard]] bool uses_tensor_cores() const {
    for (std::size_t c = 0; c < isa::kFlopClasses; ++c) {
      if (flops_[c] && isa::is_tensor(static_cast<isa::FlopClass>(c))) {
        return true;
      }
    }
    return false;
  }

  std::bitset<isa::kTimingClassCount> timing_;
  std::bitset<isa::kFlopClasses> flops_;
  bool clusters_ = false;
  bool windows_ = false;
  bool atomics_ = false;
  bool translates_;
  std::string_view policy_option_;  ///< the key that the warp scheduling policy takes; empty: none
};

/// Aspects that decide how fast a kernel runs that a unit bounds, by Bound.
constexpr std::array<AspectSet, stats::kBoundNames.size()> kOfBound{{
    {Aspect::kSmClock, Aspect::kTensor, Aspect::kTensorRate, Aspect::kWgmma, Aspect::kTiming},  // tensor
    {Aspect::kSmClock, Aspect::kTiming},                                                        // fp
    {Aspect::kSmClock, Aspect::kScheduler, Aspect::kPolicyOption, Aspect::kFetch, Aspect::kRegisters,
     Aspect::kTiming},                                                     // issue
    {Aspect::kSmClock, Aspect::kL1, Aspect::kCarveout, Aspect::kLsu},      // l1
    {Aspect::kSmClock, Aspect::kShared, Aspect::kCarveout, Aspect::kLsu},  // shared
    {Aspect::kSmClock, Aspect::kL2, Aspect::kL2Queue, Aspect::kAtomics, Aspect::kNoc, Aspect::kNocWidth,
     Aspect::kGpcs},                                                             // l2
    {Aspect::kNocWidth},                                                         // noc
    {Aspect::kMemoryClock, Aspect::kDram, Aspect::kDramRows, Aspect::kL2Queue},  // dram
    {Aspect::kDramRows},                                                         // dram_rows
    {Aspect::kSmClock, Aspect::kTiming, Aspect::kLsu, Aspect::kShared},          // latency
    {Aspect::kSmClock, Aspect::kLaunch},                                         // launch
}};

/// Aspects that decide how long a warp waits in a state; of a kernel that no unit bounds.
AspectSet of_wait(std::optional<stats::Stall> wait) {
  constexpr AspectSet kMemory{Aspect::kL1,       Aspect::kNoc,     Aspect::kNocWidth, Aspect::kTranslation,
                              Aspect::kTlb,      Aspect::kL2,      Aspect::kL2Queue,  Aspect::kDram,
                              Aspect::kDramRows, Aspect::kAtomics, Aspect::kWindow};
  using enum stats::Stall;
  switch (wait.value_or(kMisc)) {
    case kLongScoreboard:
    case kLgThrottle:
    case kDrain:
    case kMembar: return kMemory;
    case kBarrier: return {Aspect::kBarrier, Aspect::kCluster};
    case kGmma: return {Aspect::kWgmma, Aspect::kTensor, Aspect::kTensorRate};
    case kNoInstruction:
    case kBranchResolving: return {Aspect::kFetch};
    case kImcMiss: return {Aspect::kConstants};
    default: return kOfBound[static_cast<std::size_t>(stats::Bound::kLatency)];
  }
}

/// What the run's time rests on most: of timing classes those of one pipe, where a pipe is the bound.
class Focus {
 public:
  Focus(const stats::Result& result, const stats::KernelResult& kernel) : Focus(stats::bound(result, kernel), kernel) {}

  [[nodiscard]] bool contains(const arch::Key& key) const {
    return aspects_.contains(key.aspect) && (key.aspect != Aspect::kTiming || !pipe_ || pipe_of(key) == *pipe_);
  }

 private:
  Focus(stats::Bound bound, const stats::KernelResult& kernel)
      : aspects_(bound == stats::Bound::kLatency ? of_wait(stats::main_wait(kernel.stalls))
                                                 : kOfBound[static_cast<std::size_t>(bound)]) {
    if (bound == stats::Bound::kTensor) {
      pipe_ = isa::Pipe::kTensor;
    } else if (bound == stats::Bound::kFp) {
      pipe_ = stats::busiest_fp_pipe(kernel);
    }
  }

  static isa::Pipe pipe_of(const arch::Key& key) {
    return isa::kTimingClasses[std::get<arch::TimingField>(key.field).timing_class].pipe;
  }

  AspectSet aspects_;
  std::optional<isa::Pipe> pipe_;
};

const arch::Key& key_of(std::string_view path) {
  return arch::schema()[*arch::find_key(path)];
}

}  // namespace

std::vector<stats::GuessedValue> guesses_behind(const arch::Arch& arch, const trace::Trace& trace) {
  const Usage usage(arch, trace);
  std::vector<stats::GuessedValue> guesses;
  for (const arch::Guess& guess : arch.guesses) {
    if (usage.involves(key_of(guess.key))) {
      guesses.push_back({guess.key, guess.value, guess.kind, guess.source});
    }
  }
  return guesses;
}

void sort_by_weight(stats::Result& result) {
  const auto longest = std::ranges::max_element(result.kernels, {}, &stats::KernelResult::cycles);
  if (longest == result.kernels.end()) {
    return;
  }
  const Focus focus(result, *longest);
  // A value is three texts: it moves once, and not with every comparison.
  std::vector<stats::GuessedValue> sorted;
  sorted.reserve(result.guesses.size());
  std::vector<int> ranks;
  for (const stats::GuessedValue& guess : result.guesses) {
    ranks.push_back((focus.contains(key_of(guess.key)) ? 0 : 2) + (guess.kind == SourceKind::kGuess ? 0 : 1));
  }
  for (int rank = 0; rank < 4; ++rank) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (ranks[i] == rank) {
        sorted.push_back(std::move(result.guesses[i]));
      }
    }
  }
  result.guesses = std::move(sorted);
}

}  // namespace gpusim::gpu
