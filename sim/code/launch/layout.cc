// SPDX-License-Identifier: MIT
#include "sim/code/launch/layout.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/array/npy.h"
#include "sim/code/launch/fail.h"
#include "sim/code/launch/members.h"
#include "sim/code/launch/plan.h"

namespace gpusim::launch {
namespace {

using cubin::ParameterRead;
using Form = ArgumentText::Kind;
using TypeKind = ParameterType::Kind;

constexpr std::uint32_t kMapAlignment = 64;  // alignas of CUtensorMap
constexpr std::uint32_t kNumberBytes = 4;
constexpr std::uint32_t kWideBytes = 8;
constexpr std::uint32_t kMostParameterBytes = 4096;
/// More parameters than bytes cannot be.
constexpr std::size_t kMostParameters = kMostParameterBytes;

/// A parameter before it has a place.
struct Wanted {
  Layout layout;
  bool may_be_wide = false;  ///< a number without a type, which has 8 bytes where the code reads so many
};

std::uint32_t end_of(const std::vector<Parameter>& parameters) {
  return parameters.empty() ? 0 : parameters.back().offset + parameters.back().size;
}

/// Whether a number behind `end` seems to have 8 bytes: the code reads so many, and not one half of them alone.
bool reads_wide(std::span<const ParameterRead> reads, std::uint32_t end) {
  const std::uint32_t at = aligned(end, kWideBytes);
  const auto begins = [&](std::uint32_t offset, bool wide) {
    return std::ranges::any_of(
        reads, [&](const ParameterRead& read) { return read.offset == offset && (read.size >= kWideBytes) == wide; });
  };
  const std::uint32_t before = aligned(end, kNumberBytes);
  return begins(at, true) && !begins(at, false) && !begins(at + kNumberBytes, false) &&
         (before == at || !begins(before, false));
}

/// One behind the other, aligned as addresses in the constant bank. `widens`: numbers without a type have 8 bytes where
/// the code reads so many.
std::vector<Parameter> placed(std::vector<Parameter> parameters, const std::vector<Wanted>& wanted, bool widens,
                              const cubin::UnknownParameters& unknown) {
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Layout layout = wanted[i].layout;
    if (widens && wanted[i].may_be_wide && reads_wide(unknown.reads, end)) {
      layout = {kWideBytes, kWideBytes};
    }
    parameters[i].offset = aligned(unknown.base + end, layout.alignment) - unknown.base;
    parameters[i].size = layout.size;
    end = parameters[i].offset + layout.size;
  }
  return parameters;
}

/// A small parameter is read as a whole word.
bool covers(const std::vector<Parameter>& parameters, std::uint32_t byte) {
  return std::ranges::any_of(parameters, [byte](const Parameter& parameter) {
    return byte >= parameter.offset && byte < aligned(parameter.offset + parameter.size, kNumberBytes);
  });
}

/// What is read and no parameter has; what overlaps is one read.
std::vector<ParameterRead> uncovered(const std::vector<Parameter>& parameters, std::span<const ParameterRead> reads) {
  std::vector<ParameterRead> missing;
  for (const ParameterRead& read : reads) {
    std::uint32_t begin = read.offset;
    const std::uint32_t end = read.offset + read.size;
    while (begin < end && covers(parameters, begin)) {
      ++begin;
    }
    if (begin == end) {
      continue;
    }
    if (!missing.empty() && missing.back().offset + missing.back().size > begin) {
      missing.back().size = std::max(missing.back().size, end - missing.back().offset);
    } else {
      missing.push_back({begin, end - begin});
    }
  }
  return missing;
}

/// Parameters that the code reads as they are: how well a layout explains the code.
std::size_t explained(const std::vector<Parameter>& parameters, std::span<const ParameterRead> reads) {
  return static_cast<std::size_t>(std::ranges::count_if(parameters, [&](const Parameter& parameter) {
    return std::ranges::any_of(reads, [&](const ParameterRead& read) {
      const bool same = read.offset == parameter.offset && read.size == parameter.size;
      const bool part = read.offset < parameter.offset + parameter.size && parameter.offset < read.offset + read.size;
      return parameter.size == kPointerBytes ? same : part;
    });
  }));
}

std::string range_text(const ParameterRead& read) {
  return std::to_string(read.offset) + " to " + std::to_string(read.offset + read.size - 1);
}

class LayoutMaker {
 public:
  LayoutMaker(Signature& signature, const LaunchText& launch, const IsBuffer& is_buffer, bool from_command_line)
      : signature_(signature),
        launch_(launch),
        is_buffer_(is_buffer),
        from_command_line_(from_command_line),
        unknown_(*signature.unknown),
        is_open_(signature.parameters.empty()) {}

  /// Returns a note; "" where types alone decided.
  std::string run() {
    std::vector<Parameter> parameters = signature_.parameters;
    const std::vector<const NamedText*> arguments = arguments_by_ordinal(parameters);
    std::vector<Wanted> wanted;
    bool by_arguments = false;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      by_arguments = by_arguments || parameters[i].size == 0;
      wanted.push_back(wanted_of(parameters[i], arguments[i], i));
    }
    const std::vector<Parameter> narrow = placed(parameters, wanted, false, unknown_);
    const std::vector<Parameter> wide = placed(std::move(parameters), wanted, true, unknown_);
    signature_.parameters =
        fits(narrow) && (!fits(wide) || explained(narrow, unknown_.reads) >= explained(wide, unknown_.reads)) ? narrow
                                                                                                              : wide;
    require_fit();
    signature_.parameter_bytes = unknown_.all_bytes.value_or(end_of(signature_.parameters));
    return by_arguments ? note() : "";
  }

 private:
  /// By position, by name where names are known, else in the order given; `parameters` grows with them where nothing is
  /// known of them. What has no parameter is left to match_arguments().
  std::vector<const NamedText*> arguments_by_ordinal(std::vector<Parameter>& parameters) const {
    std::vector<const NamedText*> arguments(parameters.size());
    const auto put = [&](std::size_t ordinal, const NamedText& argument) {
      if (ordinal >= arguments.size() && is_open_ && ordinal < kMostParameters) {
        arguments.resize(ordinal + 1);
      }
      if (ordinal < arguments.size()) {
        arguments[ordinal] = &argument;
      }
    };
    for (const NamedText& argument : launch_.arguments) {
      if (const auto ordinal = parse_unsigned(argument.name)) {
        put(static_cast<std::size_t>(std::min<std::uint64_t>(*ordinal, kMostParameters)), argument);
      }
    }
    std::size_t next = 0;
    for (const NamedText& argument : launch_.arguments) {
      if (parse_unsigned(argument.name)) {
        continue;
      }
      if (!signature_.names_from.empty()) {
        const auto found = std::ranges::find(parameters, argument.name, &Parameter::name);
        put(static_cast<std::size_t>(found - parameters.begin()), argument);
        continue;
      }
      while (next < arguments.size() && arguments[next] != nullptr) {
        ++next;
      }
      put(next, argument);
    }
    parameters.resize(arguments.size());
    return arguments;
  }

  Wanted wanted_of(const Parameter& parameter, const NamedText* argument, std::size_t ordinal) const {
    if (parameter.size != 0) {
      return {{parameter.size, parameter.size}, false};
    }
    if (argument == nullptr) {
      const std::string name = parameter.name.empty() ? std::to_string(ordinal) : parameter.name;
      fail(launch_.where,
           "parameter " + name + " of kernel '" + signature_.kernel + "' has no value, and " + signature_.file +
               " does not say its size",
           add_text(name, "f32[COUNT]:random") + ", or a number of its type, such as i32:1024");
    }
    if (is_struct(argument->text)) {
      return {layout_of_struct(*argument, is_buffer_), false};
    }
    const ArgumentText form = parse_argument(argument->text, argument->where);
    Layout layout = layout_of(form, is_buffer_(form.text));
    if (form.kind == Form::kBytes) {
      layout = layout_of_bytes(form);
    }
    if (layout.size > kMostParameterBytes) {
      fail(argument->where, "an argument of " + counted(layout.size, "byte") + " is too large",
           "a launch has at most " + with_thousands(kMostParameterBytes) + " bytes of parameters");
    }
    return {layout, form.kind == Form::kNumber && !form.element && layout.size == kNumberBytes};
  }

  /// Nothing says how a struct is aligned that is given as bytes: as far as its size is a multiple.
  static Layout layout_of_bytes(const ArgumentText& form) {
    const std::uint64_t bytes = form.fill.file.empty() ? form.text.size() : array::NpyFile(form.fill.file).bytes();
    Layout layout{static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, kMostParameterBytes + 1)), 1};
    while (layout.alignment < kWideBytes && layout.size % (2 * layout.alignment) == 0) {
      layout.alignment *= 2;
    }
    return layout;
  }

  bool fits(const std::vector<Parameter>& parameters) const {
    const std::uint32_t end = end_of(parameters);
    const std::uint32_t all = unknown_.all_bytes.value_or(end);
    return end <= all && aligned(end, kNumberBytes) >= all && uncovered(parameters, unknown_.reads).empty();
  }

  [[nodiscard]] std::string add_text(const std::string& name, const std::string& value) const {
    return from_command_line_ ? "add --arg '" + name + "=" + value + "'" : "add to 'args:'  " + name + ": " + value;
  }

  void require_fit() const {
    const std::vector<Parameter>& parameters = signature_.parameters;
    const std::uint32_t end = end_of(parameters);
    const std::uint32_t all = std::min(unknown_.all_bytes.value_or(kMostParameterBytes), kMostParameterBytes);
    const std::string kernel = "kernel '" + signature_.kernel + "'";
    if (end > all) {
      fail(launch_.where,
           "the arguments have " + counted(end, "byte") + ", and " + kernel + " takes " + std::to_string(all),
           "leave out what is too much, or write types that fit: i32:5, f16:1");
    }
    std::vector<ParameterRead> missing = uncovered(parameters, unknown_.reads);
    if (!missing.empty() && missing.front().offset < end) {
      fail(launch_.where,
           kernel + " reads bytes " + range_text(missing.front()) +
               " of its parameters, which lie between two arguments",
           "one is missing, or has another type: a number without a type has 4 bytes (i64:5 has 8)");
    }
    if (missing.empty() && unknown_.all_bytes && aligned(end, kNumberBytes) < all) {
      missing.push_back({aligned(end, kNumberBytes), all - aligned(end, kNumberBytes)});
    }
    if (!missing.empty()) {
      fail_missing(missing);
    }
  }

  [[noreturn]] void fail_missing(const std::vector<ParameterRead>& missing) const {
    if (!is_open_) {
      fail(launch_.where,
           "kernel '" + signature_.kernel + "' reads bytes " + range_text(missing.front()) +
               " of its parameters, behind the last one",
           "a struct by value is larger than what was given for it");
    }
    constexpr std::size_t kMostShown = 16;
    std::string ranges;
    std::string options;
    std::size_t ordinal = signature_.parameters.size();
    for (const ParameterRead& read : std::span(missing).first(std::min(missing.size(), kMostShown))) {
      ranges += (ranges.empty() ? "" : ", ") + range_text(read);
      const std::string value = read.size % kPointerBytes == 0 ? "f32[COUNT]:random" : "1024";
      options += from_command_line_
                     ? " --arg '" + std::to_string(ordinal) + "=" + value + "'"
                     : (options.empty() ? " to 'args:'  " : ", ") + std::to_string(ordinal) + ": " + value;
      ++ordinal;
    }
    ranges += missing.size() > kMostShown ? ", ..." : "";
    fail(launch_.where,
         "kernel '" + signature_.kernel + "' reads bytes " + ranges + " of its parameters, and no argument lies there",
         "add" + options);
  }

  [[nodiscard]] std::string note() const {
    std::string places;
    for (std::size_t i = 0; i < signature_.parameters.size(); ++i) {
      const Parameter& parameter = signature_.parameters[i];
      places += (places.empty() ? "" : ", ") + (parameter.name.empty() ? std::to_string(i) : parameter.name) + " has " +
                counted(parameter.size, "byte") + " at " + std::to_string(parameter.offset);
    }
    return signature_.file + " does not say where the parameters of '" + signature_.kernel +
           "' lie; they were laid out by the types of the arguments: " + places;
  }

  Signature& signature_;
  const LaunchText& launch_;
  const IsBuffer& is_buffer_;
  bool from_command_line_;
  const cubin::UnknownParameters& unknown_;
  bool is_open_;  ///< nothing is known of parameters: there are as many as arguments
};

}  // namespace

Layout layout_of(const ArgumentText& form, bool is_pointer) {
  if (form.map) {
    return {kTensorMapBytes, kMapAlignment};
  }
  if (form.kind == Form::kBytes) {
    return {static_cast<std::uint32_t>(form.text.size()), 1};
  }
  const std::uint32_t number = form.element ? static_cast<std::uint32_t>(array::bytes_of(*form.element)) : kNumberBytes;
  const std::uint32_t size = form.kind != Form::kNumber || is_pointer ? kPointerBytes : number;
  return {size, size};
}

std::uint32_t aligned(std::uint32_t offset, std::uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

LaidOut laid_out(Signature signature, const LaunchText& launch, const IsBuffer& is_buffer, bool from_command_line) {
  LaidOut out;
  if (signature.unknown) {
    out.note = LayoutMaker(signature, launch, is_buffer, from_command_line).run();
    signature.unknown.reset();
  }
  out.signature = std::move(signature);
  return out;
}

bool take_layout(Signature& signature, const std::vector<NamedType>& named, const std::string& from) {
  std::vector<Parameter> parameters;
  bool is_known = true;
  for (const NamedType& one : named) {
    Parameter parameter;
    parameter.name = one.name;
    parameter.type = one.type;
    parameter.size = one.type.kind == TypeKind::kPointer ? kPointerBytes
                     : one.type.kind == TypeKind::kNumber
                         ? static_cast<std::uint32_t>(array::bytes_of(*one.type.element))
                         : 0;
    is_known = is_known && parameter.size != 0;
    parameters.push_back(std::move(parameter));
  }
  if (named.empty() && signature.unknown->reads.empty()) {
    signature.unknown.reset();  // there are no parameters
    signature.parameter_bytes = 0;
    return true;
  }
  if (is_known) {
    std::vector<Wanted> wanted;
    for (const Parameter& parameter : parameters) {
      wanted.push_back({{parameter.size, parameter.size}, false});
    }
    const std::vector<Parameter> all = placed(parameters, wanted, false, *signature.unknown);
    const std::uint32_t bytes = signature.unknown->all_bytes.value_or(end_of(all));
    if (!uncovered(all, signature.unknown->reads).empty() || end_of(all) > bytes) {
      return false;
    }
  }
  const bool has_names =
      !named.empty() && std::ranges::none_of(named, [](const NamedType& one) { return one.name.empty(); });
  signature.parameters = std::move(parameters);
  signature.names_from = has_names ? from : "";
  return true;
}

}  // namespace gpusim::launch
