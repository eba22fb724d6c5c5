// SPDX-License-Identifier: MIT
// Applications over time, on shipped systems whose calls cost round numbers.
#include "sim/system/run/run.h"

#include <map>
#include <numeric>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/system/application/loader.h"
#include "sim/system/run/breakdown.h"
#include "sim/system/run/critical_path.h"

#include "tests/system/config/samples.h"

namespace application_run_test {

using namespace gpusim;
using namespace gpusim::run;
using Catch::Contains;

namespace {

constexpr double kUs = 1000;

/// Kernels of an application as they are in these tests: recorded, on a GPU with 100 SMs.
Costs costs_of(const application::Application& application) {
  Costs costs(1);
  for (const application::Kernel& kernel : application.kernels) {
    KernelCost cost;
    cost.ns = std::get<application::Recorded>(kernel.how).ns;
    cost.bound = Bound::kUnknown;
    spread_ctas(cost, kernel.ctas == 0 ? 100 : static_cast<double>(kernel.ctas), kernel.ctas_per_sm, 100);
    cost.tail_ns = cost.ns * cost.tail_share;
    costs.front().push_back(cost);
  }
  return costs;
}

system::System system_of(const std::string& name) {
  system::System system = system::test::shipped(name);
  system.calls = {.launch_ns = 2000,
                  .submit_ns = 3000,
                  .synchronize_ns = 4000,
                  .idle_ns = 100,
                  .record_ns = 1000,
                  .event_ns = 500,
                  .wait_ns = 200,
                  .copy_ns = 1000,
                  .copy_begin_ns = 1500,
                  .fill_ns = 1000,
                  .malloc_ns = 50000,
                  .graph_ns = 5000,
                  .graph_gap_ns = 200,
                  .graph_node_ns = 0,
                  .pageable = 10'000'000'000,
                  .staged_bytes = 65536,
                  .queue_depth = 1024};
  return system;
}

memory::Offer memory_of_test() {
  return {1'000'000'000, 100'000'000, 0};
}

Timeline timeline_of(const std::string& text, const std::string& name = "dgx-h100") {
  const application::Application application = application::parse_application(text, "step.yaml");
  const system::System system = system_of(name);
  const system::Fabric fabric(system);
  const Binding binding(application, system, fabric);
  const std::vector<GpuFacts> gpus(binding.gpus().size(), {100, 1000, 3000, 0, memory_of_test()});
  return run::run(binding, gpus, costs_of(application));
}

/// One thread with these calls; `k` takes 10 us on all SMs, `half` on half of them.
std::string main_does(const std::string& calls) {
  return "kernels: {k: {time: 10 us}, half: {time: 10 us, ctas: 50}, long: {time: 10 us, ctas: 150}}\n"
         "streams: {a: {waits_for_default: no}, b: {waits_for_default: no}, blocking: {}}\n"
         "threads: {main: [" +
         calls + "]}\n";
}

double step_us(const std::string& calls) {
  return timeline_of(main_does(calls)).step_ns() / kUs;
}

std::string stuck(const std::string& text) {
  try {
    static_cast<void>(timeline_of(text));
  } catch (const CannotFinishError& error) {
    return error.what();
  }
  FAIL("went on");
  return "";
}

std::vector<Activity> kernels_of(const Timeline& timeline) {
  std::vector<Activity> kernels;
  std::ranges::copy_if(timeline.activities, std::back_inserter(kernels),
                       [](const Activity& activity) { return activity.kind == ActivityKind::kKernel; });
  return kernels;
}

}  // namespace

TEST_CASE("a kernel on an idle GPU takes its launch, its way there, its time, and the return of the wait") {
  CHECK(step_us("launch: k, synchronize: device") == Approx(2 + 3 + 10 + 4));
}

TEST_CASE("kernels of a stream follow with a gap, while the CPU runs ahead") {
  CHECK(step_us("repeat: {times: 5, calls: [launch: k]}, synchronize: device") == Approx(2 + 3 + 5 * 10 + 4 * 1 + 4));
}

TEST_CASE("a CPU that is slower than the kernels decides the step") {
  const double us = step_us("repeat: {times: 5, calls: [work: 20 us, launch: k]}, synchronize: device");
  CHECK(us == Approx(5 * 22 + 3 + 10 + 4));
}

TEST_CASE("nodes of a graph follow with a smaller gap, and cost no launch") {
  const std::string text =
      main_does("graph: g, synchronize: device") + "graphs: {g: [repeat: {times: 5, calls: [launch: k]}]}\n";
  CHECK(timeline_of(text).step_ns() / kUs == Approx(5 + 3 + 5 * 10.2 + 4));
}

TEST_CASE("kernels of two streams run together when both fit, and one after the other when they do not") {
  const auto two = [](const std::string& kernel) {
    return step_us("launch: {kernel: " + kernel + ", stream: a}, launch: {kernel: " + kernel +
                   ", stream: b}, synchronize: device");
  };
  CHECK(two("half") == Approx(4 + 3 + 10 + 4));
  CHECK(two("k") == Approx(2 + 3 + 20 + 4));
}

TEST_CASE("the last wave of a kernel leaves SMs to the next one") {
  // The first 5 us of 10 fill all SMs, and the last 5 half of them: the second kernel gains half of those.
  const Timeline timeline =
      timeline_of(main_does("launch: {kernel: long, stream: a}, launch: {kernel: k, stream: b}, synchronize: device"));
  const std::vector<Activity> kernels = kernels_of(timeline);
  CHECK(kernels[1].begin == Approx(kernels[0].begin + 5 * kUs));
  CHECK(kernels[1].end == Approx(kernels[0].end + 7.5 * kUs));
}

TEST_CASE("CUDA's default stream waits for blocking streams and they for it, but not for the others") {
  const auto begin_of_second = [](const std::string& calls) {
    const std::vector<Activity> kernels = kernels_of(timeline_of(main_does(calls + ", synchronize: device")));
    return (kernels[1].begin - kernels[0].begin) / kUs;
  };
  CHECK(begin_of_second("launch: {kernel: half, stream: blocking}, launch: half") == Approx(11));
  CHECK(begin_of_second("launch: half, launch: {kernel: half, stream: blocking}") == Approx(11));
  CHECK(begin_of_second("launch: {kernel: half, stream: a}, launch: half") == Approx(2));
}

TEST_CASE("a stream waits for an event of another one") {
  const std::vector<Activity> kernels = kernels_of(
      timeline_of(main_does("launch: {kernel: half, stream: a}, record: {event: e, stream: a}, wait: {event: e, "
                            "stream: b}, launch: {kernel: half, stream: b}, synchronize: device")));
  CHECK(kernels[1].begin >= kernels[0].end);
}

TEST_CASE("a launch blocks when its stream holds as many as it can") {
  const Timeline timeline =
      timeline_of(main_does("repeat: {times: 1400, calls: [launch: k]}, work: 1 us, synchronize: device"));
  const auto waiting = std::ranges::count_if(timeline.activities, [](const Activity& activity) {
    return activity.kind == ActivityKind::kCall && activity.blocked > 0 && activity.acted > activity.begin + 3 * kUs;
  });
  CHECK(waiting > 0);
}

TEST_CASE("a copy of pinned memory goes on beside the CPU, one of pageable memory holds it") {
  const std::string size = "bytes: 64 MiB";
  const double pinned = step_us("copy: {from: host, " + size + "}, work: 1 us");
  const double pageable = step_us("copy: {from: host, memory: pageable, " + size + "}, work: 1 us");
  const double at_link_us = 64 * 1024 * 1024 / 55.1e3;
  CHECK(pinned == Approx(1 + 1.5 + at_link_us).epsilon(0.001));
  CHECK(pageable > 64 * 1024 * 1024 / 10e3);
}

TEST_CASE("copies to the GPU wait for each other, and copies both ways share the link") {
  const std::string to = "copy: {from: host, bytes: 64 MiB, stream: a}";
  const std::string also_to = "copy: {from: host, bytes: 64 MiB, stream: b}";
  const std::string back = "copy: {to: host, bytes: 64 MiB, stream: b}";
  const double one = step_us(to + ", synchronize: device");
  CHECK(step_us(to + ", " + also_to + ", synchronize: device") == Approx(2 * one).epsilon(0.02));
  const double both = step_us(to + ", " + back + ", synchronize: device");
  CHECK(both > 1.2 * one);
  CHECK(both < 1.6 * one);
}

TEST_CASE("a data loader with n workers gives a batch every nth part of a batch's time") {
  for (const int workers : {1, 2, 4}) {
    const Timeline timeline = timeline_of(
        "kernels: {k: {time: 5 ms}}\nqueues: {batches: 8}\nwarm_up: 3\nrepeats: 12\nthreads:\n"
        "  main: [take: batches, launch: k, synchronize: device]\n"
        "  worker1.." +
        std::to_string(workers) + ": {background: yes, calls: [work: 40 ms, put: batches]}\n");
    CHECK(timeline.step_ns() / kUs == Approx(40'000.0 / workers).epsilon(0.05));
  }
}

TEST_CASE("what a link carries over time adds up to the bytes of its copies, and never passes its rate") {
  const Timeline timeline = timeline_of(
      main_does("copy: {from: host, bytes: 64 MiB, stream: a}, copy: {from: host, bytes: 32 MiB, stream: b}, "
                "copy: {to: host, bytes: 16 MiB, stream: b}, synchronize: device"));
  std::map<std::string, double> bytes;
  for (const LinkSeries& link : timeline.links) {
    for (std::size_t i = 0; i < link.steps.size(); ++i) {
      const double until = i + 1 < link.steps.size() ? link.steps[i + 1].time : timeline.end;
      bytes[link.name] += link.steps[i].rate * (until - link.steps[i].time);
      CHECK(link.steps[i].rate <= link.most * (1 + 1e-9));
    }
    CHECK(link.steps.back().rate == 0);
  }
  CHECK(bytes.at("pex0 -> gpu0") == Approx(96 << 20));
  CHECK(bytes.at("gpu0 -> pex0") == Approx(16 << 20));
}

TEST_CASE("a collective begins when the last rank has come, and holds SMs of those that wait") {
  const Timeline timeline = timeline_of(
      "kernels: {k: {time: 10 us}}\nstreams: {comm: {waits_for_default: no}}\nthreads:\n"
      "  early: {gpu: gpu0, calls: [collective: {of: all-reduce, bytes: 64 MiB, stream: comm}, launch: k]}\n"
      "  late: {gpu: gpu1, calls: [work: 500 us, collective: {of: all-reduce, bytes: 64 MiB, stream: comm}]}\n");
  std::vector<Activity> ranks;
  std::ranges::copy_if(timeline.activities, std::back_inserter(ranks),
                       [](const Activity& activity) { return activity.kind == ActivityKind::kCollective; });
  REQUIRE(ranks.size() == 2);
  CHECK(ranks[0].end == ranks[1].end);
  CHECK(ranks[0].end - ranks[0].begin > 490 * kUs);
  const Activity kernel = kernels_of(timeline).front();
  CHECK(kernel.end - kernel.begin > 10.5 * kUs);
}

TEST_CASE("ranks that call different collectives are refused, with both places") {
  const std::string text =
      "threads:\n"
      "  a: {gpu: gpu0, calls: [collective: {of: all-reduce, bytes: 1 MiB}]}\n"
      "  b: {gpu: gpu1, calls: [collective: {of: all-gather, bytes: 1 MiB}]}\n";
  CHECK_THROWS_WITH(timeline_of(text), Contains("step.yaml:3:") && Contains("all-gather of 1 MiB") &&
                                           Contains("(line 2)") && Contains("all-reduce of 1 MiB"));
  const std::string libraries =
      "threads:\n"
      "  a: {gpu: gpu0, calls: [collective: {of: all-reduce, bytes: 1 MiB}]}\n"
      "  b: {gpu: gpu1, calls: [collective: {of: all-reduce, bytes: 1 MiB, library: custom}]}\n";
  CHECK_THROWS_WITH(timeline_of(libraries), Contains("custom all-reduce of 1 MiB, and of 'a'"));
}

TEST_CASE("threads that wait for each other are named in a circle") {
  const std::string message = stuck(
      "queues: {x: 1, y: 1}\nthreads:\n"
      "  a: [take: x, put: y]\n"
      "  b: [take: y, put: x]\n");
  CHECK_THAT(message, Contains("'a' waits to take from 'x', which is empty"));
  CHECK_THAT(message, Contains("step.yaml:4:"));
  CHECK_THAT(message, Contains("they wait for each other: a -> b -> a"));
}

TEST_CASE("groups of ranks have collectives of their own, side by side or as far apart as the stride says") {
  const auto ends = [](const std::string& group, const std::string& late) {
    const Timeline timeline =
        timeline_of("streams: {comm: {waits_for_default: no}}\nthreads:\n  late: {gpu: " + late +
                    ", calls: [work: 500 us, collective: {of: all-reduce, bytes: 1 MiB, " + group + "}]}\n" + [&] {
                      std::string others;
                      for (int gpu = 0; gpu < 4; ++gpu) {
                        const std::string name = "gpu" + std::to_string(gpu);
                        others += name == late ? ""
                                               : "  of" + name + ": {gpu: " + name +
                                                     ", calls: [collective: {of: all-reduce, "
                                                     "bytes: 1 MiB, " +
                                                     group + "}]}\n";
                      }
                      return others;
                    }());
    std::vector<double> found(4, 0);
    for (const Activity& activity : timeline.activities) {
      if (activity.kind == ActivityKind::kCollective) {
        found[activity.gpu] = activity.end;
      }
    }
    return found;
  };
  // The late thread comes first in the file, so its GPU is rank 0, and the others follow.
  const std::vector<double> side_by_side = ends("ranks: 2", "gpu0");
  CHECK(side_by_side[1] > 500 * kUs);
  CHECK(side_by_side[2] < 200 * kUs);
  CHECK(side_by_side[3] == side_by_side[2]);
  const std::vector<double> apart = ends("ranks: 2, stride: 2", "gpu0");
  CHECK(apart[2] > 500 * kUs);
  CHECK(apart[1] < 200 * kUs);
  CHECK(apart[3] == apart[1]);
}

TEST_CASE("groups that do not make up all ranks are refused with the place of the call") {
  const std::string text =
      "threads:\n  rank0..3: {gpu: gpu0..3, calls: [collective: {of: all-reduce, bytes: 1 MiB, RANKS}]}\n";
  const auto with_ranks = [&](const std::string& ranks) {
    std::string changed = text;
    return changed.replace(changed.find("RANKS"), 5, ranks);
  };
  CHECK_THROWS_WITH(timeline_of(with_ranks("ranks: 3")),
                    Contains("step.yaml:2:") && Contains("groups of 3 ranks, 1 apart, do not make up 4 ranks"));
  CHECK_THROWS_WITH(timeline_of(with_ranks("stride: 2")), Contains("'stride' is that of a group of 'ranks'"));
}

TEST_CASE("groups that begin at a later rank leave those before out, and each stream has its own communicator") {
  const auto text = [](const std::string& rank) {
    return "streams: {a: {waits_for_default: no}, b: {waits_for_default: no}}\nthreads:\n  x: {gpu: gpu0, calls: "
           "[collective: {of: send-receive, bytes: 1 MiB, ranks: 2, stream: a}]}\n  y: {gpu: gpu1, calls: [collective: "
           "{of: send-receive, bytes: 2 MiB, ranks: 2, first: 1, stream: b}, collective: {of: send-receive, bytes: 1 "
           "MiB, "
           "ranks: 2, stream: a}]}\n  z: {gpu: gpu2, calls: [collective: {of: send-receive, bytes: 2 MiB, ranks: 2, " +
           rank + "stream: b}]}\n";
  };
  CHECK(timeline_of(text("first: 1, ")).step_ns() > 0);
  CHECK_THROWS_WITH(timeline_of(text("")), Contains("do not make up 3 ranks"));
}

TEST_CASE("a rank that never comes to a collective is named") {
  const std::string message = stuck(
      "threads:\n"
      "  a: {gpu: gpu0, calls: [repeat: {times: 2, calls: [collective: {of: all-reduce, bytes: 1 MiB}]}, "
      "synchronize: device]}\n"
      "  b: {gpu: gpu1, calls: [collective: {of: all-reduce, bytes: 1 MiB}]}\n");
  CHECK_THAT(message, Contains("a collective lacks 'b'"));
}

TEST_CASE("a GPU that the system lacks is refused by name") {
  CHECK_THROWS_WITH(timeline_of("threads: {a: {gpu: gpu9, calls: []}}\n"),
                    Contains("DGX H100 has no GPU 'gpu9'") && Contains("gpu"));
}

TEST_CASE("a step is what a round adds, whether or not the rounds end with a wait") {
  const std::string kernel = "kernels: {k: {time: 10 ms}}\n";
  for (const std::string rounds : {"warm_up: 1\nrepeats: 1\n", "warm_up: 4\nrepeats: 4\n"}) {
    const Timeline free = timeline_of(rounds + kernel + "threads: {main: [launch: k]}\n");
    CHECK(free.step_ns() / kUs == Approx(10'001).epsilon(0.001));
    const Timeline bound = timeline_of(rounds + kernel + "threads: {main: [launch: k, synchronize: device]}\n");
    CHECK(bound.step_ns() / kUs == Approx(10'009).epsilon(0.001));
  }
}

TEST_CASE("threads in the background neither begin the rounds nor end them, wherever they stand") {
  const std::string main = "  main: [take: q, launch: k, synchronize: device]\n";
  const std::string maker = "  maker: {background: yes, calls: [work: 3 ms, put: q]}\n";
  const std::string head = "warm_up: 2\nrepeats: 6\nkernels: {k: {time: 5 ms}}\nqueues: {q: 4}\nthreads:\n";
  const double first = timeline_of(head + main + maker).step_ns();
  CHECK(timeline_of(head + maker + main).step_ns() == Approx(first));
  CHECK(first / kUs == Approx(5'010).epsilon(0.001));
  const Timeline long_tail = timeline_of(
      "kernels: {k: {time: 1 ms, ctas: 50}, long: {time: 90 ms, ctas: 50}}\nstreams: {s: {waits_for_default: no}}\n"
      "threads:\n  main: [launch: k, synchronize: {stream: default}]\n"
      "  other: {background: yes, calls: [launch: {kernel: long, stream: s}, synchronize: {stream: s}]}\n");
  CHECK(long_tail.step_ns() / kUs < 1'100);
}

TEST_CASE("threads that do not wait for each other take as long as the slower one") {
  const Timeline timeline = timeline_of(
      "warm_up: 1\nrepeats: 4\nkernels: {short: {time: 1 ms}, long: {time: 21 ms}}\nthreads:\n"
      "  a: {gpu: gpu0, calls: [launch: short, synchronize: device]}\n"
      "  b: {gpu: gpu1, calls: [launch: long, synchronize: device]}\n");
  CHECK(timeline.step_ns() / kUs == Approx(21'009).epsilon(0.001));
}

TEST_CASE("long times lose neither kernels nor copies") {
  const Timeline timeline =
      timeline_of(main_does("work: {time: 900000 ms}, launch: k, copy: {from: host, bytes: 1 MiB}, "
                            "copy: {bytes: 64 MiB}, synchronize: device"));
  CHECK(timeline.end - 900000e6 < 1e6);
}

TEST_CASE("threads that are more than those of the CPU share it") {
  // Four threads work 1 ms each, on two sockets.
  const std::string text =
      "kernels: {k: {time: 10 us}}\n"
      "threads: {a: [work: 1 ms], b: [work: 1 ms], c: [work: 1 ms], d: [work: 1 ms]}\n";
  const auto us_with = [&text](std::uint32_t cpu_threads) {
    const application::Application application = application::parse_application(text, "step.yaml");
    system::System system = system_of("dgx-h100");
    for (system::Node& node : system.nodes) {
      if (auto* const host = std::get_if<system::Host>(&node.is)) {
        host->threads = cpu_threads;
      }
    }
    const system::Fabric fabric(system);
    const Binding binding(application, system, fabric);
    const std::vector<GpuFacts> gpus(binding.gpus().size(), {100, 1000, 3000, 0, memory_of_test()});
    return run::run(binding, gpus, costs_of(application)).step_ns() / kUs;
  };
  CHECK(us_with(112) == Approx(1000));
  CHECK(us_with(2) == Approx(1000));
  CHECK(us_with(1) == Approx(2000));
}

namespace {

constexpr const char* kGraphs =
    "kernels: {k: {time: 10 us}}\n"
    "graphs: {g: [launch: k, collective: {of: all-reduce, bytes: 8 MiB}], h: [launch: k]}\n";

}  // namespace

TEST_CASE("ranks meet in a collective of their graphs as in one of their streams") {
  const std::string sum = "launch: k, collective: {of: all-reduce, bytes: 8 MiB}";
  const auto step_with = [](const std::string& calls) {
    const Timeline timeline = timeline_of(std::string(kGraphs) + "threads: {a: {gpu: gpu0, calls: [" + calls +
                                          ", synchronize: device]}, b: {gpu: gpu1, calls: [work: 1 ms, " + calls +
                                          ", synchronize: device]}}\n");
    return timeline.step_ns() / kUs;
  };
  // The graph costs 5 us where two launches cost 4, and its nodes follow with a gap of 0.2 in place of 1 us.
  CHECK(step_with("graph: g") == Approx(step_with(sum)).margin(5));
  CHECK(step_with("graph: g") > 1000);
}

TEST_CASE("a rank whose graph lacks the collective of the others is named") {
  const std::string text =
      stuck(std::string(kGraphs) +
            "threads: {a: {gpu: gpu0, calls: [repeat: {times: 2, calls: [graph: g]}, synchronize: device]}, "
            "b: {gpu: gpu1, calls: [graph: g, graph: h, synchronize: device]}}\n");
  CHECK_THAT(text, Contains("'a' waits for work of its GPU, in which a collective lacks 'b'"));
}

TEST_CASE("a graph is one entry of its stream, and its nodes hold up no other") {
  const std::string text =
      main_does(
          "graph: {name: g, stream: a}, graph: {name: g, stream: a}, launch: {kernel: half, stream: b}, "
          "synchronize: {stream: b}") +
      "graphs: {g: [repeat: {times: 3000, calls: [launch: half]}]}\n";
  const Timeline timeline = timeline_of(text);
  CHECK(kernels_of(timeline).size() == 6001);
  const auto waited = std::ranges::count_if(timeline.activities, [](const Activity& activity) {
    return activity.kind == ActivityKind::kCall && activity.end - activity.begin > 20 * kUs;
  });
  CHECK(waited == 0);
}

TEST_CASE("a wait that begins with the run is a wait") {
  const Timeline timeline = timeline_of(
      "kernels: {k: {time: 1 ms}}\nqueues: {q: 1}\nthreads:\n  main: [take: q, launch: k, synchronize: device]\n"
      "  maker: {background: yes, calls: [work: 40 ms, put: q]}\n");
  const Breakdown causes = break_down(timeline, 0, {KernelCost{}});
  CHECK(causes[static_cast<std::size_t>(Cause::kData)] == Approx(40e6).epsilon(0.01));
}

TEST_CASE("the critical path leads through what held the SMs or the copy engine") {
  const auto on_path = [](const std::string& calls, std::size_t nth) {
    const Timeline timeline = timeline_of(main_does(calls + ", synchronize: device"));
    const Activity wanted = [&] {
      std::size_t seen = 0;
      for (const Activity& activity : timeline.activities) {
        if (activity.is_on_gpu() && seen++ == nth) {
          return activity;
        }
      }
      return Activity{};
    }();
    double ns = 0;
    for (const PathPart& part : critical_path(timeline)) {
      const Activity& activity = timeline.activities[part.activity];
      ns += activity.is_on_gpu() && activity.begin == wanted.begin ? part.ns : 0;
    }
    return ns / kUs;
  };
  CHECK(on_path("launch: {kernel: k, stream: a}, launch: {kernel: k, stream: b}", 0) == Approx(10));
  const std::string copy = "copy: {from: host, bytes: 64 MiB, stream: ";
  CHECK(on_path(copy + "a}, " + copy + "b}", 0) > 1000);
}

TEST_CASE("a staged copy goes at the rate of the link") {
  const double pageable = step_us("copy: {from: host, memory: pageable, bytes: 64 KiB}, synchronize: device");
  const double pinned = step_us("copy: {from: host, bytes: 64 KiB}, synchronize: device");
  CHECK(pageable - pinned == Approx(65536 / 10e3).epsilon(0.01));
}

TEST_CASE("a collective waits for all SMs that its channels need, and two take the links in turn") {
  const auto end_of = [](const std::string& calls) {
    return timeline_of(
               "kernels: {most: {time: 10 ms, ctas: 99}}\nstreams: {c: {waits_for_default: no}, d: "
               "{waits_for_default: no}}\nthreads: {rank0..1: {gpu: gpu0..1, calls: [" +
               calls + "]}}\n")
               .step_ns() /
           kUs;
  };
  const std::string one = "collective: {of: all-reduce, bytes: 256 MiB, stream: c}";
  const std::string other = "collective: {of: all-reduce, bytes: 256 MiB, stream: d}";
  const double alone = end_of(one);
  CHECK(end_of("launch: most, " + one) > 10'000 + alone * 0.99);
  CHECK(end_of(one + ", " + other) == Approx(2 * alone).epsilon(0.02));
}

TEST_CASE("a copy to a GPU that is not there is refused before the run") {
  CHECK_THROWS_WITH(timeline_of(main_does("copy: {to: gpu77, bytes: 1 KiB}")),
                    Contains("step.yaml:3:") && Contains("no GPU 'gpu77'"));
}

TEST_CASE("tensors come from the caching allocator, and the peak is known by category") {
  const Timeline timeline = timeline_of(main_does(
      "allocate: {buffer: w, bytes: 100 MiB, category: weights}, allocate: {buffer: x, bytes: 200 MiB, category: "
      "activations}, free: x, allocate: {buffer: y, bytes: 150 MiB, category: activations}, launch: k, "
      "synchronize: device"));
  const MemoryUse& memory = timeline.gpus.front().memory;
  constexpr std::uint64_t kMib = 1024 * 1024;
  CHECK(memory.peak_allocated == 300 * kMib);
  CHECK(memory.peak_reserved == 300 * kMib);
  CHECK(memory.at_peak == std::vector<std::uint64_t>{0, 100 * kMib, 200 * kMib});
  CHECK(memory.samples.size() == 4);
}

TEST_CASE("what a thread does once is before its rounds, and does not count") {
  const Timeline timeline = timeline_of(
      "repeats: 4\nkernels: {k: {time: 1 ms}}\nthreads:\n  main:\n"
      "    setup: [work: 70 ms, allocate: {buffer: w, bytes: 100 MiB, category: weights}, launch: k]\n"
      "    calls: [allocate: {buffer: x, bytes: 1 MiB}, launch: k, free: x, synchronize: device]\n");
  CHECK(timeline.step_ns() / kUs < 1'200);
  CHECK(timeline.gpus.front().memory.peak_allocated == 101 * 1024 * 1024);
  CHECK(kernels_of(timeline).size() == 5);
}

TEST_CASE("a GPU with too little memory says so in PyTorch's words, and who holds what") {
  const std::string message = stuck(
      main_does("allocate: {buffer: w, bytes: 600 MiB, category: weights}, allocate: {buffer: x, bytes: 300 MiB}"));
  CHECK_THAT(message, Contains("step.yaml:3:") && Contains("CUDA out of memory. Tried to allocate 300.00 MiB"));
  CHECK_THAT(message, Contains("Held until then: weights 600 MiB"));
}

TEST_CASE("a buffer cannot be allocated twice, or given back twice") {
  CHECK_THAT(stuck(main_does("allocate: {buffer: w, bytes: 1 MiB}, allocate: {buffer: w, bytes: 1 MiB}")),
             Contains("the buffer 'w' is held already"));
  CHECK_THAT(stuck(main_does("allocate: {buffer: w, bytes: 1 MiB}, free: w, free: w")),
             Contains("the buffer 'w' is not held"));
}

TEST_CASE("a buffer with more than one tensor gives the last one back first") {
  const MemoryUse memory =
      timeline_of(main_does("allocate: {buffer: w, bytes: 1 MiB, more: yes}, allocate: {buffer: w, "
                            "bytes: 4 MiB, more: yes}, free: w, allocate: {buffer: x, bytes: 2 MiB}"))
          .gpus.front()
          .memory;
  CHECK(memory.peak_allocated == 5 * 1024 * 1024);
  CHECK(memory.samples.back().allocated == 3 * 1024 * 1024);
}

TEST_CASE("causes and critical path add up to the step, whatever runs") {
  const std::vector<std::string> all{
      "launch: k, synchronize: device",
      "copy: {from: host, bytes: 1 MiB, wait: yes}, launch: k, copy: {to: host, bytes: 1 KiB, memory: pageable}",
      "repeat: {times: 1400, calls: [launch: half]}, synchronize: {stream: default}",
      "launch: {kernel: long, stream: a}, record: {event: e, stream: a}, fill: 4 KiB, synchronize: {event: e}",
      "work: 3 us, launch: {kernel: k, stream: blocking}, copy: {bytes: 32 MiB}, launch: half, work: 1 us"};
  for (const std::string& calls : all) {
    CAPTURE(calls);
    for (const char* const rounds : {"", "warm_up: 1\nrepeats: 3\n"}) {
      const Timeline timeline = timeline_of(rounds + main_does(calls));
      const auto costs = costs_of(application::parse_application(main_does(calls), "step.yaml")).front();
      const Breakdown causes = break_down(timeline, 0, costs);
      CHECK(std::accumulate(causes.begin(), causes.end(), 0.0) == Approx(timeline.step_ns()));
      double path = 0;
      for (const PathPart& part : critical_path(timeline)) {
        path += part.waited + part.ns;
      }
      CHECK(path == Approx(timeline.end - timeline.begin));
    }
  }
}

TEST_CASE("a GPU is never used above its peaks, and busy no longer than the step") {
  const Timeline timeline = timeline_of(
      main_does("repeat: {times: 20, calls: [launch: {kernel: long, stream: a}, launch: {kernel: half, stream: b}]}, "
                "copy: {bytes: 8 MiB}, synchronize: device"));
  const Usage& use = timeline.gpus.front().usage;
  const double ns = timeline.end - timeline.begin;
  CHECK(use.busy <= ns);
  CHECK(use.sms <= use.busy * 1.000001);
  CHECK(use.dram <= ns);
}

}  // namespace application_run_test
