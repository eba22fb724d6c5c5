// SPDX-License-Identifier: MIT
// What a slice asks its mirror slice, in the other half of L2. Owns the requests that the mirror has not answered.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/mem/l2/ports.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/l2_config.h"
#include "sim/model/stats/counters.h"

namespace gpusim::mem::l2 {

/// A request that the mirror slice answers.
struct FarOperation {
  msg::Message message;
  std::uint64_t line = 0;   ///< for a read: the line's number in the tags
  std::uint32_t entry = 0;  ///< for a read: its entry among the misses
  bool is_read = false;
};

class MirrorLink {
 public:
  /// `slice` counts in the GPU, and so does `mirror`.
  MirrorLink(const arch::L2Config& config, std::uint32_t slice, std::uint32_t mirror, PartitionPorts& ports)
      : config_(config),
        slice_(static_cast<std::uint16_t>(slice)),
        mirror_(static_cast<std::uint16_t>(mirror)),
        ports_(ports) {}

  /// l2.mshrs writes and atomics may be on their way.
  [[nodiscard]] bool takes_writes() const { return writes_ < config_.mshrs; }
  /// Reads the line's `sectors` for the miss `entry`.
  void read(const msg::Message& message, const Fetch& fetch, Cycle now);
  /// Sends a write or an atomic on as a message of `kind`.
  void write(const msg::Message& message, msg::Kind kind, Cycle now);
  /// Tells the mirror to drop its copy of a line. Nothing answers.
  void invalidate(Address line, Cycle now);

  /// The request that the message answers, which is over.
  [[nodiscard]] FarOperation take_answer(const msg::Message& answer);

  [[nodiscard]] std::size_t unanswered() const { return operations_.used(); }
  void add_to(stats::L2Counters& counters) const;
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  void ask(const FarOperation& operation, msg::Kind kind, Cycle now);

  const arch::L2Config& config_;
  std::uint16_t slice_;
  std::uint16_t mirror_;
  PartitionPorts& ports_;
  SlotPool<FarOperation> operations_;
  std::uint32_t writes_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t write_sectors_ = 0;
  std::uint64_t atomic_sectors_ = 0;
  std::uint64_t invalidations_ = 0;
};

}  // namespace gpusim::mem::l2
