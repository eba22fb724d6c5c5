// SPDX-License-Identifier: MIT
// What threads gave to the streams of GPUs: what comes before what, and what is still to be done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "sim/system/application/application.h"
#include "sim/system/run/timeline.h"

namespace gpusim::run {

/// kMark: an event that is recorded or awaited, the begin or the end of a graph.
enum class OpKind : std::uint8_t { kKernel, kCopy, kFill, kMark, kCollective };

/// Work of a GPU.
struct Op {
  OpKind kind = OpKind::kMark;
  bool is_done = false;
  bool is_in_graph = false;
  bool counts = true;       ///< false for a thread in the background
  bool is_warm_up = false;  ///< given in a round that does not count
  Index gpu = 0;
  Index stream = 0;
  Index thread = 0;
  Index activity = kNone;    ///< what of the timeline it is; kNone of marks
  Index cause = kNone;       ///< cause of a mark: the activity that it stands for
  double arrival = 0;        ///< it cannot begin before
  double mark_ns = 0;        ///< time that a mark takes
  double gap_ns = 0;         ///< from the end of what it waited for to its begin
  std::uint32_t before = 0;  ///< works that are to end first
  Index last = kNone;        ///< the one of them that ended last
  double last_end = 0;
  double wanted = 0;     ///< when it could have begun, had the GPU had room
  Index issuer = kNone;  ///< activity of the call that gave it
  const application::Call* call = nullptr;
  std::vector<Index> after;       ///< works that wait for it
  std::vector<Index> waiters;     ///< threads that do
  std::vector<Index> stands_for;  ///< activities that a mark is behind
};

class Ops {
 public:
  /// Streams by GPU. The first of each is CUDA's default stream.
  Ops(std::size_t gpus, const std::vector<application::Stream>& streams, std::size_t events);

  /// Appends to the op's stream, behind the work that the stream's order and the rules of the default stream name.
  Index push(Op op);
  /// Appends outside the streams, behind `before`.
  Index push_behind(Op op, std::span<const Index> before);
  /// What comes later in the stream waits for `op`.
  void set_last(Index gpu, Index stream, Index op) { last_of(gpu, stream) = op; }

  /// Notes the end of an op. Ops that may begin now are added to `ready`, threads that waited for it and need wait for
  /// nothing else to `woken`.
  void end(Index op, double now, std::vector<Index>& ready, std::vector<Index>& woken);

  [[nodiscard]] Op& operator[](Index op) { return ops_[op]; }
  [[nodiscard]] const Op& operator[](Index op) const { return ops_[op]; }
  /// The last op of the stream; kNone when it never had one.
  [[nodiscard]] Index last(Index gpu, Index stream) const { return last_[gpu * streams_.size() + stream]; }
  /// The op that the event's last record is; kNone without one.
  [[nodiscard]] Index& event(Index gpu, Index event) { return events_[gpu * events_in_gpu_ + event]; }

  /// Activities whose end an op is or stands for.
  [[nodiscard]] std::span<const Index> works_of(Index op) const {
    return ops_[op].activity == kNone ? std::span<const Index>(ops_[op].stands_for)
                                      : std::span<const Index>(&ops_[op].activity, 1);
  }
  /// What each activity waited for on other streams.
  [[nodiscard]] std::vector<Need>& needs() { return needs_; }

  /// Lets a thread wait for those of the ops that have not ended; how many they are.
  std::uint32_t wait(Index thread, std::span<const Index> ops);
  /// All streams of a GPU.
  [[nodiscard]] std::vector<Index> last_of_device(Index gpu) const;
  /// Ops of a stream that have not ended.
  [[nodiscard]] std::uint32_t open(Index gpu, Index stream) const { return open_[gpu * streams_.size() + stream]; }
  /// Ops that have not ended, of threads that are not in the background.
  [[nodiscard]] bool has_counted() const { return counted_ > 0; }
  /// Ditto, of rounds that do not count.
  [[nodiscard]] bool has_warm_up() const { return warming_up_ > 0; }

 private:
  [[nodiscard]] Index& last_of(Index gpu, Index stream) { return last_[gpu * streams_.size() + stream]; }
  void put_behind(Index op, Index before);
  void note_need(Index op, Index before);
  void note_open(const Op& op, int step);

  std::vector<application::Stream> streams_;
  std::size_t events_in_gpu_;
  std::deque<Op> ops_;
  std::vector<Index> last_;
  std::vector<std::uint32_t> open_;
  std::vector<Index> events_;
  std::vector<std::uint32_t> waits_of_thread_;
  std::vector<Need> needs_;
  std::int64_t counted_ = 0;
  std::int64_t warming_up_ = 0;
};

}  // namespace gpusim::run
