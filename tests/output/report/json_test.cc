// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/hash.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

#include "tests/output/report/sample.h"
#include "tests/support/golden.h"

namespace json_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

json json_of(const stats::Result& result) {
  return json::parse(report::to_json(result));
}

/// The value at a dotted path; null when there is none.
json at(json value, std::string path) {
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string key = path.substr(0, dot);
    path = dot == std::string::npos ? "" : path.substr(dot + 1);
    if (!value.is_object() || !value.contains(key)) {
      return nullptr;
    }
    value = json(value[key]);
  }
  return value;
}

void check_finite(const json& value) {
  if (value.is_structured()) {
    for (const json& item : value) {
      check_finite(item);
    }
  } else if (value.is_number()) {
    CHECK(std::isfinite(value.get<double>()));
  }
}

void erase(json& value, const std::string& path) {
  const std::size_t dot = path.find('.');
  const std::string key = path.substr(0, dot);
  if (dot == std::string::npos) {
    value.erase(key);
  } else if (value.contains(key)) {
    erase(value[key], path.substr(dot + 1));
  }
}

/// What a version wrote that derived nothing and did not count the NoC.
json earlier_version(const stats::Result& result) {
  json root = json_of(result);
  root["machine"].erase("noc_ports");
  for (const report::RunColumn& column : report::run_columns()) {
    if (!column.set && column.path != "schema") {
      erase(root, column.path);
    }
  }
  for (json& kernel : root["kernels"]) {
    kernel["counters"].erase("noc");
    for (const report::KernelColumn& column : report::kernel_columns()) {
      if (!column.set) {
        erase(kernel, column.path);
      }
    }
  }
  return root;
}

std::string message_of(const std::string& text) {
  try {
    (void)report::parse_json(text, "old.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// With two intervals and two CTAs.
stats::Result sample_with_record() {
  stats::Result result = report::sample_result();
  stats::KernelRecord& record = result.kernels[0].record.emplace();
  record.series.interval_cycles = 4096;
  record.series.states.resize(2);
  record.series.states[0][static_cast<std::size_t>(stats::Stall::kWait)] = 100;
  record.series.states[1][static_cast<std::size_t>(stats::Stall::kSelected)] = 50;
  record.series.traffic.resize(2);
  record.series.traffic[1].dram_read_bytes = 4096;
  record.ctas = {{0, 0, 0, 5, 90}, {1, 2, 0, 6, 95}};
  record.occupancy_curves = {{stats::Knob::kRegisters, 32, {16, 32, 64}, {64, 64, 32}}};
  record.sm_ctas = {1, 0, 1, 0};
  record.sm_warp_instructions = {25, 0, 25, 0};
  return result;
}

}  // namespace

TEST_CASE("JSON has every key of the schema, with its type") {
  const json root = json_of(report::sample_result());
  for (const auto* key : {"schema", "arch.name", "trace.path", "cache_state"}) {
    INFO(key);
    CHECK(at(root, key).is_string());
  }
  CHECK(root["schema"] == "gpusim.result/1");
  CHECK(root["complete"] == true);
  for (const auto* key : {"warnings", "guesses", "kernels"}) {
    INFO(key);
    CHECK(at(root, key).is_array());
  }
  for (const auto* key : {"clock_mhz", "host.seconds", "host.warp_instructions_per_second"}) {
    INFO(key);
    CHECK(at(root, key).is_number_float());
  }
  for (const auto* key : {"host.threads", "host.peak_rss_bytes"}) {
    INFO(key);
    CHECK(at(root, key).is_number_unsigned());
  }
}

TEST_CASE("JSON has the roofs of every level, and metrics.md says what they are") {
  stats::Result result = report::sample_result();
  result.kernels[0].dram.read_bytes = result.kernels[0].dram.write_bytes = 0;
  const json roof = json_of(result)["kernels"][0]["roofs"].at(0);
  CHECK(roof["class"] == "fp32");
  CHECK(roof["flops_per_second"].get<double>() == Approx(512'000 / 8e-6));
  CHECK(roof["peak_flops_per_second"].get<double>() == Approx(256 * 4 * 1e9));
  const json& levels = roof["levels"];
  REQUIRE(levels.size() == 4);
  CHECK(levels[0]["level"] == "DRAM");
  CHECK(levels[0]["intensity"].is_null());
  CHECK(levels[1]["level"] == "L2");
  CHECK(levels[1]["bytes"] == 106'000 * 32);
  CHECK(levels[1]["intensity"].get<double>() == Approx(512'000.0 / (106'000 * 32)));
  CHECK(levels[1]["bytes_per_second_peak"].get<double>() == Approx(512e9));
  CHECK(levels[2]["bytes_per_second_peak"].get<double>() == Approx(4 * 128e9));
  CHECK(levels[3]["level"] == "Shared");
  const std::string documents = report::metrics_markdown();
  for (const auto& [key, value] : roof.items()) {
    CHECK_THAT(documents, Contains("`roofs[]." + key + (key == "levels" ? "[]." : "`")));
  }
  for (const auto& [key, value] : levels[0].items()) {
    CHECK_THAT(documents, Contains("`roofs[].levels[]." + key + "`"));
  }
}

TEST_CASE("JSON has every key of a kernel, with its type") {
  const json kernel = json_of(report::sample_result())["kernels"][0];
  for (const auto* key : {"name", "bound", "dependences"}) {
    INFO(key);
    CHECK(at(kernel, key).is_string());
  }
  for (const auto* key : {"cycles", "warp_instructions", "thread_instructions", "warp_cycles", "occupancy.ctas_per_sm",
                          "memory.l1.sectors", "memory.l1.hits", "memory.l1.misses", "memory.l2.sectors",
                          "memory.l2.hits", "memory.l2.misses", "memory.dram.read_bytes", "memory.dram.write_bytes"}) {
    INFO(key);
    CHECK(at(kernel, key).is_number_unsigned());
  }
  for (const auto* key : {"time_us", "launch_us", "ipc_active", "occupancy.theoretical_pct", "occupancy.achieved_pct",
                          "avg_active_lanes", "throughput.sm_pct", "throughput.memory_pct", "throughput.l1_pct",
                          "throughput.l1_active_pct", "throughput.l2_pct", "throughput.dram_pct",
                          "throughput.tensor_pct", "throughput.dram_gbs", "throughput.tflops"}) {
    INFO(key);
    CHECK(at(kernel, key).is_number_float());
  }
  CHECK(kernel["grid"] == json::array({16, 1, 1}));
  CHECK(kernel["block"] == json::array({256, 1, 1}));
  CHECK(kernel["occupancy"]["limiters"] == json::array({"registers", "shared_mem"}));
  CHECK(kernel["occupancy"]["limits"]["barriers"].is_null());
}

TEST_CASE("sectors that may hit are hits and misses; all sectors are those of the text report") {
  const stats::Result result = report::sample_result();
  const json memory = json_of(result)["kernels"][0]["memory"];
  const std::string text = report::to_text(result, {});
  for (const auto& [level, shown] : {std::pair("l1", "132,000"), std::pair("l2", "106,000")}) {
    INFO(level);
    const json& counts = memory[level];
    CHECK(counts["hits"].get<int>() + counts["misses"].get<int>() == counts["sectors"].get<int>());
    CHECK(with_thousands(counts["all_sectors"].get<std::uint64_t>()) == shown);
    CHECK_THAT(text, Catch::Contains(shown));
  }
}

TEST_CASE("each field of each block of counters has a column") {
  stats::for_each_block([]<class Block>(const stats::BlockRow<Block>& row) {
    for (const auto& field : Block::kFields) {
      const std::string path = "counters." + std::string(row.name) + "." + std::string(field.name);
      INFO(path);
      CHECK(std::ranges::count(report::kernel_columns(), path, &report::KernelColumn::path) == 1);
    }
  });
}

TEST_CASE("each block of counters that has columns is in the list of blocks, so that sums take it in") {
  std::vector<std::string> listed;
  stats::for_each_block([&listed](const auto& row) { listed.emplace_back(row.name); });
  for (const report::KernelColumn& column : report::kernel_columns()) {
    constexpr std::string_view kCounters = "counters.";
    const std::string path(column.path);
    if (path.starts_with(kCounters)) {
      const std::string block = path.substr(kCounters.size(), path.find('.', kCounters.size()) - kCounters.size());
      INFO(path);
      CHECK(std::ranges::count(listed, block) == 1);
    }
  }
}

TEST_CASE("JSON has all warp states, zero or not, and they sum to the warp-cycles") {
  const json kernel = json_of(report::sample_result())["kernels"][0];
  CHECK(kernel["stalls"].size() == stats::kStallCount);
  std::uint64_t sum = 0;
  for (const stats::StallInfo& info : stats::kStalls) {
    INFO(info.key);
    REQUIRE(kernel["stalls"].contains(std::string(info.key)));
    sum += kernel["stalls"][std::string(info.key)].get<std::uint64_t>();
  }
  CHECK(sum == kernel["warp_cycles"]);
}

TEST_CASE("hot spots come most expensive first, each with its states") {
  const json spots = json_of(report::sample_result())["kernels"][0]["hotspots"];
  REQUIRE(spots.size() == 7);
  CHECK(spots[0]["pc"] == 0x30);
  CHECK(spots[0]["opcode"] == "FFMA");
  CHECK(spots[0]["line"] == 13);
  CHECK(spots[0]["warp_instructions"] == 8000);
  CHECK(spots[0]["stalls"]["long_scoreboard"] == 60'000);
  CHECK(spots[1]["pc"] == 0x10);
}

TEST_CASE("a hot spot names the producers it waits for, and what else held it back") {
  const json spot = json_of(report::sample_result())["kernels"][0]["hotspots"][0];
  CHECK(spot["concurrent"] == json({{"wait", 300}}));
  REQUIRE(spot["producers"].size() == 2);
  CHECK(spot["producers"][0] == json({{"index", 2},
                                      {"pc", 0x20},
                                      {"opcode", "LDG.E.128"},
                                      {"line", 12},
                                      {"state", "long_scoreboard"},
                                      {"cycles", 35'000}}));
}

TEST_CASE("a producer that is not an instruction of the kernel, or has no such state, is refused") {
  json saved = json_of(report::sample_result());
  saved["kernels"][0]["hotspots"][0]["producers"][0]["index"] = 7;
  CHECK_THROWS_WITH(report::parse_json(saved.dump(), "saved.json"), Catch::Contains("producers[0].index"));
  saved = json_of(report::sample_result());
  saved["kernels"][0]["hotspots"][0]["producers"][1]["state"] = "tired";
  CHECK_THROWS_WITH(report::parse_json(saved.dump(), "saved.json"), Catch::Contains("is not a warp state"));
}

TEST_CASE("every number in JSON is finite, also of an empty result") {
  check_finite(json_of(report::sample_result()));
  stats::Result empty;
  empty.kernels.emplace_back();
  check_finite(json_of(empty));
  CHECK(json_of(empty)["kernels"][0]["ipc_active"] == 0.0);
}

TEST_CASE("text that is not UTF-8 does not break JSON") {
  stats::Result result = report::sample_result();
  result.kernels[0].name = "caf\xe9";
  CHECK(json_of(result)["kernels"][0]["name"] == "caf\xef\xbf\xbd");
}

TEST_CASE("a saved result reads back to the same result") {
  const std::string text = report::to_json(report::sample_result());
  CHECK(report::to_json(report::parse_json(text, "saved.json")) == text);
}

TEST_CASE("a parameter whose value is a word is told by it, and reads back so") {
  stats::Result result = report::sample_result();
  result.parameters.emplace_back("type", stats::ParameterValue(1, "bf16"));
  CHECK(json_of(result)["parameters"] == json({{"n", 4096}, {"unroll", 2}, {"type", "bf16"}}));
  CHECK_THAT(report::to_text(result, {}), Catch::Contains("n=4096 unroll=2 type=bf16"));
  CHECK(report::to_json(report::parse_json(report::to_json(result), "saved.json")) == report::to_json(result));
}

TEST_CASE("a result whose instructions say nothing of sectors is read all the same") {
  json root = json::parse(report::to_json(report::sample_result()));
  for (json& spot : root["kernels"][0]["hotspots"]) {
    spot.erase("memory_requests");
    spot.erase("memory_sectors");
  }
  const stats::Result result = report::parse_json(root.dump(), "old.json");
  CHECK(result.kernels[0].pcs[1].memory_sectors == 0);
  CHECK(report::to_text(result, {}).find("Lines that touch most sectors") == std::string::npos);
}

TEST_CASE("a result of a version that did not write modified lines back early is read all the same") {
  json root = json::parse(report::to_json(report::sample_result()));
  REQUIRE(root["kernels"][0]["counters"]["l2"].erase("cleaned_sectors") == 1);
  CHECK(report::parse_json(root.dump(), "old.json").kernels[0].l2.cleaned_sectors == 0);
}

TEST_CASE("a result of a version that derived nothing and did not count the NoC is read all the same") {
  const json root = earlier_version(report::sample_result());
  REQUIRE(root["kernels"][0]["throughput"].empty());
  REQUIRE_FALSE(root["kernels"][0]["counters"].contains("noc"));
  const stats::Result read = report::parse_json(root.dump(), "old.json");
  CHECK(json_of(read)["kernels"][0]["throughput"]["l2_pct"] ==
        json_of(report::sample_result())["kernels"][0]["throughput"]["l2_pct"]);
}

TEST_CASE("a NoC that was not counted is left out, and one without ports says so") {
  const json root = earlier_version(report::sample_result());
  const stats::Result read = report::parse_json(root.dump(), "old.json");
  CHECK_FALSE(read.machine.noc_ports);
  CHECK_THAT(report::to_text(read, {}), !Contains("NoC") && Contains("DRAM rows"));
  CHECK_FALSE(json_of(read)["machine"].contains("noc_ports"));
  CHECK_FALSE(json_of(read)["kernels"][0]["throughput"].contains("noc_pct"));

  stats::Result without = report::sample_result();
  without.machine.noc_ports = stats::NocPorts{};
  const stats::Result again = report::parse_json(report::to_json(without), "saved.json");
  REQUIRE(again.machine.noc_ports);
  CHECK_THAT(report::to_text(again, {}), Contains("simulated without ports"));
}

TEST_CASE("a derived value may be missing, and is refused where its type is wrong") {
  json root = json_of(report::sample_result());
  root["kernels"][0]["throughput"]["noc_pct"] = "busy";
  CHECK_THAT(message_of(root.dump()), Contains("'kernels[0].throughput.noc_pct': is not a number"));
}

TEST_CASE("a result read back gives the same text report") {
  const stats::Result result = report::sample_result();
  const stats::Result again = report::parse_json(report::to_json(result), "saved.json");
  CHECK(report::to_text(again, {}) == report::to_text(result, {}));
}

TEST_CASE("reading refuses what is not a result, and says why") {
  CHECK_THAT(message_of(""), Contains("old.json: is not a result of gpusim: it is not a JSON object"));
  CHECK_THAT(message_of("[1, 2]"), Contains("is not a JSON object"));
  CHECK_THAT(message_of("\x1f\x8b\x08"), Contains("it is compressed with gzip; unpack it first"));
  CHECK_THAT(message_of(R"({"schema": "gpusim.result/2"})"),
             Contains("'schema' is 'gpusim.result/2', not 'gpusim.result/1' (written by another version)"));
  CHECK_THAT(message_of(R"({"a":)" + std::string(100'000, '[')), Contains("nested too deep"));
  const std::string text = report::to_json(report::sample_result());
  CHECK_THAT(message_of(text.substr(0, text.size() / 2)), Contains("the file was cut short"));
}

TEST_CASE("reading says in which line and column a text stops being JSON") {
  CHECK_THAT(message_of("{\n  \"schema\": 1,\n  oops\n}"),
             StartsWith("old.json:3:3: is not a result of gpusim: it is not JSON from here on"));
  CHECK_THAT(message_of("{ 1"), StartsWith("old.json:1:3: "));
  CHECK_THAT(message_of("{\n  \"schema\": 1,"),
             StartsWith("old.json:2:15: is not a result of gpusim: the file was cut short"));
  std::string text = report::to_json(report::sample_result());
  const std::size_t in_kernel = text.find("\"hotspots\"");
  REQUIRE(in_kernel != std::string::npos);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(in_kernel), '\n') + 1;
  text[in_kernel] = '?';
  CHECK_THAT(message_of(text), StartsWith("old.json:" + std::to_string(line) + ":"));
}

TEST_CASE("what is not JSON at all is not a result, and that is all there is to say") {
  std::string bytes;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    bytes += static_cast<char>(mix64(i));
  }
  for (const std::string& text : {bytes, std::string(100'000, '['), std::string("garbage")}) {
    const std::string message = message_of(text);
    CHECK_THAT(message, StartsWith("old.json: is not a result of gpusim: it is not a JSON object"));
    CHECK_THAT(message, !Contains("\n"));
  }
}

TEST_CASE("other outputs of the program are called what they are") {
  CHECK_THAT(
      message_of(R"({"schema": "gpusim.compare/1"})"),
      Contains("is not a result, but a comparison that 'gpusim compare' wrote") && Contains("no command reads one"));
  CHECK_THAT(message_of(R"({"schema": "gpusim.roofline/1"})"), Contains("what 'gpusim roofline' wrote"));
  CHECK_THAT(message_of(R"({"schema": "else/1"})"), Contains("'schema' is 'else/1', not 'gpusim.result/1'"));
  CHECK_THAT(message_of(R"({"a": 1})"), Contains("it has no 'schema'"));
}

TEST_CASE("of many keys that are missing the first is named, and the others are counted") {
  const std::string message = message_of(R"({"schema": "gpusim.result/1"})");
  CHECK_THAT(message, StartsWith("old.json: 'kernels' and ") && Contains(" more keys are missing") && !Contains("\n"));
}

TEST_CASE("a list that is missing is said to be missing, and not of a wrong type") {
  const auto without = [](const char* place, const char* key) {
    json root = json_of(sample_with_record());
    root[json::json_pointer(place)].erase(key);
    return message_of(root.dump());
  };
  CHECK(without("", "kernels") == "old.json: 'kernels': is missing");
  CHECK(without("", "guesses") == "old.json: 'guesses': is missing");
  CHECK(without("/kernels/0", "hotspots") == "old.json: 'kernels[0].hotspots': is missing");
  CHECK(without("/kernels/0/ctas", "rows") == "old.json: 'kernels[0].ctas.rows': is missing");
  CHECK(without("/kernels/0/series", "states") == "old.json: 'kernels[0].series.states': is missing");
}

TEST_CASE("values that no run has are refused with what is allowed") {
  struct Odd {
    const char* place;
    json value;
    const char* message;
  };
  const Odd all[] = {
      {"/kernels", json::array(), "'kernels': is empty; allowed: one kernel or more"},
      {"/kernels", 5, "'kernels': is not a list"},
      {"/kernels/0", 5, "'kernels[0]': is not an object"},
      {"/parameters", 5, "'parameters': is not an object"},
      {"/guesses", "none", "'guesses': is not a list"},
      {"/machine/sms", 0, "'machine.sms': is 0; allowed: 1 to 4,294,967,295"},
      {"/machine/sms", 4'294'967'297, "'machine.sms': is 4294967297; allowed: 1 to 4,294,967,295"},
      {"/machine/sms", 5, "'kernels[0].sm_active_cycles': has 4 numbers; allowed: one of each SM, 5 as 'machine.sms'"},
      {"/machine/noc_ports/sm_request", 4'294'967'296, "allowed: 0 to 4,294,967,295"},
      {"/clock_mhz", 0.0, "'clock_mhz': is 0; allowed: more than 0"},
      {"/clock_mhz", -1e3, "'clock_mhz': is -1000; allowed: more than 0"},
      {"/machine/l2_bytes_per_cycle", 0, "'machine.l2_bytes_per_cycle': is 0; allowed: more than 0"},
      {"/machine/flops_per_cycle_sm/fp32", -1, "is -1; allowed: 0 or more"},
      {"/trace/origin", "thin air", "'trace.origin': is 'thin air'; allowed: program, accel-sim, compiled"},
      {"/guesses/0/kind", "rumour", "'guesses[0].kind': is 'rumour'; allowed: vendor, measured, inferred, guess, "},
      {"/kernels/0/divergence", "wild", "'kernels[0].divergence': is 'wild'; allowed: its, stack, recorded, executed"},
      {"/cache_state", "tepid", "'cache_state': is 'tepid'; allowed: cold, warm, flush-between, dirty"},
      {"/kernels/0/cycles", 0, "'kernels[0].cycles': is 0; allowed: 1 or more"},
      {"/kernels/0/time_us", 0, "'kernels[0].time_us': is 0; allowed: more than 0"},
      {"/kernels/0/time_us", -8.0, "'kernels[0].time_us': is -8; allowed: more than 0"},
      {"/kernels/0/launch_us", -2.5, "'kernels[0].launch_us': is -2.5; allowed: 0 or more"},
      {"/kernels/0/grid", json::array({16, 0, 1}), "'kernels[0].grid': is (16, 0, 1); allowed: 1 or more each"},
      {"/kernels/0/simulated_ctas", 17, "is 17; allowed: at most 16, the CTAs of its 'grid'"},
      {"/kernels/0/occupancy/ctas_per_sm", 0, "is 0; allowed: 1 to 4,294,967,295"},
      {"/kernels/0/occupancy/limiters", json::array({"luck"}), "is 'luck'; allowed: warps, registers, "},
      {"/kernels/0/dependences", "guessed", "is 'guessed'; allowed: recorded, assigned"},
      {"/kernels/0/hotspots/1/index", 3, "'kernels[0].hotspots[1].index': is 3 again; allowed: each instruction once"},
      {"/kernels/0/hotspots/0/line", 4'294'967'296, "hotspots[0].line': is 4294967296; allowed: 0 to 4,294,967,295"},
  };
  for (const Odd& odd : all) {
    json root = json_of(report::sample_result());
    root[json::json_pointer(odd.place)] = odd.value;
    INFO(odd.place);
    CHECK_THAT(message_of(root.dump()), StartsWith("old.json: '") && Contains(odd.message) && !Contains("\n"));
  }
}

TEST_CASE("a run that was stopped while caches were warmed has no cycles yet, and is read") {
  stats::Result result = report::sample_result();
  result.complete = false;
  result.kernels[0].cycles = 0;
  CHECK(message_of(report::to_json(result)).empty());
}

TEST_CASE("a run that was stopped while SMs were active, whose active cycles are not counted yet, is read") {
  stats::Result result = report::sample_result();
  result.complete = false;
  result.kernels[0].sm.active_cycles = 1;
  CHECK(message_of(report::to_json(result)).empty());
}

TEST_CASE("reading names every key that is missing or wrong") {
  json root = json_of(report::sample_result());
  root.erase("clock_mhz");
  root["kernels"][0]["cycles"] = -5;
  root["kernels"][0]["stalls"].erase("wait");
  root["kernels"][0]["grid"] = "16x1x1";
  const std::string message = message_of(root.dump());
  CHECK_THAT(message, Contains("old.json: 'clock_mhz': is missing"));
  CHECK_THAT(message, Contains("'kernels[0].cycles': is not a whole number"));
  CHECK_THAT(message, Contains("'kernels[0].stalls.wait': is missing"));
  CHECK_THAT(message, Contains("'kernels[0].grid': is not three whole numbers"));
}

TEST_CASE("docs/metrics.md and docs/counters.md hold the tables of the program") {
  const auto& [file, tables] = GENERATE(table<std::string, std::string>(
      {{"docs/metrics.md", report::metrics_markdown()}, {"docs/counters.md", report::counters_markdown()}}));
  const std::string marker =
      "<!-- generated by the tests of the report: GPUSIM_REGENERATE=1 test_output_report -->\n\n";
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / file);
  std::stringstream content;
  content << in.rdbuf();
  const std::string by_hand = content.str().substr(0, content.str().find(marker));
  const std::string expected = by_hand + marker + tables;
  CHECK(expected == golden(file, expected));
}

TEST_CASE("what a run recorded over time is read back, and damage to it is told by its key") {
  stats::Result result = sample_with_record();
  const std::string text = report::to_json(result);
  CHECK(report::to_json(report::parse_json(text, "saved.json")) == text);
  const auto damaged = [&text](const std::string& pointer, const json& value) {
    json root = json::parse(text);
    root[json::json_pointer("/kernels/0" + pointer)] = value;
    return message_of(root.dump());
  };
  CHECK_THAT(damaged("/series/interval_cycles", 0), Contains("series.interval_cycles': is 0"));
  CHECK_THAT(damaged("/series/intervals", 257), Contains("series.intervals': is more than 256"));
  CHECK_THAT(damaged("/series/states/wait", json::array({1})), Contains("does not have 2 numbers"));
  CHECK_THAT(damaged("/series/states/wiat", json::array({1, 2})), Contains("series.states.wiat': is not a warp state"));
  CHECK_THAT(damaged("/series/states", 3), Contains("series.states': is not an object"));
  CHECK_THAT(damaged("/ctas/rows/0", json::array({1, 2, 0, 9, 8})), Contains("ctas.rows[0]': is not a CTA"));
  CHECK_THAT(damaged("/ctas/rows", "all"), Contains("ctas.rows': is not a list"));
  CHECK_THAT(damaged("/occupancy_curves/0/warps", json::array({1})), Contains("warps': does not have 3 numbers"));
  CHECK_THAT(damaged("/sms/ctas", json::array({-1})), Contains("sms.ctas': is not a list of whole numbers"));
}

}  // namespace json_test
