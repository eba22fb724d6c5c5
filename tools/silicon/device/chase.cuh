// SPDX-License-Identifier: MIT
// Pointer chases: memory locations ("slots") that each hold the address of another, so that a load cannot begin before
// the one before has ended. A slot holds the whole 64-bit address, so nothing but loads is in the chain.
//
// The clock is read while a load is under way, first and last: n steps between take n latencies (one more or less where
// the compiler lets the clock wait for the load), and neither the clock nor the loop is in the figure.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {

/// L1: ld.global.ca, cached by the SM. L2: ld.global.cg, past the L1.
enum class Path { L1, L2 };

/// Where slots lie: one every `stride` bytes (a power of two), each `skew` bytes farther into its stride than the one
/// before, so that slots of large strides do not fall on the same places of every page.
struct Slots {
  std::uint64_t base = 0;
  std::uint64_t stride = 0;
  std::uint64_t skew = 0;
  std::uint32_t count = 0;

  __host__ __device__ std::uint64_t at(std::uint32_t index) const {
    return base + index * stride + (index * skew & (stride - 1));
  }
};

enum class Visit { InOrder, Shuffled };

/// Links slots into one cycle, in order of address or shuffled (by a fixed seed).
class Ring {
 public:
  Ring(const Slots& slots, Visit visit);

  [[nodiscard]] const Slots& slots() const { return slots_; }
  [[nodiscard]] std::uint32_t size() const { return slots_.count; }
  /// The address reached after that many steps from the beginning.
  [[nodiscard]] std::uint64_t address(std::uint64_t step) const { return slots_.at(order_[step % size()]); }

 private:
  Slots slots_;
  std::vector<std::uint32_t> order_;
};

/// How one thread walks a ring.
struct Walk {
  Path path = Path::L2;
  bool sweep = false;              ///< before, all threads of the CTA read all slots twice, in order of address
  std::uint32_t warm_steps = 0;    ///< before the timed ones
  std::uint32_t steps = 8192;      ///< timed, a multiple of 64
  std::uint32_t dynamic_smem = 0;  ///< unused; takes its size from the L1
};

struct Walked {
  double cycles_per_step = 0;
  std::uint64_t last = 0;  ///< address that the last load brought
  std::uint32_t sm = 0;
};

[[nodiscard]] Walked walk(const Ring& ring, const Walk& how);
[[nodiscard]] LaunchFacts walk_facts(const Walk& how);
/// Walks once and compares where it ended with where it must; then, if that is right, walks again and again and records
/// the latency of a step, with the SM in the note.
void measure_walk(Session& session, const Ring& ring, const Walk& how, const Params& params, const Repeat& repeat);

/// A walk of which every step is timed by itself, by one thread of every SM or of one alone.
struct TracedWalk {
  Path path = Path::L2;
  std::uint32_t warm_rounds = 0;  ///< of the whole ring, before the timed one
  std::int64_t only_sm = -1;      ///< %smid; -1: every SM, each beginning elsewhere in the ring
};

struct TracedSm {
  std::uint32_t sm = 0;
  std::uint64_t last = 0;         ///< address that the last load of the round brought: where it began
  std::uint64_t expected = 0;     ///< what it must be
  std::vector<double> latencies;  ///< cycles, of the slot reached after 0, 1, ... steps from the ring's beginning
};

/// One round of the ring. Rings of at most 2048 slots.
[[nodiscard]] std::vector<TracedSm> walk_traced(Session& session, const Ring& ring, const TracedWalk& how);
[[nodiscard]] LaunchFacts traced_facts(Session& session, const TracedWalk& how);
[[nodiscard]] bool verify_traced(Session& session, const std::vector<TracedSm>& sms, const Params& params);

}  // namespace gpusim::silicon
