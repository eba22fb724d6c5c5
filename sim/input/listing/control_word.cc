// SPDX-License-Identifier: MIT
// Positions: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018), section 2.1; the
// notation of maxas: its wiki, "Control Codes".
#include "sim/input/listing/control_word.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpusim::frontend::sass {
namespace {

constexpr unsigned kStallAt = 41;
constexpr unsigned kYieldAt = 45;
constexpr unsigned kWriteAt = 46;
constexpr unsigned kReadAt = 49;
constexpr unsigned kWaitAt = 52;
constexpr unsigned kReuseAt = 58;

std::uint8_t field_of(std::uint64_t word, unsigned at, unsigned bits) {
  return static_cast<std::uint8_t>((word >> at) & ((1U << bits) - 1U));
}

bool is_counter(std::uint8_t counter) {
  return counter < isa::kDependenceCounters || counter == isa::kNoBarrier;
}

/// "-" is none, "1" to "6" the counters 0 to 5.
bool read_maxas_counter(std::string_view text, std::uint8_t& counter) {
  if (text == "-") {
    return true;
  }
  if (text.size() != 1 || text[0] < '1' || text[0] > '6') {
    return false;
  }
  counter = static_cast<std::uint8_t>(text[0] - '1');
  return true;
}

bool read_number(std::string_view text, int base, unsigned most, std::uint8_t& value) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  value = static_cast<std::uint8_t>(number);
  return error == std::errc{} && end == text.data() + text.size() && number <= most;
}

}  // namespace

std::optional<ControlField> decode_control(std::uint64_t upper) {
  ControlField field;
  field.stall = field_of(upper, kStallAt, 4);
  field.yield = field_of(upper, kYieldAt, 1) == 0;
  field.write_barrier = field_of(upper, kWriteAt, 3);
  field.read_barrier = field_of(upper, kReadAt, 3);
  field.wait_mask = field_of(upper, kWaitAt, 6);
  field.reuse = field_of(upper, kReuseAt, 4);
  if (!is_counter(field.write_barrier) || !is_counter(field.read_barrier)) {
    return std::nullopt;
  }
  return field;
}

std::uint64_t encode_control(const ControlField& field) {
  return std::uint64_t{field.stall} << kStallAt | std::uint64_t{field.yield ? 0U : 1U} << kYieldAt |
         std::uint64_t{field.write_barrier} << kWriteAt | std::uint64_t{field.read_barrier} << kReadAt |
         std::uint64_t{field.wait_mask} << kWaitAt | std::uint64_t{field.reuse} << kReuseAt;
}

isa::ControlBits to_control_bits(const ControlField& field) {
  return {std::max<std::uint8_t>(field.stall, 1), field.yield, field.write_barrier, field.read_barrier,
          field.wait_mask};
}

std::optional<isa::ControlBits> parse_maxas_control(std::string_view text) {
  std::array<std::string_view, 5> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t colon = text.find(':');
    if ((colon == std::string_view::npos) != (i + 1 == parts.size())) {
      return std::nullopt;
    }
    parts[i] = text.substr(0, colon);
    text = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  }
  isa::ControlBits bits;
  const bool waits = parts[0] != "--";
  constexpr unsigned kAllCounters = (1U << isa::kDependenceCounters) - 1;
  if ((waits && !read_number(parts[0], 16, kAllCounters, bits.wait_mask)) ||
      !read_maxas_counter(parts[1], bits.read_barrier) || !read_maxas_counter(parts[2], bits.write_barrier) ||
      (parts[3] != "Y" && parts[3] != "-") || !read_number(parts[4], 16, 15, bits.stall)) {
    return std::nullopt;
  }
  bits.yield = parts[3] == "Y";
  bits.stall = std::max<std::uint8_t>(bits.stall, 1);
  return bits;
}

}  // namespace gpusim::frontend::sass
