// SPDX-License-Identifier: MIT
// What matters of a trace that PyTorch's profiler (Kineto) wrote: calls of CUDA, and the work that they issued.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gpusim::kineto {

enum class WorkKind : std::uint8_t { kKernel, kCopy, kFill };

/// Work on a GPU. Times are nanoseconds.
struct Work {
  WorkKind kind = WorkKind::kKernel;
  std::string name;
  double begin = 0;
  double ns = 0;
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::uint64_t bytes = 0;          ///< of a copy or a fill
  std::uint64_t ctas = 0;           ///< of a kernel; 0: not known
  std::uint64_t threads = 0;        ///< of a CTA
  std::uint64_t registers = 0;      ///< of a thread
  std::uint64_t shared_bytes = 0;   ///< of a CTA
  std::string collective;           ///< "allreduce"; empty of other kernels
  std::uint64_t message_bytes = 0;  ///< of a collective
  std::uint64_t ranks = 0;          ///< ditto
};

/// A call of the CUDA runtime or driver.
struct Call {
  std::string name;
  double begin = 0;
  double ns = 0;
  std::int64_t correlation = 0;  ///< the number that its work has, too
};

struct Events {
  std::map<std::int64_t, std::vector<Call>> calls;  ///< by thread, in order of time
  std::map<std::int64_t, std::vector<Work>> work;   ///< by correlation, in order of time; a graph's is many
  std::uint64_t orphans = 0;                        ///< work whose call is not in the trace
};

/// Reads a file, packed by gzip or not. Throws InputError for what is not such a trace, is cut off, or is too large.
[[nodiscard]] Events read_events(const std::filesystem::path& file);

/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Events parse_events(std::string text, const std::string& name);

}  // namespace gpusim::kineto
