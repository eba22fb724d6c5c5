// SPDX-License-Identifier: MIT
// What calls of the runtime cost the host, and copies between host and device: pinned and pageable, by size, one way
// and both ways at once; copies on the device.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/timer.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kBatch = 100;
constexpr std::size_t kLargest = std::size_t{256} << 20;

class Stream {
 public:
  Stream() { SILICON_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Pinned {
 public:
  explicit Pinned(std::size_t bytes) { SILICON_CHECK(cudaMallocHost(&data_, bytes)); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(data_); }
  [[nodiscard]] void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

void record_us(Session& session, const char* metric, const Sampled& sampled, const Params& params) {
  Result result;
  result.metric = metric;
  result.unit = "us";
  result.sampled = sampled;
  result.params = params;
  session.record(result);
}

// Host microseconds of one call, of many in a row with nothing else on the device.
void measure_call(Session& session, const char* call, const std::function<void()>& once) {
  record_us(session, "host_call", session.sample([&] {
    SILICON_CHECK(cudaDeviceSynchronize());
    return host_microseconds([&] {
             for (int i = 0; i < kBatch; ++i) {
               once();
             }
           }) /
           kBatch;
  }),
            {{"call", call}});
}

void measure_calls(Session& session) {
  const Stream stream;
  const Stream other;
  cudaEvent_t event = nullptr;
  SILICON_CHECK(cudaEventCreate(&event));
  Buffer<std::uint32_t> small(1024);
  const Pinned pinned(4096);
  measure_call(session, "cudaEventRecord", [&] { SILICON_CHECK(cudaEventRecord(event, stream.get())); });
  measure_call(session, "cudaStreamWaitEvent", [&] { SILICON_CHECK(cudaStreamWaitEvent(other.get(), event)); });
  measure_call(session, "cudaEventQuery", [&] { (void)cudaEventQuery(event); });
  measure_call(session, "cudaStreamSynchronize, idle", [&] { SILICON_CHECK(cudaStreamSynchronize(stream.get())); });
  measure_call(session, "cudaDeviceSynchronize, idle", [&] { SILICON_CHECK(cudaDeviceSynchronize()); });
  measure_call(session, "cudaMemsetAsync 4 KiB",
               [&] { SILICON_CHECK(cudaMemsetAsync(small.get(), 0, 4096, stream.get())); });
  measure_call(session, "cudaMemcpyAsync 4 KiB to device", [&] {
    SILICON_CHECK(cudaMemcpyAsync(small.get(), pinned.get(), 4096, cudaMemcpyHostToDevice, stream.get()));
  });
  SILICON_CHECK(cudaEventDestroy(event));
}

void measure_allocations(Session& session) {
  for (const std::size_t bytes :
       {std::size_t{4096}, std::size_t{2} << 20, std::size_t{64} << 20, std::size_t{1} << 30}) {
    void* data = nullptr;
    const Repeat repeat{.times = 7, .warm_ups = 1};
    std::vector<double> freed;
    const Sampled allocated = session.sample(
        [&] {
          const double us = host_microseconds([&] { SILICON_CHECK(cudaMalloc(&data, bytes)); });
          freed.push_back(host_microseconds([&] { SILICON_CHECK(cudaFree(data)); }));
          return us;
        },
        repeat);
    record_us(session, "host_call", allocated, {{"call", "cudaMalloc"}, {"bytes", bytes}});
    record_us(session, "host_call", {freed, allocated.clock}, {{"call", "cudaFree"}, {"bytes", bytes}});
  }
}

struct Way {
  const char* name;
  cudaMemcpyKind kind;
};

// From the call until the host knows that the copy is done.
void measure_copy(Session& session, const Way& way, const char* memory, void* host, void* device, std::size_t bytes) {
  const Stream stream;
  void* const to = way.kind == cudaMemcpyDeviceToHost ? host : device;
  const void* const from = way.kind == cudaMemcpyDeviceToHost ? device : host;
  const Params params{{"way", way.name}, {"memory", memory}, {"bytes", bytes}};
  const Repeat repeat{.times = 7, .warm_ups = 1};
  std::vector<double> calls;
  const Sampled whole = session.sample(
      [&] {
        SILICON_CHECK(cudaDeviceSynchronize());
        return host_microseconds([&] {
          calls.push_back(
              host_microseconds([&] { SILICON_CHECK(cudaMemcpyAsync(to, from, bytes, way.kind, stream.get())); }));
          SILICON_CHECK(cudaStreamSynchronize(stream.get()));
        });
      },
      repeat);
  record_us(session, "copy_and_wait", whole, params);
  record_us(session, "copy_call", {calls, whole.clock}, params);
}

void measure_both_ways(Session& session, void* host_to, void* host_from, void* device, std::size_t bytes) {
  const Stream down;
  const Stream up;
  auto* const half = static_cast<std::uint8_t*>(device);
  const Sampled us = session.sample(
      [&] {
        SILICON_CHECK(cudaDeviceSynchronize());
        return host_microseconds([&] {
          SILICON_CHECK(cudaMemcpyAsync(half, host_from, bytes, cudaMemcpyHostToDevice, down.get()));
          SILICON_CHECK(cudaMemcpyAsync(host_to, half + bytes, bytes, cudaMemcpyDeviceToHost, up.get()));
          SILICON_CHECK(cudaDeviceSynchronize());
        });
      },
      {.times = 7, .warm_ups = 1});
  record_us(session, "copy_and_wait", us, {{"way", "both at once"}, {"memory", "pinned"}, {"bytes", bytes}});
}

void measure_on_device(Session& session, std::uint8_t* device, std::size_t bytes) {
  record_us(session, "copy_on_device",
            session.sample_us(
                [&] { SILICON_CHECK(cudaMemcpyAsync(device + kLargest, device, bytes, cudaMemcpyDeviceToDevice)); },
                {.times = 7, .batch = bytes < (1u << 20) ? 20 : 1}),
            {{"bytes", bytes}});
}

void run(Session& session) {
  measure_calls(session);
  measure_allocations(session);
  Buffer<std::uint8_t> device(2 * kLargest);
  const Pinned pinned(kLargest);
  const Pinned second(kLargest);
  std::vector<std::uint8_t> pageable(kLargest, 1);
  for (std::size_t bytes = 4; bytes <= kLargest; bytes *= 8) {
    for (const Way& way : {Way{"to device", cudaMemcpyHostToDevice}, Way{"to host", cudaMemcpyDeviceToHost}}) {
      measure_copy(session, way, "pinned", pinned.get(), device.get(), bytes);
      measure_copy(session, way, "pageable", pageable.data(), device.get(), bytes);
    }
    measure_both_ways(session, second.get(), pinned.get(), device.get(), bytes);
    measure_on_device(session, device.get(), bytes);
  }
}

const Registered kHost{{.name = "micro/host/calls", .priority = 70, .seconds = 8, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
