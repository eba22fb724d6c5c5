// SPDX-License-Identifier: MIT
// What a run that checks its kernel is told while warps execute: where they access shared memory, and how they wait for
// one another. Runs that check nothing have none.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/exec/memory/fault.h"

namespace gpusim::exec {

class Cta;
class Cluster;
class Warp;
struct Executed;

class Watch {
 public:
  virtual ~Watch() = default;

  /// The warp's next instruction is about to take effect, for the lanes that `executed` says.
  virtual void begins(Warp& warp, const Executed& executed) = 0;
  /// It has taken effect.
  virtual void done(Warp& warp) = 0;
  /// A lane's access is not possible. Returns whether the other lanes go on as if it had not been asked for; otherwise
  /// the fault ends the run.
  virtual bool faulted(Warp& warp, const AccessFault& fault) = 0;
  /// A lane of the warp that executes accesses shared memory of a CTA of its cluster, which is possible.
  virtual void accesses(Cta& owner, unsigned lane, Address offset, unsigned bytes, AccessKind kind) = 0;

  /// The warp comes to a named barrier of its CTA.
  virtual void arrives(Warp& warp, std::uint8_t barrier) = 0;
  /// A named barrier opens: those go on that wait for it.
  virtual void opens(Cta& cta, std::uint8_t barrier) = 0;
  /// The warp comes to the barrier of its cluster.
  virtual void arrives_at_cluster(Warp& warp) = 0;
  virtual void opens(Cluster& cluster) = 0;
};

}  // namespace gpusim::exec
