// SPDX-License-Identifier: MIT
// A disassembly as text: cuobjdump -sass, nvdisasm -hex, and the notations of maxas and CuAssembler.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
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

struct ListedFunction {
  std::string name;
  Place place;
  unsigned sm = 0;                            ///< 80 for sm_80; 0: the listing does not say
  std::uint32_t registers = 0;                ///< a thread; 0: the listing does not say
  std::uint32_t barriers = 0;                 ///< named ones of a CTA; 0: the listing does not say
  std::optional<std::uint32_t> shared_bytes;  ///< static ones of a CTA
  std::optional<std::uint32_t> local_bytes;   ///< bytes of a thread
  std::vector<ListedInstruction> code;
  std::map<std::string, std::uint32_t> labels;  ///< the instruction that follows; without the dot in front
};

/// What stands for an operand that a linker fills in.
inline constexpr std::string_view kLinkedLater = "0x0";
/// "32@lo((f + .L_x_5@srel))", "`(.L_x_5)" and the like.
[[nodiscard]] bool is_relocation(std::string_view operand);

/// Whether a text that begins so looks like a listing. What begins, but for comments ('#'), as a gpusim trace is none.
[[nodiscard]] bool is_listing(std::string_view beginning);
/// Whether the file looks like a listing.
[[nodiscard]] bool is_listing_file(const std::filesystem::path& path);

/// The functions of a listing; `name` stands for the file in messages. Throws InputError with every problem.
[[nodiscard]] std::vector<ListedFunction> read_listing(std::string_view text, const std::string& name);

}  // namespace gpusim::frontend::sass
