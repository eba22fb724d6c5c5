// SPDX-License-Identifier: MIT
#include "sim/input/text/buffers.h"

#include "sim/base/nearest.h"

namespace gpusim::frontend {
namespace {

using isa::MemSpace;
using trace::ExprId;
using trace::ExprOp;

/// Which declaration of a buffer an access needs.
MemSpace buffer_space(MemSpace space) {
  return space == MemSpace::kShared || space == MemSpace::kLocal ? space : MemSpace::kGlobal;
}

std::string_view memory_name(MemSpace space) {
  return space == MemSpace::kShared ? "shared" : space == MemSpace::kLocal ? "local" : "global";
}

}  // namespace

void Buffers::declare(const BufferSyntax& syntax, MemoryLayout& layout, std::uint64_t all_bytes) {
  const auto placed =
      syntax.space == MemSpace::kGlobal ? layout.place(syntax, names_) : layout.place_within(syntax, names_, all_bytes);
  const auto index = static_cast<std::uint32_t>(buffers_.size());
  if (!by_name_.emplace(syntax.name.text, Named{index, placed ? placed->element_bytes : 1}).second) {
    reporter_.add(syntax.name.place, "buffer '" + syntax.name.text + "' was declared before");
    return;
  }
  // A declaration with a problem still gives its name a meaning, or every use of it would be a problem too.
  buffers_.push_back(placed ? placed->buffer : trace::Buffer{syntax.name.text, MemSpace::kGlobal, 0, 0});
  if (placed && placed->table != nullptr) {
    const auto number = static_cast<std::uint32_t>(tables_.size());
    tables_.push_back(placed->table);
    table_names_.push_back(syntax.name.text);
    names_.declare(syntax.name, {trace::kNoExpr, number, placed->table.get()});
  } else if (syntax.table && !placed) {
    reporter_.excuse(syntax.name.text);
  }
}

const trace::Buffer* Buffers::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &buffers_[found->second.index];
}

void Buffers::report_undefined(const std::string& name, Place place) {
  std::vector<std::string_view> known;
  for (const trace::Buffer& buffer : buffers_) {
    known.push_back(buffer.name);
  }
  reporter_.add(place, "undefined buffer '" + name + "'",
                known.empty() ? "the kernel has no buffers" : suggestion(name, known));
}

trace::DraftAccess Buffers::access(const AccessSyntax& syntax, MemSpace space) {
  const auto found = by_name_.find(syntax.buffer);
  if (found == by_name_.end() && reporter_.excuses(syntax.buffer)) {
    reporter_.consequence();
    return {};
  }
  if (found == by_name_.end()) {
    report_undefined(syntax.buffer, syntax.place);
    return {};
  }
  const trace::Buffer& buffer = buffers_[found->second.index];
  if (buffer.bytes != 0 && buffer.space != buffer_space(space)) {
    reporter_.add(
        syntax.place,
        "'" + syntax.buffer + "' is in " + std::string(memory_name(buffer.space)) + " memory, the access is to " +
            std::string(memory_name(space)) + " memory",
        space == MemSpace::kLocal ? "declare 'local BYTES' and 'local_buffer NAME TYPE[COUNT] at OFFSET'" : "");
  }
  try {
    return {address(syntax, found->second), found->second.index, syntax.place};
  } catch (const trace::ExpressionTooLarge& error) {
    reporter_.add(syntax.place, error.what);
    if (error.is_pool_full) {
      throw KernelGivenUp{};
    }
    return {};
  }
}

ExprId Buffers::address(const AccessSyntax& syntax, const Named& named) {
  trace::ExprPool& pool = names_.pool();
  ExprId offset = syntax.expression == kNoSyntax ? pool.constant(0) : names_.build(syntax.expression);
  if (syntax.is_index) {
    offset = pool.node(ExprOp::kMultiply, offset, pool.constant(named.element_bytes));
  }
  if (syntax.expression != kNoSyntax) {
    names_.refuse_live(syntax.expression, offset, "an address");
  }
  return pool.node(ExprOp::kAdd, pool.constant(static_cast<std::int64_t>(buffers_[named.index].base)), offset);
}

void Buffers::move_to(trace::Kernel& kernel, trace::ProgramDraft& draft) {
  draft.buffers = buffers_;
  kernel.buffers = std::move(buffers_);
  draft.tables = std::move(tables_);
  draft.table_names = std::move(table_names_);
}

}  // namespace gpusim::frontend
