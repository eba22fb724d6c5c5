// SPDX-License-Identifier: MIT
// An application on a system: which GPU each thread has, and how copies and collectives of it go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/application/application.h"
#include "sim/system/route/fabric.h"

namespace gpusim::collective {
class Model;
}  // namespace gpusim::collective

namespace gpusim::run {

class Binding {
 public:
  /// All three outlive it. Throws InputError for a GPU that the system does not have, with the place in the
  /// application.
  Binding(const application::Application& application, const system::System& system, const system::Fabric& fabric);

  [[nodiscard]] const application::Application& application() const { return application_; }
  [[nodiscard]] const system::System& system() const { return system_; }
  [[nodiscard]] const system::Fabric& fabric() const { return fabric_; }

  /// GPUs in use, in the order of the system.
  [[nodiscard]] const std::vector<system::NodeId>& gpus() const { return gpus_; }
  [[nodiscard]] const system::Gpu& gpu(std::uint32_t index) const;
  /// The GPU of a thread, counted among gpus().
  [[nodiscard]] std::uint32_t gpu_of(std::uint32_t thread) const { return gpu_of_thread_[thread]; }
  /// The first thread of each GPU that takes part in collectives; empty when none does.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return ranks_; }

  /// What a byte of the copy uses. Throws InputError, with the place of the call, when there is no way.
  [[nodiscard]] system::Uses way_of(const application::Copy& copy, std::uint32_t gpu, const Place& at) const;
  /// The ranks that take part in a collective with one of them, as positions in ranks(). Throws InputError, with the
  /// place of the call, where no whole group has the rank.
  [[nodiscard]] std::vector<std::uint32_t> group_of(const application::RunCollective& run, std::uint32_t thread,
                                                    const Place& at) const;
  /// How long collectives of these ranks take. Needs two.
  [[nodiscard]] collective::Model model_of(const std::vector<std::uint32_t>& group) const;

 private:
  [[nodiscard]] system::NodeId node_of(const std::string& name, const Place& at) const;
  void check_peers(const application::Calls& calls) const;
  void find_hosts();
  void find_ranks();

  const application::Application& application_;
  const system::System& system_;
  const system::Fabric& fabric_;
  std::vector<system::NodeId> gpus_;
  std::vector<system::NodeId> hosts_;  ///< by GPU: the nearest
  std::vector<std::uint32_t> gpu_of_thread_;
  std::vector<std::uint32_t> ranks_;
  std::vector<system::NodeId> rank_nodes_;  ///< GPUs of ranks_
};

}  // namespace gpusim::run
