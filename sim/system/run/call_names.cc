// SPDX-License-Identifier: MIT
#include "sim/system/run/call_names.h"

namespace gpusim::run {
namespace {

using namespace application;

struct Namer {
  const Application& application;
  std::string operator()(const Work& work) const { return work.name.empty() ? "work" : work.name; }
  std::string operator()(const Launch&) const { return "cudaLaunchKernel"; }
  std::string operator()(const Copy& copy) const {
    const bool is_async = !copy.wait && copy.memory == HostMemory::kPinned;
    return is_async ? "cudaMemcpyAsync" : "cudaMemcpy";
  }
  std::string operator()(const Fill&) const { return "cudaMemsetAsync"; }
  std::string operator()(const Record&) const { return "cudaEventRecord"; }
  std::string operator()(const WaitForEvent&) const { return "cudaStreamWaitEvent"; }
  std::string operator()(const Synchronize& call) const {
    return call.of == SyncOf::kDevice   ? "cudaDeviceSynchronize"
           : call.of == SyncOf::kStream ? "cudaStreamSynchronize"
                                        : "cudaEventSynchronize";
  }
  std::string operator()(const RunCollective&) const { return "cudaLaunchKernel"; }
  std::string operator()(const LaunchGraph&) const { return "cudaGraphLaunch"; }
  std::string operator()(const Put& put) const { return "put " + application.queues[put.queue].name; }
  std::string operator()(const Take& take) const { return "take " + application.queues[take.queue].name; }
  std::string operator()(const Allocate&) const { return "allocate"; }
  std::string operator()(const Free&) const { return "free"; }
  std::string operator()(const EmptyCache&) const { return "empty_cache"; }
  std::string operator()(const Repeat&) const { return "repeat"; }
  std::string operator()(const Range& range) const { return range.name; }
};

template <class T>
concept HasStream = requires(const T& call) {
  call.stream;
};

}  // namespace

Index stream_of(const Call& call) {
  return std::visit(
      [](const auto& is) -> Index {
        if constexpr (HasStream<decltype(is)>) {
          return is.stream;
        }
        return 0;
      },
      call.is);
}

std::string name_of(const Call& call, const Application& application) {
  return std::visit(Namer{application}, call.is);
}

std::string_view name_of(Way way) {
  switch (way) {
    case Way::kToDevice: return "[CUDA memcpy Host-to-Device]";
    case Way::kToHost: return "[CUDA memcpy Device-to-Host]";
    case Way::kOnDevice: return "[CUDA memcpy Device-to-Device]";
    case Way::kToPeer:
    case Way::kFromPeer: return "[CUDA memcpy Peer-to-Peer]";
  }
  return "";
}

}  // namespace gpusim::run
