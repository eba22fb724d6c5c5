// SPDX-License-Identifier: MIT
// Traces of PyTorch's profiler as applications.
#include "sim/system/kineto/import.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/gzip.h"
#include "sim/base/problem.h"
#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/kineto/gpu_name.h"

namespace kineto_import_test {

using namespace gpusim;
using namespace gpusim::kineto;
using Catch::Contains;

namespace {

/// A file that is gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("gpusim-kineto-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".json")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string call(const std::string& name, double ts, double dur, int correlation, int tid = 1) {
  return R"({"ph":"X","cat":"cuda_runtime","name":")" + name + R"(","pid":9,"tid":)" + std::to_string(tid) +
         R"(,"ts":)" + std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) + R"(,"args":{"correlation":)" +
         std::to_string(correlation) + "}}";
}

std::string work(const std::string& cat, const std::string& name, double ts, double dur, int correlation,
                 const std::string& more = "") {
  return R"({"ph":"X","cat":")" + cat + R"(","name":")" + name + R"(","pid":0,"tid":7,"ts":)" + std::to_string(ts) +
         R"(,"dur":)" + std::to_string(dur) + R"(,"args":{"device":0,"stream":7,"correlation":)" +
         std::to_string(correlation) + more + "}}";
}

std::string trace(const std::vector<std::string>& events) {
  std::string text = R"({"schemaVersion":1,"traceEvents":[)";
  for (std::size_t i = 0; i < events.size(); ++i) {
    text += (i == 0 ? "" : ",") + events[i];
  }
  return text + "]}";
}

Imported import_text(const std::string& text) {
  const TemporaryFile file(text);
  return import_trace(file.path());
}

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(import_text(text));
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("was accepted");
  return "";
}

/// What the first thread does, one word per call.
std::string calls_of(const Imported& imported) {
  static constexpr std::array<const char*, 16> kWords{"work",  "launch",   "copy",  "fill", "record", "wait",
                                                      "sync",  "all",      "graph", "put",  "take",   "repeat",
                                                      "range", "allocate", "free",  "cache"};
  std::string text;
  for (const application::Call& one : imported.application.bodies.front()) {
    text += (text.empty() ? "" : " ") + std::string(kWords[one.is.index()]);
  }
  return text;
}

}  // namespace

TEST_CASE("launches, copies, fills and waits of a trace become calls, with the CPU's time between them") {
  const Imported imported = import_text(trace(
      {call("cudaMemcpyAsync", 0, 10, 1),
       work("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 12, 5, 1, R"(,"bytes":4096)"),
       call("cudaLaunchKernel", 30, 9, 2), work("kernel", "gemm", 41, 20, 2, R"(,"grid":[8,4,1],"block":[128,1,1])"),
       call("cudaMemsetAsync", 39, 4, 3), work("gpu_memset", "Memset (Device)", 62, 1, 3, R"(,"bytes":64)"),
       call("cudaDeviceSynchronize", 60, 9, 0)}));
  CHECK(calls_of(imported) == "work copy work launch work fill work sync sync");
  REQUIRE(imported.application.kernels.size() == 1);
  CHECK(imported.application.kernels.front().ctas == 32);
  CHECK(std::get<application::Recorded>(imported.application.kernels.front().how).ns == 20'000);
  const auto& copy = std::get<application::Copy>(imported.application.bodies.front()[1].is);
  CHECK(copy.bytes == 4096);
  CHECK(copy.way == application::Way::kToDevice);
  CHECK(imported.orphans == 0);
}

TEST_CASE("several pieces of work of one call are a graph, with the mean times of all launches that are alike") {
  const auto node = [](const std::string& name, double ts, double dur, int correlation, int stream) {
    std::string text = work("kernel", name, ts, dur, correlation);
    return text.replace(text.find(R"("stream":7)"), 10, R"("stream":)" + std::to_string(stream));
  };
  const Imported imported =
      import_text(trace({call("cudaGraphLaunch", 0, 20, 1), call("cudaGraphLaunch", 21, 9, 2),
                         call("cudaGraphLaunch", 31, 9, 3), node("a", 25, 10, 1, 7), node("b", 36, 4, 1, 7),
                         node("a", 50, 12, 2, 7), node("b", 64, 4, 2, 7), node("a", 70, 10, 3, 7),
                         node("c", 81, 5, 3, 13), node("b", 87, 4, 3, 7), call("cudaDeviceSynchronize", 41, 60, 0)}));
  CHECK(calls_of(imported) == "work graph work graph work graph work sync sync");
  CHECK(imported.kernels == 7);
  const application::Application& made = imported.application;
  REQUIRE(made.graphs.size() == 2);
  CHECK(made.graphs[0].gap_ns == 1500);
  REQUIRE(made.graphs[0].calls.size() == 2);
  const auto& first = std::get<application::Launch>(made.graphs[0].calls[0].is);
  CHECK(std::get<application::Recorded>(made.kernels[first.kernel].how).ns == 11'000);
  // a, whose end is recorded; c on its own stream waits for it, and b for c
  REQUIRE(made.graphs[1].calls.size() == 7);
  CHECK(std::holds_alternative<application::Record>(made.graphs[1].calls[1].is));
  CHECK(std::holds_alternative<application::WaitForEvent>(made.graphs[1].calls[2].is));
  CHECK(std::get<application::Launch>(made.graphs[1].calls[3].is).stream != 0);
  CHECK(std::get<application::WaitForEvent>(made.graphs[1].calls[5].is).stream == 0);
  const std::string text = application::to_yaml(made);
  const application::Application again = application::parse_application(text, "graphs.yaml");
  CHECK(again.graphs[0].gap_ns == 1500);
  CHECK(application::to_yaml(again) == text);
}

TEST_CASE("kernels of one name that took other times keep the whole name, and are told apart in the file") {
  const std::string name =
      "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >";
  std::vector<std::string> events;
  for (int i = 1; i < 6; ++i) {
    events.push_back(call("cudaLaunchKernel", 10 * i, 5, i));
    events.push_back(work("kernel", name, 10 * i + 6, i % 3 + 1, i));
  }
  const application::Application made = import_text(trace(events)).application;
  REQUIRE(made.kernels.size() == 3);
  const application::Application again = application::parse_application(application::to_yaml(made), "labels.yaml");
  for (const application::Kernel& kernel : again.kernels) {
    CHECK(kernel.name != name);
    CHECK(label_of(kernel) == name);
  }
}

TEST_CASE("types and names of collectives are known as PyTorch writes them") {
  for (const auto& [name, type] : {std::pair("_allgather_base", "Float8_e4m3fn"), std::pair("send", "UInt8"),
                                   std::pair("recv", "Short"), std::pair("ALLTOALL_BASE", "BFloat16")}) {
    INFO(name);
    const Imported imported =
        import_text(trace({call("cudaLaunchKernel", 0, 5, 1),
                           work("kernel", "ncclDevKernel_x", 6, 20, 1,
                                R"(,"Collective name":")" + std::string(name) + R"(","dtype":")" + type +
                                    R"(","In msg nelems":4096,"Out msg nelems":4096,"Group size":2)")}));
    CHECK(imported.collectives == 1);
    CHECK(imported.recorded_collectives == 0);
  }
}

TEST_CASE("a recorded time says on which GPU, by the name that the trace has") {
  const std::string events =
      R"("traceEvents":[)" + call("cudaLaunchKernel", 0, 5, 1) + "," + work("kernel", "gemm", 6, 20, 1) + "]}";
  const Imported known =
      import_text(R"({"deviceProperties":[{"id":0,"name":"NVIDIA H100 80GB HBM3"},{"id":1,"name":"other"}],)" + events);
  CHECK(known.gpu == "NVIDIA H100 80GB HBM3");
  CHECK(std::get<application::Recorded>(known.application.kernels.front().how).of == "h100");
  CHECK_THAT(application::to_yaml(known.application), Contains("time: 20 us, of: h100"));
  CHECK_THAT(known.application.description, Contains("of NVIDIA H100 80GB HBM3"));
  const Imported behind =
      import_text("{" + events.substr(0, events.size() - 1) + R"(,"deviceProperties":[{"name":"Tesla T4"}]})");
  CHECK(behind.arch == "t4");
  const Imported unknown = import_text(R"({"deviceProperties":[{"name":"Quadro K600"}],)" + events);
  CHECK((unknown.gpu == "Quadro K600" && unknown.arch.empty()));
  CHECK(import_text(R"({"deviceProperties":[{}, {"name":7}],)" + events).gpu.empty());
}

TEST_CASE("names that drivers give to GPUs are known, and neighbours are not taken for them") {
  CHECK(arch_of_gpu("NVIDIA A100-SXM4-40GB") == "a100-40gb");
  CHECK(arch_of_gpu("NVIDIA A100-SXM4-80GB") == "a100");
  CHECK(arch_of_gpu("NVIDIA H100 PCIe") == "h100-pcie");
  CHECK(arch_of_gpu("Tesla V100-SXM2-32GB") == "v100");
  CHECK(arch_of_gpu("NVIDIA GeForce RTX 4090") == "rtx4090");
  CHECK(arch_of_gpu("NVIDIA L40S") == "l40s");
  CHECK(arch_of_gpu("rtx4090") == "rtx4090");
  for (const char* const other :
       {"", "NVIDIA H100 NVL", "NVIDIA A100-SXM4-80GB MIG 3g.40gb", "NVIDIA GeForce RTX 3090 Ti",
        "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 D", "AMD Instinct MI300X"}) {
    INFO(other);
    CHECK(arch_of_gpu(other).empty());
  }
}

TEST_CASE("an imported trace is written as a file that loads, whatever its kernels are called") {
  const std::string odd = R"(void k<\"a: b\", {c}, #d>(float const*) \n\\ )";
  std::vector<std::string> events;
  for (int i = 1; i < 6; ++i) {
    events.push_back(call("cudaLaunchKernel", 10 * i, 5, i));
    events.push_back(work("kernel", odd + std::string(100, 'x') + std::to_string(i % 3), 10 * i + 6, i % 3 + 1, i));
  }
  const Imported imported = import_text(trace(events));
  CHECK(imported.kernels == 5);
  const std::string text = application::to_yaml(imported.application);
  CHECK_NOTHROW(application::parse_application(text, "imported.yaml"));
}

TEST_CASE("kernels of one graph launch, which share a correlation, all run") {
  const Imported imported = import_text(
      trace({call("cudaGraphLaunch", 0, 10, 4), work("kernel", "a", 12, 3, 4), work("kernel", "b", 15, 3, 4)}));
  CHECK(imported.kernels == 2);
}

TEST_CASE("negative durations, missing correlations and events without times do no harm") {
  const Imported imported = import_text(
      trace({call("cudaLaunchKernel", 0, -1, 1), work("kernel", "a", 5, -2, 1), work("kernel", "lost", 6, 2, 99),
             R"({"cat":"python_function","name":"unused","ts":1,"dur":-4,"args":{}})",
             R"({"cat":"kernel","name":"no times"})", R"({"cat":"kernel","ts":"x","dur":1,"args":{}})", "7"}));
  CHECK(imported.kernels == 1);
  CHECK(imported.negative == 2);
  CHECK(imported.first_negative == "cudaLaunchKernel");
  CHECK(imported.orphans == 1);
}

TEST_CASE("a collective is timed anew, and each rank that took part gets a thread") {
  const Imported imported = import_text(
      trace({call("cudaLaunchKernel", 0, 5, 1),
             work("kernel", "ncclDevKernel_AllReduce", 8, 900, 1,
                  R"(,"Collective name":"allreduce","In msg nelems":1024,"dtype":"Float","Group size":4)")}));
  CHECK(imported.collectives == 1);
  CHECK(imported.kernels == 0);
  REQUIRE(imported.application.threads.size() == 4);
  CHECK(imported.application.threads[3].gpu == "gpu3");
}

TEST_CASE("a custom all-reduce that was exported is one again") {
  const Imported imported = import_text(
      trace({call("cudaLaunchKernel", 0, 5, 1),
             work("kernel", "void vllm::cross_device_reduce_1stage", 8, 900, 1,
                  R"(,"Collective name":"allreduce","In msg nelems":1024,"dtype":"Float","Group size":4)")}));
  const auto& run = std::get<application::RunCollective>(imported.application.bodies.front()[1].is);
  CHECK(run.library == collective::Library::kCustom);
  CHECK(run.bytes == 4096);
}

TEST_CASE("collectives of process groups are of groups of the job's ranks") {
  const auto imported = [](const std::string& ranks) {
    std::string text = trace({call("cudaLaunchKernel", 0, 5, 1),
                              work("kernel", "ncclDevKernel_AllGather", 8, 900, 1,
                                   R"(,"Collective name":"_allgather_base","In msg nelems":512,"Out msg nelems":1024,)"
                                   R"("dtype":"BFloat16","Group size":2,"Process Group Ranks":)" +
                                       ranks)});
    return import_text(text.replace(0, 1, R"({"distributedInfo":{"backend":"nccl","rank":0,"world_size":8},)"));
  };
  const Imported apart = imported(R"("[0, 4]")");
  CHECK(apart.application.threads.size() == 8);
  const auto& run = std::get<application::RunCollective>(apart.application.bodies.front()[1].is);
  CHECK(run.ranks == 2);
  CHECK(run.stride == 4);
  CHECK(run.bytes == 2048);
  CHECK(std::get<application::RunCollective>(imported("[2, 3]").application.bodies.front()[1].is).stride == 1);
  CHECK_THROWS_WITH(imported("[0, 3]"), Contains("that are not equally far apart, or do not divide them"));
  const std::string text = application::to_yaml(apart.application);
  CHECK(std::get<application::RunCollective>(application::parse_application(text, "x.yaml").bodies.front()[1].is)
            .stride == 4);
}

TEST_CASE("a collective of more ranks than any system has is refused") {
  CHECK_THAT(
      error_of(trace({call("cudaLaunchKernel", 0, 5, 1),
                      work("kernel", "nccl", 8, 900, 1,
                           R"(,"Collective name":"allreduce","In msg nelems":8,"dtype":"Float","Group size":5e9)")})),
      Contains("a collective of 5,000,000,000 ranks"));
}

TEST_CASE("a wait for a stream, and for an event of a stream, is one for it and not for the GPU") {
  const auto sync = [](const std::string& kind, int correlation, const std::string& more) {
    return R"({"ph":"X","cat":"cuda_sync","name":"sync","pid":0,"tid":7,"ts":50,"dur":1,"args":{"cuda_sync_kind":")" +
           kind + R"(","stream":20,"correlation":)" + std::to_string(correlation) + more + "}}";
  };
  const Imported imported = import_text(trace(
      {call("cudaLaunchKernel", 0, 5, 1), work("kernel", "a", 8, 2, 1), call("cudaEventRecord", 10, 1, 2),
       call("cudaStreamWaitEvent", 20, 1, 3),
       sync("Stream Wait Event", 3, R"(,"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":2)"),
       call("cudaStreamSynchronize", 30, 5, 4), sync("Stream Sync", 4, ""), call("cudaEventSynchronize", 40, 5, 5),
       sync("Event Sync", 5, R"(,"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":2)")}));
  CHECK(calls_of(imported) == "work launch work record work wait work sync work sync sync");
  const application::Calls& calls = imported.application.bodies.front();
  CHECK(std::get<application::WaitForEvent>(calls[5].is).stream == 1);
  const auto& stream = std::get<application::Synchronize>(calls[7].is);
  CHECK(stream.of == application::SyncOf::kStream);
  CHECK(imported.application.streams[stream.which].name == "stream20");
  CHECK(std::get<application::Synchronize>(calls[9].is).of == application::SyncOf::kEvent);
  CHECK_NOTHROW(application::parse_application(application::to_yaml(imported.application), "imported.yaml"));
}

TEST_CASE("a wait for an event whose record is part of another call is none, or one for the GPU") {
  const auto sync = [](const std::string& kind, int correlation) {
    return R"({"ph":"X","cat":"cuda_sync","name":"sync","pid":0,"tid":7,"ts":50,"dur":1,"args":{"cuda_sync_kind":")" +
           kind + R"(","stream":7,"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":2,"correlation":)" +
           std::to_string(correlation) + "}}";
  };
  const Imported imported =
      import_text(trace({call("cudaLaunchKernel", 0, 20, 1), work("kernel", "a", 22, 2, 1),
                         call("cudaEventRecord", 10, 1, 2), call("cudaStreamWaitEvent", 20, 1, 3),
                         sync("Stream Wait Event", 3), call("cudaEventSynchronize", 30, 5, 4), sync("Event Sync", 4)}));
  CHECK(std::get<application::Synchronize>(imported.application.bodies.front().back().is).of ==
        application::SyncOf::kDevice);
  CHECK_NOTHROW(application::parse_application(application::to_yaml(imported.application), "imported.yaml"));
}

TEST_CASE("parts that a program named hold the calls that began within them") {
  const auto named = [](const std::string& name, double ts, double dur) {
    return R"({"ph":"X","cat":"user_annotation","name":")" + name + R"(","pid":9,"tid":1,"ts":)" + std::to_string(ts) +
           R"(,"dur":)" + std::to_string(dur) + "}";
  };
  const Imported imported = import_text(
      trace({named("inner", 20, 20), named("step", 5, 60), named("empty", 70, 1), call("cudaLaunchKernel", 0, 4, 1),
             work("kernel", "a", 8, 2, 1), call("cudaLaunchKernel", 25, 5, 2), work("kernel", "b", 31, 2, 2),
             call("cudaLaunchKernel", 50, 5, 3), work("kernel", "c", 56, 2, 3)}));
  CHECK(calls_of(imported) == "launch range sync");
  const auto& step = std::get<application::Range>(imported.application.bodies.front()[1].is);
  CHECK(step.name == "step");
  REQUIRE(std::get_if<application::Range>(&step.body.front().is) != nullptr);
  CHECK(std::get<application::Range>(step.body.front().is).name == "inner");
  CHECK_NOTHROW(application::parse_application(application::to_yaml(imported.application), "imported.yaml"));
}

TEST_CASE("a copy between GPUs goes to or comes from the other one, where the trace says which") {
  const auto copied = [](const std::string& devices) {
    const Imported imported =
        import_text(trace({call("cudaMemcpyAsync", 0, 5, 1),
                           work("gpu_memcpy", "Memcpy PtoP (Device -> Device)", 8, 2, 1, R"(,"bytes":64)" + devices)}));
    return std::get<application::Copy>(imported.application.bodies.front()[1].is);
  };
  CHECK(copied(R"(,"fromDevice":0,"toDevice":2)").way == application::Way::kToPeer);
  CHECK(copied(R"(,"fromDevice":0,"toDevice":2)").peer == "gpu2");
  CHECK(copied(R"(,"fromDevice":1,"toDevice":0)").way == application::Way::kFromPeer);
  CHECK(copied("").way == application::Way::kOnDevice);
}

TEST_CASE("a packed trace is unpacked") {
  const std::string text = trace({call("cudaLaunchKernel", 0, 5, 1), work("kernel", "a", 8, 2, 1)});
  CHECK(import_text(gzip(text)).kernels == 1);
}

TEST_CASE("what is cut off, is another file, or has no GPU is refused in a sentence") {
  const std::string whole = trace({call("cudaLaunchKernel", 0, 5, 1), work("kernel", "a", 8, 2, 1)});
  CHECK_THAT(error_of(whole.substr(0, whole.size() - 3)), Contains("is not whole JSON"));
  CHECK_THAT(error_of("{}"), Contains("has no list 'traceEvents'"));
  CHECK_THAT(error_of("[]"), Contains("has no list 'traceEvents'"));
  CHECK_THAT(error_of(trace({call("cudaLaunchKernel", 0, 5, 1)})), Contains("no work of a GPU"));
  CHECK_THAT(error_of(""), Contains("does not begin as JSON does"));
  CHECK_THROWS_WITH(import_trace(std::filesystem::temp_directory_path()), Contains("is a folder"));
  CHECK_THROWS_WITH(import_trace("/nowhere/trace.json"), Contains("cannot be opened"));
}

}  // namespace kineto_import_test
