// SPDX-License-Identifier: MIT
// Runs a case on the functional executor, and in the timing model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/exec/run/run_grid.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"

#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {

/// Where the machine code comes from: the cubin, or what `gpusim disasm --hex` prints of it.
enum class From : bool { kCubin, kListing };

struct KernelResult {
  std::string wrong;  ///< what is wrong; empty when all is right
  RunCounts counts;
  double seconds = 0;  ///< seconds of the execution alone
};

/// With the machine code of data/ for this SM. An exception of the executor becomes KernelResult::wrong.
[[nodiscard]] KernelResult run_case(const KernelCase& row, unsigned sm, From from = From::kCubin);

/// What a check finds, and the error that ends the run, as texts.
[[nodiscard]] std::vector<std::string> check_case(const KernelCase& row, unsigned sm);

/// The same in simulated time, on the machine of an architecture file: without what counts only untimed runs.
struct SimulatedCase {
  std::string wrong;  ///< what is wrong; empty when all is right
  Cycle cycles = 0;
  std::uint64_t bulk_sectors = 0;  ///< sectors that the TMA copied
  std::uint64_t dsmem_requests = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t thread_instructions = 0;
};
[[nodiscard]] SimulatedCase simulate_case(const KernelCase& row, unsigned sm, const arch::Arch& arch,
                                          const gpu::SimulateOptions& options = {}, From from = From::kCubin);

/// The same of the slice of the kernel that decides its lanes and addresses; nothing where values from memory decide.
/// What is in memory in the end is not looked at.
[[nodiscard]] std::optional<SimulatedCase> simulate_slice(const KernelCase& row, unsigned sm, const arch::Arch& arch,
                                                          const gpu::SimulateOptions& options = {});

/// The same of a recording of the kernel, which leaves nothing in memory.
[[nodiscard]] SimulatedCase simulate_recording(const KernelCase& row, unsigned sm, const arch::Arch& arch);

/// Which count differs when all SMs are watched, and so take no short way through what they issue; "" when none does.
[[nodiscard]] std::string watched_difference(const KernelCase& row, unsigned sm, const arch::Arch& arch);

/// What the warps of a run without time do: for each, a digest of its instructions, lanes and addresses.
struct WalkedCase {
  std::string wrong;  ///< the error that ended it
  std::vector<std::uint64_t> warps;
};
enum class Walked : std::uint8_t {
  kWhole,  ///< all values are calculated
  kSlice,  ///< those that decide lanes and addresses, of which CTAs are recorded where that is possible
};
/// Nothing where values from memory decide. The first buffer lies across a multiple of 4 GiB.
[[nodiscard]] std::optional<WalkedCase> walk_case(const KernelCase& row, unsigned sm, Walked what);

/// How the CTAs of a grid are found, asked for one after the other.
struct AlikeCount {
  std::size_t records = 0;   ///< that stand for CTAs
  std::size_t executed = 0;  ///< CTAs that none stands for
};
/// The kernel has a slice.
[[nodiscard]] AlikeCount count_alike(const KernelCase& row, unsigned sm);

}  // namespace gpusim::exec
