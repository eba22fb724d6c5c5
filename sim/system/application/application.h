// SPDX-License-Identifier: MIT
// An application: CPU threads that call CUDA, and what they launch. Plain values; loader.h reads them from YAML, and
// sim/system/run says how long they take. docs/applications.md describes the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/arch/words.h"
#include "sim/system/application/operation.h"
#include "sim/system/collective/collective.h"

namespace gpusim::application {

/// An index into one of the lists of an Application.
using Index = std::uint32_t;

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// The kernels of a trace, by name or path, are simulated.
struct Simulated {
  std::string trace;
  Parameters params;
  bool is_cold = false;  ///< L2 has nothing that it reads: other kernels drove it out, as weights of other layers do
};
/// What the kernel has to calculate and to move, at the GPU's peaks.
struct Roofline {
  double flops = 0;
  double bytes = 0;       ///< to and from DRAM
  std::string peak;       ///< "bf16_tensor", "fp32": a peak of the architecture
  double reach = 1;       ///< share of both peaks that it reaches
  double sm_cycles = 0;   ///< that its CTAs take in all, shared by the SMs, if that is longer
  double besides_ns = 0;  ///< that it takes besides, however little it does
};
/// As a profiler wrote it.
struct Recorded {
  double ns = 0;
  std::string of{};                 ///< the architecture, by name, on which it took that long; empty: not known
  std::optional<Operation> does{};  ///< the operation that it is, where that is known
};

struct Kernel {
  std::string name;
  std::string label{};  ///< what tables call it, together with others of that label; empty: its name
  std::variant<Simulated, Roofline, Recorded> how;
  std::uint64_t ctas = 0;         ///< 0: of a simulated kernel those of the trace, else as many as fill the GPU
  std::uint32_t ctas_per_sm = 1;  ///< at once; of a simulated kernel as its resources allow
  double flops = 0;               ///< that count for MFU; 0: those of the roofline, else none
  Place place;
};

struct Stream {
  std::string name;
  bool waits_for_default = true;  ///< as cudaStreamCreate makes them; PyTorch's do not
};

/// What threads hand to each other, as the batches of a data loader.
struct Queue {
  std::string name;
  std::uint32_t depth = 1;  ///< a thread that puts more waits
};

enum class HostMemory : std::uint8_t { kPinned, kPageable };
enum class Way : std::uint8_t { kToDevice, kToHost, kOnDevice, kToPeer, kFromPeer };

struct Call;
using Calls = std::vector<Call>;

/// The CPU works on its own: an operator of a framework, a batch that is decoded.
struct Work {
  double ns = 0;
  std::string name;
};
struct Launch {
  Index kernel = 0;
  Index stream = 0;
};
struct Copy {
  Way way = Way::kToDevice;
  std::uint64_t bytes = 0;
  HostMemory memory = HostMemory::kPinned;
  std::string peer;  ///< the other GPU of kToPeer and kFromPeer
  Index stream = 0;
  bool wait = false;  ///< the thread goes on when the copy has ended
};
struct Fill {
  std::uint64_t bytes = 0;
  Index stream = 0;
};
struct Record {
  Index event = 0;
  Index stream = 0;
};
/// The stream goes on when the event has happened.
struct WaitForEvent {
  Index event = 0;
  Index stream = 0;
};
enum class SyncOf : std::uint8_t { kDevice, kStream, kEvent };
struct Synchronize {
  SyncOf of = SyncOf::kDevice;
  Index which = 0;
};
/// Ranks are threads of GPUs that have collectives, in their order. `ranks` of them, `stride` apart, are a group,
/// counted from the `first` rank on. A group has a communicator for each stream.
struct RunCollective {
  collective::Collective of = collective::Collective::kAllReduce;
  std::uint64_t bytes = 0;
  Index stream = 0;
  std::uint32_t ranks = 0;   ///< ranks of a group; 0: all
  std::uint32_t stride = 1;  ///< from a rank of a group to the next: 1 for 0, 1 and 2, 3; 2 for 0, 2 and 1, 3
  std::uint32_t first = 0;
  collective::Library library = collective::Library::kNccl;
};
struct LaunchGraph {
  Index graph = 0;
  Index stream = 0;
};
struct Put {
  Index queue = 0;
};
struct Take {
  Index queue = 0;
};
/// A tensor of PyTorch's: its bytes come from the caching allocator.
struct Allocate {
  Index buffer = 0;
  std::uint64_t bytes = 0;
  Index category = 0;
  bool more = false;  ///< beside tensors that the buffer may have; the last one is freed first
  Index stream = 0;   ///< whose cache it comes from and goes to
};
struct Free {
  Index buffer = 0;
};
/// torch.cuda.empty_cache()
struct EmptyCache {};
struct Repeat {
  std::uint64_t times = 1;
  Calls body;
};
/// As nvtxRangePush and nvtxRangePop name a part.
struct Range {
  std::string name;
  Calls body;
};

struct Call {
  std::variant<Work, Launch, Copy, Fill, Record, WaitForEvent, Synchronize, RunCollective, LaunchGraph, Put, Take,
               Repeat, Range, Allocate, Free, EmptyCache>
      is;
  Place place;
};

struct Graph {
  std::string name;
  Calls calls;  ///< launches, copies without waiting, fills, collectives, records, waits for events, repeats of them
  Place place;
  std::optional<double> gap_ns{};  ///< from a node's end to the begin of the next; none: as the system says
};

struct Thread {
  std::string name;
  std::string gpu;          ///< whose streams it uses; empty: the first
  Index body = 0;           ///< an index into Application::bodies
  bool background = false;  ///< begins again until the other threads have ended
  Place place;
  std::optional<Index> setup = {};  ///< what it does once, before its rounds: an index into Application::bodies
};

struct Application {
  std::string name;
  std::string description;
  std::string path;
  std::string system;         ///< by name; may be empty
  std::string fit;            ///< arguments of gpusim fit for the same step, without the GPU; may be empty
  std::uint32_t warm_up = 0;  ///< rounds of all threads that do not count
  std::uint32_t repeats = 1;  ///< rounds that do
  std::vector<Kernel> kernels;
  std::vector<Stream> streams;          ///< the first is CUDA's default stream
  std::vector<std::string> events;      ///< each GPU has its own
  std::vector<std::string> buffers;     ///< each GPU has its own
  std::vector<std::string> categories;  ///< names of buffers: "weights"; the first is that of those without one
  std::vector<Queue> queues;
  std::vector<Graph> graphs;
  std::vector<Calls> bodies;
  std::vector<Thread> threads;
};

/// What tables call a kernel.
[[nodiscard]] inline const std::string& label_of(const Kernel& kernel) {
  return kernel.label.empty() ? kernel.name : kernel.label;
}

inline constexpr std::string_view kDefaultStream = "default";

}  // namespace gpusim::application

namespace gpusim::arch {

template <>
inline constexpr auto kWords<application::HostMemory> = std::to_array<Word<application::HostMemory>>(
    {{"pinned", application::HostMemory::kPinned}, {"pageable", application::HostMemory::kPageable}});

}  // namespace gpusim::arch
