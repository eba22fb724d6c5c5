// SPDX-License-Identifier: MIT
// A system of several GPUs: hosts, GPUs, switches and the links between them. Plain values; loader.h reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/arch/words.h"
#include "sim/system/config/given_value.h"

namespace gpusim::system {

/// Whether kernels and copy engines of one GPU reach the memory of another, and over which links: each includes those
/// before it. kPcie: within a socket. kSocket: also between sockets.
enum class PeerAccess : std::uint8_t { kNone, kNvlink, kPcie, kSocket };
enum class SwitchKind : std::uint8_t { kPcie, kNvswitch };
/// In network: the switch adds what GPUs send, so that each sends and receives once (NVLink SHARP).
enum class Reduction : std::uint8_t { kNone, kInNetwork };
/// kChip: between a CPU and a GPU of one module. kSocket: between two CPUs.
enum class LinkKind : std::uint8_t { kPcie, kNvlink, kChip, kSocket };

/// A CPU socket, with the memory on it.
struct Host {
  std::uint32_t threads = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t memory_bytes_per_second = 0;
  friend bool operator==(const Host&, const Host&) = default;
};

struct Gpu {
  std::string arch;                ///< an architecture by name
  std::string compute_capability;  ///< "9.0", which that architecture has
  std::uint64_t memory_bytes = 0;  ///< as it has as well
  std::uint32_t copy_engines = 0;  ///< that copy between the GPU and what its links lead to
  PeerAccess peer = PeerAccess::kNone;
  friend bool operator==(const Gpu&, const Gpu&) = default;
};

struct Switch {
  SwitchKind kind = SwitchKind::kPcie;
  Reduction reduction = Reduction::kNone;
  friend bool operator==(const Switch&, const Switch&) = default;
};

/// An index into System::nodes.
using NodeId = std::uint32_t;

struct Node {
  std::string name;
  std::variant<Host, Gpu, Switch> is;
  Place place;  ///< in the file, for messages
  friend bool operator==(const Node&, const Node&) = default;
};

/// What links of one sort have in common. Bandwidths are of one direction, in bytes a second.
struct LinkType {
  std::string name;
  LinkKind kind = LinkKind::kPcie;
  std::uint64_t bytes_per_second = 0;            ///< after line encoding
  std::uint64_t usable_bytes_per_second = 0;     ///< what a large copy reaches
  std::uint64_t both_ways_bytes_per_second = 0;  ///< both directions together, at most; 0: each is alone
  std::uint64_t latency_ns = 0;
  friend bool operator==(const LinkType&, const LinkType&) = default;
};

struct Link {
  NodeId from = 0;
  NodeId to = 0;
  std::uint32_t type = 0;   ///< an index into System::link_types
  std::uint32_t count = 1;  ///< links side by side, used as one
  friend bool operator==(const Link&, const Link&) = default;
};

/// What collectives of NCCL were measured to reach here; 0 where the file says nothing. Bytes a second, as bus
/// bandwidth (busbw of nccl-tests).
struct CollectiveRates {
  std::uint64_t ring = 0;       ///< rings in which each GPU sends and receives at once
  std::uint64_t chain = 0;      ///< broadcast and reduce, where data goes one way
  std::uint64_t pairs = 0;      ///< all-to-all and send/receive
  std::uint64_t nvls = 0;       ///< all-reduce in the switches
  std::uint64_t base_ns = 0;    ///< latency that does not depend on how many GPUs there are
  std::uint64_t middle_ns = 0;  ///< what a collective of 1 MB takes beyond latency and bytes over rate
  friend bool operator==(const CollectiveRates&, const CollectiveRates&) = default;
};

/// What calls of CUDA cost. Where a file says nothing: as measured with CUDA 13 on a virtual machine with an H100
/// (tests/validation/silicon/h100), by micro/launch and micro/host/calls.
struct CallCosts {
  std::uint64_t launch_ns = 4'100;          ///< time of the CPU, for a kernel's launch
  std::uint64_t submit_ns = 3'100;          ///< from the return of a launch to the begin of its kernel on an idle GPU
  std::uint64_t synchronize_ns = 3'000;     ///< from the end of the last work to the return of the call that waits
  std::uint64_t idle_ns = 450;              ///< to synchronize with what has ended
  std::uint64_t record_ns = 1'400;          ///< time of the CPU, to record an event
  std::uint64_t event_ns = 1'000;           ///< time of the GPU, for a recorded event
  std::uint64_t wait_ns = 290;              ///< time of the CPU, to let a stream wait for an event
  std::uint64_t copy_ns = 1'900;            ///< time of the CPU, for a copy
  std::uint64_t copy_begin_ns = 1'800;      ///< from the return of a copy's call to its first byte
  std::uint64_t fill_ns = 1'310;            ///< time of the CPU, for a fill
  std::uint64_t malloc_ns = 50'000;         ///< time of the CPU, for a segment from the driver (cudaMalloc, cudaFree)
  std::uint64_t graph_ns = 2'900;           ///< time of the CPU, to launch a graph
  std::uint64_t graph_gap_ns = 300;         ///< time of the GPU, from a node's end to the begin of the next
  std::uint64_t graph_node_ns = 1;          ///< time of the CPU, for each of its nodes
  std::uint64_t pageable = 11'000'000'000;  ///< bytes a second that a thread copies between pageable and pinned memory
  std::uint64_t staged_bytes = 64 * 1024;   ///< a copy to the device of no more returns when it is staged
  std::uint64_t queue_depth = 1'024;        ///< launches that wait in a stream before a call blocks
  friend bool operator==(const CallCosts&, const CallCosts&) = default;
};

struct System {
  std::string name;
  std::string description;
  std::string path;
  std::vector<Node> nodes;  ///< hosts, then GPUs, then switches, each in the order of the file
  std::vector<LinkType> link_types;
  std::vector<Link> links;
  CollectiveRates collectives;
  CallCosts calls;
  std::vector<GivenValue> values;
  std::vector<std::string> gpu_set;  ///< KEY=VALUE: what was changed of the architectures of its GPUs
  friend bool operator==(const System&, const System&) = default;
};

/// The nodes of one sort, in order: nodes_of<Gpu>(system).
template <class T>
[[nodiscard]] std::vector<NodeId> nodes_of(const System& system) {
  std::vector<NodeId> found;
  for (NodeId id = 0; id < system.nodes.size(); ++id) {
    if (std::holds_alternative<T>(system.nodes[id].is)) {
      found.push_back(id);
    }
  }
  return found;
}

}  // namespace gpusim::system

namespace gpusim::arch {

template <>
inline constexpr auto kWords<system::PeerAccess> =
    std::to_array<Word<system::PeerAccess>>({{"none", system::PeerAccess::kNone},
                                             {"nvlink", system::PeerAccess::kNvlink},
                                             {"pcie", system::PeerAccess::kPcie},
                                             {"socket", system::PeerAccess::kSocket}});
template <>
inline constexpr auto kWords<system::SwitchKind> = std::to_array<Word<system::SwitchKind>>(
    {{"pcie", system::SwitchKind::kPcie}, {"nvswitch", system::SwitchKind::kNvswitch}});
template <>
inline constexpr auto kWords<system::Reduction> = std::to_array<Word<system::Reduction>>(
    {{"none", system::Reduction::kNone}, {"in_network", system::Reduction::kInNetwork}});
template <>
inline constexpr auto kWords<system::LinkKind> =
    std::to_array<Word<system::LinkKind>>({{"pcie", system::LinkKind::kPcie},
                                           {"nvlink", system::LinkKind::kNvlink},
                                           {"chip", system::LinkKind::kChip},
                                           {"socket", system::LinkKind::kSocket}});

}  // namespace gpusim::arch
