// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/rounding.h"
#include "sim/base/text.h"
#include "sim/commands/trace/summary.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::trace_summary {
namespace {

using Json = nlohmann::ordered_json;

std::string allowed(const trace::Parameter& parameter) {
  std::string words;
  for (const std::string& word : parameter.words) {
    words += (words.empty() ? "" : " | ") + word;
  }
  if (!words.empty() || !parameter.range) {
    return words;
  }
  return fmt::format("{} to {}", parameter.range->first, parameter.range->second);
}

Json value_of(const trace::Parameter& parameter, std::int64_t value) {
  return parameter.words.empty() ? Json(value) : Json(parameter.text_of(value));
}

Json parameter_json(const trace::Parameter& parameter, bool is_hole) {
  Json out{{"name", parameter.name}, {"what", parameter.what}};
  out["default"] = is_hole ? Json(nullptr) : value_of(parameter, parameter.default_value);
  if (parameter.test_value) {
    out["test"] = value_of(parameter, *parameter.test_value);
  }
  if (!parameter.words.empty()) {
    out["words"] = parameter.words;
  } else if (parameter.range) {
    out["least"] = parameter.range->first;
    out["greatest"] = parameter.range->second;
  }
  return out;
}

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": registers of a CTA are the same for
/// all GPUs, and of shared memory those of 9.0 have most. What is sized when it is compiled may not opt in to more.
constexpr std::uint64_t kMostRegisters = 65536;
constexpr std::uint64_t kMostShared = 227 * 1024;
constexpr std::uint64_t kMostStaticShared = 48 * 1024;
/// Registers of a thread are given out by eights.
constexpr std::uint64_t kRegisterUnit = 8;

std::string parameters_of(const trace::Trace& trace) {
  std::string out;
  for (const trace::Parameter& parameter : trace.parameters) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", parameter.name, parameter.text_of(parameter.value));
  }
  return out;
}

}  // namespace

std::vector<Problem> launch_problems(const trace::Trace& trace) {
  std::vector<Problem> problems;
  for (const trace::Kernel& kernel : trace.kernels) {
    const auto refuse = [&](std::uint64_t wanted, const char* what, std::uint64_t most) {
      if (wanted > most) {
        problems.push_back(
            {kernel.where,
             fmt::format("kernel '{}' takes {} {} a CTA: no GPU has more than {}", kernel.name, wanted, what, most),
             parameters_of(trace)});
      }
    };
    const std::uint64_t registers = round_up<std::uint64_t>(kernel.registers_per_thread, kRegisterUnit);
    refuse(registers * kernel.warps_per_cta() * kWarpLanes, "registers", kMostRegisters);
    refuse(kernel.shared_static_bytes + kernel.shared_dynamic_bytes, "bytes of shared memory", kMostShared);
    refuse(kernel.shared_static_bytes, "bytes of static shared memory", kMostStaticShared);
  }
  return problems;
}

std::string library_text(std::span<const frontend::LibraryKernel> kernels, const layout::Look& look) {
  std::string out;
  std::string family;
  for (const frontend::LibraryKernel& kernel : kernels) {
    if (kernel.family != family) {
      family = kernel.family;
      out += layout::heading(family, "", look);
    }
    out += fmt::format("  {}  {}\n", layout::paint(kernel.name, layout::Style::kStrong, look), printable(kernel.title));
    for (const trace::Parameter& parameter : kernel.parameters) {
      const std::string range = allowed(parameter);
      const std::string value = kernel.is_hole(parameter) ? "?" : parameter.text_of(parameter.default_value);
      out += fmt::format("      {} = {}{}{}{}\n", parameter.name, value, range.empty() ? "" : "  (" + range + ")",
                         parameter.what.empty() ? "" : "  ", parameter.what);
    }
  }
  return out;
}

std::string library_json(std::span<const frontend::LibraryKernel> kernels) {
  Json root{{"schema", "gpusim.library/1"}, {"kernels", Json::array()}};
  for (const frontend::LibraryKernel& kernel : kernels) {
    Json row{{"name", kernel.name}, {"family", kernel.family}, {"title", kernel.title}, {"file", kernel.file}};
    row["parameters"] = Json::array();
    for (const trace::Parameter& parameter : kernel.parameters) {
      row["parameters"].push_back(parameter_json(parameter, kernel.is_hole(parameter)));
    }
    root["kernels"].push_back(std::move(row));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::trace_summary
