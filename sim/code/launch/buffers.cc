// SPDX-License-Identifier: MIT
#include "sim/code/launch/buffers.h"

#include <optional>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/code/array/npy.h"
#include "sim/code/launch/fail.h"

namespace gpusim::launch {
namespace {

using array::Element;

/// More than any GPU has.
constexpr std::uint64_t kMostBytes = 1ULL << 40U;

void set_shape(const ArgumentText& form, const Names& names, Buffer& buffer) {
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
void take_file(const ParameterType* type, Buffer& buffer) {
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
             array::name_of(buffer.element),
         header.count == buffer.count ? "convert it: numpy.save('x.npy', a.astype(...))" : "");
  }
  if (buffer.count == 0) {
    fail(buffer.where, buffer.fill.file + " has no elements");
  }
}

}  // namespace

std::size_t Buffers::add(const std::string& name, const ArgumentText& form, const ParameterType* type,
                         const Names& names, const SourceLocation& where) {
  if (by_name_.contains(name)) {
    fail(where, "buffer '" + name + "' is made twice", "to hand on the first one, write " + name);
  }
  Buffer buffer;
  buffer.name = name;
  buffer.where = where;
  buffer.fill = form.fill;
  buffer.seed = all_.size() + 1;
  if (form.kind == ArgumentText::Kind::kBuffer) {
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
  if (buffer.count > kMostBytes || bytes_ + buffer.bytes() > kMostBytes) {
    fail(where, "the buffers are larger than any GPU's memory", "at most " + with_binary_prefix(kMostBytes));
  }
  bytes_ += buffer.bytes();
  all_.push_back(std::move(buffer));
  by_name_.emplace(name, all_.size() - 1);
  return all_.size() - 1;
}

std::size_t Buffers::add_scratch(std::uint64_t bytes) {
  Buffer buffer;
  buffer.name = "scratch memory";
  buffer.element = Element::kU8;
  buffer.count = bytes;
  buffer.shape = {bytes};
  all_.push_back(std::move(buffer));
  return all_.size() - 1;
}

std::size_t Buffers::named(const std::string& name, const SourceLocation& where) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    std::vector<std::string_view> known;
    for (const auto& entry : by_name_) {
      known.push_back(entry.first);
    }
    fail(where, "there is no buffer '" + printable(clipped(name, 60)) + "'", suggestion(name, known));
  }
  return found->second;
}

}  // namespace gpusim::launch
