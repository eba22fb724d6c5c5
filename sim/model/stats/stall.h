// SPDX-License-Identifier: MIT
// Warp states, in Nsight Compute's words. Every resident cycle of a warp is in exactly one of them; the states of a
// warp sum to its resident cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim::stats {

// The one table of states. Rows are in order of precedence: when several causes hold in one cycle, the first is charged
// (selected excepted). A new state is a row here, and the place in the SM that says when it holds (SubCores::block and
// end_stall, or GapStalls); the ledger, JSON, CSV, text, timeline and documents follow from the row.
// Columns: key, label, glyph, what more is known of the obstacle, colour, what the warp waits for, what a kernel's
// author can do about it, what releases the warp, and what is in its way. The last two are told where the cause is not
// another instruction of the warp. The viewer's pages bring the table with them.
// clang-format off
#define GPUSIM_STALLS(X)                                                                             \
  X(kDrain, "drain", "Stall Drain", 'D', kNone, kMagenta,                                            \
    "stores to finish after EXIT",                                                                   \
    "coalesce and spread the last stores",                                                           \
    "the memory system, when the warp's last store has arrived",                                     \
    "stores on their way")                                                                           \
  X(kSleeping, "sleeping", "Stall Sleeping", 'z', kNone, kMagenta,                                   \
    "a NANOSLEEP timer",                                                                             \
    "shorten the sleep",                                                                             \
    "the timer of its NANOSLEEP",                                                                    \
    "the timer")                                                                                     \
  X(kBarrier, "barrier", "Stall Barrier", 'B', kBarrier, kMagenta,                                   \
    "sibling warps at a barrier",                                                                    \
    "balance the work before the barrier, or use smaller CTAs",                                      \
    "the last warp that arrives at the barrier",                                                     \
    "a barrier")                                                                                     \
  X(kMembar, "membar", "Stall Membar", 'F', kNone, kMagenta,                                         \
    "a memory fence",                                                                                \
    "use fewer fences, of narrower scope",                                                           \
    "the fence, when earlier accesses are visible",                                                  \
    "accesses on their way")                                                                         \
  X(kGmma, "gmma", "Stall GMMA", 'G', kNone, kMagenta,                                               \
    "a warpgroup matrix operation",                                                                  \
    "deepen the pipeline of stages",                                                                 \
    "the tensor core, when the WGMMA operations have ended",                                         \
    "WGMMA operations in flight")                                                                    \
  X(kNoInstruction, "no_instruction", "Stall No Instruction", 'I', kNone, kCyan,                     \
    "instruction fetch",                                                                             \
    "shrink unrolled bodies, jump less",                                                             \
    "the instruction fetch",                                                                         \
    "an empty instruction buffer")                                                                   \
  X(kBranchResolving, "branch_resolving", "Stall Branch Resolving", 'b', kNone, kCyan,               \
    "a branch target",                                                                               \
    "branch less, or unroll",                                                                        \
    "the branch unit, when the target is known",                                                     \
    "the branch before")                                                                             \
  X(kImcMiss, "imc_miss", "Stall IMC Miss", 'c', kNone, kCyan,                                       \
    "an immediate constant",                                                                         \
    "use fewer distinct constants",                                                                  \
    "the constant cache, when the constant has come",                                                \
    "a constant that it lacks")                                                                      \
  X(kLongScoreboard, "long_scoreboard", "Stall Long Scoreboard", 'L', kCounter, kRed,                \
    "a result from L1TEX: global, local",                                                            \
    "keep more loads in flight, coalesce, stage in shared memory, add warps",                        \
    "a result from L1TEX",                                                                           \
    "a dependence counter")                                                                          \
  X(kShortScoreboard, "short_scoreboard", "Stall Short Scoreboard", 'S', kCounter, kYellow,          \
    "a result from the MIO: shared memory, XU, shuffle",                                             \
    "remove bank conflicts, keep values in registers",                                               \
    "a result from the MIO",                                                                         \
    "a dependence counter")                                                                          \
  X(kWait, "wait", "Stall Wait", 'w', kNone, kBlue,                                                  \
    "a fixed-latency result",                                                                        \
    "interleave independent instructions",                                                           \
    "the stall count of the instruction before",                                                     \
    "a fixed latency")                                                                               \
  X(kDispatchStall, "dispatch_stall", "Stall Dispatch", 'd', kSubCore, kCyan,                        \
    "a register-port conflict to clear",                                                             \
    "spread operands over register banks",                                                           \
    "the register ports, a conflict at a time",                                                      \
    "the register ports")                                                                            \
  X(kLgThrottle, "lg_throttle", "Stall LG Throttle", 'g', kQueue, kCyan,                             \
    "room in L1's local/global queue",                                                               \
    "use wider accesses, interleave arithmetic",                                                     \
    "the load/store unit, when it takes an access",                                                  \
    "its queue for local and global")                                                                \
  X(kTexThrottle, "tex_throttle", "Stall Tex Throttle", 't', kQueue, kCyan,                          \
    "room in the texture queue",                                                                     \
    "fetch less",                                                                                    \
    "the texture unit, when it takes an access",                                                     \
    "the texture queue")                                                                             \
  X(kMioThrottle, "mio_throttle", "Stall MIO Throttle", 'm', kQueue, kCyan,                          \
    "room in the MIO queue",                                                                         \
    "use fewer, wider shared-memory accesses",                                                       \
    "the MIO, when it takes an instruction",                                                         \
    "the MIO queue")                                                                                 \
  X(kMathPipeThrottle, "math_pipe_throttle", "Stall Math Pipe Throttle", 'p', kPipe, kCyan,          \
    "a math pipe's input",                                                                           \
    "mix other operations in, or do fewer",                                                          \
    "the pipe, when it takes an instruction",                                                        \
    "a math pipe")                                                                                   \
  X(kMisc, "misc", "Stall Misc", '?', kNone, kCyan,                                                  \
    "nothing known (always zero here)",                                                              \
    "report a bug",                                                                                  \
    "nothing that is known",                                                                         \
    "nothing that is known")                                                                         \
  X(kNotSelected, "not_selected", "Stall Not Selected", '.', kSubCore, kGrey,                        \
    "its turn: eligible, but another warp issued",                                                   \
    "nothing: there are warps enough",                                                               \
    "the warp scheduler, when it picks this warp",                                                   \
    "the issue slot")                                                                                \
  X(kSelected, "selected", "Selected", 'X', kNone, kGreen,                                           \
    "nothing: it issued",                                                                            \
    "nothing",                                                                                       \
    "nothing: it issues",                                                                            \
    "nothing")
// clang-format on

enum class Stall : std::uint8_t {
#define GPUSIM_X(enumerator, key, label, glyph, detail, colour, what, remedy, releaser, obstacle) enumerator,
  GPUSIM_STALLS(GPUSIM_X)
#undef GPUSIM_X
};

/// What a text about one warp can name beyond the obstacle of its state.
enum class StallDetail : std::uint8_t {
  kNone,
  kPipe,     ///< the pipe of the instruction that waits
  kQueue,    ///< the queue that the instruction is to enter
  kBarrier,  ///< the barrier, and which warps are not there yet
  kCounter,  ///< a dependence counter, which several instructions may share
  kSubCore,  ///< the sub-core of the obstacle
};
/// The same as words, indexed by StallDetail.
inline constexpr std::array<std::string_view, 6> kStallDetails{"none",    "pipe",    "queue",
                                                               "barrier", "counter", "sub_core"};

/// Colour of the glyph in a terminal, as the code that selects it (ECMA-48, "select graphic rendition").
enum class StallColour : std::uint8_t {
  kRed = 31,
  kGreen = 32,
  kYellow = 33,
  kBlue = 34,
  kMagenta = 35,  ///< others have to come
  kCyan = 36,     ///< queues and pipes are full
  kGrey = 90,
};

struct StallInfo {
  std::string_view key;    ///< name in JSON and CSV
  std::string_view label;  ///< as the profiler shows it
  char glyph;              ///< letter in the text timeline
  StallDetail detail;      ///< what a text names where it can
  StallColour colour;      ///< colour in the text timeline
  std::string_view what;   ///< the warp is waiting for ...
  std::string_view remedy;
  std::string_view releaser;  ///< what ends the wait, where the cause is not an instruction of the warp
  std::string_view obstacle;  ///< what is in the warp's way, likewise
};

inline constexpr std::array kStalls{
#define GPUSIM_X(enumerator, key, label, glyph, detail, colour, what, remedy, releaser, obstacle) \
  StallInfo{key, label, glyph, StallDetail::detail, StallColour::colour, what, remedy, releaser, obstacle},
    GPUSIM_STALLS(GPUSIM_X)
#undef GPUSIM_X
};
inline constexpr std::size_t kStallCount = kStalls.size();

[[nodiscard]] constexpr const StallInfo& info_of(Stall state) {
  return kStalls[static_cast<std::size_t>(state)];
}

/// A set of states: bit 1 << Stall, so that the lowest bit is that of highest precedence.
using StallMask = std::uint32_t;
static_assert(kStallCount <= 32);

[[nodiscard]] constexpr StallMask mask_of(Stall state) {
  return StallMask{1} << static_cast<unsigned>(state);
}

/// Warp-cycles by state, indexed by Stall.
using StallCycles = std::array<std::uint64_t, kStallCount>;

[[nodiscard]] constexpr std::uint64_t total(const StallCycles& cycles) {
  std::uint64_t sum = 0;
  for (const std::uint64_t c : cycles) {
    sum += c;
  }
  return sum;
}

constexpr void add(StallCycles& to, const StallCycles& from) {
  for (std::size_t i = 0; i < kStallCount; ++i) {
    to[i] += from[i];
  }
}

}  // namespace gpusim::stats
