// SPDX-License-Identifier: MIT
// Chakra execution traces: read, written, and as applications.
#include "sim/system/chakra/import.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/gzip.h"
#include "sim/base/problem.h"
#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"

namespace chakra_import_test {

using namespace gpusim;
using namespace gpusim::chakra;
using Catch::Contains;

namespace {

Node cpu(std::uint64_t id, const std::string& name, double begin, double ns, std::vector<std::uint64_t> needs = {}) {
  Node node;
  node.id = id;
  node.name = name;
  node.type = NodeType::kCompute;
  node.is_on_cpu = true;
  node.begin = begin;
  node.ns = ns;
  node.needs = std::move(needs);
  return node;
}

Node kernel(std::uint64_t id, double begin, double ns, std::int64_t stream, std::vector<std::uint64_t> needs) {
  Node node = cpu(id, "kernel" + std::to_string(id), begin, ns, std::move(needs));
  node.is_on_cpu = false;
  node.stream = stream;
  return node;
}

Node collective(std::uint64_t id, CommType type, std::uint64_t bytes, std::vector<std::uint64_t> needs = {}) {
  Node node;
  node.id = id;
  node.name = "comm";
  node.type = NodeType::kCollective;
  node.comm = static_cast<std::int64_t>(type);
  node.comm_bytes = bytes;
  node.needs = std::move(needs);
  return node;
}

/// An operator that holds a launch of a kernel, and a kernel on another stream that needs it.
std::vector<Node> small() {
  return {cpu(1, "aten::mm", 0, 20'000),          cpu(2, "cudaLaunchKernel", 5'000, 5'000, {1}),
          kernel(3, 15'000, 100'000, 7, {2}),     cpu(4, "cudaLaunchKernel", 30'000, 6'000),
          kernel(5, 120'000, 50'000, 20, {4, 3}), cpu(6, "cudaDeviceSynchronize", 40'000, 130'000, {5})};
}

/// What a body does, one word per call.
std::string words(const application::Calls& calls) {
  static constexpr std::array<const char*, 16> kWords{"work",  "launch",   "copy",  "fill", "record", "wait",
                                                      "sync",  "all",      "graph", "put",  "take",   "repeat",
                                                      "range", "allocate", "free",  "cache"};
  std::string text;
  for (const application::Call& one : calls) {
    text += (text.empty() ? "" : " ") + std::string(kWords[one.is.index()]);
  }
  return text;
}

std::string error_of(const std::vector<Node>& nodes, std::uint64_t ranks = 0) {
  try {
    static_cast<void>(import_traces({nodes}, ranks, "step.et"));
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("was accepted");
  return "";
}

std::string parse_error(const std::string& bytes) {
  try {
    static_cast<void>(parse_trace(bytes, "step.et"));
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("was accepted");
  return "";
}

}  // namespace

TEST_CASE("a trace that was written reads back to the same nodes") {
  std::vector<Node> nodes = small();
  nodes.push_back(collective(7, CommType::kReduceScatter, 1 << 20, {5}));
  const std::vector<Node> read = parse_trace(write_trace(nodes), "step.et");
  REQUIRE(read.size() == nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    CHECK(read[i].id == nodes[i].id);
    CHECK(read[i].name == nodes[i].name);
    CHECK(read[i].needs == nodes[i].needs);
    CHECK(read[i].begin == nodes[i].begin);
    CHECK(read[i].ns == nodes[i].ns);
    CHECK(read[i].is_on_cpu == nodes[i].is_on_cpu);
    CHECK(read[i].stream == nodes[i].stream);
    CHECK(read[i].comm == nodes[i].comm);
    CHECK(read[i].comm_bytes == nodes[i].comm_bytes);
  }
}

TEST_CASE("work of the CPU keeps its own time, launches follow it, and a need between streams is an event") {
  const Imported imported = import_traces({small()}, 0, "step.et");
  const application::Calls& calls = imported.application.bodies.front();
  CHECK(words(calls) == "work work launch record work work wait launch work sync");
  CHECK(std::get<application::Work>(calls[0].is).ns == 15'000);  // without the launch within it
  CHECK(std::get<application::Work>(calls[1].is).ns == 900);     // a replayed launch takes 4.1 us
  CHECK(std::get<application::Work>(calls[4].is).name == "CPU");
  CHECK(std::get<application::Work>(calls[4].is).ns == 10'000);
  CHECK(imported.kernels == 2);
  CHECK(imported.application.kernels.size() == 2);
  CHECK_NOTHROW(application::parse_application(application::to_yaml(imported.application), "imported.yaml"));
}

TEST_CASE("work with FLOPs and bytes but no time is by the roofline, and loads and stores are copies") {
  Node product = kernel(1, 0, 0, 0, {});
  product.flops = 1e12;
  product.bytes = 1 << 20;
  Node load = kernel(2, 0, 0, 0, {1});
  load.type = NodeType::kLoad;
  load.bytes = 4096;
  const Imported imported = import_traces({{product, load}}, 0, "step.et");
  const auto& how = std::get<application::Roofline>(imported.application.kernels.front().how);
  CHECK(how.flops == 1e12);
  CHECK(how.bytes == 1 << 20);
  CHECK(std::get<application::Copy>(imported.application.bodies.front()[1].is).way == application::Way::kToDevice);
}

TEST_CASE("each rank's trace is a thread, and one trace may stand for many") {
  const std::vector<Node> nodes{collective(1, CommType::kAllReduce, 1 << 20)};
  const Imported two = import_traces({nodes, nodes}, 0, "step.0.et");
  CHECK(two.application.threads.size() == 2);
  CHECK(two.application.threads[1].body != two.application.threads[0].body);
  const Imported eight = import_traces({nodes}, 8, "step.et");
  CHECK(eight.application.threads.size() == 8);
  CHECK(eight.application.bodies.size() == 1);
  CHECK_THAT(error_of(nodes), Contains("is a collective, and the trace is of one rank (--ranks N"));
  CHECK_THROWS_WITH(import_traces({nodes, nodes}, 8, "step.0.et"), Contains("leave --ranks out"));
}

TEST_CASE("needs in a circle are named, as are needs that are not there") {
  CHECK_THAT(error_of({kernel(1, 0, 5, 0, {3}), kernel(2, 0, 5, 0, {1}), kernel(3, 0, 5, 0, {2})}),
             Contains("step.et: nodes need each other in a circle: 'kernel1' (1) needs 'kernel3' (3) needs 'kernel2' "
                      "(2) needs 'kernel1' (1)"));
  CHECK_THAT(error_of({kernel(1, 0, 5, 0, {9})}), Contains("'kernel1' (1) needs node 9, which is not there"));
}

TEST_CASE("communication that no application has is refused with its node") {
  CHECK_THAT(error_of({collective(4, CommType::kGather, 8)}, 2), Contains("node 4 ('comm') is of comm_type 3"));
  Node send = collective(5, CommType::kAllReduce, 8);
  send.type = NodeType::kSend;
  send.to = 7;
  CHECK_THAT(error_of({send}, 2), Contains("sends to rank 7 (the traces are of ranks 0 to 1)"));
}

TEST_CASE("what is cut off, names a node twice, or is another file is refused in a sentence") {
  const std::string whole = write_trace(small());
  CHECK_THAT(parse_error(whole.substr(0, whole.size() - 3)), Contains("message 7 is cut off"));
  CHECK_THAT(parse_error(""), Contains("is empty"));
  CHECK_THAT(parse_error("{\"traceEvents\": []}"), Contains("is cut off, or is not of a Chakra execution trace"));
  CHECK_THAT(parse_error(write_trace({})), Contains("has no nodes"));
  CHECK_THAT(parse_error(write_trace({kernel(1, 0, 1, 0, {}), kernel(1, 0, 1, 0, {})})),
             Contains("has two nodes with the number 1"));
}

TEST_CASE("the traces of all ranks are found beside one of them, packed or not") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "gpusim-chakra-ranks";
  std::filesystem::create_directories(folder);
  for (const char* const name : {"step.0.et", "step.1.et", "other.et"}) {
    std::ofstream(folder / name, std::ios::binary) << gzip(write_trace(small()));
  }
  CHECK(files_of_ranks(folder / "step.1.et").size() == 2);
  CHECK(files_of_ranks(folder / "other.et").size() == 1);
  CHECK(import_ranks(files_of_ranks(folder / "step.0.et"), 0).application.threads.size() == 2);
  std::filesystem::remove_all(folder);
}

}  // namespace chakra_import_test
