// SPDX-License-Identifier: MIT
#include "sim/code/launch/plan.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/code/array/npy.h"
#include "sim/code/launch/argument.h"
#include "sim/code/launch/match.h"
#include "sim/code/launch/members.h"
#include "sim/code/launch/names.h"

namespace gpusim::launch {
namespace {

using array::Element;
using Form = ArgumentText::Kind;
using TypeKind = ParameterType::Kind;

constexpr std::size_t kMostDimensions = 8;
constexpr std::int64_t kNoBox = 65535;  ///< larger than any that a tensor map may have
/// More than any GPU has.
constexpr std::uint64_t kMostBytes = 1ULL << 40U;
/// CUDA Programming Guide, technical specifications by compute capability: the largest of all.
constexpr std::int64_t kMostShared = 227 * 1024;
constexpr std::array<std::int64_t, 3> kMostGrid{0x7fffffff, 65535, 65535};
constexpr std::array<std::int64_t, 3> kMostBlock{1024, 1024, 64};
constexpr std::array<std::int64_t, 3> kMostCluster{16, 16, 16};
constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostCtasOfCluster = 16;
constexpr std::int64_t kMostRepeats = 1'000'000;

[[noreturn]] void fail(const SourceLocation& where, const std::string& message, const std::string& hint = "") {
  throw InputError({where, message, hint});
}

std::string name_of(Element element) {
  return std::string(array::info(element).name);
}

/// An argument of a launch beside its parameter.
struct Given {
  const NamedText* text = nullptr;
  const Parameter* parameter = nullptr;
  std::string shown;  ///< the parameter, for messages
  ArgumentText form;
  std::string name;  ///< the parameter's where it is known, else the argument's
};

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
  void add_sizes(const LaunchText& text, const Signature& signature, const Names& names, Launch& launch);
  [[nodiscard]] Dim3 sizes(const Text& text, const std::string& what, const std::array<std::int64_t, 3>& most,
                           const Names& names) const;
  [[nodiscard]] Dim3 block_of(const LaunchText& text, const Signature& signature, const Names& names) const;
  [[nodiscard]] Argument number_of(const Given& given, Names& names) const;
  [[nodiscard]] std::uint64_t bits_of(const Given& given, Names& names) const;
  [[nodiscard]] Argument bytes_argument(const Given& given) const;
  [[nodiscard]] Argument pointer_of(const Given& given, const Names& names);
  [[nodiscard]] std::size_t buffer_of(const Given& given, const Names& names);
  [[nodiscard]] Argument map_of(const Given& given, const Names& names);
  [[nodiscard]] bool is_reference(const Given& given, const Names& names, const std::vector<Given>& all) const;
  std::size_t add_buffer(const std::string& name, const ArgumentText& form, const ParameterType* type,
                         const Names& names, const SourceLocation& where);
  void set_shape(const ArgumentText& form, const Names& names, Buffer& buffer) const;
  void take_file(const ParameterType* type, Buffer& buffer) const;
  [[nodiscard]] std::size_t buffer_named(const std::string& name, const SourceLocation& where) const;
  void add_scratch(const Signature& signature, Launch& launch);
  void add_results();

  const Request& request_;
  const FindSignature& find_;
  ProblemList problems_;
  Names names_;
  std::deque<Member> members_;                  ///< of structs by value, which arguments refer to
  std::map<std::string, std::size_t> buffers_;  ///< by every name that a user may call them
  std::uint64_t buffer_bytes_ = 0;
  Plan plan_;
};

/// A floating-point type of this size.
std::optional<Element> float_of(std::uint32_t bytes) {
  return bytes == 2   ? std::optional(Element::kF16)
         : bytes == 4 ? std::optional(Element::kF32)
         : bytes == 8 ? std::optional(Element::kF64)
                      : std::nullopt;
}

/// The bits of an integer in a parameter of which nobody knows whether it has a sign.
std::uint64_t integer_bits(std::int64_t value, std::uint32_t bytes, const Given& given) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
    fail(given.text->where, "parameter " + given.shown + " is a struct by value, not a number",
         "give its bytes: bytes:FILE.npy, or bytes:00ff...");
  }
  const unsigned bits = 8 * bytes;
  if (bits < 64 && (value < -(std::int64_t{1} << (bits - 1)) || value >= std::int64_t{1} << bits)) {
    fail(given.text->where, std::to_string(value) + " does not fit parameter " + given.shown, "");
  }
  return static_cast<std::uint64_t>(value);
}

std::uint64_t Planner::bits_of(const Given& given, Names& names) const {
  const ParameterType& type = given.parameter->type;
  std::optional<Element> element = given.form.element;
  if (!element && type.kind == TypeKind::kNumber) {
    element = type.element;
  }
  const std::optional<array::Number> written = array::parse_number(given.form.text);
  const bool is_real = written && !written->is_whole;
  if (!element && is_real) {
    element = float_of(given.parameter->size);
  }
  const array::Number number = is_real ? *written : array::whole(names.value(given.form.text, given.text->where));
  if (number.is_whole) {
    names.set(given.name, number.whole);
    names.set(given.text->name, number.whole);
  }
  if (!element) {
    return integer_bits(number.whole, given.parameter->size, given);
  }
  if (array::bytes_of(*element) != given.parameter->size) {
    fail(given.text->where, name_of(*element) + " has " + counted(array::bytes_of(*element), "byte") +
                                ", and parameter " + given.shown + " has " + std::to_string(given.parameter->size));
  }
  const std::optional<std::uint64_t> bits = array::encode(*element, number);
  if (!bits) {
    fail(given.text->where, "'" + given.form.text + "' is no number of type " + name_of(*element), "");
  }
  return *bits;
}

Argument Planner::number_of(const Given& given, Names& names) const {
  Argument out;
  out.offset = given.parameter->offset;
  out.bytes.resize(given.parameter->size);
  const bool is_pointer = given.parameter->type.kind == TypeKind::kPointer;
  if (is_pointer && given.form.kind == Form::kNumber && given.form.text != "0") {
    fail(given.text->where, "parameter " + given.shown + " is a pointer, and '" + given.form.text + "' is no buffer",
         "such as f32[1024]:random, or the name of one");
  }
  if (given.form.kind == Form::kNumber) {
    array::put_bits(out.bytes.data(), bits_of(given, names), std::min(given.parameter->size, kPointerBytes));
  }
  return out;
}

Argument Planner::bytes_argument(const Given& given) const {
  Argument out;
  out.offset = given.parameter->offset;
  out.bytes = given.form.text;
  if (!given.form.fill.file.empty()) {
    const array::NpyFile file(given.form.fill.file);
    out.bytes.resize(file.bytes() == given.parameter->size ? file.bytes() : 0);
    if (out.bytes.empty()) {
      fail(given.text->where, given.form.fill.file + " has " + counted(file.bytes(), "byte") + ", and parameter " +
                                  given.shown + " has " + std::to_string(given.parameter->size));
    }
    file.read(out.bytes.data());
  }
  if (out.bytes.size() != given.parameter->size) {
    fail(given.text->where, "has " + counted(out.bytes.size(), "byte") + ", and parameter " + given.shown + " has " +
                                std::to_string(given.parameter->size));
  }
  return out;
}

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
    return buffer_named(given.form.text, given.text->where);
  }
  const std::size_t buffer =
      add_buffer(given.name, given.form, given.form.map ? nullptr : &given.parameter->type, names, given.text->where);
  buffers_.emplace(given.text->name, buffer);
  return buffer;
}

Argument Planner::map_of(const Given& given, const Names& names) {
  const SourceLocation& where = given.text->where;
  if (given.parameter->size != kTensorMapBytes) {
    fail(where, "parameter " + given.shown + " is no tensor map, which has 128 bytes");
  }
  Argument out;
  out.offset = given.parameter->offset;
  out.buffer = buffer_of(given, names);
  const Buffer& buffer = plan_.buffers[*out.buffer];
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
    fail(where, "parameter " + given.shown + " is no pointer, and '" + given.text->text + "' is a buffer",
         "a number, such as 1024");
  }
  Argument out;
  out.offset = given.parameter->offset;
  out.bytes.resize(kPointerBytes);
  out.buffer = buffer_of(given, names);
  if (given.form.kind == Form::kAddress) {
    const Buffer& buffer = plan_.buffers[*out.buffer];
    const std::int64_t index = names.value(given.form.count, where);
    if (index < 0 || static_cast<std::uint64_t>(index) > buffer.count) {
      fail(where, "buffer '" + buffer.name + "' has no element " + std::to_string(index),
           "it has " + counted(buffer.count, "element"));
    }
    array::put_bits(out.bytes.data(), static_cast<std::uint64_t>(index) * array::bytes_of(buffer.element),
                    kPointerBytes);
  }
  const Element element = plan_.buffers[*out.buffer].element;
  if (!may_point(given.parameter->type, element)) {
    fail(where, "parameter " + given.shown + " does not point to elements of type " + name_of(element),
         "expected " + name_of(*given.parameter->type.element));
  }
  return out;
}

void Planner::set_shape(const ArgumentText& form, const Names& names, Buffer& buffer) const {
  buffer.count = 1;
  for (const std::int64_t size : names.values(form.count, kMostDimensions, buffer.where)) {
    if (size < 1) {
      fail(buffer.where, "buffer '" + buffer.name + "' has " + std::to_string(size) + " elements", "at least 1");
    }
    if (static_cast<std::uint64_t>(size) > kMostBytes / buffer.count) {
      fail(buffer.where, "buffer '" + buffer.name + "' is larger than any GPU's memory",
           "at most " + with_binary_prefix(kMostBytes));
    }
    buffer.count *= static_cast<std::uint64_t>(size);
    buffer.shape.push_back(static_cast<std::uint64_t>(size));
  }
}

/// Takes the shape and type of a buffer from its .npy file. If the buffer has its own, checks that both agree.
void Planner::take_file(const ParameterType* type, Buffer& buffer) const {
  const array::NpyFile file(buffer.fill.file);
  const array::NpyHeader& header = file.header();
  if (buffer.shape.empty()) {
    // bfloat16 and the types of 8 bits are bytes to NumPy: the parameter says which they are.
    const std::optional<Element> pointee = type == nullptr ? std::nullopt : type->element;
    const bool by_parameter = pointee && array::is_numpy(*pointee, header.type);
    const std::optional<Element> element = by_parameter ? pointee : array::element_of_numpy(header.type);
    if (!element) {
      fail(buffer.where,
           buffer.fill.file + " has elements of " + counted(header.element_bytes, "byte") + " without a type",
           "say which: bf16[COUNT]:" + buffer.fill.file);
    }
    buffer.element = *element;
    buffer.shape = header.shape;
    buffer.count = header.count;
  }
  if (header.count != buffer.count || !array::is_numpy(buffer.element, header.type)) {
    fail(buffer.where,
         buffer.fill.file + " has " + counted(header.count, "element") + " of NumPy's type " + header.type +
             ", and buffer '" + buffer.name + "' has " + with_thousands(buffer.count) + " of " +
             name_of(buffer.element),
         header.count == buffer.count ? "convert it: numpy.save('x.npy', a.astype(...))" : "");
  }
  if (buffer.count == 0) {
    fail(buffer.where, buffer.fill.file + " has no elements");
  }
}

std::size_t Planner::add_buffer(const std::string& name, const ArgumentText& form, const ParameterType* type,
                                const Names& names, const SourceLocation& where) {
  if (buffers_.contains(name)) {
    fail(where, "buffer '" + name + "' is made twice", "to hand on the first one, write " + name);
  }
  Buffer buffer;
  buffer.name = name;
  buffer.where = where;
  buffer.fill = form.fill;
  buffer.seed = plan_.buffers.size() + 1;
  if (form.kind == Form::kBuffer) {
    const std::optional<Element> element = form.element ? form.element : type != nullptr ? type->element : std::nullopt;
    if (!element) {
      fail(where, "nobody knows the type of the elements of '" + name + "'", "say it: f32[...]");
    }
    buffer.element = *element;
    set_shape(form, names, buffer);
  }
  if (buffer.fill.kind == array::Fill::Kind::kFile) {
    take_file(type, buffer);
  }
  if (buffer.count > kMostBytes || buffer_bytes_ + buffer.bytes() > kMostBytes) {
    fail(where, "the buffers are larger than any GPU's memory", "at most " + with_binary_prefix(kMostBytes));
  }
  buffer_bytes_ += buffer.bytes();
  plan_.buffers.push_back(std::move(buffer));
  buffers_.emplace(name, plan_.buffers.size() - 1);
  return plan_.buffers.size() - 1;
}

std::size_t Planner::buffer_named(const std::string& name, const SourceLocation& where) const {
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) {
    std::vector<std::string_view> known;
    for (const auto& entry : buffers_) {
      known.push_back(entry.first);
    }
    fail(where, "there is no buffer '" + printable(clipped(name, 60)) + "'", suggestion(name, known));
  }
  return found->second;
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
  return buffers_.contains(word) || given.parameter->type.kind == TypeKind::kPointer ||
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

/// Each member of a struct by value is handed on as a parameter would be.
void Planner::add_members(const Given& whole, const LaunchText& text, std::vector<Given>& all) {
  const auto is_buffer = [&](const std::string& word) {
    return buffers_.contains(word) || std::ranges::any_of(text.arguments, [&](const NamedText& other) {
             return other.name == word && other.text.find('[') != other.text.npos;
           });
  };
  for (Member& member : members_of(*whole.text, *whole.parameter, is_buffer)) {
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
      attempt(
          [&] { launch.arguments.push_back(form == Form::kBytes ? bytes_argument(given) : number_of(given, names)); });
    }
  }
  for (const std::vector<const Given*>* const pointers : {&buffers, &references}) {
    for (const Given* const given : *pointers) {
      attempt([&] { launch.arguments.push_back(given->form.map ? map_of(*given, names) : pointer_of(*given, names)); });
    }
  }
  if (attempt([&] { add_sizes(text, signature, names, launch); })) {
    add_scratch(signature, launch);
  }
}

/// Memory that the compiler wants a CTA to have, behind hidden pointers.
void Planner::add_scratch(const Signature& signature, Launch& launch) {
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.scratch_bytes == 0) {
      continue;
    }
    Buffer buffer;
    buffer.name = "scratch memory";
    buffer.element = Element::kU8;
    buffer.count = launch.grid.volume() * parameter.scratch_bytes;
    buffer.shape = {buffer.count};
    plan_.buffers.push_back(std::move(buffer));
    Argument argument;
    argument.offset = parameter.offset;
    argument.bytes.resize(kPointerBytes);
    argument.buffer = plan_.buffers.size() - 1;
    launch.arguments.push_back(std::move(argument));
  }
}

Dim3 Planner::sizes(const Text& text, const std::string& what, const std::array<std::int64_t, 3>& most,
                    const Names& names) const {
  std::vector<std::int64_t> values = names.values(text.text, 3, text.where);
  values.resize(3, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 1 || values[i] > most[i]) {
      fail(text.where, "the " + what + " has size " + std::to_string(values[i]) + " in " + "xyz"[i],
           "allowed: 1 to " + with_thousands(static_cast<std::uint64_t>(most[i])));
    }
  }
  const auto size = [&values](std::size_t i) { return static_cast<std::uint32_t>(values[i]); };
  return {size(0), size(1), size(2)};
}

Dim3 Planner::block_of(const LaunchText& text, const Signature& signature, const Names& names) const {
  if (!text.block && !signature.block) {
    fail(text.where, "kernel '" + signature.kernel + "' does not say how many threads a CTA has",
         request_.from_command_line ? "add --block 256" : "add  block: 256");
  }
  if (!text.block) {
    return *signature.block;
  }
  const Dim3 block = sizes(*text.block, "block", kMostBlock, names);
  const std::uint64_t most = signature.most_threads ? signature.most_threads->volume() : kMostThreads;
  if (signature.block && block != *signature.block) {
    fail(text.block->where,
         "kernel '" + signature.kernel + "' needs CTAs of " + std::to_string(signature.block->x) + "x" +
             std::to_string(signature.block->y) + "x" + std::to_string(signature.block->z) + " threads",
         signature.is_triton ? "as Triton compiled it; leave the block out" : "its code says so; leave the block out");
  }
  if (block.volume() > most) {
    fail(text.block->where, "the block has " + with_thousands(block.volume()) + " threads",
         "at most " + with_thousands(most) + (signature.most_threads ? ", by its __launch_bounds__" : ""));
  }
  return block;
}

void Planner::add_sizes(const LaunchText& text, const Signature& signature, const Names& names, Launch& launch) {
  const bool line = request_.from_command_line;
  if (!text.grid) {
    fail(text.where,
         "kernel '" + signature.kernel + "' needs a grid" +
             std::string(signature.is_triton ? ", which Triton's cache does not have" : ""),
         line ? "add --grid 1024" : "add  grid: 1024");
  }
  launch.grid = sizes(*text.grid, "grid", kMostGrid, names);
  launch.block = block_of(text, signature, names);
  launch.cluster = signature.cluster.value_or(Dim3{});
  if (text.cluster) {
    launch.cluster = sizes(*text.cluster, "cluster", kMostCluster, names);
  }
  const Dim3& cluster = launch.cluster;
  if (cluster.volume() > kMostCtasOfCluster || launch.grid.x % cluster.x != 0 || launch.grid.y % cluster.y != 0 ||
      launch.grid.z % cluster.z != 0) {
    fail(text.cluster ? text.cluster->where : text.grid->where,
         "the grid is not made of whole clusters of " + std::to_string(cluster.volume()) + " CTAs",
         "each size of the grid is a multiple of the cluster's, which has at most 16 CTAs");
  }
  launch.shared_bytes = signature.shared_bytes;
  if (text.shared) {
    const std::int64_t bytes = names.value(text.shared->text, text.shared->where);
    if (bytes < 0 || bytes > kMostShared) {
      fail(text.shared->where, "a CTA cannot have " + std::to_string(bytes) + " bytes of dynamic shared memory",
           "at most " + with_thousands(static_cast<std::uint64_t>(kMostShared)));
    }
    launch.shared_bytes = static_cast<std::uint32_t>(bytes);
  }
  if (text.repeat) {
    const std::int64_t repeat = names.value(text.repeat->text, text.repeat->where);
    if (repeat < 1 || repeat > kMostRepeats) {
      fail(text.repeat->where, "a launch cannot be made " + std::to_string(repeat) + " times",
           "1 to " + with_thousands(static_cast<std::uint64_t>(kMostRepeats)));
    }
    launch.repeat = static_cast<std::uint32_t>(repeat);
  }
}

void Planner::add_launch(const LaunchText& text) {
  attempt([&] {
    Launch launch;
    launch.kernel = text.kernel ? text.kernel->text : "";
    const Signature signature = find_(launch.kernel);
    launch.parameter_bytes = signature.parameter_bytes;
    add_arguments(text, signature, launch);
    plan_.launches.push_back(std::move(launch));
  });
}

void Planner::add_results() {
  for (const NamedText& output : request_.outputs) {
    attempt([&] { plan_.outputs.push_back({buffer_named(output.name, output.where), output.text}); });
  }
  for (const ExpectationText& text : request_.expectations) {
    attempt([&] {
      Expectation out{buffer_named(text.name, text.where), array::parse_fill(text.text, text.where),
                      text.tolerance.value_or(request_.tolerance), text.where};
      if (out.fill.kind == array::Fill::Kind::kFile) {
        const std::uint64_t count = array::NpyFile(out.fill.file).header().count;
        const Buffer& buffer = plan_.buffers[out.buffer];
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
    attempt([&] {
      plan_.parameters.push_back({parameter.name, names_.value(parameter.text, parameter.where)});
      names_.set(parameter.name, plan_.parameters.back().value);
    });
  }
  for (const NamedText& buffer : request_.buffers) {
    attempt([&] {
      const ArgumentText form = parse_argument(buffer.text, buffer.where);
      if (form.kind != Form::kBuffer && form.kind != Form::kFile) {
        fail(buffer.where, "'" + buffer.text + "' is no buffer", "such as f32[1024]:random or x.npy");
      }
      add_buffer(buffer.name, form, nullptr, names_, buffer.where);
    });
  }
  for (const LaunchText& launch : request_.launches) {
    add_launch(launch);
  }
  if (problems_.empty()) {
    add_results();
  }
  problems_.throw_if_any();
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
