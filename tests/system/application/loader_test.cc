// SPDX-License-Identifier: MIT
// Files of applications: what they may say, and what is said of those that are wrong.
#include "sim/system/application/loader.h"

#include <filesystem>
#include <span>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/model/arch/override.h"
#include "sim/system/application/writer.h"

#include "tests/support/golden.h"

namespace application_loader_test {

using namespace gpusim;
using namespace gpusim::application;
using Catch::Contains;

namespace {

constexpr const char* kHead = R"(kernels:
  k: {time: 10 us}
streams: {side: {waits_for_default: no}}
queues: {batches: 2}
)";

Application parse(const std::string& text) {
  return parse_application(text, "step.yaml");
}

/// An application whose one thread does these calls.
std::string with_calls(const std::string& calls) {
  return std::string(kHead) + "threads:\n  main: [" + calls + "]\n";
}

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("was accepted:\n" << text);
  return "";
}

const Calls& calls_of(const Application& application) {
  return application.bodies.front();
}

}  // namespace

TEST_CASE("a call's short form means the same as its map") {
  const Application application = parse(with_calls("launch: k, launch: {kernel: k, stream: default}, work: 8 us"));
  const auto& first = std::get<Launch>(calls_of(application)[0].is);
  const auto& second = std::get<Launch>(calls_of(application)[1].is);
  CHECK(first.kernel == second.kernel);
  CHECK(first.stream == second.stream);
  CHECK(std::get<Work>(calls_of(application)[2].is).ns == 8000);
}

TEST_CASE("a copy's ends say which way it goes") {
  const Application application =
      parse(with_calls("copy: {from: host, bytes: 1 KiB}, copy: {to: host, bytes: 1 KiB}, copy: {bytes: 1 KiB}, "
                       "copy: {to: gpu1, bytes: 1 KiB}, copy: {from: gpu1, bytes: 1 KiB}"));
  std::vector<Way> ways;
  for (const Call& call : calls_of(application)) {
    ways.push_back(std::get<Copy>(call.is).way);
  }
  CHECK(ways == std::vector{Way::kToDevice, Way::kToHost, Way::kOnDevice, Way::kToPeer, Way::kFromPeer});
}

TEST_CASE("a range of threads has a GPU each, and shares its calls") {
  const Application application =
      parse(std::string(kHead) + "threads:\n  rank0..3: {gpu: gpu0..3, calls: [launch: k]}\n");
  REQUIRE(application.threads.size() == 4);
  CHECK(application.threads[2].name == "rank2");
  CHECK(application.threads[2].gpu == "gpu2");
  CHECK(application.bodies.size() == 1);
}

TEST_CASE("an unknown call, kernel, stream or key is named with its place and the nearest word") {
  CHECK_THAT(error_of(with_calls("lanch: k")), Contains("step.yaml:6:10: unknown call 'lanch'") && Contains("launch"));
  CHECK_THAT(
      error_of("kernels: {k: {time: 1 us, label: long}, l: {time: 2 us, label: x, like: k}}\nthreads: {main: []}\n"),
      Contains("'like' takes the label of another kernel"));
  CHECK_THAT(error_of("kernels: {k: {time: 1 us, like: l}, l: {time: 2 us}}\nthreads: {main: []}\n"),
             Contains("unknown kernel 'l'"));
  CHECK_THAT(error_of(std::string(kHead) + "graphs: {g: {gap: 1 us}}\nthreads: {main: [graph: g]}\n"),
             Contains("calls"));
  CHECK_THAT(error_of(with_calls("launch: kk")), Contains("unknown kernel 'kk'") && Contains("'k'"));
  CHECK_THAT(error_of(with_calls("launch: {kernel: k, stream: sid}")),
             Contains("unknown stream 'sid'") && Contains("side"));
  CHECK_THAT(error_of(with_calls("launch: {kernel: k, steam: side}")),
             Contains("unknown key 'steam' of 'launch'") && Contains("stream"));
}

TEST_CASE("an event that nothing records is refused where it is awaited") {
  CHECK_THAT(error_of(with_calls("record: copied, wait: copid")),
             Contains("nothing records the event 'copid'") && Contains("copied"));
}

TEST_CASE("a buffer that nothing allocates is refused where it is freed") {
  CHECK_THAT(error_of(with_calls("allocate: {buffer: weights, bytes: 1 MiB}, free: weigths")),
             Contains("nothing allocates the buffer 'weigths'") && Contains("weights"));
}

TEST_CASE("a kernel needs exactly one of trace, bytes and time") {
  const std::string threads = "threads: {main: [launch: k]}\n";
  CHECK_THAT(error_of("kernels: {k: {ctas: 8}}\n" + threads), Contains("needs one of 'trace', 'bytes' and 'time'"));
  CHECK_THAT(error_of("kernels: {k: {time: 1 us, bytes: 1 KiB}}\n" + threads), Contains("needs one of"));
  CHECK_THAT(error_of("kernels: {k: {time: -1 us}}\n" + threads), Contains("'time'"));
}

TEST_CASE("a graph cannot hold what waits") {
  CHECK_THAT(
      error_of(std::string(kHead) + "graphs: {g: [launch: k, synchronize: device]}\nthreads: {main: [graph: g]}\n"),
      Contains("the graph 'g' cannot hold this call"));
}

TEST_CASE("what would never end is refused") {
  CHECK_THAT(error_of(std::string(kHead) + "threads: {w: {background: yes, calls: [put: batches]}}\n"),
             Contains("no thread would ever end"));
  CHECK_THAT(error_of(with_calls("repeat: {times: 1000000, calls: [repeat: {times: 1000, calls: [launch: k]}]}")),
             Contains("more than 2 million calls"));
}

TEST_CASE("numbers need their units, and lists their form") {
  CHECK_THAT(error_of(with_calls("work: 8")), Contains("'time'") && Contains("unit"));
  CHECK_THAT(error_of(with_calls("copy: {from: host, bytes: 4}")), Contains("'bytes'"));
  CHECK_THAT(error_of("threads: {main: {calls: {launch: k}}}\n"), Contains("calls must be a list"));
  CHECK_THAT(error_of("threads: 5\n"), Contains("'threads' must be a map"));
  CHECK_THAT(error_of("[1, 2]\n"), Contains("step.yaml"));
}

TEST_CASE("a recorded kernel may say which operation it does, with the sizes of its kind") {
  const Application application = parse(
      "kernels:\n"
      "  a: {time: 5 us, of: a100, does: {of: product, m: 64, n: 32, k: 16, batch: 2, type: tf32}}\n"
      "  b: {time: 5 us, does: {of: attention, batch: 1, heads: 8, kv_heads: 2, queries: 128, keys: 256, head_size: "
      "64,\n"
      "      causal: yes, flash: 2}}\n"
      "  c: {time: 5 us, does: {of: move, bytes: 3 MiB}}\n"
      "threads: {main: [launch: a, launch: b, launch: c]}\n");
  const auto does = [&application](std::size_t kernel) {
    return std::get<Recorded>(application.kernels[kernel].how).does.value();
  };
  CHECK(does(0).of == OperationKind::kProduct);
  CHECK(does(0).k == 16);
  CHECK(does(0).batch == 2);
  CHECK(does(0).type == ElementType::kTf32);
  CHECK(does(1).causal);
  CHECK(does(1).flash == FlashKernel::kSecond);
  CHECK(does(1).keys == 256);
  CHECK(does(2).bytes == 3 << 20);
  const std::string written = to_yaml(application);
  CHECK(to_yaml(parse(written)) == written);
}

TEST_CASE("the library of a collective is NCCL where nothing else is said, and is written where it is not") {
  const Application application = parse(
      "threads: {a: {gpu: gpu0, calls: [collective: {of: all-reduce, bytes: 8 KiB, library: custom}, collective: {of: "
      "all-reduce, bytes: 8 KiB}]}}\n");
  const application::Calls& calls = application.bodies[application.threads[0].body];
  CHECK(std::get<RunCollective>(calls[0].is).library == collective::Library::kCustom);
  CHECK(std::get<RunCollective>(calls[1].is).library == collective::Library::kNccl);
  const std::string written = to_yaml(application);
  CHECK_THAT(written, Contains("library: custom"));
  CHECK(to_yaml(parse(written)) == written);
}

TEST_CASE("a kernel may find nothing of what it reads in L2, which is said of a trace alone") {
  const Application application = parse(
      "kernels:\n  a: {trace: copy, params: {n: 128}, cache: cold}\n  b: {trace: copy, cache: warm}\n"
      "threads: {main: [launch: a, launch: b]}\n");
  CHECK(std::get<Simulated>(application.kernels[0].how).is_cold);
  CHECK_FALSE(std::get<Simulated>(application.kernels[1].how).is_cold);
  const std::string written = to_yaml(application);
  CHECK(to_yaml(parse(written)) == written);
  CHECK_THROWS_WITH(parse("kernels: {a: {bytes: 1 KiB, cache: cold}}\nthreads: {main: [launch: a]}\n"),
                    Contains("'cache' is that of a trace"));
  CHECK_THROWS_WITH(parse("kernels: {a: {trace: copy, cache: cool}}\nthreads: {main: [launch: a]}\n"),
                    Contains("'cool'") && Contains("cold"));
}

TEST_CASE("a kernel by the roofline may take cycles of the SMs, and time besides, which a trace does not") {
  const Application application =
      parse("kernels: {a: {bytes: 1 KiB, sm_cycles: 5000 cycles, besides: 6500 ns}}\nthreads: {main: [launch: a]}\n");
  const auto& how = std::get<Roofline>(application.kernels[0].how);
  CHECK(how.sm_cycles == 5000);
  CHECK(how.besides_ns == 6500);
  const std::string written = to_yaml(application);
  CHECK_THAT(written, Contains("sm_cycles: 5000 cycles") && Contains("besides: 6500 ns"));
  CHECK(to_yaml(parse(written)) == written);
  CHECK_THROWS_WITH(parse("kernels: {a: {trace: copy, besides: 1 us}}\nthreads: {main: [launch: a]}\n"),
                    Contains("'besides' is that of a kernel with 'bytes'"));
}

TEST_CASE("names that are not one word are written so that they are read again") {
  const Application application = parse(
      "kernels:\n"
      "  'a, b': {trace: \"my {own}, 2.trace\", params: {\"n\\n\": \"a: b\", m: 4}}\n"
      "  b: {time: 5 us, of: \"my gpu: 1.yaml\"}\n"
      "threads: {main: [launch: 'a, b', launch: b]}\n");
  const Application again = parse(to_yaml(application));
  const auto& how = std::get<Simulated>(again.kernels[0].how);
  CHECK(again.kernels[0].name == "a, b");
  CHECK(how.trace == "my {own}, 2.trace");
  CHECK(how.params == Parameters{{"n\n", "a: b"}, {"m", "4"}});
  CHECK(std::get<Recorded>(again.kernels[1].how).of == "my gpu: 1.yaml");
}

TEST_CASE("an operation lacks no size, has no others, and belongs to a recorded time") {
  const auto with = [](const std::string& does, const std::string& how = "time: 5 us") {
    return error_of("kernels: {k: {" + how + ", does: " + does + "}}\nthreads: {main: [launch: k]}\n");
  };
  CHECK_THAT(with("{of: product, m: 4, n: 4, batch: 1}"), Contains("lacks 'k'"));
  CHECK_THAT(with("{of: softmax, rows: 4, columns: 4, m: 2}"), Contains("unknown key 'm'"));
  CHECK_THAT(with("{of: move, bytes: 4 KiB, type: bf16}"), Contains("unknown key 'type'"));
  CHECK_THAT(with("{of: prodct, m: 4}"), Contains("'of' cannot be 'prodct'") && Contains("product"));
  CHECK_THAT(with("{rows: 4, columns: 4}"), Contains("lacks 'of'"));
  CHECK_THAT(with("{of: gelu, elements: 0, type: bf16}"), Contains("'elements'"));
  CHECK_THAT(with("{of: gelu, elements: 4, type: fp12}"), Contains("'type' cannot be 'fp12'"));
  CHECK_THAT(with("{of: move, bytes: 4 KiB}", "bytes: 4 KiB"), Contains("'does' says of a kernel with a 'time'"));
}

TEST_CASE("the documentation of operations is up to date") {
  CHECK(ends_with_generated(
      "docs/profiles.md",
      "<!-- generated from the table of operations: GPUSIM_REGENERATE=1 test_system_application -->\n",
      operations_markdown()));
}

TEST_CASE("the documentation of calls is up to date") {
  CHECK(ends_with_generated("docs/applications.md",
                            "<!-- generated from the table of calls: GPUSIM_REGENERATE=1 test_system_application -->\n",
                            calls_markdown()));
}

TEST_CASE("every shipped application loads") {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(GPUSIM_SOURCE_DIR) / "traces" / "applications")) {
    CAPTURE(entry.path());
    CHECK_NOTHROW(load_application(entry.path()));
    ++count;
  }
  CHECK(count >= 5);
}

TEST_CASE("a change stands for what the file says, at the top and of a kernel, and adds parameters") {
  const std::vector<arch::Override> changes{
      {"repeats", "7"}, {"kernels.k.time", "20 us"}, {"kernels.g.v2.params.m", "64"}, {"queues.batches.depth", "8"}};
  const Application made = parse_application(
      "kernels: {k: {time: 10 us}, g.v2: {trace: gemm}}\nqueues: {batches: {depth: 2}}\n"
      "threads: {main: [launch: k, put: batches]}\n",
      "step.yaml", changes);
  CHECK(made.repeats == 7);
  CHECK(std::get<Recorded>(made.kernels[0].how).ns == 20'000);
  CHECK(std::get<Simulated>(made.kernels[1].how).params == Parameters{{"m", "64"}});
  CHECK(made.queues[0].depth == 8);
}

TEST_CASE("a change that an application does not take is told by its key") {
  const auto error_with = [](const arch::Override& change) {
    try {
      static_cast<void>(parse_application(with_calls("launch: k"), "step.yaml", std::span(&change, 1)));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(error_with({"kernels.kk.time", "1 us"}) ==
        "--set kernels.kk.time: unknown key 'kernels.kk.time' (did you mean 'kernels.k'?)");
  CHECK_THAT(error_with({"kernels.k.tmie", "1 us"}), Contains("--set kernels.k.tmie: unknown key 'tmie' of 'k'"));
  CHECK_THAT(error_with({"kernels.k.time", "1"}), Contains("--set kernels.k.time: 'time'"));
  CHECK_THAT(error_with({"queues.batches.depth", "3"}),
             Contains("--set queues.batches.depth: 'queues.batches' has no"));
}

}  // namespace application_loader_test
