// SPDX-License-Identifier: MIT
// gpusim sweep --submit slurm with stand-ins for Slurm's programs; tests/slurm has the real ones.
#include <catch2/catch.hpp>

#include "sim/commands/sweep/store/store.h"

#include "tests/app/program.h"

namespace sweep_submit_test {

using Catch::Matchers::Contains;
using gpusim::app::content_of;
using gpusim::app::Workshop;
using gpusim::sweep::Store;

namespace {

const std::string kStudy = "sweep --arch h100 --trace saxpy --test-params --vary sm.count=33,66,99,132 --submit slurm ";
const std::string kNoPilot = kStudy + "--shards 2 --time 5 --mem 300M ";

/// A machine with Slurm: jobs get the numbers 101, 102, ... and "run" until the file "over" is there; `sbatch` refuses
/// when there is a file "refusal". What it was called with is in "calls".
class Cluster {
 public:
  Cluster() {
    put("sbatch",
        "if [ \"$1\" = --version ]; then echo slurm 0; exit; fi\n"
        "if [ -e \"$top/refusal\" ]; then cat \"$top/refusal\" >&2; exit 1; fi\n"
        "echo \"$*\" >>\"$top/calls\"; echo \"Welcome to the cluster\"; echo $((100 + $(wc -l <\"$top/calls\")))\n");
    put("squeue", "[ -e \"$top/over\" ] || echo 101\n");
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return shop_.folder(); }
  void write(const std::string& name, const std::string& text) const { shop_.write(name, text); }
  [[nodiscard]] Workshop::Said run(const std::string& arguments) const {
    return shop_.run(arguments, "PATH='" + folder().string() + "/bin':$PATH");
  }
  [[nodiscard]] std::string calls() const { return content_of(folder() / "calls"); }
  [[nodiscard]] std::string job(const std::string& name) const {
    return content_of(folder() / "gpusim-sweep.d" / name);
  }

  /// What Slurm would do with a script of the folder.
  void run_script(const std::string& name, const std::string& task = "") const {
    const std::string line = "SLURM_ARRAY_TASK_ID=" + task + " sh gpusim-sweep.d/" + name + " >out 2>err";
    const Workshop::Said said = shop_.shell(line);
    INFO(said.err);
    REQUIRE(said.code == 0);
  }

 private:
  void put(const std::string& name, const std::string& script) const {
    std::filesystem::create_directory(folder() / "bin");
    shop_.write("bin/" + name, "#!/bin/sh\ntop='" + folder().string() + "'\n" + script);
    std::filesystem::permissions(folder() / "bin" / name, std::filesystem::perms::owner_all);
  }

  Workshop shop_;
};

}  // namespace

TEST_CASE("a sweep is submitted as an array and a merge that waits for it") {
  const Cluster cluster;
  const Workshop::Said said = cluster.run(kNoPilot + "--partition short --account me");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("job 101: 2 of 2 shards, 4 points") && Contains("job 102: merges them"));
  CHECK(cluster.calls() == "--parsable array.sh\n--parsable --dependency=afterany:101 merge.sh\n");
  CHECK_THAT(cluster.job("array.sh"),
             Contains("#SBATCH --partition=short\n#SBATCH --account=me\n#SBATCH --array=1-2\n"));
}

TEST_CASE("tasks and merge give the database that a local run gives") {
  const Cluster cluster;
  REQUIRE(cluster.run(kNoPilot + "--dry-run").code == 0);
  CHECK(cluster.calls().empty());
  cluster.run_script("array.sh", "1");
  cluster.run_script("array.sh", "2");
  cluster.run_script("merge.sh");
  const Store store(cluster.folder() / "gpusim-sweep.db", Store::Access::kRead);
  REQUIRE(store.studies().size() == 1);
  CHECK(store.studies().front().done == 4);
}

TEST_CASE("a pilot's time and memory are asked for, and its point is not run again") {
  const Cluster cluster;
  const Workshop::Said said = cluster.run(kStudy);
  CHECK(said.code == 0);
  CHECK_THAT(said.err, Contains("pilot (sm.count="));
  CHECK_THAT(said.out, Contains("1 of 1 shard, 3 points") && Contains("--time=10 --mem=512M"));
  const Store shard(cluster.folder() / "gpusim-sweep.d" / "shard-1-of-1.db", Store::Access::kRead);
  const Store store(cluster.folder() / "gpusim-sweep.db", Store::Access::kRead);
  const auto known = store.points(store.study()->id);
  REQUIRE(known.size() == 1);
  CHECK(shard.result(known.front().key) == store.result(known.front().key));
}

TEST_CASE("the same command again submits the shards that lack points, and then says that nothing is missing") {
  const Cluster cluster;
  REQUIRE(cluster.run(kNoPilot).code == 0);
  cluster.run_script("array.sh", "2");
  cluster.write("over", "");
  const Workshop::Said again = cluster.run(kNoPilot);
  CHECK_THAT(again.err, Contains("2 points taken over"));
  CHECK_THAT(again.out, Contains("1 of 2 shards, 2 points"));
  CHECK_THAT(cluster.job("array.sh"), Contains("#SBATCH --array=1\n"));
  cluster.run_script("array.sh", "1");
  const Workshop::Said done = cluster.run(kNoPilot);
  CHECK(done.code == 0);
  CHECK(done.out == "nothing is missing in gpusim-sweep.db\n");
}

TEST_CASE("while jobs of a folder run nothing more is submitted from it") {
  const Cluster cluster;
  REQUIRE(cluster.run(kNoPilot).code == 0);
  const Workshop::Said said = cluster.run(kNoPilot);
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("101,102") && Contains("still wait or run"));
}

TEST_CASE("a sweep of steps is submitted with its file of kernel times, and its tasks give all points") {
  const Cluster cluster;
  cluster.write("step.yaml",
                "kernels: {k: {bytes: 64 MiB}}\nthreads: {main: {calls: [launch: k, synchronize: device]}}\n");
  const Workshop::Said said = cluster.run(
      "sweep --system dgx-h100 --app step.yaml --vary calls.launch=1us,2us,3us --where 'calls.launch != 2 us' "
      "--kernel-times times.db --submit slurm --shards 2");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.err, Contains("2 points, 1 left out by --where") && Contains("pilot (calls.launch=3us)"));
  CHECK_THAT(cluster.job("array.sh"), Contains("--kernel-times " + cluster.folder().string() + "/times.db --yes"));
  cluster.run_script("array.sh", "1");
  cluster.run_script("merge.sh");
  const Store store(cluster.folder() / "gpusim-sweep.db", Store::Access::kRead);
  CHECK(store.points(store.study()->id).size() == 2);
}

TEST_CASE("a damaged shard of an earlier submission is named, and what to do about it") {
  const Cluster cluster;
  REQUIRE(cluster.run(kNoPilot + "--dry-run").code == 0);
  cluster.run_script("array.sh", "1");
  cluster.write("gpusim-sweep.d/shard-2-of-2.db", std::string(9000, 'x'));
  const Workshop::Said said = cluster.run(kNoPilot);
  CHECK(said.code == 2);
  CHECK_THAT(said.err,
             Contains("shard-2-of-2.db: is not a database of sweeps (move it away; its points are run again)"));
  std::filesystem::remove(cluster.folder() / "gpusim-sweep.d" / "shard-2-of-2.db");
  CHECK_THAT(cluster.run(kNoPilot).out, Contains("1 of 2 shards, 2 points"));
}

TEST_CASE("a refusal of Slurm is told in its words") {
  const Cluster cluster;
  cluster.write("refusal", "sbatch: error: invalid account\n");
  const Workshop::Said said = cluster.run(kNoPilot);
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("sbatch: error: invalid account") && Contains("gpusim-sweep.d"));
}

TEST_CASE("without Slurm a submission is refused before anything is simulated or written") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kStudy, "PATH=/nonexistent");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("there is no sbatch") && Contains("--dry-run"));
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "gpusim-sweep.db"));
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "gpusim-sweep.d"));
}

TEST_CASE("options of a submission that cannot be meant are refused by name") {
  const Workshop shop;
  const std::string study = "sweep --arch h100 --trace saxpy --test-params --vary sm.count=33,66 ";
  for (const auto& [arguments, message] : {std::pair{"--shards 3", "--shards is of --submit"},
                                           {"--partition x", "--partition is of --submit"},
                                           {"--submit slurm --shard 1/2", "--shard does not go with --submit"},
                                           {"--submit slurm --format json", "--format does not go with --submit"},
                                           {"--submit pbs", "pbs"},
                                           {"--submit slurm -n --shards 0", "--shards"},
                                           {"--submit slurm -n --time '1 h'", "--time takes a word"},
                                           {"--submit slurm -n --folder 'a%b'", "'%'"}}) {
    INFO(arguments);
    const Workshop::Said said = shop.run(study + arguments);
    CHECK(said.code == 1);
    CHECK_THAT(said.err, Contains(message));
  }
}

}  // namespace sweep_submit_test
