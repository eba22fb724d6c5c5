// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <stdexcept>

#include <catch2/catch.hpp>

#include "sim/commands/sweep/store/error.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

#include "tests/commands/sweep/run/support.h"

using Catch::Matchers::Contains;

namespace gpusim::sweep {
namespace {

/// Results of a study's points, in order, without what they cost the host.
std::vector<std::string> results_of(const Store& store, std::int64_t study) {
  std::vector<std::string> out;
  for (const PointRow& row : store.points(study)) {
    stats::Result result = report::parse_json(store.result(row.key).value(), row.key);
    result.host = {};
    out.push_back(report::to_json(result));
  }
  return out;
}

RunOptions jobs(unsigned count) {
  RunOptions options;
  options.jobs = count;
  return options;
}

/// How many points run at once, by their looks at the clock: one when they begin, one when they end, and two between.
class Crowd {
 public:
  [[nodiscard]] Host host() {
    Host host;
    host.seconds = [this] {
      look();
      return 0.0;
    };
    return host;
  }
  [[nodiscard]] int most() const { return most_; }

 private:
  void look() {
    thread_local int looks = 0;
    constexpr int kOfOnePoint = 3;
    const std::lock_guard guard(mutex_);
    if (++looks == 1) {
      most_ = std::max(most_, ++now_);
    } else if (looks == kOfOnePoint) {
      looks = 0;
      --now_;
    }
  }

  std::mutex mutex_;
  int now_ = 0;
  int most_ = 0;
};

}  // namespace

TEST_CASE("a stored result is the single run's, byte for byte but for the host") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  const Outcome outcome = run_study(study_with({"sm.count=66,160", "l2.bytes=2x"}), store, jobs(2));
  CHECK(outcome.complete);
  CHECK(outcome.tally.done == 2);
  const std::vector<arch::Override> overrides{{"sm.count", "160"}, {"l2.bytes", "100 MiB"}};
  arch::Arch arch = arch::load_arch(config("h100"), overrides);
  arch.path = "h100";
  const stats::Result single = gpu::simulate(arch, shipped().load_trace("saxpy", {{}, true}), {});
  CHECK(results_of(store, outcome.study).at(1) == report::to_json(single));
  const PointRow row = store.points(outcome.study).at(1);
  CHECK(row.cycles == single.kernels.at(0).cycles);
  CHECK(row.metrics.at("warp_instructions") == static_cast<double>(single.kernels.at(0).sm.warp_instructions));
}

TEST_CASE("results do not depend on the number of jobs, nor on threads given to the last points") {
  const Study study = study_with({"sm.count=60..75+5"});
  const Folder folder;
  Store one(folder.file("one.db"), Store::Access::kWrite);
  const std::vector<std::string> expected = results_of(one, run_study(study, one, jobs(1)).study);
  for (const unsigned count : {2U, 3U, 16U}) {
    Store other(folder.file(std::to_string(count) + ".db"), Store::Access::kWrite);
    CHECK(results_of(other, run_study(study, other, jobs(count)).study) == expected);
  }
}

TEST_CASE("what is stored is not run again, whichever study asked for it") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  run_study(study_with({"sm.count=66,132"}), store);
  CHECK(run_study(study_with({"sm.count=66,132"}), store).tally.known == 2);
  const Tally other = run_study(study_with({"sm.count=0.5x,1x,160"}), store).tally;
  CHECK(other.known == 2);
  CHECK(other.done == 1);
}

TEST_CASE("a point that a study has twice is run once") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  Study study = study_with({"price.usd_per_hour=1,2"});
  const Outcome outcome = run_study(study, store, jobs(2));
  CHECK(outcome.tally.done == 1);
  CHECK(store.points(outcome.study).size() == 2);
}

TEST_CASE("an interrupted run keeps what ended, and the same study goes on with the rest") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  const Study study = study_with({"sm.count=1..40"});
  Host host;
  bool seen_one = false;
  host.progress = [&seen_one](const Tally& tally) { seen_one = tally.done > 0; };
  host.interrupted = [&seen_one] { return seen_one; };
  const Outcome first = run_study(study, store, jobs(1), host);
  const std::size_t kept = store.points(first.study).size();
  CHECK(kept == first.tally.done);
  CHECK(kept >= 1);
  const Outcome second = run_study(study, store, jobs(2));
  CHECK(second.study == first.study);
  CHECK(second.tally.known == kept);
  CHECK(second.tally.known + second.tally.done == 40);
}

TEST_CASE("a failure is stored with its reason, not repeated, and run once more on request") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  const Study study = study_with({"sm.count=66,132"});
  RunOptions options;
  options.how.max_cycles = 100;
  const Outcome outcome = run_study(study, store, options);
  CHECK(outcome.tally.failed == 2);
  const std::vector<PointRow> rows = store.points(outcome.study);
  CHECK(rows.at(0).status == kFailed);
  CHECK_THAT(rows.at(0).reason, Contains("has not finished after 100 cycles"));
  CHECK(rows.at(0).reason.find('\n') == std::string::npos);
  CHECK(run_study(study, store, options).tally.known == 2);
  options.retry = true;
  CHECK(run_study(study, store, options).tally.failed == 2);
}

TEST_CASE("a point that contradicts itself is skipped with its reason, the others run") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  const Outcome outcome = run_study(study_with({"l2.slices=80,95"}), store);
  CHECK(outcome.tally.skipped == 1);
  CHECK(outcome.tally.done == 1);
  const PointRow skipped = store.points(outcome.study).at(1);
  CHECK(skipped.status == kSkipped);
  CHECK_THAT(skipped.reason, Contains("95, not a multiple of"));
}

TEST_CASE("a GPU without an instruction, or too small for a CTA, is skipped and named") {
  Study study = study_with({});
  study.archs = {"v100", "a40", "a100"};
  study.traces = {"gemm_bf16"};
  Inputs inputs(study, shipped());
  const std::vector<Candidate> points = points_of(inputs);
  CHECK_THAT(points.at(0).row.reason, Contains("V100") && Contains("lacks HMMA.16816.F32.BF16"));
  CHECK_THAT(points.at(1).row.reason, Contains("does not fit A40"));
  CHECK(points.at(2).row.status.empty());
}

TEST_CASE("what follows from a value is kept with the point; what nobody changed is not") {
  Inputs inputs(study_with({"sm.count=66,132"}), shipped());
  const std::vector<Candidate> points = points_of(inputs);
  CHECK(points.at(0).row.derived == std::vector<std::pair<std::string, std::string>>{{"noc.gpcs", "4"}});
  CHECK(points.at(1).row.derived.empty());
}

TEST_CASE("an axis at its base value stays there, although another axis would carry it along") {
  Inputs inputs(study_with({"dram.stacks=3,5", "dram.bandwidth=1x,2x", "sm.count=66", "noc.gpcs=8"}), shipped());
  const std::vector<Candidate> points = points_of(inputs);
  const arch::Resolved fewer_stacks = inputs.resolve(points.at(0).point);
  CHECK(text_of_key(fewer_stacks, "dram.bandwidth") == text_of_key(inputs.bases()[0], "dram.bandwidth"));
  CHECK(fewer_stacks.arch.noc.gpcs == 8);
  CHECK(points.at(0).row.parameters.at(1).second == "3352.32 GB/s");
  CHECK(points.at(0).row.key != points.at(1).row.key);
}

TEST_CASE("axes that cannot all stay at their base values contradict each other") {
  Inputs inputs(study_with({"dram.stacks=5,10", "dram.bandwidth=1x", "dram.command_hz=1x"}), shipped());
  const std::vector<Candidate> points = points_of(inputs);
  CHECK(points.at(0).row.status.empty());
  CHECK(points.at(1).row.status == kSkipped);
  CHECK_THAT(points.at(1).row.reason, Contains("cannot stay at its base value"));
}

TEST_CASE("alone, an axis moves nothing that another axis names") {
  Study study = study_with({"dram.stacks=3", "dram.bandwidth=2x"});
  study.combination = Combination::kOneAtATime;
  Inputs inputs(study, shipped());
  for (const Candidate& candidate : points_of(inputs)) {
    const arch::Resolved resolved = inputs.resolve(candidate.point);
    for (const auto& [key, text] : candidate.row.parameters) {
      CHECK(text_of_key(resolved, key) == text);
    }
  }
}

TEST_CASE("a value is one point with the factor that gives it, also where the file calls it a guess") {
  Inputs inputs(study_with({"dram.bandwidth=1x,2x"}), shipped());
  Inputs written(study_with({"dram.bandwidth=3352.32 GB/s,6704.64 GB/s"}), shipped());
  CHECK(points_of(inputs).at(0).row.key == points_of(written).at(0).row.key);
  CHECK(points_of(inputs).at(1).row.key == points_of(written).at(1).row.key);
}

TEST_CASE("the bandwidth that follows from other keys is told") {
  Inputs inputs(study_with({"dram.stacks=10"}), shipped());
  const std::vector<std::pair<std::string, std::string>> derived = points_of(inputs).at(0).row.derived;
  CHECK(derived.back() == std::pair<std::string, std::string>{"dram.bandwidth", "6704.64 GB/s"});
}

TEST_CASE("a trace that changes while the sweep runs stops it, and nothing of it is stored") {
  const Folder folder;
  const std::filesystem::path file = folder.file("mine.trace");
  std::filesystem::copy_file(std::filesystem::path(GPUSIM_SOURCE_DIR) / "traces" / "saxpy.trace", file);
  Sources sources = shipped();
  sources.load_trace = [file](const std::string&, const trace::ParameterChoice& choice) {
    return frontend::load_trace_text(file, choice);
  };
  Study study = study_with({"param.n=1000..20000:20"});
  Inputs inputs(study, sources);
  const std::vector<Candidate> points = points_of(inputs);
  std::ofstream(file, std::ios::app) << "# and a line more\n";
  Store store(folder.file(), Store::Access::kWrite);
  CHECK_THROWS_WITH(run(inputs, points, store, jobs(2), {}), Contains("mine.trace: was changed while the sweep ran"));
  for (const PointRow& row : store.points(1)) {
    CHECK(row.status == kDone);
  }
}

TEST_CASE("a condition leaves points out") {
  Study study = study_with({"sm.count=66,132,160"});
  study.where = {"sm.count * 2 > 200"};
  Inputs inputs(study, shipped());
  CHECK(points_of(inputs).size() == 2);
}

TEST_CASE("parameters of the trace are varied with the architecture") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  const Outcome outcome = run_study(study_with({"sm.count=66,132", "param.n=2560,5120"}), store, jobs(2));
  const std::vector<PointRow> rows = store.points(outcome.study);
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].parameters.at(1) == std::pair<std::string, std::string>{"param.n", "5120"});
  CHECK(rows[1].metrics.at("warp_instructions") > rows[0].metrics.at("warp_instructions"));
}

TEST_CASE("the shares of a study are run apart and make the whole") {
  const Folder folder;
  const Study study = study_with({"sm.count=60..66"});
  std::vector<std::filesystem::path> shards;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    shards.push_back(folder.file("shard" + std::to_string(i) + ".db"));
    Store store(shards.back(), Store::Access::kWrite);
    RunOptions options;
    options.share = {i, 3};
    CHECK(run_study(study, store, options).tally.done == (i == 1 ? 3 : 2));
  }
  const MergeReport missing = Store::merge(folder.file("two.db"), std::span(shards).first(2));
  CHECK(missing.incomplete.at(0).absent == std::vector<Share>{{3, 3}});
  CHECK(missing.incomplete.at(0).missing == std::vector<std::uint64_t>{3, 6});
  CHECK(Store::merge(folder.file(), shards).incomplete.empty());
  Store whole(folder.file(), Store::Access::kWrite);
  CHECK(run_study(study, whole).tally.known == 7);
}

TEST_CASE("without memory for another point, points run one after the other") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  Crowd crowd;
  Host host = crowd.host();
  host.memory_available = [] { return std::uint64_t{0}; };
  host.peak_memory = [] { return std::uint64_t{50'000'000}; };
  CHECK(run_study(study_with({"sm.count=60..80"}), store, jobs(4), host).tally.done == 21);
  CHECK(crowd.most() == 1);
}

TEST_CASE("points that have just begun count for what they will need") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  Crowd crowd;
  Host host = crowd.host();
  host.memory_available = [] { return std::uint64_t{1'000'000'000}; };  // nobody has allocated anything yet
  host.peak_memory = [] { return std::uint64_t{800'000'000}; };         // what two points took
  CHECK(run_study(study_with({"sm.count=60..80"}), store, jobs(8), host).tally.done == 21);
  CHECK(crowd.most() <= 2);
}

TEST_CASE("a fault of the one who watches stops the run, which then ends with it") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  std::atomic<bool> told = false;
  Host host;
  host.progress = [&told](const Tally&) {
    told = true;
    told.notify_all();
    throw std::runtime_error("no terminal");
  };
  host.seconds = [&told] {
    told.wait(false);
    return 0.0;
  };
  CHECK_THROWS_WITH(run_study(study_with({"sm.count=1..40"}), store, jobs(2), host), "no terminal");
  CHECK(store.points(1).size() < 40);
}

TEST_CASE("a result that cannot be stored stops the run with the database's error") {
  const Folder folder;
  Store store(folder.file(), Store::Access::kWrite);
  Inputs inputs(study_with({"sm.count=60..80"}), shipped());
  const std::vector<Candidate> points = points_of(inputs);
  Host host;
  bool done = false;
  host.seconds = [&] {  // while the first point runs, somebody damages the file
    if (!done) {
      done = true;
      std::filesystem::resize_file(folder.file(), 5000);
    }
    return 0.0;
  };
  CHECK_THROWS_AS(run(inputs, points, store, jobs(1), host), StoreError);
}

}  // namespace gpusim::sweep
