// SPDX-License-Identifier: MIT
// Architectures as people and programs read them: figures against the shipped files, and texts that load again.
#include "sim/commands/arch/tables.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/resolved.h"

using namespace gpusim;
using Catch::Contains;
using nlohmann::json;

namespace {

arch::Resolved shipped(const std::string& name, const std::vector<arch::Override>& overrides = {}) {
  return arch::resolve_arch(std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / (name + ".yaml"), overrides);
}

arch_tables::Listing listing(const std::string& name) {
  return {name, shipped(name).arch, ""};
}

std::string line_of(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  const std::size_t start = text.rfind('\n', at) + 1;
  return at == std::string::npos ? "" : text.substr(start, text.find('\n', at) - start);
}

/// The entry of a JSON array whose `key` is `value`; null when there is none.
json entry(const json& array, const std::string& key, const std::string& value) {
  const auto found = std::ranges::find_if(array, [&](const json& item) { return item.at(key) == value; });
  return found == array.end() ? json() : *found;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, line.size());
  }
  return widest;
}

}  // namespace

TEST_CASE("a line of the list has the figures a buyer compares") {
  const std::vector<arch_tables::Listing> gpus{listing("a100"), listing("h100")};
  const std::string text = arch_tables::list_text(gpus, {});
  for (const char* figure : {"8.0", "108", "19.5", "9.75", "312", "624", "40", "80 GiB HBM2e", "2039", "300"}) {
    CHECK_THAT(line_of(text, "  a100"), Contains(figure));
  }
  CHECK_THAT(line_of(text, "  h100"), Contains("66.9") && Contains("989") && Contains("1979") && Contains("3352"));
}

TEST_CASE("the list and a comparison of any two GPUs fit the page") {
  std::vector<arch_tables::Listing> gpus;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs")) {
    if (!file.is_regular_file()) {
      continue;  // systems
    }
    gpus.push_back(listing(file.path().stem().string()));
  }
  CHECK(widest_line(arch_tables::list_text(gpus, {})) <= layout::kPageWidth);
  for (const char* other : {"h100", "t4", "b200", "l40"}) {
    CHECK(widest_line(arch_tables::diff_text(shipped("a100-40gb"), shipped(other), {})) <= layout::kPageWidth);
  }
}

TEST_CASE("a comparison names its GPUs above their columns") {
  const std::string text = arch_tables::diff_text(shipped("a100"), shipped("h100"), {});
  CHECK_THAT(line_of(text, "peak  "), Contains("A100 SXM4 80GB  H100 SXM5 80GB"));
  CHECK_THAT(line_of(text, "key  "), Contains("A100 SXM4 80GB") && Contains("H100 SXM5 80GB"));
}

TEST_CASE("what a GPU lacks is a dash in the list, not a zero") {
  const std::vector<arch_tables::Listing> gpus{listing("a100")};
  CHECK_THAT(line_of(arch_tables::list_text(gpus, {}), "  a100"), Contains(" - "));
}

TEST_CASE("an experimental GPU is starred in the list") {
  const std::vector<arch_tables::Listing> gpus{{"mine", shipped("h100", {{"maturity", "experimental"}}).arch, ""},
                                               listing("a100")};
  CHECK_THAT(arch_tables::list_text(gpus, {}), Contains("mine*") && !Contains("a100*"));
}

TEST_CASE("a file that does not load is named in the list with its first problem") {
  const std::vector<arch_tables::Listing> gpus{{"broken", std::nullopt, "broken.yaml:3:1: unknown key 'x'"}};
  CHECK_THAT(arch_tables::list_text(gpus, {}), Contains("broken does not load: broken.yaml:3:1: unknown key 'x'"));
  CHECK(json::parse(arch_tables::list_json(gpus))["architectures"][0]["problem"] == "broken.yaml:3:1: unknown key 'x'");
}

TEST_CASE("the list in JSON has base units") {
  const std::vector<arch_tables::Listing> gpus{listing("a100")};
  const json gpu = json::parse(arch_tables::list_json(gpus))["architectures"][0];
  CHECK(gpu["name"] == "a100");
  CHECK(gpu["sms"] == 108);
  CHECK(gpu["clock_hz"]["boost"] == 1'410'000'000);
  CHECK(gpu["l2_bytes"] == 40 * 1024 * 1024);
  CHECK(gpu["peaks"]["bf16_tensor"].get<double>() == Approx(312e12).epsilon(0.001));
}

TEST_CASE("what is shown loads again and is shown with the same bytes") {
  const arch::Resolved first = shipped("h100", {{"sm.count", "160"}});
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "gpusim-datasheet-shown.yaml";
  const std::string shown = arch_tables::show_text(first);
  std::ofstream(file, std::ios::binary) << shown;
  CHECK(arch_tables::show_text(arch::resolve_arch(file, {})) == shown);
  std::filesystem::remove(file);
}

TEST_CASE("every peak is shown with its clock, the vendor's figure and its ridge point") {
  const std::string row = line_of(arch_tables::show_text(shipped("h100")), "#  bf16_tensor ");
  CHECK_THAT(row, Contains("989 TFLOP/s") && Contains("tensor_boost 1830 MHz") && Contains("+0.00 %"));
  CHECK_THAT(row, Contains("295."));
}

TEST_CASE("a GPU in JSON has its values with kinds and sources, and its peaks at both clocks") {
  const json gpu = json::parse(arch_tables::show_json(shipped("h100")));
  const json count = entry(gpu["values"], "key", "sm.count");
  CHECK(count["value"] == "132");
  CHECK(count["kind"] == "vendor");
  CHECK(gpu["sources"].contains(count["sources"][0].get<std::string>()));
  // A source that no value names is none of the GPU: those of RTX 4090 that do are overridden.
  CHECK_FALSE(json::parse(arch_tables::show_json(shipped("l40")))["sources"].contains("hpml"));
  const json fp32 = entry(gpu["peaks"], "name", "fp32");
  CHECK(fp32["clock"] == "boost");
  CHECK(fp32["value"].get<double>() / fp32["at_simulated_clock"].get<double>() == Approx(1.98 / 1.83));
  CHECK(fp32["ridge_flop_per_byte"].get<double>() == Approx(66.9e12 / 3.352e12).epsilon(0.001));
  CHECK_FALSE(entry(gpu["peaks"], "name", "dram").contains("ridge_flop_per_byte"));
}

TEST_CASE("a GPU differs from itself in nothing, whatever the units it is written in") {
  CHECK(arch_tables::differences(shipped("h100").sheet, shipped("h100").sheet).empty());
  CHECK(arch_tables::differences(shipped("h100").sheet, shipped("h100", {{"l2.bytes", "51200 KiB"}}).sheet).empty());
}

TEST_CASE("a difference says by how much") {
  const std::vector<arch_tables::Difference> found =
      arch_tables::differences(shipped("h100").sheet, shipped("h100", {{"l2.bytes", "100 MiB"}}).sheet);
  REQUIRE(found.size() == 1);
  CHECK(found[0].key == "l2.bytes");
  CHECK(found[0].left == "50 MiB");
  CHECK(found[0].right == "100 MiB");
  CHECK(found[0].factor == Approx(2));
}

TEST_CASE("words and lists differ without a factor, and a class that one GPU lacks has a dash") {
  const arch::Resolved other = shipped(
      "h100",
      {{"sm.scheduler.policy", "lrr"}, {"sm.shared.carveouts", "0 KiB, 228 KiB"}, {"sm.timing.redux", "unsupported"}});
  const std::vector<arch_tables::Difference> found = arch_tables::differences(shipped("h100").sheet, other.sheet);
  REQUIRE(found.size() == 4);
  CHECK(std::ranges::none_of(found, [](const arch_tables::Difference& d) { return d.factor.has_value(); }));
  CHECK_THAT(line_of(arch_tables::diff_text(shipped("h100"), other, {}), "sm.timing.redux.latency"), Contains(" -"));
}

TEST_CASE("a peak that one GPU lacks has no factor") {
  const json difference = json::parse(arch_tables::diff_json(shipped("a100"), shipped("h100")));
  CHECK_FALSE(entry(difference["peaks"], "name", "fp8_tensor").contains("factor"));
  CHECK(entry(difference["peaks"], "name", "bf16_tensor")["factor"].get<double>() ==
        Approx(989.4 / 312).epsilon(0.001));
}
