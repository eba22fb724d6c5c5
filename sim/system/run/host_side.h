// SPDX-License-Identifier: MIT
// The CPU threads: each does its calls one after the other, and waits where a call does.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/system/run/binding.h"
#include "sim/system/run/calendar.h"
#include "sim/system/run/cpu.h"
#include "sim/system/run/device_side.h"
#include "sim/system/run/gpu_memory.h"
#include "sim/system/run/recorder.h"
#include "sim/system/run/thread_walk.h"

namespace gpusim::run {

/// What a thread waits for.
enum class Block : std::uint8_t { kFree, kWork, kStream, kPut, kTake };

class HostSide {
 public:
  /// All outlive it.
  HostSide(const Binding& binding, const std::vector<GpuFacts>& gpus, DeviceSide& devices, Calendar& calendar,
           Recorder& recorder);

  /// Lets all threads begin.
  void start();
  /// A thread goes on.
  void go_on(Index thread, double now);
  /// A thread goes on if its work on the CPU ends now; else the end was put off.
  void end_work(Index thread, double now);
  /// Lets those go on that waited for what the GPUs have ended.
  void wake(double now);

  /// Whether all threads but those in the background have ended.
  [[nodiscard]] bool has_ended() const { return open_ == 0; }
  /// Whether all of them are in a round that counts.
  [[nodiscard]] bool is_warm() const { return warming_up_ == 0; }
  /// What a thread that has not ended waits for; kFree when it does not.
  [[nodiscard]] Block block(Index thread) const { return threads_[thread].block; }
  /// The queue of a thread that waits to put or to take.
  [[nodiscard]] Index queue_of(Index thread) const { return threads_[thread].queue; }
  [[nodiscard]] const MemoryUse& memory(Index gpu) const { return memory_[gpu].use(); }
  /// The call that a thread is at; null when it has ended.
  [[nodiscard]] const application::Call* call_of(Index thread) const { return threads_[thread].call; }

 private:
  struct Thread {
    ThreadWalk walk;
    const application::Call* call = nullptr;  ///< the one it is at
    Index activity = kNone;                   ///< the activity of that call
    Index last = kNone;                       ///< the activity before
    std::uint32_t round = 0;                  ///< that it is in; what it does once is one, too
    std::uint32_t first = 0;                  ///< round that counts
    Block block = Block::kFree;
    Index queue = 0;
    bool has_acted = false;  ///< the call has had its effect
    bool has_ended = false;
  };
  struct Queue {
    std::uint32_t held = 0;
    std::deque<Index> putters;  ///< threads that wait
    std::deque<Index> takers;
  };

  void next_call(Index thread, double now);
  [[nodiscard]] bool start_round(Index thread);
  void begin_call(Index thread, double now);
  /// Puts ends of work on the CPU that have changed into the calendar.
  void note_work();
  void end_call(Index thread, double now);
  /// False when the thread has to wait.
  [[nodiscard]] bool act(Index thread, double now);
  [[nodiscard]] bool give(Index thread, double now);
  [[nodiscard]] bool synchronize_with(Index thread, SyncNote::Kind kind, Index op);
  [[nodiscard]] bool synchronize(Index thread, const application::Synchronize& call);
  [[nodiscard]] bool put(Index thread, Index queue, double now);
  [[nodiscard]] bool take(Index thread, Index queue, double now);
  /// A call of the allocator; false when the driver is asked, which takes time.
  [[nodiscard]] bool use_memory(Index thread, double now);
  [[nodiscard]] bool wait_for(Index thread, const std::vector<Index>& ops);
  void wait_in(Index thread, Block block, Index queue);
  void release(std::deque<Index>& waiting, Index by, double now);
  [[nodiscard]] double cost_of(const application::Call& call) const;
  [[nodiscard]] std::size_t stream_row(Index gpu, Index stream) const;

  const Binding& binding_;
  DeviceSide& devices_;
  Calendar& calendar_;
  Recorder& recorder_;
  Cpu cpu_;
  std::vector<Thread> threads_;
  std::vector<Queue> queues_;
  std::vector<GpuMemory> memory_;        ///< by GPU
  std::vector<std::deque<Index>> full_;  ///< by stream of a GPU: threads that wait until it has room
  std::uint32_t open_ = 0;
  std::uint32_t warming_up_ = 0;
};

}  // namespace gpusim::run
