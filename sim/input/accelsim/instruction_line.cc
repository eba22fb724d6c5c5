// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/instruction_line.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/input/accelsim/tokens.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::uint64_t kBarriers = 16;  ///< named barriers of a CTA
constexpr std::uint64_t kMostThreadsOfCta = 1024;
constexpr std::uint64_t kMostAccessBytes = 64;  ///< a lane; the widest SASS access has 32

class InstructionParser : WordParser {
 public:
  InstructionParser(Tokens& tokens, LineHeads& heads, InstructionLine& line, LineProblem& problem)
      : WordParser(tokens, problem), heads_(heads), line_(line) {}

  bool parse(const LineForm& form) {
    return parse_head(form) && parse_group(form) && parse_memory(form) && parse_rest(form) && find_barrier();
  }

 private:
  bool parse_head(const LineForm& form) {
    head_ = heads_.read(tokens_, form, problem_);
    if (head_ == nullptr) {
      return false;
    }
    line_.pc = head_->pc;
    line_.mask = head_->mask;
    line_.what = &head_->part;
    line_.signature = head_->part.signature;
    return true;
  }

  /// Whether a WGMMA operation is the last of its group. What was recorded before Hopper was, and what
  /// gpusim exports, has no such number.
  bool parse_group(const LineForm& form) {
    line_.closes_group.reset();
    const std::size_t others = form.has_values ? 4 : 3;  // width, immediates, and whether values follow
    if (!line_.what->may_close_group || tokens_.count() < others) {
      return true;
    }
    const std::string_view token = tokens_.next();
    line_.closes_group = token == "1";
    return token == "0" || token == "1" || fail("commit group", "expected 0 or 1");
  }

  bool parse_memory(const LineForm& form) {
    if (line_.what->is_transfer) {
      line_.has_addresses = false;
      return parse_transfer(tokens_, form.has_values ? 3 : 2, line_.mask, line_.transfer, problem_);
    }
    const auto width = tokens_.next_number<std::uint64_t, 10>();
    if (!width || *width > kMostAccessBytes || std::popcount(*width) > 1) {
      return fail("access width", "expected bytes per lane, a power of two, or 0 for none");
    }
    line_.has_addresses = *width != 0;
    if (!line_.has_addresses) {
      return true;
    }
    const std::string_view mode = tokens_.next();
    if (line_.mask == 0) {
      is_unaddressed_ = true;
      tokens_.skip_rest();  // tracers differ in what they write where no lane has an address
      return true;
    }
    line_.address_words = tokens_.rest();
    line_.is_stride = mode == "1";
    if (mode == "0") {
      return parse_list();
    }
    if (mode == "1") {
      return parse_stride();
    }
    return mode == "2" ? parse_deltas() : fail("address mode", "expected 0 (list), 1 (stride) or 2 (deltas)");
  }

  bool parse_difference(std::string_view what, std::int64_t& difference) {
    const auto value = tokens_.next_number<std::int64_t, 10>();
    difference = value.value_or(0);
    return value || fail(what, "expected a decimal number of bytes");
  }

  bool parse_list() {
    for (LaneMask rest = line_.mask; rest != 0; rest &= rest - 1) {
      if (!parse_address("address", line_.addresses[first_lane(rest)])) {
        return false;
      }
    }
    return true;
  }

  bool parse_stride() {
    Address next = 0;
    std::int64_t stride = 0;
    if (!parse_address("address", next) || !parse_difference("stride", stride)) {
      return false;
    }
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      line_.addresses[lane] = next;
      next += (line_.mask >> lane & 1U) != 0 ? static_cast<Address>(stride) : 0;
    }
    return true;
  }

  bool parse_deltas() {
    Address base = 0;
    LineHead::Offsets& last = head_->offsets;
    if (!parse_address("address", base) ||
        ((last.mask != line_.mask || !tokens_.skip(last.text)) && !parse_offsets(last))) {
      return false;
    }
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      line_.addresses[lane] = base + last.values[lane];
    }
    return true;
  }

  bool parse_offsets(LineHead::Offsets& parsed) {
    const std::size_t begin = tokens_.next_begin();
    Address offset = 0;
    parsed.mask = 0;  // until they are complete
    parsed.values.resize(kWarpLanes);
    for (LaneMask rest = line_.mask; rest != 0; rest &= rest - 1) {
      std::int64_t delta = 0;
      if (rest != line_.mask && !parse_difference("address delta", delta)) {
        return false;
      }
      offset += static_cast<Address>(delta);
      parsed.values[first_lane(rest)] = offset;
    }
    parsed.mask = line_.mask;
    parsed.text = tokens_.line().substr(begin, std::max(begin, tokens_.end()) - begin);
    return true;
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
      return (tokens_.empty() || parse_second()) && (tokens_.empty() || fail_behind());
    }
    Tokens ahead = tokens_;
    const std::string_view next = ahead.next();
    const bool has_second = next != "Val" && next != "NoVal";
    return (!has_second || parse_second()) && parse_values();
  }

  bool fail_behind() {
    tokens_.next();
    return fail("word behind the immediates", "expected the end of the line");
  }

  bool parse_second() {
    std::int64_t second = 0;
    const bool good = parse_immediate(second);
    line_.second_immediate = second;
    return good;
  }

  /// "Val", then of each register 1 and a value of all lanes, or 32 and their values; the sources may be missing.
  bool parse_values() {
    const bool has_values = tokens_.next() == "Val";
    const bool matter = line_.what->opcode.starts_with("SYNCS") || line_.what->opcode.starts_with("BAR");
    while (has_values && matter && !tokens_.empty() && line_.values.size() < line_.what->registers()) {
      if (!parse_values_of_register()) {
        return false;
      }
    }
    tokens_.skip_rest();
    return true;
  }

  bool parse_values_of_register() {
    const std::string_view count = tokens_.next();
    if (count != "1" && count != "32") {
      return fail("number of values", "expected 1 or 32");
    }
    const std::size_t given = count == "1" ? 1 : kWarpLanes;
    InstructionLine::Values& values = line_.values.emplace_back();
    for (std::size_t lane = 0; lane < given; ++lane) {
      const std::string_view token = tokens_.next();
      const auto value = to_number<std::uint64_t>(token.substr(token.starts_with("0x") ? 2 : 0), 16);
      if (!value) {
        return fail("register value", "expected hexadecimal digits");
      }
      values[lane] = *value;
    }
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(given), values.end(), values[0]);
    return true;
  }

  /// BAR has its barrier and the number of threads as immediates, or the barrier in a register, which the tracer writes
  /// as a destination, and the threads as an immediate or in the other register. Lines with one immediate do not say.
  bool find_barrier() {
    line_.barrier.reset();
    if (!line_.second_immediate || !line_.what->opcode.starts_with("BAR.")) {
      return true;
    }
    const std::size_t registers = line_.what->registers();
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
    line_.with_barrier = line_.what->signature + " :" + std::to_string(id) + ',' + std::to_string(threads);
    line_.signature = line_.with_barrier;
    return true;
  }

  bool parse_immediate(std::int64_t& immediate) {
    if (const auto plain = tokens_.next_number<std::int64_t, 10>()) {
      immediate = *plain;
      return true;
    }
    const std::string_view text = tokens_.word();
    const bool negative = text.starts_with('-');
    const std::string_view digits = negative ? text.substr(1) : text;
    const auto hexadecimal = to_address(digits);
    const auto value = hexadecimal ? hexadecimal : to_number<std::uint64_t>(digits, 10);
    if (!value) {
      return fail("immediate", "expected a number");
    }
    immediate = static_cast<std::int64_t>(negative ? 0 - *value : *value);
    return true;
  }

  LineHeads& heads_;
  InstructionLine& line_;
  LineHead* head_ = nullptr;
  bool is_unaddressed_ = false;  ///< an access of no lane
};

}  // namespace

std::uint32_t InstructionLine::address_column(std::string_view text, std::size_t lane) const {
  const int before = std::popcount(mask & ((LaneMask{1} << lane) - 1));
  Tokens words(address_words);
  for (int i = 0; i <= (is_stride ? std::min(before, 1) : before); ++i) {
    words.next();
  }
  return static_cast<std::uint32_t>(address_words.data() - text.data()) + words.column();
}

bool InstructionReader::read(std::string_view text, LineProblem& problem) {
  Tokens tokens(text);
  return InstructionParser(tokens, heads_, line_, problem).parse(form_);
}

}  // namespace gpusim::frontend::accelsim
