// SPDX-License-Identifier: MIT
#include "sim/code/launch/members.h"

#include <algorithm>

#include "sim/base/text.h"
#include "sim/base/trimmed.h"
#include "sim/code/launch/plan.h"
#include "sim/code/launch/split.h"

namespace gpusim::launch {
namespace {

using Form = ArgumentText::Kind;

/// "name=value", and a value alone. The '=' of a comparison or within brackets is none of them.
NamedText named(std::string_view part, const NamedText& argument, std::size_t ordinal) {
  const std::size_t equals = part.find('=');
  const std::string_view name = trimmed(part.substr(0, equals == part.npos ? 0 : equals));
  const bool has_name = is_argument_name(std::string(name)) && part.substr(equals, 2) != "==";
  return {has_name ? std::string(name) : argument.name + "." + std::to_string(ordinal),
          std::string(trimmed(has_name ? part.substr(equals + 1) : part)), argument.where};
}

/// The members of a struct that begins at `begin`, and the size of the whole.
std::vector<Member> members_from(const NamedText& argument, std::uint32_t begin, const IsBuffer& is_buffer,
                                 Layout& whole) {
  const std::string_view text = trimmed(argument.text);
  if (!text.ends_with('}')) {
    throw InputError({argument.where, "the '{' of '" + printable(clipped(text, 60)) + "' is not closed",
                      "such as {f32[n]:random, nullptr, 1024, f32:0.5}"});
  }
  std::vector<Member> members;
  const auto is_made_here = [&members](const std::string& word) {
    return std::ranges::any_of(members, [&](const Member& member) {
      return member.text.name == word && (member.form.kind == Form::kBuffer || member.form.kind == Form::kFile);
    });
  };
  for (const std::string_view part : split_outside_brackets(text.substr(1, text.size() - 2))) {
    Member member{named(part, argument, members.size()), {}, {}};
    member.form = parse_argument(member.text.text, argument.where);
    const std::string& word = member.form.text;
    const bool is_pointer =
        member.form.kind == Form::kNumber && !member.form.element && (is_buffer(word) || is_made_here(word));
    const Layout layout = layout_of(member.form, is_pointer);
    const std::uint32_t offset = aligned(whole.size, layout.alignment);
    member.parameter.offset = begin + offset;
    member.parameter.size = layout.size;
    if (is_pointer) {
      member.parameter.type.kind = ParameterType::Kind::kPointer;
    }
    whole.size = offset + layout.size;
    whole.alignment = std::max(whole.alignment, layout.alignment);
    members.push_back(std::move(member));
  }
  whole.size = aligned(whole.size, whole.alignment);
  return members;
}

}  // namespace

bool is_struct(std::string_view text) {
  return trimmed(text).starts_with('{');
}

Layout layout_of_struct(const NamedText& argument, const IsBuffer& is_buffer) {
  Layout whole;
  static_cast<void>(members_from(argument, 0, is_buffer, whole));
  return whole;
}

std::vector<Member> members_of(const NamedText& argument, const Parameter& parameter, const IsBuffer& is_buffer) {
  Layout whole;
  std::vector<Member> members = members_from(argument, parameter.offset, is_buffer, whole);
  if (whole.size != parameter.size) {
    throw InputError({argument.where,
                      "the members of '" + argument.name + "' have " + counted(whole.size, "byte") +
                          ", and the parameter has " + std::to_string(parameter.size),
                      "one value for each member, in its order; a number without a type has 4 bytes (i64:5 has 8)"});
  }
  return members;
}

}  // namespace gpusim::launch
