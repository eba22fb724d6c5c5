// SPDX-License-Identifier: MIT
#include "sim/input/text/matrix_parameters.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/input/text/matrices.h"

namespace gpusim::frontend {
namespace {

constexpr std::string_view kRandom = "random";

/// A name in a trace counts from the trace's folder.
std::string from_folder_of(const std::filesystem::path& trace, const std::string& file) {
  return file.empty() ? "" : (trace.parent_path() / file).string();
}

std::string default_source(const MatrixSyntax& syntax) {
  return syntax.source.text.empty() ? std::string(kRandom) : syntax.source.text;
}

/// The words of a matrix are its default and, where there is one, the file that was given instead.
void choose_source(trace::Parameter& matrix, const std::string& file, bool is_default) {
  matrix.file = file;
  if (!is_default) {
    matrix.words.push_back(file);
    matrix.value = 1;
  } else if (!file.empty()) {
    matrix.words.front() = file;
  }
}

trace::Parameter named(const MatrixSyntax& syntax, std::vector<std::string> words) {
  trace::Parameter parameter;
  parameter.name = syntax.name.text;
  parameter.what = syntax.what;
  parameter.takes_file = true;
  parameter.words = std::move(words);
  return parameter;
}

}  // namespace

std::string MatrixParameters::given_source(const MatrixSyntax& syntax) {
  for (const auto& [name, value] : choice_.overrides) {
    if (name == syntax.name.text && value != 0) {
      names_.reporter().add({}, "--param " + name + ": " + std::to_string(value) + " is not the name of a file",
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

void MatrixParameters::read(const MatrixSyntax& syntax, bool is_wanted) {
  const std::string& name = syntax.name.text;
  const std::string given = given_source(syntax);
  const bool is_default = given.empty() || (given == kRandom && syntax.source.text.empty());
  const std::string file = is_default ? from_folder_of(trace_, syntax.source.text) : given;
  if (!definitions_.reserve(syntax.name)) {
    return;
  }
  parameters_.push_back(named(syntax, {default_source(syntax)}));
  choose_source(parameters_.back(), file, is_default);
  if (!is_wanted || (names_.reporter().any() && !file.empty())) {
    names_.reporter().excuse(name);
    return;
  }
  const std::optional<Matrix> matrix = file.empty() ? random_matrix(syntax, file_.layout.entries_left(), names_)
                                                    : matrix_from_file(file, file_.layout.entries_left());
  if (!matrix) {
    names_.reporter().excuse(name);
    return;
  }
  for (const auto& [part, value] :
       {std::pair(".rows", matrix->rows), {".columns", matrix->columns}, {".entries", matrix->entries}}) {
    definitions_.define({name + part, syntax.name.place}, static_cast<std::int64_t>(value));
  }
  file_.layout.add_matrix(name, *matrix);
}

void MatrixParameters::describe(const MatrixSyntax& syntax) {
  if (!definitions_.reserve(syntax.name)) {
    return;
  }
  parameters_.push_back(named(syntax, {default_source(syntax), "FILE"}));
  names_.reporter().excuse(syntax.name.text);
}

}  // namespace gpusim::frontend
