// SPDX-License-Identifier: MIT
// What walking a shipped trace gives: dynamic counts for comparison with closed forms.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::testing {

using Overrides = std::vector<std::pair<std::string, std::int64_t>>;

/// A trace of traces/ with its test set and these values in place of some of it.
[[nodiscard]] trace::Trace shipped(const std::string& name, const Overrides& overrides = {});
/// The same with the defaults instead of the test set.
[[nodiscard]] trace::Trace shipped_at_defaults(const std::string& name, const Overrides& overrides = {});

struct Tally {
  std::uint64_t instructions = 0;  ///< instructions of warps
  std::uint64_t active_lanes = 0;  ///< lanes of those, summed: on the path, whether their guard holds or not
  std::uint64_t flops = 0;         ///< FLOPs of all classes
  std::uint64_t tensor_flops = 0;
  std::uint64_t conflicts = 0;                         ///< accesses to shared memory with a bank conflict
  std::uint64_t lines_copied = 0;                      ///< lines of global memory a copy asks for, summed over copies
  std::map<std::string, std::uint64_t> opcodes;        ///< warp instructions with a lane active, by full opcode
  std::map<std::string, std::uint64_t> bytes_read;     ///< global, by buffer
  std::map<std::string, std::uint64_t> bytes_written;  ///< global, by buffer

  /// Warp instructions whose opcode begins so.
  [[nodiscard]] std::uint64_t count(std::string_view prefix) const;
};

/// Walks every `every`-th CTA, all its warps.
[[nodiscard]] Tally tally(const trace::Kernel& kernel, std::uint64_t every = 1);

/// One more than the highest general register that the code names.
[[nodiscard]] unsigned registers_used(const trace::Kernel& kernel);

}  // namespace gpusim::testing
