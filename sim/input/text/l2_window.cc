// SPDX-License-Identifier: MIT
#include "sim/input/text/l2_window.h"

#include <array>
#include <string_view>
#include <utility>

#include "sim/input/text/buffers.h"
#include "sim/input/text/environment.h"
#include "sim/input/text/scanner.h"

namespace gpusim::frontend {
namespace {

/// CUDA's cudaAccessProperty, by what it does to a line.
constexpr std::array<std::pair<std::string_view, Eviction>, 3> kAccessProperties{
    {{"persisting", Eviction::kLast}, {"streaming", Eviction::kFirst}, {"normal", Eviction::kNormal}}};

Eviction access_property(Scanner& in) {
  for (const auto& [word, eviction] : kAccessProperties) {
    if (in.accept(word)) {
      return eviction;
    }
  }
  in.fail("expected what L2 does with the lines of the window", "'persisting', 'streaming' or 'normal'");
}

}  // namespace

WindowSyntax parse_window(Scanner& in) {
  WindowSyntax made;
  made.buffer = in.name("the name of the window's buffer");
  made.hit = access_property(in);
  if (in.accept("for")) {
    made.percent = in.expression();
  }
  if (in.accept("else")) {
    made.miss = access_property(in);
    if (made.miss == Eviction::kLast) {
      in.fail("the other lines of a window cannot persist", "'streaming' or 'normal'");
    }
  }
  if (in.accept("set_aside")) {
    made.set_aside = in.expression();
  }
  return made;
}

std::optional<trace::L2Window> read_window(const WindowSyntax& syntax, const Buffers& buffers, Environment& names) {
  const trace::Buffer* const found = buffers.find(syntax.buffer.text);
  if (found == nullptr || found->space != isa::MemSpace::kGlobal) {
    names.reporter().add(syntax.buffer.place, "'" + syntax.buffer.text + "' is not a buffer in global memory",
                         "a window is over one of the kernel's buffers");
    return std::nullopt;
  }
  const trace::Buffer& buffer = *found;
  trace::L2Window window{buffer.name, buffer.base, buffer.bytes, 100, syntax.hit, syntax.miss, 0};
  constexpr std::int64_t kMostSetAside = std::int64_t{1} << 40U;
  if (syntax.percent != kNoSyntax) {
    window.hit_percent = static_cast<std::uint32_t>(names.constant_in(syntax.percent, "for", 0, 100).value_or(100));
  }
  if (syntax.set_aside != kNoSyntax) {
    window.set_aside_bytes =
        static_cast<std::uint64_t>(names.constant_in(syntax.set_aside, "set_aside", 1, kMostSetAside).value_or(0));
  }
  return window;
}

}  // namespace gpusim::frontend
