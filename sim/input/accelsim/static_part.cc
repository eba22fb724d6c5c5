// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/static_part.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/input/accelsim/signature.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr unsigned kMostRegister = 255;

class StaticPartParser : WordParser {
 public:
  StaticPartParser(Tokens& tokens, StaticPart& part, LineProblem& problem) : WordParser(tokens, problem), part_(part) {}

  bool parse() {
    part_.text.clear();
    const std::size_t begin = tokens_.next_begin();
    if (!parse_registers("number of destinations", part_.destinations) || !parse_opcode() ||
        !parse_registers("number of sources", part_.sources)) {
      return false;
    }
    part_.text = tokens_.line().substr(begin, tokens_.end() - begin);
    part_.signature = signature_of(part_.opcode, part_.destinations, part_.sources);
    part_.is_mark = part_.opcode == "REPLAY_START" || part_.opcode == "REPLAY_END";
    part_.is_poll = part_.opcode.starts_with("SYNCS.PHASECHK");
    part_.is_transfer = is_transfer(part_.opcode);
    part_.may_close_group = part_.opcode.find("GMMA") != std::string::npos;
    return true;
  }

 private:
  bool parse_opcode() {
    part_.opcode = tokens_.next();
    return (!part_.opcode.empty() && part_.opcode[0] >= 'A' && part_.opcode[0] <= 'Z') ||
           fail("opcode", "expected a SASS opcode such as LDG.E");
  }

  bool parse_registers(std::string_view what, std::vector<std::uint16_t>& registers) {
    const auto count = tokens_.next_number<std::uint8_t, 10>();
    if (!count || *count > StaticPart::kMostRegisters) {
      return fail(what, "expected 0 to 16");
    }
    registers.clear();
    for (std::uint8_t i = 0; i < *count; ++i) {
      const std::optional<std::uint16_t> number = register_number(tokens_.next());
      if (!number) {
        return fail("register", "expected R0 to R255, or UR0 to UR255");
      }
      registers.push_back(*number);
    }
    return true;
  }

  static std::optional<std::uint16_t> register_number(std::string_view word) {
    const bool is_uniform = word.starts_with("UR");
    if (!is_uniform && !word.starts_with('R')) {
      return std::nullopt;
    }
    const auto index = to_number<std::uint16_t>(word.substr(is_uniform ? 2 : 1), 10);
    if (!index || *index > kMostRegister) {
      return std::nullopt;
    }
    return static_cast<std::uint16_t>(*index + (is_uniform ? StaticPart::kUniform : 0));
  }

  StaticPart& part_;
};

}  // namespace

bool parse_static_part(Tokens& tokens, StaticPart& part, LineProblem& problem) {
  return StaticPartParser(tokens, part, problem).parse();
}

}  // namespace gpusim::frontend::accelsim
