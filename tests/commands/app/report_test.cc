// SPDX-License-Identifier: MIT
// What gpusim app says of a run, in each of its forms.
#include "sim/commands/app/report.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <map>
#include <set>
#include <span>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/commands/app/kinds/kinds.h"
#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/chakra/import.h"
#include "sim/system/config/loader.h"
#include "sim/system/run/run.h"

namespace app_report_test {

using namespace gpusim;
using namespace gpusim::app;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

constexpr const char* kStep = R"(name: Step
warm_up: 1
repeats: 2
kernels:
  product: {flops: 1000000000000, bytes: 1 MiB, peak: bf16_tensor}
  relu: {bytes: 512 MiB}
  mystery: {time: 20 us}
threads:
  main:
    - range:
        name: forward
        calls: [work: {time: 5 us, name: aten::mm}, launch: product, launch: relu, launch: mystery]
    - copy: {to: host, bytes: 1 MiB}
    - synchronize: device
)";

Report report_of(const std::string& text) {
  const std::filesystem::path configs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";
  application::Application application = application::parse_application(text, "step.yaml");
  const system::System system = system::load_system(configs / "systems" / "dgx-h100.yaml", std::span(&configs, 1));
  const system::Fabric fabric(system);
  const run::Binding binding(application, system, fabric);
  Times times = find_times(binding, {});
  run::Timeline timeline = run::run(binding, times.gpus, times.costs);
  return make_report(std::move(application), system.name, std::move(times), std::move(timeline));
}

std::string fmt_ms(double ns) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << ns / 1e6 << "ms";
  return text.str();
}

}  // namespace

TEST_CASE("the report names the step, its causes, how each kernel's time was found, and five utilisations") {
  const std::string text = to_text(report_of(kStep), {});
  CHECK_THAT(text, Contains("Step on DGX H100:") && Contains("2 rounds, after 1 round to warm up"));
  CHECK_THAT(text, Contains("kernels, bound by compute") && Contains("kernels, bound by memory") &&
                       Contains("kernels, recorded") && Contains("launch gaps"));
  CHECK_THAT(text, Contains("roofline") && Contains("recorded"));
  CHECK_THAT(text, Contains("GPU-Util (nvidia-smi)") && Contains("SM active") && Contains("tensor active") &&
                       Contains("DRAM active") && Contains("MFU"));
  CHECK_THAT(text, !Contains("waiting for data"));
}

TEST_CASE("kernels that others slow are listed with what half of the SMs would do, and where that comes from") {
  CHECK_THAT(to_text(report_of(kStep), {}), !Contains("Kernels slowed by others"));
  const Report report = report_of(R"(name: Beside
kernels:
  relu: {bytes: 512 MiB}
  mystery: {time: 200 us}
streams: {comm: {waits_for_default: no}}
threads:
  rank0..7:
    gpu: gpu0..7
    calls:
      - collective: {of: all-reduce, bytes: 1 GiB, stream: comm}
      - launch: mystery
      - launch: relu
      - synchronize: device
)");
  const std::string text = to_text(report, {});
  const std::string table = text.substr(text.find("Kernels slowed by others"));
  CHECK(table.substr(0, table.find("\n\n")) ==
        "Kernels slowed by others  others hold SMs or use DRAM\n"
        "  kernel   alone us  mean us  slower  on half its SMs  source\n"
        "  mystery    200.00   227.59  1.14 x           2.00 x  assumed\n"
        "  relu       160.77   194.47  1.21 x           1.00 x  roofline");
  const Json json = Json::parse(to_json(report));
  for (const Json& kernel : json["kernels"]) {
    const bool is_relu = kernel["name"] == "relu";
    CHECK(kernel["slowdown_on_half_sms"].get<double>() == Approx(is_relu ? 1 : 2));
    CHECK(kernel["slowdown_is"] == (is_relu ? "roofline" : "assumed"));
    CHECK(kernel["mean_us"].get<double>() > 1.05 * kernel["alone_us"].get<double>());
  }
}

TEST_CASE("the verdict on launch gaps names long work of the CPU, and else what makes launches cheaper") {
  const auto verdict_of = [](const std::string& calls) {
    return verdict(report_of("kernels: {k: {time: 5 us}}\nthreads: {main: [" + calls + ", synchronize: device]}\n"));
  };
  CHECK_THAT(verdict_of("work: {time: 40 ms, name: decode}, launch: k"), Contains("whose work 'decode'"));
  CHECK_THAT(verdict_of("repeat: {times: 50, calls: [work: {time: 20 us, name: aten::add}, launch: k]}"),
             Contains("CUDA graphs"));
}

TEST_CASE("the verdict says most for more than half alone, and advises pinned memory for copies of pageable memory") {
  const auto verdict_of = [](const std::string& calls) {
    return verdict(report_of("kernels: {k: {time: 5 us}}\nthreads: {main: [" + calls + "]}\n"));
  };
  const std::string pinned = verdict_of("copy: {from: host, bytes: 64 MiB}, synchronize: device");
  CHECK_THAT(pinned, Contains("Copies that nothing hides take most of the step") && !Contains("pinned"));
  CHECK_THAT(verdict_of("copy: {from: host, bytes: 64 MiB, memory: pageable}, launch: k, synchronize: device"),
             Contains("pinned memory and a stream of their own"));
  // Three parts of a third each.
  CHECK_THAT(verdict_of("copy: {from: host, bytes: 64 MiB}, launch: k, repeat: {times: 240, calls: [launch: k]}, "
                        "synchronize: device, work: {time: 1 ms, name: aten::add}"),
             Contains("the largest part of the step"));
}

TEST_CASE("rows of several GPUs are those of one, the mean of all") {
  const Report report = report_of(
      "kernels: {k: {time: 10 ms}}\nthreads: {rank0..7: {gpu: gpu0..7, calls: [launch: k, synchronize: device]}}\n");
  const std::string text = to_text(report, {});
  CHECK_THAT(text, Contains("on a GPU, the mean of all") && !Contains("799"));
}

TEST_CASE("in JSON the causes and the critical path each add up to the step") {
  const Json root = Json::parse(to_json(report_of(kStep)));
  CHECK(root["schema"] == "gpusim.app/1");
  double causes = 0;
  for (const Json& us : root["causes"]) {
    causes += us.get<double>();
  }
  double path = 0;
  for (const Json& part : root["critical_path"]) {
    path += part["us"].get<double>();
  }
  const double step = root["step_us"];
  CHECK(causes == Approx(step));
  CHECK(path == Approx(step));
  CHECK(root["kernels"].size() == 3);
  CHECK(root["gpus"][0]["busy_share"].get<double>() <= 1);
}

TEST_CASE("MFU is the FLOPs of the step over the peak of the tensor cores") {
  const Json root = Json::parse(to_json(report_of(kStep)));
  constexpr double kPeak = 989.4e12;  // the vendor's figure
  const double wanted = 1e12 / (root["step_us"].get<double>() * 1e-6) / kPeak;
  CHECK(root["gpus"][0]["mfu_share"].get<double>() == Approx(wanted).epsilon(0.02));
}

TEST_CASE("the tables of nsys have its titles, columns and names") {
  const std::string text = to_nsys(report_of(kStep));
  CHECK_THAT(text, Contains("** NVTX Range Summary (nvtx_sum):") && Contains("** CUDA API Summary (cuda_api_sum):") &&
                       Contains("** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):") &&
                       Contains("** CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum):") &&
                       Contains("** CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum):"));
  CHECK_THAT(text,
             Contains("Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)"));
  CHECK_THAT(text, Contains("cudaLaunchKernel") && Contains("[CUDA memcpy Device-to-Host]"));
  CHECK_THAT(text, Contains("Style") && Contains("PushPop  forward"));
  CHECK_THAT(text, Contains("Total (MB)  Count  Avg (MB)  Med (MB)  Min (MB)  Max (MB)  StdDev (MB)  Operation"));
}

TEST_CASE("nsys sorts kernels and collectives by their time, and has calls of CUDA alone") {
  const std::string text = to_nsys(report_of(
      "kernels: {k: {time: 10 us}}\nthreads: {rank0..1: {gpu: gpu0..1, calls: [allocate: {buffer: b, bytes: 1 MiB}, "
      "launch: k, collective: {of: all-reduce, bytes: 64 MiB}, free: b, synchronize: device]}}\n"));
  CHECK(text.find("all-reduce") < text.find(" k\n"));
  CHECK_THAT(text, !Contains("allocate") && !Contains(" free"));
}

TEST_CASE("the table of PyTorch's profiler has its columns and sums") {
  const std::string text = to_pytorch(report_of(kStep));
  CHECK_THAT(text, Contains("Self CPU %") && Contains("Self CUDA %") && Contains("# of Calls"));
  CHECK_THAT(text, Contains("aten::mm") && Contains("Self CPU time total: ") && Contains("Self CUDA time total: "));
}

TEST_CASE("PyTorch's table gives operators and ranges the time of the kernels that they launched") {
  const Report report = report_of(kStep);
  double cuda = 0;
  for (const Row& row : report.kernels) {
    cuda += row.total;
  }
  const std::string text = to_pytorch(report);
  const auto line_of = [&text](const std::string& name) {
    const std::size_t begin = text.find("\n  " + name) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const std::string total = fmt_ms(cuda);
  CHECK_THAT(line_of("aten::mm"), Contains(total));
  CHECK_THAT(line_of("forward"), Contains(total));
  CHECK_THAT(line_of("cudaLaunchKernel"), !Contains(total));
}

TEST_CASE("collectives of a timeline have NCCL's names, and what PyTorch says of them") {
  const Json root = Json::parse(to_chrome(
      report_of("threads: {rank0..3: {gpu: gpu0..3, calls: [collective: {of: all-reduce, bytes: 64 MiB}, collective: "
                "{of: all-gather, bytes: 4 MiB, ranks: 2, stride: 2}, synchronize: device]}}\n")));
  CHECK(root["distributedInfo"]["world_size"] == 4);
  std::map<std::string, Json> args;
  for (const Json& event : root["traceEvents"]) {
    if (event.value("cat", "") == "kernel" && event["pid"] == 1) {
      args[event["name"]] = event["args"];
    }
  }
  REQUIRE(args.size() == 2);
  const Json& sum = args["ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"];
  CHECK(sum["Collective name"] == "allreduce");
  CHECK(sum["In msg nelems"] == 16 * 1024 * 1024);
  CHECK((sum["dtype"] == "Float" && sum["Group size"] == 4));
  const Json& gathered = args["ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"];
  CHECK(gathered["In msg nelems"] == 512 * 1024);
  CHECK(gathered["Out msg nelems"] == 1024 * 1024);
  CHECK(gathered["Process Group Ranks"] == Json::array({1, 3}));
}

TEST_CASE("a custom all-reduce of a timeline has the name of vLLM's kernel where that runs") {
  const std::string text = to_chrome(
      report_of("threads: {rank0..3: {gpu: gpu0..3, calls: [collective: {of: all-reduce, bytes: 8 KiB, library: "
                "custom}, collective: {of: all-reduce, bytes: 64 MiB, library: custom}, synchronize: device]}}\n"));
  CHECK_THAT(text, Contains("cross_device_reduce_1stage") && Contains("ncclDevKernel_AllReduce"));
}

TEST_CASE("the timeline is a trace with Kineto's names, whose work points at its calls") {
  const Json root = Json::parse(to_chrome(report_of(kStep)));
  std::map<std::string, int> categories;
  std::set<std::int64_t> calls;
  for (const Json& event : root["traceEvents"]) {
    categories[event.value("cat", "")] += 1;
    if (event.value("cat", "") == "cuda_runtime") {
      calls.insert(event["args"]["correlation"].get<std::int64_t>());
    }
  }
  for (const Json& event : root["traceEvents"]) {
    if (event.value("cat", "") == "kernel") {
      CHECK(calls.contains(event["args"]["correlation"].get<std::int64_t>()));
      CHECK(event["dur"].get<double>() > 0);
    }
  }
  for (const char* const category : {"kernel", "cuda_runtime", "cpu_op", "gpu_memcpy", "user_annotation", "ac2g"}) {
    CAPTURE(category);
    CHECK(categories[category] > 0);
  }
}

TEST_CASE("copies and fills of a graph stand in the timeline one behind the other, and point at the graph's launch") {
  const Json root = Json::parse(to_chrome(report_of(
      "kernels: {k: {time: 10 us}}\n"
      "graphs: {g: [copy: {from: host, to: gpu, bytes: 1 MiB}, launch: k, fill: {bytes: 1 MiB}, copy: {from: gpu, "
      "to: host, bytes: 1 MiB}]}\nthreads: {main: [graph: g, synchronize: device]}\n")));
  std::int64_t launch = -1;
  std::vector<Json> work;
  for (const Json& event : root["traceEvents"]) {
    if (event.value("name", "") == "cudaGraphLaunch" && event.value("ph", "") == "X") {
      launch = event["args"]["correlation"];
    }
    const std::string category = event.value("cat", "");
    if (category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset") {
      work.push_back(event);
    }
  }
  REQUIRE(work.size() == 4);
  std::vector<std::string> names;
  double end = 0;
  for (const Json& event : work) {
    names.push_back(event["name"]);
    CHECK(event["args"]["correlation"] == launch);
    CHECK(event["ts"].get<double>() >= end);
    end = event["ts"].get<double>() + event["dur"].get<double>();
  }
  CHECK(names == std::vector<std::string>{"Memcpy HtoD (Pinned -> Device)", "k", "Memset (Device)",
                                          "Memcpy DtoH (Device -> Pinned)"});
}

TEST_CASE("the page has each activity of the rounds that count in a lane, and marks the critical path") {
  const Json root = Json::parse(page_data(report_of(kStep)));
  const Json& of = root["activities"];
  const std::size_t count = of["begin_ns"].size();
  CHECK(count == 2 * 11);  // a round: the range, work, three launches with kernels, a copy with its call, the wait
  for (const char* const column : {"lane", "kind", "name", "end_ns", "critical"}) {
    CHECK(of[column].size() == count);
  }
  std::set<std::string> lanes;
  for (std::size_t i = 0; i < count; ++i) {
    const Json& lane = of["lanes"][of["lane"][i].get<std::size_t>()];
    lanes.insert(lane["group"].get<std::string>() + " " + lane["name"].get<std::string>());
    CHECK(of["begin_ns"][i] <= of["end_ns"][i]);
    CHECK(of["end_ns"][i] <= root["span_ns"].get<double>() + 1);
  }
  CHECK(lanes == std::set<std::string>{"CPU main", "CPU ranges of main", "gpu0 default"});
  CHECK(std::count(of["critical"].begin(), of["critical"].end(), 1) > 0);
}

TEST_CASE("ranges within ranges have a lane of their own on the page") {
  const Json root = Json::parse(page_data(report_of(
      "kernels: {k: {time: 5 us}}\n"
      "threads: {main: [range: {name: a, calls: [range: {name: b, calls: [launch: k]}, launch: k]}, launch: k]}\n")));
  std::vector<std::string> names;
  for (const Json& lane : root["activities"]["lanes"]) {
    names.push_back(lane["name"]);
  }
  CHECK(std::ranges::count(names, "ranges of main") == 2);
}

TEST_CASE("the page and the timeline say what links carry: a collective as a ring of its ranks") {
  const Report report = report_of(
      "streams: {comm: {waits_for_default: no}}\n"
      "threads: {rank0..1: {gpu: gpu0..1, calls: [collective: {of: all-reduce, bytes: 64 MiB, stream: comm}, "
      "synchronize: device]}}\n");
  const Json root = Json::parse(page_data(report));
  double sent = 0;
  for (const Json& link : root["links"]) {
    if (link["name"] != "gpu0 -> nvswitch") {
      continue;
    }
    for (std::size_t i = 0; i + 1 < link["at_ns"].size(); ++i) {
      sent += link["gb_per_second"][i].get<double>() *
              (link["at_ns"][i + 1].get<double>() - link["at_ns"][i].get<double>());
    }
    CHECK(std::ranges::all_of(link["gb_per_second"],
                              [&link](const Json& rate) { return rate <= link["peak_gb_per_second"]; }));
  }
  CHECK(sent == Approx(64 << 20).epsilon(0.1));  // 2 (n - 1) / n of the bytes
  CHECK_THAT(to_chrome(report), Contains("gpu0 -> nvswitch"));
}

TEST_CASE("a kernel's peak or trace that nobody has is refused at the kernel's place") {
  const auto error_of = [](const std::string& kernel) {
    try {
      static_cast<void>(report_of("kernels:\n  k: {" + kernel + "}\nthreads: {main: [launch: k]}\n"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(error_of("bytes: 1 KiB, peak: bf17"), Contains("step.yaml:2:3") && Contains("bf16"));
  CHECK_THAT(error_of("trace: saxpi"), Contains("step.yaml:2:3: the kernel 'k'") && Contains("saxpy"));
  CHECK_THAT(error_of("trace: saxpy, params: {m: 5}"), Contains("unknown parameter 'm'"));
}

TEST_CASE("an application of an unknown kind, or out of range, is refused with what is known") {
  KindOptions options;
  options.kind = "transformer-trian";
  CHECK_THROWS_WITH(make_application(options), Contains("transformer-train"));
  options.kind = "transformer-train";
  CHECK_THROWS_WITH(make_application(options), Contains("--model"));
  options.model = "gpt2";
  options.sequence = "5000000";  // more than 4 Mi tokens
  CHECK_THROWS_WITH(make_application(options), Contains("--sequence"));
  options.sequence = "128";
  options.gpus = "9";
  CHECK_THROWS_WITH(make_application(options), Contains("--gpus"));
}

TEST_CASE("a step that was written as Chakra traces takes as long when they are imported") {
  const std::string text =
      "warm_up: 1\nrepeats: 3\nkernels: {a: {time: 40 us, ctas: 8}, b: {time: 20 us}}\n"
      "streams: {side: {waits_for_default: no}}\n"
      "threads: {rank0..1: {gpu: gpu0..1, calls: [work: {time: 5 us, name: mm}, launch: a, record: e, "
      "wait: {event: e, stream: side}, launch: {kernel: b, stream: side}, copy: {to: host, bytes: 1 "
      "MiB}, collective: {of: all-reduce, bytes: 64 MiB, stream: side}, synchronize: device]}}\n";
  const Report report = report_of(text);
  std::vector<std::vector<chakra::Node>> traces;
  for (const std::string& bytes : to_chakra(report)) {
    traces.push_back(chakra::parse_trace(bytes, "step.et"));
  }
  REQUIRE(traces.size() == 2);
  const chakra::Imported imported = chakra::import_traces(traces, 0, "step.0.et");
  CHECK(imported.collectives == 2);
  CHECK(imported.kernels == 4);
  const Report again = report_of(application::to_yaml(imported.application));
  CHECK(again.timeline.step_ns() == Approx(report.timeline.step_ns()).epsilon(0.03));
}

}  // namespace app_report_test
