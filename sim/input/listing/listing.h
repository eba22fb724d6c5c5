// SPDX-License-Identifier: MIT
// A disassembly as text: cuobjdump -sass, nvdisasm -hex, and the notations of maxas and CuAssembler.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/listing/data_sections.h"
#include "sim/model/isa/instr.h"

namespace gpusim::frontend::sass {

struct ListedInstruction {
  Place place;  ///< place of the opcode
  std::uint64_t address = 0;
  std::string guard;  ///< "@!P0" or empty
  std::string opcode;
  std::vector<std::string> operands;
  std::vector<std::uint64_t> words;  ///< the encoding, when the listing has it
  std::optional<isa::ControlBits> control;
  isa::Instr instr;
};

/// "//## File "saxpy.cu", line 8": the source of the instructions from this one on.
struct ListedLine {
  std::uint32_t instruction = 0;  ///< index into ListedFunction::code
  std::string file;
  std::uint32_t line = 0;
};

struct ListedFunction {
  std::string name;
  Place place;
  unsigned sm = 0;                            ///< 80 for sm_80; 0: the listing does not say
  std::uint32_t registers = 0;                ///< a thread; 0: the listing does not say
  std::uint32_t barriers = 0;                 ///< named ones of a CTA; 0: the listing does not say
  std::optional<std::uint32_t> shared_bytes;  ///< static ones of a CTA
  std::optional<std::uint32_t> local_bytes;   ///< bytes of a thread
  std::optional<std::uint32_t> bank_bytes;    ///< bytes of constant bank 0, with the parameters at its end
  bool is_entry = false;                      ///< the listing calls it a kernel
  bool has_section = false;                   ///< it stands in a section, so that sections of data stand there, too
  std::vector<ListedInstruction> code;
  std::vector<ListedLine> lines;                ///< in the order of the code
  std::map<std::string, std::uint32_t> labels;  ///< the instruction that follows; without the dot in front
};

/// What can be executed of a listing.
struct ListedCode {
  std::vector<ListedFunction> functions;
  std::vector<DataSection> sections;
};

/// What stands for an operand that a linker fills in.
inline constexpr std::string_view kLinkedLater = "0x0";
/// "32@lo((f + .L_x_5@srel))", "`(.L_x_5)" and the like.
[[nodiscard]] bool is_relocation(std::string_view operand);

/// The functions of a listing; `name` stands for the file in messages. Throws InputError with every problem.
[[nodiscard]] std::vector<ListedFunction> read_listing(std::string_view text, const std::string& name);

/// The same of code that is to be executed. The encodings alone count: each instruction has 128 bits, at the address
/// behind the instruction before, from 0 on. Of its text only operands that a linker fills in are kept. `first_line` is
/// the number of the text's first line in the file. Throws InputError with every problem.
[[nodiscard]] ListedCode read_code_listing(std::string_view text, const std::string& name,
                                           std::uint32_t first_line = 1);

}  // namespace gpusim::frontend::sass
