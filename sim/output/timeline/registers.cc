// SPDX-License-Identifier: MIT
// Which registers make one instruction wait for another, from their texts.
#include <array>
#include <string_view>
#include <vector>

#include "sim/model/isa/decode.h"
#include "sim/model/stats/pc_profile.h"
#include "sim/output/timeline/why.h"

namespace gpusim::timeline {
namespace {

/// "@P0 LDG.E R2, [R2.64]" as its guard, opcode and operands.
struct Parts {
  std::string_view guard;
  std::string_view opcode;
  std::vector<std::string_view> operands;
};

/// Up to the blank, which is left out of both.
std::string_view take_word(std::string_view& text) {
  const std::size_t blank = text.find(' ');
  const std::string_view word = text.substr(0, blank);
  text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  return word;
}

Parts parts_of(std::string_view text) {
  Parts parts;
  if (text.starts_with('@')) {
    parts.guard = take_word(text);
  }
  parts.opcode = take_word(text);
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    parts.operands.push_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 2);
  }
  return parts;
}

/// Its registers; none where the text is not of our own making.
isa::Instr instr_of(const stats::PcResult& pc) {
  const Parts parts = parts_of(pc.text);
  isa::Instr instr = isa::decode_opcode(parts.opcode);
  return isa::assign_operands(parts.opcode, parts.guard, parts.operands, instr) ? isa::Instr() : instr;
}

bool overlap(const isa::Operand& a, const isa::Operand& b) {
  return a.is_real() && b.is_real() && a.file == b.file && a.index < b.index + b.width && b.index < a.index + a.width;
}

std::string name_of(const isa::Operand& operand) {
  std::string_view file = "R";
  switch (operand.file) {
    case isa::RegFile::kUniform: file = "UR"; break;
    case isa::RegFile::kPredicate: file = "P"; break;
    case isa::RegFile::kUniformPredicate: file = "UP"; break;
    default: break;
  }
  const auto numbered = [&](unsigned index) { return std::string(file) + std::to_string(index); };
  return operand.width == 1 ? numbered(operand.index)
                            : numbered(operand.index) + ".." + numbered(operand.index + operand.width - 1U);
}

/// Adds those of `mine` that overlap with one of `others`.
template <class Mine, class Others>
void add_shared(const Mine& mine, const Others& others, std::string& names) {
  for (const isa::Operand& operand : mine) {
    for (const isa::Operand& other : others) {
      if (const std::string name = overlap(operand, other) ? name_of(operand) : "";
          !name.empty() && (", " + names + ",").find(", " + name + ",") == std::string::npos) {
        names += (names.empty() ? "" : ", ") + name;
      }
    }
  }
}

}  // namespace

std::string shared_registers(const stats::PcResult& producer, const stats::PcResult& waiter) {
  const isa::Instr first = instr_of(producer);
  const isa::Instr second = instr_of(waiter);
  std::string names;
  add_shared(second.sources, first.destinations, names);  // read after it is written
  add_shared(std::array{second.guard}, first.destinations, names);
  if (names.empty()) {
    add_shared(second.destinations, first.destinations, names);
    add_shared(second.destinations, first.sources, names);  // written after it is read
  }
  return names;
}

}  // namespace gpusim::timeline
