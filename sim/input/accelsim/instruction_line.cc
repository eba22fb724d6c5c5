// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/instruction_line.h"

#include <bit>
#include <utility>

#include "sim/input/accelsim/signature.h"
#include "sim/input/accelsim/tokens.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr unsigned kMostRegister = 255;
constexpr std::uint64_t kMostAccessBytes = 64;  ///< a lane; the widest SASS access has 32

class InstructionParser {
 public:
  InstructionParser(std::string_view text, InstructionLine& line, LineProblem& problem)
      : tokens_(text), line_(line), problem_(problem) {}

  bool parse(const LineForm& form) {
    const bool prefix = (!form.has_place || skip_numbers("thread block or warp number", 4)) &&
                        (!form.has_line_number || skip_numbers("source line number", 1));
    return prefix && parse_pc_and_mask() && parse_static_part() && parse_memory() && parse_rest(form);
  }

 private:
  bool fail(std::string_view what, std::string_view token, std::string hint) {
    problem_.column = tokens_.column();
    problem_.message = token.empty() ? "the line ends before its " + std::string(what)
                                     : std::string(what) + " '" + std::string(token) + "' makes no sense";
    problem_.hint = std::move(hint);
    return false;
  }

  bool skip_numbers(std::string_view what, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string_view token = tokens_.next();
      if (!to_number<std::uint32_t>(token, 10)) {
        return fail(what, token, "expected a decimal number");
      }
    }
    return true;
  }

  bool parse_pc_and_mask() {
    std::string_view token = tokens_.next();
    const auto pc = to_number<std::uint64_t>(token, 16);
    if (!pc) {
      return fail("program counter", token, "expected hexadecimal digits without 0x");
    }
    token = tokens_.next();
    const auto mask = to_number<LaneMask>(token, 16);
    if (!mask || token.size() != 8) {
      return fail("lane mask", token, "expected 8 hexadecimal digits");
    }
    line_.pc = *pc;
    line_.mask = *mask;
    return true;
  }

  /// The next word of the static part; notes whether it is one blank behind the last one.
  std::string_view next_static() {
    const std::size_t last = tokens_.end();
    const std::string_view token = tokens_.next();
    is_plain_ = is_plain_ && tokens_.begin() == last + 1 && tokens_.line()[last] == ' ';
    return token;
  }

  bool parse_static_part() {
    const std::size_t begin = tokens_.next_begin();
    if (!parse_registers("number of destinations", line_.destinations, line_.destination_count)) {
      return false;
    }
    line_.opcode = next_static();
    if (line_.opcode.empty() || line_.opcode[0] < 'A' || line_.opcode[0] > 'Z') {
      return fail("opcode", line_.opcode, "expected a SASS opcode such as LDG.E");
    }
    if (!parse_registers("number of sources", line_.sources, line_.source_count)) {
      return false;
    }
    line_.signature = tokens_.line().substr(begin, tokens_.end() - begin);
    if (!is_plain_) {
      line_.rewritten = signature_of(line_.opcode, {line_.destinations.data(), line_.destination_count},
                                     {line_.sources.data(), line_.source_count});
      line_.signature = line_.rewritten;
    }
    return true;
  }

  bool parse_registers(std::string_view what, std::array<std::uint16_t, InstructionLine::kMostRegisters>& registers,
                       std::uint8_t& count) {
    std::string_view token = next_static();
    const auto number = to_number<std::uint8_t>(token, 10);
    if (!number || *number > registers.size()) {
      return fail(what, token, "expected 0 to 8");
    }
    count = *number;
    is_plain_ = is_plain_ && token.size() == 1;
    for (std::uint8_t i = 0; i < count; ++i) {
      token = next_static();
      const auto index = token.starts_with('R') ? to_number<std::uint16_t>(token.substr(1), 10) : std::nullopt;
      if (!index || *index > kMostRegister) {
        return fail("register", token, "expected R0 to R255");
      }
      registers[i] = *index;
      is_plain_ = is_plain_ && (token.size() == 2 || token[1] != '0');
    }
    return true;
  }

  bool parse_memory() {
    std::string_view token = tokens_.next();
    const auto width = to_number<std::uint64_t>(token, 10);
    if (!width || *width > kMostAccessBytes || std::popcount(*width) > 1) {
      return fail("access width", token, "expected bytes per lane, a power of two, or 0 for none");
    }
    line_.has_addresses = *width != 0;
    if (!line_.has_addresses) {
      return true;
    }
    token = tokens_.next();
    if (line_.mask == 0) {
      is_unaddressed_ = true;
      return skip_rest();  // tracers differ in what they write where no lane has an address
    }
    if (token == "0") {
      return parse_list();
    }
    if (token == "1") {
      return parse_stride();
    }
    return token == "2" ? parse_deltas() : fail("address mode", token, "expected 0 (list), 1 (stride) or 2 (deltas)");
  }

  bool skip_rest() {
    while (!tokens_.empty()) {
      tokens_.next();
    }
    return true;
  }

  template <typename Value>
  bool for_each_lane(const Value& value) {
    for (LaneMask rest = line_.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      if (!value(line_.addresses[lane])) {
        return false;
      }
      line_.columns[lane] = tokens_.column();
    }
    return true;
  }

  bool parse_address(Address& address) {
    const std::string_view token = tokens_.next();
    const auto value = to_address(token);
    if (!value) {
      return fail("address", token, "expected 0x and hexadecimal digits");
    }
    address = *value;
    return true;
  }

  bool parse_difference(std::string_view what, std::int64_t& difference) {
    const std::string_view token = tokens_.next();
    const auto value = to_number<std::int64_t>(token, 10);
    if (!value) {
      return fail(what, token, "expected a decimal number of bytes");
    }
    difference = *value;
    return true;
  }

  bool parse_list() {
    return for_each_lane([&](Address& address) { return parse_address(address); });
  }

  bool parse_stride() {
    Address base = 0;
    std::int64_t stride = 0;
    if (!parse_address(base)) {
      return false;
    }
    const std::uint32_t column = tokens_.column();
    if (!parse_difference("stride", stride)) {
      return false;
    }
    Address next = base;
    static_cast<void>(for_each_lane([&](Address& address) {
      address = std::exchange(next, next + static_cast<Address>(stride));
      return true;
    }));
    line_.columns[static_cast<std::size_t>(std::countr_zero(line_.mask))] = column;
    return true;
  }

  bool parse_deltas() {
    Address current = 0;
    if (!parse_address(current)) {
      return false;
    }
    bool first = true;
    return for_each_lane([&](Address& address) {
      std::int64_t delta = 0;
      if (!std::exchange(first, false) && !parse_difference("address delta", delta)) {
        return false;
      }
      current += static_cast<Address>(delta);
      address = current;
      return true;
    });
  }

  /// One immediate; version 6 adds another and the destination's values. Where the tracer writes one and it is not
  /// there, a word before it is missing and everything behind that was taken for something else.
  bool parse_rest(const LineForm& form) {
    line_.immediate = 0;
    if (tokens_.empty() && (!form.has_immediate || is_unaddressed_)) {
      return true;
    }
    if (!parse_immediate(line_.immediate)) {
      return false;
    }
    if (form.has_values) {
      std::int64_t second = 0;
      return parse_immediate(second) && skip_rest();
    }
    return tokens_.empty() || fail("word behind the immediate", tokens_.next(), "expected the end of the line");
  }

  bool parse_immediate(std::int64_t& immediate) {
    const std::string_view text = tokens_.next();
    const bool negative = text.starts_with('-');
    const std::string_view digits = negative ? text.substr(1) : text;
    const auto hexadecimal = to_address(digits);
    const auto value = hexadecimal ? hexadecimal : to_number<std::uint64_t>(digits, 10);
    if (!value) {
      return fail("immediate", text, "expected a number");
    }
    immediate = static_cast<std::int64_t>(negative ? 0 - *value : *value);
    return true;
  }

  Tokens tokens_;
  InstructionLine& line_;
  LineProblem& problem_;
  bool is_plain_ = true;         ///< the static part is written as signature_of() writes it
  bool is_unaddressed_ = false;  ///< an access of no lane
};

}  // namespace

bool parse_instruction(std::string_view text, const LineForm& form, InstructionLine& line, LineProblem& problem) {
  return InstructionParser(text, line, problem).parse(form);
}

}  // namespace gpusim::frontend::accelsim
