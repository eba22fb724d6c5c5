// SPDX-License-Identifier: MIT
// Follows where data comes from through a tensor-core kernel: which elements of the global buffers lie in shared
// memory, in fragments and in accumulators. It knows no timing and no values, only what LDGSTS, LDSM, HMMA, the
// epilogue, and loads and stores of global, shared and local memory move, and refuses what does not fit together, such
// as fragments of different depth in one product. A copy's destination is unreadable from its issue until its warp has
// waited for the copy's group.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/model/trace/kernel.h"
#include "sim/model/trace/walker.h"

namespace gpusim::testing {

/// What one lane holds in one register: an element (or two neighbours, packed) of an operand or of a result. Operands
/// are named by their buffer; Q K^T gives "S", S V gives "O", A B^T gives "C", and backward dO V^T "dP", S^T dO "dV", S
/// K "dQ", S^T Q "dK". Without a name: nothing known, or zero.
struct Tag {
  std::string name;
  std::int64_t row = 0;
  std::int64_t col = 0;
  bool across = false;  ///< an operand that is transposed on its way from shared memory
  friend bool operator==(const Tag&, const Tag&) = default;
};

/// One m16n8k16 or m16n8k8 product: result, first row and column in it, first index of the summation. Of m8n8k4 it is
/// one step of one quad pair, "C.STEP0".
using Product = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;

class Machine {
 public:
  /// `row_lengths`: elements in a row of each global buffer of bf16; other buffers are not followed.
  Machine(const trace::Kernel& kernel, std::map<std::string, std::int64_t> row_lengths)
      : kernel_(kernel), row_lengths_(std::move(row_lengths)) {}

  /// Runs one CTA to its end, each warp in turn from barrier to barrier. Throws std::runtime_error where data does not
  /// fit, or warps do not agree on their barriers.
  void run(trace::CtaId cta);

  /// How often each product was formed.
  [[nodiscard]] const std::map<Product, int>& products() const { return products_; }
  /// How often each group of output elements was written, by the (row, column) of its first.
  [[nodiscard]] const std::map<std::pair<std::int64_t, std::int64_t>, int>& stored() const { return stored_; }

 private:
  using LaneTags = std::array<Tag, kWarpLanes>;
  struct Warp {
    trace::Walker walker;
    std::array<LaneTags, 256> registers;
    std::vector<std::vector<std::pair<Address, Tag>>> groups{1};  ///< copies in flight; the last is still open
    std::map<std::pair<unsigned, Address>, Tag> local;            ///< spilled words, by lane
    bool done = false;
  };

  void run_to_barrier(Warp& warp);
  void execute(Warp& warp, const trace::Step& step);
  void copy(Warp& warp, LaneMask mask);
  void wait_for_groups(Warp& warp, std::size_t limit);
  void load_matrices(Warp& warp, const isa::Instr& instr, bool transposed);
  [[nodiscard]] std::string product_of(const Warp& warp, const isa::Instr& instr) const;
  void add_to(Warp& warp, const isa::Instr& instr, unsigned index, unsigned lane, const Tag& result);
  void multiply(Warp& warp, const isa::Instr& instr, const std::string& opcode);
  void multiply_quads(Warp& warp, const isa::Instr& instr, const std::string& opcode);
  void pack(Warp& warp, const isa::Instr& instr, std::size_t high_index, std::size_t low_index);
  void access(Warp& warp, const isa::Instr& instr, LaneMask mask);
  [[nodiscard]] Tag load(const Warp& warp, isa::MemSpace space, unsigned lane, Address address) const;
  void store(Warp& warp, isa::MemSpace space, unsigned lane, Address address, const Tag& value);
  [[nodiscard]] Tag element_at(Address address) const;  ///< without a name in buffers that are not followed

  const trace::Kernel& kernel_;
  std::map<std::string, std::int64_t> row_lengths_;
  std::map<Address, Tag> shared_;  ///< operands: by 16 bytes where LDGSTS brings them; others: by 4 bytes
  std::map<Product, int> products_;
  std::map<std::pair<std::int64_t, std::int64_t>, int> stored_;
};

}  // namespace gpusim::testing
