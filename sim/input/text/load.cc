// SPDX-License-Identifier: MIT
#include "sim/input/text/load.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/input/text/definitions.h"
#include "sim/input/text/environment.h"
#include "sim/input/text/kernel_builder.h"
#include "sim/input/text/matrix_parameters.h"
#include "sim/input/text/parameter_reader.h"
#include "sim/input/text/parser.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend {
namespace {

class Loader {
 public:
  Loader(const Syntax& syntax, const trace::ParameterChoice& choice, ProblemList& problems)
      : syntax_(syntax),
        choice_(choice),
        reporter_(syntax, problems),
        names_(syntax, reporter_, pool_),
        state_(syntax.file),
        definitions_(names_, state_),
        parameters_(syntax, choice, names_, definitions_, state_),
        matrices_(syntax.file, choice, names_, definitions_, state_) {}

  trace::Trace run() {
    check_names();
    try {
      run_statements();
    } catch (const trace::ExpressionTooLarge& error) {
      reporter_.add({}, error.what);
    } catch (const KernelGivenUp&) {
      // The file's own expressions filled the pool, which has been told.
    }
    std::ranges::move(matrices_.take_parameters(), std::back_inserter(trace_.parameters));
    trace_.path = syntax_.file;
    trace_.origin = TraceOrigin::kProgram;
    trace_.title = syntax_.title;
    trace_.warnings = told(state_.warnings.list().problems());
    if (state_.warnings.list().dropped() != 0) {
      trace_.warnings.push_back("and " + std::to_string(state_.warnings.list().dropped()) + " more warnings");
    }
    return std::move(trace_);
  }

  /// With kernels left out.
  Description describe() {
    for (const FileStatement& statement : syntax_.statements) {
      switch (statement.kind) {
        case FileStatement::Kind::kParameter: read_parameter(statement); break;
        case FileStatement::Kind::kMatrix: matrices_.describe(syntax_.matrices[statement.index]); break;
        case FileStatement::Kind::kLet: let(statement); break;
        default: break;
      }
    }
    std::ranges::move(matrices_.take_parameters(), std::back_inserter(trace_.parameters));
    Description out{syntax_.title, {}, std::move(trace_.parameters), {}};
    for (const LibrarySyntax& syntax : syntax_.library) {
      LibraryName name{syntax.family, syntax.name, syntax.title.empty() ? syntax_.title : syntax.title, {}};
      for (const TestValue& preset : syntax.presets) {
        if (const auto value = names_.constant(preset.value, "the preset of '" + preset.name.text + "'")) {
          name.presets.emplace_back(preset.name.text, *value);
        }
      }
      out.library.push_back(std::move(name));
    }
    for (const Hole& hole : syntax_.holes) {
      if (!hole.parameter.empty()) {
        out.holes.push_back(hole.parameter);
      }
    }
    return out;
  }

 private:
  void run_statements() {
    for (const FileStatement& statement : syntax_.statements) {
      switch (statement.kind) {
        case FileStatement::Kind::kParameter: read_parameter(statement); break;
        case FileStatement::Kind::kMatrix: matrices_.read(syntax_.matrices[statement.index], !check_failed_); break;
        case FileStatement::Kind::kLet: let(statement); break;
        case FileStatement::Kind::kCheck: check(statement); break;
        // With values that a check refused, a kernel has problems that are only consequences.
        case FileStatement::Kind::kKernel:
          if (!check_failed_) {
            kernel(syntax_.kernels[statement.index]);
          }
          break;
      }
    }
  }

  void check_names() {
    std::vector<std::string_view> known;
    for (const ParameterSyntax& parameter : syntax_.parameters) {
      known.push_back(parameter.name.text);
    }
    for (const MatrixSyntax& matrix : syntax_.matrices) {
      known.push_back(matrix.name.text);
    }
    const auto hint = [&](const std::string& name) {
      return known.empty() ? std::string("the trace has no parameters") : suggestion(name, known);
    };
    const auto check_override = [&](const std::string& name) {
      if (std::find(known.begin(), known.end(), name) == known.end() && !reporter_.excuses(name)) {
        reporter_.add({}, "unknown parameter '" + name + "'", hint(name));
      }
    };
    for (const auto& [name, value] : choice_.overrides) {
      check_override(name);
    }
    for (const auto& [name, value] : choice_.words) {
      check_override(name);
    }
    const auto check_values = [&](const std::vector<TestValue>& values) {
      for (const TestValue& value : values) {
        const std::string& name = value.name.text;
        if (std::find(known.begin(), known.end(), name) == known.end() && !reporter_.excuses(name)) {
          reporter_.add(value.name.place, "unknown parameter '" + name + "'", hint(name));
        }
      }
    };
    known.resize(syntax_.parameters.size());
    check_values(syntax_.tests);
    for (const LibrarySyntax& library : syntax_.library) {
      check_values(library.presets);
    }
  }

  void read_parameter(const FileStatement& statement) {
    trace_.parameters.push_back(parameters_.read(syntax_.parameters[statement.index]));
  }

  void let(const FileStatement& statement) {
    definitions_.define(statement.name, names_.constant(statement.expression, "'" + statement.name.text + "'"));
  }

  void check(const FileStatement& statement) {
    const auto value = names_.constant(statement.expression, "the check");
    if (!value || *value != 0) {
      return;
    }
    check_failed_ = true;
    const std::set<std::string> names = names_behind(statement.expression);
    std::string values;
    for (const trace::Parameter& parameter : trace_.parameters) {
      if (names.contains(parameter.name)) {
        values += (values.empty() ? "" : ", ") + parameter.name + " = " + parameter.text_of(parameter.value);
      }
    }
    reporter_.add(statement.name.place, "check failed: " + statement.message, values);
  }

  /// The names in an expression, and those in the lets that it builds upon.
  [[nodiscard]] std::set<std::string> names_behind(SyntaxId expression) const {
    std::set<std::string> names;
    std::vector<SyntaxId> open{expression};
    while (!open.empty()) {
      const SyntaxNode& node = syntax_.nodes[open.back()];
      open.pop_back();
      std::ranges::copy_if(node.args, std::back_inserter(open), [](SyntaxId arg) { return arg != kNoSyntax; });
      if (node.kind != SyntaxNode::Kind::kName || !names.insert(syntax_.names[node.name]).second) {
        continue;
      }
      for (const FileStatement& statement : syntax_.statements) {
        if (statement.kind == FileStatement::Kind::kLet && statement.name.text == syntax_.names[node.name] &&
            statement.expression != kNoSyntax) {
          open.push_back(statement.expression);
        }
      }
    }
    return names;
  }

  void kernel(const KernelSyntax& syntax) {
    if (std::optional<trace::Kernel> made = build_kernel(syntax_, syntax, reporter_, state_)) {
      trace_.kernels.push_back(std::move(*made));
    }
  }

  const Syntax& syntax_;
  const trace::ParameterChoice& choice_;
  Reporter reporter_;
  trace::ExprPool pool_;
  Environment names_;
  FileState state_;
  Definitions definitions_;
  ParameterReader parameters_;
  MatrixParameters matrices_;
  bool check_failed_ = false;
  trace::Trace trace_;
};

/// Syntax of a text with what stands in the way of reading it.
Syntax parse_whole(std::string_view text, std::string_view name, ProblemList& problems) {
  check_text(text, std::string(name));
  Syntax syntax = parse(text, std::string(name), problems);
  if (syntax.cut_short) {
    problems.throw_if_any();
  }
  return syntax;
}

/// The lines with something to fill in, each once.
std::vector<Problem> lines_with_holes(const Syntax& syntax, const trace::ParameterChoice& choice) {
  std::vector<Problem> lines;
  for (const Hole& hole : syntax.holes) {
    const bool is_parameter = !hole.parameter.empty();
    if ((is_parameter && is_given(syntax, choice, hole.parameter)) ||
        (!lines.empty() && lines.back().where.line == hole.place.line)) {
      continue;
    }
    lines.push_back({{syntax.file, hole.place.line, hole.place.column},
                     "to be filled in: " + hole.line,
                     is_parameter ? "or give --param " + hole.parameter + "=VALUE" : ""});
  }
  return lines;
}

trace::Trace load_syntax(const Syntax& syntax, const trace::ParameterChoice& choice, ProblemList& problems) {
  if (std::vector<Problem> holes = lines_with_holes(syntax, choice); !holes.empty()) {
    problems.throw_if_any();
    throw InputError(std::move(holes));
  }
  trace::Trace trace = Loader(syntax, choice, problems).run();
  problems.throw_if_any();
  return trace;
}

}  // namespace

trace::Trace load_trace_text(std::string_view text, std::string_view name, const trace::ParameterChoice& choice) {
  ProblemList problems;
  const Syntax syntax = parse_whole(text, name, problems);
  return load_syntax(syntax, choice, problems);
}

trace::Trace load_trace_text(const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  return load_trace_text(read_text(path), path.string(), choice);
}

std::vector<Problem> holes_of_trace_text(std::string_view text, std::string_view name) {
  ProblemList problems;
  const Syntax syntax = parse_whole(text, name, problems);
  problems.throw_if_any();
  return lines_with_holes(syntax, {});
}

Description describe_trace_text(std::string_view text, std::string_view name) {
  ProblemList problems;
  const Syntax syntax = parse_whole(text, name, problems);
  const trace::ParameterChoice defaults;
  Description out = Loader(syntax, defaults, problems).describe();
  problems.throw_if_any();
  return out;
}

}  // namespace gpusim::frontend
