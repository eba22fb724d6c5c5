// SPDX-License-Identifier: MIT
// The trace-event format, rule by rule: what Perfetto and chrome://tracing need of each event.
#include <algorithm>
#include <map>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/output/timeline/timeline.h"

#include "tests/output/timeline/sample.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using nlohmann::json;
using Thread = std::pair<std::uint64_t, std::uint64_t>;

namespace {

json events_of(const stats::Result& result) {
  return json::parse(timeline::to_trace_events(result).json)["traceEvents"];
}

Thread thread_of(const json& event) {
  return {event["pid"].get<std::uint64_t>(), event["tid"].get<std::uint64_t>()};
}

/// Who has a name, and that nobody has two.
struct Names {
  std::map<std::uint64_t, std::string> processes;
  std::map<Thread, std::string> threads;

  void take(const json& event) {
    const std::string what = event["name"];
    const json& args = event["args"];
    if (what == "process_name") {
      CHECK(processes.emplace(event["pid"].get<std::uint64_t>(), args.at("name").get<std::string>()).second);
    } else if (what == "thread_name") {
      CHECK(threads.emplace(thread_of(event), args.at("name").get<std::string>()).second);
    } else {
      CHECK((what == "process_sort_index" || what == "thread_sort_index"));
      CHECK(args.at("sort_index").is_number_unsigned());
    }
  }
};

/// That durations of a thread lie inside each other or apart.
class Nesting {
 public:
  void take(const json& event) {
    const auto begin = event["ts"].get<std::uint64_t>();
    const std::uint64_t end = begin + event["dur"].get<std::uint64_t>();
    std::vector<std::uint64_t>& open = open_[thread_of(event)];
    while (!open.empty() && open.back() <= begin) {
      open.pop_back();
    }
    CHECK((open.empty() || end <= open.back()));
    open.push_back(end);
  }

 private:
  std::map<Thread, std::vector<std::uint64_t>> open_;  ///< ends
};

void check_event(const json& event, const Names& names) {
  CHECK(event["ts"].is_number_unsigned());
  CHECK(event["name"].is_string());
  CHECK(names.processes.contains(event["pid"].get<std::uint64_t>()));
  if (event["ph"] == "X") {
    CHECK(event["dur"].is_number_unsigned());
    CHECK(event["dur"].get<std::uint64_t>() > 0);
    CHECK(event["cat"].is_string());
    CHECK(names.threads.contains(thread_of(event)));
    CHECK(event["args"].is_object());
  } else {
    REQUIRE(event["ph"] == "C");
    CHECK_FALSE(event["args"].empty());
    for (const json& value : event["args"]) {
      CHECK(value.is_number());
    }
  }
}

std::vector<json> with_category(const json& events, const std::string& category) {
  std::vector<json> found;
  for (const json& event : events) {
    if (event.value("cat", "") == category) {
      found.push_back(event);
    }
  }
  return found;
}

/// Kernel 1 with what --record series keeps: three intervals, the last cut short, and CTAs one behind the other.
stats::Result series_result() {
  stats::Result result = timeline::recorded_result();
  stats::KernelRecord& record = result.kernels[1].record.emplace();
  record.series.interval_cycles = 300;
  record.series.states.resize(3);
  record.series.traffic.resize(3);
  record.series.states[2][static_cast<std::size_t>(stats::Stall::kLongScoreboard)] = 1600;
  record.series.traffic[2].dram_read_bytes = 1500;
  record.series.traffic[2].l2_lookups = 40;
  record.series.traffic[2].l2_hits = 10;
  record.ctas = {{0, 0, 0, 10, 400}, {1, 2, 0, 10, 300}, {2, 2, 0, 300, 790}, {3, 2, 1, 50, 50}};
  return result;
}

/// At, value.
using Curve = std::vector<std::pair<std::uint64_t, double>>;

Curve curve_of(const json& events, const std::string& name, const std::string& series) {
  Curve curve;
  for (const json& event : events) {
    if (event["ph"] == "C" && event["name"] == name) {
      curve.emplace_back(event["ts"].get<std::uint64_t>(), event["args"].at(series).get<double>());
    }
  }
  return curve;
}

void check_rules(const json& events, Names& names) {
  Nesting nesting;
  std::uint64_t last = 0;
  bool metadata_over = false;
  for (const json& event : events) {
    INFO(event.dump());
    CHECK(event["pid"].is_number_unsigned());
    CHECK(event["tid"].is_number_unsigned());
    if (event["ph"] == "M") {
      CHECK_FALSE(metadata_over);
      names.take(event);
      continue;
    }
    metadata_over = true;
    check_event(event, names);
    CHECK(event["ts"].get<std::uint64_t>() >= last);
    last = event["ts"].get<std::uint64_t>();
    if (event["ph"] == "X") {
      nesting.take(event);
    }
  }
}

}  // namespace

TEST_CASE("every event follows the rules of the trace-event format") {
  Names names;
  check_rules(events_of(timeline::recorded_result()), names);
  CHECK(names.processes == std::map<std::uint64_t, std::string>{{1, "Toy GPU"}, {12, "SM 2"}});
  CHECK(names.threads.at({12, 4}) == "warp slot 3 (sub-core 3)");
}

TEST_CASE("what is recorded over time becomes counters and CTAs by SM and slot") {
  const json events = events_of(series_result());
  Names names;
  check_rules(events, names);
  CHECK(names.processes.at(10) == "SM 0");
  CHECK(names.threads.at({12, 1'000'000}) == "CTA slot 0");
  const std::vector<json> ctas = with_category(events, "cta");
  REQUIRE(ctas.size() == 3);  // one has no cycles
  CHECK(ctas[2]["name"] == "CTA 2");
  CHECK(ctas[2]["ts"] == 500 + 300);
  CHECK(ctas[2]["dur"] == 490);
  // The kernel ends after 200 cycles of the third interval; its traffic goes on to the end of the 300.
  CHECK(curve_of(events, "DRAM", "bytes a cycle") ==
        Curve{{0, 12.8}, {500, 0}, {500, 0}, {800, 0}, {1100, 5}, {1300, 0}});
  CHECK(curve_of(events, "L2 hits", "%") == Curve{{500, 0}, {800, 0}, {1100, 25}, {1300, 0}});
}

TEST_CASE("warps are counted by the states that their kernel has") {
  stats::Result result = series_result();
  result.kernels.erase(result.kernels.begin());
  result.watch.clear();
  CHECK(curve_of(events_of(result), "warps of an SM", "long_scoreboard") ==
        Curve{{0, 0}, {300, 0}, {600, 2}, {800, 0}});
}

TEST_CASE("the file is an object that viewers know, and says what a microsecond is") {
  const json root = json::parse(timeline::to_trace_events(timeline::recorded_result()).json);
  CHECK(root["displayTimeUnit"] == "ns");
  CHECK(root["traceEvents"].is_array());
  CHECK_THAT(root["otherData"]["unit"].get<std::string>(), Contains("one cycle"));
  CHECK(root["otherData"]["left_out"] == "");
}

TEST_CASE("kernels follow each other, each with its counters, which end with it") {
  const json events = events_of(timeline::recorded_result());
  const std::vector<json> kernels = with_category(events, "kernel");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0]["ts"] == 0);
  CHECK(kernels[0]["dur"] == 500);
  CHECK(kernels[1]["ts"] == 500);
  CHECK(kernels[1]["name"] == "axpy");
  CHECK(curve_of(events, "DRAM", "bytes a cycle") == Curve{{0, 12.8}, {500, 0}, {500, 8}, {1300, 0}});
}

TEST_CASE("the states of a warp lie in its stay, and name what it waits for") {
  const json events = events_of(timeline::recorded_result());
  const std::vector<json> warps = with_category(events, "warp");
  REQUIRE(warps.size() == 2);
  CHECK(warps[0]["name"] == "CTA 5 warp 3");
  CHECK(warps[0]["ts"] == 600);
  CHECK(warps[0]["dur"] == 650);
  CHECK(with_category(events, "issue").size() == 9);
  const std::vector<json> waits = with_category(events, "wait");
  CHECK(waits.size() == 10);
  const auto load =
      std::find_if(waits.begin(), waits.end(), [](const json& e) { return e["name"] == "long_scoreboard"; });
  REQUIRE(load != waits.end());
  CHECK((*load)["ts"] == 627);
  CHECK((*load)["dur"] == 576);
  CHECK((*load)["args"]["waits for"] == "line 12: LDG.E R4, [R2.64]");
  CHECK((*load)["args"]["next"] == "line 13: FFMA R5, R4, R6, R7");
}

TEST_CASE("a file of events is bounded, and says what it lacks") {
  const timeline::TraceEvents events = timeline::to_trace_events(timeline::recorded_result(), 20);
  const json root = json::parse(events.json);
  std::size_t count = 0;
  for (const json& event : root["traceEvents"]) {
    count += event["ph"] == "M" ? 0 : 1;
  }
  CHECK(count == 20);
  CHECK_THAT(events.left_out, Contains("events, of cycle") && Contains("and later"));
  CHECK(root["otherData"]["left_out"] == events.left_out);
}

TEST_CASE("a run without a recording has kernels and counters") {
  stats::Result result = timeline::recorded_result();
  result.watch.clear();
  const json events = events_of(result);
  CHECK(with_category(events, "kernel").size() == 2);
  CHECK(with_category(events, "warp").empty());
}

TEST_CASE("names with quotes, line ends and bytes that are not UTF-8 are JSON") {
  stats::Result result = timeline::recorded_result();
  result.kernels[1].name = "a\"b\\c\n\xff";
  result.arch_name = "\"";
  CHECK(with_category(events_of(result), "kernel")[1]["name"] == "a\"b\\c??");
}
