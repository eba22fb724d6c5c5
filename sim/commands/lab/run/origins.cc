// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/origins.h"

#include <array>
#include <charconv>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/hash.h"
#include "sim/base/text.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/model/trace/trace.h"
#include "sim/model/trace/walker.h"

namespace gpusim::lab {
namespace {

using isa::OpKind;
using isa::RegFile;

constexpr std::uint64_t kWord = 4;

/// The trace does something that is not followed.
struct NotFollowed {
  std::string what{};  ///< empty: the instruction that is being taken
};

/// Global memory: a word that nobody wrote is an element of its own.
class GlobalMemory {
 public:
  explicit GlobalMemory(Origins& origins) : origins_(origins) {}

  void enter(const trace::Kernel& kernel) {
    buffers_.clear();
    for (const trace::Buffer& buffer : kernel.buffers) {
      if (buffer.space == isa::MemSpace::kGlobal && buffer.bytes != 0) {
        buffers_.push_back({&buffer, digest_of(buffer.name), &origins_.buffers[buffer.name]});
      }
    }
  }

  [[nodiscard]] Origin load(Address at) const {
    const Place place = place_of(at);
    if (const Origin* const written = place.buffer->words->find(place.word)) {
      return *written;
    }
    const std::uint64_t element = mix64(place.buffer->digest + place.word);
    return {element | 1, mix64(element ^ place.buffer->digest) | 1, mix64(element)};
  }
  /// Part of a word leaves the rest of it as it is.
  void store(Address at, const Origin& origin, bool is_whole) {
    const Place place = place_of(at);
    Origin& word = place.buffer->words->write(place.word);
    is_whole ? void(word = origin) : word.add(origin);
  }

 private:
  struct Known {
    const trace::Buffer* buffer;
    std::uint64_t digest;
    WrittenWords* words;
  };
  struct Place {
    const Known* buffer;
    std::uint64_t word;
  };

  [[nodiscard]] Place place_of(Address at) const {
    for (const Known& known : buffers_) {
      if (at >= known.buffer->base && at < known.buffer->base + known.buffer->bytes) {
        return {&known, (at - known.buffer->base) / kWord};
      }
    }
    throw NotFollowed();
  }

  Origins& origins_;
  std::vector<Known> buffers_;
};

/// The lane that each lane of a shuffle reads; nothing where a register says it.
std::optional<std::uint32_t> shuffled_lane(const isa::InstrText& text, std::uint32_t lane) {
  // SHFL.BFLY PT, R14, R12, 0x10, 0x1f: the last operand but one, as a hexadecimal or a decimal number.
  const std::size_t last = text.text.rfind(',');
  const std::size_t before = last == std::string::npos ? last : text.text.rfind(',', last - 1);
  if (before == std::string::npos) {
    return std::nullopt;
  }
  std::size_t begin = text.text.find_first_not_of(' ', before + 1);
  const bool is_hexadecimal = text.text.compare(begin, 2, "0x") == 0;
  begin += is_hexadecimal ? 2 : 0;
  std::uint32_t by = 0;
  if (std::from_chars(text.text.data() + begin, text.text.data() + last, by, is_hexadecimal ? 16 : 10).ec !=
      std::errc()) {
    return std::nullopt;
  }
  const auto is = [&text](std::string_view mode) { return text.opcode.find(mode) != std::string::npos; };
  const std::uint32_t other = is(".BFLY") ? lane ^ by : is(".DOWN") ? lane + by : is(".UP") ? lane - by : by;
  return other < kWarpLanes ? other : lane;
}

/// Shared memory of a CTA, a word each 4 bytes.
class SharedMemory {
 public:
  void clear() { words_.clear(); }
  [[nodiscard]] Origin& at(Address address) {
    const std::size_t word = address / kWord;
    if (word >= kMostWords) {
      throw NotFollowed();
    }
    if (word >= words_.size()) {
      words_.resize(word + 1);
    }
    return words_[word];
  }

 private:
  static constexpr std::size_t kMostWords = (1U << 20U) / kWord;  // more than any CTA has
  std::vector<Origin> words_;
};

class Follower;

/// Words that LDGSTS are bringing to shared memory. They may arrive as late as at the wait for their group.
class PendingCopies {
 public:
  struct Word {
    Address at;
    Origin origin;
  };
  void add(const Word& word) { open_.push_back(word); }
  void close_group() { groups_.push_back(std::exchange(open_, {})); }
  /// Hands over the words of all groups but the `limit` youngest.
  template <typename Take>
  void wait(std::size_t limit, const Take& take) {
    for (; groups_.size() > limit; groups_.pop_front()) {
      for (const Word& word : groups_.front()) {
        take(word);
      }
    }
  }

 private:
  std::vector<Word> open_;
  std::deque<std::vector<Word>> groups_;
};

/// One warp: its walk, and what its registers were computed from.
class Warp {
 public:
  Warp(const trace::Kernel& kernel, trace::CtaId cta, std::uint32_t number)
      : kernel_(kernel), walker_(kernel, cta, number), registers_(std::size_t{256} * kWarpLanes) {}

  /// Up to the next barrier of the CTA; false when the warp has ended.
  bool run(Follower& follower);

  [[nodiscard]] Origin& at(std::uint32_t index, std::uint32_t lane) {
    return registers_[std::size_t{index} * kWarpLanes + lane];
  }

 private:
  friend class Follower;
  const trace::Kernel& kernel_;
  trace::Walker walker_;
  std::vector<Origin> registers_;
  std::unordered_map<std::uint64_t, Origin> local_;  ///< by lane and word
  PendingCopies copies_;
};

/// Does what instructions do with origins.
class Follower {
 public:
  explicit Follower(Origins& origins) : global_(origins) {}

  void follow(const trace::Kernel& kernel);
  /// Whether the warp goes on without waiting for the others.
  bool take(Warp& warp, const trace::Step& step);

 private:
  void follow_cta(const trace::Kernel& kernel, trace::CtaId cta);
  void load(Warp& warp, const isa::Instr& instr, LaneMask mask);
  void load_matrices(Warp& warp, const isa::Instr& instr, const isa::InstrText& text);
  void store(Warp& warp, const isa::Instr& instr, LaneMask mask);
  void copy_to_shared(Warp& warp, const isa::Instr& instr, LaneMask mask);
  void compute(Warp& warp, const isa::Instr& instr, const isa::InstrText& text, LaneMask mask);
  void shuffle(Warp& warp, const isa::Instr& instr, const isa::InstrText& text, LaneMask mask);
  void multiply(Warp& warp, const isa::Instr& instr);
  [[nodiscard]] Origin load_word(Warp& warp, isa::MemSpace space, std::uint32_t lane, Address at);
  void store_word(Warp& warp, isa::MemSpace space, std::uint32_t lane, Address at, const Origin& origin, bool is_whole);

  GlobalMemory global_;
  SharedMemory shared_;
  std::uint64_t steps_ = 0;
};

bool is_set(LaneMask mask, std::uint32_t lane) {
  return (mask >> lane & 1U) != 0;
}

std::uint32_t words_of(const isa::Instr& instr) {
  return std::max<std::uint32_t>(instr.bytes_per_lane / kWord, 1);
}

/// What an access stores: the operands behind the address.
std::vector<isa::Operand> data_of(const isa::Instr& instr) {
  std::vector<isa::Operand> data;
  for (const isa::Operand& source : instr.sources) {
    if (source.file == RegFile::kGeneral && source.is_real() && source.slot > 0) {
      data.push_back(source);
    }
  }
  return data;
}

Origin Follower::load_word(Warp& warp, isa::MemSpace space, std::uint32_t lane, Address at) {
  switch (space) {
    case isa::MemSpace::kGlobal: return global_.load(at);
    case isa::MemSpace::kShared: return shared_.at(at);
    case isa::MemSpace::kLocal: return warp.local_[at / kWord * kWarpLanes + lane];
    case isa::MemSpace::kConstant: return {};
    default: throw NotFollowed();
  }
}

void Follower::store_word(Warp& warp, isa::MemSpace space, std::uint32_t lane, Address at, const Origin& origin,
                          bool is_whole) {
  const auto put = [&](Origin& word) { is_whole ? void(word = origin) : word.add(origin); };
  switch (space) {
    case isa::MemSpace::kGlobal: global_.store(at, origin, is_whole); break;
    case isa::MemSpace::kShared: put(shared_.at(at)); break;
    case isa::MemSpace::kLocal: put(warp.local_[at / kWord * kWarpLanes + lane]); break;
    default: throw NotFollowed();
  }
}

void Follower::load(Warp& warp, const isa::Instr& instr, LaneMask mask) {
  if (instr.space == isa::MemSpace::kConstant || instr.destinations[0].file != RegFile::kGeneral) {
    return;
  }
  const trace::LaneAddresses at = warp.walker_.addresses(trace::AccessSlot::kPrimary);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (std::uint32_t word = 0; is_set(mask, lane) && word < words_of(instr); ++word) {
      const Address address = at.base + static_cast<Address>(at.offsets[lane]) + word * kWord;
      warp.at(instr.destinations[0].index + word, lane) = load_word(warp, instr.space, lane, address);
    }
  }
}

/// LDSM: lane i gives row i % 8 of matrix i / 8; a lane gets two neighbours of a row, or of a column with .T.
void Follower::load_matrices(Warp& warp, const isa::Instr& instr, const isa::InstrText& text) {
  const trace::LaneAddresses at = warp.walker_.addresses(trace::AccessSlot::kPrimary);
  const bool is_transposed = text.opcode.find("MT") != std::string::npos;
  const auto element = [&](std::uint32_t matrix, std::uint32_t row, std::uint32_t column) {
    return shared_.at(at.base + static_cast<Address>(at.offsets[matrix * 8 + row]) + column * 2);
  };
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (std::uint32_t matrix = 0; matrix < instr.matrices; ++matrix) {
      const std::uint32_t major = lane / 4;
      const std::uint32_t minor = lane % 4 * 2;
      Origin pair = is_transposed ? element(matrix, minor, major) : element(matrix, major, minor);
      pair.add(is_transposed ? element(matrix, minor + 1, major) : element(matrix, major, minor + 1));
      warp.at(instr.destinations[0].index + matrix, lane) = pair;
    }
  }
}

/// Stores and atomics: an atomic leaves what was there, with what it adds.
void Follower::store(Warp& warp, const isa::Instr& instr, LaneMask mask) {
  const std::vector<isa::Operand> data = data_of(instr);
  const bool is_store = instr.kind == OpKind::kStore;
  const trace::LaneAddresses at = warp.walker_.addresses(trace::AccessSlot::kPrimary);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (std::uint32_t word = 0; is_set(mask, lane) && word < words_of(instr); ++word) {
      const Address address = at.base + static_cast<Address>(at.offsets[lane]) + word * kWord;
      Origin origin;
      for (const isa::Operand& operand : data) {
        origin.add(warp.at(operand.index + std::min<std::uint32_t>(word, operand.width - 1U), lane));
      }
      if (instr.kind == OpKind::kAtomic && instr.destinations[0].file == RegFile::kGeneral) {
        warp.at(instr.destinations[0].index, lane) = load_word(warp, instr.space, lane, address);
      }
      store_word(warp, instr.space, lane, address, origin, is_store && instr.bytes_per_lane >= kWord);
    }
  }
}

void Follower::copy_to_shared(Warp& warp, const isa::Instr& instr, LaneMask mask) {
  std::array<Address, kWarpLanes> from{};
  const trace::LaneAddresses source = warp.walker_.addresses(trace::AccessSlot::kPrimary);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    from[lane] = is_set(mask, lane) ? source.base + static_cast<Address>(source.offsets[lane]) : 0;
  }
  const trace::LaneAddresses to = warp.walker_.addresses(trace::AccessSlot::kSharedDestination);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (std::uint32_t word = 0; is_set(mask, lane) && word < words_of(instr); ++word) {
      const Address at = to.base + static_cast<Address>(to.offsets[lane]) + word * kWord;
      static_cast<void>(shared_.at(at));  // an address beyond shared memory is one of this instruction
      warp.copies_.add({at, global_.load(from[lane] + word * kWord)});
    }
  }
}

void Follower::shuffle(Warp& warp, const isa::Instr& instr, const isa::InstrText& text, LaneMask mask) {
  const isa::Operand& to =
      instr.destinations[0].file == RegFile::kGeneral ? instr.destinations[0] : instr.destinations[1];
  if (to.file != RegFile::kGeneral || instr.sources[0].file != RegFile::kGeneral) {
    throw NotFollowed();
  }
  std::array<Origin, kWarpLanes> read{};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const std::optional<std::uint32_t> other = shuffled_lane(text, lane);
    if (!other) {
      throw NotFollowed();
    }
    read[lane] = warp.at(instr.sources[0].index, *other);
  }
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if (is_set(mask, lane)) {
      warp.at(to.index, lane) = read[lane];
    }
  }
}

/// A product of 16 rows and 8 columns: lane l holds rows l / 4 and l / 4 + 8 of A in registers of even and odd number,
/// column l / 4 of B, and of the sum two columns of both rows (PTX ISA, "Matrix Fragments for mma.m16n8k16").
void Follower::multiply(Warp& warp, const isa::Instr& instr) {
  const isa::Operand& a = instr.sources[0];
  const isa::Operand& b = instr.sources[1];
  const isa::Operand& sum = instr.destinations[0];
  std::array<Origin, 16> rows{};
  std::array<Origin, 8> columns{};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (std::uint32_t i = 0; i < a.width; ++i) {
      rows[lane / 4 + i % 2 * 8].add(warp.at(a.index + i, lane));
    }
    for (std::uint32_t i = 0; i < b.width; ++i) {
      columns[lane / 4].add(warp.at(b.index + i, lane));
    }
  }
  const isa::Operand& addend = instr.sources[2];
  const std::uint32_t a_row = std::max<std::uint32_t>(sum.width / 2U, 1);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (std::uint32_t i = 0; i < sum.width; ++i) {
      const bool has_addend = addend.is_real() && addend.file == RegFile::kGeneral;
      Origin origin = has_addend ? warp.at(addend.index + i, lane) : Origin{};
      origin.add(rows[lane / 4 + i / a_row * 8]);
      const std::uint32_t column = lane % 4 * 2;
      if (a_row == 2) {
        origin.add(columns[column + i % 2]);
      } else {  // two halves in a register
        origin.add(columns[column]);
        origin.add(columns[column + 1]);
      }
      warp.at(sum.index + i, lane) = origin;
    }
  }
}

void Follower::compute(Warp& warp, const isa::Instr& instr, const isa::InstrText& text, LaneMask mask) {
  if (text.opcode.starts_with("SHFL")) {
    shuffle(warp, instr, text, mask);
    return;
  }
  if (isa::is_tensor(instr.flop_class)) {
    if (text.opcode.find(".168") == std::string::npos || instr.destinations[0].width > 4) {
      throw NotFollowed();
    }
    multiply(warp, instr);
    return;
  }
  for (const std::string_view across : {"MATCH", "REDUX", "MOVM"}) {
    if (text.opcode.starts_with(across)) {
      throw NotFollowed();
    }
  }
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if (!is_set(mask, lane)) {
      continue;
    }
    Origin origin;
    for (const isa::Operand& source : instr.sources) {
      for (std::uint32_t i = 0; source.file == RegFile::kGeneral && source.is_real() && i < source.width; ++i) {
        const Origin& word = warp.at(source.index + i, lane);
        i == 0 ? origin.add(word) : origin.join(word);
      }
    }
    for (const isa::Operand& to : instr.destinations) {
      for (std::uint32_t i = 0; to.file == RegFile::kGeneral && to.is_real() && i < to.width; ++i) {
        warp.at(to.index + i, lane) = origin;
      }
    }
  }
}

bool Follower::take(Warp& warp, const trace::Step& step) {
  if (++steps_ > kMostFollowed) {
    throw NotFollowed{"more than " + with_thousands(kMostFollowed) + " warp instructions"};
  }
  const isa::Instr& instr = warp.kernel_.code[step.pc];
  const isa::InstrText& text = warp.kernel_.texts[step.pc];
  if (step.mask == 0) {
    return true;
  }
  switch (instr.kind) {
    case OpKind::kLoad:
      instr.matrices != 0 ? load_matrices(warp, instr, text) : load(warp, instr, step.mask);
      return true;
    case OpKind::kStore:
    case OpKind::kAtomic:
    case OpKind::kReduction:
      if (instr.matrices != 0) {
        throw NotFollowed();
      }
      store(warp, instr, step.mask);
      return true;
    case OpKind::kAsyncCopy: copy_to_shared(warp, instr, step.mask); return true;
    case OpKind::kCompute: compute(warp, instr, text, step.mask); return true;
    case OpKind::kBarrier:
      if (instr.barrier_id != 0 || instr.barrier_threads != 0 || !instr.barrier_waits) {
        throw NotFollowed();
      }
      return false;
    case OpKind::kAsyncCommit: warp.copies_.close_group(); return true;
    case OpKind::kDepbar:
      warp.copies_.wait(instr.depbar_limit,
                        [this](const PendingCopies::Word& word) { shared_.at(word.at) = word.origin; });
      return true;
    case OpKind::kBranch:
    case OpKind::kExit:
    case OpKind::kFence:
    case OpKind::kSleep:
    case OpKind::kNop: return true;
    default: throw NotFollowed();
  }
}

bool Warp::run(Follower& follower) {
  trace::Step step;
  try {
    while (walker_.next(step)) {
      if (!follower.take(*this, step)) {
        return true;
      }
    }
  } catch (const NotFollowed& met) {
    const isa::InstrText& text = kernel_.texts[step.pc];
    throw NotFollowed{met.what.empty() ? "'" + text.text + "' at line " + std::to_string(text.line) : met.what};
  }
  return false;
}

void Follower::follow_cta(const trace::Kernel& kernel, trace::CtaId cta) {
  shared_.clear();
  std::vector<Warp> warps;
  warps.reserve(kernel.warps_per_cta());
  for (std::uint32_t number = 0; number < kernel.warps_per_cta(); ++number) {
    warps.emplace_back(kernel, cta, number);
  }
  std::vector<bool> is_done(warps.size());
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 0; i < warps.size(); ++i) {
      is_done[i] = is_done[i] || !warps[i].run(*this);
      any = any || !is_done[i];
    }
  }
}

void Follower::follow(const trace::Kernel& kernel) {
  if (kernel.behaviour->program() == nullptr) {
    throw NotFollowed{"a recording"};
  }
  global_.enter(kernel);
  for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
    follow_cta(kernel, trace::cta_at(cta, kernel.grid));
  }
}

}  // namespace

Origins origins_of(const trace::Trace& trace) {
  Origins origins;
  Follower follower(origins);
  try {
    for (const trace::Kernel& kernel : trace.kernels) {
      follower.follow(kernel);
    }
  } catch (const NotFollowed& met) {
    origins.not_followed = met.what;
  }
  return origins;
}

}  // namespace gpusim::lab
