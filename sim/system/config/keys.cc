// SPDX-License-Identifier: MIT
#include "sim/system/config/keys.h"

#include <array>
#include <type_traits>

#include "sim/base/units.h"

namespace gpusim::system {
namespace {

using arch::Unit;

constexpr std::uint64_t kSlowest = kMega;
constexpr std::uint64_t kFastest = kPeta;
constexpr std::uint64_t kLongestLatency = 10 * kMega;

template <class T>
KeyRow<T> optional_rate(const char* name, const char* meaning, void (*set)(T&, const arch::Value&)) {
  return number<T>(name, Unit::kBytesPerSecond, kSlowest, kFastest, meaning, set, false);
}

/// The row of a key whose member has a value also where a file has none.
template <auto member, class T>
KeyRow<T> with_default(KeyRow<T> row) {
  row.get = &Whole<member>::get;
  return row;
}

/// A time that files may leave out.
template <auto member>
KeyRow<CallCosts> call_time(const char* name, const char* meaning) {
  return with_default<member>(
      number<CallCosts>(name, Unit::kNanoseconds, 0, kLongestLatency, meaning, &Whole<member>::set, false));
}

}  // namespace

template <>
std::span<const KeyRow<Host>> keys_of<Host>() {
  static const std::array kRows{
      number<Host>("threads", Unit::kCount, 1, 4096, "threads that the CPU runs at once", &Whole<&Host::threads>::set),
      number<Host>("memory", Unit::kBytes, kGi, kKi * kTi, "memory on this socket", &Whole<&Host::memory_bytes>::set),
      number<Host>("memory_bandwidth", Unit::kBytesPerSecond, kSlowest, kFastest,
                   "what copies to and from this memory share", &Whole<&Host::memory_bytes_per_second>::set)};
  return kRows;
}

template <>
std::span<const KeyRow<Gpu>> keys_of<Gpu>() {
  static const std::array kRows{
      KeyRow<Gpu>{{"arch", Unit::kText, 0, 0, "a GPU that `gpusim arch list` shows", arch::PeakField{0}, {}},
                  [](Gpu& gpu, const arch::Value& value) { gpu.arch = value.word; }},
      number<Gpu>("copy_engines", Unit::kCount, 1, 64, "copies that run at once beside kernels",
                  &Whole<&Gpu::copy_engines>::set),
      Choice<&Gpu::peer>::row("peer",
                              "links over which the GPU reaches the memory of others: none, nvlink, pcie as well, or "
                              "also between sockets")};
  return kRows;
}

template <>
std::span<const KeyRow<Switch>> keys_of<Switch>() {
  static const std::array kRows{
      Choice<&Switch::kind>::row("kind", "what it switches"),
      Choice<&Switch::reduction>::row("reduction",
                                      "in_network: it adds what GPUs send (NVLink SHARP); without the key "
                                      "none",
                                      false)};
  return kRows;
}

template <>
std::span<const KeyRow<LinkType>> keys_of<LinkType>() {
  static const std::array kRows{
      Choice<&LinkType::kind>::row("kind", "chip: a CPU and a GPU of one module; socket: two CPUs"),
      number<LinkType>("bandwidth", Unit::kBytesPerSecond, kSlowest, kFastest, "each way, after line encoding",
                       &Whole<&LinkType::bytes_per_second>::set),
      number<LinkType>("usable", Unit::kBytesPerSecond, kSlowest, kFastest, "each way, what a large copy reaches",
                       &Whole<&LinkType::usable_bytes_per_second>::set),
      optional_rate<LinkType>("both_ways", "both directions together; without the key each has all of `usable`",
                              &Whole<&LinkType::both_ways_bytes_per_second>::set),
      number<LinkType>("latency", Unit::kNanoseconds, 1, kLongestLatency, "from one end to the other",
                       &Whole<&LinkType::latency_ns>::set)};
  return kRows;
}

template <>
std::span<const KeyRow<CollectiveRates>> keys_of<CollectiveRates>() {
  static const std::array kRows{
      optional_rate<CollectiveRates>("ring", "bus bandwidth of rings in which each GPU sends and receives at once",
                                     &Whole<&CollectiveRates::ring>::set),
      optional_rate<CollectiveRates>("chain", "bus bandwidth of broadcast and reduce",
                                     &Whole<&CollectiveRates::chain>::set),
      optional_rate<CollectiveRates>("pairs", "bus bandwidth of all-to-all and send/receive",
                                     &Whole<&CollectiveRates::pairs>::set),
      optional_rate<CollectiveRates>("nvls", "bus bandwidth of an all-reduce in the switches",
                                     &Whole<&CollectiveRates::nvls>::set),
      number<CollectiveRates>("base", Unit::kNanoseconds, 1, kGiga,
                              "latency that does not depend on the number of GPUs, one process per GPU",
                              &Whole<&CollectiveRates::base_ns>::set, false),
      number<CollectiveRates>("middle", Unit::kNanoseconds, 1, kGiga,
                              "what 1 MB takes beyond latency and bytes over rate; it grows with the root of the size",
                              &Whole<&CollectiveRates::middle_ns>::set, false)};
  return kRows;
}

template <>
std::span<const KeyRow<CallCosts>> keys_of<CallCosts>() {
  static const std::array kRows{
      call_time<&CallCosts::launch_ns>("launch", "CPU time of a kernel's launch"),
      call_time<&CallCosts::submit_ns>("submit", "from a launch's return to its kernel's begin on an idle GPU"),
      call_time<&CallCosts::synchronize_ns>("synchronize", "from the end of the last work to the return of the wait"),
      call_time<&CallCosts::idle_ns>("synchronize_idle", "a synchronization with what has ended already"),
      call_time<&CallCosts::record_ns>("record", "CPU time to record an event"),
      call_time<&CallCosts::event_ns>("event", "GPU time of a recorded event"),
      call_time<&CallCosts::wait_ns>("wait", "CPU time to let a stream wait for an event"),
      call_time<&CallCosts::copy_ns>("copy", "CPU time of a copy's call"),
      call_time<&CallCosts::copy_begin_ns>("copy_begin", "from its return to the first byte"),
      call_time<&CallCosts::fill_ns>("fill", "CPU time of a fill's call"),
      call_time<&CallCosts::malloc_ns>("malloc", "CPU time of a segment from the driver (cudaMalloc), or back to it"),
      call_time<&CallCosts::graph_ns>("graph", "CPU time to launch a graph"),
      call_time<&CallCosts::graph_gap_ns>("graph_gap", "GPU time between nodes of a graph that follow each other"),
      call_time<&CallCosts::graph_node_ns>("graph_node", "and for each of its nodes"),
      with_default<&CallCosts::pageable>(
          optional_rate<CallCosts>("pageable", "rate at which a thread copies between pageable and pinned memory",
                                   &Whole<&CallCosts::pageable>::set)),
      with_default<&CallCosts::staged_bytes>(
          number<CallCosts>("staged", Unit::kBytes, 0, kGi,
                            "a copy of pageable memory to the device of no more bytes returns when it is staged",
                            &Whole<&CallCosts::staged_bytes>::set, false)),
      with_default<&CallCosts::queue_depth>(number<CallCosts>("queue_depth", Unit::kCount, 1, kMega,
                                                              "launches that wait in a stream before a call blocks",
                                                              &Whole<&CallCosts::queue_depth>::set, false))};
  return kRows;
}

std::string keys_markdown() {
  return key_table<Host>("`hosts`", "A CPU socket each, with its memory.") + "\n" +
         key_table<Gpu>("`gpus`", "A GPU each.") + "\n" +
         key_table<Switch>("`switches`", "A switch each; it may be left out where there is none.") + "\n" +
         key_table<LinkType>("`link_types`", "What links of one sort have in common.") + "\n" +
         key_table<CollectiveRates>(
             "`collectives`", "What NCCL was measured to reach. Without a key gpusim derives it from the links.") +
         "\n" +
         key_table<CallCosts>("`calls`",
                              "What calls of CUDA cost. Without a key it is as measured with CUDA 13 beside an H100.");
}

}  // namespace gpusim::system
