// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/where.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/text.h"
#include "sim/commands/sweep/formula/quantity.h"
#include "sim/commands/sweep/study/domain.h"
#include "sim/commands/sweep/study/key_book.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/overrides.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/value.h"

namespace gpusim::sweep {
namespace {

using arch::Unit;
using Op = Formula::Op;

/// What a number counts, as powers. Counts, cycles, bits and percent have none: they mix as people mix them.
struct Dimension {
  int bytes = 0;
  int nanoseconds = 0;
  int hertz = 0;  ///< a second's: B/s is bytes and hertz
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

Dimension dimension_of(Unit unit) {
  switch (unit) {
    case Unit::kBytes:
    case Unit::kBytesPerCycle: return {1, 0, 0};
    case Unit::kNanoseconds:
    case Unit::kTiming: return {0, 1, 0};
    case Unit::kHertz: return {0, 0, 1};
    case Unit::kBytesPerSecond: return {1, 0, 1};
    default: return {};
  }
}

Dimension dimension_of(std::string_view unit_word) {
  for (const Unit unit :
       {Unit::kBytes, Unit::kBytesPerCycle, Unit::kNanoseconds, Unit::kHertz, Unit::kBytesPerSecond}) {
    const std::vector<std::string_view> words = arch::unit_words(unit);
    if (std::ranges::find(words, unit_word) != words.end()) {
      return dimension_of(unit);
    }
  }
  return unit_word.ends_with("OP/s") ? dimension_of(Unit::kHertz) : Dimension();
}

Dimension scaled(const Dimension& a, int sign, const Dimension& b) {
  return {a.bytes + sign * b.bytes, a.nanoseconds + sign * b.nanoseconds, a.hertz + sign * b.hertz};
}

std::string power(std::string_view word, int exponent) {
  return exponent == 1 ? std::string(word) : std::string(word) + "^" + std::to_string(exponent);
}

std::string to_text(const Dimension& dimension) {
  std::string text;
  const auto add = [&text](std::string_view word, int exponent) {
    if (exponent != 0) {
      text += (text.empty() ? "" : " x ") + power(word, exponent);
    }
  };
  add("bytes", dimension.bytes);
  add("ns", dimension.nanoseconds);
  add("1/s", dimension.hertz);
  return text.empty() ? "plain numbers" : text;
}

/// Where one side has a unit and the other none. `prefix` is that of keys of architectures.
std::string units_hint(const Dimension& dimension, std::string_view prefix) {
  static constexpr std::array<std::pair<Dimension, const char*>, 4> kExamples{
      {{{1, 0, 0}, "l2.bytes <= 50 MiB"},
       {{0, 1, 0}, "dram.timing.RAS <= 30 ns"},
       {{0, 0, 1}, "clocks.sm <= 1.5 GHz"},
       {{1, 0, 1}, "dram.bandwidth <= 4 TB/s"}}};
  const auto* const found = std::ranges::find(kExamples, dimension, &std::pair<Dimension, const char*>::first);
  return std::string("units on both sides") +
         (found == kExamples.end() ? "" : ", such as " + std::string(prefix) + found->second);
}

/// Follows a formula's steps with what they count instead of with numbers.
class UnitChecker {
 public:
  UnitChecker(const Formula& formula, std::span<const Domain> names, std::string_view prefix)
      : formula_(formula), names_(names), prefix_(prefix) {}

  /// What is wrong; empty when nothing is.
  std::string check() {
    for (const Formula::Step& step : formula_.steps()) {
      if (std::string error = follow(step); !error.empty()) {
        return error + ", at character " + std::to_string(step.at + 1);
      }
    }
    return {};
  }

  /// What to do about it.
  [[nodiscard]] std::string hint() const { return hint_; }

 private:
  Dimension pop() {
    const Dimension top = stack_.back();
    stack_.pop_back();
    return top;
  }

  std::string follow(const Formula::Step& step) {
    switch (step.op) {
      case Op::kNumber: stack_.push_back(step.unit == nullptr ? Dimension() : dimension_of(step.unit->word)); return {};
      case Op::kName: stack_.push_back(dimension_of(names_[step.name].unit())); return {};
      case Op::kNegate:
      case Op::kNot: return {};
      default: return join(step.op);
    }
  }

  std::string join(Op op) {
    const Dimension b = pop();
    const Dimension a = pop();
    if (op == Op::kMultiply || op == Op::kDivide) {
      stack_.push_back(scaled(a, op == Op::kMultiply ? 1 : -1, b));
      return {};
    }
    const bool is_sum = op == Op::kAdd || op == Op::kSubtract;
    stack_.push_back(is_sum ? a : Dimension());
    hint_ =
        a == Dimension() || b == Dimension() ? units_hint(a == Dimension() ? b : a, prefix_) : "both sides in one unit";
    return a == b ? std::string() : to_text(a) + (is_sum ? " are joined with " : " are compared with ") + to_text(b);
  }

  const Formula& formula_;
  std::span<const Domain> names_;
  std::string_view prefix_;
  std::vector<Dimension> stack_;
  std::string hint_;  ///< hint for what was joined last
};

/// The character, from 1, at which a name first occurs.
std::size_t first_place(const Formula& formula, std::size_t name) {
  const auto is_it = [name](const Formula::Step& step) { return step.op == Op::kName && step.name == name; };
  return std::ranges::find_if(formula.steps(), is_it)->at + 1;
}

/// The keys that the names are; what is not a key with numbers is added to `problems`.
std::vector<Domain> domains_of(const Formula& formula, const Study& study, const SourceLocation& where,
                               ProblemList& problems) {
  std::vector<Domain> all;
  for (std::size_t i = 0; i < formula.names().size(); ++i) {
    const std::string& name = formula.names()[i];
    const std::string place = ", at character " + std::to_string(first_place(formula, i));
    const std::optional<Domain> domain = Domain::of(name, study);
    if (!domain) {
      problems.add({where, "unknown key " + arch::in_quotes(name) + place,
                    study.keys == nullptr ? arch::suggest_key(name) : study.keys->suggest(name)});
    } else if (!domain->is_numeric() && !domain->is_parameter()) {
      problems.add({where, "'" + name + "' has no number to compare" + place, ""});
    } else {
      all.push_back(*domain);
    }
  }
  return all;
}

/// The number of a text in its base unit.
double number_of(const Domain& domain, std::string_view text, std::uint64_t dram_command_hz) {
  const ParsedNumber parsed = domain.parse(text);
  if (!parsed.error.empty()) {
    throw InputError({{"--where", 0, 0}, arch::in_quotes(domain.key()) + ": " + parsed.error, parsed.hint});
  }
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const Exact& value = parsed.number.value;
  const auto command_hz = static_cast<std::int64_t>(dram_command_hz);
  return parsed.number.word == "clocks" ? (value * Exact::of(kNsPerSecond, command_hz)).value() : value.value();
}

double value_of(const Domain& domain, const arch::Resolved& arch, const Parameters& parameters) {
  if (domain.is_parameter()) {
    const auto found = std::ranges::find(parameters, domain.parameter(), &Parameter::name);
    if (found == parameters.end()) {
      throw InputError({{"--where", 0, 0}, "the trace has no parameter " + arch::in_quotes(domain.parameter()), ""});
    }
    return static_cast<double>(found->value);
  }
  if (domain.is_bandwidth()) {
    return dram_bandwidth(arch.arch).value();
  }
  const arch::Entry* const entry = arch.sheet.find(domain.key());
  if (entry == nullptr) {
    throw InputError({{"--where", 0, 0}, arch::in_quotes(arch.arch.name) + " has no '" + domain.key() + "'", ""});
  }
  return number_of(domain, entry->text, arch.arch.dram.command_hz);
}

}  // namespace

Condition::Condition(Formula formula, std::vector<Domain> domains)
    : formula_(std::move(formula)), domains_(std::move(domains)) {}

bool Condition::holds(const arch::Resolved& arch, const Parameters& parameters) const {
  std::vector<double> values;
  for (const Domain& domain : domains_) {
    values.push_back(value_of(domain, arch, parameters));
  }
  return formula_.holds(values);
}

bool Condition::holds(const StepValues& step) const {
  std::vector<double> values;
  for (const Domain& domain : domains_) {
    const std::string text = step.text(domain.key());
    if (text.empty()) {
      throw InputError({{"--where", 0, 0}, arch::in_quotes(domain.key()) + " has no value here", "set or vary it"});
    }
    values.push_back(number_of(domain, text, step.dram_command_hz));
  }
  return formula_.holds(values);
}

std::vector<std::string> Condition::parameters() const {
  std::vector<std::string> names;
  for (const std::string& name : formula_.names()) {
    if (name.starts_with(kParamPrefix)) {
      names.push_back(name.substr(kParamPrefix.size()));
    }
  }
  return names;
}

std::optional<Condition> parse_condition(std::string_view text, const Study& study, const SourceLocation& where,
                                         ProblemList& problems) {
  try {
    Formula formula = Formula::condition("", text);
    ProblemList mine;
    std::vector<Domain> names = domains_of(formula, study, where, mine);
    if (mine.empty()) {
      UnitChecker units(formula, names, study.keys == nullptr ? "" : study.keys->arch_prefix());
      if (std::string error = units.check(); !error.empty()) {
        mine.add({where, arch::in_quotes(text) + ": " + error, units.hint()});
      }
    }
    for (const Problem& problem : mine.problems()) {
      problems.add(problem);
    }
    return mine.empty() ? std::optional(Condition(std::move(formula), std::move(names))) : std::nullopt;
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      problem.where = where;
      problems.add(std::move(problem));
    }
    return std::nullopt;
  }
}

std::vector<Condition> conditions(const Study& study) {
  ProblemList problems;
  std::vector<Condition> all;
  for (const std::string& text : study.where) {
    if (std::optional<Condition> condition = parse_condition(text, study, on_command_line("where", text), problems)) {
      all.push_back(std::move(*condition));
    }
  }
  problems.throw_if_any();
  return all;
}

}  // namespace gpusim::sweep
