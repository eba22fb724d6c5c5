// SPDX-License-Identifier: MIT
#include "sim/code/launch/names.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "sim/base/text.h"
#include "sim/input/text/environment.h"
#include "sim/input/text/scanner.h"

namespace gpusim::launch {
namespace {

constexpr std::size_t kLongest = 2000;

[[noreturn]] void fail_at(const std::string& text, const SourceLocation& where, const Place& place,
                          const std::string& message, const std::string& hint) {
  const std::string at = place.column > 1 ? ", at character " + std::to_string(place.column) : "";
  const std::string shown = "'" + printable(clipped(text, 60)) + "'";
  throw InputError({where, (message.starts_with(shown) ? "" : shown + ": ") + message + at, hint});
}

}  // namespace

std::int64_t Names::value(const std::string& text, const SourceLocation& where) const {
  return values(text, 1, where).front();
}

std::vector<std::int64_t> Names::values(const std::string& text, std::size_t most, const SourceLocation& where) const {
  if (text.size() > kLongest) {
    fail_at(text, where, {}, "is longer than " + with_thousands(kLongest) + " characters", "");
  }
  const frontend::LogicalLine line{text, {{0, 1}}};
  frontend::Syntax syntax;
  std::unordered_map<std::string, std::uint32_t> name_ids;
  std::vector<std::int64_t> out;
  try {
    frontend::Scanner in(line, syntax, name_ids);
    ProblemList problems;
    frontend::Reporter reporter(syntax, problems);
    trace::ExprPool pool;
    frontend::Environment environment(syntax, reporter, pool);
    for (const auto& [name, value] : values_) {
      environment.bind_constant(name, value);
    }
    do {
      const frontend::SyntaxId expression = in.expression();
      if (std::ranges::any_of(syntax.names, [this](const std::string& name) { return refused_.contains(name); })) {
        throw InputError(std::vector<Problem>{});
      }
      const std::optional<std::int64_t> value = environment.constant(expression, "a number here");
      if (!problems.empty()) {
        const Problem& problem = problems.problems().front();
        fail_at(text, where, {problem.where.line, problem.where.column}, problem.message, problem.hint);
      }
      if (!value || !syntax.holes.empty()) {
        fail_at(text, where, {}, "is not a number", "");
      }
      out.push_back(*value);
    } while (out.size() < most && in.accept(","));
    in.expect_end();
  } catch (const frontend::LineError& error) {
    fail_at(text, where, error.place, error.message, error.hint);
  } catch (const frontend::FatalError& error) {
    fail_at(text, where, error.error.place, error.error.message, error.error.hint);
  } catch (const frontend::KernelGivenUp&) {
    fail_at(text, where, {}, "is too long", "");
  }
  return out;
}

}  // namespace gpusim::launch
