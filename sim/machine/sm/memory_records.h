// SPDX-License-Identifier: MIT
// What the memory unit keeps of operations that are under way.
#pragma once

#include <cstdint>

#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/sm/access.h"
#include "sim/machine/sm/async_groups.h"

namespace gpusim::sm {

/// Reply tokens from here on name a Pending (atomics), below it an MSHR.
inline constexpr std::uint32_t kPendingToken = 0x80000000U;
/// And from here up to there a command of the TMA.
inline constexpr std::uint32_t kTmaToken = 0x40000000U;
/// Write tokens are a warp and its tenant, so that they lie below kTmaToken.
inline constexpr std::uint32_t kMostTenant = (kTmaToken >> 16U) - 1;
/// No warp waits for a line that had to leave L1.
inline constexpr std::uint32_t kWriteBackToken = kTmaToken - 1;

/// Whom a memory unit works for: `l1_bytes` of L1, for at most `ctas` CTAs of the kernel at a time.
struct Tenancy {
  const trace::Kernel* kernel = nullptr;
  std::uint32_t ctas = 0;
  std::uint64_t l1_bytes = 0;
};

struct SubCoreQueue {
  Ring<std::uint32_t> accesses;  ///< by index, lsu.queue_entries at most
  Cycle address_free = 0;        ///< when address calculation can take the next one
};

/// What becomes in L1 of a line that comes: nothing, or Eviction says how soon it leaves.
enum class Keep : std::uint8_t { kNot, kFirst, kNormal, kLast };

/// A warp instruction that waits for data from L2.
struct Pending {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  Completion completion;
  bool to_shared = false;  ///< LDGSTS: ends in its group
  bool atomic = false;
  bool all_asked = false;           ///< every line has been looked up
  std::uint32_t extra_latency = 0;  ///< cycles beyond the first register's, of LDGSTS to shared memory
  std::uint32_t group = 0;          ///< of LDGSTS
  std::uint32_t bank_cycles = 0;    ///< of LDGSTS's write to shared memory
  std::uint32_t lines = 0;          ///< still to come
  std::uint32_t next_free = kNone;
};

/// Who waits for an MSHR's line.
struct Waiter {
  std::uint32_t pending = 0;
};

struct WarpMemory {
  AsyncGroups async;
  AsyncGroups bulk_reads;            ///< of shared memory, by bulk stores; grouped by UTMACMDFLUSH
  AsyncGroups bulk_writes;           ///< to global memory, by the same
  std::uint16_t tenant = 0;          ///< counts the slot's warps, to know whose write is acknowledged
  std::uint32_t remote_lines = 0;    ///< accesses to other CTAs' shared memory, not yet answered
  std::uint32_t unacknowledged = 0;  ///< lines written, not yet acknowledged by L2
  bool fence_waits = false;
  Cycle fence_earliest = 0;
};

/// An access under way to another CTA's shared memory.
struct RemotePending {
  Completion completion;
  RemoteTarget target;
  std::uint32_t lines = 0;  ///< still to come
  std::uint32_t extra_latency = 0;
  std::uint32_t write_token = 0;
  bool waits = false;     ///< the operation ends with the last answer
  bool is_async = false;  ///< a store that signals an mbarrier: neither fences nor barriers wait for it
};

}  // namespace gpusim::sm
