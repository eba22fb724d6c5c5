// SPDX-License-Identifier: MIT
// What a CTA has to do with the others of its cluster: the barrier they share, accesses to each other's shared memory,
// and its coming and going, which the GPC's router is told. Owns the barriers as the CTAs of this SM see them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/msg/message.h"
#include "sim/machine/sm/cluster_barrier.h"

namespace gpusim::arch {
struct NocConfig;
}
namespace gpusim::lower {
struct KernelImage;
}
namespace gpusim::trace {
struct ClusterPlace;
}

namespace gpusim::sm {

class CtaTable;
class MemoryUnit;
class Outbox;
class SubCores;
class WarpTable;
struct DsmemTarget;
struct Warp;

class Clusters {
 public:
  /// `router`: that of the SM's GPC.
  Clusters(const arch::NocConfig& noc, const lower::KernelImage& image, std::uint16_t sm, msg::DomainId router,
           const CtaTable& ctas, WarpTable& warps, SubCores& cores, MemoryUnit& memory, Outbox& outbox);

  /// A CTA of so many warps lives in the slot.
  void begin_cta(std::uint32_t cta_slot, std::uint32_t warps) { barriers_[cta_slot] = ClusterBarrier(warps); }

  /// The warp has issued UCGABAR_ARV or UCGABAR_WAIT (instruction `pc`). Both throw InputError when they do not take
  /// turns.
  void arrive(const Warp& warp, std::uint32_t pc, Cycle now);
  void wait(Warp& warp, std::uint32_t pc);
  void exit(const Warp& warp, Cycle now);
  /// The CTA has drained before `end`.
  void leave(std::uint32_t cta_slot, Cycle end);

  /// The CTA whose shared memory the warp's next instruction accesses.
  [[nodiscard]] DsmemTarget target_of(Warp& warp) const;
  /// A message of a cluster. Throws InputError when the kernel accesses a CTA that is not there.
  void handle(const msg::Message& message, Cycle now);

  [[nodiscard]] trace::ClusterPlace place_of(std::uint32_t cta_slot) const;
  [[nodiscard]] bool is_waiting(const Warp& warp) const;
  [[nodiscard]] bool has_arrived(const Warp& warp) const;

 private:
  [[nodiscard]] std::optional<std::uint32_t> slot_of(const trace::ClusterPlace& place) const;
  void tell_router(msg::Kind kind, std::uint32_t cta_slot, Cycle at);
  void tell_arrival(std::uint32_t cta_slot, Cycle now);
  void settle_arrival(const Warp& warp, Cycle now);
  void release(const msg::Message& message, Cycle now);
  void finish_dsmem(const msg::Message& message, Cycle now);
  void serve_dsmem(const msg::Message& message, Cycle now);
  void take_multicast_line(const msg::Message& message, Cycle now);
  [[noreturn]] void fail_absent(const msg::DsmemAnswer& answer) const;
  [[noreturn]] void fail_refused(const msg::MbarrierRefusal& refusal) const;
  [[noreturn]] void fail_absent(std::uint32_t pc, const std::string& asker, const trace::ClusterPlace& absent) const;
  [[noreturn]] void fail_at(const Warp& warp, std::uint32_t pc, const std::string& what, const std::string& hint) const;

  const arch::NocConfig& noc_;
  const lower::KernelImage& image_;
  std::uint16_t sm_;
  msg::DomainId router_;
  const CtaTable& ctas_;
  WarpTable& warps_;
  SubCores& cores_;
  MemoryUnit& memory_;
  Outbox& outbox_;
  std::vector<ClusterBarrier> barriers_;  ///< by CTA slot
};

}  // namespace gpusim::sm
