// SPDX-License-Identifier: MIT
// The CTA that emulated_cta.h runs: its shared memory, where its threads meet, and its asynchronous work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <vector>

#include "tests/silicon/emulated_cta.h"
#include "tests/silicon/fibers.h"

namespace gpusim::silicon {

constexpr std::uint32_t kBase = 1024;  // the window of shared memory begins with what the system keeps
constexpr std::size_t kWarpgroup = 128;
constexpr std::size_t kNamedBarriers = 16;

inline void require(bool condition, const char* what) {
  if (!condition) {
    throw std::logic_error(what);
  }
}

// What threads do together: the last to come does it for all. `slots` are their operands.
struct Meeting {
  std::vector<void*> slots;
  std::size_t arrived = 0;
  std::uint64_t generation = 0;
  const char* instruction = nullptr;
};

struct Copy {
  std::uint32_t to;
  const void* from;
};

// Groups of asynchronous work in order; the last one is still open.
template <typename Work>
struct Groups {
  std::deque<std::vector<Work>> groups{1};

  void commit() { groups.emplace_back(); }
  std::vector<Work> take_all_but(std::size_t pending) {
    std::vector<Work> due;
    while (groups.size() > pending + 1) {
      due.insert(due.end(), groups.front().begin(), groups.front().end());
      groups.pop_front();
    }
    return due;
  }
};

struct Barrier {
  std::int64_t arrivals = 0;
  std::int64_t missing = 0;
  std::int64_t bytes = 0;
  std::uint32_t phase = 0;

  void advance() {
    require(missing >= 0, "more arrivals on an mbarrier than it expects");
    if (missing == 0 && bytes == 0) {
      missing = arrivals;
      ++phase;
    }
  }
};

struct TensorCopy {
  std::uint32_t to;
  const EmulatedTensorMap* map;
  std::uint32_t x, y;
  std::uint32_t barrier;
};

struct Wgmma {
  std::vector<float*> d;
  std::uint64_t a, b;
};

class EmulatedMachine {
 public:
  explicit EmulatedMachine(const EmulatedLaunch& launch)
      : launch_(launch),
        fibers_(launch.threads, kLanes, launch.backwards, [this] { return deliver_one(); }),
        shared_(launch.shared_bytes / sizeof(Line) + 1),
        warps_(launch.threads / kLanes),
        named_(kNamedBarriers),
        warpgroups_((launch.threads + kWarpgroup - 1) / kWarpgroup),
        copies_(launch.threads),
        wgmmas_(warpgroups_.size()) {
    std::memset(shared_.data(), 0xff, shared_.size() * sizeof(Line));
  }

  void run(const std::function<void(const EmulatedCta&)>& body) {
    fibers_.run([&](std::size_t thread) { body(EmulatedCta(*this, static_cast<std::uint32_t>(thread))); });
  }

  [[nodiscard]] const EmulatedLaunch& launch() const { return launch_; }
  [[nodiscard]] Fibers& fibers() { return fibers_; }

  [[nodiscard]] std::byte* at(std::uint32_t address, std::uint32_t bytes) {
    require(address >= kBase && address - kBase + bytes <= launch_.shared_bytes, "shared memory out of bounds");
    require(address % bytes == 0, "misaligned access to shared memory");
    return reinterpret_cast<std::byte*>(shared_.data()) + (address - kBase);
  }
  [[nodiscard]] std::byte* window(std::uint32_t offset) {
    require(offset <= launch_.shared_bytes, "shared memory out of bounds");
    return reinterpret_cast<std::byte*>(shared_.data()) + offset;
  }

  void together(Meeting& meeting, std::size_t members, std::size_t index, const char* instruction, void* operand,
                const std::function<void(std::span<void* const>)>& action) {
    require(meeting.arrived == 0 || meeting.instruction == instruction, "lanes disagree on the instruction");
    meeting.instruction = instruction;
    meeting.slots.resize(members);
    meeting.slots[index] = operand;
    if (++meeting.arrived == members) {
      meeting.arrived = 0;
      ++meeting.generation;
      action(meeting.slots);
      return;
    }
    fibers_.wait_until([&, mine = meeting.generation] { return meeting.generation != mine; });
  }
  void in_warp(std::uint32_t thread, const char* instruction, void* operand,
               const std::function<void(std::span<void* const>)>& action) {
    together(warps_[thread / kLanes], kLanes, thread % kLanes, instruction, operand, action);
  }
  void in_warpgroup(std::uint32_t thread, const char* instruction, void* operand,
                    const std::function<void(std::span<void* const>)>& action) {
    together(warpgroups_[thread / kWarpgroup], kWarpgroup, thread % kWarpgroup, instruction, operand, action);
  }
  void at_barrier(std::uint32_t barrier, std::uint32_t threads) {
    Meeting& meeting = named_.at(barrier);
    together(meeting, threads, meeting.arrived, "bar.sync", nullptr, [](auto) {});
  }

  void copy(std::uint32_t to, const void* from) { std::memcpy(at(to, 16), from, 16); }
  [[nodiscard]] Groups<Copy>& copies(std::uint32_t thread) { return copies_[thread]; }
  [[nodiscard]] Groups<Wgmma>& wgmmas(std::uint32_t thread) { return wgmmas_[thread / kWarpgroup]; }
  [[nodiscard]] Barrier& barrier(std::uint32_t address) {
    const auto found = barriers_.find(address);
    require(found != barriers_.end(), "an mbarrier is used that nobody initialised");
    return found->second;
  }
  void init(std::uint32_t address, std::uint32_t arrivals) {
    (void)at(address, 8);
    barriers_[address] = {arrivals, arrivals, 0, 0};
  }
  void start(const TensorCopy& copy) {
    if (launch_.late) {
      tensor_copies_.push_back(copy);
    } else {
      deliver(copy);
    }
  }
  void multiply(const Wgmma& wgmma);

 private:
  struct alignas(16) Line {
    std::byte bytes[16];
  };

  void deliver(const TensorCopy& copy);
  bool deliver_one() {
    if (tensor_copies_.empty()) {
      return false;
    }
    deliver(tensor_copies_.front());
    tensor_copies_.pop_front();
    return true;
  }
  [[nodiscard]] std::vector<float> described(std::uint64_t descriptor, std::uint32_t rows);

  EmulatedLaunch launch_;
  Fibers fibers_;
  std::vector<Line> shared_;
  std::vector<Meeting> warps_, named_, warpgroups_;
  std::vector<Groups<Copy>> copies_;
  std::vector<Groups<Wgmma>> wgmmas_;
  std::map<std::uint32_t, Barrier> barriers_;
  std::deque<TensorCopy> tensor_copies_;
};

}  // namespace gpusim::silicon
