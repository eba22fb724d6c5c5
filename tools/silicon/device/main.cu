// SPDX-License-Identifier: MIT
// The program: lists experiments, or runs one. One experiment a process, so that a crash or a hang costs only that one.
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include "tools/silicon/device/session.cuh"
#include "tools/silicon/host/journal.h"
#include "tools/silicon/host/json.h"
#include "tools/silicon/host/options.h"

namespace gpusim::silicon {
namespace {

constexpr int kUsageError = 1;
constexpr int kSkipped = 3;
constexpr int kFault = 4;

int exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::Ok: return 0;
    case Outcome::Skipped: return kSkipped;
    case Outcome::Wrong: return 5;
    case Outcome::Fault: break;
  }
  return kFault;
}

int list() {
  const std::optional<ComputeCapability> gpu = device_capability();
  for (const Experiment& experiment : registry().sorted()) {
    std::cout << to_json(experiment, gpu) << "\n";
  }
  return 0;
}

int tell_device() {
  const std::optional<DeviceFacts> facts = device_facts();
  if (!facts) {
    std::cerr << "silicon: there is no CUDA device\n";
    return kSkipped;
  }
  JsonObject object;
  object.add("gpu", facts->gpu)
      .add("compute_capability", facts->compute_capability)
      .add("has_code", has_code_for_device());
  std::cout << object.text() << "\n";
  return 0;
}

struct Ending {
  Outcome outcome = Outcome::Ok;
  std::string message;
};

// Why the experiment cannot run here; empty when it can.
std::string reason_to_skip(const Experiment& experiment) {
  const std::optional<ComputeCapability> gpu = device_capability();
  if (!gpu) {
    return "there is no CUDA device";
  }
  const std::optional<Feature> missing = missing_feature(experiment, *gpu);
  return missing ? "needs " + std::string(to_text(*missing)) : "";
}

Ending run(const Experiment& experiment, const Session::Sink& sink, bool profiling) {
  if (const std::string reason = reason_to_skip(experiment); !reason.empty()) {
    return {Outcome::Skipped, reason};
  }
  try {
    Session session(experiment.name, sink, profiling);
    experiment.run(session);
    SILICON_CHECK(cudaDeviceSynchronize());
    return {session.any_wrong() ? Outcome::Wrong : Outcome::Ok, ""};
  } catch (const std::exception& error) {
    return {Outcome::Fault, error.what()};
  }
}

int conclude(const Experiment& experiment, const Ending& ending) {
  if (ending.outcome != Outcome::Ok) {
    std::cerr << experiment.name << ": " << to_text(ending.outcome) << " " << ending.message << "\n";
  }
  return exit_code(ending.outcome);
}

int profile(const Experiment& experiment) {
  return conclude(experiment, run(
                                  experiment, [](std::string_view) {}, true));
}

int run_into(const Experiment& experiment, const std::string& file) {
  const auto begin = std::chrono::steady_clock::now();
  Journal journal(file);
  const Ending ending = run(
      experiment, [&](std::string_view line) { journal.write(line); }, false);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  journal.write(to_json(experiment.name, ending.outcome, ending.message, took.count()));
  journal.commit();
  return conclude(experiment, ending);
}

int perform(const Options& options) {
  if (options.task == Task::List) {
    return list();
  }
  if (options.task == Task::Device) {
    return tell_device();
  }
  const Experiment* experiment = registry().find(options.experiment);
  if (experiment == nullptr) {
    throw OptionsError("there is no experiment '" + options.experiment + "'; --list names them all");
  }
  return options.task == Task::Run ? run_into(*experiment, options.out) : profile(*experiment);
}

}  // namespace
}  // namespace gpusim::silicon

int main(int argc, char** argv) {
  using namespace gpusim::silicon;
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  try {
    return perform(parse_options(words));
  } catch (const OptionsError& error) {
    std::cerr << "silicon: " << error.what() << "\n" << kUsage;
    return kUsageError;
  } catch (const std::exception& error) {
    std::cerr << "silicon: " << error.what() << "\n";
    return kFault;
  }
}
