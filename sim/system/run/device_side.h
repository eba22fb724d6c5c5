// SPDX-License-Identifier: MIT
// The GPUs: what threads gave to streams begins, shares SMs, links and memory, and ends.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "sim/system/memory/offer.h"
#include "sim/system/run/binding.h"
#include "sim/system/run/device.h"
#include "sim/system/run/link_use.h"
#include "sim/system/run/ops.h"
#include "sim/system/run/ranks.h"
#include "sim/system/run/transfers.h"

namespace gpusim::run {

class Calendar;
class Recorder;

/// A GPU in use, as its architecture says.
struct GpuFacts {
  double sms = 0;
  double gap_ns = 0;           ///< from a kernel's end to the begin of the next of its stream
  double dram = 0;             ///< peak, bytes a nanosecond
  std::uint32_t cost_row = 0;  ///< which row of the costs it has
  memory::Offer offer{};       ///< its memory
};

/// By row, then by kernel of the application. GPUs of one architecture have the same row.
using Costs = std::vector<std::vector<KernelCost>>;

class DeviceSide {
 public:
  /// All outlive it.
  DeviceSide(const Binding& binding, const std::vector<GpuFacts>& gpus, const Costs& costs, Calendar& calendar,
             Recorder& recorder);

  /// Who gives work, and when.
  struct Giver {
    Index thread = 0;
    Index activity = 0;  ///< that of the call
    double now = 0;
    bool is_warm_up = false;
  };
  /// Gives the work of one call to its stream. kNone for a wait for an event that nobody recorded.
  Index give(const Giver& giver, const application::Call& call);

  [[nodiscard]] Ops& ops() { return ops_; }
  [[nodiscard]] const Ranks& ranks() const { return ranks_; }

  /// When something changes of itself.
  [[nodiscard]] double next_change() const;
  void advance(double now);
  /// An op may begin, a mark ends, the ranks of a collective are done.
  void begin(Index op, double now);
  void end(Index op, double now);
  void agree(Index meeting, double now);

  /// Threads that waited for what has ended, since they were asked for, each with what ended last.
  struct Woken {
    Index thread = 0;
    Index op = 0;
  };
  [[nodiscard]] std::vector<Woken> take_woken();
  /// Streams in which an op ended, since they were asked for: stream of GPU.
  struct Freed {
    Index gpu = 0;
    Index stream = 0;
    Index activity = 0;  ///< what ended
  };
  [[nodiscard]] std::vector<Freed> take_freed();
  [[nodiscard]] const Usage& usage(Index gpu) const { return devices_[gpu].usage(); }
  [[nodiscard]] const LinkUse& links() const { return links_; }

 private:
  /// Where in a graph a call is: the last op of each stream there, and of each event.
  struct GraphWalk {
    Giver giver;
    Index entry = 0;
    double gap_ns = 0;  ///< from a node to the next
    std::map<Index, Index> last;
    std::map<Index, Index> events;
  };

  [[nodiscard]] Op make_op(const Giver& giver, const application::Call& call);
  [[nodiscard]] Activity make_activity(const Giver& giver, const Op& op);
  [[nodiscard]] Index group_of(const Giver& giver, const application::RunCollective& run, const Place& at);
  Index give_wait(const Giver& giver, const application::WaitForEvent& wait, Op op);
  Index give_graph(const Giver& giver, const application::LaunchGraph& launch, Op entry);
  void give_nodes(const application::Calls& calls, GraphWalk& walk);
  void give_node(const application::Call& call, GraphWalk& walk);
  /// Lets a collective's op meet those of the other ranks.
  void join_ranks(Index op, Index thread, const application::Call& call);
  Index start_when_ready(Index op);
  void ready(Index op);
  void begin_copy(Index id, double now);
  void begin_on_device(Index id, double now);
  void note_changes(double now);
  void note_begin(Index op, double now, const std::vector<Index>& left);
  [[nodiscard]] const KernelCost& cost_of(Index id);
  [[nodiscard]] const KernelCost& move_cost(Index gpu, double bytes);

  const Binding& binding_;
  const std::vector<GpuFacts>& gpus_;
  const Costs& costs_;
  Calendar& calendar_;
  Recorder& recorder_;
  Ops ops_;
  LinkUse links_;
  Ranks ranks_;
  /// Groups of collectives by thread, ranks, stride and first rank.
  std::map<std::tuple<Index, std::uint32_t, std::uint32_t, std::uint32_t>, Index> groups_;
  std::map<Index, Index> meeting_of_;                     ///< by op of a collective that has not ended
  std::map<std::pair<Index, double>, KernelCost> moves_;  ///< fills, and copies within a GPU: by GPU and bytes
  std::vector<Device> devices_;
  Transfers transfers_;
  std::vector<Index> kernel_names_;  ///< in the timeline, by kernel; kNone: not there yet
  std::vector<Woken> woken_;
  std::vector<Freed> freed_;
  std::vector<Index> left_;    ///< by GPU: the op that ended last on its SMs
  std::vector<Index> copied_;  ///< ditto, on its copy engines
};

}  // namespace gpusim::run
