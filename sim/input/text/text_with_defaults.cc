// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/input/text/load.h"
#include "sim/input/text/parameter_reader.h"
#include "sim/input/text/parser.h"

namespace gpusim::frontend {
namespace {

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

std::string text_with_defaults(std::string_view text, std::string_view name, const trace::ParameterChoice& choice,
                               std::string_view title) {
  const trace::Trace trace = load_trace_text(text, name, choice);
  ProblemList problems;  // none: it was loaded
  const Syntax syntax = parse(text, std::string(name), problems);
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
