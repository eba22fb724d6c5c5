// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/line_head.h"

#include <string_view>

namespace gpusim::frontend::accelsim {
namespace {

/// What stands before the static part.
class PrefixParser : WordParser {
 public:
  PrefixParser(Tokens& tokens, LineProblem& problem) : WordParser(tokens, problem) {}

  bool parse(const LineForm& form, std::uint64_t& pc, LaneMask& mask) {
    return (!form.has_place || skip_numbers("thread block or warp number", 4)) &&
           (!form.has_line_number || skip_numbers("source line number", 1)) && parse_pc(pc) && parse_mask(mask);
  }

 private:
  bool skip_numbers(std::string_view what, int count) {
    for (int i = 0; i < count; ++i) {
      if (!tokens_.next_number<std::uint32_t, 10>()) {
        return fail(what, "expected a decimal number");
      }
    }
    return true;
  }

  bool parse_pc(std::uint64_t& pc) {
    const auto value = tokens_.next_number<std::uint64_t, 16>();
    pc = value.value_or(0);
    return value || fail("program counter", "expected hexadecimal digits without 0x");
  }

  bool parse_mask(LaneMask& mask) {
    const auto value = tokens_.next_number<LaneMask, 16>();
    mask = value.value_or(0);
    return (value && tokens_.word().size() == 8) || fail("lane mask", "expected 8 hexadecimal digits");
  }
};

}  // namespace

LineHead* LineHeads::read(Tokens& tokens, const LineForm& form, LineProblem& problem) {
  LineHead* head = previous_->next;
  if (head == nullptr || !tokens.skip(head->text)) {
    head = parse(tokens, form, problem);
  }
  if (head != nullptr) {
    previous_->next = head;
    previous_ = head;
  }
  return head;
}

LineHead* LineHeads::parse(Tokens& tokens, const LineForm& form, LineProblem& problem) {
  const std::size_t begin = tokens.next_begin();
  std::uint64_t pc = 0;
  LaneMask mask = 0;
  if (!PrefixParser(tokens, problem).parse(form, pc, mask)) {
    return nullptr;
  }
  LineHead& head = by_pc_[pc];
  head.text.clear();
  if (!tokens.skip(head.part.text) && !parse_static_part(tokens, head.part, problem)) {
    return nullptr;
  }
  head.text = tokens.line().substr(begin, tokens.end() - begin);
  head.pc = pc;
  head.mask = mask;
  return &head;
}

}  // namespace gpusim::frontend::accelsim
