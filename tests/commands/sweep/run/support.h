// SPDX-License-Identifier: MIT
// Studies over shipped architectures and traces, with a database in a folder of their own.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/commands/sweep/run/inputs.h"
#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/run/run.h"
#include "sim/input/text/load.h"
#include "sim/machine/gpu/simulate.h"

#include "tests/commands/sweep/store/support.h"

namespace gpusim::sweep {

inline std::filesystem::path config(const std::string& name) {
  return std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / (name + ".yaml");
}

inline Sources shipped() {
  Sources sources;
  sources.find_arch = config;
  sources.load_trace = [](const std::string& name, const trace::ParameterChoice& choice) {
    const auto file = std::filesystem::path(GPUSIM_SOURCE_DIR) / "traces" / (name + ".trace");
    trace::Trace trace = frontend::load_trace_text(file, choice);
    trace.path = name;
    return trace;
  };
  return sources;
}

/// "sm.count=66,132" each, for saxpy's small set on an H100.
inline Study study_with(const std::vector<std::string>& axes) {
  Study study;
  study.archs = {"h100"};
  study.traces = {"saxpy"};
  study.test_params = true;
  for (const std::string& axis : axes) {
    study.axes.push_back(parse_axis(axis));
  }
  return study;
}

inline std::vector<Candidate> points_of(Inputs& inputs, const gpu::SimulateOptions& how = {}) {
  return prepare(inputs, Plan(inputs.study(), inputs.bases(), inputs.base_parameters()), how).points;
}

inline Outcome run_study(const Study& study, Store& store, RunOptions options = {}, const Host& host = {}) {
  Inputs inputs(study, shipped());
  return run(inputs, points_of(inputs, options.how), store, options, host);
}

}  // namespace gpusim::sweep
