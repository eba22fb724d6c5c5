// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/extra_lines.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <utility>

#include "sim/base/address_space.h"
#include "sim/input/accelsim/code_line.h"
#include "sim/input/accelsim/tokens.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr const char* kExpected =
    "expected version = 1, shared = STATIC DYNAMIC, barriers = N, local = FIRST BYTES, buffer = "
    "global|shared|local ADDRESS BYTES NAME, "
    "instructions = N, or code, with addresses below 2^49";
/// What every header has that has lines of gpusim's own.
constexpr std::array<std::string_view, 4> kOnce{"version", "shared", "barriers", "instructions"};
constexpr const char* kTakeOut = "take the -gpusim lines out, all of them, and everything is inferred";

std::string extra_line(std::string_view key, const std::string& value) {
  return std::string(kExtraLine) + std::string(key) + " = " + value + '\n';
}

std::string text_of(const trace::Buffer& buffer) {
  std::array<char, 32> base{};
  std::snprintf(base.data(), base.size(), "0x%" PRIx64, buffer.base);
  const std::string_view space = buffer.space == isa::MemSpace::kShared  ? "shared "
                                 : buffer.space == isa::MemSpace::kLocal ? "local "
                                                                         : "global ";
  return std::string(space) + base.data() + ' ' + std::to_string(buffer.bytes) + ' ' + buffer.name;
}

}  // namespace

std::string extra_lines(const trace::Kernel& kernel) {
  std::string lines = extra_line("version", std::to_string(kVersion));
  lines += extra_line("shared",
                      std::to_string(kernel.shared_static_bytes) + ' ' + std::to_string(kernel.shared_dynamic_bytes));
  lines += extra_line("barriers", std::to_string(kernel.barriers));
  if (kernel.local.bytes != 0) {
    lines += extra_line("local", std::to_string(kernel.local.base) + ' ' + std::to_string(kernel.local.bytes));
  }
  for (const trace::Buffer& buffer : kernel.buffers) {
    lines += extra_line("buffer", text_of(buffer));
  }
  lines += extra_line("instructions", std::to_string(kernel.code.size()));
  auto edge = kernel.edges.begin();
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    CodeLine line{kernel.code[i], kernel.texts[i], {}};
    for (; edge != kernel.edges.end() && edge->from == i; ++edge) {
      line.next.push_back(edge->to);
    }
    lines += extra_line("code", to_text(line));
  }
  return lines;
}

void ExtraLines::read(std::string_view line, const SourceLocation& where, ProblemList& problems) {
  const std::size_t equals = std::min(line.find('='), line.size());
  const std::string_view key = trimmed(line.substr(kExtraLine.size(), equals - std::min(equals, kExtraLine.size())));
  const std::string_view value = equals < line.size() ? trimmed(line.substr(equals + 1)) : std::string_view{};
  std::string_view wrong = value.empty() ? key : value;
  bool good = false;
  if (std::ranges::find(kOnce, key) != kOnce.end() && !seen_.emplace(key).second) {
    problems.add({where, "the header has a '-gpusim " + std::string(key) + "' already", ""});
    return;
  }
  if (key == "code") {
    CodeLine read;
    good = parse_code_line(value, read, wrong);
    for (const std::uint32_t to : read.next) {
      edges.push_back({static_cast<std::uint32_t>(code.size()), to});
    }
    code.push_back(read.instr);
    texts.push_back(std::move(read.text));
  } else {
    good = read_value(key, value);
  }
  if (!good) {
    SourceLocation at = where;
    at.column = wrong.data() == nullptr ? 1 : static_cast<std::uint32_t>(wrong.data() - line.data()) + 1;
    problems.add({std::move(at), "'" + std::string(wrong.substr(0, 60)) + "' makes no sense in a -gpusim line",
                  key == "code" ? "" : kExpected});
  }
}

bool ExtraLines::read_value(std::string_view key, std::string_view value) {
  if (key == "version") {
    return to_number<std::uint32_t>(value, 10) == kVersion;
  }
  if (key == "shared") {
    return read_shared(value);
  }
  if (key == "barriers") {
    const auto count = to_number<std::uint32_t>(value, 10);
    barriers_ = count.value_or(1);
    return count && *count <= kMostNamedBarriers;
  }
  if (key == "local") {
    return read_local(value);
  }
  if (key == "instructions") {
    const auto count = to_number<std::uint64_t>(value, 10);
    instructions_ = count.value_or(0);
    return count.has_value();
  }
  return key == "buffer" && read_buffer(value);
}

bool ExtraLines::read_shared(std::string_view value) {
  Tokens tokens(value);
  const auto fixed = to_number<std::uint64_t>(tokens.next(), 10);
  const auto dynamic = to_number<std::uint64_t>(tokens.next(), 10);
  shared_static_ = fixed.value_or(0);
  shared_dynamic_ = dynamic.value_or(0);
  return fixed && dynamic && *fixed <= kMostSharedBytes && *dynamic <= kMostSharedBytes && tokens.empty();
}

bool ExtraLines::read_local(std::string_view value) {
  Tokens tokens(value);
  const auto base = to_number<std::uint64_t>(tokens.next(), 10);
  const auto bytes = to_number<std::uint64_t>(tokens.next(), 10);
  local_ = {base.value_or(0), bytes.value_or(0)};
  return base && bytes && *bytes <= trace::LocalMemory::kMostBytes && fits_global(*base, *bytes) && tokens.empty();
}

bool ExtraLines::read_buffer(std::string_view value) {
  Tokens tokens(value);
  const std::string_view space = tokens.next();
  const auto base = to_address(tokens.next());
  const auto bytes = to_number<std::uint64_t>(tokens.next(), 10);
  const std::string_view name = tokens.next();
  if ((space != "global" && space != "shared" && space != "local") || !base || !bytes || !fits_global(*base, *bytes) ||
      name.empty()) {
    return false;
  }
  const isa::MemSpace kind = space == "shared"  ? isa::MemSpace::kShared
                             : space == "local" ? isa::MemSpace::kLocal
                                                : isa::MemSpace::kGlobal;
  buffers_.push_back({std::string(name), kind, *base, *bytes});
  return true;
}

void ExtraLines::check(const SourceLocation& where, ProblemList& problems) const {
  if (seen_.empty() && code.empty() && buffers_.empty()) {
    return;
  }
  for (const std::string_view key : kOnce) {
    if (!seen_.contains(key)) {
      problems.add({where, "the header has -gpusim lines, but no '-gpusim " + std::string(key) + "'", kTakeOut});
    }
  }
  if (seen_.contains("instructions") && (instructions_ != code.size() || code.empty())) {
    problems.add({where,
                  "the header has " + std::to_string(code.size()) + " -gpusim code lines, but says " +
                      std::to_string(instructions_),
                  kTakeOut});
  }
  for (const trace::Edge& edge : edges) {
    if (edge.to != trace::kExitNode && edge.to >= code.size()) {
      problems.add({where, "next=" + std::to_string(edge.to) + " of '" + texts[edge.from].text + "' leads nowhere",
                    "there are " + std::to_string(code.size()) + " -gpusim code lines"});
      return;
    }
  }
}

void ExtraLines::apply(trace::Kernel& kernel) const {
  kernel.shared_static_bytes = shared_static_;
  kernel.shared_dynamic_bytes = shared_dynamic_;
  kernel.barriers = barriers_;
  if (local_) {
    kernel.local = *local_;
  }
  kernel.buffers = buffers_;
  kernel.code = code;
  kernel.texts = texts;
  kernel.edges = edges;
  std::ranges::sort(kernel.edges, {}, [](const trace::Edge& edge) { return std::pair(edge.from, edge.to); });
  kernel.edges.erase(std::unique(kernel.edges.begin(), kernel.edges.end()), kernel.edges.end());
  kernel.control_recorded = std::ranges::all_of(code, &isa::Instr::has_control);
}

}  // namespace gpusim::frontend::accelsim
