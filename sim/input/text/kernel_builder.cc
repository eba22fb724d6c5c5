// SPDX-License-Identifier: MIT
#include "sim/input/text/kernel_builder.h"

#include <memory>
#include <utility>

#include "sim/input/text/block_expander.h"
#include "sim/input/text/code_writer.h"
#include "sim/input/text/convergence.h"
#include "sim/input/text/declarations.h"
#include "sim/input/text/instruction_reader.h"
#include "sim/input/text/kernel_checks.h"
#include "sim/input/text/kernel_head.h"
#include "sim/input/text/l2_window.h"
#include "sim/input/text/labels.h"
#include "sim/model/trace/behaviour.h"

namespace gpusim::frontend {
namespace {

/// Puts together what makes a kernel. Owns the kernel and its draft while they are made.
class KernelBuilder {
 public:
  KernelBuilder(const Syntax& syntax, const KernelSyntax& source, Reporter& reporter, FileState& file)
      : syntax_(syntax), source_(source), reporter_(reporter), file_(file) {}

  [[nodiscard]] std::optional<trace::Kernel> build();

 private:
  void read_declarations();
  void check();
  [[nodiscard]] bool compile();

  const Syntax& syntax_;
  const KernelSyntax& source_;
  Reporter& reporter_;
  FileState& file_;
  trace::Kernel kernel_;
  trace::ProgramDraft draft_;
  Environment names_{syntax_, reporter_, draft_.pool};
  Declarations declarations_{names_};
  Labels labels_{reporter_};
  CodeWriter writer_{source_.name.place, reporter_, file_, kernel_, draft_};
  ConvergenceReader convergence_{names_, labels_, kernel_, draft_};
  InstructionReader instructions_{names_, file_.warnings, declarations_, labels_, writer_, convergence_, kernel_};
  BlockExpander code_{names_, labels_, writer_, instructions_};
};

std::optional<trace::Kernel> KernelBuilder::build() {
  kernel_.name = source_.name.text;
  kernel_.where = {syntax_.file, source_.name.place.line, source_.name.place.column};
  for (const auto& [name, value] : file_.constants) {
    names_.bind_constant(name, value);
  }
  for (const auto& [parameter, word] : file_.words) {
    names_.bind_word(parameter, word);
  }
  read_head(source_, names_, kernel_);
  read_declarations();
  bind_places(kernel_, names_);
  code_.expand(source_.code);
  labels_.resolve(draft_);
  check();
  if (reporter_.any() || !compile()) {
    return std::nullopt;
  }
  return std::move(kernel_);
}

void KernelBuilder::read_declarations() {
  for (const std::vector<BufferSyntax>* const buffers : {&syntax_.buffers, &source_.buffers}) {
    for (const BufferSyntax& buffer : *buffers) {
      declarations_.buffers.declare(buffer, file_.layout, bytes_of_space(buffer.space, source_, kernel_));
    }
  }
  if (source_.window) {
    kernel_.window = read_window(*source_.window, declarations_.buffers, names_);
  }
  for (const MbarrierSyntax& mbarrier : source_.mbarriers) {
    declarations_.mbarriers.declare(mbarrier, bytes_of_space(isa::MemSpace::kShared, source_, kernel_));
  }
  for (const TensorMapSyntax& map : source_.tensor_maps) {
    declarations_.tensor_maps.declare(map);
  }
}

void KernelBuilder::check() {
  convergence_.check();
  if (check_end(syntax_, source_, draft_, labels_, reporter_)) {
    writer_.check_control();
  }
  check_live_guards(kernel_, reporter_);
  check_registers(source_, kernel_, reporter_);
}

/// False when a loop never ends, which is reported.
bool KernelBuilder::compile() {
  writer_.write_targets();
  draft_.file = syntax_.file;
  draft_.kernel = kernel_.name;
  draft_.grid = kernel_.grid;
  draft_.block = kernel_.block;
  draft_.cluster = kernel_.cluster;
  declarations_.move_to(kernel_, draft_);
  if (!check_loops(draft_, reporter_)) {
    return false;
  }
  kernel_.edges = trace::instruction_edges(draft_);
  kernel_.behaviour = std::make_shared<const trace::Behaviour>(trace::compile(draft_, kernel_.code));
  return true;
}

}  // namespace

std::optional<trace::Kernel> build_kernel(const Syntax& syntax, const KernelSyntax& source, Reporter& reporter,
                                          FileState& file) {
  try {
    return KernelBuilder(syntax, source, reporter, file).build();
  } catch (const trace::ExpressionTooLarge& error) {
    reporter.add(source.name.place, error.what);
  } catch (const KernelGivenUp&) {
    // Its reason has been told, with its place.
  }
  return std::nullopt;
}

}  // namespace gpusim::frontend
