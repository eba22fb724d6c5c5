// SPDX-License-Identifier: MIT
#include "sim/commands/fit/answer.h"

#include <algorithm>
#include <utility>

#include "sim/base/units.h"
#include "sim/system/memory/message.h"

namespace gpusim::fit {

using memory::Replay;
using memory::Tape;

namespace {

/// More than any GPU has.
constexpr std::uint64_t kWithoutEnd = 1024 * kTi;

Trial try_tape(const Tape& tape, const memory::Offer& offer, std::string stage) {
  return {memory::replay(tape, kWithoutEnd), memory::replay(tape, offer.left()), std::move(stage)};
}

/// The largest number in [1, most] for which `holds`; it holds for all below such a number. 0: for none.
template <class Holds>
std::uint64_t largest(std::uint64_t most, const Holds& holds) {
  std::uint64_t good = 0;
  std::uint64_t bad = most + 1;
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

Trial try_training(const Training& training) {
  Trial worst;
  for (const memory::Stage& stage : memory::stages_of(training.model, training.plan)) {
    Trial trial = try_tape(memory::training_step(training.model, training.plan, stage), training.offer,
                           training.plan.pipeline == 1 ? ""
                           : stage.first               ? "first stage"
                                                       : "last stage");
    if (worst.whole.stats.peak_reserved < trial.whole.stats.peak_reserved) {
      worst = std::move(trial);
    }
  }
  return worst;
}

Trial try_inference(const Inference& inference) {
  return try_tape(memory::inference(inference.model, inference.plan), inference.offer, "");
}

Room room_of(const Inference& inference) {
  Room room;
  room.bytes_per_token = memory::cache_bytes_per_token(inference.model, inference.plan);
  Inference asked = inference;
  const auto fits = [&] {
    return !memory::replay(memory::inference(asked.model, asked.plan), asked.offer.left()).out_of_memory;
  };
  const std::uint64_t most = inference.offer.left() / room.bytes_per_token;
  room.sequences = largest(most / inference.plan.context, [&](std::uint64_t batch) {
    asked.plan.batch = batch;
    return fits();
  });
  asked.plan.batch = 1;
  room.tokens = largest(most, [&](std::uint64_t tokens) {
    asked.plan.context = tokens;
    asked.plan.prompt = tokens;
    return fits();
  });
  // vLLM measures a pass over the prompts, and gives the rest of its part of the GPU to the cache.
  constexpr std::uint64_t kPage = 16;
  constexpr double kPart = 0.9;
  asked.plan = inference.plan;
  const Replay whole = memory::replay(memory::inference(asked.model, asked.plan), kWithoutEnd);
  const std::uint64_t cache = whole.peak.shares[static_cast<std::size_t>(memory::Category::kCache)];
  const std::uint64_t other = whole.stats.peak_allocated - cache + inference.offer.context + inference.offer.nccl;
  const auto pool = static_cast<std::uint64_t>(kPart * static_cast<double>(inference.offer.total));
  room.paged_tokens = pool < other ? 0 : (pool - other) / room.bytes_per_token / kPage * kPage;
  return room;
}

std::string message_of(const Replay& limited, const memory::Offer& offer) {
  const memory::OutOfMemory& out = *limited.out_of_memory;
  return memory::out_of_memory_message(out.wanted, out.driver_free, offer, limited.stats);
}

}  // namespace gpusim::fit
