// SPDX-License-Identifier: MIT
#include "sim/code/sass/opcode_docs.h"

#include <array>

#include "sim/code/sass/encoding_docs.h"
#include "sim/code/sass/row.h"
#include "sim/model/isa/decode.h"

namespace gpusim::sass {
namespace {

using isa::MemSpace, isa::OpcodeRow, isa::OpKind, isa::Widths;

constexpr std::array kKindNames = std::to_array<std::string_view>(
    {"compute", "load",      "store",       "atomic",        "reduction",       "copy",
     "commit",  "branch",    "exit",        "barrier",       "cluster arrival", "cluster wait",
     "depbar",  "product",   "wait",        "fence",         "sleep",           "mbarrier",
     "poll",    "bulk copy", "bulk commit", "register pool", "marker"});
static_assert(kKindNames.size() == static_cast<std::size_t>(OpKind::kNop) + 1);
constexpr std::array kSpaceNames =
    std::to_array<std::string_view>({"", "global", "shared", "local", "constant", "cluster"});
static_assert(kSpaceNames.size() == static_cast<std::size_t>(MemSpace::kClusterShared) + 1);

constexpr std::string_view kIntroduction = R"(# Opcodes

Generated from `sim/model/isa/timing.h`, `sim/model/isa/opcode_table.cc` and the encodings in `sim/code/sass` by the
test `code_sass`; run it with `GPUSIM_REGENERATE=1` after a change to the tables.

An opcode is looked up by its name up to the first dot; of the rows with that name, the first whose modifiers all occur
in the opcode in this order applies, so `HMMA.16816.F32.BF16` and `LDG.E.128.CONSTANT` need no row of their own. A name
without a row is a warning, and is timed as class `default`.

## Timing classes

How long a class takes on a GPU is in its architecture file under `sm.timing.<class>`. A *fixed* latency is counted in
stall counts; a *variable* one is guarded by a dependence counter.

| class | pipe | latency | what |
| --- | --- | --- | --- |
)";

constexpr std::string_view kRowsIntroduction = R"(
## Opcodes

FLOPs are counted per lane, those of the tensor classes per warp. Registers are the widths in 32-bit registers of the
destination and of the first three sources, where they are not all 1; memory instructions follow their access:
`.U8 .S8 .U16 .S16 .64 .128`, else 4 bytes a lane; LDSM and STSM take one register for each matrix; addresses in
global memory are 64-bit (`.E`, `[R2.64]`).

`(guess)`: no source says which class, or which registers; the nearest kin was taken. Hopper's matrix products
across a warpgroup (`64xNxK`) have type, shape and FLOPs in the name; D and C are N/2 registers, N/4 with FP16
accumulators, A is 4 where it is in registers, and a `gdesc` of both matrices 4 uniform ones. The first address of a
tensor copy is 2 and the number of coordinates. In a product with a sparse A (`.SP`), half of A is there: its registers
and the FLOPs are those of half of K.

The column *listed for* says for which generations NVIDIA's *CUDA Binary Utilities* lists the name (Ampere: and Ada);
where it is empty, only disassemblies show it. The last column says for which SMs [machine code](encodings.md) of that
name is decoded. What has the class `default` is not modelled: the simulation treats it as an operation of the ALU, and
warns.

| opcode | kind | class | space | FLOPs | registers | listed for | decoded for |
| --- | --- | --- | --- | --- | --- | --- | --- |
)";

std::string flops_text(const OpcodeRow& row) {
  return row.flops == 0 ? ""
                        : std::to_string(row.flops) + " " +
                              std::string(isa::kFlopClassNames[static_cast<std::size_t>(row.flop_class)]);
}

std::string widths_text(const Widths& widths) {
  const auto& s = widths.sources;
  if (widths.destination == 1 && s[0] == 1 && s[1] == 1 && s[2] == 1) {
    return "";
  }
  return std::to_string(widths.destination) + " ← " + std::to_string(s[0]) + ", " + std::to_string(s[1]) + ", " +
         std::to_string(s[2]);
}

/// "75, 80, 86, 89, 90"
std::string decoded_text(std::string_view base) {
  GenerationSet generations = 0;
  for (const auto& part : encoding_table()) {
    for (const EncodingRow& row : part) {
      const bool same = row.name.substr(0, row.name.find('.')) == base;
      generations = static_cast<GenerationSet>(generations | (same ? row.generations : 0U));
    }
  }
  return sms_text(generations);
}

std::string row_text(const OpcodeRow& row) {
  std::string name = "`" + std::string(row.base);
  name += row.modifiers.empty() ? "`" : "." + std::string(row.modifiers) + "`";
  return "| " + name + " | " + std::string(kKindNames[static_cast<std::size_t>(row.kind)]) + " | `" +
         std::string(isa::info(row.timing).key) + (row.guess ? "` (guess) | " : "` | ") +
         std::string(kSpaceNames[static_cast<std::size_t>(row.space)]) + " | " + flops_text(row) + " | " +
         widths_text(row.widths) + " | " + isa::to_text(isa::generations_of(row.base)) + " | " +
         decoded_text(row.base) + " |\n";
}

}  // namespace

std::string opcode_reference() {
  std::string text(kIntroduction);
  for (const isa::TimingClassInfo& timing : isa::kTimingClasses) {
    text += "| `" + std::string(timing.key) + "` | " +
            std::string(isa::kPipeNames[static_cast<std::size_t>(timing.pipe)]) + " | " +
            (timing.kind == isa::LatencyKind::kFixed ? "fixed" : "variable") + " | " + std::string(timing.what) +
            " |\n";
  }
  text += kRowsIntroduction;
  for (const OpcodeRow& row : isa::opcode_table()) {
    text += row_text(row);
  }
  return text;
}

}  // namespace gpusim::sass
