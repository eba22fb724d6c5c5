// SPDX-License-Identifier: MIT
// docs/hardware-facts.md shows the peaks that the shipped files give.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/peaks.h"

#include "tests/support/golden.h"

using namespace gpusim;

namespace {

constexpr const char* kPage = "docs/hardware-facts.md";

std::vector<arch::Peak> peaks_of(const std::string& gpu) {
  return arch::computed_peaks(
      arch::load_arch(std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / (gpu + ".yaml"), {}));
}

double peak(const std::string& gpu, const std::string& name) {
  const std::vector<arch::Peak> peaks = peaks_of(gpu);
  const auto found = std::ranges::find(peaks, name, &arch::Peak::name);
  REQUIRE(found != peaks.end());
  return found->value;
}

std::string page() {
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / kPage);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

/// One row per peak: what each GPU reaches, and the vendor's figure where it prints one.
std::string table() {
  const std::vector<std::pair<std::string, std::string>> rows{{"fp32", "FP32"},
                                                              {"fp16", "FP16 without tensor cores"},
                                                              {"fp16_tensor", "FP16, tensor, dense"},
                                                              {"fp16_fp16acc_tensor", "the same, accumulating in FP16"},
                                                              {"fp16_tensor_sparse", "FP16, tensor, 2:4 sparse"},
                                                              {"bf16_tensor", "BF16, tensor, dense"},
                                                              {"bf16_tensor_sparse", "BF16, tensor, 2:4 sparse"},
                                                              {"tf32_tensor", "TF32, tensor, dense"},
                                                              {"fp8_tensor", "FP8, tensor, dense"},
                                                              {"fp8_fp16acc_tensor", "the same, accumulating in FP16"},
                                                              {"fp8_fp16acc_tensor_sparse", "the same, 2:4 sparse"},
                                                              {"dram", "DRAM"}};
  const std::vector<std::pair<std::string, std::string>> gpus{
      {"a100", "A100 SXM4"}, {"h100", "H100 SXM5"}, {"h100-pcie", "H100 PCIe"}, {"rtx4090", "RTX 4090"}};
  std::string text = "| peak | name |";
  std::string rule = "| --- | --- |";
  for (const auto& [file, title] : gpus) {
    text += " " + title + " |";
    rule += " --- |";
  }
  text += "\n" + rule + "\n";
  for (const auto& [name, title] : rows) {
    text += fmt::format("| {} | `{}` |", title, name);
    for (const auto& [file, gpu] : gpus) {
      const std::vector<arch::Peak> peaks = peaks_of(file);
      const auto found = std::ranges::find(peaks, name, &arch::Peak::name);
      text += found == peaks.end()
                  ? " none |"
                  : " " + with_si_prefix(found->value, word_of(found->unit)) +
                        (found->vendor > 0
                             ? fmt::format(" (vendor {})", with_si_prefix(found->vendor, word_of(found->unit)))
                             : "") +
                        " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("docs/hardware-facts.md holds the peaks of the shipped files") {
  const std::string begin = "<!-- generated from computed peaks: GPUSIM_REGENERATE=1 test_commands_roofline -->\n\n";
  const std::string end = "\n<!-- end of generated part -->\n";
  const std::string text = page();
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end, from);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  const std::string expected = text.substr(0, from) + begin + table() + text.substr(to);
  const bool up_to_date = golden(kPage, expected) == expected;
  CHECK(up_to_date);
}

TEST_CASE("the figures in the text of docs/hardware-facts.md are the computed ones") {
  const auto tera = [](const std::string& gpu, const std::string& name) {
    return fmt::format("{:.0f}", peak(gpu, name) * 1e-12);
  };
  const std::string text = page();
  const std::vector<std::string> sentences{
      tera("a100", "fp16_tensor") + " is **dense**, with tensor cores",
      tera("a100", "fp16_tensor_sparse") + " with 2:4 sparsity",
      tera("a100", "fp16") + " is FP16 **without** tensor cores",
      "RTX 4090: " + tera("rtx4090", "fp16_fp16acc_tensor_sparse") + " TFLOP/s in FP16, " +
          tera("rtx4090", "fp8_fp16acc_tensor_sparse") + " in FP8",
      "accumulating in FP16 they are " + tera("rtx4090", "fp16_fp16acc_tensor") + " and " +
          tera("rtx4090", "fp8_fp16acc_tensor"),
      "which is what training uses, " + tera("rtx4090", "fp16_tensor") + " and " + tera("rtx4090", "fp8_tensor") + " |",
      "H100: " + tera("h100", "bf16_tensor_sparse") + " TFLOP/s in BF16",
      "dense it is " + tera("h100", "bf16_tensor"),
      fmt::format("132 SMs, {} TFLOP/s dense in BF16, {:.2f} TB/s", tera("h100", "bf16_tensor"),
                  peak("h100", "dram") * 1e-12),
      fmt::format("114 SMs, {} TFLOP/s, {:.2f} TB/s", tera("h100-pcie", "bf16_tensor"),
                  peak("h100-pcie", "dram") * 1e-12)};
  for (const std::string& sentence : sentences) {
    CHECK_THAT(text, Catch::Matchers::Contains(sentence));
  }
}
