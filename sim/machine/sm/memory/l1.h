// SPDX-License-Identifier: MIT
// The L1 data cache with its way to L2 and back: lookups in sectored tags, misses into MSHRs, writes through, atomics
// that pass by, fills. An access is worked off line by line; when it needs an MSHR or room in the port that is not
// there, it stays at the head of the load/store unit and goes on where it stopped. Owns the tags, the MSHRs, the loads
// that wait for data, and how far the access at the head has got.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/slot_pool.h"
#include "sim/machine/mem/cache/mshr.h"
#include "sim/machine/mem/cache/tag_array.h"
#include "sim/machine/msg/message.h"
#include "sim/machine/sm/event/completion.h"
#include "sim/machine/sm/memory/access.h"
#include "sim/machine/sm/memory/copy_groups.h"
#include "sim/machine/sm/memory/data_stage.h"
#include "sim/machine/sm/memory/local_memory.h"
#include "sim/machine/sm/memory/lsu_timing.h"
#include "sim/machine/sm/memory/place.h"
#include "sim/machine/sm/memory/request_port.h"
#include "sim/machine/sm/memory/shared_memory.h"
#include "sim/machine/sm/memory/write_tracker.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

/// What an L1 works with but does not own.
struct L1Wiring {
  const LsuTiming& timing;
  DataStage& stage;
  SharedMemory& shared;
  RequestPort& port;
  WriteTracker& writes;
  CopyGroups& copies;  ///< LDGSTS groups
  SmEvents& events;
};

class L1 {
 public:
  /// `bytes` of L1, for the SM at `place`.
  L1(const arch::SmConfig& sm, const SmPlace& place, std::uint64_t bytes, const trace::LocalMemory& local,
     const L1Wiring& wiring);

  /// An access to global or local memory in the load/store unit.
  [[nodiscard]] Executed execute(const Access& access, Cycle now);
  /// The access that could not go on would fare no better now: nobody but itself can ask for what it lacks.
  [[nodiscard]] bool still_lacks_place() const {
    return (lack_.places != 0 && !wiring_.port.has_room(lack_.places)) || (lack_.mshr && !mshrs_.can_allocate());
  }

  /// kReadReply whose token is not of the TMA. Returns whether a dirty line had to leave: its data waits in the port.
  bool fill(const msg::Message& reply, Cycle now);
  /// The warp that waits for the reply; the oldest of those that do.
  [[nodiscard]] std::uint16_t warp_of(const msg::Message& reply) const;

  [[nodiscard]] LocalFrames& frames() { return local_.frames(); }
  /// No load or atomic is under way.
  [[nodiscard]] bool idle() const { return mshrs_.size() == 0 && atomics_in_flight_ == 0; }

  [[nodiscard]] const stats::L1Counters& counters() const { return counters_; }
  [[nodiscard]] stats::LocalCounters local_counters() const { return local_.counters(); }

  /// For the host's speed alone: what replies will touch.
  void prefetch(std::span<const msg::Message> replies) const;
  void prefetch_loads(std::span<const msg::Message> replies) const;

 private:
  /// What becomes in L1 of a line that comes: nothing, or Eviction says how soon it leaves.
  enum class FillPolicy : std::uint8_t { kNotKept, kFirst, kNormal, kLast };

  /// A warp instruction that waits for data from L2.
  struct OutstandingLoad {
    Completion completion;
    bool to_shared = false;           ///< LDGSTS: ends in its group
    bool all_asked = false;           ///< every line has been looked up
    std::uint32_t extra_latency = 0;  ///< cycles beyond the first register's, of LDGSTS to shared memory
    std::uint32_t group = 0;          ///< for LDGSTS: its group
    std::uint32_t bank_cycles = 0;    ///< cycles of LDGSTS's write to shared memory
    std::uint32_t lines = 0;          ///< still to come
  };
  /// What an access waits for that could not go on, as far as is known.
  struct Lack {
    std::uint32_t places = 0;  ///< in the port
    bool mshr = false;         ///< its next line is neither there nor on its way, nor will anybody else ask for it
  };
  /// A load that waits for an MSHR's line.
  struct MshrTarget {
    std::uint32_t load = 0;
  };
  using Mshrs = mem::cache::MshrTable<MshrTarget>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  [[nodiscard]] static FillPolicy fill_policy(const lower::WarpOp& op);

  // On the way out
  bool execute_load(const Access& access, const Lack& before, Cycle now);
  bool load_line(const Access& access, const LineAccess& line, bool is_known_to_lack);
  bool miss(const Access& access, const LineAccess& line, std::uint8_t misses, Mshrs::Entry mshr);
  void count_read_request(mem::cache::LineNumber line);
  void finish_load(const Access& access, Cycle now);
  bool execute_write(const Access& access, Cycle now);
  bool execute_local_store(const Access& access, Cycle now);
  bool execute_atomic(const Access& access, Cycle now);
  void request(msg::Kind kind, const lower::WarpOp& op, const LineAccess& line, ReplyToken token, bool last);
  void count_request(const Access& access);

  // On the way back
  void begin_load(const Access& access);
  std::uint32_t current_load(const Access& access) {
    if (current_load_ == kNone) {
      begin_load(access);
    }
    return current_load_;
  }
  void line_arrived(std::uint32_t load, Cycle now);
  void complete_load(std::uint32_t load, Cycle now);
  void write_back(const mem::cache::LineState& left);

  L1Wiring wiring_;
  std::uint32_t hit_latency_;
  std::uint32_t most_atomics_;                               ///< lines
  std::uint32_t lines_done_ = 0;                             ///< lines done of the access at the head of the unit
  std::uint32_t current_load_ = kNone;                       ///< its record; kNone: all its lines hit so far
  mem::cache::LineNumber last_asked_ = mem::cache::kNoLine;  ///< the last line it asked L2 for
  Lack lack_;                                                ///< what that access lacked, when it could not go on
  std::uint32_t atomics_in_flight_ = 0;                      ///< lines
  mem::cache::TagArray tags_;
  LocalMemory local_;
  Mshrs mshrs_;
  std::vector<FillPolicy> fill_policies_;  ///< by MSHR: of its requests, the one that keeps the line longest
  SlotPool<OutstandingLoad> loads_;
  stats::L1Counters counters_;
};

}  // namespace gpusim::sm
