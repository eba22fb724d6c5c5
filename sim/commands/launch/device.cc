// SPDX-License-Identifier: MIT
#include "sim/commands/launch/device.h"

#include <algorithm>
#include <utility>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/array/fill.h"
#include "sim/code/array/npy.h"
#include "sim/code/launch/plan.h"
#include "sim/commands/cli/host_memory.h"
#include "sim/commands/launch/kernel_file.h"

namespace gpusim::commands {
namespace {

/// A tenth stays for everything else.
void require_memory(const launch::Plan& plan) {
  std::uint64_t bytes = 0;
  for (const launch::Buffer& buffer : plan.buffers) {
    bytes += buffer.bytes();
  }
  const std::uint64_t available = cli::available_memory_bytes();
  if (bytes > available - available / 10) {
    throw InputError({plan.buffers.front().where,
                      "the buffers have " + with_binary_prefix(bytes) + ", and this machine has " +
                          with_binary_prefix(available) + " of memory left",
                      "make them smaller: fewer CTAs show how a kernel runs as well"});
  }
}

exec::TensorMap::Element tensor_element(const launch::Buffer& buffer) {
  using To = exec::TensorMap::Element;
  using array::Element;
  switch (buffer.element) {
    case Element::kI16:
    case Element::kU16: return To::kU16;
    case Element::kI32: return To::kS32;
    case Element::kU32: return To::kU32;
    case Element::kI64: return To::kS64;
    case Element::kU64: return To::kU64;
    case Element::kF16: return To::kF16;
    case Element::kBF16: return To::kBf16;
    case Element::kF32: return To::kF32;
    case Element::kF64: return To::kF64;
    default: return To::kU8;  // copied as bytes
  }
}

const char* chars(const std::byte* bytes) {
  return reinterpret_cast<const char*>(bytes);
}

}  // namespace

Device::Device(const launch::Plan& plan) : plan_(plan) {
  for (const launch::Buffer& buffer : plan.buffers) {
    addresses_.push_back(memory().reserve(buffer.name, buffer.bytes()));
  }
}

void Device::fill() {
  if (std::exchange(is_filled_, true) || plan_.buffers.empty()) {
    return;
  }
  require_memory(plan_);
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    memory().give_values(addresses_[i]);
    fill(plan_.buffers[i], addresses_[i]);
  }
}

void Device::fill(const launch::Buffer& buffer, Address address) {
  std::byte* const begin = memory().for_writing(*memory().find(address), address, buffer.bytes());
  char* const to = reinterpret_cast<char*>(begin);
  if (buffer.fill.kind == array::Fill::Kind::kFile) {
    const array::NpyFile file(buffer.fill.file);
    if (file.bytes() != buffer.bytes()) {
      throw InputError({{buffer.fill.file, 0, 0}, "has changed while it was read", ""});
    }
    file.read(to);
    return;
  }
  array::fill_elements(buffer.fill, buffer.element, buffer.count, buffer.seed, buffer.where, to);
}

const exec::LoadedModule& Device::load(const FoundKernel& kernel) {
  return modules_.try_emplace(kernel.module.get(), *kernel.module, memory()).first->second;
}

exec::Launch Device::launch_of(const launch::Launch& launch) const {
  exec::Launch out;
  out.grid = launch.grid;
  out.block = launch.block;
  out.cluster = launch.cluster;
  out.dynamic_shared_bytes = launch.shared_bytes;
  const std::string parameters = launch::parameters_of(launch, addresses_);
  out.parameters.resize(parameters.size());
  std::transform(parameters.begin(), parameters.end(), out.parameters.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  for (const launch::Argument& argument : launch.arguments) {
    if (argument.map) {
      std::ranges::copy(tensor_map(*argument.buffer, *argument.map), out.parameters.begin() + argument.offset);
    }
  }
  return out;
}

/// A buffer's rows lie one behind the other. Throws InputError for what a map may not be.
exec::TensorMapBytes Device::tensor_map(std::size_t buffer, const launch::MapShape& shape) const {
  const launch::Buffer& one = plan_.buffers[buffer];
  const std::size_t rank = one.shape.size();
  exec::TensorMap map;
  if (rank > map.sizes.size()) {
    throw InputError(
        {one.where, "buffer '" + one.name + "' has " + counted(rank, "dimension"), "a tensor map has at most 5"});
  }
  map.address = addresses_[buffer];
  map.element = tensor_element(one);
  map.dimensions = static_cast<std::uint8_t>(rank);
  map.swizzle_bytes = shape.swizzle_bytes;
  std::uint64_t stride = array::bytes_of(one.element);
  for (std::size_t d = 0; d < rank; ++d) {
    map.sizes[d] = one.shape[rank - 1 - d];
    map.box[d] = shape.box[rank - 1 - d];
    map.strides[d] = stride;
    stride *= map.sizes[d];
  }
  try {
    return exec::encoded(map);
  } catch (const InputError& error) {
    Problem problem = error.problems().front();
    problem.where = one.where;
    problem.message = "buffer '" + one.name + "': " + problem.message;
    throw InputError(problem);
  }
}

array::View Device::view(std::size_t buffer) const {
  const launch::Buffer& one = plan_.buffers[buffer];
  const exec::GlobalMemory& memory = exec::global_memory_of(result_ != nullptr ? *result_ : *memory_);
  return {one.element, one.count, chars(memory.find(addresses_[buffer])->data())};
}

void Device::write_outputs() const {
  for (const launch::Output& output : plan_.outputs) {
    const launch::Buffer& buffer = plan_.buffers[output.buffer];
    OutputFile file(output.file);
    file.write(array::npy_header(buffer.element, buffer.shape));
    file.write({view(output.buffer).bytes, buffer.bytes()});
    file.commit();
  }
}

std::vector<Checked> Device::check() const {
  std::vector<Checked> out;
  for (const launch::Expectation& expectation : plan_.expectations) {
    const launch::Buffer& buffer = plan_.buffers[expectation.buffer];
    array::View expected{buffer.element, buffer.count, nullptr};
    std::string bytes;
    if (expectation.fill.kind == array::Fill::Kind::kFile) {
      const array::NpyFile file(expectation.fill.file);
      bytes.resize(file.bytes());
      file.read(bytes.data());
      const bool is_same = array::is_numpy(buffer.element, file.header().type);
      expected.element =
          is_same ? buffer.element : array::element_of_numpy(file.header().type).value_or(buffer.element);
      if (file.header().count != buffer.count || bytes.size() != buffer.count * array::bytes_of(expected.element)) {
        throw InputError({expectation.where,
                          expectation.fill.file + " has elements that " + buffer.name + " cannot be compared with",
                          ""});
      }
    } else {
      bytes.resize(buffer.bytes());
      array::fill_elements(expectation.fill, buffer.element, buffer.count, buffer.seed, expectation.where,
                           bytes.data());
    }
    expected.bytes = bytes.data();
    out.push_back({buffer.name, array::compare(view(expectation.buffer), expected, expectation.tolerance),
                   expectation.tolerance});
  }
  return out;
}

std::string Device::buffer_text(std::size_t buffer) const {
  constexpr std::uint64_t kShown = 4;
  const launch::Buffer& one = plan_.buffers[buffer];
  std::string text = one.name + "  " + array::name_of(one.element) + "[";
  for (std::size_t i = 0; i < one.shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(one.shape[i]);
  }
  text += "]  ";
  const array::View elements = view(buffer);
  for (std::uint64_t i = 0; i < std::min(kShown, one.count); ++i) {
    text += (i == 0 ? "" : ", ") + array::text_of(one.element, elements.at(i));
  }
  return text + (one.count > kShown ? ", ..." : "");
}

void require_writable(const launch::Plan& plan, const std::vector<std::filesystem::path>& inputs) {
  for (const launch::Output& output : plan.outputs) {
    for (const std::filesystem::path& input : inputs) {
      refuse_to_replace(output.file, input);
    }
    const OutputFile probe(output.file);  // goes away again
  }
}

}  // namespace gpusim::commands
