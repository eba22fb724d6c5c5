// SPDX-License-Identifier: MIT
#include "sim/input/listing/resources.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "sim/base/trimmed.h"

namespace gpusim::frontend::sass {
namespace {

constexpr std::uint32_t kMostBarriers = 16;
constexpr std::uint32_t kMostBytes = std::numeric_limits<std::uint32_t>::max();

/// The number behind `mark`; the largest there is for one that is larger.
std::optional<std::uint64_t> number_behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view rest = text.substr(at + mark.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const bool hexadecimal = rest.starts_with("0x");
  rest.remove_prefix(hexadecimal ? 2 : 0);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number, hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

/// The number behind `mark`, where it is one of `what` that a kernel may have.
std::optional<std::uint32_t> count_behind(std::string_view text, std::string_view mark, std::uint32_t most,
                                          std::string_view what, std::uint32_t before = 0) {
  const std::optional<std::uint64_t> number = number_behind(text, mark);
  if (number && *number > most - std::min(before, most)) {
    throw BadResource{"'" + std::string(trimmed(text)) + "' gives a kernel too many " + std::string(what),
                      "at most " + std::to_string(most)};
  }
  return number ? std::optional(before + static_cast<std::uint32_t>(*number)) : std::nullopt;
}

constexpr std::string_view kRegisters = "registers per thread";
constexpr std::string_view kShared = "bytes of shared memory per CTA";
constexpr std::string_view kLocal = "bytes of local memory per thread";

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
  usage.registers = count_behind(text, "REG:", kMostRegisters, kRegisters).value_or(0);
  usage.shared_bytes = count_behind(text, "SHARED:", kMostSharedBytes, kShared);
  usage.bank_bytes = count_behind(text, "CONSTANT[0]:", kMostBytes, "bytes of constants");
  const std::uint32_t stack = count_behind(text, "STACK:", kMostBytes, kLocal).value_or(0);
  usage.local_bytes = count_behind(text, "LOCAL:", kMostBytes, kLocal, stack).value_or(stack);
  usage_of_.clear();
  return true;
}

void Resources::read_directive(std::string_view text, const std::string& function) {
  constexpr std::string_view kSharedOf = ".nv.shared.";
  if (is_section(text)) {
    const std::size_t shared = text.find(kSharedOf);
    shared_of_.clear();
    if (shared != std::string_view::npos) {
      const std::string_view name = text.substr(shared + kSharedOf.size());
      shared_of_ = name.substr(0, name.find_first_of(", \t"));
      functions_[shared_of_].shared_bytes = 0;
    }
  } else if (text.starts_with(".zero") && !shared_of_.empty()) {
    std::optional<std::uint32_t>& bytes = functions_[shared_of_].shared_bytes;
    const std::uint32_t before = bytes.value_or(0);
    bytes = count_behind(text, ".zero", kMostSharedBytes, kShared, before).value_or(before);
  }
  if (text.starts_with(".other") && text.find("STO_CUDA_ENTRY") != std::string_view::npos) {
    const std::string_view name = trimmed(text.substr(std::string_view(".other").size()));
    functions_[std::string(name.substr(0, name.find_first_of(", \t")))].is_entry = true;
  }
  if (function.empty()) {
    return;
  }
  if (const auto registers = count_behind(text, "SHI_REGISTERS=", kMostRegisters, kRegisters)) {
    functions_[function].registers = *registers;
  }
  if (const auto barriers = count_behind(text, "SHF_BARRIERS=", kMostBarriers, "named barriers")) {
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
