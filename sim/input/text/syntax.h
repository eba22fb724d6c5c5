// SPDX-License-Identifier: MIT
// A text trace as it was written: names not yet resolved, nothing expanded.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/input/text/source_text.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/expression.h"

namespace gpusim::frontend {

using SyntaxId = std::uint32_t;
inline constexpr SyntaxId kNoSyntax = 0xffffffffU;

/// One node of an expression.
struct SyntaxNode {
  enum class Kind : std::uint8_t { kNumber, kName, kOperator, kCall, kIndex, kText } kind = Kind::kNumber;
  trace::ExprOp op = trace::ExprOp::kConstant;  ///< kOperator
  Place place;
  std::int64_t value = 0;  ///< kNumber
  std::uint32_t name = 0;  ///< kName, kCall, kIndex, kText: into Syntax::names
  std::array<SyntaxId, 3> args{kNoSyntax, kNoSyntax, kNoSyntax};
};

/// Text with expressions in braces: literals[0] holes[0] literals[1] ...
struct Template {
  std::vector<std::string> literals;
  std::vector<SyntaxId> holes;
};

/// "x[index]" or "x + bytes", and perhaps "in cta (rank)".
struct AccessSyntax {
  std::string buffer;
  Place place;
  SyntaxId expression = kNoSyntax;  ///< none: the buffer's begin
  std::vector<SyntaxId> more;       ///< further coordinates of a tensor: "map[x, y]"
  bool is_index = false;
  SyntaxId rank = kNoSyntax;  ///< none: the CTA's own memory
};

struct Word {
  std::string text;
  Place place;
};

/// What follows an address source: "expect 16384", "signals full[s]".
struct Clause {
  Word word;
  SyntaxId value = kNoSyntax;  ///< for all but "signals"
  AccessSyntax barrier;        ///< for "signals"
};

struct Statement {
  enum class Kind : std::uint8_t {
    kInstruction,
    kLabel,
    kLoop,
    kUnroll,
    kIf,
    kStaticIf,
    kLet
  } kind = Kind::kInstruction;
  Place place;
  std::string control;  ///< "[B------:R-:W-:-:S01]" or empty
  Template guard;       ///< "@!P0"; kLoop, kIf: the predicate of their branches
  std::string name;     ///< opcode, label, counter
  Template opcode;      ///< kInstruction: the name, with its braces
  std::vector<Template> operands;
  std::optional<Word> label;  ///< the last operand when it looks like one
  std::optional<AccessSyntax> access;
  std::optional<AccessSyntax> shared_destination;
  std::vector<Clause> clauses;
  SyntaxId expression = kNoSyntax;  ///< `when`, condition, or value of a let
  SyntaxId begin = kNoSyntax;
  SyntaxId end = kNoSyntax;
  SyntaxId step = kNoSyntax;
  std::string else_control;
  std::vector<Statement> body;
  std::vector<Statement> otherwise;
};

/// "buffer name type[count] = table(args)", "shared_buffer name type[count] at offset" or "local_buffer ...".
struct BufferSyntax {
  Word name;
  isa::MemSpace space = isa::MemSpace::kGlobal;
  std::uint32_t element_bytes = 1;  ///< 0: the parameter `type` says
  Word type;
  SyntaxId count = kNoSyntax;
  SyntaxId offset = kNoSyntax;
  std::optional<Word> table;  ///< permutation, hash, chain, affine, offsets, row_begin ...
  std::vector<SyntaxId> table_args;
};

/// Where something stands that can be replaced.
struct SourceSpan {
  Place begin;
  std::uint32_t columns = 0;  ///< 0 when it goes over several lines
};

/// "matrix A = random(rows, columns, least, most, power, seed)" or "matrix A = "file.mtx"".
struct MatrixSyntax {
  Word name;
  Word source;  ///< its place, and the name of a file; no text: random
  SourceSpan source_span;
  std::vector<SyntaxId> random;  ///< the arguments
  std::string what;
};

/// "mbarrier full[4] at 0".
struct MbarrierSyntax {
  Word name;
  SyntaxId count = kNoSyntax;  ///< none: one
  SyntaxId offset = kNoSyntax;
};

/// "tensor_map tA f16(64, 4096) over A box (64, 128) swizzle 128B".
struct TensorMapSyntax {
  Word name;
  Word type;
  std::uint32_t element_bytes = 1;  ///< 0: the parameter `type` says
  std::vector<SyntaxId> sizes;
  Word buffer;
  SyntaxId offset = kNoSyntax;  ///< bytes into the buffer
  std::vector<SyntaxId> strides;
  std::vector<SyntaxId> box;
  Word swizzle;
};

/// "window table persisting for 60 else streaming set_aside 16777216".
struct WindowSyntax {
  Word buffer;
  Eviction hit = Eviction::kLast;
  Eviction miss = Eviction::kNormal;
  SyntaxId percent = kNoSyntax;    ///< none: all lines
  SyntaxId set_aside = kNoSyntax;  ///< none: as much as the GPU allows
};

struct KernelSyntax {
  Word name;
  std::vector<SyntaxId> grid;
  std::vector<SyntaxId> block;
  std::vector<SyntaxId> cluster;  ///< none: every CTA is alone
  SyntaxId registers = kNoSyntax;
  SyntaxId shared_static = kNoSyntax;
  SyntaxId shared_dynamic = kNoSyntax;
  SyntaxId local = kNoSyntax;
  SyntaxId barriers = kNoSyntax;
  std::vector<BufferSyntax> buffers;
  std::vector<MbarrierSyntax> mbarriers;
  std::vector<TensorMapSyntax> tensor_maps;
  std::optional<WindowSyntax> window;
  std::vector<Statement> code;
  bool incomplete = false;  ///< lines of its head are missing
  bool has_code = false;
};

struct ParameterSyntax {
  Word name;
  SyntaxId value = kNoSyntax;
  SourceSpan value_span;  ///< place of the default
  SyntaxId least = kNoSyntax;
  SyntaxId most = kNoSyntax;
  std::vector<Word> words;  ///< words allowed for a parameter whose value is a word; else none
  std::string what;
};

/// A statement outside kernels, in file order (buffers and kernels are kept apart).
struct FileStatement {
  enum class Kind : std::uint8_t { kParameter, kMatrix, kLet, kCheck, kKernel } kind = Kind::kLet;
  Word name;                        ///< let
  SyntaxId expression = kNoSyntax;  ///< let, check
  std::string message;              ///< check
  std::size_t index = 0;            ///< into parameters, matrices or kernels
};

struct TestValue {
  Word name;
  SyntaxId value = kNoSyntax;
  SourceSpan value_span;
};

/// A name of the trace in the library, with values that make the parameters' defaults there.
struct LibrarySyntax {
  std::string family;
  std::string name;
  std::string title;  ///< empty: the trace's
  std::vector<TestValue> presets;
};

/// A '?' where a value is to be filled in.
struct Hole {
  Place place;
  std::string parameter;  ///< whose default it is: a value given from outside will do
  std::string line;       ///< all of the line it stands in
};

struct Syntax {
  std::string file;
  std::uint32_t header_line = 0;
  std::string title;
  SourceSpan title_span;  ///< with its quotes
  std::vector<LibrarySyntax> library;
  std::vector<SyntaxNode> nodes;
  std::vector<std::string> names;
  std::vector<ParameterSyntax> parameters;
  std::vector<MatrixSyntax> matrices;
  std::vector<TestValue> tests;
  std::vector<BufferSyntax> buffers;  ///< before the first kernel
  std::vector<KernelSyntax> kernels;
  std::vector<FileStatement> statements;
  std::vector<Hole> holes;
  bool skipped_lines = false;  ///< lines with problems are missing
  bool cut_short = false;      ///< so much is missing that what is there makes no sense
  /// The names on the lines that are missing: where they are unknown elsewhere, that is a consequence and no problem.
  std::set<std::string> excused;
};

}  // namespace gpusim::frontend
