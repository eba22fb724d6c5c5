// SPDX-License-Identifier: MIT
#include "sim/code/launch/match.h"

#include <algorithm>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/text.h"

namespace gpusim::launch {
namespace {

class Matcher {
 public:
  Matcher(const LaunchText& launch, const Signature& signature, bool from_command_line, ProblemList& problems)
      : launch_(launch), signature_(signature), from_command_line_(from_command_line), problems_(problems) {
    match_.arguments.resize(signature.parameters.size());
  }

  Match run() {
    take_numbered();
    if (signature_.names_from.empty()) {
      take_in_order();
    } else {
      take_named();
    }
    if (!has_stray_) {
      report_missing();
    }
    return std::move(match_);
  }

 private:
  [[nodiscard]] std::string kernel() const { return "kernel '" + signature_.kernel + "'"; }

  void put(std::size_t ordinal, const NamedText& argument) {
    const NamedText*& place = match_.arguments[ordinal];
    if (place != nullptr) {
      problems_.add({argument.where, "parameter " + parameter_text(signature_, ordinal) + " is given twice",
                     "once as '" + place->name + "', and as '" + argument.name + "'"});
    }
    place = &argument;
  }

  void stray(const NamedText& argument, const std::string& message, const std::string& hint) {
    has_stray_ = true;
    problems_.add({argument.where, message, hint});
  }

  [[nodiscard]] std::string last_text() const {
    const std::size_t count = visible_parameters(signature_);
    return count == 0 ? kernel() + " has no parameters" : "its parameters are 0 to " + std::to_string(count - 1);
  }

  void take_numbered() {
    for (const NamedText& argument : launch_.arguments) {
      const std::optional<std::uint64_t> ordinal = parse_unsigned(argument.name);
      if (ordinal && *ordinal >= signature_.parameters.size()) {
        stray(argument, kernel() + " has no parameter " + argument.name, last_text());
      } else if (ordinal) {
        put(*ordinal, argument);
      }
    }
  }

  void take_named() {
    std::vector<std::string_view> known;
    for (const Parameter& parameter : signature_.parameters) {
      if (!parameter.is_hidden) {
        known.push_back(parameter.name);
      }
    }
    for (const NamedText& argument : launch_.arguments) {
      const auto found = std::ranges::find(known, argument.name);
      if (found != known.end()) {
        put(static_cast<std::size_t>(found - known.begin()), argument);
      } else if (!parse_unsigned(argument.name)) {
        stray(argument, kernel() + " has no parameter '" + argument.name + "'", suggestion(argument.name, known));
      }
    }
  }

  void take_in_order() {
    std::size_t next = 0;
    std::string taken;
    for (const NamedText& argument : launch_.arguments) {
      if (parse_unsigned(argument.name)) {
        continue;
      }
      while (next < match_.arguments.size() && match_.arguments[next] != nullptr) {
        ++next;
      }
      if (next == match_.arguments.size() || signature_.parameters[next].is_hidden) {
        stray(argument, kernel() + " has no parameter left for '" + argument.name + "'", last_text());
        continue;
      }
      put(next, argument);
      taken += (taken.empty() ? "" : ", ") + argument.name + " is " + parameter_text(signature_, next);
    }
    if (!taken.empty()) {
      match_.note = signature_.file + " has no names of parameters; the arguments of '" + signature_.kernel +
                    "' were taken in the order given: " + taken;
    }
  }

  /// On the command line all in one message, whose options can be copied; in a file, each on a line.
  void report_missing() {
    std::string missing;
    std::string options;
    std::size_t count = 0;
    for (std::size_t i = 0; i < match_.arguments.size(); ++i) {
      if (match_.arguments[i] != nullptr || signature_.parameters[i].is_hidden) {
        continue;
      }
      const auto [name, value] = example_of(signature_, i);
      if (!from_command_line_) {
        problems_.add({launch_.where,
                       "parameter " + parameter_text(signature_, i) + " of " + kernel() + " has no value",
                       "add to 'args:'  " + name + ": " + value});
        continue;
      }
      missing += (++count == 1 ? "" : ", ") + parameter_text(signature_, i);
      options += " --arg '" + name + "=" + value + "'";
    }
    if (count != 0) {
      problems_.add({launch_.where,
                     (count == 1 ? "parameter " : "parameters ") + missing + " of " + kernel() +
                         (count == 1 ? " has no value" : " have no values"),
                     "add" + options});
    }
  }

  const LaunchText& launch_;
  const Signature& signature_;
  bool from_command_line_;
  ProblemList& problems_;
  Match match_;
  bool has_stray_ = false;
};

}  // namespace

Match match_arguments(const LaunchText& launch, const Signature& signature, bool from_command_line,
                      ProblemList& problems) {
  return Matcher(launch, signature, from_command_line, problems).run();
}

}  // namespace gpusim::launch
