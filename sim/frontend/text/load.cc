// SPDX-License-Identifier: MIT
#include "sim/frontend/text/load.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/frontend/text/environment.h"
#include "sim/frontend/text/kernel_builder.h"
#include "sim/frontend/text/parser.h"

namespace gpusim::frontend {
namespace {

class Loader {
 public:
  Loader(const Syntax& syntax, const trace::ParameterChoice& choice, ProblemList& problems)
      : syntax_(syntax), choice_(choice), reporter_(syntax, problems), names_(syntax, reporter_, pool_) {}

  trace::Trace run() {
    check_names();
    try {
      run_statements();
    } catch (const trace::ExpressionTooLarge& error) {
      reporter_.add({}, error.what);
    } catch (const KernelGivenUp&) {
      // The file's own expressions filled the pool, which has been told.
    }
    trace_.path = syntax_.file;
    trace_.origin = "program";
    trace_.title = syntax_.title;
    trace_.warnings = std::move(state_.warnings);
    if (state_.dropped_warnings != 0) {
      trace_.warnings.push_back("and " + std::to_string(state_.dropped_warnings) + " more warnings");
    }
    return std::move(trace_);
  }

 private:
  void run_statements() {
    for (const FileStatement& statement : syntax_.statements) {
      switch (statement.kind) {
        case FileStatement::Kind::kParameter: parameter(syntax_.parameters[statement.index]); break;
        case FileStatement::Kind::kLet: let(statement); break;
        case FileStatement::Kind::kCheck: check(statement); break;
        case FileStatement::Kind::kKernel: kernel(syntax_.kernels[statement.index]); break;
      }
    }
  }

  void check_names() {
    std::vector<std::string_view> known;
    for (const ParameterSyntax& parameter : syntax_.parameters) {
      known.push_back(parameter.name.text);
    }
    const auto hint = [&](const std::string& name) {
      return known.empty() ? std::string("the trace has no parameters") : suggestion(name, known);
    };
    for (const auto& [name, value] : choice_.overrides) {
      if (std::find(known.begin(), known.end(), name) == known.end() && !reporter_.excuses(name)) {
        reporter_.add({}, "unknown parameter '" + name + "'", hint(name));
      }
    }
    for (const TestValue& test : syntax_.tests) {
      if (std::find(known.begin(), known.end(), test.name.text) == known.end() && !reporter_.excuses(test.name.text)) {
        reporter_.add(test.name.place, "unknown parameter '" + test.name.text + "'", hint(test.name.text));
      }
    }
  }

  void define(const Word& name, std::optional<std::int64_t> value) {
    if (names_.knows(name.text)) {
      reporter_.add(name.place, "'" + name.text + "' is defined a second time");
    } else if (!value) {
      reporter_.excuse(name.text);
    } else {
      names_.bind_constant(name.text, *value);
      state_.constants.emplace_back(name.text, *value);
    }
  }

  std::optional<std::int64_t> test_value(const std::string& name) {
    std::optional<std::int64_t> value;
    for (const TestValue& test : syntax_.tests) {
      if (test.name.text == name) {
        value = names_.constant(test.value, "the test value of '" + name + "'");
      }
    }
    return value;
  }

  void parameter(const ParameterSyntax& syntax) {
    trace::Parameter parameter;
    parameter.name = syntax.name.text;
    parameter.what = syntax.what;
    const auto default_value = names_.constant(syntax.value, "the default of '" + parameter.name + "'");
    parameter.default_value = default_value.value_or(0);
    parameter.test_value = test_value(parameter.name);
    parameter.value =
        choice_.use_test_set ? parameter.test_value.value_or(parameter.default_value) : parameter.default_value;
    for (const auto& [name, value] : choice_.overrides) {
      if (name == parameter.name) {
        parameter.value = value;
      }
    }
    if (syntax.least != kNoSyntax) {
      const auto least = names_.constant(syntax.least, "the least value of '" + parameter.name + "'");
      const auto most = names_.constant(syntax.most, "the greatest value of '" + parameter.name + "'");
      if (least && most && (parameter.value < *least || parameter.value > *most)) {
        reporter_.add(syntax.name.place, "parameter '" + parameter.name + "' is " + std::to_string(parameter.value),
                      "allowed: " + std::to_string(*least) + " to " + std::to_string(*most));
        parameter.value = parameter.default_value;
      }
    }
    define(syntax.name, default_value ? std::optional(parameter.value) : std::nullopt);
    trace_.parameters.push_back(std::move(parameter));
  }

  void let(const FileStatement& statement) {
    define(statement.name, names_.constant(statement.expression, "'" + statement.name.text + "'"));
  }

  void check(const FileStatement& statement) {
    const auto value = names_.constant(statement.expression, "the check");
    if (!value || *value != 0) {
      return;
    }
    std::string values;
    for (const trace::Parameter& parameter : trace_.parameters) {
      if (mentions(statement.expression, parameter.name)) {
        values += (values.empty() ? "" : ", ") + parameter.name + " = " + std::to_string(parameter.value);
      }
    }
    reporter_.add(statement.name.place, "check failed: " + statement.message, values);
  }

  [[nodiscard]] bool mentions(SyntaxId id, const std::string& name) const {
    const SyntaxNode& node = syntax_.nodes[id];
    const bool here = node.kind == SyntaxNode::Kind::kName && syntax_.names[node.name] == name;
    return here || std::any_of(node.args.begin(), node.args.end(),
                               [&](SyntaxId arg) { return arg != kNoSyntax && mentions(arg, name); });
  }

  void kernel(const KernelSyntax& syntax) {
    if (std::optional<trace::Kernel> made = KernelBuilder(syntax_, syntax, reporter_, state_).run()) {
      trace_.kernels.push_back(std::move(*made));
    }
  }

  const Syntax& syntax_;
  const trace::ParameterChoice& choice_;
  Reporter reporter_;
  trace::ExprPool pool_;
  Environment names_;
  FileState state_;
  trace::Trace trace_;
};

}  // namespace

trace::Trace load_trace_text(std::string_view text, std::string_view name, const trace::ParameterChoice& choice) {
  check_text(text, std::string(name));
  ProblemList problems;
  const Syntax syntax = parse(text, std::string(name), problems);
  if (syntax.cut_short) {
    problems.throw_if_any();
  }
  trace::Trace trace = Loader(syntax, choice, problems).run();
  problems.throw_if_any();
  return trace;
}

trace::Trace load_trace_text(const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  return load_trace_text(read_text(path), path.string(), choice);
}

}  // namespace gpusim::frontend
