// SPDX-License-Identifier: MIT
// gpusim app, app make and app import from arguments to reports, files and exit codes.
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/gzip.h"

#include "tests/app/refused.h"
#include "tests/system/nsys/small_report.h"

namespace application_test {

using Catch::Matchers::Contains;
using gpusim::app::Workshop;
using nlohmann::json;

namespace {

constexpr const char* kStep = R"(system: dgx-h100
kernels: {k: {time: 50 us}}
threads: {main: [launch: k, synchronize: device]}
)";

/// A trace of an H100 with a product of 1 ms and a kernel of 500 us that moves data.
constexpr const char* kTraceOfH100 = R"({"deviceProperties":[{"name":"NVIDIA H100 80GB HBM3"}],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","tid":1,"ts":0,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"nvjet_tst_128x256","ts":10,"dur":1000,"args":{"correlation":1,"stream":7}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","tid":1,"ts":6,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"vectorized_add","ts":1011,"dur":500,"args":{"correlation":2,"stream":7}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","tid":1,"ts":12,"dur":1505,"args":{}}]})";

/// A trace of an A100 with shapes: a product with a sum of its parts, and a layer norm.
constexpr const char* kTraceOfA100 = R"({"deviceProperties":[{"name":"NVIDIA A100-SXM4-80GB"}],"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","tid":1,"ts":0,"dur":20,"args":{"External id":5,
 "Input Dims":[[512,512],[512,1024]],"Input type":["c10::BFloat16","c10::BFloat16"],"Concrete Inputs":["",""]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","tid":1,"ts":2,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"nn_gemm","ts":10,"dur":25,"args":{"External id":5,"correlation":1,"stream":7}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","tid":1,"ts":8,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"splitKreduce_kernel","ts":36,"dur":4,
 "args":{"External id":5,"correlation":2,"stream":7}},
{"ph":"X","cat":"cpu_op","name":"aten::native_layer_norm","tid":1,"ts":20,"dur":20,"args":{"External id":6,
 "Input Dims":[[512,1024],[],[1024],[1024],[]],
 "Input type":["c10::BFloat16","ScalarList","c10::BFloat16","c10::BFloat16","Scalar"],
 "Concrete Inputs":["","[1024]","","","1e-05"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","tid":1,"ts":22,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"layer_norm","ts":41,"dur":9,"args":{"External id":6,"correlation":3,"stream":7}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","tid":1,"ts":30,"dur":25,"args":{}}]})";

/// Without the database of the user who runs the tests.
Workshop::Said run_app(const Workshop& shop, const std::string& arguments) {
  return shop.run("app " + arguments + " --kernel-times none");
}

double step_us(const Workshop& shop, const std::string& arguments) {
  return json::parse(run_app(shop, arguments + " -f json").out)["step_us"].get<double>();
}

}  // namespace

TEST_CASE("kernels recorded on one GPU take on another what its peaks say, and their rows say so") {
  const Workshop shop;
  shop.write("trace.json", kTraceOfH100);
  const Workshop::Said imported = shop.run("app import trace.json -o step.yaml");
  REQUIRE(imported.code == 0);
  CHECK_THAT(imported.err, !Contains("unknown GPU"));
  const double h100 = step_us(shop, "step.yaml --system dgx-h100");
  CHECK(h100 == Approx(1516).epsilon(0.02));
  // 989 and 65 TFLOP/s in FP16, 3,350 and 320 GB/s
  CHECK(step_us(shop, "step.yaml --system t4-server") == Approx(1000 * 989 / 65 + 500 * 3350 / 320).epsilon(0.1));
  CHECK(step_us(shop, "step.yaml --system rtx4090-workstation") > 2 * h100);
  const Workshop::Said text = run_app(shop, "step.yaml --system t4-server");
  CHECK_THAT(text.out, Contains("scaled: recorded on h100, x 15."));
  const json rows = json::parse(run_app(shop, "step.yaml --system t4-server -f json").out)["kernels"];
  CHECK(rows[0]["time_is"] == "scaled");
  CHECK_THAT(rows[0]["note"].get<std::string>(), Contains("by tensor peaks"));
  CHECK_THAT(rows[1]["note"].get<std::string>(), Contains("by bandwidths"));
  CHECK_THAT(run_app(shop, "step.yaml --system dgx-h100").out, Contains("recorded: on h100"));
  CHECK(step_us(shop, "step.yaml --system dgx-h100 --set gpu.dram.bandwidth=6.7TB/s") ==
        Approx(h100 - 250).epsilon(0.02));
}

TEST_CASE("an import says whether a trace has shapes, and of how many kernels they tell the operation") {
  const Workshop shop;
  const auto said_of = [&shop](const std::string& trace) {
    shop.write("trace.json", trace);
    return shop.run("app import trace.json -o step.yaml").err;
  };
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK_THAT(said_of(kTraceOfH100), Contains("the trace has no shapes of operators (profile with record_shapes=True)"));
  const std::string one = with(kTraceOfA100, "aten::mm", "aten::odd");
  CHECK_THAT(said_of(one), Contains("the operation of 1 kernel is known; on another GPU it is simulated"));
  CHECK_THAT(said_of(with(one, "aten::native_layer_norm", "aten::odder")),
             Contains("the trace has shapes of operators, but the operation of no kernel is known"));
}

TEST_CASE("an import says how many events last less than no time, and names one") {
  const Workshop shop;
  std::string text = kTraceOfH100;
  text.replace(text.find("\"dur\":500"), 9, "\"dur\":-50");
  shop.write("trace.json", text);
  const Workshop::Said imported = shop.run("app import trace.json -o step.yaml");
  CHECK(imported.code == 0);
  CHECK_THAT(imported.err, Contains("1 event with a negative duration, such as 'vectorized_add'"));
}

TEST_CASE("recorded kernels of known shapes take on another GPU what the library's kernels take of both") {
  const Workshop shop;
  shop.write("trace.json", kTraceOfA100);
  const Workshop::Said imported = shop.run("app import trace.json -o step.yaml");
  REQUIRE(imported.code == 0);
  CHECK_THAT(imported.err, Contains("the operation of 2 kernels is known; on another GPU the main ones are simulated"));
  const auto rows_of = [&shop](const std::string& arguments) {
    std::map<std::string, json> rows;
    const json report = json::parse(run_app(shop, arguments + " -f json").out);
    for (const json& row : report["kernels"]) {
      rows[row["name"].get<std::string>()] = row;
    }
    return rows;
  };
  auto there = rows_of("step.yaml --system dgx-a100");
  CHECK(there["nn_gemm"]["time_is"] == "recorded");
  CHECK(there["nn_gemm"]["alone_us"] == 25);
  // The kernels that stand for both operations on each GPU, simulated by themselves
  const std::string threads = "threads: {main: [launch: mm, launch: norm, synchronize: device]}\n";
  const std::string norm =
      "  norm: {trace: layer-norm-welford, params: {rows: 512, columns: 1024, type: bf16, centre: yes}}\n";
  shop.write("both-there.yaml",
             "kernels:\n  mm: {trace: gemm-mma, params: {m: 512, n: 1024, k: 512, tile_m: 128}}\n" + norm + threads);
  shop.write("both-here.yaml",
             "kernels:\n  mm: {trace: gemm-wgmma, params: {m: 512, n: 1024, k: 512, sms: 132, cluster: 2, tile_m: 64, "
             "tile_n: 64, stages: 12}}\n" +
                 norm + threads);
  auto a100 = rows_of("both-there.yaml --system dgx-a100");
  auto h100 = rows_of("both-here.yaml --system dgx-h100");
  const auto ratio = [&](const char* kernel) {
    return h100[kernel]["alone_us"].get<double>() / a100[kernel]["alone_us"].get<double>();
  };
  auto here = rows_of("step.yaml --system dgx-h100 --threads 1");
  CHECK(here["nn_gemm"]["time_is"] == "simulated ratio");
  CHECK_THAT(here["nn_gemm"]["note"].get<std::string>(),
             Contains("recorded on a100, x 0.") && Contains(": gemm-wgmma simulated here, gemm-mma simulated there"));
  CHECK(here["nn_gemm"]["alone_us"].get<double>() == Approx(25 * ratio("mm")).epsilon(1e-9));
  CHECK(here["layer_norm"]["alone_us"].get<double>() == Approx(9 * ratio("norm")).epsilon(1e-9));
  CHECK_THAT(here["layer_norm"]["note"].get<std::string>(), Contains(": layer-norm-welford simulated here and there"));
  CHECK(here["splitKreduce_kernel"]["time_is"] == "scaled");
  CHECK_THAT(here["splitKreduce_kernel"]["note"].get<std::string>(), Contains("by bandwidths"));
  CHECK(rows_of("step.yaml --system dgx-h100 --threads 3") == here);
}

TEST_CASE("launches of graphs take as long again as a trace recorded, and are not taken for so many launches") {
  std::ostringstream trace;
  const auto call = [&trace](const char* name, double ts, double dur, int correlation) {
    trace << R"({"ph":"X","cat":"cuda_runtime","name":")" << name << R"(","tid":1,"ts":)" << ts << R"(,"dur":)" << dur
          << R"(,"args":{"correlation":)" << correlation << "}},\n";
  };
  trace << R"({"deviceProperties":[{"name":"NVIDIA H100 80GB HBM3"}],"traceEvents":[)" << std::setprecision(10);
  for (int launch = 0; launch < 3; ++launch) {
    call("cudaGraphLaunch", 12.0 * launch, 10, launch + 1);
    for (int node = 0; node < 200; ++node) {
      const double begin = 15 + 475.0 * launch + 2.375 * node;
      trace << R"({"ph":"X","cat":"kernel","name":"decode","ts":)" << begin << R"(,"dur":)" << 2 + 0.001 * (node % 7)
            << R"(,"args":{"stream":7,"correlation":)" << launch + 1 << "}},\n";
    }
  }
  call("cudaDeviceSynchronize", 36, 1407, 4);
  trace << "{}]}";
  const Workshop shop;
  shop.write("graphs.json", trace.str());
  CHECK(shop.run("app import graphs.json -o graphs.yaml").code == 0);
  CHECK_THAT(gpusim::app::content_of(shop.folder() / "graphs.yaml"),
             Contains("gap: ") && Contains("- graph: {name: graph0"));
  CHECK(step_us(shop, "graphs.yaml --system dgx-h100") == Approx(1443).epsilon(0.03));
  const json report = json::parse(run_app(shop, "graphs.yaml --system dgx-h100 -f json").out);
  CHECK_THAT(report["verdict"].get<std::string>(), !Contains("waits for the CPU to launch"));
  // Kernels of one name are one row, whatever they took.
  REQUIRE(report["kernels"].size() == 1);
  CHECK(report["kernels"][0]["count"] == 600);
}

TEST_CASE("applications with several streams or GPUs take as long again when their Chakra traces are imported") {
  const Workshop shop;
  struct Case {
    const char* application;
    const char* system;
    double off;
  };
  for (const Case& one : {Case{"data-parallel", "dgx-h100", 0.03}, Case{"overlap-demo", "dgx-h100", 0.03},
                          Case{"copy-then-product", "dgx-h100", 0.05}}) {
    INFO(one.application);
    const std::string name = one.application;
    const std::string on = " --system " + std::string(one.system);
    const double step = json::parse(run_app(shop, name + on + " -f json --chakra traces").out)["step_us"];
    REQUIRE(shop.run("app import traces/" + name + ".0.et -o again.yaml").code == 0);
    CHECK(step_us(shop, "again.yaml" + on) == Approx(step).epsilon(one.off));
  }
}

TEST_CASE("collectives of groups of ranks are written to Chakra traces, and read from them") {
  const Workshop shop;
  shop.write("step.yaml", R"(system: dgx-h100
kernels: {k: {time: 50 us}}
streams: {side: {waits_for_default: no}}
threads:
  rank0..3:
    gpu: gpu0..3
    calls:
      - launch: k
      - collective: {of: all-reduce, bytes: 64 MiB, ranks: 2}
      - record: {event: done}
      - wait: {event: done, stream: side}
      - collective: {of: send-receive, bytes: 32 MiB, stream: side, ranks: 2, stride: 2}
      - collective: {of: all-gather, bytes: 4 MiB}
      - synchronize: {stream: side}
      - synchronize: device
)");
  const double step = json::parse(run_app(shop, "step.yaml -f json --chakra traces").out)["step_us"];
  REQUIRE(shop.run("app import traces/step.0.et -o again.yaml").code == 0);
  CHECK_THAT(gpusim::app::content_of(shop.folder() / "again.yaml"),
             Contains("ranks: 2, stride: 2, first: 1") && Contains("of: send-receive") && Contains("ranks: 2}"));
  CHECK(step_us(shop, "again.yaml --system dgx-h100") == Approx(step).epsilon(0.03));
  REQUIRE(shop.run("app import traces/step.1.et --ranks 2").code == 2);
}

TEST_CASE("a timeline that is imported as a trace takes as long, with its collectives and streams") {
  const Workshop shop;
  shop.write("step.yaml", R"(system: dgx-h100
repeats: 2
kernels: {k: {time: 50 us, ctas: 60}, backward: {time: 400 us}}
streams: {comm: {waits_for_default: no}}
threads:
  rank0..3:
    gpu: gpu0..3
    calls:
      - launch: k
      - record: {event: ready}
      - wait: {event: ready, stream: comm}
      - collective: {of: reduce-scatter, bytes: 64 MiB, stream: comm}
      - collective: {of: all-gather, bytes: 8 MiB, stream: comm, ranks: 2, stride: 2}
      - launch: backward
      - synchronize: {stream: comm}
      - copy: {from: gpu, to: host, bytes: 4 MiB, memory: pageable}
      - synchronize: device
)");
  const double step = json::parse(run_app(shop, "step.yaml -f json --timeline trace.json.gz").out)["step_us"];
  CHECK(gpusim::app::content_of(shop.folder() / "trace.json.gz").starts_with("\x1f\x8b"));
  const Workshop::Said imported = shop.run("app import trace.json.gz -o again.yaml");
  REQUIRE(imported.code == 0);
  CHECK_THAT(imported.err, Contains("16 collectives") && !Contains("lasts as recorded"));
  CHECK(step_us(shop, "again.yaml --system dgx-h100") == Approx(2 * step).epsilon(0.03));
}

TEST_CASE("files that are not traces are refused for what they are, and packed Chakra traces are read") {
  const Workshop shop;
  shop.write("hello.json", "hello");
  CHECK_THAT(shop.run("app import hello.json").err, Contains("does not begin as JSON does") && !Contains("cut off"));
  shop.write("cut.json", R"({"traceEvents":[{"ph":"X")");
  CHECK_THAT(shop.run("app import cut.json").err, Contains("is not whole JSON"));
  shop.write("step.yaml", kStep);
  REQUIRE(run_app(shop, "step.yaml --chakra traces").code == 0);
  std::ofstream(shop.folder() / "traces" / "packed.0.et.gz", std::ios::binary)
      << gpusim::gzip(gpusim::app::content_of(shop.folder() / "traces" / "step.0.et"));
  CHECK(shop.run("app import traces/packed.0.et.gz -o again.yaml").code == 0);
  shop.write("graph.yaml", "system: dgx-h100\ngraphs: {g: [graph: g]}\nthreads: {main: [graph: g]}\n");
  CHECK_THAT(run_app(shop, "graph.yaml").err, Contains("the graph 'g' cannot hold this call"));
}

TEST_CASE("a rank that lacks a collective is named also where no thread waits") {
  const Workshop shop;
  shop.write("lack.yaml", R"(system: dgx-h100
threads:
  rank0:
    gpu: gpu0
    calls: [collective: {of: all-reduce, bytes: 1 MiB}, collective: {of: all-reduce, bytes: 1 MiB}]
  rank1:
    gpu: gpu1
    calls: [collective: {of: all-reduce, bytes: 1 MiB}]
)");
  const Workshop::Said said = run_app(shop, "lack.yaml");
  CHECK(said.code == 3);
  CHECK_THAT(said.err, Contains("lack.yaml:5:") && Contains("the all-reduce lacks 'rank1'"));
}

TEST_CASE("a made step that does not fit says what asked for memory, who holds it, and what to ask next") {
  const Workshop shop;
  REQUIRE(
      shop.run("app make transformer-train --model llama-3-8b --sequence 1024 --system rtx4090-workstation -o big.yaml")
          .code == 0);
  const Workshop::Said said = run_app(shop, "big.yaml");
  CHECK(said.code == 3);
  CHECK_THAT(said.err, Contains("CUDA out of memory. Tried to allocate") && Contains("It was for the buffer '") &&
                           Contains("Held until then: weights"));
  CHECK_THAT(said.err, Contains("gpusim fit --model llama-3-8b --train --batch 1 --sequence 1024 --gpu rtx4090"));
  CHECK(shop.run("fit --model llama-3-8b --train --sequence 1024 --gpu rtx4090").code == 3);
}

TEST_CASE("times of an unknown GPU stay as they are, with one warning") {
  const Workshop shop;
  std::string unnamed(kTraceOfH100);
  unnamed.replace(unnamed.find("NVIDIA H100"), 11, "Quadro K600");
  shop.write("trace.json", unnamed);
  CHECK_THAT(shop.run("app import trace.json -o step.yaml").err,
             Contains("Quadro K600") && Contains("no architecture file"));
  const Workshop::Said text = run_app(shop, "step.yaml --system t4-server");
  CHECK_THAT(text.err, Contains("recorded times of 2 kernels are of an unknown GPU"));
  CHECK(step_us(shop, "step.yaml --system t4-server") == Approx(1516).epsilon(0.02));
  shop.write("own.yaml", kStep);
  CHECK_THAT(run_app(shop, "own.yaml").err, !Contains("unknown GPU"));
  CHECK_THAT(run_app(shop, "own.yaml --system t4-server").err, Contains("unknown GPU"));
  shop.write("odd.yaml", "system: dgx-h100\nkernels: {k: {time: 5 us, of: h101}}\nthreads: {main: [launch: k]}\n");
  CHECK_THAT(run_app(shop, "odd.yaml").err, Contains("odd.yaml:2:11") && Contains("'k'") && Contains("h100"));
  shop.write("odd.yaml", "system: dgx-h100\nkernels: {k: {bytes: 5 KiB, of: h100}}\nthreads: {main: [launch: k]}\n");
  CHECK_THAT(run_app(shop, "odd.yaml").err, Contains("'of' says on which GPU a kernel took its 'time'"));
}

TEST_CASE("an application is reported in four formats, and its timeline is written") {
  const Workshop shop;
  shop.write("step.yaml", kStep);
  const Workshop::Said text = run_app(shop, "step.yaml --timeline step.json");
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("0.060 ms a step") && Contains("kernels, recorded"));
  CHECK(json::parse(gpusim::app::content_of(shop.folder() / "step.json")).contains("traceEvents"));
  CHECK(json::parse(run_app(shop, "step.yaml -f json").out)["schema"] == "gpusim.app/1");
  CHECK_THAT(run_app(shop, "step.yaml -f nsys").out, Contains("cuda_gpu_kern_sum"));
  CHECK_THAT(run_app(shop, "step.yaml -f pytorch").out, Contains("Self CUDA time total"));
}

TEST_CASE("too little memory ends a run with 3, what is wrong with a file with 2, a wrong command with 1") {
  const Workshop shop;
  shop.write("big.yaml", "threads: {main: [allocate: {buffer: w, bytes: 100 GiB, category: weights}]}\n");
  const Workshop::Said big = run_app(shop, "big.yaml --system rtx4090-workstation");
  CHECK(big.code == 3);
  CHECK_THAT(big.err, Contains("big.yaml:1:") && Contains("CUDA out of memory. Tried to allocate 100.00 GiB"));
  shop.write("odd.yaml", "threads: {main: [lunch: k]}\n");
  const Workshop::Said odd = run_app(shop, "odd.yaml --system dgx-h100");
  CHECK(odd.code == 2);
  CHECK_THAT(odd.err, Contains("odd.yaml:1:18") && Contains("launch"));
  shop.write("idle.yaml", "threads: {main: []}\n");
  CHECK_THAT(run_app(shop, "idle.yaml --system dgx-h100").err, Contains("does nothing that takes time"));
  CHECK(run_app(shop, "").code == 1);
  CHECK_THAT(run_app(shop, "overlap-dem").err, Contains("did you mean 'overlap-demo'?"));
  shop.write("none.yaml", "threads: {main: [work: 1 us]}\n");
  CHECK_THAT(run_app(shop, "none.yaml").err, Contains("--system dgx-h100"));
}

TEST_CASE("a made application runs, and replaces neither its model nor its system") {
  const Workshop shop;
  CHECK(shop.run("app make dataloader --workers 2 -o loader.yaml").code == 0);
  CHECK_THAT(run_app(shop, "loader.yaml").out, Contains("20.0") && Contains("ms a step"));
  shop.write("m.yaml", gpusim::app::content_of(std::string(GPUSIM_SOURCE_DIR) + "/configs/models/gpt2.yaml"));
  const Workshop::Said same = shop.run("app make transformer-train --model m.yaml -o m.yaml");
  CHECK(same.code == 2);
  CHECK_THAT(same.err, Contains("is what is to be read"));
  CHECK(shop.run("app make transformer-train --model m.yaml --sequence 64 -o step.yaml").code == 0);
  shop.write("step.yaml", kStep);
  CHECK_THAT(run_app(shop, "step.yaml --timeline step.yaml").err, Contains("is what is to be read"));
}

TEST_CASE("app make refuses an option that its kind does not take, and names the kinds that do") {
  const Workshop shop;
  const Workshop::Said said = shop.run("app make dataloader --batch 4");
  CHECK(said.code == 1);
  CHECK_THAT(said.err, Contains("--batch does not go with dataloader (kinds that take it: transformer-train, "
                                "transformer-prefill, transformer-decode, resnet50-train, resnet50-infer)"));
  CHECK_THAT(shop.run("app make elementwise-chain --workers 2").err, Contains("kinds that take it: dataloader"));
  CHECK_THAT(shop.run("app make resnet50-infer --precision fp8").err, Contains("allowed: fp32, tf32, bf16, fp16"));
  CHECK_THAT(shop.run("app make transformer-train --model gpt2 --precision fp16 --sequence 64").out, Contains("fp16"));
  CHECK_THAT(shop.run("app make transformer-train --model gpt2 --gpus 8 --pipeline 2 --parallel fsdp").err,
             Contains("--parallel fsdp does not go with --pipeline: a stage keeps its gradients and weights"));
  CHECK_THAT(shop.run("app make transformer-train --model gpt2 --gpus 8 --sequence-parallel").err,
             Contains("--sequence-parallel needs --tensor"));
  CHECK_THAT(shop.run("app make transformer-decode --model gpt2 --all-reduce custom").err,
             Contains("--all-reduce needs --tensor"));
  CHECK_THAT(
      shop.run("app make transformer-train --model gpt2 --gpus 8 --tensor 4 --sequence-parallel --all-reduce custom")
          .err,
      Contains("--all-reduce does not go with --sequence-parallel"));
  CHECK_THAT(shop.run("app make resnet50-infer --qkv fused").err, Contains("--qkv does not go with resnet50-infer"));
  CHECK_THAT(shop.run("app make transformer-decode --model gpt2 --qkv joined").err, Contains("fused"));
  CHECK_THAT(shop.run("app make transformer-decode --model llama-3-8b --qkv fused").out, Contains("attention.qkv"));
  CHECK_THAT(shop.run("app make transformer-prefill --model gpt2 --gpus 8 --parallel zero1").err,
             Contains("states of an optimizer, which inference has not"));
  CHECK_THAT(shop.run("app make transformer-train --model gpt2 --gpus 8 --tensor 3").err,
             Contains("not a multiple of the 3"));
  CHECK(shop.run("app make resnet50-train --precision fp16 --batch 8").code == 0);
  CHECK_THAT(shop.run("app make resnet50-train --model gpt2").err, Contains("not a residual network"));
}

TEST_CASE("app make makes inference of ResNet-50 in either layout, and refuses what it has not by name") {
  const Workshop shop;
  CHECK_THAT(shop.run("app make resnet50-infer --batch 8 --precision fp32 --layout channels-first").out,
             Contains("ResNet-50, inference") && Contains("channels first") && !Contains("to NHWC"));
  CHECK_THAT(shop.run("app make resnet50-infer --precision fp16 --layout channels-first").out, Contains("to NHWC"));
  CHECK_THAT(shop.run("app make resnet50-infer --gpus 2").err,
             Contains("--gpus does not go with resnet50-infer (kinds that take it: transformer-train, "));
  CHECK_THAT(shop.run("app make resnet50-infer --layout nchw").err, Contains("channels-first"));
  CHECK_THAT(shop.run("app make transformer-train --model gpt2 --layout channels-first").err,
             Contains("--layout does not go with transformer-train (kinds that take it: resnet50-train, "));
}

TEST_CASE("app make gives a masked head as many predictions as asked for, at most one per token") {
  const Workshop shop;
  const std::string bert = "app make transformer-train --model bert-large --sequence 128 --precision bf16";
  CHECK_THAT(shop.run(bert + " --predictions 20").out, Contains("\"head.pick backward\""));
  CHECK_THAT(shop.run(bert + " --predictions 129").err, Contains("--predictions"));
  CHECK_THAT(shop.run(bert + " --predictions 0").err, Contains("--predictions"));
  CHECK_THAT(shop.run("app make transformer-train --model gpt2 --predictions 20").err,
             Contains("--predictions is of models with a head of masked words"));
  CHECK_THAT(shop.run("app make transformer-prefill --model bert-large --predictions 20").err,
             Contains("kinds that take it: transformer-train)"));
}

TEST_CASE("app make pads a vocabulary to a multiple, and keeps the scores of attention in training alone") {
  Workshop shop;
  const std::string prefill = "app make transformer-prefill --model gpt2 --sequence 64";
  CHECK_THAT(shop.run(prefill).out, Contains("{m: 50260,"));  // as whole warps of rows
  CHECK_THAT(shop.run(prefill + " --pad-vocabulary 64").out, Contains("{m: 50304,"));
  CHECK_THAT(shop.run(prefill + " --attention scores").err, Contains("kinds that take it: transformer-train)"));
  const std::string train = "app make transformer-train --model gpt2 --sequence 64";
  CHECK_THAT(shop.run(train + " --attention scores").out, Contains("\"attention.core softmax backward\""));
  CHECK_THAT(shop.run(train).out, Contains("{trace: flash-attention-3,"));
}

TEST_CASE("app make says that tensor cores of a GPU before Ampere do not have BF16") {
  Workshop shop;
  const std::string note =
      "products take what those of FP16 do (--precision fp16): tensor cores have BF16 since Ampere";
  const Workshop::Said volta = shop.run("app make resnet50-train --batch 8 --system dgx-1-v100");
  CHECK(volta.code == 0);
  CHECK_THAT(volta.err, Contains(note));
  CHECK_THAT(volta.out, Contains("# Note: " + note));
  CHECK(shop.run("app make resnet50-train --batch 8 --system dgx-1-v100 --precision fp16").err.empty());
  CHECK(shop.run("app make resnet50-train --batch 8 --system dgx-a100").err.empty());
}

TEST_CASE("a file in the current folder does not stand for a system's GPU of that name") {
  Workshop shop;
  shop.write("t4.yaml", "name: none of this\n");
  const Workshop::Said made = shop.run("app make elementwise-chain --system t4-server");
  CHECK(made.err.empty());
  CHECK(made.code == 0);
  shop.write("step.yaml", "kernels: {k: {bytes: 1 MiB}}\nthreads: {main: [launch: k, synchronize: device]}\n");
  const Workshop::Said ran = shop.run("app step.yaml --system t4-server --kernel-times none");
  CHECK(ran.err.empty());
  CHECK(ran.code == 0);
}

TEST_CASE("app make says that a GPU before Ampere has not the FlashAttention that was asked for") {
  Workshop shop;
  const std::string train = "app make transformer-train --model gpt2 --sequence 64 --system ";
  const Workshop::Said volta = shop.run(train + "dgx-1-v100 --attention flash2");
  CHECK(volta.code == 0);
  CHECK_THAT(volta.err,
             Contains("product by product, not by --attention flash2: FlashAttention's kernels need Ampere"));
  CHECK_THAT(volta.out, Contains("# Note: attention is product by product, not by --attention flash2"));
  CHECK(shop.run(train + "dgx-1-v100 --attention scores --precision fp16").err.empty());
  const Workshop::Said hopper = shop.run(train + "dgx-h100 --attention flash2");
  CHECK(hopper.err.empty());
  CHECK_THAT(hopper.out, !Contains("# Note:"));
}

TEST_CASE("app make takes metrics of training, but not of GPUs that each have a part of the logits") {
  Workshop shop;
  const std::string train = "app make transformer-train --model gpt2 --sequence 64 --train-metrics 2";
  CHECK_THAT(shop.run(train).out, Contains("metric log-softmax"));
  CHECK_THAT(shop.run(train + " --gpus 2 --tensor 2").err, Contains("--train-metrics does not go with --tensor"));
}

TEST_CASE("app make takes the year of the libraries, and says where it changes nothing") {
  Workshop shop;
  const std::string train = "app make transformer-train --model gpt2 --sequence 64 --libraries 2023 --system ";
  const Workshop::Said hopper = shop.run(train + "dgx-h100");
  CHECK_THAT(hopper.out, Contains("cluster: 1"));
  CHECK_THAT(hopper.out, !Contains("cluster: 2"));
  CHECK(hopper.err.empty());
  CHECK_THAT(shop.run(train + "dgx-a100").err, Contains("--libraries 2023 changes nothing here"));
  CHECK_THAT(shop.run("app make transformer-decode --model gpt2 --libraries 2023").err, Contains("--libraries"));
}

TEST_CASE("a trace of PyTorch's profiler is imported, and runs") {
  const Workshop shop;
  const std::string seed = std::string(GPUSIM_SOURCE_DIR) + "/tests/fuzz/seeds/kineto/small.json";
  const Workshop::Said said = shop.run("app import '" + seed + "' -o step.yaml");
  CHECK(said.code == 0);
  CHECK_THAT(said.err, Contains("1 kernel launched by 4 threads") && Contains("1 collective timed anew"));
  CHECK_THAT(run_app(shop, "step.yaml --system dgx-h100").out, Contains("all_reduce") || Contains("all-reduce"));
  shop.write("cut.json", R"({"traceEvents": [)");
  CHECK_THAT(shop.run("app import cut.json").err, Contains("is not whole JSON"));
}

TEST_CASE("a changed key is told in the report, and one that no file has is refused") {
  const Workshop shop;
  shop.write("step.yaml", kStep);
  const Workshop::Said slow = run_app(shop, "step.yaml --set calls.launch=104100ns --set kernels.k.time=20us");
  CHECK(slow.code == 0);
  CHECK_THAT(slow.out, Contains("with calls.launch=104100ns, kernels.k.time=20us: 0.130 ms a step"));
  const Workshop::Said odd = run_app(shop, "step.yaml --set calls.lunch=1us");
  CHECK(odd.code == 2);
  CHECK_THAT(odd.err, Contains("--set calls.lunch: unknown key 'calls.lunch' (did you mean 'launch'?)"));
  CHECK(run_app(shop, "step.yaml --set gpus.count=1").code == 0);
}

TEST_CASE("a step is written as Chakra traces, which are imported and take as long") {
  const Workshop shop;
  shop.write("step.yaml", kStep);
  CHECK(run_app(shop, "step.yaml --chakra traces").code == 0);
  CHECK(shop.run("app import traces/step.0.et -o again.yaml").code == 0);
  CHECK_THAT(run_app(shop, "again.yaml --system dgx-h100").out, Contains("0.060 ms a step"));
  CHECK(run_app(shop, "step.yaml --chakra step.yaml").code == 2);
  CHECK_THAT(shop.run("app import step.yaml --ranks 2").err, Contains("--ranks is of a Chakra trace"));
}

TEST_CASE("a report of Nsight Systems is known by its content, whatever its name") {
  const Workshop shop;
  gpusim::nsys::test::SmallReport::write(shop.folder() / "report.bin",
                                         std::string(gpusim::nsys::test::kTables) + gpusim::nsys::test::kStep);
  const Workshop::Said said = shop.run("app import report.bin -o step.yaml");
  CHECK(said.code == 0);
  CHECK_THAT(said.err, Contains("1 kernel launched by 1 thread"));
  CHECK(run_app(shop, "step.yaml --system dgx-h100").code == 0);
}

TEST_CASE("a sweep of steps is run once, and says what it took") {
  const Workshop shop;
  shop.write("step.yaml", kStep);
  const std::string sweep =
      "sweep --system dgx-h100 --app step.yaml --vary calls.launch=1us,2us --kernel-times none --format json";
  const Workshop::Said first = shop.run(sweep);
  CHECK(first.code == 0);
  const json answer = json::parse(first.out);
  CHECK(answer["points"].size() == 2);
  CHECK(answer["points"][1]["time_us"].get<double>() - answer["points"][0]["time_us"].get<double>() == Approx(1));
  CHECK(answer["points"][0]["metrics"].contains("launch_gaps_pct"));
  CHECK_THAT(shop.run(sweep).err, Contains("0 points run, 2 were there already"));
  CHECK_THAT(shop.run("sweep show --study all").out, Contains("calls.launch"));
  CHECK(shop.run("sweep show --html page.html").code == 0);
  CHECK(json::parse(shop.run("sweep show --result best").out)["schema"] == "gpusim.app/1");
  const Workshop::Said mixed = shop.run("sweep --system dgx-h100 --app step.yaml --arch h100");
  CHECK(mixed.code == 1);
  CHECK_THAT(mixed.err, Contains("--arch is of kernels; it does not go with --app"));
}

}  // namespace application_test
