// SPDX-License-Identifier: MIT
// flash-attention-1 against what the algorithm needs, and against what Triton's compiler makes of it.
#include <vector>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

#include "tests/support/thorough.h"
#include "tests/traces/machine.h"
#include "tests/traces/tally.h"

namespace gpusim::testing::flash_attention_1_test {
namespace {

constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kSeq = 256;
constexpr std::int64_t kTile = 128;  // rows of Q, and of K and V

struct Form {
  std::int64_t d;
  bool causal;
  bool parallel = true;
  bool bias = false;
};
const std::vector<Form> kForms{{128, false}, {128, true}, {64, false}, {64, true}};

trace::Trace loaded(const std::string& name, const Form& form) {
  trace::ParameterChoice choice{
      {{"batch", 1}, {"heads", kHeads}, {"seq", kSeq}, {"d", form.d}, {"causal", form.causal ? 1 : 0}}, true};
  if (!form.parallel) {
    choice.overrides.emplace_back("parallel", 0);
  }
  if (form.bias) {
    choice.overrides.emplace_back("bias", 1);
  }
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/library/" + name + ".trace", choice);
}

/// The tile of `row` meets the keys of its own head and, causal, those up to its last row.
bool meets(std::int64_t row, std::int64_t key, bool causal) {
  return row / kSeq == key / kSeq && (!causal || row % kSeq / kTile >= key % kSeq / kTile);
}

std::map<Product, int> forward_products(const Form& form) {
  std::map<Product, int> products;
  for (std::int64_t row = 0; row < kHeads * kSeq; row += 16) {
    for (std::int64_t key = 0; key < kHeads * kSeq; key += 8) {
      for (std::int64_t k = 0; k < form.d && meets(row, key, form.causal); k += 16) {
        products[{"S", row, key, k}] = 1;
      }
      for (std::int64_t col = 0; col < form.d && key % 16 == 0 && meets(row, key, form.causal); col += 8) {
        products[{"O", row, col, key}] = 1;
      }
    }
  }
  return products;
}

std::map<Product, int> backward_products(const Form& form) {
  std::map<Product, int> products;
  for (std::int64_t row = 0; row < kHeads * kSeq; row += 16) {
    for (std::int64_t key = 0; key < kHeads * kSeq; key += 8) {
      for (std::int64_t k = 0; k < form.d && meets(row, key, form.causal); k += 16) {
        products[{"S", row, key, k}] = 1;
        products[{"dP", row, key, k}] = 1;
      }
      for (std::int64_t col = 0; col < form.d && key % 16 == 0 && meets(row, key, form.causal); col += 8) {
        products[{"dV", key, col, row}] = 1;
        products[{"dK", key, col, row}] = 1;
        products[{"dQ", row, col, key}] = 1;
      }
    }
  }
  return products;
}

/// Pairs of a tile of Q and one of K, times the warps that have part in each.
std::uint64_t warp_tiles(const Form& form) {
  constexpr std::uint64_t kBlocks = kSeq / kTile;
  return kHeads * (form.causal ? kBlocks * (kBlocks + 1) / 2 : kBlocks * kBlocks) * (form.d == 64 ? 4 : 8);
}

}  // namespace

TEST_CASE("FlashAttention by Triton: every row meets every key of its own head once, and O lands in its place") {
  for (const Form& form : test::thorough_or(kForms, {{128, false}, {64, true}})) {
    INFO(form.d << " causal " << form.causal);
    const trace::Trace trace = loaded("flash-attention-1", form);
    const trace::Kernel& kernel = trace.kernels.at(0);
    Machine machine(kernel, {{"Q", form.d}, {"K", form.d}, {"V", form.d}, {"O", form.d}});
    for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
      machine.run(trace::cta_at(cta, kernel.grid));
    }
    CHECK(machine.products() == forward_products(form));
    CHECK(machine.stored().size() == static_cast<std::size_t>(kHeads * kSeq * form.d / 8));
    for (const auto& [place, times] : machine.stored()) {
      CHECK(times == 1);
    }
  }
}

TEST_CASE("FlashAttention by Triton: each warp loads its part of a tile and reads all of it, with no bank conflict") {
  for (const Form& form : kForms) {
    INFO(form.d << " causal " << form.causal);
    const trace::Trace trace = loaded("flash-attention-1", form);
    const Tally counts = tally(trace.kernels.at(0));
    const std::uint64_t tiles = warp_tiles(form);
    const std::uint64_t warps = form.d == 64 ? 4 : 8;
    const std::uint64_t of_cta = kHeads * kSeq / kTile * warps;  // warps of all CTAs
    const auto d = static_cast<std::uint64_t>(form.d);
    CHECK(counts.conflicts == 0);
    CHECK(counts.count("LDGSTS") == 0);
    CHECK(counts.count("LDG.E.128") == 16 * tiles + 8 * of_cta);
    CHECK(counts.count("LDSM.16.MT88.4") == 8 * (d / 16) * tiles);
    CHECK(counts.count("LDSM.16.M88.4") == (8 + 8 / warps) * (d / 16) * tiles);
    CHECK(counts.count("BAR.SYNC") == 4 * tiles + 2 * (8 / warps) * of_cta);
  }
}

TEST_CASE("FlashAttention by Triton: the mask costs a comparison, a choice and a sum for every score that is visited") {
  for (const std::int64_t d : {128, 64}) {
    const Form causal{d, true};
    const Tally counts = tally(loaded("flash-attention-1", causal).kernels.at(0));
    const std::uint64_t scores = warp_tiles(causal) * (d == 64 ? 128 : 64);
    CHECK(counts.count("ISETP.GE") == scores);
    CHECK(counts.count("FSEL") == scores);
    CHECK(tally(loaded("flash-attention-1", {d, false}).kernels.at(0)).count("FSEL") == 0);
  }
}

TEST_CASE(
    "FlashAttention by Triton: a bias costs an instruction more per score, and each lane loads those of its keys") {
  for (const std::int64_t d : {128, 64}) {
    for (const bool is_backward : {false, true}) {
      INFO(d << " backward " << is_backward);
      const char* const name = is_backward ? "flash-attention-1-backward" : "flash-attention-1";
      const auto counts = [&](bool bias) {
        return tally(loaded(name, {d, true, true, bias}).kernels.at(is_backward ? 2 : 0));
      };
      const Tally without = counts(false);
      const Tally with = counts(true);
      const std::uint64_t tiles = is_backward ? warp_tiles({128, true}) : warp_tiles({d, true});
      const std::uint64_t scores = tiles * (!is_backward && d == 64 ? 128 : 64);  // scores of a lane
      const std::uint64_t rows = is_backward ? 0 : tiles * (d == 64 ? 4 : 2);     // whose maximum has no factor
      CHECK(with.count("LDG.E.64") == without.count("LDG.E.64") + 16 * tiles);
      CHECK(with.count("FFMA") == without.count("FFMA"));
      CHECK(with.count("FADD") == without.count("FADD") + scores);
      CHECK(with.count("FMUL") == without.count("FMUL") - rows);
      CHECK(with.count("MUFU.EX2") == without.count("MUFU.EX2"));
      CHECK(with.count("BAR.SYNC") == without.count("BAR.SYNC") + (is_backward ? tiles : 0));
    }
  }
}

TEST_CASE("FlashAttention backward by Triton: every product of a row and a key is formed once, of the right operands") {
  const std::vector<Form> all{{128, false}, {128, true, false}, {64, true}, {64, false, false}};
  for (const Form& form : test::thorough_or(all, {{128, true, false}, {64, true}})) {
    INFO(form.d << " causal " << form.causal << " parallel " << form.parallel);
    const trace::Trace trace = loaded("flash-attention-1-backward", form);
    const trace::Kernel& kernel = trace.kernels.at(2);
    const std::int64_t d = form.d;
    Machine machine(kernel, {{"Q", d}, {"K", d}, {"V", d}, {"dO", d}, {"dK", d}, {"dV", d}});
    for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
      machine.run(trace::cta_at(cta, kernel.grid));
    }
    CHECK(machine.products() == backward_products(form));
    CHECK(machine.stored().size() == static_cast<std::size_t>(kHeads * kSeq * d / 8));
    for (const auto& [place, times] : machine.stored()) {
      CHECK(times == 2);  // stores of dK and of dV
    }
  }
}

TEST_CASE("FlashAttention backward by Triton: 160 registers are spilled with d = 128, and sums of dQ meet in banks") {
  for (const std::int64_t d : {128, 64}) {
    for (const bool parallel : {true, false}) {
      INFO(d << " parallel " << parallel);
      const Form form{d, false, parallel};
      const trace::Trace trace = loaded("flash-attention-1-backward", form);
      const trace::Kernel& kernel = trace.kernels.at(2);
      const Tally counts = tally(kernel);
      const std::uint64_t blocks = kHeads * (kSeq / kTile) * 8;  // and warps
      const std::uint64_t tiles = blocks * (kSeq / kTile);
      const auto sums = tiles * static_cast<std::uint64_t>(d) / 2;  // words of dQ in a thread
      CHECK(kernel.shared_dynamic_bytes == (d == 128 ? 160 : 96) * 1024);
      CHECK(kernel.ctas() == static_cast<std::uint64_t>(kHeads * (parallel ? kSeq / kTile : 1)));
      CHECK(counts.count("STL") == (d == 128 ? 160 * tiles + 96 * blocks : 0));
      CHECK(counts.count("LDL") == counts.count("STL"));
      CHECK(counts.count("RED.E.ADD.F32.FTZ.RN.STRONG.GPU") == (parallel ? sums : 0));
      CHECK(counts.count("LDG.E.64") == (parallel ? 0 : sums / 2));
      CHECK(counts.count("STG.E.64") == (parallel ? 0 : sums / 2));
      CHECK(counts.conflicts == (parallel ? sums / 2 : 0));
      CHECK(counts.conflicts == counts.count("STS.64"));
    }
  }
}

}  // namespace gpusim::testing::flash_attention_1_test
