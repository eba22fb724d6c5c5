// SPDX-License-Identifier: MIT
// Kernels that are simulated in smaller forms, and what of the whole those have.
#include "sim/commands/app/times/smaller.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace smaller_test {

using namespace gpusim;

namespace {

trace::Trace trace_of(const std::string& file, const app::ParameterValues& values) {
  trace::Trace trace;
  trace.path = "traces/library/" + file + ".trace";
  for (const auto& [name, value] : values) {
    trace.parameters.emplace_back();
    trace.parameters.back().name = name;
    trace.parameters.back().value = value;
  }
  return trace;
}

trace::Trace product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return trace_of("gemm-wgmma",
                  {{"m", m}, {"n", n}, {"k", k}, {"sms", 132}, {"cluster", 2}, {"tile_m", 128}, {"tile_n", 256}});
}

trace::Trace fp32_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t splits, std::int64_t tile_m,
                          std::int64_t tile_n) {
  return trace_of("sgemm-multistage",
                  {{"m", m}, {"n", n}, {"k", k}, {"splits", splits}, {"tile_m", tile_m}, {"tile_n", tile_n}});
}

trace::Trace attention(std::int64_t batch, std::int64_t heads, std::int64_t seq, bool causal) {
  return trace_of("flash-attention-3",
                  {{"batch", batch}, {"heads", heads}, {"seq", seq}, {"sms", 132}, {"causal", causal ? 1 : 0}});
}

std::int64_t value_of(const app::ParameterValues& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &app::ParameterValues::value_type::first);
  REQUIRE(found != values.end());
  return found->second;
}

}  // namespace

TEST_CASE("a large product keeps two turns of whole bands, and depths of 1,024 and 2,048") {
  // 16 x 56 groups of tiles for 66 clusters: 14 turns. Eight columns of tiles are two turns, a seventh of the work.
  const auto forms = app::smaller_forms(product(4096, 14336, 4096), 140e6, 10e6, 132, 1);
  REQUIRE(forms);
  CHECK(value_of(forms->larger, "m") == 4096);
  CHECK(value_of(forms->larger, "n") == 8 * 256);
  CHECK(value_of(forms->smaller, "n") == 8 * 256);
  CHECK(value_of(forms->larger, "k") == 2048);
  CHECK(value_of(forms->smaller, "k") == 1024);
  CHECK(forms->rest == 2);   // the rest of 1,024: from 2,048 to 4,096
  CHECK(forms->scale == 7);  // 14 turns of 2
  CHECK(forms->note == "m = 4096, n = 2048, k = 2048, then in proportion");
}

TEST_CASE("a product of few columns keeps them all, and so many bands of rows that its last turn is nearly full") {
  // 192 x 6 groups for 66 clusters: 18 turns. A band of 16 x 6 groups is two turns, the second half empty; two are 2.9.
  const auto forms = app::smaller_forms(product(49152, 1536, 6144), 200e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(value_of(forms->larger, "m") == 2 * 16 * 256);
  CHECK(value_of(forms->smaller, "m") == 2 * 16 * 256);
  CHECK(value_of(forms->larger, "n") == 1536);
  CHECK(value_of(forms->larger, "k") == 2048);
  CHECK(forms->rest == 4);
  CHECK(forms->scale == 6);
}

TEST_CASE("a product of many columns and little depth keeps its depth") {
  const auto forms = app::smaller_forms(product(4096, 14336, 2048), 70e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(value_of(forms->larger, "k") == 2048);
  CHECK(forms->rest == 0);
}

TEST_CASE("a product of less depth keeps more turns, so that what it takes to begin counts no more") {
  const auto forms = app::smaller_forms(product(16384, 14336, 1024), 140e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(value_of(forms->larger, "m") == 4096);
  CHECK(value_of(forms->larger, "n") == 16 * 256);  // 16 x 16 groups for 66 clusters: four turns
  CHECK(forms->rest == 0);
  CHECK(forms->scale == Approx(55.0 / 4));
}

TEST_CASE("a product that is hardly larger than its smaller forms is simulated whole") {
  CHECK_FALSE(app::smaller_forms(product(4096, 2048, 2048), 10e6, 3e6, 132, 1));
}

TEST_CASE("sums over rows keep their CTAs, and fewer turns of their loop") {
  // 64 turns of 16 rows in each of 48 parts.
  const auto sums = trace_of("column-sum", {{"rows", 49152}, {"columns", 6144}, {"splits", 48}});
  const auto forms = app::smaller_forms(sums, 49e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(forms->larger == app::ParameterValues{{"rows", 16 * 16 * 48}});
  CHECK(forms->smaller == app::ParameterValues{{"rows", 8 * 16 * 48}});
  CHECK(forms->rest == 6);  // the rest of eight turns: from 16 to 64
  const auto weights = trace_of("norm-weight-gradient", {{"rows", 49152}, {"columns", 1536}});
  CHECK(value_of(app::smaller_forms(weights, 29e6, 3e6, 132, 1)->larger, "rows") == 32 * 256);
}

TEST_CASE("sums of few rows are simulated whole") {
  const auto sums = trace_of("column-sum", {{"rows", 16 * 16 * 48}, {"columns", 6144}, {"splits", 48}});
  CHECK_FALSE(app::smaller_forms(sums, 5e6, 3e6, 132, 1));
}

TEST_CASE("a kernel that does the same with each element has forms that do not depend on how many there are") {
  trace::Trace copy = trace_of("copy", {{"n", 113246208}});
  trace::Kernel kernel;
  kernel.grid = {113246208 / 512, 1, 1};
  copy.kernels.push_back(kernel);
  const auto forms = app::smaller_forms(copy, 10.6e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(forms->smaller == app::ParameterValues{{"n", 15 * 2112 * 512}});
  CHECK(forms->larger == app::ParameterValues{{"n", 30 * 2112 * 512}});
  CHECK(forms->rest == Approx(113246208.0 / (15 * 2112 * 512) - 2));
}

TEST_CASE("attention keeps heads of a wave of CTAs, and twice as many; with a causal mask of two waves") {
  const auto forms = app::smaller_forms(attention(4, 32, 2048, false), 60e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(value_of(forms->smaller, "batch") == 1);
  CHECK(value_of(forms->smaller, "heads") == 8);  // heads of 16 CTAs each, for 132 SMs
  CHECK(value_of(forms->larger, "heads") == 16);
  CHECK(forms->rest == Approx((128.0 - 16) / 8));
  CHECK(forms->scale == 1);
  CHECK(forms->note == "16 of 128 heads, then in proportion");
  const auto causal = app::smaller_forms(attention(4, 32, 2048, true), 30e6, 3e6, 132, 1);
  CHECK(value_of(causal->smaller, "heads") == 16);
  CHECK(value_of(causal->larger, "heads") == 32);
  const auto paired = app::smaller_forms(attention(4, 32, 2048, true), 30e6, 3e6, 132, 2);  // two CTAs an SM
  CHECK(value_of(paired->smaller, "heads") == 33);
}

TEST_CASE("query heads that share keys and values stay together in the smaller forms") {
  auto grouped =
      trace_of("flash-attention-2", {{"batch", 4}, {"heads", 96}, {"seq", 2048}, {"causal", 0}, {"group", 6}});
  CHECK(value_of(app::smaller_forms(grouped, 240e6, 3e6, 132, 1)->smaller, "heads") == 12);  // eight, in whole groups
}

TEST_CASE("attention of long sequences has forms of 2,048 tokens, and as many more heads as make up for its steps") {
  const auto forms = app::smaller_forms(attention(1, 16, 65536, false), 60e9, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(value_of(forms->larger, "seq") == 2048);
  CHECK(value_of(forms->smaller, "seq") == 2048);
  CHECK(value_of(forms->smaller, "heads") == 8);
  // 512 CTAs of 512 steps and one for begin and end, in place of 16 of 16 and one.
  CHECK(forms->rest == Approx((16 * 512.0 * 513 / (16 * 17) - 16) / 8));
  const auto causal = app::smaller_forms(attention(1, 16, 65536, true), 30e9, 3e6, 132, 1);
  CHECK(causal->rest == Approx((16 * 512.0 * 257.5 / (16 * 9.5) - 32) / 16));
}

TEST_CASE("attention of a few rows of queries, or of keys of another length, does not have smaller forms") {
  trace::Trace few = trace_of("flash-attention-2", {{"heads", 4096}, {"seq", 4096}, {"queries", 1}, {"kv", 0}});
  CHECK_FALSE(app::smaller_forms(few, 1e9, 3e6, 132, 1));
}

TEST_CASE("a product of one tile per CTA keeps two or three turns, of which the last is nearly full, and less depth") {
  const auto product_of = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return trace_of(
        "gemm-mma",
        {{"m", m}, {"n", n}, {"k", k}, {"tile_m", 128}, {"tile_n", 128}, {"batch", 1}, {"splits", 1}, {"skew", 0}});
  };
  // 96 columns of tiles on 108 SMs with two CTAs each: four rows fill two turns to 89 %, and six no better three.
  const auto forms = app::smaller_forms(product_of(65536, 12288, 4096), 3e9, 3e6, 108, 2);
  REQUIRE(forms);
  CHECK(value_of(forms->larger, "n") == 12288);
  CHECK(value_of(forms->larger, "m") == 128 * 4);
  CHECK(value_of(forms->larger, "k") == 2048);
  CHECK(value_of(forms->smaller, "k") == 1024);
  CHECK(forms->scale == Approx(228.0 / 2));  // 512 x 96 tiles
  CHECK(forms->rest == 2);
  // More columns than a turn has CTAs: one row for each turn, of which a depth of 1,024 has four.
  const auto wide = app::smaller_forms(product_of(4096, 65536, 1024), 1e9, 3e6, 108, 2);
  CHECK(value_of(wide->larger, "n") == 216 * 128);
  CHECK(value_of(wide->larger, "m") == 4 * 128);
  CHECK(wide->rest == 0);
  CHECK_FALSE(app::smaller_forms(product_of(1024, 4096, 1024), 8e6, 3e6, 108, 2));
}

TEST_CASE("a product whose tiles are done in bands of eight rows keeps whole bands") {
  const auto product_of = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    trace::Trace trace = trace_of("gemm_bf16", {{"m", m}, {"n", n}, {"k", k}});
    trace.path = "traces/gemm_bf16.trace";
    return trace;
  };
  // Eight rows and 27 columns of tiles of 128 x 256 are two turns of 108 SMs.
  const auto wide = app::smaller_forms(product_of(49152, 50432, 49152), 1e9, 3e6, 108, 1);
  REQUIRE(wide);
  CHECK(value_of(wide->larger, "m") == 8 * 128);
  CHECK(value_of(wide->larger, "n") == 27 * 256);
  CHECK(value_of(wide->larger, "k") == 2048);
  CHECK(wide->scale == Approx(701.0 / 2));  // 384 x 197 tiles
  const auto narrow = app::smaller_forms(product_of(49152, 1536, 49152), 1e9, 3e6, 108, 1);
  CHECK(value_of(narrow->larger, "m") == 4 * 8 * 128);  // four bands of six columns: 1.8 turns
  CHECK(value_of(narrow->larger, "n") == 1536);
}

TEST_CASE("products side by side, and of a depth in parts, are simulated by their first CTAs") {
  const auto batched = trace_of("gemm-mma", {{"m", 1024},
                                             {"n", 1024},
                                             {"k", 4096},
                                             {"tile_m", 128},
                                             {"tile_n", 128},
                                             {"batch", 64},
                                             {"splits", 1},
                                             {"skew", 0}});
  CHECK_FALSE(app::smaller_forms(batched, 1e9, 3e6, 108, 2));
}

TEST_CASE("products side by side whose CTAs go from tile to tile are simulated by some of them, and twice as many") {
  const auto heads = [](std::int64_t batch) {
    return trace_of("gemm-wgmma", {{"m", 1024},
                                   {"n", 1024},
                                   {"k", 64},
                                   {"batch", batch},
                                   {"sms", 132},
                                   {"cluster", 2},
                                   {"tile_m", 128},
                                   {"tile_n", 256}});
  };
  const auto forms = app::smaller_forms(heads(1000), 1e9, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(value_of(forms->smaller, "batch") == 264);  // 64 turns of 66 clusters, 16 of which are a product
  CHECK(value_of(forms->larger, "batch") == 528);
  CHECK(forms->scale == 1);
  CHECK(forms->rest == Approx((1000 - 528) / 264.0));
  CHECK_FALSE(app::smaller_forms(heads(300), 1e9, 3e6, 132, 1));
}

TEST_CASE("large products side by side are cut as one is, and scaled by how many there are") {
  const auto products = [](std::int64_t batch) {
    trace::Trace trace = product(16384, 16384, 16384);
    trace.parameters.emplace_back();
    trace.parameters.back().name = "batch";
    trace.parameters.back().value = batch;
    return *app::smaller_forms(trace, 2e9, 3e6, 132, 1);
  };
  const app::SmallerForms one = products(1);
  for (const std::int64_t batch : {2, 3, 100}) {
    const app::SmallerForms forms = products(batch);
    CHECK(value_of(forms.larger, "batch") == 1);
    CHECK(value_of(forms.smaller, "batch") == 1);
    CHECK(value_of(forms.larger, "m") == value_of(one.larger, "m"));
    CHECK(value_of(forms.smaller, "k") == value_of(one.smaller, "k"));
    CHECK(forms.rest == one.rest);
    CHECK(forms.scale == Approx(one.scale * static_cast<double>(batch)).epsilon(0.02));
  }
}

TEST_CASE("attention of few heads is simulated whole, and so is a kernel that has no smaller forms") {
  CHECK_FALSE(app::smaller_forms(attention(1, 7, 4096, true), 13e6, 3e6, 132, 1));
  CHECK_FALSE(app::smaller_forms(trace_of("softmax", {{"rows", 1 << 20}}), 100e6, 3e6, 132, 1));
}

TEST_CASE("a product in FP32 keeps one full turn of its tiles, 256 deep and 128") {
  // 32 x 24 tiles for 132 SMs: 5.8 turns; 24 columns of 5 rows are 91 % of a turn.
  const auto forms = app::smaller_forms(fp32_product(8192, 3072, 768, 1, 256, 128), 700e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(forms->note == "m = 2816, n = 3072, k = 256, then in proportion");
  CHECK(forms->scale == 3);  // six turns of two: 11 rows fill two better than 5 fill one
  CHECK(forms->rest == 4);   // from 256 to 768
}

TEST_CASE("a product in FP32 with few tiles keeps as many parts of its depth as fill the SMs") {
  const auto forms = app::smaller_forms(fp32_product(768, 768, 8232, 7, 256, 128), 170e6, 3e6, 132, 1);
  REQUIRE(forms);
  CHECK(forms->larger == app::ParameterValues{{"splits", 7}, {"k", 7 * 256}});
  CHECK(forms->smaller == app::ParameterValues{{"splits", 7}, {"k", 7 * 128}});
  CHECK(forms->rest == Approx((8232.0 / 7 - 256) / 128));
  CHECK(forms->scale == 1);
}

TEST_CASE(
    "small tiles of a product in FP32 end one by one, so its smaller form is as many times as long as an SM has") {
  // 768 tiles of 128 x 64 for 132 SMs that hold four each: six for the busiest, and the form has four.
  const auto forms = app::smaller_forms(fp32_product(8192, 768, 768, 1, 128, 64), 180e6, 3e6, 132, 4);
  REQUIRE(forms);
  CHECK(value_of(forms->larger, "m") / 128 * value_of(forms->larger, "n") / 64 == 528);
  CHECK(forms->scale == 1.5);
}

}  // namespace smaller_test
