// SPDX-License-Identifier: MIT
// Which of a sub-core's candidate warps issues. One small class a policy; the table names them for architecture files,
// errors and documentation. Candidates come as a bit mask over the sub-core's warp slots.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace gpusim::sm {

/// Bit i: warp slot i of the sub-core (at most 16 on every modelled part, 32 in a what-if).
using SlotMask = std::uint32_t;

/// What a policy may look at.
struct PolicyView {
  SlotMask candidates = 0;              ///< never empty
  std::uint32_t last = 0;               ///< slot that issued last
  std::span<const std::uint64_t> ages;  ///< by slot: order of launch, smaller is older
};

namespace policy_detail {
template <class Better>
std::uint32_t best(const PolicyView& view, Better better) {
  SlotMask rest = view.candidates;
  auto chosen = static_cast<std::uint32_t>(std::countr_zero(rest));
  for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (better(view.ages[slot], view.ages[chosen])) {
      chosen = slot;
    }
  }
  return chosen;
}
inline bool contains(const PolicyView& view, std::uint32_t slot) {
  return (view.candidates >> slot & 1U) != 0;
}
}  // namespace policy_detail

/// Stays on the warp that issued last, else takes the youngest: what Ampere is measured to do (Huerta et al., MICRO
/// 2025).
struct GreedyThenYoungest {
  [[nodiscard]] std::uint32_t pick(const PolicyView& view) const {
    return policy_detail::contains(view, view.last)
               ? view.last
               : policy_detail::best(view, [](std::uint64_t a, std::uint64_t b) { return a > b; });
  }
};

/// Stays on the warp that issued last, else takes the oldest: the classic GTO of the literature.
struct GreedyThenOldest {
  [[nodiscard]] std::uint32_t pick(const PolicyView& view) const {
    return policy_detail::contains(view, view.last)
               ? view.last
               : policy_detail::best(view, [](std::uint64_t a, std::uint64_t b) { return a < b; });
  }
};

/// The next candidate after the one that issued last, in slot order.
struct LooseRoundRobin {
  [[nodiscard]] std::uint32_t pick(const PolicyView& view) const {
    const SlotMask after = view.candidates & ~((SlotMask{2} << view.last) - 1);
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : view.candidates));
  }
};

/// Always the oldest candidate.
struct OldestFirst {
  [[nodiscard]] std::uint32_t pick(const PolicyView& view) const {
    return policy_detail::best(view, [](std::uint64_t a, std::uint64_t b) { return a < b; });
  }
};

/// Loose round robin among few active warps, so that the others' long waits do not all begin at once (Narasiman et al.,
/// MICRO 2011). Who is active is kept by ActiveWarps; candidates are already the active ones.
struct TwoLevel : LooseRoundRobin {};

using WarpPolicy = std::variant<GreedyThenYoungest, GreedyThenOldest, LooseRoundRobin, OldestFirst, TwoLevel>;

/// The warps of a sub-core that a two-level scheduler lets issue. A warp leaves when it begins a long wait (for memory,
/// a barrier, a fence, a sleep) or exits; the oldest ready one takes its place.
class ActiveWarps {
 public:
  explicit ActiveWarps(std::uint32_t size) : size_(size) {}

  void leave(std::uint32_t slot) { active_ &= ~(SlotMask{1} << slot); }
  /// Fills free places, and returns who is active.
  [[nodiscard]] SlotMask fill(SlotMask ready, std::span<const std::uint64_t> ages) {
    for (SlotMask pending = ready & ~active_;
         pending != 0 && static_cast<std::uint32_t>(std::popcount(active_)) < size_; pending = ready & ~active_) {
      active_ |= SlotMask{1} << policy_detail::best({pending, 0, ages},
                                                    [](std::uint64_t a, std::uint64_t b) { return a < b; });
    }
    return active_;
  }

 private:
  std::uint32_t size_;
  SlotMask active_ = 0;
};

struct WarpPolicyEntry {
  std::string_view name;
  WarpPolicy policy;
};
inline constexpr std::array kWarpPolicies{
    WarpPolicyEntry{"gty", GreedyThenYoungest{}},
    WarpPolicyEntry{"gto", GreedyThenOldest{}},
    WarpPolicyEntry{"lrr", LooseRoundRobin{}},
    WarpPolicyEntry{"oldest", OldestFirst{}},
    WarpPolicyEntry{"two-level", TwoLevel{}},
    WarpPolicyEntry{"greedy-then-youngest", GreedyThenYoungest{}},
    WarpPolicyEntry{"greedy-then-oldest", GreedyThenOldest{}},
    WarpPolicyEntry{"loose-round-robin", LooseRoundRobin{}},
    WarpPolicyEntry{"oldest-first", OldestFirst{}},
};

/// The policy of that name; the architecture loader has checked it against the same names.
[[nodiscard]] inline WarpPolicy warp_policy(std::string_view name) {
  for (const WarpPolicyEntry& entry : kWarpPolicies) {
    if (entry.name == name) {
      return entry.policy;
    }
  }
  assert(false && "the loader accepts only known policies");
  return GreedyThenYoungest{};
}

}  // namespace gpusim::sm
