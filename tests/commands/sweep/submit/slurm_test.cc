// SPDX-License-Identifier: MIT
// The scripts as texts, and as a shell runs them with a program that writes down how it was called.
#include "sim/commands/sweep/submit/slurm.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/commands/sweep/submit/shell.h"

#include "tests/commands/sweep/submit/hostile.h"
#include "tests/support/golden.h"

namespace gpusim::sweep {
namespace {

SlurmSweep sample() {
  SlurmSweep sweep;
  sweep.program = "/opt/gpusim/bin/gpusim";
  sweep.folder = "/data/me/my study.d";
  sweep.study = "my $tudy.yaml";
  sweep.working_directory = "/data/me";
  sweep.database = "/data/me/it's.db";
  sweep.environment = {{"GPUSIM_PATH", "/parts/$x"}};
  sweep.shards = 40;
  sweep.tasks = {1, 2, 3, 7, 39, 40};
  sweep.points = 150;
  sweep.time = "45";
  sweep.memory = "512M";
  sweep.partition = "short,long";
  sweep.account = "proj_1";
  return sweep;
}

/// A program that writes its arguments, a bracket each, to the file "calls" beside it, then ends as `ending` says.
std::string recorder(const std::string& ending) {
  return "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done >>\"${0%/*}/calls\"\necho >>\"${0%/*}/calls\"\n" +
         ending;
}

struct Ran {
  std::string calls;
  std::string status;
};

/// Runs a script of a sweep that lives in `folder`, as task 3 of an array.
Ran run_script(const Folder& folder, const std::string& script, const std::string& ending = "exit 0\n") {
  folder.write("gpusim", recorder(ending));
  const std::string file = folder.write("script.sh", script).string();
  const std::string status = shell_output("SLURM_ARRAY_TASK_ID=3 sh " + shell_word(file) + " 2>&1 >&2; printf %s $?");
  std::ifstream calls(folder.path() / "calls");
  return {std::string(std::istreambuf_iterator<char>(calls), {}), status.substr(status.find_last_of('\n') + 1)};
}

SlurmSweep sweep_in(const Folder& folder) {
  SlurmSweep sweep = sample();
  sweep.folder = folder.path().string();
  sweep.working_directory = sweep.folder;
  sweep.program = sweep.folder + "/gpusim";
  sweep.database = sweep.folder + "/all.db";
  return sweep;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_CASE("The script of an array is as it was") {
  const std::string script = array_script(sample());
  CHECK(script == golden("tests/commands/sweep/submit/golden/array.txt", script));
}

TEST_CASE("Tasks of steps keep times of kernels where the user wants them") {
  SlurmSweep sweep = sample();
  sweep.kernel_times = "/data/my times.db";
  CHECK_THAT(array_script(sweep), Catch::Contains("--jobs 1 --kernel-times '/data/my times.db' --yes --quiet"));
}

TEST_CASE("The script that merges is as it was") {
  const std::string script = merge_script(sample());
  CHECK(script == golden("tests/commands/sweep/submit/golden/merge.txt", script));
}

TEST_CASE("What the user is told to do next is as it was") {
  const std::string text = submitted_text(sample(), "1234", "1235") + "---\n" + written_text(sample());
  CHECK(text == golden("tests/commands/sweep/submit/golden/next.txt", text));
}

TEST_CASE("Tasks run points that failed once more when asked to") {
  SlurmSweep sweep = sample();
  CHECK(array_script(sweep).find("--retry") == std::string::npos);
  sweep.retry = true;
  CHECK(array_script(sweep).find(" --retry ") != std::string::npos);
}

TEST_CASE("What was not given is left to the cluster") {
  SlurmSweep sweep = sample();
  sweep.partition.clear();
  sweep.account.clear();
  for (const std::string& script : {array_script(sweep), merge_script(sweep)}) {
    CHECK(script.find("--partition") == std::string::npos);
    CHECK(script.find("--account") == std::string::npos);
  }
}

TEST_CASE("Indices next to each other are written as a range") {
  const auto list = [](const std::vector<std::uint64_t>& indices) { return index_list(indices); };
  CHECK(list({5}) == "5");
  CHECK(list({1, 2}) == "1-2");
  CHECK(list({1, 3, 4, 5, 9}) == "1,3-5,9");
}

TEST_CASE("A task gets the paths of the sweep unharmed, whatever is in them") {
  for (const std::string& word : hostile_words()) {
    if (word.empty()) {
      continue;
    }
    CAPTURE(word);
    const Folder folder(word);
    const std::string at = folder.path().string();
    const Ran ran = run_script(folder, array_script(sweep_in(folder)));
    CHECK(ran.status == "0");
    CHECK(ran.calls == "<sweep><" + at + "/my $tudy.yaml><--shard><3/40><--db><" + at +
                           "/shard-3-of-40.db><--jobs><1><--yes><--quiet>\n");
  }
}

TEST_CASE("The merge gets every shard that is there, and nothing else") {
  for (const std::string& word : hostile_words()) {
    if (word.empty()) {
      continue;
    }
    CAPTURE(word);
    const Folder folder(word);
    const std::string at = folder.path().string();
    for (const char* name : {"shard-1-of-40.db", "shard-7-of-40.db", "shard-1-of-40.log", "shard-1-of-40.db-journal"}) {
      folder.write(name, "");
    }
    const Ran ran = run_script(folder, merge_script(sweep_in(folder)));
    CHECK(ran.calls ==
          "<sweep><merge><--db><" + at + "/all.db><" + at + "/shard-1-of-40.db><" + at + "/shard-7-of-40.db>\n");
  }
}

TEST_CASE("A program killed on its way is started again, three times in all") {
  const Folder folder;
  const Ran ran = run_script(folder, array_script(sweep_in(folder)), "kill -9 $$\n");
  CHECK(ran.status == "137");
  CHECK(lines_of(ran.calls) == 3);
}

TEST_CASE("A program that ends with an error ends the task with the same") {
  const Folder folder;
  const Ran ran = run_script(folder, array_script(sweep_in(folder)), "exit 2\n");
  CHECK(ran.status == "2");
  CHECK(lines_of(ran.calls) == 1);
}

TEST_CASE("A task without its folder ends with an error instead of running elsewhere") {
  const Folder folder;
  SlurmSweep sweep = sweep_in(folder);
  sweep.working_directory += "/gone";
  const Ran ran = run_script(folder, array_script(sweep));
  CHECK(ran.status == "2");
  CHECK(ran.calls.empty());
}

TEST_CASE("A value that could add an option, a line or a comment to the script is refused by name") {
  for (const char* bad : {"a b", "x\n#SBATCH --wrap=evil", "a#b", "'a'", "\"", "a\\b", "$x"}) {
    SlurmSweep sweep = sample();
    sweep.partition = bad;
    CHECK_THROWS_WITH(array_script(sweep), Catch::Contains("--partition"));
    CHECK_THROWS_AS(check_slurm_word("--time", bad), UsageError);
  }
  CHECK_THROWS_AS(check_slurm_word("--time", ""), UsageError);
  CHECK_NOTHROW(check_slurm_word("--time", "1-02:30:00"));
}

TEST_CASE("A folder whose path Slurm would read as a pattern is refused") {
  CHECK_THROWS_WITH(check_slurm_folder("/a/100%/b"), Catch::Contains("/a/100%/b") && Catch::Contains("--folder"));
  CHECK_THROWS_AS(check_slurm_folder("/a\\b"), UsageError);
  CHECK_NOTHROW(check_slurm_folder("/it's a $HOME\n/x"));
}

TEST_CASE("The number of a job is found behind what a site prints before it") {
  CHECK(job_id("123\n") == "123");
  CHECK(job_id("123;cluster\n") == "123");
  CHECK(job_id("Welcome, 2 jobs run\n123\n") == "123");
  CHECK(job_id("error 5\n").empty());
  CHECK(job_id("").empty());
  CHECK(job_id("\n\n").empty());
}

TEST_CASE("Databases of shards are told from other files") {
  CHECK(shard_database(3, 40) == "shard-3-of-40.db");
  CHECK(is_shard_database(shard_database(1, 1)));
  CHECK_FALSE(is_shard_database("shard-3.log"));
  CHECK_FALSE(is_shard_database("shard-3-of-40.db-journal"));
  CHECK_FALSE(is_shard_database("all.db"));
}

}  // namespace
}  // namespace gpusim::sweep
