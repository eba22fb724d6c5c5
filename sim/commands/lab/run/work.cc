// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/work.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/run/lab_fault.h"
#include "sim/commands/lab/run/origins.h"
#include "sim/model/isa/flops.h"
#include "sim/model/trace/box.h"
#include "sim/model/trace/trace.h"
#include "sim/model/trace/walker.h"

namespace gpusim::lab {
namespace {

constexpr std::uint64_t kWordBytes = 4;
constexpr std::uint64_t kWidestAccess = 16;  // bytes of a lane

/// Bytes of one buffer, a bit each.
class ByteSet {
 public:
  ByteSet() = default;
  ByteSet(const ByteSet&) = delete;  // it points into itself
  ByteSet& operator=(const ByteSet&) = delete;

  /// Whether any of them was in it before.
  bool add(std::uint64_t begin, std::uint64_t size) {
    bool any = false;
    for (const std::uint64_t end = begin + size; begin < end;) {
      const std::uint64_t count = std::min(kWordBits - begin % kWordBits, end - begin);
      const std::uint64_t bits = ~std::uint64_t{0} >> (kWordBits - count) << begin % kWordBits;
      std::uint64_t& word = chunk_at(begin / kChunkBytes)[begin % kChunkBytes / kWordBits];
      any = any || (word & bits) != 0;
      word |= bits;
      begin += count;
    }
    return any;
  }
  /// The first byte that the other set lacks, and how many those are.
  struct Missing {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  [[nodiscard]] Missing missing_in(const ByteSet& other) const {
    static constexpr Chunk kNone{};
    Missing missing;
    for (const auto& [number, chunk] : chunks_) {
      const auto found = other.chunks_.find(number);
      const Chunk& theirs = found == other.chunks_.end() ? kNone : found->second;
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        const std::uint64_t lacking = chunk[i] & ~theirs[i];
        if (lacking != 0 && missing.count == 0) {
          missing.first = number * kChunkBytes + i * 64 + static_cast<unsigned>(std::countr_zero(lacking));
        }
        missing.count += static_cast<unsigned>(std::popcount(lacking));
      }
    }
    return missing;
  }

 private:
  static constexpr std::uint64_t kWordBits = 64;
  static constexpr std::uint64_t kChunkBytes = 4096;
  using Chunk = std::array<std::uint64_t, kChunkBytes / kWordBits>;

  Chunk& chunk_at(std::uint64_t number) {
    if (last_ == nullptr || number != last_number_) {
      last_ = &chunks_[number];
      last_number_ = number;
    }
    return *last_;
  }

  std::map<std::uint64_t, Chunk> chunks_;
  Chunk* last_ = nullptr;  ///< the chunk that was used last, and its number
  std::uint64_t last_number_ = 0;
};

/// What a trace does to the global buffer of a name; all its kernels together.
struct BufferUse {
  ByteSet read;
  ByteSet written;
  ByteSet again;                              ///< what plain stores write more than once
  std::uint64_t least_bytes = kWidestAccess;  ///< bytes of the narrowest lane access
};

class TraceWork {
 public:
  explicit TraceWork(const trace::Trace& trace) : file_(trace.path) {
    for (const trace::Kernel& kernel : trace.kernels) {
      walk(kernel);
    }
  }
  [[nodiscard]] const std::map<std::string, BufferUse>& buffers() const { return buffers_; }
  [[nodiscard]] std::uint64_t flops() const { return flops_; }
  [[nodiscard]] const BufferUse& buffer(const std::string& name) const {
    static const BufferUse kNone;
    const auto found = buffers_.find(name);
    return found == buffers_.end() ? kNone : found->second;
  }

 private:
  void walk(const trace::Kernel& kernel);
  void walk_cta(const trace::Kernel& kernel, trace::CtaId cta);
  void take_access(const trace::Kernel& kernel, const isa::Instr& instr, const trace::Step& step,
                   const trace::LaneAddresses& at);
  void take_copy(const trace::Kernel& kernel, const trace::AsyncOperands& copy);
  void take(const trace::Kernel& kernel, isa::OpKind kind, Address begin, std::uint64_t bytes);

  std::string file_;
  std::map<std::string, BufferUse> buffers_;
  std::uint64_t steps_ = 0;
  std::uint64_t flops_ = 0;
};

void TraceWork::take(const trace::Kernel& kernel, isa::OpKind kind, Address begin, std::uint64_t bytes) {
  const auto holds = [begin](const trace::Buffer& buffer) {
    return buffer.space == isa::MemSpace::kGlobal && begin >= buffer.base && begin < buffer.base + buffer.bytes;
  };
  const auto found = std::ranges::find_if(kernel.buffers, holds);
  if (found == kernel.buffers.end()) {
    return;  // a recording knows no buffers
  }
  BufferUse& use = buffers_[found->name];
  use.least_bytes = std::min(use.least_bytes, bytes);
  const Address at = begin - found->base;
  const bool is_atomic = kind == isa::OpKind::kAtomic || kind == isa::OpKind::kReduction;
  if (kind == isa::OpKind::kStore || is_atomic) {
    if (use.written.add(at, bytes) && !is_atomic) {
      use.again.add(at, bytes);
    }
  } else {
    use.read.add(at, bytes);
  }
}

void TraceWork::take_access(const trace::Kernel& kernel, const isa::Instr& instr, const trace::Step& step,
                            const trace::LaneAddresses& at) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((step.mask >> lane & 1U) != 0) {
      take(kernel, instr.kind, at.base + static_cast<Address>(at.offsets[lane]), instr.bytes_per_lane);
    }
  }
}

void TraceWork::take_copy(const trace::Kernel& kernel, const trace::AsyncOperands& copy) {
  if (copy.action == trace::AsyncAction::kNone || trace::is_move(copy.action)) {
    return;
  }
  const isa::OpKind kind = copy.action == trace::AsyncAction::kStore    ? isa::OpKind::kStore
                           : copy.action == trace::AsyncAction::kReduce ? isa::OpKind::kReduction
                                                                        : isa::OpKind::kLoad;
  for (trace::BoxRows rows(copy); !rows.done(); rows.advance()) {
    take(kernel, kind, rows.row().begin, rows.row().bytes);
  }
}

void TraceWork::walk_cta(const trace::Kernel& kernel, trace::CtaId cta) {
  for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
    trace::Walker walker(kernel, cta, warp);
    trace::Step step;
    while (walker.next(step)) {
      if (++steps_ > kMostWalked) {
        throw CannotFinishError(file_ + ": is longer than " + with_thousands(kMostWalked) +
                                " warp instructions, far more than this lab needs");
      }
      const isa::Instr& instr = kernel.code[step.pc];
      const std::uint64_t units =
          isa::is_tensor(instr.flop_class) ? std::uint64_t{step.mask != 0} : std::popcount(step.mask);
      flops_ += units * isa::flops_of(instr);
      if (instr.space == isa::MemSpace::kGlobal && step.mask != 0) {
        take_access(kernel, instr, step, walker.addresses(trace::AccessSlot::kPrimary));
      } else if (instr.kind == isa::OpKind::kTensorCopy && step.mask != 0) {
        take_copy(kernel, walker.async_operands());
      }
    }
  }
}

void TraceWork::walk(const trace::Kernel& kernel) {
  for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
    walk_cta(kernel, trace::cta_at(cta, kernel.grid));
  }
}

/// "the first at byte 128 of 'y' (element 32, if one has 4 bytes), 4,096 bytes in all". Lanes that access more bytes
/// than an element can have access several.
std::string place_text(const std::string& buffer, const ByteSet::Missing& missing, std::uint64_t lane_bytes) {
  constexpr std::uint64_t kWidestElement = 8;
  const std::string element = lane_bytes > kWidestElement ? ""
                                                          : fmt::format(" (element {}, if one has {})",
                                                                        with_thousands(missing.first / lane_bytes),
                                                                        counted(lane_bytes, "byte"));
  return fmt::format("the first at byte {} of '{}'{}, {} in all", with_thousands(missing.first), buffer, element,
                     counted(missing.count, "byte"));
}

/// One way in which a buffer may be used wrongly.
struct Rule {
  std::string_view mistake;
  std::string_view what;
  ByteSet::Missing (*find)(const BufferUse& own, const BufferUse& like);
};

constexpr std::array<Rule, 4> kRules{{
    {"not-written", "The kernel leaves out bytes that it should write: ",
     [](const BufferUse& own, const BufferUse& like) { return like.written.missing_in(own.written); }},
    {"written-beyond", "The kernel writes bytes that it should leave alone: ",
     [](const BufferUse& own, const BufferUse& like) { return own.written.missing_in(like.written); }},
    {"written-again", "The kernel writes bytes more than once: ",
     [](const BufferUse& own, const BufferUse& like) { return own.again.missing_in(like.again); }},
    {"not-read", "The kernel does not read bytes that its result depends on: ",
     [](const BufferUse& own, const BufferUse& like) { return like.read.missing_in(own.read); }},
}};

bool is_executed(const trace::Trace& trace) {
  return std::ranges::any_of(trace.kernels, [](const trace::Kernel& kernel) { return trace::is_executed(kernel); });
}

/// The first word that is computed from other elements than it should be, or what of `own` hides that. Where `like`
/// itself is not followed the lab asks for the right bytes alone.
Work compare_origins(const trace::Trace& own, const trace::Trace& like, bool are_sums) {
  const Origins theirs = of_lab([&like] { return origins_of(like); });
  if (!theirs.not_followed.empty()) {
    return {"", "What the results are computed from is not compared: the check cannot follow " + theirs.not_followed +
                    " of the lab's own kernel."};
  }
  Origins ours = origins_of(own);
  if (!ours.not_followed.empty()) {
    return {"not-followed", "The check cannot tell what the results are computed from, because it cannot follow " +
                                printable(ours.not_followed) + "."};
  }
  const auto found = [](std::string_view mistake, std::uint64_t word, const std::string& buffer,
                        std::string_view what) {
    return Work{std::string(mistake), fmt::format("What the kernel writes at byte {} of '{}' {}.",
                                                  with_thousands(word * kWordBytes), buffer, what)};
  };
  Work other_counts;
  for (const auto& [name, words] : theirs.buffers) {
    const WrittenWords& own_words = ours.buffers[name];
    const auto is_from_others = [&own_words](std::uint64_t word, const Origin& origin) {
      const Origin* const written = own_words.find(word);
      return written != nullptr && !written->has_elements_of(origin);
    };
    const auto has_other_uses = [&own_words](std::uint64_t word, const Origin& origin) {
      const Origin* const written = own_words.find(word);
      return written != nullptr && written->uses != origin.uses;
    };
    if (const auto word = words.first_where(is_from_others)) {
      return found("other-sources", *word, name, "is computed from other elements than it should be");
    }
    const auto word = are_sums && other_counts.mistake.empty() ? words.first_where(has_other_uses) : std::nullopt;
    if (word) {
      other_counts = found("other-counts", *word, name,
                           "has all of its elements, but some of them more or less often than it should");
    }
  }
  return other_counts;
}

/// Which elements a result is computed from says nothing of the arithmetic: a kernel could leave it out.
Work compare_flops(std::uint64_t own, std::uint64_t like) {
  constexpr double kLeastShare = 0.8;  // sums may begin with their first element in place of zero
  if (static_cast<double>(own) >= kLeastShare * static_cast<double>(like)) {
    return {};
  }
  return {"fewer-flops",
          fmt::format("The kernel does {} FLOPs, and the work takes {}.", with_thousands(own), with_thousands(like))};
}

}  // namespace

Work compare_work(const trace::Trace& own, const trace::Trace& like, bool are_sums) {
  const TraceWork of_like = of_lab([&like] { return TraceWork(like); });
  const TraceWork of_own(own);
  for (const Rule& rule : kRules) {
    for (const TraceWork* const side : {&of_like, &of_own}) {
      for (const auto& [name, use] : side->buffers()) {
        const ByteSet::Missing missing = rule.find(of_own.buffer(name), of_like.buffer(name));
        if (missing.count != 0) {
          return {std::string(rule.mistake), std::string(rule.what) + place_text(name, missing, use.least_bytes) + "."};
        }
      }
    }
  }
  if (is_executed(own) || is_executed(like)) {
    return {};
  }
  Work work = compare_origins(own, like, are_sums);
  return work.mistake.empty() && work.said.empty() ? compare_flops(of_own.flops(), of_like.flops()) : work;
}

}  // namespace gpusim::lab
