// SPDX-License-Identifier: MIT
#include "sim/commands/launch/device.h"

#include <algorithm>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/array/npy.h"
#include "sim/commands/cli/host_memory.h"

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

const char* chars(const std::byte* bytes) {
  return reinterpret_cast<const char*>(bytes);
}

}  // namespace

Device::Device(const launch::Plan& plan) : plan_(plan) {
  if (!plan.buffers.empty()) {
    require_memory(plan);
  }
  for (const launch::Buffer& buffer : plan.buffers) {
    addresses_.push_back(memory_.allocate(buffer.name, buffer.bytes()));
    fill(buffer, addresses_.back());
  }
}

void Device::fill(const launch::Buffer& buffer, Address address) {
  std::byte* const begin = memory_.for_writing(*memory_.find(address), address, buffer.bytes());
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
  return modules_.try_emplace(kernel.module.get(), *kernel.module, memory_).first->second;
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
  return out;
}

array::View Device::view(std::size_t buffer) const {
  const launch::Buffer& one = plan_.buffers[buffer];
  return {one.element, one.count, chars(memory_.find(addresses_[buffer])->data())};
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
  std::string text = one.name + "  " + std::string(array::info(one.element).name) + "[";
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
