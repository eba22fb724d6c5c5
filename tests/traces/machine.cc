// SPDX-License-Identifier: MIT
#include "tests/traces/machine.h"

#include <memory>
#include <stdexcept>

namespace gpusim::testing {
namespace {

constexpr std::int64_t kElementBytes = 2;

void require(bool condition, const char* message) {
  if (!condition) {
    throw std::runtime_error(message);
  }
}

/// A product, and which of its operands has the summation along its rows.
struct Rule {
  const char* a;
  bool a_across;
  const char* b;
  bool b_across;
  const char* result;
};
constexpr std::array kRules{Rule{"Q", false, "K", false, "S"}, Rule{"S", false, "V", true, "O"},
                            Rule{"A", false, "B", false, "C"}, Rule{"dO", false, "V", false, "dP"},
                            Rule{"S", true, "dO", true, "dV"}, Rule{"S", false, "K", true, "dQ"},
                            Rule{"S", true, "Q", true, "dK"}};

std::string result_of(const Tag& a, const Tag& b) {
  for (const Rule& rule : kRules) {
    if (a.name == rule.a && a.across == rule.a_across && b.name == rule.b && b.across == rule.b_across) {
      return rule.result;
    }
  }
  return "";
}

/// Index of the summation of an element of A or B, and that of the row of A or of the column that a row of B is.
std::int64_t depth(const Tag& tag) {
  return tag.across ? tag.row : tag.col;
}
std::int64_t place(const Tag& tag) {
  return tag.across ? tag.col : tag.row;
}

bool has_lane(LaneMask mask, unsigned lane) {
  return (mask >> lane & 1U) != 0;
}

Address address_of(const trace::LaneAddresses& addresses, unsigned lane) {
  return addresses.base + static_cast<Address>(addresses.offsets[lane]);
}

/// What a memory holds at a place where something was stored before.
template <typename Key>
const Tag& stored_at(const std::map<Key, Tag>& memory, const Key& key) {
  const auto found = memory.find(key);
  require(found != memory.end(), "reads what was never written");
  return found->second;
}

bool keeps_tag(const std::string& opcode) {
  return opcode == "FMUL" || opcode == "FADD" || opcode == "FFMA" || opcode == "FSEL" || opcode == "MUFU.EX2" ||
         opcode == "F2F.F16.F32";
}

/// The lane of a quad pair that has row (of A) or column (of B) `place` of its eight (PTX ISA, mma.m8n8k4).
unsigned lane_of(unsigned pair, unsigned place) {
  return 4 * pair + place % 4 + 16 * (place / 4);
}

}  // namespace

void Machine::run(trace::CtaId cta) {
  shared_.clear();
  std::vector<std::unique_ptr<Warp>> warps;
  for (std::uint32_t w = 0; w < kernel_.warps_per_cta(); ++w) {
    warps.push_back(std::make_unique<Warp>());
    warps.back()->walker = trace::Walker(kernel_, cta, w);
  }
  while (!warps[0]->done) {
    for (const auto& warp : warps) {
      require(!warp->done, "a warp ended before the others reached their barrier");
      run_to_barrier(*warp);
    }
  }
  for (const auto& warp : warps) {
    require(warp->done, "a warp waits at a barrier that others never reach");
  }
}

void Machine::run_to_barrier(Warp& warp) {
  trace::Step step;
  while (warp.walker.next(step)) {
    if (step.mask == 0) {
      continue;
    }
    try {
      execute(warp, step);
    } catch (const std::runtime_error& error) {
      const isa::InstrText& text = kernel_.texts[step.pc];
      throw std::runtime_error("line " + std::to_string(text.line) + ": " + text.text + ": " + error.what());
    }
    if (kernel_.code[step.pc].kind == isa::OpKind::kBarrier) {
      return;
    }
  }
  warp.done = true;
}

void Machine::execute(Warp& warp, const trace::Step& step) {
  const isa::Instr& instr = kernel_.code[step.pc];
  const std::string& opcode = kernel_.texts[step.pc].opcode;
  if (instr.kind == isa::OpKind::kAsyncCopy) {
    copy(warp, step.mask);
  } else if (instr.kind == isa::OpKind::kAsyncCommit) {
    warp.groups.emplace_back();
  } else if (instr.kind == isa::OpKind::kDepbar) {
    wait_for_groups(warp, instr.depbar_limit);
  } else if (instr.matrices != 0) {
    load_matrices(warp, instr, opcode.find("MT88") != std::string::npos);
  } else if (opcode.starts_with("HMMA.884")) {
    multiply_quads(warp, instr, opcode);
  } else if (isa::is_tensor(instr.flop_class)) {
    multiply(warp, instr, opcode);
  } else if (opcode.starts_with("F2FP")) {
    pack(warp, instr, instr.sources[0].index, instr.sources[1].index);
  } else if (opcode == "PRMT") {
    pack(warp, instr, instr.sources[1].index, instr.sources[0].index);
  } else if (instr.kind == isa::OpKind::kStore ||
             (instr.kind == isa::OpKind::kLoad && instr.space != isa::MemSpace::kConstant)) {
    access(warp, instr, step.mask);
  } else {
    for (const isa::Operand& written : instr.destinations) {
      for (unsigned i = 0; written.file == isa::RegFile::kGeneral && i < written.width; ++i) {
        LaneTags& tags = warp.registers[written.index + i];
        tags = keeps_tag(opcode) ? warp.registers[instr.sources[0].index] : LaneTags{};
      }
    }
  }
}

Tag Machine::element_at(Address address) const {
  for (const trace::Buffer& buffer : kernel_.buffers) {
    if (buffer.space == isa::MemSpace::kGlobal && address >= buffer.base && address < buffer.base + buffer.bytes) {
      const auto element = static_cast<std::int64_t>(address - buffer.base) / kElementBytes;
      const auto length = row_lengths_.find(buffer.name);
      return length == row_lengths_.end() ? Tag{}
                                          : Tag{buffer.name, element / length->second, element % length->second};
    }
  }
  throw std::runtime_error("address outside all buffers");
}

void Machine::copy(Warp& warp, LaneMask mask) {
  const trace::LaneAddresses from = warp.walker.addresses(trace::AccessSlot::kPrimary);
  std::array<Tag, kWarpLanes> tags;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (has_lane(mask, lane)) {
      tags[lane] = element_at(address_of(from, lane));
    }
  }
  const trace::LaneAddresses to = warp.walker.addresses(trace::AccessSlot::kSharedDestination);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!has_lane(mask, lane)) {
      continue;
    }
    const Address address = address_of(to, lane);
    shared_[address] = Tag{};
    warp.groups.back().emplace_back(address, tags[lane]);
  }
}

void Machine::wait_for_groups(Warp& warp, std::size_t limit) {
  while (warp.groups.size() - 1 > limit) {
    for (const auto& [address, tag] : warp.groups.front()) {
      shared_[address] = tag;
    }
    warp.groups.erase(warp.groups.begin());
  }
}

void Machine::load_matrices(Warp& warp, const isa::Instr& instr, bool transposed) {
  const trace::LaneAddresses at = warp.walker.addresses(trace::AccessSlot::kPrimary);
  for (unsigned matrix = 0; matrix < instr.matrices; ++matrix) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      // A lane gets row lane/4, columns 2*(lane%4) and the next; transposed: the same of columns.
      const unsigned row = transposed ? 2 * (lane % 4) : lane / 4;
      const auto found = shared_.find(address_of(at, 8 * matrix + row));
      Tag tag = found == shared_.end() ? Tag{} : found->second;
      tag.col += transposed ? lane / 4 : 2 * (lane % 4);
      tag.across = transposed;
      warp.registers[instr.destinations[0].index + matrix][lane] = tag;
    }
  }
}

std::string Machine::product_of(const Warp& warp, const isa::Instr& instr) const {
  const Tag& a = warp.registers[instr.sources[0].index][0];
  const Tag& b = warp.registers[instr.sources[1].index][0];
  const std::string name = result_of(a, b);
  if (name.empty()) {
    throw std::runtime_error("'" + a.name + "' and '" + b.name + "', as they lie, are not meant to be multiplied");
  }
  return name;
}

void Machine::add_to(Warp& warp, const isa::Instr& instr, unsigned index, unsigned lane, const Tag& result) {
  if (instr.sources[2].is_real()) {
    const Tag& sum = warp.registers[instr.sources[2].index + index][lane];
    require(sum.name.empty() || sum == result, "adds to another element's sum");
  }
  warp.registers[instr.destinations[0].index + index][lane] = result;
}

void Machine::multiply(Warp& warp, const isa::Instr& instr, const std::string& opcode) {
  const std::size_t a = instr.sources[0].index;
  const std::size_t b = instr.sources[1].index;
  const unsigned halves = opcode.starts_with("HMMA.1688") ? 1 : 2;  // eights of the summation
  const bool packed = opcode.find("F32") == std::string::npos;      // two FP16 sums per register
  const std::string name = product_of(warp, instr);
  const std::int64_t first = place(warp.registers[b][0]);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const auto tag = [&](std::size_t index) -> const Tag& { return warp.registers[index][lane]; };
    const std::int64_t k = depth(tag(b));
    for (unsigned i = 0; i < halves; ++i) {
      require(place(tag(b + i)) == first + lane / 4, "columns of B");
      require(depth(tag(b + i)) == k + 8 * i, "second half of B");
    }
    for (unsigned i = 0; i < 2 * halves; ++i) {
      require(tag(a + i).name == tag(a).name && place(tag(a + i)) == place(tag(a)) + 8 * (i % 2), "rows of A");
      require(depth(tag(a + i)) == k + 8 * (i / 2), "A and B differ in depth");
    }
    for (unsigned i = 0; i < 4; i += packed ? 2 : 1) {
      add_to(warp, instr, packed ? i / 2 : i, lane,
             {name, place(tag(a)) + 8 * (i / 2), first + 2 * (lane % 4) + i % 2});
    }
  }
  ++products_[{name, place(warp.registers[a][0]), first, depth(warp.registers[a][0])}];
}

void Machine::multiply_quads(Warp& warp, const isa::Instr& instr, const std::string& opcode) {
  const LaneTags& a = warp.registers[instr.sources[0].index];
  const LaneTags& b = warp.registers[instr.sources[1].index];
  const bool packed = opcode.find("F32") == std::string::npos;
  const std::string step = opcode.substr(opcode.find("STEP"));
  const auto number = static_cast<unsigned>(step.back() - '0');
  const std::string name = product_of(warp, instr);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    for (const isa::Operand& source : {instr.sources[0], instr.sources[1]}) {
      const Tag& low = warp.registers[source.index][lane];
      const Tag& high = warp.registers[source.index + 1][lane];
      require(high == Tag{low.name, low.row, low.col + 2} && low.col == a[0].col, "four of k, the same in all lanes");
    }
  }
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const unsigned pair = lane / 4 % 4;
    const unsigned upper = lane / 16 * 4;
    const auto row = [&](unsigned i) { return a[lane_of(pair, i)].row; };
    const auto column = [&](unsigned i) { return b[lane_of(pair, i)].row; };
    // Which of the 64 sums a lane has is in the PTX ISA; a step makes two registers of them.
    for (unsigned i = 2 * number; i < 2 * number + 2; ++i) {
      const unsigned col = packed ? 2 * i : i / 4 * 4 + lane / 2 % 2 * 2 + i % 2;
      require(!packed || column(col + 1) == column(col) + 1, "packs sums that are not neighbours");
      add_to(warp, instr, i - 2 * number, lane,
             {name, row(upper + (packed ? lane % 4 : lane % 2 + i / 2 % 2 * 2)), column(col)});
    }
    products_[{name + "." + step, row(0), column(0), a[0].col}] += lane % 16 % 4 == 0 && lane < 16 ? 1 : 0;
  }
}

void Machine::pack(Warp& warp, const isa::Instr& instr, std::size_t high_index, std::size_t low_index) {
  const LaneTags& high = warp.registers[high_index];
  const LaneTags low = warp.registers[low_index];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    require(high[lane] == Tag{low[lane].name, low[lane].row, low[lane].col + 1},
            "packs elements that are not neighbours");
  }
  warp.registers[instr.destinations[0].index] = low;
}

void Machine::access(Warp& warp, const isa::Instr& instr, LaneMask mask) {
  const bool is_store = instr.kind == isa::OpKind::kStore;
  const isa::Operand& data = is_store ? instr.sources[1] : instr.destinations[0];
  const trace::LaneAddresses at = warp.walker.addresses(trace::AccessSlot::kPrimary);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!has_lane(mask, lane)) {
      continue;
    }
    for (unsigned i = 0; i < data.width; ++i) {
      const Address address = address_of(at, lane) + 4 * i;
      if (is_store) {
        store(warp, instr.space, lane, address, data.is_real() ? warp.registers[data.index + i][lane] : Tag{});
      } else if (data.is_real()) {
        warp.registers[data.index + i][lane] = load(warp, instr.space, lane, address);
      }
    }
    if (is_store && instr.space == isa::MemSpace::kGlobal) {
      const Tag first = element_at(address_of(at, lane));
      if (!first.name.empty()) {
        ++stored_[{first.row, first.col}];
      }
    }
  }
}

Tag Machine::load(const Warp& warp, isa::MemSpace space, unsigned lane, Address address) const {
  switch (space) {
    case isa::MemSpace::kShared: return stored_at(shared_, address);
    case isa::MemSpace::kLocal: return stored_at(warp.local, {lane, address});
    default: return element_at(address);
  }
}

void Machine::store(Warp& warp, isa::MemSpace space, unsigned lane, Address address, const Tag& value) {
  if (space == isa::MemSpace::kShared) {
    shared_[address] = value;
  } else if (space == isa::MemSpace::kLocal) {
    warp.local[{lane, address}] = value;
  } else if (const Tag target = element_at(address); !target.name.empty()) {
    require(value == target, "an element is written to another's place");
  }
}

}  // namespace gpusim::testing
