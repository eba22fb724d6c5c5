// SPDX-License-Identifier: MIT
#include "sim/input/text/load.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/input/text/environment.h"
#include "sim/input/text/kernel_builder.h"
#include "sim/input/text/matrices.h"
#include "sim/input/text/parser.h"

namespace gpusim::frontend {
namespace {

bool is_given(const Syntax& syntax, const trace::ParameterChoice& choice, const std::string& parameter) {
  const auto names = [&](const auto& pair) { return pair.first == parameter; };
  return std::ranges::any_of(choice.overrides, names) || std::ranges::any_of(choice.words, names) ||
         std::ranges::any_of(choice.presets, names) ||
         (choice.use_test_set &&
          std::ranges::any_of(syntax.tests, [&](const TestValue& test) { return test.name.text == parameter; }));
}

bool is_hole(const Syntax& syntax, const std::string& parameter) {
  return std::ranges::find(syntax.holes, parameter, &Hole::parameter) != syntax.holes.end();
}

constexpr std::string_view kRandom = "random";

/// A name in a trace counts from the trace's folder.
std::string from_folder_of(const std::filesystem::path& trace, const std::string& file) {
  return file.empty() ? "" : (trace.parent_path() / file).string();
}

class Loader {
 public:
  Loader(const Syntax& syntax, const trace::ParameterChoice& choice, ProblemList& problems)
      : syntax_(syntax),
        choice_(choice),
        reporter_(syntax, problems),
        names_(syntax, reporter_, pool_),
        state_(syntax.file) {}

  trace::Trace run() {
    check_names();
    try {
      run_statements();
    } catch (const trace::ExpressionTooLarge& error) {
      reporter_.add({}, error.what);
    } catch (const KernelGivenUp&) {
      // The file's own expressions filled the pool, which has been told.
    }
    std::ranges::move(matrices_, std::back_inserter(trace_.parameters));
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
        case FileStatement::Kind::kParameter: parameter(syntax_.parameters[statement.index]); break;
        case FileStatement::Kind::kMatrix: describe_matrix(syntax_.matrices[statement.index]); break;
        case FileStatement::Kind::kLet: let(statement); break;
        default: break;
      }
    }
    std::ranges::move(matrices_, std::back_inserter(trace_.parameters));
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
        case FileStatement::Kind::kParameter: parameter(syntax_.parameters[statement.index]); break;
        case FileStatement::Kind::kMatrix: matrix(syntax_.matrices[statement.index]); break;
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

  [[nodiscard]] bool is_defined(const std::string& name) const {
    return names_.knows(name) || std::ranges::find(matrices_, name, &trace::Parameter::name) != matrices_.end();
  }

  void define(const Word& name, std::optional<std::int64_t> value) {
    if (is_defined(name.text)) {
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

  /// A word means its place in the list, whichever parameter names it.
  void define_words(const ParameterSyntax& syntax) {
    for (std::size_t i = 0; i < syntax.words.size(); ++i) {
      const Word& word = syntax.words[i];
      const auto value = static_cast<std::int64_t>(i);
      const auto [known, is_new] = words_.emplace(word.text, value);
      if (is_new) {
        define(word, value);
      } else if (known->second != value) {
        reporter_.add(word.place, "'" + word.text + "' is word " + std::to_string(i) + " here and word " +
                                      std::to_string(known->second) + " elsewhere");
      }
    }
  }

  /// The value that a word given from outside means.
  void choose_word(const ParameterSyntax& syntax, trace::Parameter& parameter) {
    for (const auto& [name, word] : choice_.words) {
      if (name != parameter.name) {
        continue;
      }
      const auto found = std::ranges::find(parameter.words, word);
      if (found != parameter.words.end()) {
        parameter.value = found - parameter.words.begin();
      } else if (parameter.words.empty()) {
        reporter_.add({}, "--param " + name + ": '" + word + "' is not an integer", integers_only(word));
      } else {
        const std::vector<std::string_view> known(parameter.words.begin(), parameter.words.end());
        reporter_.add(syntax.name.place, "parameter '" + name + "' is '" + word + "'", suggestion(word, known));
      }
    }
  }

  void check_range(const ParameterSyntax& syntax, trace::Parameter& parameter) {
    if (!parameter.range || (parameter.value >= parameter.range->first && parameter.value <= parameter.range->second)) {
      return;
    }
    std::string allowed;
    for (const std::string& word : parameter.words) {
      allowed += (allowed.empty() ? "" : ", ") + word;
    }
    if (parameter.words.empty()) {
      allowed = std::to_string(parameter.range->first) + " to " + std::to_string(parameter.range->second);
    }
    reporter_.add(syntax.name.place, "parameter '" + parameter.name + "' is " + std::to_string(parameter.value),
                  "allowed: " + allowed);
    parameter.value = parameter.default_value;
  }

  void read_range(const ParameterSyntax& syntax, trace::Parameter& parameter) {
    if (!syntax.words.empty()) {
      define_words(syntax);
      std::ranges::transform(syntax.words, std::back_inserter(parameter.words), &Word::text);
      parameter.range = {0, static_cast<std::int64_t>(syntax.words.size()) - 1};
    } else if (syntax.least != kNoSyntax) {
      const auto least = names_.constant(syntax.least, "the least value of '" + parameter.name + "'");
      const auto most = names_.constant(syntax.most, "the greatest value of '" + parameter.name + "'");
      if (least && most) {
        parameter.range = {*least, *most};
      }
    }
  }

  [[nodiscard]] std::int64_t chosen_value(const trace::Parameter& parameter) const {
    using Values = std::vector<std::pair<std::string, std::int64_t>>;
    const auto value_in = [&parameter](const Values& values) -> std::optional<std::int64_t> {
      const auto found = std::ranges::find(values.rbegin(), values.rend(), parameter.name, &Values::value_type::first);
      return found == values.rend() ? std::nullopt : std::optional(found->second);
    };
    if (const auto given = value_in(choice_.overrides)) {
      return *given;
    }
    if (choice_.use_test_set && parameter.test_value) {
      return *parameter.test_value;
    }
    return value_in(choice_.presets).value_or(parameter.default_value);
  }

  void parameter(const ParameterSyntax& syntax) {
    trace::Parameter parameter;
    parameter.name = syntax.name.text;
    parameter.what = syntax.what;
    read_range(syntax, parameter);
    const auto default_value = names_.constant(syntax.value, "the default of '" + parameter.name + "'");
    parameter.default_value = default_value.value_or(0);
    parameter.test_value = test_value(parameter.name);
    parameter.value = chosen_value(parameter);
    choose_word(syntax, parameter);
    if (is_given(syntax_, choice_, parameter.name) || !is_hole(syntax_, parameter.name)) {
      check_range(syntax, parameter);
    }
    if (!parameter.words.empty()) {
      names_.bind_word(parameter.name, parameter.text_of(parameter.value));
      state_.words.emplace_back(parameter.name, parameter.text_of(parameter.value));
    }
    define(syntax.name, default_value ? std::optional(parameter.value) : std::nullopt);
    trace_.parameters.push_back(std::move(parameter));
  }

  /// What --param says of a matrix: the name of a file, or `random`. As everywhere, 0 is the first word: the default.
  std::string given_source(const MatrixSyntax& syntax) {
    for (const auto& [name, value] : choice_.overrides) {
      if (name == syntax.name.text && value != 0) {
        reporter_.add({}, "--param " + name + ": " + std::to_string(value) + " is not the name of a file",
                      "write ./" + std::to_string(value) + " for a file of this name");
      }
    }
    for (const auto& [name, word] : choice_.words) {
      if (name == syntax.name.text) {
        return word;
      }
    }
    return "";
  }

  void matrix(const MatrixSyntax& syntax) {
    const std::string& name = syntax.name.text;
    const std::string given = given_source(syntax);
    const bool is_default = given.empty() || (given == kRandom && syntax.source.text.empty());
    const std::string file = is_default ? from_folder_of(syntax_.file, syntax.source.text) : given;
    if (is_defined(name)) {
      reporter_.add(syntax.name.place, "'" + name + "' is defined a second time");
      return;
    }
    matrices_.push_back(named(syntax, {default_source(syntax)}));
    choose_source(matrices_.back(), file, is_default);
    if (check_failed_ || (reporter_.any() && !file.empty())) {
      reporter_.excuse(name);  // nobody waits for a large file to see what is wrong with the trace
      return;
    }
    const std::optional<Matrix> read = file.empty() ? random_matrix(syntax, state_.layout.entries_left(), names_)
                                                    : matrix_from_file(file, state_.layout.entries_left());
    if (!read) {
      reporter_.excuse(name);
      return;
    }
    for (const auto& [part, value] :
         {std::pair(".rows", read->rows), {".columns", read->columns}, {".entries", read->entries}}) {
      define({name + part, syntax.name.place}, static_cast<std::int64_t>(value));
    }
    state_.layout.add_matrix(name, *read);
  }

  [[nodiscard]] static std::string default_source(const MatrixSyntax& syntax) {
    return syntax.source.text.empty() ? std::string(kRandom) : syntax.source.text;
  }

  /// The words of a matrix are its default and, where there is one, the file that was given instead.
  static void choose_source(trace::Parameter& matrix, const std::string& file, bool is_default) {
    matrix.file = file;
    if (!is_default) {
      matrix.words.push_back(file);
      matrix.value = 1;
    } else if (!file.empty()) {
      matrix.words.front() = file;
    }
  }

  /// As a parameter whose words are what may be given; no file is read.
  void describe_matrix(const MatrixSyntax& syntax) {
    matrices_.push_back(named(syntax, {default_source(syntax), "FILE"}));
    reporter_.excuse(syntax.name.text);
  }

  [[nodiscard]] static trace::Parameter named(const MatrixSyntax& syntax, std::vector<std::string> words) {
    trace::Parameter parameter;
    parameter.name = syntax.name.text;
    parameter.what = syntax.what;
    parameter.takes_file = true;
    parameter.words = std::move(words);
    return parameter;
  }

  void let(const FileStatement& statement) {
    define(statement.name, names_.constant(statement.expression, "'" + statement.name.text + "'"));
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
  bool check_failed_ = false;
  std::map<std::string, std::int64_t> words_;  ///< what each word of a parameter means
  std::vector<trace::Parameter> matrices_;     ///< so far, as what --param names
  trace::Trace trace_;
};

}  // namespace

namespace {

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

/// Where the line begins in the text, counted from 1.
std::size_t line_begin(std::string_view text, std::uint32_t line) {
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    at = text.find('\n', at) + 1;
  }
  return at;
}

struct Edit {
  SourceSpan at;
  std::string text;
  std::string what;  ///< stands there
};

/// The chosen values as defaults. In the test set as well where the choice names them, so that the set means the same
/// with the file as with the name and the values; in all of it where that set would not load.
std::vector<Edit> defaults_edits(const Syntax& syntax, const trace::Trace& trace, const trace::ParameterChoice& choice,
                                 bool in_whole_test_set) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < syntax.parameters.size(); ++i) {
    const trace::Parameter& chosen = trace.parameters[i];
    const std::string value = chosen.text_of(chosen.value);
    if (chosen.value != chosen.default_value || is_hole(syntax, chosen.name)) {
      edits.push_back({syntax.parameters[i].value_span, value, "the default of '" + chosen.name + "'"});
    }
    for (const TestValue& test : syntax.tests) {
      if (test.name.text == chosen.name && chosen.value != chosen.test_value &&
          (in_whole_test_set || is_given(syntax, choice, chosen.name))) {
        edits.push_back({test.value_span, value, "the test value of '" + chosen.name + "'"});
      }
    }
  }
  for (std::size_t i = 0; i < syntax.matrices.size(); ++i) {
    const trace::Parameter& chosen = trace.parameters[syntax.parameters.size() + i];
    if (!chosen.file.empty()) {  // the text may go to another folder
      const std::string file = std::filesystem::absolute(chosen.file).string();
      if (file.find_first_of("\"\n\r") != std::string::npos) {
        throw InputError({{syntax.file, syntax.matrices[i].source.place.line, syntax.matrices[i].source.place.column},
                          "the name of the matrix's file cannot stand in a trace",
                          "rename it without quotes"});
      }
      edits.push_back({syntax.matrices[i].source_span, '"' + file + '"', "the source of '" + chosen.name + "'"});
    }
  }
  return edits;
}

/// The text after the edits, under the title unless that is empty.
std::string with_edits(std::string_view text, const Syntax& syntax, std::vector<Edit> edits, std::string_view title) {
  std::string made(text);
  const std::string quoted = '"' + std::string(title) + '"';
  if (!title.empty() && !syntax.title.empty() && title != syntax.title) {
    edits.push_back({syntax.title_span, quoted, "the title"});
  }
  // From the last to the first, so that places stay true.
  std::ranges::sort(edits, std::greater(),
                    [](const Edit& edit) { return std::pair(edit.at.begin.line, edit.at.begin.column); });
  for (const Edit& edit : edits) {
    const Place where = edit.at.begin;
    if (edit.at.columns == 0) {
      throw InputError({{syntax.file, where.line, where.column},
                        edit.what + " goes over several lines, so it cannot be replaced",
                        "write it in one line"});
    }
    made.replace(line_begin(made, where.line) + where.column - 1, edit.at.columns, edit.text);
  }
  if (!title.empty() && syntax.title.empty()) {
    made.insert(line_begin(made, syntax.header_line + 1), "title " + quoted + "\n");
  }
  return made;
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

std::string text_with_defaults(std::string_view text, std::string_view name, const trace::ParameterChoice& choice,
                               std::string_view title) {
  ProblemList problems;
  const Syntax syntax = parse_whole(text, name, problems);
  const trace::Trace trace = load_syntax(syntax, choice, problems);
  std::string made = with_edits(text, syntax, defaults_edits(syntax, trace, choice, false), title);
  trace::ParameterChoice small;
  small.use_test_set = true;
  try {
    static_cast<void>(load_trace_text(made, name, small));
  } catch (const InputError&) {
    made = with_edits(text, syntax, defaults_edits(syntax, trace, choice, true), title);
  }
  return made;
}

}  // namespace gpusim::frontend
