// SPDX-License-Identifier: MIT
#include "sim/code/launch/plan.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "sim/base/text.h"
#include "sim/code/array/npy.h"
#include "sim/code/launch/argument.h"
#include "sim/code/launch/buffers.h"
#include "sim/code/launch/fail.h"
#include "sim/code/launch/given.h"
#include "sim/code/launch/launch_size.h"
#include "sim/code/launch/layout.h"
#include "sim/code/launch/match.h"
#include "sim/code/launch/members.h"
#include "sim/code/launch/names.h"
#include "sim/code/launch/value_argument.h"

namespace gpusim::launch {
namespace {

using array::Element;
using Form = ArgumentText::Kind;
using TypeKind = ParameterType::Kind;

constexpr std::int64_t kNoBox = 65535;  ///< larger than any that a tensor map may have

class Planner {
 public:
  Planner(const Request& request, const FindSignature& find) : request_(request), find_(find) {}

  Plan run();

 private:
  template <class Work>
  bool attempt(const Work& work) {
    try {
      work();
      return true;
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) {
        problems_.add(problem);
      }
      return false;
    }
  }

  void add_launch(const LaunchText& text);
  void add_arguments(const LaunchText& text, const Signature& signature, Launch& launch);
  [[nodiscard]] std::vector<Given> given_of(const LaunchText& text, const Signature& signature);
  void add_members(const Given& whole, const LaunchText& text, std::vector<Given>& all);
  [[nodiscard]] Argument pointer_of(const Given& given, const Names& names);
  [[nodiscard]] std::size_t buffer_of(const Given& given, const Names& names);
  [[nodiscard]] Argument map_of(const Given& given, const Names& names);
  [[nodiscard]] bool is_reference(const Given& given, const Names& names, const std::vector<Given>& all) const;
  void add_scratch(const Signature& signature, Launch& launch);
  [[nodiscard]] IsBuffer buffers_for(const LaunchText& text) const;
  [[nodiscard]] Signature signature_for(const LaunchText& text, Signature signature);
  void add_results();

  const Request& request_;
  const FindSignature& find_;
  ProblemList problems_;
  Names names_;
  std::deque<Member> members_;  ///< members of structs by value, which arguments refer to
  Buffers buffers_;
  Plan plan_;
};

/// Whether elements of one type may be handed to a pointer to the other: of the same size and kind, or any where the
/// pointer is to bytes or to what nobody knows.
bool may_point(const ParameterType& type, Element element) {
  if (!type.element || array::bytes_of(*type.element) == 1) {
    return true;
  }
  const array::ElementInfo& to = array::info(*type.element);
  const array::ElementInfo& is = array::info(element);
  const bool both_float = to.kind == array::ElementKind::kFloat && is.kind == array::ElementKind::kFloat;
  const bool both_whole = to.kind != array::ElementKind::kFloat && is.kind != array::ElementKind::kFloat;
  return both_float ? *type.element == element : both_whole && to.bytes == is.bytes;
}

/// One that is made here, or one that is there.
std::size_t Planner::buffer_of(const Given& given, const Names& names) {
  if (given.form.kind == Form::kNumber || given.form.kind == Form::kAddress) {
    return buffers_.named(given.form.text, given.text->where);
  }
  const std::size_t buffer =
      buffers_.add(given.name, given.form, given.form.map ? nullptr : &given.parameter->type, names, given.text->where);
  buffers_.call(buffer, given.text->name);
  return buffer;
}

Argument Planner::map_of(const Given& given, const Names& names) {
  const SourceLocation& where = given.text->where;
  if (given.parameter->size != kTensorMapBytes) {
    fail(where, "parameter " + given.shown + " is not a tensor map, which has 128 bytes");
  }
  Argument out;
  out.offset = given.parameter->offset;
  out.buffer = buffer_of(given, names);
  const Buffer& buffer = buffers_[*out.buffer];
  MapShape map;
  for (const std::int64_t size : names.values(given.form.map->box, kMostDimensions, where)) {
    map.box.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(size, 0, kNoBox)));
  }
  if (map.box.size() != buffer.shape.size()) {
    fail(where,
         "the box has " + counted(map.box.size(), "dimension") + ", and buffer '" + buffer.name + "' has " +
             std::to_string(buffer.shape.size()),
         "one size for each dimension of the buffer, in its order");
  }
  const std::int64_t swizzle = names.value(given.form.map->swizzle, where);
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128) {
    fail(where, "a tensor map cannot swizzle by " + std::to_string(swizzle) + " bytes", "0, 32, 64 or 128");
  }
  map.swizzle_bytes = static_cast<std::uint8_t>(swizzle);
  out.map = std::move(map);
  return out;
}

Argument Planner::pointer_of(const Given& given, const Names& names) {
  const SourceLocation& where = given.text->where;
  if (given.parameter->size != kPointerBytes || given.parameter->type.kind == TypeKind::kNumber) {
    fail(where, "parameter " + given.shown + " is not a pointer, and '" + given.text->text + "' is a buffer",
         "a number, such as 1024");
  }
  Argument out;
  out.offset = given.parameter->offset;
  out.bytes.resize(kPointerBytes);
  out.buffer = buffer_of(given, names);
  if (given.form.kind == Form::kAddress) {
    const Buffer& buffer = buffers_[*out.buffer];
    const std::int64_t index = names.value(given.form.count, where);
    if (index < 0 || static_cast<std::uint64_t>(index) > buffer.count) {
      fail(where, "buffer '" + buffer.name + "' has no element " + std::to_string(index),
           "it has " + counted(buffer.count, "element"));
    }
    array::put_bits(out.bytes.data(), static_cast<std::uint64_t>(index) * array::bytes_of(buffer.element),
                    kPointerBytes);
  }
  const Element element = buffers_[*out.buffer].element;
  if (!may_point(given.parameter->type, element)) {
    fail(where, "parameter " + given.shown + " does not point to elements of type " + array::name_of(element),
         "expected " + array::name_of(*given.parameter->type.element));
  }
  return out;
}

/// Whether a word is the name of a buffer rather than a number.
bool Planner::is_reference(const Given& given, const Names& names, const std::vector<Given>& all) const {
  const std::string& word = given.form.text;
  if (given.form.map) {
    return true;
  }
  if (given.form.kind != Form::kNumber || given.form.element || !is_word(word) || names.has(word)) {
    return false;
  }
  return buffers_.has(word) || given.parameter->type.kind == TypeKind::kPointer ||
         std::ranges::any_of(all, [&](const Given& other) {
           return other.name == word && (other.form.kind == Form::kBuffer || other.form.kind == Form::kFile);
         });
}

std::vector<Given> Planner::given_of(const LaunchText& text, const Signature& signature) {
  const Match match = match_arguments(text, signature, request_.from_command_line, problems_);
  if (!match.note.empty() && std::ranges::find(plan_.notes, match.note) == plan_.notes.end()) {
    plan_.notes.push_back(match.note);
  }
  std::vector<Given> all;
  // In the order in which they were written, because numbers may use those before them.
  for (const NamedText& argument : text.arguments) {
    const auto place = std::ranges::find(match.arguments, &argument);
    if (place == match.arguments.end()) {
      continue;
    }
    const auto ordinal = static_cast<std::size_t>(place - match.arguments.begin());
    Given given{&argument, &signature.parameters[ordinal], parameter_text(signature, ordinal), {}, argument.name};
    if (!given.parameter->name.empty()) {
      given.name = given.parameter->name;
    }
    if (is_struct(argument.text)) {
      attempt([&] { add_members(given, text, all); });
    } else if (attempt([&] { given.form = parse_argument(argument.text, argument.where); })) {
      all.push_back(std::move(given));
    }
  }
  return all;
}

/// What is a buffer for the arguments of a launch: one that is there, or one that another argument makes. A number is
/// none, also where an argument has that position.
IsBuffer Planner::buffers_for(const LaunchText& text) const {
  return [this, &text](const std::string& word) {
    const auto makes_it = [&word](const NamedText& other) {
      return other.name == word && (other.text.find('[') != other.text.npos || other.text.ends_with(".npy"));
    };
    return is_word(word) && (buffers_.has(word) || std::ranges::any_of(text.arguments, makes_it));
  };
}

/// Each member of a struct by value is handed on as a parameter would be.
void Planner::add_members(const Given& whole, const LaunchText& text, std::vector<Given>& all) {
  for (Member& member : members_of(*whole.text, *whole.parameter, buffers_for(text))) {
    members_.push_back(std::move(member));
    const Member& kept = members_.back();
    all.push_back({&kept.text, &kept.parameter, kept.text.name + " of " + whole.shown, kept.form, kept.text.name});
  }
}

void Planner::add_arguments(const LaunchText& text, const Signature& signature, Launch& launch) {
  const std::vector<Given> all = given_of(text, signature);
  Names names = names_;
  std::vector<const Given*> buffers;
  std::vector<const Given*> references;
  for (const Given& given : all) {
    const Form form = given.form.kind;
    if (form == Form::kBuffer || form == Form::kFile) {
      buffers.push_back(&given);
    } else if (form == Form::kAddress || is_reference(given, names, all)) {
      references.push_back(&given);
    } else {
      const bool is_right = attempt([&] {
        launch.arguments.push_back(form == Form::kBytes ? bytes_argument(given) : number_argument(given, names));
      });
      if (!is_right) {
        names.refuse(given.name);
        names.refuse(given.text->name);
      }
    }
  }
  for (const std::vector<const Given*>* const pointers : {&buffers, &references}) {
    for (const Given* const given : *pointers) {
      attempt([&] { launch.arguments.push_back(given->form.map ? map_of(*given, names) : pointer_of(*given, names)); });
    }
  }
  if (attempt([&] { set_sizes(text, signature, names, request_.from_command_line, launch); })) {
    add_scratch(signature, launch);
  }
}

/// Memory that the compiler wants a CTA to have, behind hidden pointers.
void Planner::add_scratch(const Signature& signature, Launch& launch) {
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.scratch_bytes != 0) {
      Argument argument;
      argument.offset = parameter.offset;
      argument.bytes.resize(kPointerBytes);
      argument.buffer = buffers_.add_scratch(launch.grid.volume() * parameter.scratch_bytes);
      launch.arguments.push_back(std::move(argument));
    }
  }
}

/// What a listing does not say of a kernel, the launch has to say.
Signature Planner::signature_for(const LaunchText& text, Signature signature) {
  if (signature.unknown_shared_bytes && !text.shared) {
    fail(text.where,
         signature.file + " does not say how much shared memory kernel '" + signature.kernel + "' has, which it uses",
         std::string(request_.from_command_line ? "add --shared BYTES" : "add  shared: BYTES") +
             ", or print the listing with cuobjdump -sass -res-usage");
  }
  LaidOut laid = laid_out(std::move(signature), text, buffers_for(text), request_.from_command_line);
  if (!laid.note.empty()) {
    plan_.notes.push_back(std::move(laid.note));
  }
  return std::move(laid.signature);
}

void Planner::add_launch(const LaunchText& text) {
  attempt([&] {
    Launch launch;
    launch.kernel = text.kernel ? text.kernel->text : "";
    const Signature signature = signature_for(text, find_(launch.kernel));
    launch.parameter_bytes = signature.parameter_bytes;
    add_arguments(text, signature, launch);
    plan_.launches.push_back(std::move(launch));
  });
}

void Planner::add_results() {
  for (const NamedText& output : request_.outputs) {
    attempt([&] { plan_.outputs.push_back({buffers_.named(output.name, output.where), output.text}); });
  }
  for (const ExpectationText& text : request_.expectations) {
    attempt([&] {
      Expectation out{buffers_.named(text.name, text.where), array::parse_fill(text.text, text.where),
                      text.tolerance.value_or(request_.tolerance), text.where};
      if (out.fill.kind == array::Fill::Kind::kFile) {
        const std::uint64_t count = array::NpyFile(out.fill.file).header().count;
        const Buffer& buffer = buffers_[out.buffer];
        if (count != buffer.count) {
          fail(text.where, out.fill.file + " has " + counted(count, "element") + ", and buffer '" + buffer.name +
                               "' has " + with_thousands(buffer.count));
        }
      }
      plan_.expectations.push_back(std::move(out));
    });
  }
}

Plan Planner::run() {
  for (const NamedText& parameter : request_.parameters) {
    const bool is_right = attempt([&] {
      plan_.parameters.push_back({parameter.name, names_.value(parameter.text, parameter.where)});
      names_.set(parameter.name, plan_.parameters.back().value);
    });
    if (!is_right) {
      names_.refuse(parameter.name);
    }
  }
  for (const NamedText& buffer : request_.buffers) {
    attempt([&] {
      const ArgumentText form = parse_argument(buffer.text, buffer.where);
      if (form.kind != Form::kBuffer && form.kind != Form::kFile) {
        fail(buffer.where, "'" + buffer.text + "' is not a buffer", "such as f32[1024]:random or x.npy");
      }
      buffers_.add(buffer.name, form, nullptr, names_, buffer.where);
    });
  }
  for (const LaunchText& launch : request_.launches) {
    add_launch(launch);
  }
  if (problems_.empty()) {
    add_results();
  }
  problems_.throw_if_any();
  plan_.buffers = buffers_.take();
  return std::move(plan_);
}

}  // namespace

Plan make_plan(const Request& request, const FindSignature& find) {
  return Planner(request, find).run();
}

std::string parameters_of(const Launch& launch, std::span<const Address> addresses) {
  std::string bytes(launch.parameter_bytes, '\0');
  for (const Argument& argument : launch.arguments) {
    std::string value = argument.bytes;
    if (argument.buffer && !argument.map) {
      const std::uint64_t offset = array::bits_at(value.data(), kPointerBytes);
      array::put_bits(value.data(), addresses[*argument.buffer] + offset, kPointerBytes);
    }
    bytes.replace(argument.offset, value.size(), value);
  }
  return bytes;
}

}  // namespace gpusim::launch
