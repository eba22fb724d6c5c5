// SPDX-License-Identifier: MIT
#include "sim/code/launch/signature.h"

#include <algorithm>
#include <span>

#include "sim/base/text.h"
#include "sim/code/launch/layout.h"

namespace gpusim::launch {
namespace {

/// Whether a parameter of this size can be of that type.
bool fits(const ParameterType& type, std::uint32_t size) {
  switch (type.kind) {
    case ParameterType::Kind::kPointer: return size == kPointerBytes;
    case ParameterType::Kind::kNumber: return size == array::bytes_of(*type.element);
    default: return true;
  }
}

/// Marks the pointers that Triton adds behind the parameters.
void hide_scratch(const std::vector<std::uint32_t>& scratch, std::vector<Parameter>& parameters) {
  if (scratch.size() > parameters.size()) {
    return;
  }
  const std::span<Parameter> last = std::span(parameters).last(scratch.size());
  if (std::ranges::any_of(last, [](const Parameter& parameter) { return parameter.size != kPointerBytes; })) {
    return;
  }
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    last[i].is_hidden = true;
    last[i].scratch_bytes = scratch[i];
  }
}

}  // namespace

Signature signature_of(const cubin::Function& function, const std::string& file, const cubin::TritonLaunch* triton) {
  Signature out;
  out.kernel = cubin::short_name(function.name);
  out.file = file;
  out.parameter_bytes = function.parameter_bytes;
  out.unknown = function.unknown_parameters;
  out.unknown_shared_bytes = function.unknown_shared_bytes;
  for (const cubin::Parameter& parameter : function.parameters) {
    out.parameters.push_back({parameter.offset, parameter.size, "", {}});
    out.parameter_bytes = std::max(out.parameter_bytes, parameter.offset + parameter.size);
  }
  out.block = function.required_threads;
  out.most_threads = function.most_threads;
  out.cluster = function.cluster;
  if (triton != nullptr) {
    out.is_triton = true;
    out.shared_bytes = triton->shared_bytes;
    hide_scratch(triton->scratch, out.parameters);
    if (!out.block && triton->warps != 0) {
      out.block = Dim3{triton->warps * kWarpLanes, 1, 1};
    }
    if (!out.cluster && triton->cluster.volume() > 1) {
      out.cluster = triton->cluster;
    }
  }
  if (const auto types = parameters_of_demangled(cubin::demangled(function.name))) {
    static_cast<void>(take_names(out, *types, ""));
  }
  return out;
}

bool take_names(Signature& signature, const std::vector<NamedType>& named, const std::string& from) {
  if (signature.unknown) {
    return take_layout(signature, named, from);
  }
  std::vector<Parameter>& parameters = signature.parameters;
  const bool may_hide = signature.is_triton && named.size() < parameters.size();
  if (named.size() != parameters.size() && !may_hide) {
    return false;
  }
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (!fits(named[i].type, parameters[i].size)) {
      return false;
    }
  }
  bool has_names = !named.empty();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i < named.size()) {
      parameters[i].name = named[i].name;
      parameters[i].type = named[i].type;
      has_names = has_names && !named[i].name.empty();
    } else {
      parameters[i].is_hidden = true;
    }
  }
  signature.names_from = has_names ? from : "";
  return true;
}

std::size_t visible_parameters(const Signature& signature) {
  return static_cast<std::size_t>(
      std::ranges::count_if(signature.parameters, [](const Parameter& parameter) { return !parameter.is_hidden; }));
}

std::string parameter_text(const Signature& signature, std::size_t ordinal) {
  const Parameter& parameter = signature.parameters[ordinal];
  const std::string name = parameter.name.empty() ? std::to_string(ordinal) : parameter.name;
  return name + " (" + (parameter.type.text.empty() ? counted(parameter.size, "byte") : parameter.type.text) + ")";
}

std::pair<std::string, std::string> example_of(const Signature& signature, std::size_t ordinal) {
  const Parameter& parameter = signature.parameters[ordinal];
  const std::string name = parameter.name.empty() ? std::to_string(ordinal) : parameter.name;
  const ParameterType& type = parameter.type;
  const auto is_float = [](array::Element element) { return array::info(element).kind == array::ElementKind::kFloat; };
  switch (type.kind) {
    case ParameterType::Kind::kNumber: return {name, is_float(*type.element) ? "1.0" : "1024"};
    case ParameterType::Kind::kPointer:
      return {name, array::name_of(type.element.value_or(array::Element::kF32)) + "[COUNT]:random"};
    default: break;
  }
  const bool may_be_number = parameter.size < kPointerBytes && (parameter.size & (parameter.size - 1)) == 0;
  return {name, parameter.size == kPointerBytes ? "f32[COUNT]:random" : may_be_number ? "1024" : "bytes:FILE.npy"};
}

}  // namespace gpusim::launch
