// SPDX-License-Identifier: MIT
// What happened when: the result of a run. Times are nanoseconds from its begin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/application/application.h"
#include "sim/system/run/device.h"

namespace gpusim::run {

using application::Index;
inline constexpr Index kNone = 0xffff'ffff;

enum class ActivityKind : std::uint8_t { kWork, kCall, kRange, kKernel, kCopy, kFill, kCollective };

/// Something that took time, on a thread or on a GPU.
struct Activity {
  ActivityKind kind = ActivityKind::kWork;
  application::Way way = application::Way::kToDevice;              ///< direction of a copy
  collective::Algorithm algorithm = collective::Algorithm::kRing;  ///< a collective's
  bool waits_for_data = false;                                     ///< a call that takes from a queue
  Index name = 0;                                                  ///< an index into Timeline::names
  Index kernel = kNone;                                            ///< an index into Application::kernels
  Index thread = 0;                                                ///< that did it, or had it done
  Index gpu = 0;                                                   ///< counted among the GPUs in use
  Index stream = 0;
  Index previous = kNone;  ///< what the thread did before
  /// What work on a GPU waited for last, its call or other work; what let a call go on that waited.
  Index cause = kNone;
  Index call = kNone;  ///< for work on a GPU: the call that issued it
  double begin = 0;
  double end = 0;
  double acted = 0;     ///< for a call: when it had its effect
  double blocked = -1;  ///< for a call: since when it only waited; negative: it did not
  double bytes = 0;
  Index group = kNone;  ///< index into Timeline::groups, for a collective; kNone: all ranks
  [[nodiscard]] bool has_waited() const { return blocked >= 0; }
  [[nodiscard]] bool is_on_gpu() const { return call != kNone; }
};

/// Work of a GPU that something waited for: a call, or work of another stream.
struct Need {
  Index activity = kNone;
  Index before = kNone;  ///< ended first
};

/// What a call said of an event or a stream.
struct SyncNote {
  enum class Kind : std::uint8_t { kStreamWait, kStream, kEvent };
  Kind kind = Kind::kStreamWait;
  Index call = kNone;         ///< its activity
  Index stream = 0;           ///< that waits, or that is waited for
  Index record = kNone;       ///< activity of the call that recorded the event
  Index recorded_stream = 0;  ///< on this stream
};

/// Memory that an allocator holds, at a time.
struct MemorySample {
  double time = 0;
  std::uint64_t allocated = 0;
  std::uint64_t reserved = 0;
};

/// Bytes of the whole run; nothing where no call allocates.
struct MemoryUse {
  std::uint64_t peak_allocated = 0;
  std::uint64_t peak_reserved = 0;
  std::vector<std::uint64_t> at_peak;  ///< by category of the application, when most was allocated
  std::vector<MemorySample> samples;
};

/// What a link carries from a time on, in bytes a nanosecond, until the next step.
struct LinkStep {
  double time = 0;
  double rate = 0;
};

/// One direction of a link, or another part of the fabric that transfers share.
struct LinkSeries {
  std::string name;  ///< "gpu0 -> nvswitch"
  double most = 0;   ///< bytes a nanosecond
  std::vector<LinkStep> steps;
};

/// What one GPU was used for in the rounds that count.
struct GpuUse {
  std::string name;  ///< "gpu0"
  std::string arch;
  Usage usage;
  MemoryUse memory;
};

struct Timeline {
  std::vector<std::string> names;
  std::vector<std::string> threads;
  std::vector<bool> background;      ///< by thread
  std::vector<Index> gpu_of_thread;  ///< counted among the GPUs in use
  std::vector<GpuUse> gpus;
  std::vector<Activity> activities;
  std::vector<LinkSeries> links;  ///< those that carried anything
  std::vector<Need> needs;        ///< beside the order of each stream, in the order of what needs
  std::vector<SyncNote> syncs;
  std::vector<std::vector<std::uint32_t>> groups;  ///< ranks of collectives that not all ranks have
  std::vector<Index> gpu_of_rank;                  ///< GPUs of ranks, in order; none without collectives
  /// When all work of the rounds before had ended, and all threads were in one that counts.
  double begin = 0;
  double end = 0;             ///< end of all threads but those in the background, and of their work
  std::uint32_t repeats = 1;  ///< rounds that count
  [[nodiscard]] double step_ns() const { return (end - begin) / repeats; }
};

}  // namespace gpusim::run
