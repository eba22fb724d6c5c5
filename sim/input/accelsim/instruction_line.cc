// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/instruction_line.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/input/accelsim/signature.h"
#include "sim/input/accelsim/tokens.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr unsigned kMostRegister = 255;
constexpr std::uint64_t kBarriers = 16;  ///< named barriers of a CTA
constexpr std::uint64_t kMostThreadsOfCta = 1024;
constexpr std::uint64_t kMostAccessBytes = 64;  ///< a lane; the widest SASS access has 32

/// What the parsers of a line share.
class WordParser {
 protected:
  WordParser(Tokens& tokens, LineProblem& problem) : tokens_(tokens), problem_(problem) {}

  bool fail(std::string_view what, std::string_view token, std::string hint) {
    problem_.column = tokens_.column();
    problem_.message = token.empty() ? "the line ends before its " + std::string(what)
                                     : std::string(what) + " '" + std::string(token) + "' makes no sense";
    problem_.hint = std::move(hint);
    return false;
  }

  bool parse_address(std::string_view what, Address& address) {
    const std::string_view token = tokens_.next();
    const auto value = to_address(token);
    address = value.value_or(0);
    return value || fail(what, token, "expected 0x and hexadecimal digits");
  }

  Tokens& tokens_;
  LineProblem& problem_;
};

/// What stands between the sources and the immediates of a bulk copy.
class TransferParser : WordParser {
 public:
  TransferParser(Tokens& tokens, const LineForm& form, TransferLine& line, LineProblem& problem)
      : WordParser(tokens, problem), words_behind_(form.has_values ? 3 : 2), line_(line) {}

  bool parse(LaneMask mask) {
    line_.is_complete = false;
    line_.barrier = 0;
    line_.ranks = 0;
    line_.bytes = 0;
    line_.outside_bytes = 0;
    line_.addresses.clear();
    if (!parse_number("transfer width", line_.width, kMostWidth)) {
      return false;
    }
    Tokens ahead = tokens_;
    line_.is_complete = ahead.next().starts_with("0x");
    if (!line_.is_complete && line_.width == 0) {
      return true;  // a copy that no lane executes
    }
    return (!line_.is_complete || parse_target()) && parse_addresses(mask);
  }

 private:
  bool parse_number(std::string_view what, std::uint64_t& number, std::uint64_t most) {
    const std::string_view token = tokens_.next();
    const auto value = to_number<std::uint64_t>(token, 10);
    number = value.value_or(0);
    return (value && *value <= most) || fail(what, token, "expected a decimal number up to " + std::to_string(most));
  }

  /// "0x00000400 1 0x0003 16384 0": mbarrier, whether to several CTAs and to which, bytes, those outside the tensor.
  bool parse_target() {
    std::uint64_t is_multicast = 0;
    if (!parse_address("address of the mbarrier", line_.barrier) || !parse_number("multicast", is_multicast, 1)) {
      return false;
    }
    if (is_multicast != 0) {
      const std::string_view token = tokens_.next();
      const auto ranks = to_number<std::uint16_t>(token.substr(token.starts_with("0x") ? 2 : 0), 16);
      if (!ranks || *ranks == 0) {
        return fail("mask of ranks", token, "expected up to 4 hexadecimal digits, not all 0");
      }
      line_.ranks = *ranks;
    }
    return parse_number("bytes of the transfer", line_.bytes, kMostBytes) &&
           parse_number("bytes outside the tensor", line_.outside_bytes, line_.bytes);
  }

  /// Mode 3 is a list, 4 a first address and differences; 0 and 1 in a numbering of its own. The number of addresses
  /// may count those outside the tensor, which are not there.
  bool parse_addresses(LaneMask mask) {
    const std::string_view mode = tokens_.next();
    const bool is_list = mode == "3" || mode == "0";
    if (!is_list && mode != "4" && mode != "1") {
      return fail("address mode", mode, "expected 3 (list) or 4 (deltas)");
    }
    Address address = 0;
    std::uint64_t count = 0;
    if ((!is_list && !parse_address("address", address)) || !parse_number("number of addresses", count, kMostBytes)) {
      return false;
    }
    const std::uint64_t given = mask == 0 ? 0 : addresses_given(is_list, count);
    for (std::uint64_t i = 0; i < given; ++i) {
      if (!parse_next(is_list, i == 0, address)) {
        return false;
      }
      line_.addresses.push_back(address);
    }
    return true;
  }

  /// How many addresses the line has: `count`, unless words are missing just for those outside the tensor.
  std::uint64_t addresses_given(bool is_list, std::uint64_t count) const {
    const std::uint64_t outside = line_.width == 0 ? 0 : line_.outside_bytes / line_.width;
    const std::uint64_t inside = count - std::min(count, outside);
    const std::uint64_t words = inside - (is_list || inside == 0 ? 0 : 1) + words_behind_;
    return line_.is_complete && tokens_.count() == words ? inside : count;
  }

  bool parse_next(bool is_list, bool is_first, Address& address) {
    if (is_list) {
      return parse_address("address", address);
    }
    if (is_first) {
      return true;
    }
    const std::string_view token = tokens_.next();
    const auto difference = to_number<std::int64_t>(token, 10);
    address += static_cast<Address>(difference.value_or(0));
    return difference || fail("address delta", token, "expected a decimal number of bytes");
  }

  static constexpr std::uint64_t kMostWidth = 1 << 20;
  static constexpr auto kMostBytes = std::uint64_t{trace::kMostMbarrierCount};

  std::uint64_t words_behind_;  ///< two immediates, and that no values follow
  TransferLine& line_;
};

class InstructionParser : WordParser {
 public:
  InstructionParser(Tokens& tokens, InstructionLine& line, LineProblem& problem)
      : WordParser(tokens, problem), line_(line) {}

  bool parse(const LineForm& form) {
    const bool prefix = (!form.has_place || skip_numbers("thread block or warp number", 4)) &&
                        (!form.has_line_number || skip_numbers("source line number", 1));
    return prefix && parse_pc_and_mask() && parse_static_part() && parse_group(form) && parse_memory(form) &&
           parse_rest(form) && find_barrier();
  }

 private:
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
      return fail(what, token, "expected 0 to 16");
    }
    count = *number;
    is_plain_ = is_plain_ && (token.size() == 1 || token[0] != '0');
    for (std::uint8_t i = 0; i < count; ++i) {
      token = next_static();
      const bool is_uniform = token.starts_with("UR");
      const std::string_view digits = token.substr(std::min<std::size_t>(token.size(), is_uniform ? 2 : 1));
      const auto index =
          token.starts_with(is_uniform ? 'U' : 'R') ? to_number<std::uint16_t>(digits, 10) : std::nullopt;
      if (!index || *index > kMostRegister) {
        return fail("register", token, "expected R0 to R255, or UR0 to UR255");
      }
      registers[i] = static_cast<std::uint16_t>(*index + (is_uniform ? InstructionLine::kUniform : 0));
      is_plain_ = is_plain_ && (digits.size() == 1 || digits[0] != '0');
    }
    return true;
  }

  /// Whether a product of a warpgroup is the last of its group. What was recorded before Hopper was, and what
  /// gpusim exports, has no such number.
  bool parse_group(const LineForm& form) {
    line_.closes_group.reset();
    const std::size_t others = form.has_values ? 4 : 3;  // width, immediates, and whether values follow
    if (line_.opcode.find("GMMA") == std::string_view::npos || tokens_.count() < others) {
      return true;
    }
    const std::string_view token = tokens_.next();
    line_.closes_group = token == "1";
    return token == "0" || token == "1" || fail("commit group", token, "expected 0 or 1");
  }

  bool parse_memory(const LineForm& form) {
    line_.has_transfer = is_transfer(line_.opcode);
    if (line_.has_transfer) {
      line_.has_addresses = false;
      return TransferParser(tokens_, form, line_.transfer, problem_).parse(line_.mask);
    }
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
      const auto lane = first_lane(rest);
      if (!value(line_.addresses[lane])) {
        return false;
      }
      line_.columns[lane] = tokens_.column();
    }
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
    return for_each_lane([&](Address& address) { return parse_address("address", address); });
  }

  bool parse_stride() {
    Address base = 0;
    std::int64_t stride = 0;
    if (!parse_address("address", base)) {
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
    line_.columns[first_lane(line_.mask)] = column;
    return true;
  }

  bool parse_deltas() {
    Address current = 0;
    if (!parse_address("address", current)) {
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

  /// One immediate or two; version 6 adds values. Where the tracer writes one and it is not there, a word before it is
  /// missing and everything behind that was taken for something else.
  bool parse_rest(const LineForm& form) {
    line_.immediate = 0;
    line_.second_immediate.reset();
    line_.values.clear();
    if (tokens_.empty() && (!form.has_immediate || is_unaddressed_)) {
      return true;
    }
    if (!parse_immediate(line_.immediate)) {
      return false;
    }
    if (!form.has_values) {
      return (tokens_.empty() || parse_second()) &&
             (tokens_.empty() || fail("word behind the immediates", tokens_.next(), "expected the end of the line"));
    }
    Tokens ahead = tokens_;
    const std::string_view next = ahead.next();
    const bool has_second = next != "Val" && next != "NoVal";
    return (!has_second || parse_second()) && parse_values();
  }

  bool parse_second() {
    std::int64_t second = 0;
    const bool good = parse_immediate(second);
    line_.second_immediate = second;
    return good;
  }

  /// "Val", then of each register 1 and a value of all lanes, or 32 and their values; the sources may be missing.
  bool parse_values() {
    if (tokens_.next() != "Val" || (!line_.opcode.starts_with("SYNCS") && !line_.opcode.starts_with("BAR"))) {
      return skip_rest();
    }
    const std::size_t registers = std::size_t{line_.destination_count} + line_.source_count;
    while (!tokens_.empty() && line_.values.size() < registers) {
      std::string_view token = tokens_.next();
      if (token != "1" && token != "32") {
        return fail("number of values", token, "expected 1 or 32");
      }
      InstructionLine::Values& values = line_.values.emplace_back();
      const std::size_t given = token == "1" ? 1 : kWarpLanes;
      for (std::size_t lane = 0; lane < given; ++lane) {
        token = tokens_.next();
        const auto value = to_number<std::uint64_t>(token.substr(token.starts_with("0x") ? 2 : 0), 16);
        if (!value) {
          return fail("register value", token, "expected hexadecimal digits");
        }
        values[lane] = *value;
      }
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(given), values.end(), values[0]);
    }
    return skip_rest();
  }

  /// BAR has its barrier and the number of threads as immediates, or the barrier in a register, which the tracer writes
  /// as a destination, and the threads as an immediate or in the other register. Lines with one immediate do not say.
  bool find_barrier() {
    line_.barrier.reset();
    if (!line_.opcode.starts_with("BAR.") || !line_.second_immediate) {
      return true;
    }
    const std::size_t registers = std::size_t{line_.destination_count} + line_.source_count;
    if (line_.values.size() < registers || (registers != 0 && line_.mask == 0)) {
      return true;
    }
    const auto lane = first_lane(line_.mask | LaneMask{1} << 31U);
    std::uint64_t id = static_cast<std::uint64_t>(line_.immediate);
    std::uint64_t threads = static_cast<std::uint64_t>(*line_.second_immediate);
    if (registers != 0) {
      threads = registers > 1 ? line_.values[1][lane] : id;
      id = line_.values[0][lane];
    }
    if (id >= kBarriers || threads > kMostThreadsOfCta) {
      return fail("barrier", std::to_string(id) + ',' + std::to_string(threads),
                  "expected 0 to 15, and up to 1024 threads");
    }
    line_.barrier = {static_cast<std::uint8_t>(id), static_cast<std::uint16_t>(threads)};
    line_.rewritten = std::string(line_.signature) + " :" + std::to_string(id) + ',' + std::to_string(threads);
    line_.signature = line_.rewritten;
    return true;
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

  InstructionLine& line_;
  bool is_plain_ = true;         ///< the static part is written as signature_of() writes it
  bool is_unaddressed_ = false;  ///< an access of no lane
};

}  // namespace

bool parse_instruction(std::string_view text, const LineForm& form, InstructionLine& line, LineProblem& problem) {
  Tokens tokens(text);
  return InstructionParser(tokens, line, problem).parse(form);
}

}  // namespace gpusim::frontend::accelsim
