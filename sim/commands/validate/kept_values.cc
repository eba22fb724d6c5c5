// SPDX-License-Identifier: MIT
#include "sim/commands/validate/kept_values.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/commands/sweep/run/model_version.h"

namespace gpusim::validate {

using nlohmann::json;

KeptValues::KeptValues(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  std::string line;
  bool is_cut = false;
  for (std::uint32_t number = 1; std::getline(in, line); ++number) {
    read_line(line, number);
    is_cut = in.eof();
  }
  // What comes next would stand behind a line that was cut.
  if (!(std::ofstream(file_, std::ios::app) << (is_cut ? "\n" : "") << std::flush)) {
    throw InputError({{file_.string(), 0, 0}, "cannot be written", ""});
  }
}

/// The last line may have been cut by what ended the run.
void KeptValues::read_line(std::string_view line, std::uint32_t number) {
  const json value = json::parse(line, nullptr, false);
  const bool is_cut = value.is_discarded() && line.starts_with('{');
  const bool is_ours = value.is_object() && value.contains("model") && value.contains("run") &&
                       value["run"].is_string() && value.contains("metric") && value["metric"].is_string() &&
                       value.contains("value") && value["value"].is_number();
  if (!is_cut && !is_ours) {
    throw InputError({{file_.string(), number, 0},
                      "is not a value that 'gpusim validate --resume' has kept",
                      "give a file of its own, which need not be there yet"});
  }
  if (is_ours && value["model"] == std::string(sweep::model_digest())) {
    values_[{value["run"].get<std::string>(), value["metric"].get<std::string>()}] = value["value"].get<double>();
  }
}

std::optional<double> KeptValues::find(const std::string& run, const std::string& metric) const {
  const std::scoped_lock lock(mutex_);
  const auto found = values_.find({run, metric});
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

void KeptValues::add(const std::string& run, const std::string& metric, double value) {
  const std::scoped_lock lock(mutex_);
  values_[{run, metric}] = value;
  if (file_.empty()) {
    return;
  }
  const json line{{"model", sweep::model_digest()}, {"run", run}, {"metric", metric}, {"value", value}};
  std::ofstream out(file_, std::ios::app);
  if (!(out << line.dump() + "\n" << std::flush)) {
    throw InputError({{file_.string(), 0, 0}, "cannot be written", ""});
  }
}

}  // namespace gpusim::validate
