// SPDX-License-Identifier: MIT
// Cases of kernels: what they must say, what happens to a wrong one among many, and what is kept of a suite.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/temporary_folder.h"
#include "sim/commands/validate/report.h"

#include "tests/commands/validate/support.h"

namespace kernel_cases_test {

using namespace gpusim;
using test::cases_from;
using test::said_by;
using validate::Outcome;

namespace {

/// A file with rows of saxpy on the A6000; `common` and each row are keys in flow form.
std::string saxpys(const std::string& common, const std::vector<std::string>& rows) {
  std::string text =
      "cases:\n  - id: saxpy\n    kind: saxpy\n    gpu: RTX A6000\n    trace: saxpy\n    metric: total_us\n    unit: "
      "us\n"
      "    measured: 2\n    source: x\n    confidence: high\n";
  std::istringstream lines(common);
  for (std::string line; std::getline(lines, line);) {
    text += "    " + line + "\n";
  }
  text += "    rows:\n";
  for (const std::string& row : rows) {
    text += "      - {" + row + "}\n";
  }
  return text;
}
const std::string kBoostAndWarm = "clock: boost\ncache: warm";

struct Run {
  std::vector<Outcome> outcomes;
  std::string told;  ///< by the error at the end
};
Run run(const std::string& text, const validate::Sources& sources = test::sources_of_tree()) {
  Run result;
  result.told = said_by([&] { validate::run_cases(cases_from(text), sources, result.outcomes); });
  return result;
}

const std::string kProduct = "params: {m: 256, n: 256, k: 512}";

/// time_us of one case on the H100; all keys in flow form.
double h100_time_us(const std::string& kernel, const std::string& keys) {
  const std::string text =
      "cases:\n  - {id: a, arch: h100, metric: time_us, unit: us, measured: 5, tolerance: 9 %, source: x,\n"
      "     confidence: high, " +
      kernel + ", " + keys + "}\n";
  const Run done = run(text);
  INFO(done.told);
  REQUIRE(done.outcomes.size() == 1);
  return done.outcomes[0].simulated.value();
}

double value_of(const std::string& keys) {
  return run(saxpys(kBoostAndWarm, {"id: a, params: {n: 65536}, " + keys})).outcomes.at(0).simulated.value();
}

}  // namespace

TEST_CASE("a kernel's case without its clock, its cache state or a known metric is refused alone, and the rest runs") {
  const Run done =
      run(saxpys("", {"id: whole, clock: boost, cache: cold", "id: no-clock, cache: cold",
                      "id: no-cache, clock_mhz: 1410", "id: odd-metric, clock: boost, cache: cold, metric: cycels",
                      "id: no-part, clock: boost, cache: cold, gpu: unknown to us"}));
  REQUIRE(done.outcomes.size() == 5);
  CHECK(done.outcomes[0].simulated.has_value());
  for (std::size_t i = 1; i < 5; ++i) {
    INFO(done.outcomes[i].of.id);
    CHECK_FALSE(done.outcomes[i].simulated.has_value());
    CHECK_FALSE(done.outcomes[i].refusal.empty());
  }
  CHECK(done.told.find("case 'saxpy/no-clock': does not say at which clock it was measured") != std::string::npos);
  CHECK(done.told.find("case 'saxpy/no-cache': does not say what the caches held") != std::string::npos);
  CHECK(done.told.find("unknown metric 'cycels' (did you mean 'cycles'?)") != std::string::npos);
  CHECK(done.told.find("no architecture describes the GPU 'unknown to us'") != std::string::npos);
}

TEST_CASE("all that is wrong with a kernel's case is told on one line, and the summary says how many are refused") {
  const Run done = run(saxpys("", {"id: whole, clock: boost, cache: cold, params: {n: 4096}", "id: bare",
                                   "id: no-time, clock_mhz: 0, cache: cold"}));
  REQUIRE(done.outcomes.size() == 3);
  const std::string& refusal = done.outcomes[1].refusal;
  CHECK(refusal.find("does not say at which clock it was measured") != std::string::npos);
  CHECK(refusal.find("; does not say what the caches held") != std::string::npos);
  CHECK(refusal.find("case 'saxpy/bare'") == std::string::npos);
  CHECK(refusal.find('\n') == std::string::npos);
  CHECK(done.outcomes[2].refusal.find("'clock_mhz' must be more than 0") != std::string::npos);
  const std::string report = validate::to_text(done.outcomes, {});
  CHECK(report.find("absolute errors, worst first; 2 cases refused") != std::string::npos);
  CHECK(report.find("tolerance") == std::string::npos);
}

TEST_CASE("an unknown GPU is told the names of single GPUs that an architecture describes") {
  const Run done = run(saxpys(kBoostAndWarm, {"id: far, gpu: RTX 9999"}));
  CHECK(done.told.find("RTX A6000") != std::string::npos);
  CHECK(done.told.find("unknown to us") == std::string::npos);
}

TEST_CASE("a top stall is a word, right or wrong, and no part of the mean of errors") {
  const Run done =
      run(saxpys(kBoostAndWarm, {"id: time, params: {n: 65536}",
                                 "id: right, params: {n: 65536}, metric: top_stall, measured: long_scoreboard",
                                 "id: wrong, params: {n: 65536}, metric: top_stall, measured: barrier",
                                 "id: doubtful, params: {n: 65536}, metric: top_stall, measured: barrier, "
                                 "counted: false"}));
  INFO(done.told);
  REQUIRE(done.outcomes.size() == 4);
  CHECK(done.outcomes[1].is_equal_word());
  CHECK_FALSE(done.outcomes[2].is_equal_word());
  CHECK(validate::summarize(done.outcomes).cases == 1);
  CHECK(validate::words_of(done.outcomes).cases == 2);
  CHECK(validate::words_of(done.outcomes).equal == 1);
  CHECK(validate::to_text(done.outcomes, {}).find("equal in 1 of 2 cases") != std::string::npos);
  const auto json = nlohmann::json::parse(validate::to_json(done.outcomes, true));
  CHECK(json["cases"][2]["simulated_word"] == "long_scoreboard");
  CHECK(json["cases"][2]["measured_word"] == "barrier");
  CHECK(json["cases"][2]["simulated"].is_null());
  CHECK(json["summary"]["words"] == 2);
  CHECK(json["summary"]["equal_words"] == 1);
}

TEST_CASE("a top stall that does not exist, or in part of a run, is refused") {
  const auto told = [](const std::string& keys) {
    return run(saxpys(kBoostAndWarm, {"id: a, metric: top_stall, " + keys})).told;
  };
  CHECK(told("measured: long_scorebord").find("did you mean 'long_scoreboard'?") != std::string::npos);
  CHECK(told("measured: wait, per: 2").find("is a word, and takes no 'per'") != std::string::npos);
}

TEST_CASE("stalls are shares of all warp-cycles in %, and cycles for each instruction on request") {
  const std::string stall = "params: {n: 65536}, metric: stalls.long_scoreboard, measured: 50, unit: ";
  const Run done = run(saxpys(kBoostAndWarm, {"id: whole, " + stall + "warp-cycles", "id: share, " + stall + "'%'",
                                              "id: each, " + stall + "cycles/instruction"}));
  INFO(done.told);
  REQUIRE(done.outcomes.size() == 3);
  CHECK(*done.outcomes[1].simulated > 50);
  CHECK(*done.outcomes[1].simulated < 100);
  CHECK(*done.outcomes[2].simulated > 1);
  CHECK(*done.outcomes[2].simulated < *done.outcomes[0].simulated);
}

TEST_CASE("a kernel's metric beside its time is never in the mean of a suite") {
  const std::string share = "params: {n: 65536}, metric: stalls.long_scoreboard, measured: 50, unit: '%'";
  const Run done = run(saxpys(kBoostAndWarm, {"id: share, " + share, "id: forced, counted: true, " + share}));
  CHECK(validate::summarize(done.outcomes).cases == 0);
  CHECK(done.told.find("metric 'stalls.long_scoreboard' of a kernel is never counted") != std::string::npos);
}

TEST_CASE("a kernel that meets a fault of the simulator is reported as such, and the rest runs") {
  validate::Sources sources = test::sources_of_tree();
  const auto load = sources.load_trace;
  sources.load_trace = [load](const std::string& name, const std::vector<validate::NamedText>& params) {
    if (params.front().second == "64") {
      throw std::logic_error("messages are left");
    }
    if (params.front().second == "96") {
      throw CannotFinishError("all warps wait");
    }
    return load(name, params);
  };
  const std::string text =
      saxpys(kBoostAndWarm, {"id: bad, params: {n: 64}", "id: stuck, params: {n: 96}", "id: good, params: {n: 128}"});
  const Run done = run(text, sources);
  REQUIRE(done.outcomes.size() == 3);
  CHECK(done.told.empty());
  CHECK(done.outcomes[0].fault == "messages are left");
  CHECK(done.outcomes[1].fault == "all warps wait");
  CHECK(done.outcomes[2].simulated.has_value());
  const std::string report = validate::to_text(done.outcomes, {});
  CHECK(report.find("Fault of the simulator: saxpy/bad: messages are left") != std::string::npos);
}

TEST_CASE("kernels are simulated side by side, and come in the order of the file with the same values") {
  std::vector<std::string> rows;
  for (const char* const n : {"4096", "65536", "128", "8192", "256"}) {
    rows.push_back(std::string("id: n") + n + ", params: {n: " + n + "}");
  }
  validate::Sources several = test::sources_of_tree();
  several.threads = 3;
  std::vector<std::size_t> counts;
  several.on_outcome = [&counts](const Outcome& /*outcome*/, std::size_t done, std::size_t of) {
    counts.push_back(done);
    CHECK(of == 5);
  };
  const Run one = run(saxpys(kBoostAndWarm, rows));
  const Run three = run(saxpys(kBoostAndWarm, rows), several);
  REQUIRE(three.outcomes.size() == 5);
  CHECK(counts == std::vector<std::size_t>{1, 2, 3, 4, 5});
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(three.outcomes[i].of.id == one.outcomes[i].of.id);
    CHECK(three.outcomes[i].simulated == one.outcomes[i].simulated);
  }
}

TEST_CASE("a measurement may hold launches, and several kernels") {
  const double alone = value_of("metric: total_us");
  // What the A6000's file says of a launch.
  CHECK(value_of("metric: total_with_launch_us") > alone + 1);
  CHECK(value_of("plus: {params: {n: 65536}}") == Approx(2 * alone));
  const double smaller = value_of("plus: {params: {n: 32768}}") - alone;
  CHECK(value_of("plus: [{set: {}}, {set: {}}], less: {params: {n: 32768}}") == Approx(3 * (alone - smaller)));
}

TEST_CASE("two events around a lone kernel count more than its launch") {
  const double among_others = value_of("metric: total_with_launch_us");
  // What the A6000's file says of events.
  CHECK(value_of("metric: total_between_events_us") == Approx(among_others + 1.2));
}

TEST_CASE("a kernel is simulated with the caches as they were: lines that are modified cost bandwidth") {
  const auto with_cache = [](const std::string& cache, const char* elements = "131072") {
    const std::string row = std::string("id: a, params: {n: ") + elements + "}";
    return run(saxpys("clock: boost\ncache: " + cache, {row})).outcomes.at(0).simulated.value();
  };
  CHECK(with_cache("warm") < with_cache("cold"));
  CHECK(with_cache("cold") == Approx(with_cache("dirty")).epsilon(0.01));  // there is room in what of L2 is clean
  CHECK(with_cache("cold", "1048576") < with_cache("dirty", "1048576"));
}

TEST_CASE(
    "on an unlocked H100 tensor cores lower the clock of a case, in any suite, and other kernels keep its boost") {
  const auto product = [](const std::string& keys) { return h100_time_us("trace: gemm-wgmma, " + kProduct, keys); };
  for (const std::string suite : {"kind: product, cache: warm, ", "mechanism: power, "}) {
    INFO(suite);
    const double at_boost = product(suite + "clock_mhz: 1980");
    CHECK(product(suite + "clock: boost") > 1.05 * at_boost);  // 1,830 MHz or less
    CHECK(product(suite + "clock: boost") < 1.1 * at_boost);
  }
  const auto saxpy = [](const std::string& keys) { return h100_time_us("trace: saxpy, params: {n: 65536}", keys); };
  CHECK(saxpy("mechanism: power, clock: boost") == saxpy("mechanism: power, clock_mhz: 1980"));
}

TEST_CASE("an unlocked card keeps at most the clock that the case states") {
  const auto product = [](const std::string& clock) {
    return h100_time_us("trace: gemm-wgmma, " + kProduct, "mechanism: power, " + clock);
  };
  CHECK(product("clock: boost, clock_mhz: 1500") == product("clock_mhz: 1500"));
  CHECK(product("clock: boost, clock_mhz: 2010") == Approx(product("clock: boost")).epsilon(0.002));
}

TEST_CASE("what is taken from a case of an unlocked card runs at the clock that the case kept") {
  const std::string kernel = "trace: gemm-wgmma, " + kProduct;
  const double whole = h100_time_us(kernel, "mechanism: power, clock: boost");
  CHECK(h100_time_us(kernel + ", plus: {trace: gemm-wgmma}", "mechanism: power, clock: boost") == Approx(2 * whole));
}

TEST_CASE("what was simulated is kept in a file, and not simulated again") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "values.jsonl";
  const std::string text = saxpys(kBoostAndWarm, {"id: a, params: {n: 4096}"});
  const auto with_file = [&] {
    validate::Sources sources = test::sources_of_tree();
    sources.kept = std::make_shared<validate::KeptValues>(file);
    return run(text, sources).outcomes.at(0).simulated.value();
  };
  const double simulated = with_file();
  std::ifstream in(file);
  std::string line;
  REQUIRE(std::getline(in, line));
  nlohmann::json value = nlohmann::json::parse(line);
  CHECK(value["value"].get<double>() == simulated);
  value["value"] = 1234.5;
  // The line after it was cut when the program was ended.
  std::ofstream(file) << value.dump() << "\n{\"model\": \"";
  CHECK(with_file() == 1234.5);
  // What another model gave is not a value of this one.
  value["model"] = "another";
  std::ofstream(file) << value.dump() << "\n";
  CHECK(with_file() == simulated);
}

TEST_CASE("a value that is kept behind a cut line is found again") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "values.jsonl";
  std::ofstream(file) << "{\"model\": \"";
  validate::KeptValues(file).add("run", "cycles", 7);
  CHECK(validate::KeptValues(file).find("run", "cycles") == 7);
}

TEST_CASE("a file of other things is not taken for kept values") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "notes.txt";
  std::ofstream(file) << "my notes\n";
  const std::string said = said_by([&] { validate::KeptValues values(file); });
  CHECK(said.find("notes.txt:1: is not a value that 'gpusim validate --resume' has kept") != std::string::npos);
  std::ofstream(file) << R"({"model": "m", "run": 3, "metric": "cycles", "value": 1})"
                      << "\n";
  CHECK(said_by([&] { validate::KeptValues values(file); }).find("notes.txt:1: is not a value") != std::string::npos);
}

TEST_CASE("kernels are summed up by kind and by GPU, the worst first, with the correlation of the logarithms") {
  const auto outcome = [](const char* kind, const char* arch, double simulated, double measured) {
    Outcome out;
    out.of.kind = kind;
    out.of.counted = true;
    out.arch = arch;
    out.simulated = simulated;
    out.measured = measured;
    out.error_pct = 100 * (simulated - measured) / measured;
    return out;
  };
  const std::vector<Outcome> outcomes{outcome("copy", "a100", 11, 10), outcome("copy", "t4", 95, 100),
                                      outcome("gather", "t4", 700, 1000)};
  const auto kinds = validate::by_kind(outcomes);
  REQUIRE(kinds.size() == 2);
  CHECK(kinds[0].name == "gather");
  CHECK(kinds[1].summary.mean_abs_error_pct == Approx(7.5));
  CHECK(kinds[1].summary.mean_error_pct == Approx(2.5));
  CHECK(validate::by_part(outcomes).front().name == "t4");
  const validate::Summary all = validate::summarize(outcomes);
  CHECK(all.median_abs_error_pct == Approx(10));
  // By hand: the logarithms of 11, 95, 700 and of 10, 100, 1000.
  CHECK(all.log_correlation == Approx(0.999756).margin(0.000001));
  const auto json = nlohmann::json::parse(validate::to_json(outcomes, true));
  CHECK(json["by_kind"][0]["name"] == "gather");
  CHECK(json["by_part"].size() == 2);
}

}  // namespace kernel_cases_test
