// SPDX-License-Identifier: MIT
#include "sim/system/generate/demos.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "sim/base/text.h"
#include "sim/system/generate/frame.h"
#include "sim/system/generate/step_builder.h"

namespace gpusim::generate {

using namespace application;

namespace {

Application begin(std::string name, std::string description) {
  Application out;
  out.name = std::move(name);
  out.description = std::move(description);
  out.warm_up = 1;
  out.repeats = 3;
  out.streams = {{std::string(kDefaultStream), true}};
  return out;
}

void add_main(Application& application, Calls calls) {
  calls.push_back({Synchronize{}, {}});
  application.bodies.push_back(std::move(calls));
  application.threads.push_back({"main", "", static_cast<Index>(application.bodies.size() - 1), false, {}});
}

/// An array times or plus a number: it reads one array and writes one, as a copy does.
KernelForm elementwise(std::uint64_t elements) {
  return {Simulated{"copy", {{"n", std::to_string(elements)}, {"threads", "128"}}}, 0};
}

void launch_chain(const Chain& chain, StepBuilder& builder) {
  if (chain.operations > 1) {
    builder.begin_repeat(chain.operations / 2);
    builder.launch("multiply", elementwise(chain.elements));
    builder.launch("add", elementwise(chain.elements));
    builder.end();
  }
  if (chain.operations % 2 == 1) {
    builder.launch("multiply", elementwise(chain.elements));
  }
}

}  // namespace

Application elementwise_chain(const Chain& chain) {
  Application out =
      begin("Chain of " + counted(chain.operations, "element-wise kernel"),
            "each of " + counted(chain.elements, "element") + ", " + std::string(arch::word_of(chain.mode)));
  StepBuilder builder(out, chain.mode == Mode::kEager ? chain.operator_ns : 0);
  if (is_compiled(chain.mode)) {  // a compiler makes one kernel of all
    builder.launch("multiply and add", elementwise(chain.elements));
  } else {
    launch_chain(chain, builder);
  }
  add_main(out, as_launched(chain.mode, out, builder.take()));
  return out;
}

Application overlap_demo(const Target& target, const Overlap& overlap) {
  Application out = begin("Products on " + counted(overlap.streams, "stream"),
                          counted(overlap.products, "product") + " of " + std::to_string(overlap.size) + " x " +
                              std::to_string(overlap.size));
  const KernelForm form = product(target, Precision::kBf16, overlap.size, overlap.size, overlap.size);
  Kernel kernel;
  kernel.name = "product";
  kernel.flops = form.flops;
  std::visit([&](const auto& how) { kernel.how = how; }, form.how);
  out.kernels.push_back(std::move(kernel));
  Repeat turns{overlap.products / overlap.streams, {}};
  const std::uint64_t rest = overlap.products % overlap.streams;
  for (Index stream = 1; stream <= overlap.streams; ++stream) {
    out.streams.push_back({"stream" + std::to_string(stream), false});
    turns.body.push_back({Work{overlap.operator_ns, "aten::mm"}, {}});
    turns.body.push_back({Launch{0, stream}, {}});
  }
  const Calls last(turns.body.begin(), turns.body.begin() + static_cast<std::ptrdiff_t>(2 * rest));
  Calls calls;
  if (turns.times > 0) {
    calls.push_back({std::move(turns), {}});
  }
  std::ranges::copy(last, std::back_inserter(calls));
  add_main(out, std::move(calls));
  return out;
}

Application dataloader(const Loader& loader) {
  Application out = begin("Data loader with " + counted(loader.workers, "worker"), "batches are made, copied and used");
  out.warm_up = 3;
  out.repeats = 12;
  Kernel step;
  step.name = "step";
  step.how = Recorded{loader.step_ns};
  out.kernels.push_back(std::move(step));
  Calls calls;
  const Work make{loader.batch_ns, "decode and transform"};
  if (loader.workers == 0) {
    calls.push_back({make, {}});
  } else {
    out.queues.push_back({"batches", static_cast<std::uint32_t>(2 * loader.workers)});  // PyTorch's prefetch_factor
    calls.push_back({Take{0}, {}});
  }
  Copy copy;
  copy.bytes = loader.bytes;
  copy.memory = loader.pinned ? HostMemory::kPinned : HostMemory::kPageable;
  calls.push_back({copy, {}});
  calls.push_back({Launch{0, 0}, {}});
  add_main(out, std::move(calls));
  if (loader.workers > 0) {
    out.bodies.push_back({Call{make, {}}, Call{Put{0}, {}}});
  }
  for (std::uint64_t worker = 0; worker < loader.workers; ++worker) {
    out.threads.push_back({"worker" + std::to_string(worker), "", 1, true, {}});
  }
  return out;
}

}  // namespace gpusim::generate
