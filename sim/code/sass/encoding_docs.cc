// SPDX-License-Identifier: MIT
#include "sim/code/sass/encoding_docs.h"

#include <array>
#include <cstdio>
#include <string_view>

#include "sim/code/sass/row.h"

namespace gpusim::sass {
namespace {

constexpr std::string_view kEncodingIntroduction = R"(# Encodings

Generated from the tables in `sim/code/sass` by the test `code_sass`; run it with `GPUSIM_REGENERATE=1` after a change
to them. [opcodes.md](opcodes.md) says how what is decoded is timed.

A row is a name, the bits of the opcode that mean it (bits 0 to 11, and 0x1000 where bit 91 is set), and the operands in
the order in which `Instruction::operands` has them. **Bold** ones are written. `R`, `UR`, `P`, `UP` are registers; `X`
and `Y` are the two sources whose places the form decides, of which X may be an immediate, a constant or a uniform
register. `-` in front: may be negated (a predicate: inverted), `|X|` may be taken absolute, `~` may be inverted. A
number behind a colon is the width in registers, `:?` a width that a modifier decides; in brackets are operands that
only some have.

*sure* says how much of the row was seen to match: *all* fields, the *main* ones (opcode and operands, not every
modifier), or the *opcode* only.

| name | opcode | for | operands | sure |
| --- | --- | --- | --- | --- |
)";

std::string_view slot_text(const OperandRow& row) {
  constexpr std::array<std::string_view, 5> kFiles{"", "R", "UR", "P", "UP"};
  switch (row.slot) {
    case Slot::kRegister: return kFiles[static_cast<std::size_t>(row.file)];
    case Slot::kX: return row.file == isa::RegFile::kUniform ? "UX" : "X";
    case Slot::kY: return row.file == isa::RegFile::kUniform ? "UY" : "Y";
    case Slot::kXorY: return "X";
    case Slot::kImmediate: return "number";
    case Slot::kConstant: return "constant";
    case Slot::kMemory: return "address";
    case Slot::kRelative:
    case Slot::kRelativeWide: return "target";
    case Slot::kOffset: return "offset";
    case Slot::kSpecial: return "SR";
    case Slot::kConvergence: return "B";
    case Slot::kPredicates: return row.file == isa::RegFile::kPredicate ? "PR" : "UPR";
    case Slot::kReturnPc: return "Rpc";
    case Slot::kTable: return "table";
    case Slot::kScoreboard: return "SB";
    case Slot::kScoreboards: return "{SB}";
    case Slot::kMatrixDescriptor: return "gdesc";
    case Slot::kGroup: return "gsb";
  }
  return "";
}

std::string operand_text(const OperandRow& row) {
  std::string text(slot_text(row));
  if (row.magnitude != kNoBit) {
    text = "\\|" + text + "\\|";
  }
  text.insert(0, row.negate != kNoBit ? "-" : "");
  text.insert(0, row.invert != kNoBit ? "~" : "");
  switch (row.width) {
    case Wide::k1: break;
    case Wide::k2: text += ":2"; break;
    case Wide::k4: text += ":4"; break;
    default: text += ":?"; break;
  }
  text = row.written ? "**" + text + "**" : text;
  return row.conditions[0].used ? "(" + text + ")" : text;
}

std::string row_text(const EncodingRow& row) {
  constexpr std::array<std::string_view, 3> kSure{"all", "main", "opcode"};
  std::string text = "| `" + std::string(row.name) + "` |";
  for (const std::uint16_t key : row.keys) {
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), " %04x", static_cast<unsigned>(key));
    text += hex.data();
  }
  text += " | " + sms_text(row.generations) + " | ";
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    text += (i == 0 ? "" : ", ") + operand_text(row.operands[i]);
  }
  return text + " | " + std::string(kSure[static_cast<std::size_t>(row.confidence)]) + " |\n";
}

}  // namespace

std::string sms_text(unsigned generations) {
  std::string text;
  for (std::size_t i = 0; i < kGenerations; ++i) {
    if (((generations >> i) & 1U) != 0) {
      text += (text.empty() ? "" : ", ") + std::to_string(sm_of(static_cast<Generation>(i)));
    }
  }
  return text;
}

std::string encoding_reference() {
  std::string text(kEncodingIntroduction);
  for (const auto& part : encoding_table()) {
    for (const EncodingRow& row : part) {
      text += row_text(row);
    }
  }
  return text;
}

}  // namespace gpusim::sass
