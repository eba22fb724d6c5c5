// SPDX-License-Identifier: MIT
#include "sim/input/listing/resources.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "sim/base/trimmed.h"

namespace gpusim::frontend::sass {
namespace {

/// The number behind `mark`.
std::optional<std::uint32_t> number_behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view rest = text.substr(at + mark.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const bool hexadecimal = rest.starts_with("0x");
  rest.remove_prefix(hexadecimal ? 2 : 0);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number, hexadecimal ? 16 : 10);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

std::uint32_t saturating_sum(std::uint32_t a, std::uint32_t b) {
  return a > std::numeric_limits<std::uint32_t>::max() - b ? std::numeric_limits<std::uint32_t>::max() : a + b;
}

}  // namespace

bool is_section(std::string_view text) {
  constexpr std::string_view kSection = ".section";
  return text.starts_with(kSection) && text.size() > kSection.size() &&
         (text[kSection.size()] == ' ' || text[kSection.size()] == '\t');
}

bool Resources::read_usage(std::string_view text) {
  constexpr std::string_view kFunction = "Function ";
  if (text.starts_with(kFunction) && text.back() == ':') {
    usage_of_ = text.substr(kFunction.size(), text.size() - kFunction.size() - 1);
    return true;
  }
  if (!text.starts_with("REG:") || usage_of_.empty()) {
    return false;
  }
  OfFunction& usage = functions_[usage_of_];
  usage.registers = number_behind(text, "REG:").value_or(0);
  usage.shared_bytes = number_behind(text, "SHARED:");
  usage.bank_bytes = number_behind(text, "CONSTANT[0]:");
  usage.local_bytes =
      saturating_sum(number_behind(text, "STACK:").value_or(0), number_behind(text, "LOCAL:").value_or(0));
  usage_of_.clear();
  return true;
}

void Resources::read_directive(std::string_view text, const std::string& function) {
  constexpr std::string_view kShared = ".nv.shared.";
  if (is_section(text)) {
    const std::size_t shared = text.find(kShared);
    shared_of_.clear();
    if (shared != std::string_view::npos) {
      const std::string_view name = text.substr(shared + kShared.size());
      shared_of_ = name.substr(0, name.find_first_of(", \t"));
      functions_[shared_of_].shared_bytes = 0;
    }
  } else if (text.starts_with(".zero") && !shared_of_.empty()) {
    std::optional<std::uint32_t>& bytes = functions_[shared_of_].shared_bytes;
    bytes = saturating_sum(bytes.value_or(0), number_behind(text, ".zero").value_or(0));
  }
  if (text.starts_with(".other") && text.find("STO_CUDA_ENTRY") != std::string_view::npos) {
    const std::string_view name = trimmed(text.substr(std::string_view(".other").size()));
    functions_[std::string(name.substr(0, name.find_first_of(", \t")))].is_entry = true;
  }
  if (function.empty()) {
    return;
  }
  if (const auto registers = number_behind(text, "SHI_REGISTERS=")) {
    functions_[function].registers = *registers;
  }
  if (const auto barriers = number_behind(text, "SHF_BARRIERS=")) {
    functions_[function].barriers = *barriers;
  }
}

void Resources::apply_to(ListedFunction& function) const {
  if (const auto known = functions_.find(function.name); known != functions_.end()) {
    function.registers = known->second.registers;
    function.barriers = known->second.barriers;
    function.shared_bytes = known->second.shared_bytes;
    function.local_bytes = known->second.local_bytes;
    function.bank_bytes = known->second.bank_bytes;
    function.is_entry = known->second.is_entry;
  }
}

}  // namespace gpusim::frontend::sass
