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
  std::uint64_t bytes = 0;           ///< bytes of a copy or a fill
  std::uint64_t ctas = 0;            ///< CTAs of a kernel; 0: not known
  std::uint64_t threads = 0;         ///< threads of a CTA
  std::uint64_t registers = 0;       ///< registers of a thread
  std::uint64_t shared_bytes = 0;    ///< shared memory of a CTA
  std::string collective;            ///< "allreduce"; empty of other kernels
  std::uint64_t message_bytes = 0;   ///< bytes of a collective
  std::uint64_t ranks = 0;           ///< ditto
  std::vector<std::uint64_t> group;  ///< ranks of the process group, where they are listed
  std::int64_t from_device = -1;     ///< source of a copy between GPUs; negative: not known
  std::int64_t to_device = -1;       ///< ditto
};

/// A call of the CUDA runtime or driver.
struct Call {
  std::string name;
  double begin = 0;
  double ns = 0;
  std::int64_t correlation = 0;  ///< the number that its work has, too
};

/// What a call waited for, or made a stream wait for.
enum class SyncKind : std::uint8_t { kDevice, kStream, kEvent, kStreamWait };
struct Sync {
  SyncKind kind = SyncKind::kDevice;
  std::int64_t stream = 0;        ///< that was waited for, or that waits
  std::int64_t recorded_on = -1;  ///< stream on which the event was recorded; negative: not known
  std::int64_t record = 0;        ///< correlation of the call that recorded the event; 0: not known
};

/// A part that a thread named.
struct NamedRange {
  std::string name;
  double begin = 0;
  double ns = 0;
};

struct Events {
  std::map<std::int64_t, std::vector<Call>> calls;         ///< by thread, in order of time
  std::map<std::int64_t, std::vector<Work>> work;          ///< by correlation, in order of time; a graph's is many
  std::map<std::int64_t, Sync> syncs;                      ///< by correlation
  std::map<std::int64_t, std::vector<NamedRange>> ranges;  ///< by thread, an outer one before what it holds
  std::uint64_t orphans = 0;                               ///< work whose call is not in the trace
  std::int64_t rank = 0;                                   ///< that the trace is of, where several take part
  std::uint64_t world = 0;                                 ///< ranks of the whole job; 0: not known
};

/// Puts everything in order of time.
void finish(Events& events);

/// Reads a file, packed by gzip or not. Throws InputError for what is not such a trace, is cut off, or is too large.
[[nodiscard]] Events read_events(const std::filesystem::path& file);

/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Events parse_events(std::string text, const std::string& name);

}  // namespace gpusim::kineto
