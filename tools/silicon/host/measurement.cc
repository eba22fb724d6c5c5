// SPDX-License-Identifier: MIT
#include "tools/silicon/host/measurement.h"

#include "tools/silicon/host/json.h"

namespace gpusim::silicon {
namespace {

std::string_view to_text(Input input) {
  switch (input) {
    case Input::Random: return "random";
    case Input::Zero: return "zero";
    case Input::None: break;
  }
  return "none";
}

JsonObject record(std::string_view type, std::string_view experiment) {
  JsonObject object;
  object.add("type", type).add("experiment", experiment);
  return object;
}

JsonObject params_object(const Params& params) {
  JsonObject object;
  for (const Param& param : params) {
    std::visit([&](const auto& value) { object.add(param.key, value); }, param.value);
  }
  return object;
}

JsonObject launch_object(const LaunchFacts& launch) {
  JsonObject object;
  object.add("kernel", launch.kernel)
      .add("grid", std::span<const std::uint32_t>(launch.grid))
      .add("block", std::span<const std::uint32_t>(launch.block))
      .add("cluster", launch.cluster)
      .add("dynamic_smem", launch.dynamic_smem)
      .add("static_smem", launch.static_smem)
      .add("registers", launch.registers)
      .add("local_bytes", launch.local_bytes);
  return object;
}

}  // namespace

std::string_view to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::Ok: return "ok";
    case Outcome::Skipped: return "skipped";
    case Outcome::Wrong: return "wrong";
    case Outcome::Fault: break;
  }
  return "fault";
}

std::string to_json(std::string_view experiment, const DeviceFacts& device) {
  return record("begin", experiment)
      .add("gpu", device.gpu)
      .add("compute_capability", device.compute_capability)
      .add("sms", device.sms)
      .add("l2_bytes", device.l2_bytes)
      .add("driver", device.driver_version)
      .add("driver_cuda", device.driver)
      .add("runtime_cuda", device.runtime)
      .text();
}

std::string to_json(std::string_view experiment, const Measurement& measurement) {
  const Summary& summary = measurement.summary;
  JsonObject object = record("measurement", experiment);
  object.add("metric", measurement.metric)
      .add("value", summary.median)
      .add("unit", measurement.unit)
      .add("spread", summary.spread())
      .add("deviation", summary.deviation)
      .add("min", summary.min)
      .add("max", summary.max)
      .add("n", summary.n)
      .add("clock_mhz", measurement.clock.mhz)
      .add("clock_spread_mhz", measurement.clock.spread_mhz)
      .add("params", params_object(measurement.params))
      .add("input", to_text(measurement.input))
      .add("cache", measurement.cache == Cache::Cold ? "cold" : "warm")
      .add("launch", launch_object(measurement.launch));
  if (!measurement.trace.file.empty()) {
    object.add("trace", measurement.trace.file).add("trace_params", params_object(measurement.trace.params));
  }
  return object.add("note", measurement.note).text();
}

std::string to_json(std::string_view experiment, const SassExpectation& expectation) {
  return record("expects_sass", experiment)
      .add("kernel", expectation.kernel)
      .add("mnemonic", expectation.mnemonic)
      .add("at_least", expectation.at_least)
      .add("between_clocks", expectation.between_clocks)
      .text();
}

std::string to_json(std::string_view experiment, const WrongNumbers& wrong) {
  return record("wrong", experiment)
      .add("what", wrong.what)
      .add("params", params_object(wrong.params))
      .add("difference", describe(wrong.comparison))
      .text();
}

std::string to_json(std::string_view experiment, Outcome outcome, std::string_view message, double seconds) {
  return record("done", experiment)
      .add("status", to_text(outcome))
      .add("message", message)
      .add("seconds", seconds)
      .text();
}

}  // namespace gpusim::silicon
