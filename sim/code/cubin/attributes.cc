// SPDX-License-Identifier: MIT
// Parameters of more than 4 kB have an attribute of their own (0x45), which is not read: such a kernel has none here.
// Codes: measured on cubins of ptxas 13.0; the same numbers stand in CuAssembler's CuNVInfo.py.
#include "sim/code/cubin/attributes.h"

#include <algorithm>
#include <functional>

namespace gpusim::cubin {
namespace {

enum Attribute : std::uint8_t {
  kMaxThreads = 0x05,
  kParameterBank = 0x0a,
  kRequiredThreads = 0x10,
  kFrameSize = 0x11,
  kParameter = 0x17,
  kParameterBytes = 0x19,
  kMaxStack = 0x23,
  kRegisters = 0x2f,
  kCtasPerCluster = 0x3d,
  kBarriers = 0x4c,
  kReconfigures = 0x54
};

constexpr std::uint8_t kNoData = 1;
constexpr std::uint8_t kData = 4;  // with its length; else 8 or 16 bits in its place
constexpr std::uint64_t kAttributeHeadBytes = 4;

using TakeAttribute = std::function<void(std::uint8_t code, std::uint16_t value, const Bytes& data)>;

void for_each_attribute(const Bytes& section, const TakeAttribute& take) {
  for (std::uint64_t at = 0; at + kAttributeHeadBytes <= section.size();) {
    const std::uint8_t format = section.u8(at);
    const std::uint8_t code = section.u8(at + 1);
    const std::uint16_t value = section.u16(at + 2);
    const std::uint64_t bytes = format == kData ? value : 0;
    if (format < kNoData || format > kData) {
      fail(section.file(), "is damaged: an attribute of a kernel has format " + std::to_string(format),
           "copy or compile it again");
    }
    take(code, value, section.part(at + kAttributeHeadBytes, bytes, "an attribute of a kernel"));
    at += kAttributeHeadBytes + bytes;
  }
}

Dim3 dimensions(const Bytes& data) {
  return {data.u32(0), data.u32(4), data.u32(8)};
}

/// Index, ordinal, offset, and a word whose upper 14 bits are the size.
Parameter parameter(const Bytes& data) {
  constexpr unsigned kSizeAt = 18;
  return {data.u16(4), data.u16(6), data.u32(8) >> kSizeAt};
}

void take_attribute(std::uint8_t code, std::uint16_t value, const Bytes& data, Function& function) {
  switch (code) {
    case kMaxThreads: function.most_threads = dimensions(data); break;
    case kRequiredThreads: function.required_threads = dimensions(data); break;
    case kCtasPerCluster: function.cluster = dimensions(data); break;
    case kParameter: function.parameters.push_back(parameter(data)); break;
    case kParameterBytes: function.parameter_bytes = value; break;
    case kParameterBank: function.parameter_base = data.u16(4); break;
    case kBarriers: function.barriers = value & 0xffU; break;
    case kReconfigures: function.changes_registers = true; break;
    default: break;
  }
}

}  // namespace

void read_common_attributes(const Bytes& section, const std::vector<Function*>& by_symbol) {
  for_each_attribute(section, [&](std::uint8_t code, std::uint16_t, const Bytes& data) {
    if (code != kRegisters && code != kFrameSize && code != kMaxStack) {
      return;
    }
    const std::uint32_t symbol = data.u32(0);
    Function* function = symbol < by_symbol.size() ? by_symbol[symbol] : nullptr;
    if (function == nullptr) {
      return;  // its function is declared only
    }
    const std::uint32_t value = data.u32(4);
    switch (code) {
      case kRegisters: function->registers = value; break;
      case kFrameSize: function->local_bytes = value; break;
      default: function->stack_bytes = value; break;
    }
  });
}

void read_attributes(const Bytes& section, Function& function) {
  for_each_attribute(section, [&](std::uint8_t code, std::uint16_t value, const Bytes& data) {
    take_attribute(code, value, data, function);
  });
  std::sort(function.parameters.begin(), function.parameters.end(),
            [](const Parameter& a, const Parameter& b) { return a.ordinal < b.ordinal; });
}

}  // namespace gpusim::cubin
