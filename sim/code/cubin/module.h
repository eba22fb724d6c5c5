// SPDX-License-Identifier: MIT
// A cubin as what a launch needs: kernels with their code and resources, constants, lines of the source.
// Formats: measured on cubins of CUDA 11 to 13 (docs/your-kernel.md says what is read).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"
#include "sim/code/sass/code.h"
#include "sim/code/sass/instruction.h"

namespace gpusim::cubin {

/// A kernel's parameter; they have no names in a cubin.
struct Parameter {
  std::uint32_t ordinal = 0;
  std::uint32_t offset = 0;  ///< in bytes, from Function::parameter_base
  std::uint32_t size = 0;    ///< bytes
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Bytes of the parameters that an instruction reads.
struct ParameterRead {
  std::uint32_t offset = 0;  ///< in bytes, from Function::parameter_base
  std::uint32_t size = 0;    ///< bytes
  friend auto operator<=>(const ParameterRead&, const ParameterRead&) = default;
};

/// What is known of the parameters where a listing does not have them: what the code reads.
struct UnknownParameters {
  std::uint32_t base = 0;                  ///< Function::parameter_base, which they are aligned with
  std::vector<ParameterRead> reads;        ///< ascending, each once; addresses in registers are not among them
  std::optional<std::uint32_t> all_bytes;  ///< size of all parameters
};

/// From this instruction on the code comes from this line.
struct LineEntry {
  std::uint64_t offset = 0;  ///< bytes from the function's begin
  std::uint32_t file = 0;    ///< index into Module::files
  std::uint32_t line = 0;
  friend bool operator==(const LineEntry&, const LineEntry&) = default;
};

/// A place in the code or the constants that a linker fills in.
struct Fixup {
  std::uint64_t offset = 0;  ///< bytes from the begin of the code or bank
  std::uint32_t type = 0;    ///< NVIDIA's number: 2 is an address of 64 bits
  std::string symbol;
  std::int64_t addend = 0;
};

struct Function {
  std::string name;        ///< as the linker knows it
  bool is_kernel = false;  ///< else it is called by one
  std::vector<sass::Code> code;
  std::vector<LineEntry> lines;  ///< ascending; empty without -lineinfo
  std::vector<Fixup> fixups;     ///< places in the code that take the address of a symbol

  std::uint32_t registers = 0;  ///< a thread
  std::uint32_t barriers = 0;   ///< named ones of a CTA
  /// Bytes of static shared memory of a CTA; on sm_90 the 1 KiB at its begin that the system keeps is one of them.
  std::uint64_t shared_bytes = 0;
  std::uint32_t local_bytes = 0;                        ///< a thread: frame of the function itself
  std::uint32_t stack_bytes = 0;                        ///< a thread: with all that it calls
  std::optional<Dim3> most_threads;                     ///< __launch_bounds__
  std::optional<Dim3> required_threads;                 ///< .reqntid
  std::optional<Dim3> cluster;                          ///< __cluster_dims__
  bool changes_registers = false;                       ///< setmaxnreg
  std::uint32_t parameter_base = 0;                     ///< where in bank 0 the parameters begin, in bytes
  std::uint32_t parameter_bytes = 0;                    ///< most that a launch may give
  std::vector<Parameter> parameters;                    ///< by ordinal
  std::optional<UnknownParameters> unknown_parameters;  ///< only of a listing: there are no `parameters` then
  bool unknown_shared_bytes = false;  ///< only of a listing: the code uses shared memory, and nothing says how much
  /// Contents of the constant banks that are this function's own: 0 (zeros until a launch), and 2 up to sm_89.
  std::map<std::uint32_t, std::string> banks;
  std::map<std::uint32_t, std::vector<Fixup>> bank_fixups;
};

/// A __device__ variable.
struct Variable {
  std::string name;
  std::uint64_t offset = 0;  ///< in its section
  std::uint64_t size = 0;
  bool initialised = false;  ///< in Module::initialised, else in zeroed memory
};

struct Module {
  std::string name;  ///< name of the file and of its member
  unsigned sm = 0;   ///< 90 for sm_90 and sm_90a, which a cubin does not tell apart
  bool relocatable = false;
  std::vector<Function> functions;
  /// Contents of the constant banks that all functions share: 3 (__constant__), 4 (addresses of variables).
  std::map<std::uint32_t, std::string> banks;
  std::map<std::uint32_t, std::vector<Fixup>> bank_fixups;
  std::vector<Variable> variables;
  std::string initialised;         ///< contents of .nv.global.init
  std::uint64_t zeroed_bytes = 0;  ///< size of .nv.global
  std::vector<std::string> files;  ///< source files, as the compiler was given them

  /// Nothing for an SM that is not decoded.
  [[nodiscard]] std::optional<sass::Generation> generation() const { return sass::generation_of(sm); }
};

/// `name` stands for the bytes in messages. Throws InputError for what is not a cubin, and for one that is damaged.
[[nodiscard]] Module read_cubin(std::string_view bytes, const std::string& name);

/// The line that the instruction at `offset` comes from; null where nothing is known.
[[nodiscard]] const LineEntry* line_at(const Function& function, std::uint64_t offset);

/// "void f<int>(float*)" for "_Z1fIiEvPf"; the name itself where it is none of C++.
[[nodiscard]] std::string demangled(const std::string& name);
/// "f" of both.
[[nodiscard]] std::string short_name(const std::string& name);

}  // namespace gpusim::cubin
