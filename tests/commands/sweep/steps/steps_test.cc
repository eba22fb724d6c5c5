// SPDX-License-Identifier: MIT
// Sweeps over steps of applications: their keys, points, results, and that they go on where they stopped.
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "sim/base/problem.h"
#include "sim/commands/app/times/database.h"
#include "sim/commands/sweep/steps/step_inputs.h"
#include "sim/commands/sweep/steps/step_keys.h"
#include "sim/commands/sweep/study/study_file.h"

#include "tests/support/gpusim_path.h"

namespace sweep_steps_test {

using namespace gpusim;
using namespace gpusim::sweep;
using Catch::Contains;

namespace {

/// A folder with an application, which goes with the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("gpusim-steps-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
    std::ofstream(application()) << "kernels: {k: {bytes: 64 MiB}}\n"
                                    "threads: {main: {setup: [allocate: {buffer: w, bytes: 64 MiB}], "
                                    "calls: [launch: k, synchronize: device]}}\n";
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string application() const { return file("step.yaml"); }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string database() const { return (path_ / "sweep.db").string(); }

 private:
  std::filesystem::path path_;
};

Study study_of(std::vector<std::string> systems, std::string application, const std::vector<std::string>& axes,
               std::vector<std::string> set = {}) {
  Study study;
  study.keys = &step_keys();
  study.archs = std::move(systems);
  study.traces = {std::move(application)};
  study.set = std::move(set);
  for (const std::string& text : axes) {
    study.axes.push_back(parse_axis(text));
  }
  return study;
}

std::vector<std::string> texts_of(const Prepared& prepared, std::size_t axis) {
  std::vector<std::string> texts;
  for (const Candidate& point : prepared.points) {
    texts.push_back(point.row.parameters[axis].second);
  }
  return texts;
}

Outcome run_all(const Study& study, const std::string& file) {
  const StepInputs inputs(study);
  Store store(file, Store::Access::kWrite);
  app::Database database({});
  const Prepared prepared = inputs.prepare(Plan(study, inputs), {});
  return run(inputs.runner(database), prepared.points, store, {}, {});
}

std::string error_of(const Study& study) {
  try {
    const StepInputs inputs(study);
    static_cast<void>(Plan(study, inputs));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("factors multiply what a system, its GPUs and an application have") {
  const Folder folder;
  const Study study =
      study_of({"dgx-h100"}, folder.application(), {"calls.launch=0.5x,1x", "gpu.sm.count=0.5x", "kernels.k.bytes=2x"});
  const StepInputs inputs(study);
  const Prepared prepared = inputs.prepare(Plan(study, inputs), {});
  CHECK(texts_of(prepared, 0) == std::vector<std::string>{"2.05 us", "4100 ns"});
  CHECK(texts_of(prepared, 1) == std::vector<std::string>{"66", "66"});
  CHECK(texts_of(prepared, 2) == std::vector<std::string>{"128 MiB", "128 MiB"});
  CHECK_THAT(
      error_of(study_of({"dgx-h100"}, "make:elementwise-chain", {"make.operations=1x,2x"}, {"make.operations=8"})),
      Contains("--set make.operations: is varied, too"));
  const Study chain = study_of({"dgx-h100"}, "make:elementwise-chain", {"make.operations=32..64+32"});
  const StepInputs chains(chain);
  CHECK(texts_of(chains.prepare(Plan(chain, chains), {}), 0) == std::vector<std::string>{"32", "64"});
}

TEST_CASE("a study of a generated step may vary its model") {
  const Study study = study_of({"dgx-h100"}, "make:transformer-decode", {"make.model=gpt2,llama-3.2-1b"});
  const StepInputs inputs(study);
  const Prepared prepared = inputs.prepare(Plan(study, inputs), {});
  CHECK(texts_of(prepared, 0) == std::vector<std::string>{"gpt2", "llama-3.2-1b"});
  CHECK(prepared.points[0].row.key != prepared.points[1].row.key);
  CHECK_THAT(error_of(study_of({"dgx-h100"}, "make:transformer-decode", {"make.batch=1,2"})),
             Contains("say which model"));
}

TEST_CASE("each point of a sweep over systems and keys has its step, causes and memory, and is run once") {
  const Folder folder;
  const Study study =
      study_of({"dgx-a100", "dgx-h100"}, folder.application(), {"kernels.k.bytes=64 MiB,128 MiB"}, {"repeats=2"});
  const Outcome first = run_all(study, folder.database());
  CHECK(first.tally.done == 4);
  const Outcome again = run_all(study, folder.database());
  CHECK(again.tally.known == 4);
  CHECK(again.tally.done == 0);
  const Store store(folder.database(), Store::Access::kRead);
  const std::vector<PointRow> rows = store.points(again.study);
  REQUIRE(rows.size() == 4);
  REQUIRE(rows[0].reason.empty());
  CHECK(rows[0].arch == "dgx-a100");
  CHECK(rows[1].time_us > rows[0].time_us + 20);  // 64 MiB more at 2 TB/s
  CHECK(rows[2].time_us < rows[0].time_us);
  CHECK(rows[0].bound == "memory");
  CHECK(rows[0].metrics.at("memory_pct") > 50);
  CHECK(rows[0].metrics.at("peak_allocated_bytes") == 64 << 20);
  CHECK_THAT(*store.result(rows[0].key), Contains("gpusim.app/1") && Contains("with repeats=2"));
}

TEST_CASE("a point that contradicts itself is skipped with its reason, and the key of others depends on the file") {
  const Folder folder;
  const Study study = study_of({"dgx-h100"}, folder.application(), {"gpus.gpu0..7.arch=h200,h20"});
  const StepInputs inputs(study);
  const Prepared prepared = inputs.prepare(Plan(study, inputs), {});
  CHECK(prepared.points[0].row.status.empty());
  CHECK(prepared.points[1].row.status == kSkipped);
  CHECK_THAT(prepared.points[1].row.reason, Contains("unknown GPU 'h20'"));
  std::ofstream(folder.application(), std::ios::app) << "name: Other\n";
  const StepInputs changed(study);
  CHECK(changed.prepare(Plan(study, changed), {}).points[0].row.key != prepared.points[0].row.key);
}

TEST_CASE("the key of a step depends on the GPU on which a kernel was recorded, and on the library's kernel for it") {
  const Folder folder;
  const std::filesystem::path sources(GPUSIM_SOURCE_DIR);
  std::filesystem::copy_file(sources / "configs" / "a100.yaml", folder.file("a100.yaml"));
  const std::filesystem::path library = folder.file("library");
  std::filesystem::create_directories(library);
  std::filesystem::copy_file(sources / "traces" / "library" / "copy.trace", library / "copy.trace");
  const testing::GpusimPath searched(library);
  const auto write_gpu = [&folder](const char* name) {
    std::ofstream(folder.file("mine.yaml")) << "extends: a100.yaml\ninherited: guess\nname: " << name << "\n";
  };
  write_gpu("Mine");
  std::ofstream(folder.application()) << "kernels: {k: {time: 10 us, of: " << folder.file("mine.yaml")
                                      << ", does: {of: move, bytes: 1 MiB}}}\nthreads: {main: [launch: k]}\n";
  const auto key = [&folder] {
    const Study study = study_of({"dgx-h100"}, folder.application(), {"repeats=2"});
    const StepInputs inputs(study);
    return inputs.prepare(Plan(study, inputs), {}).points.front().row.key;
  };
  const std::string first = key();
  CHECK(!first.empty());
  CHECK(key() == first);
  write_gpu("Other");
  const std::string of_other = key();
  CHECK(of_other != first);
  std::ofstream(folder.file("copy.trace")) << "another kernel, beside the step, which is not the library's\n";
  CHECK(key() == of_other);
  std::ofstream(library / "copy.trace", std::ios::app) << "# changed\n";
  CHECK(key() != of_other);
}

TEST_CASE("a step that needs more memory than there is fails with PyTorch's words") {
  const Folder folder;
  const Study study = study_of({"dgx-h100"}, folder.application(), {"gpu.dram.capacity_bytes=80 GiB,512 MiB"});
  CHECK(run_all(study, folder.database()).tally.failed == 1);
}

TEST_CASE("keys that no study of steps has are refused with the nearest, as are factors of nothing") {
  const Folder folder;
  const auto error_with = [&](const std::string& axis) {
    return error_of(study_of({"dgx-h100"}, folder.application(), {axis}));
  };
  CHECK_THAT(error_with("sm.count=66"),
             Contains("--vary sm.count: unknown key 'sm.count' (did you mean 'gpu.sm.count'?)"));
  CHECK_THAT(error_with("make.bacth=1"), Contains("did you mean 'make.batch'?"));
  CHECK_THAT(error_with("kernels.q.bytes=2x"), Contains("has no value to multiply"));
  CHECK_THAT(error_with("calls.launch=fast"), Contains("--vary calls.launch: 'fast'"));
  CHECK_THAT(error_of(study_of({"dgx-h100"}, "make:elementwise-chain", {}, {"make.mode=eagre"})),
             Contains("--mode eagre is not for this kind (allowed: eager"));
  CHECK_THAT(error_of(study_of({"dgx-h100"}, folder.application(), {}, {"make.batch=2"})),
             Contains("is not generated"));
}

TEST_CASE(
    "conditions leave out steps by keys of systems, of their GPUs as changed, of applications and of generators") {
  const Folder folder;
  const auto kept = [](Study study, const std::string& condition) {
    study.where = {condition};
    const StepInputs inputs(study);
    const Prepared prepared = inputs.prepare(Plan(study, inputs), {});
    CHECK(prepared.left_out + prepared.points.size() == Plan(study, inputs).size());
    return texts_of(prepared, 0);
  };
  using Texts = std::vector<std::string>;
  const std::string file = folder.application();
  CHECK(kept(study_of({"dgx-h100"}, file, {"gpu.sm.count=66,132,160"}), "gpu.noc.gpcs > 8") == Texts{"160"});
  CHECK(kept(study_of({"dgx-h100"}, file, {"gpu.dram.bandwidth=1 TB/s,2 TB/s"}),
             "gpu.dram.bandwidth / gpu.sm.count < 10 GB/s") == Texts{"1 TB/s"});
  CHECK(kept(study_of({"dgx-h100"}, file, {"calls.launch=1us,4us"}), "calls.launch <= 2 us") == Texts{"1us"});
  CHECK(kept(study_of({"dgx-h100"}, file, {"kernels.k.bytes=1x,4x"}),
             "kernels.k.bytes > 64 MiB and gpu.dram.timing.CCDS > 1 ns") == Texts{"256 MiB"});
  CHECK(
      kept(study_of({"dgx-h100"}, "make:transformer-train", {"make.batch=1,2,4", "make.gpus=2,8"}, {"make.model=gpt2"}),
           "make.batch * make.gpus == 8") == Texts{"1", "4"});
}

TEST_CASE("a condition on steps is refused for what it cannot compare, and a point without a value is skipped") {
  const Folder folder;
  const auto error_with = [&](const std::string& condition) {
    Study study = study_of({"dgx-h100"}, folder.application(), {"calls.launch=1us,2us"});
    study.where = {condition};
    return error_of(study);
  };
  CHECK_THAT(error_with("sm.count > 66"),
             Contains("unknown key 'sm.count'") && Contains("did you mean 'gpu.sm.count'?"));
  CHECK_THAT(error_with("make.mode == 1"), Contains("has no number to compare"));
  CHECK_THAT(error_with("gpu.l2.bytes <= 50"), Contains("such as gpu.l2.bytes <= 50 MiB"));
  CHECK_THAT(error_with("calls.launch < 2"), Contains("ns are compared with plain numbers"));
  Study study = study_of({"dgx-h100"}, folder.application(), {"calls.launch=1us"});
  study.where = {"make.batch > 1"};
  const StepInputs inputs(study);
  const Prepared prepared = inputs.prepare(Plan(study, inputs), {});
  REQUIRE(prepared.points.size() == 1);
  CHECK_THAT(prepared.points[0].row.reason, Contains("'make.batch' has no value here (set or vary it)"));
}

TEST_CASE("a study of steps is written to a file that reads back to the same") {
  StudyFile file;
  file.study = study_of({"dgx-h100"}, "make:transformer-train", {"make.batch=1,2"}, {"make.model=gpt2"});
  CHECK(parse_study(write_study(file), "study.yaml", &step_keys()) == file);
  CHECK_THAT(
      [&] {
        try {
          static_cast<void>(parse_study("system: a\napp: b\narch: c\n", "s.yaml", &step_keys()));
        } catch (const InputError& error) {
          return std::string(error.what());
        }
        return std::string();
      }(),
      Contains("s.yaml:3:1: 'arch' is of kernels"));
}

}  // namespace sweep_steps_test
