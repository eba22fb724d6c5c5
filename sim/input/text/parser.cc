// SPDX-License-Identifier: MIT
#include "sim/input/text/parser.h"

#include <array>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/input/text/code_parser.h"
#include "sim/input/text/declaration_parser.h"
#include "sim/input/text/l2_window.h"
#include "sim/input/text/scanner.h"
#include "sim/input/text/trace_lines.h"

namespace gpusim::frontend {
namespace {

constexpr std::array<std::string_view, 11> kFileWords{
    "param", "check", "test", "let", "kernel", "title", "buffer", "shared_buffer", "local_buffer", "library", "matrix"};
constexpr std::array<std::string_view, 14> kKernelWords{
    "grid",   "block",         "cluster",      "registers", "shared",     "local",  "barriers",
    "buffer", "shared_buffer", "local_buffer", "mbarrier",  "tensor_map", "window", "code"};

std::size_t begin_of_next(Scanner& in) {
  static_cast<void>(in.place());  // goes beyond blanks
  return in.offset();
}

/// From the offset to what was read last, without the blanks behind it.
SourceSpan span_from(const Scanner& in, std::size_t begin) {
  std::size_t last = in.offset() - 1;
  while (last > begin && in.text()[last] == ' ') {
    --last;
  }
  const Place first = in.place_of(begin);
  const Place end = in.place_of(last);
  return {first, end.line == first.line ? end.column - first.column + 1 : 0};
}

/// What stands where a statement should: its name, else its first character.
std::string statement_word(Scanner& in) {
  const std::string name(in.peek_name());
  return name.empty() ? std::string(1, in.peek()) : name;
}

/// Reads what stands outside the code of kernels. Owns the syntax while it is made, and the number of its
/// declarations. Reports statements that make no sense there, and kernels without code or end.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file, ProblemList& problems);
  [[nodiscard]] Syntax run();

 private:
  /// Counts a parameter, let, check, buffer or kernel; throws FatalError beyond what any trace needs.
  void count_declaration(Scanner& in);
  void file_statement(Scanner& in);
  void parameter(Scanner& in);
  void matrix(Scanner& in);
  /// "f16 | bf16 | f32", at least two; false when something else comes next.
  bool words(Scanner& in, std::vector<Word>& into);
  /// "a=1 b=2" up to the end of the line.
  void values(Scanner& in, std::vector<TestValue>& into);
  void library(Scanner& in);
  void file_let(Scanner& in);
  void check(Scanner& in);
  void kernel(Scanner& in);
  bool kernel_line(Scanner& in, KernelSyntax& kernel);
  void shared_bytes(Scanner& in, KernelSyntax& kernel);
  std::vector<SyntaxId> dimensions(Scanner& in);
  SyntaxId once(Scanner& in, SyntaxId before, std::string_view word);

  Syntax syntax_;
  ProblemList& problems_;
  TraceLines lines_;
  CodeParser code_;
  std::size_t declarations_ = 0;
};

Parser::Parser(std::string_view text, const std::string& file, ProblemList& problems)
    : problems_(problems), lines_(text, syntax_, problems), code_(lines_) {
  syntax_.file = file;
}

Syntax Parser::run() {
  try {
    const bool any = lines_.on_next([this](Scanner& in) {
      if (!in.accept("gpusim") || !in.accept("trace")) {
        throw FatalError{{in.place(), "not a gpusim trace", "its first line must be 'gpusim trace 1'"}};
      }
      if (!in.accept("1")) {
        throw FatalError{{in.place(), "unknown version of the trace format", "this program reads version 1"}};
      }
      syntax_.header_line = in.place().line;
      in.expect_end();
    });
    if (!any) {
      lines_.report({{}, "has no statements", "a trace begins with 'gpusim trace 1'"});
    }
    while (lines_.on_next([this](Scanner& in) { file_statement(in); })) {
    }
    if (problems_.empty() && syntax_.kernels.empty()) {
      lines_.report({{}, "has no kernel", "add 'kernel NAME'"});
    }
  } catch (const FatalError& error) {
    syntax_.cut_short = true;
    lines_.report(error.error);
  }
  return std::move(syntax_);
}

void Parser::count_declaration(Scanner& in) {
  // Every kernel sees every declaration before it, so their number enters squared.
  constexpr std::size_t kMostDeclarations = 2048;
  if (++declarations_ > kMostDeclarations) {
    throw FatalError{{in.place(),
                      "the file declares more than " + std::to_string(kMostDeclarations) +
                          " parameters, constants, checks, buffers and kernels",
                      "split it into several files"}};
  }
}

void Parser::file_statement(Scanner& in) {
  if (!in.next_is("buffer")) {
    count_declaration(in);  // a buffer counts where its name is read
  }
  if (in.accept("title")) {
    const std::size_t begin = begin_of_next(in);
    syntax_.title = in.quoted("the title");
    syntax_.title_span = span_from(in, begin);
  } else if (in.accept("library")) {
    library(in);
  } else if (in.accept("param")) {
    parameter(in);
  } else if (in.accept("matrix")) {
    matrix(in);
  } else if (in.accept("test")) {
    values(in, syntax_.tests);
  } else if (in.accept("let")) {
    file_let(in);
  } else if (in.accept("check")) {
    check(in);
  } else if (in.accept("kernel")) {
    kernel(in);
    return;
  } else if (in.next_is("shared_buffer") || in.next_is("local_buffer")) {
    in.fail("'" + std::string(in.peek_name()) + "' stands in a kernel, behind its 'kernel' line");
  } else if (in.accept("buffer")) {
    if (!syntax_.kernels.empty()) {
      in.fail("a buffer for all kernels must stand before the first kernel");
    }
    count_declaration(in);
    syntax_.buffers.push_back(parse_buffer(in, isa::MemSpace::kGlobal));
  } else {
    const std::string word = statement_word(in);
    in.fail("unknown statement '" + word + "' outside kernels", suggestion(word, kFileWords));
  }
  in.expect_end();
}

void Parser::parameter(Scanner& in) {
  ParameterSyntax parameter;
  parameter.name = in.name("the parameter's name");
  in.expect("=", "the parameter's name");
  const std::size_t begin = begin_of_next(in);
  const std::size_t holes = syntax_.holes.size();
  parameter.value = in.expression();
  for (std::size_t i = holes; i < syntax_.holes.size(); ++i) {
    syntax_.holes[i].parameter = parameter.name.text;
  }
  parameter.value_span = span_from(in, begin);
  if (in.accept("in") && !words(in, parameter.words)) {
    parameter.least = in.expression();
    in.expect("..", "the least value");
    parameter.most = in.expression();
  }
  if (in.next_is("\"")) {
    parameter.what = in.quoted("the description");
  }
  syntax_.statements.push_back(
      {FileStatement::Kind::kParameter, parameter.name, kNoSyntax, "", syntax_.parameters.size()});
  syntax_.parameters.push_back(std::move(parameter));
}

void Parser::matrix(Scanner& in) {
  MatrixSyntax matrix;
  matrix.name = in.name("the matrix's name");
  in.expect("=", "the matrix's name");
  const std::size_t begin = begin_of_next(in);
  matrix.source.place = in.place();
  if (in.accept("random")) {
    in.expect("(", "'random'");
    do {
      matrix.random.push_back(in.expression());
    } while (in.accept(","));
    in.expect(")", "the arguments of 'random'");
  } else {
    matrix.source.text = in.quoted("random(...), or the name of a file");
    if (matrix.source.text.empty()) {
      in.fail("the name of the file is empty");
    }
  }
  matrix.source_span = span_from(in, begin);
  if (in.next_is("\"")) {
    matrix.what = in.quoted("the description");
  }
  syntax_.statements.push_back({FileStatement::Kind::kMatrix, matrix.name, kNoSyntax, "", syntax_.matrices.size()});
  syntax_.matrices.push_back(std::move(matrix));
}

bool Parser::words(Scanner& in, std::vector<Word>& into) {
  const std::size_t before = in.offset();
  do {
    if (in.peek_name().empty()) {
      into.clear();
      break;
    }
    into.push_back(in.name("a word"));
  } while (in.accept("|"));
  if (into.size() < 2) {
    into.clear();
    in.seek(before);
  }
  return !into.empty();
}

void Parser::values(Scanner& in, std::vector<TestValue>& into) {
  while (!in.at_end()) {
    TestValue value;
    value.name = in.name("a parameter's name");
    in.expect("=", "'" + value.name.text + "'");
    const std::size_t begin = begin_of_next(in);
    value.value = in.expression();
    value.value_span = span_from(in, begin);
    into.push_back(std::move(value));
  }
}

void Parser::library(Scanner& in) {
  LibrarySyntax library;
  library.family = in.quoted("the family");
  library.name = in.quoted("the name in the library");
  if (in.next_is("\"")) {
    library.title = in.quoted("what it is");
  }
  values(in, library.presets);
  syntax_.library.push_back(std::move(library));
}

void Parser::file_let(Scanner& in) {
  FileStatement let;
  let.name = in.name("the constant's name");
  in.expect("=", "the constant's name");
  let.expression = in.expression();
  syntax_.statements.push_back(std::move(let));
}

void Parser::check(Scanner& in) {
  FileStatement check;
  check.kind = FileStatement::Kind::kCheck;
  check.name.place = in.place();
  check.expression = in.expression();
  check.message = in.quoted("what the check demands");
  syntax_.statements.push_back(std::move(check));
}

void Parser::kernel(Scanner& in) {
  KernelSyntax& kernel = syntax_.kernels.emplace_back();
  syntax_.statements.push_back({FileStatement::Kind::kKernel, {}, kNoSyntax, "", syntax_.kernels.size() - 1});
  kernel.name.place = in.place();
  try {
    kernel.name = in.name("the kernel's name");
    in.expect_end();
  } catch (const LineError& error) {
    lines_.skip(error);
  }
  const std::size_t skipped = lines_.skipped();
  bool in_header = true;
  while (in_header && lines_.on_next([&](Scanner& line) { in_header = kernel_line(line, kernel); })) {
  }
  kernel.incomplete = lines_.skipped() != skipped;
  if (in_header) {
    lines_.report({kernel.name.place, "kernel '" + kernel.name.text + "' has no code", "expected 'code' ... 'end'"});
    return;
  }
  kernel.has_code = true;
  if (!code_.parse(kernel.code)) {
    lines_.report({kernel.name.place, "the code of kernel '" + kernel.name.text + "' is not closed by 'end'", ""});
  }
}

SyntaxId Parser::once(Scanner& in, SyntaxId before, std::string_view word) {
  if (before != kNoSyntax) {
    in.fail("'" + std::string(word) + "' was given before");
  }
  return in.expression();
}

std::vector<SyntaxId> Parser::dimensions(Scanner& in) {
  std::vector<SyntaxId> sizes;
  in.accept("=");
  in.expect("(", "the word");
  do {
    if (sizes.size() == 3) {
      in.fail("more than three dimensions");
    }
    sizes.push_back(in.expression());
  } while (in.accept(","));
  in.expect(")", "the dimensions");
  return sizes;
}

void Parser::shared_bytes(Scanner& in, KernelSyntax& kernel) {
  if (in.accept("static")) {
    kernel.shared_static = once(in, kernel.shared_static, "shared static");
  } else if (in.accept("dynamic")) {
    kernel.shared_dynamic = once(in, kernel.shared_dynamic, "shared dynamic");
  } else {
    in.fail("expected 'static' or 'dynamic' after 'shared'");
  }
}

bool Parser::kernel_line(Scanner& in, KernelSyntax& kernel) {
  if (in.accept("code")) {
    in.expect_end();
    return false;
  }
  if (in.accept("grid")) {
    kernel.grid = dimensions(in);
  } else if (in.accept("block")) {
    kernel.block = dimensions(in);
  } else if (in.accept("cluster")) {
    kernel.cluster = dimensions(in);
  } else if (in.accept("registers")) {
    kernel.registers = once(in, kernel.registers, "registers");
  } else if (in.accept("barriers")) {
    kernel.barriers = once(in, kernel.barriers, "barriers");
  } else if (in.accept("shared_buffer")) {
    count_declaration(in);
    kernel.buffers.push_back(parse_buffer(in, isa::MemSpace::kShared));
  } else if (in.accept("local_buffer")) {
    count_declaration(in);
    kernel.buffers.push_back(parse_buffer(in, isa::MemSpace::kLocal));
  } else if (in.accept("local")) {
    kernel.local = once(in, kernel.local, "local");
  } else if (in.accept("shared")) {
    shared_bytes(in, kernel);
  } else if (in.accept("buffer")) {
    count_declaration(in);
    kernel.buffers.push_back(parse_buffer(in, isa::MemSpace::kGlobal));
  } else if (in.accept("mbarrier")) {
    count_declaration(in);
    kernel.mbarriers.push_back(parse_mbarrier(in));
  } else if (in.accept("tensor_map")) {
    count_declaration(in);
    kernel.tensor_maps.push_back(parse_tensor_map(in));
  } else if (in.accept("window")) {
    if (kernel.window) {
      in.fail("'window' was given before", "a launch has one access policy window");
    }
    kernel.window = parse_window(in);
  } else {
    const std::string word = statement_word(in);
    in.fail("unknown statement '" + word + "' in the head of a kernel", suggestion(word, kKernelWords));
  }
  in.expect_end();
  return true;
}

}  // namespace

Syntax parse(std::string_view text, const std::string& file, ProblemList& problems) {
  return Parser(text, file, problems).run();
}

}  // namespace gpusim::frontend
