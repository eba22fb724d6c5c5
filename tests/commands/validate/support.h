// SPDX-License-Identifier: MIT
// Cases from a text, and what they simulate to, as the program would do it.
#pragma once

#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/validate/case_file.h"
#include "sim/commands/validate/run.h"
#include "sim/input/text/load.h"

namespace gpusim::test {

inline validate::Sources sources_of_tree() {
  const std::filesystem::path configs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";
  validate::Sources sources;
  sources.find_arch = [configs](const std::string& name) { return configs / (validate::arch_name(name) + ".yaml"); };
  sources.arch_folders = {configs};
  sources.load_trace = [](const std::string& name, const std::vector<validate::NamedText>& params) {
    trace::ParameterChoice choice;
    for (const auto& [key, value] : params) {
      if (std::isdigit(static_cast<unsigned char>(value.front())) != 0) {
        choice.overrides.emplace_back(key, std::stoll(value));
      } else {
        choice.words.emplace_back(key, value);  // a word of a choice: "yes"
      }
    }
    const std::filesystem::path traces = std::filesystem::path(GPUSIM_SOURCE_DIR) / "traces";
    const std::filesystem::path shipped = traces / (name + ".trace");
    return frontend::load_trace_text(
        std::filesystem::exists(shipped) ? shipped : traces / "library" / (name + ".trace"), choice);
  };
  sources.keep_going = [] { return true; };
  return sources;
}

inline validate::GpuNames a_few_gpus() {
  return {{"RTX A6000", {"a6000.yaml", {}}}, {"a card", {"a6000.yaml", {{"sm.count", "2"}}}}, {"unknown to us", {}}};
}

/// Cases of one file, "cases.yaml".
inline std::vector<validate::Case> cases_from(const std::string& text) {
  return validate::parse_cases(text, "cases.yaml", "own", a_few_gpus());
}

/// What an InputError says; empty when there is none.
inline std::string said_by(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace gpusim::test
