// SPDX-License-Identifier: MIT
// A port of the network on chip that counts what passed it and how long that waited. Counting costs an addition when a
// message passes, nothing between.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "sim/base/rate_server.h"
#include "sim/base/ratio.h"
#include "sim/base/types.h"

namespace gpusim {

/// A server of so many bytes a cycle. Nothing may pass one of no width: it stands where there is no port.
class BytePort {
 public:
  BytePort() = default;
  explicit BytePort(std::uint32_t bytes_per_cycle) : server_(Ratio::of(1, std::max(bytes_per_cycle, 1U))) {}

  [[nodiscard]] Cycle free_at(Cycle now) const { return server_.free_at(now); }
  [[nodiscard]] bool is_free(Cycle now) const { return server_.is_free(now); }
  /// Takes the port from `start` >= free_at(start).
  void take(Cycle start, std::uint32_t bytes) {
    server_.take(start, bytes);
    bytes_ += bytes;
  }
  /// Takes it as soon as it is free, for what comes at `now`; returns when that is.
  Cycle pass(Cycle now, std::uint32_t bytes) {
    const Cycle start = free_at(now);
    wait_cycles_ += start - now;
    take(start, bytes);
    return start;
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Cycles before `end` that its bytes take, rounded up. All of them have been passed by then, but the port may be
  /// taken beyond.
  [[nodiscard]] std::uint64_t busy_cycles(Cycle end) const {
    const std::uint64_t cycles = server_.cycles_of(bytes_);
    assert(cycles <= server_.free_at(0) + 1);  // it has had the time
    return cycles - std::min(cycles, server_.free_at(end) - end);
  }
  /// Cycles that transfers waited for the port before pass() let them through.
  [[nodiscard]] std::uint64_t wait_cycles() const { return wait_cycles_; }

 private:
  RateServer server_;
  std::uint64_t bytes_ = 0;
  std::uint64_t wait_cycles_ = 0;
};

}  // namespace gpusim
