// SPDX-License-Identifier: MIT
#include "sim/code/launch/layout.h"

#include <catch2/catch.hpp>

#include "sim/code/launch/launch_file.h"
#include "sim/code/launch/plan.h"

#include "tests/code/launch/problems.h"

namespace layout_test {

using namespace gpusim;
using namespace gpusim::launch;
using Catch::Contains;

namespace {

/// A kernel of a listing, whose code reads this.
Signature listed(std::vector<cubin::ParameterRead> reads, std::optional<std::uint32_t> all_bytes = std::nullopt) {
  Signature out;
  out.kernel = "k";
  out.file = "k.sass";
  out.unknown = cubin::UnknownParameters{0, std::move(reads), all_bytes};
  return out;
}

Plan plan_of(const std::string& args, const Signature& signature, const std::string& more = "") {
  return make_plan(parse_launch_file("grid: 1\nblock: 32\n" + more + "args: {" + args + "}\n", "k.yaml"),
                   [&](const std::string&) { return signature; });
}

/// Offset and bytes of each argument; "" for a buffer's 8.
std::string places(const Plan& plan) {
  std::vector<Argument> arguments = plan.launches.at(0).arguments;
  std::ranges::sort(arguments, {}, &Argument::offset);
  std::string text;
  for (const Argument& argument : arguments) {
    text += (text.empty() ? "" : " ") + std::to_string(argument.offset) + ":" +
            std::to_string(argument.map ? kTensorMapBytes : argument.bytes.size());
  }
  return text;
}

std::string problems_in(const std::string& args, const Signature& signature, const std::string& more = "") {
  return problems_of([&] { static_cast<void>(plan_of(args, signature, more)); });
}

}  // namespace

TEST_CASE("arguments lie one behind the other as C aligns their types, and a note says where") {
  const Plan plan = plan_of("n: 5, x: \"f32[n]\", h: i16:1, a: 2.0, d: f64:1", listed({}));
  CHECK(places(plan) == "0:4 8:8 16:2 20:4 24:8");
  CHECK(plan.launches[0].parameter_bytes == 32);
  REQUIRE(!plan.notes.empty());
  CHECK_THAT(plan.notes[0], Contains("k.sass does not say where the parameters of 'k' lie; they were laid out by the "
                                     "types of the arguments: 0 has 4 bytes at 0, 1 has 8 bytes at 8"));
}

TEST_CASE("a number without a type has 8 bytes where the code reads so many") {
  CHECK(places(plan_of("n: 5, x: \"f32[n]\"", listed({{0, 8}, {8, 8}}))) == "0:8 8:8");
  CHECK(places(plan_of("x: \"f32[4]\", a: 0.5", listed({{0, 8}, {8, 8}}))) == "0:8 8:8");
}

TEST_CASE("a number has 4 bytes where the code reads so many, also before 8 bytes of which nothing is known yet") {
  CHECK_THAT(problems_in("n: 5, a: 2.0", listed({{0, 4}, {4, 4}, {8, 8}})), Contains("reads bytes 8 to 15"));
  CHECK(places(plan_of("n: 5, a: 2, l: 3", listed({{0, 4}, {4, 4}, {8, 8}}))) == "0:4 4:4 8:8");
}

TEST_CASE("two numbers that the code reads at once have 4 bytes each") {
  CHECK(places(plan_of("n: 5, m: 6, x: \"f32[n]\"", listed({{0, 8}, {8, 8}}))) == "0:4 4:4 8:8");
  CHECK(places(plan_of("n: 5, m: 6", listed({{0, 8}}, 8))) == "0:4 4:4");
  CHECK(places(plan_of("n: 5, m: 6", listed({{0, 8}}, 12))) == "0:8 8:4");
}

TEST_CASE("structs, bytes and tensor maps have the size and the alignment that they are written with") {
  CHECK(places(plan_of("n: 5, s: \"{f32[4]:ones, 7}\", b: 'bytes:000102', m: \"map(4, 4):f32[8, 8]\"", listed({}))) ==
        "0:4 8:8 16:4 24:3 64:128");
}

TEST_CASE("parameters are aligned as addresses in the constant bank") {
  Signature signature = listed({});
  signature.unknown->base = 0x210;
  CHECK(places(plan_of("n: 5, m: \"map(4, 4):f32[8, 8]\", x: \"f32[4]\"", signature)) == "0:4 48:128 176:8");
}

TEST_CASE("arguments by position may come in any order") {
  CHECK(places(plan_of("2: \"f32[4]\", 0: i64:5, 1: 7", listed({{16, 8}}))) == "0:8 8:4 16:8");
}

TEST_CASE("a number is not taken for the buffer that stands at this position") {
  CHECK(places(plan_of("0: 1, 1: \"f32[4]\", 2: i8:1, 3: \"{1, 1}\"", listed({}))) == "0:4 8:8 16:1 20:4 24:4");
}

TEST_CASE("what the code reads and no argument fills is refused with what to add") {
  CHECK_THAT(problems_in("n: 5", listed({{0, 4}, {8, 8}, {16, 4}})),
             Contains("kernel 'k' reads bytes 8 to 15, 16 to 19 of its parameters, and no argument lies there (add to "
                      "'args:'  1: f32[COUNT]:random, 2: 1024)"));
  CHECK_THAT(problems_in("n: 5", listed({{0, 4}}, 24)), Contains("reads bytes 4 to 23 of its parameters"));
}

TEST_CASE("a gap between two arguments that the code reads is refused") {
  CHECK_THAT(
      problems_in("n: 5, x: \"f32[n]\"", listed({{0, 4}, {4, 4}, {8, 8}})),
      Contains("kernel 'k' reads bytes 4 to 7 of its parameters, which lie between two arguments (one is missing, "
               "or has another type: a number without a type has 4 bytes (i64:5 has 8))"));
}

TEST_CASE("more bytes of arguments than the kernel takes are refused") {
  CHECK_THAT(problems_in("n: 5, x: \"f32[n]\"", listed({}, 8)),
             Contains("the arguments have 16 bytes, and kernel 'k' takes 8"));
  CHECK_THAT(problems_in("4000: 1", listed({})), Contains("parameter 0 of kernel 'k' has no value"));
  CHECK_THAT(problems_in("99999999: 1", listed({})), Contains("has no parameter 99999999"));
}

TEST_CASE("types of a C++ name lay out the parameters without a note") {
  Signature signature = listed({{0, 4}, {8, 8}});
  REQUIRE(take_names(signature, *parameters_of_demangled("k(int, float const*)"), ""));
  const Plan plan = plan_of("0: 5, 1: \"[4]:ones\"", signature);
  CHECK(places(plan) == "0:4 8:8");
  CHECK(plan.notes.empty());
  CHECK(plan.buffers.at(0).element == array::Element::kF32);
  CHECK_THAT(problems_in("0: 5", signature), Contains("parameter 1 (float const*) of kernel 'k' has no value"));
}

TEST_CASE("a source beside a listing gives names and types, unless the code reads something else") {
  const auto named = parameters_of_source("__global__ void k(long long n, Pair p, float* x) {}", "k");
  Signature signature = listed({{0, 8}, {8, 8}, {16, 8}});
  REQUIRE(take_names(signature, *named, "k.cu"));
  CHECK(places(plan_of("x: \"[4]\", p: \"{1, 2}\", n: 5", signature)) == "0:8 8:4 12:4 16:8");
  CHECK_THAT(problems_in("x: \"[4]\", p: 'bytes:00', n: 5", listed({{40, 8}})), Contains("reads bytes 40 to 47"));
  Signature other = listed({{0, 8}, {24, 8}});
  CHECK_FALSE(take_names(other, *parameters_of_source("__global__ void k(int n, float* x) {}", "k"), "k.cu"));
  CHECK(other.parameters.empty());
}

TEST_CASE("shared memory that a listing does not tell is asked for") {
  Signature signature = listed({});
  signature.unknown_shared_bytes = true;
  CHECK_THAT(problems_in("", signature), Contains("k.sass does not say how much shared memory kernel 'k' has, which it "
                                                  "uses (add  shared: BYTES, or print the listing with cuobjdump "
                                                  "-sass -res-usage)"));
  CHECK(plan_of("", signature, "shared: 512\n").launches[0].shared_bytes == 512);
}

}  // namespace layout_test
