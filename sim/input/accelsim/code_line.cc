// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/code_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

#include "sim/input/accelsim/tokens.h"
#include "sim/model/isa/decode.h"

namespace gpusim::frontend::accelsim {
namespace {

using isa::Instr;
using isa::Operand;
using isa::RegFile;

constexpr std::array<std::string_view, 5> kFiles{"", "R", "UR", "P", "UP"};  ///< by isa::RegFile
constexpr std::array<std::string_view, 5> kSpaces{"none", "global", "shared", "local",
                                                  "constant"};  ///< by isa::MemSpace
constexpr unsigned kMostBarrierThreads = 1024;

std::string hex(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  std::string text(digits.data(), end);
  return std::string(text.size() < 4 ? 4 - text.size() : 0, '0') + text;
}

std::string text_of(const Operand& operand) {
  std::string text = std::string(kFiles[static_cast<std::size_t>(operand.file)]) + std::to_string(operand.index);
  if (operand.width != 1) {
    text += ':' + std::to_string(operand.width);
  }
  if (operand.slot != 0) {
    text += '@' + std::to_string(operand.slot);
  }
  return text + (operand.reuse ? ".reuse" : "");
}

/// " from=R2,R3", nothing for an empty list.
std::string list_of(std::string_view key, std::span<const Operand> operands) {
  std::string text;
  for (const Operand& operand : operands) {
    if (operand.file != RegFile::kNone) {
      text += (text.empty() ? ' ' + std::string(key) + '=' : ",") + text_of(operand);
    }
  }
  return text;
}

std::string waits_of(const Instr& instr) {
  std::string text;
  if (instr.kind == isa::OpKind::kBarrier) {
    text += (instr.barrier_waits ? " barrier=" : " arrive=") + std::to_string(instr.barrier_id) + ',' +
            std::to_string(instr.barrier_threads);
  }
  if (instr.kind == isa::OpKind::kWgmma) {
    text +=
        std::string(" product=") + (instr.wgmma.a_in_registers ? "1," : "0,") + (instr.wgmma.closes_group ? '1' : '0');
  }
  if (instr.kind == isa::OpKind::kDepbar || instr.kind == isa::OpKind::kWgmmaWait) {
    text += " depbar=" + std::to_string(instr.depbar_counter) + ',' + std::to_string(instr.depbar_limit);
  }
  return text + (instr.sleep_ns != 0 ? " sleep=" + std::to_string(instr.sleep_ns) : "");
}

/// Takes the parts of an operand off the front of a text.
class OperandReader {
 public:
  explicit OperandReader(std::string_view text) : rest_(text) {}

  std::optional<Operand> read() {
    Operand operand;
    const auto file = take_file();
    const auto index = take_number(255);
    if (!file || !index) {
      return std::nullopt;
    }
    operand.file = *file;
    operand.index = static_cast<std::uint16_t>(*index);
    const auto width = take(":") ? take_number(255) : std::optional<unsigned>(1);
    const auto slot = take("@") ? take_number(255) : std::optional<unsigned>(0);
    operand.reuse = take(".reuse");
    if (!width || !slot || !rest_.empty()) {
      return std::nullopt;
    }
    operand.width = static_cast<std::uint8_t>(*width);
    operand.slot = static_cast<std::uint8_t>(*slot);
    return operand.is_possible() ? std::optional(operand) : std::nullopt;
  }

 private:
  bool take(std::string_view expected) {
    const bool there = rest_.starts_with(expected);
    rest_.remove_prefix(there ? expected.size() : 0);
    return there;
  }

  std::optional<RegFile> take_file() {
    for (std::size_t file = kFiles.size(); file-- > 1;) {
      const std::string_view name = kFiles[file];
      if (rest_.starts_with(name) && rest_.size() > name.size() && rest_[name.size()] <= '9') {
        rest_.remove_prefix(name.size());
        return static_cast<RegFile>(file);
      }
    }
    return std::nullopt;
  }

  std::optional<unsigned> take_number(unsigned most) {
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    const auto number = to_number<unsigned>(rest_.substr(0, digits), 10);
    rest_.remove_prefix(digits);
    return number && *number <= most ? number : std::nullopt;
  }

  std::string_view rest_;
};

/// Calls `take` with each part between commas; false when that is.
template <class Take>
bool for_each_part(std::string_view list, const Take& take) {
  for (bool more = true; more;) {
    const std::size_t comma = list.find(',');
    more = comma != std::string_view::npos;
    if (!take(list.substr(0, comma))) {
      return false;
    }
    list.remove_prefix(more ? comma + 1 : list.size());
  }
  return true;
}

bool read_operands(std::string_view list, std::span<Operand> into) {
  std::size_t at = 0;
  return for_each_part(list, [&](std::string_view part) {
    const auto operand = OperandReader(part).read();
    if (!operand || at == into.size()) {
      return false;
    }
    into[at++] = *operand;
    return true;
  });
}

/// "3,17"
std::optional<std::array<unsigned, 2>> read_pair(std::string_view text, unsigned most_first, unsigned most_second) {
  const std::size_t comma = text.find(',');
  const auto first = to_number<unsigned>(text.substr(0, comma), 10);
  const auto second = comma == std::string_view::npos ? std::nullopt : to_number<unsigned>(text.substr(comma + 1), 10);
  if (!first || !second || *first > most_first || *second > most_second) {
    return std::nullopt;
  }
  return std::array{*first, *second};
}

class CodeLineParser {
 public:
  CodeLineParser(std::string_view value, CodeLine& line) : value_(value), line_(line) {}

  bool parse(std::string_view& wrong) {
    Tokens tokens(value_);
    wrong = tokens.next();
    const auto pc = to_number<std::uint64_t>(wrong, 16);
    if (!pc || !decode(tokens, wrong)) {
      return false;
    }
    line_.text.pc = *pc;
    return true;
  }

 private:
  using Handler = bool (CodeLineParser::*)(std::string_view text);
  struct Key {
    std::string_view name;
    Handler handler;
  };

  /// The opcode decides what the other keys change, so it is found first.
  bool decode(Tokens& tokens, std::string_view& wrong) {
    constexpr std::string_view kText = " text=";
    constexpr std::string_view kOpcode = " opcode=";
    const std::size_t text = std::min(value_.find(kText), value_.size());
    const std::size_t opcode = value_.find(kOpcode);
    if (text == value_.size() || opcode == std::string_view::npos || opcode > text) {
      wrong = value_.substr(0, 40);
      return false;
    }
    line_.text.text = value_.substr(text + kText.size());
    line_.text.opcode = value_.substr(opcode + kOpcode.size(), text - opcode - kOpcode.size());
    line_.instr = isa::decode_opcode(line_.text.opcode);
    for (wrong = tokens.next(); tokens.begin() <= opcode; wrong = tokens.next()) {
      if (!read_word(wrong)) {
        return false;
      }
    }
    return true;
  }

  bool read_word(std::string_view word) {
    static constexpr std::array<Key, 11> kKeys{{{"guard", &CodeLineParser::guard},
                                                {"to", &CodeLineParser::destinations},
                                                {"from", &CodeLineParser::sources},
                                                {"space", &CodeLineParser::space},
                                                {"barrier", &CodeLineParser::barrier},
                                                {"arrive", &CodeLineParser::arrival},
                                                {"depbar", &CodeLineParser::depbar},
                                                {"product", &CodeLineParser::product},
                                                {"sleep", &CodeLineParser::sleep},
                                                {"line", &CodeLineParser::line},
                                                {"next", &CodeLineParser::next}}};
    if (word.starts_with('[')) {
      return control(word);
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    for (const Key& key : kKeys) {
      if (equals < word.size() && key.name == word.substr(0, equals)) {
        return (this->*key.handler)(word.substr(equals + 1));
      }
    }
    return false;
  }

  bool control(std::string_view text) {
    const auto bits = isa::parse_control_bits(text);
    line_.instr.control = bits.value_or(isa::ControlBits{});
    line_.instr.has_control = bits.has_value();
    return bits.has_value();
  }
  bool guard(std::string_view text) {
    line_.instr.guarded = true;
    line_.instr.guard_negated = text.starts_with('!');
    const auto operand = OperandReader(text.substr(line_.instr.guard_negated ? 1 : 0)).read();
    line_.instr.guard = operand.value_or(Operand{});
    return operand.has_value();
  }
  bool destinations(std::string_view text) { return read_operands(text, line_.instr.destinations); }
  bool sources(std::string_view text) { return read_operands(text, line_.instr.sources); }
  bool space(std::string_view text) {
    const auto found = std::find(kSpaces.begin() + 1, kSpaces.end(), text);
    const bool accesses = line_.instr.space != isa::MemSpace::kNone;
    line_.instr.space = static_cast<isa::MemSpace>(found - kSpaces.begin());
    return accesses && found != kSpaces.end();
  }
  bool barrier(std::string_view text) {
    const auto pair = read_pair(text, kMostNamedBarriers - 1, kMostBarrierThreads);
    line_.instr.barrier_id = static_cast<std::uint8_t>(pair ? (*pair)[0] : 0);
    line_.instr.barrier_threads = static_cast<std::uint16_t>(pair ? (*pair)[1] : 0);
    line_.instr.barrier_waits = true;
    return pair.has_value();
  }
  bool arrival(std::string_view text) {
    const bool good = barrier(text);
    line_.instr.barrier_waits = false;
    return good;
  }
  bool depbar(std::string_view text) {
    const auto pair = read_pair(text, isa::kDependenceCounters - 1, 255);
    line_.instr.depbar_counter = static_cast<std::uint8_t>(pair ? (*pair)[0] : 0);
    line_.instr.depbar_limit = static_cast<std::uint8_t>(pair ? (*pair)[1] : 0);
    return pair.has_value();
  }
  bool product(std::string_view text) {
    const auto pair = read_pair(text, 1, 1);
    line_.instr.wgmma.a_in_registers = pair && (*pair)[0] != 0;
    line_.instr.wgmma.closes_group = pair && (*pair)[1] != 0;
    return pair && line_.instr.kind == isa::OpKind::kWgmma;
  }
  bool sleep(std::string_view text) {
    const auto ns = to_number<std::uint32_t>(text, 10);
    line_.instr.sleep_ns = ns.value_or(0);
    return ns && *ns <= isa::kMostSleepNs;
  }
  bool line(std::string_view text) {
    const auto number = to_number<std::uint32_t>(text, 10);
    line_.text.line = number.value_or(0);
    return number.has_value();
  }
  bool next(std::string_view text) {
    return for_each_part(text, [&](std::string_view part) {
      const auto number = part == "exit" ? trace::kExitNode : to_number<std::uint32_t>(part, 10);
      line_.next.push_back(number.value_or(0));
      return number.has_value();
    });
  }

  std::string_view value_;
  CodeLine& line_;
};

}  // namespace

std::string to_text(const CodeLine& line) {
  const Instr& instr = line.instr;
  std::string text = hex(line.text.pc);
  text += instr.has_control ? ' ' + isa::to_text(instr.control) : "";
  text += instr.guarded ? std::string(" guard=") + (instr.guard_negated ? "!" : "") + text_of(instr.guard) : "";
  text += list_of("to", instr.destinations) + list_of("from", instr.sources);
  if (instr.space != isa::decode_opcode(line.text.opcode).space) {
    text += " space=" + std::string(kSpaces[static_cast<std::size_t>(instr.space)]);
  }
  text += waits_of(instr);
  std::string next;
  for (const std::uint32_t to : line.next) {
    next += (next.empty() ? "" : ",") + (to == trace::kExitNode ? std::string("exit") : std::to_string(to));
  }
  text += next.empty() ? "" : " next=" + next;
  text += line.text.line != 0 ? " line=" + std::to_string(line.text.line) : "";
  return text + " opcode=" + line.text.opcode + " text=" + line.text.text;
}

bool parse_code_line(std::string_view value, CodeLine& line, std::string_view& wrong) {
  return CodeLineParser(value, line).parse(wrong);
}

}  // namespace gpusim::frontend::accelsim
