// SPDX-License-Identifier: MIT
// What is decided when a file is read: words as values, texts in braces, static if, element types, row offsets.
#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/input/text/load.h"

#include "tests/input/text/support.h"

namespace choices_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

/// One warp that runs `code`, after parameters `type` and `wide`.
std::string with_words(const std::string& code, const std::string& head = "") {
  return "gpusim trace 1\nparam type = f32 in f32 | f16\nparam wide = no in no|yes \"wide\"\n" +
         kernel_text("grid (1)\nblock (32)\n" + head, code).substr(std::string("gpusim trace 1\n").size());
}

trace::ParameterChoice words(std::vector<std::pair<std::string, std::string>> chosen) {
  trace::ParameterChoice choice;
  choice.words = std::move(chosen);
  return choice;
}

std::string texts(const trace::Kernel& kernel) {
  std::string all;
  for (const isa::InstrText& text : kernel.texts) {
    all += text.text + '\n';
  }
  return all;
}

}  // namespace

TEST_CASE("a word is its place in the list, and can be chosen by name or by place") {
  const std::string text = with_words("FADD R{type == f16 ? 8 : 4}, R{wide}, R2\nEXIT\n");
  CHECK(texts(load(text).kernels[0]) == "FADD R4, R0, R2\nEXIT\n");
  CHECK(texts(load(text, words({{"type", "f16"}, {"wide", "yes"}})).kernels[0]) == "FADD R8, R1, R2\nEXIT\n");
  trace::ParameterChoice by_place;
  by_place.overrides = {{"wide", 1}};
  CHECK(texts(load(text, by_place).kernels[0]) == "FADD R4, R1, R2\nEXIT\n");
}

TEST_CASE("a trace says the range of a parameter, and the words of one that has words") {
  const trace::Trace trace = load("gpusim trace 1\nparam n = 4 in 2..9\n" + with_words("EXIT\n").substr(15));
  CHECK(trace.parameters.at(0).range == std::pair<std::int64_t, std::int64_t>(2, 9));
  CHECK(trace.parameters.at(0).words.empty());
  CHECK(trace.parameters.at(2).words == std::vector<std::string>{"no", "yes"});
  CHECK(trace.parameters.at(2).text_of(1) == "yes");
  CHECK(trace.parameters.at(0).text_of(7) == "7");
}

TEST_CASE("words that are not allowed are refused with those that are") {
  const std::string text = with_words("EXIT\n");
  CHECK(load_error(text, words({{"type", "f15"}})) == "t.trace:2:7: parameter 'type' is 'f15' (did you mean 'f16'?)");
  trace::ParameterChoice by_place;
  by_place.overrides = {{"type", 2}};
  CHECK(load_error(text, by_place) == "t.trace:2:7: parameter 'type' is 2 (allowed: f32, f16)");
  CHECK(load_error("gpusim trace 1\nparam n = 1\n" + kernel_text("grid (1)\nblock (32)\n", "EXIT\n").substr(15),
                   words({{"n", "many"}})) ==
        "t.trace: --param n: 'many' is not an integer (integers only, such as 8192)");
  CHECK_THAT(load_error(text, words({{"tipe", "f16"}})), Contains("unknown parameter 'tipe' (did you mean 'type'?)"));
}

TEST_CASE("a word has one place, whichever parameter names it") {
  CHECK_THAT(load_error("gpusim trace 1\nparam a = x in x | y\nparam b = y in y | x\n" +
                        kernel_text("grid (1)\nblock (32)\n", "EXIT\n").substr(15)),
             Contains("t.trace:3:16: 'y' is word 0 here and word 1 elsewhere"));
}

TEST_CASE("braces choose between texts, in opcodes and operands") {
  const std::string text = with_words(
      "LDG.E{wide ? \".128\" : type == f16 ? \".U16\" : \"\"} R4, [R2.64{wide ? \"+0x10\" : \"\"}] @ x[lane]\nEXIT\n",
      "buffer x f32[1024]\n");
  CHECK(texts(load(text).kernels[0]) == "LDG.E R4, [R2.64]\nEXIT\n");
  CHECK(texts(load(text, words({{"type", "f16"}})).kernels[0]) == "LDG.E.U16 R4, [R2.64]\nEXIT\n");
  CHECK(texts(load(text, words({{"wide", "yes"}})).kernels[0]) == "LDG.E.128 R4, [R2.64+0x10]\nEXIT\n");
  CHECK_THAT(load_error(with_words("FADD R{1 + \"2\"}, R2, R3\nEXIT\n")), Contains("a text is not a number"));
  CHECK_THAT(load_error(with_words("FADD{lane ? \".FTZ\" : \"\"} R1, R2, R3\nEXIT\n")),
             Contains("a choice in braces must be the same for the whole launch"));
}

TEST_CASE("static if leaves one side, without a branch") {
  const std::string text = with_words("static if wide\nFADD R1, R2, R3\nelse\nFMUL R1, R2, R3\nend\nEXIT\n");
  CHECK(texts(load(text).kernels[0]) == "FMUL R1, R2, R3\nEXIT\n");
  CHECK(texts(load(text, words({{"wide", "yes"}})).kernels[0]) == "FADD R1, R2, R3\nEXIT\n");
  CHECK_THAT(load_error(with_words("static if lane < 3\nFADD R1, R2, R3\nend\nEXIT\n")),
             Contains("the condition of 'static if' must be the same for the whole launch"));
  CHECK_THAT(load_error(with_words("static wide\nEXIT\nend\nEXIT\n")), Contains("expected 'if' after 'static'"));
}

TEST_CASE("a buffer's type can be a parameter's word") {
  const std::string text = with_words("LDG.E R4, [R2.64] @ x[2*lane]\nEXIT\n",
                                      "buffer x type[64]\nshared static 256\nshared_buffer s type[64] at 0\n");
  CHECK(load(text).kernels[0].buffers.at(0).bytes == 256);
  const trace::Trace half = load(text, words({{"type", "f16"}}));
  CHECK(half.kernels[0].buffers.at(0).bytes == 128);
  CHECK(half.kernels[0].buffers.at(1).bytes == 128);
  const auto at = addresses(half.kernels[0]).at(0);
  CHECK(at[1] - at[0] == 4);
  CHECK_THAT(load_error(with_words("EXIT\n", "buffer x wide[64]\n")), Contains("unknown element type 'no'"));
}

TEST_CASE("offsets grow by steps within their range, long ones rarer with a higher power") {
  const auto steps = [](const std::string& power) {
    const trace::Trace trace =
        load("gpusim trace 1\nkernel k\ngrid (1000)\nblock (1)\nbuffer o u32[1001] = offsets(5, 2, 33, " + power +
             ")\nbuffer v bytes[o[1000]]\ncode\nloop i = o[ctaid.x]..o[ctaid.x + 1]\nNOP\nend\nEXIT\nend\n");
    return trace.kernels[0].buffers.at(1).bytes;
  };
  CHECK(steps("1") > 1000 * 16);
  CHECK(steps("1") < 1000 * 19);
  // The mean of u^4 is a fifth.
  CHECK(steps("4") > 1000 * 7);
  CHECK(steps("4") < 1000 * 9);
}

TEST_CASE("offsets out of bounds are refused") {
  const auto error = [](const std::string& arguments) {
    return load_error("gpusim trace 1\nkernel k\ngrid (1)\nblock (1)\nbuffer o u32[1048576] = offsets(" + arguments +
                      ")\ncode\nEXIT\nend\n");
  };
  CHECK_THAT(error("1, -1, 2, 1"), Contains("the least step of 'offsets' is -1 (allowed: 0 to 1048576)"));
  CHECK_THAT(error("1, 3, 2, 1"), Contains("the greatest step of 'offsets' is 2 (allowed: 3 to 1048576)"));
  CHECK_THAT(error("1, 0, 2, 0"), Contains("the power of 'offsets' is 0 (allowed: 1 to 16)"));
  CHECK_THAT(error("1, 0, 1048576, 1"), Contains("may grow beyond 4294967295"));
  CHECK_THAT(error("1, 0, 2"), Contains("'offsets' takes 4 arguments, not 3"));
}

TEST_CASE("a table of tiles for the first free worker says what is wrong with its arguments") {
  const auto error = [](const std::string& arguments) {
    return load_error("gpusim trace 1\nkernel k\ngrid (1)\nblock (1)\nbuffer o u32[11] = first_free(" + arguments +
                      ")\ncode\nEXIT\nend\n");
  };
  CHECK_THAT(error("0, 1, 1, 4, 128, 128, 4, 0"), Contains("'workers' of 'first_free' is 0 (allowed: 1 to 16777216)"));
  CHECK_THAT(error("2, 1, 1, 4, 128, 128, 4, -1"), Contains("'ahead' of 'first_free' is -1 (allowed: 0 to 16777216)"));
  CHECK_THAT(error("3, 1, 1, 4, 128, 128, 4, 0"), Contains("'first_free' has 12 entries here, the buffer 11"));
  CHECK_THAT(error("2, 1, 1, 4, 128, 128, 4"), Contains("'first_free' takes 8 arguments, not 7"));
}

TEST_CASE("a table of tiles for the first free worker counts the keys that are before the first row's own") {
  // Two blocks of 128 rows and one worker: with 128 keys ahead the second block has three steps, which the worker does
  // before the first one.
  const auto loops = [](const std::string& ahead) {
    const trace::Trace trace = load(
        "gpusim trace 1\nkernel k\ngrid (1)\nblock (1)\nbuffer o u32[6] = first_free(1, 1, 1, "
        "2, 128, 128, 9, " +
        ahead + ")\nbuffer v bytes[o[5]]\ncode\nEXIT\nend\n");
    return trace.kernels[0].buffers.at(1).bytes;
  };
  CHECK(loops("0") == 2);
  CHECK(loops("128") == 3);
}

TEST_CASE("a trace describes itself without its kernels") {
  const frontend::Description told = frontend::describe_trace_text(
      "gpusim trace 1\ntitle \"adds\"\nlibrary \"memory\" \"add\"\nlibrary \"memory\" \"add-3\" \"adds three\" "
      "n=3\nparam n = 4 in 2..9 \"elements\"\nlet m = "
      "2*n\nparam k = m\n"
      "test n=2\nkernel k\ngrid (n)\nblock (32)\ncode\nNOSUCH R1\nend\n",
      "t.trace");
  CHECK(told.title == "adds");
  CHECK(told.library.at(0).family == "memory");
  CHECK(told.library.at(0).name == "add");
  CHECK(told.library.at(0).title == "adds");
  CHECK(told.library.at(1).title == "adds three");
  CHECK(told.library.at(1).presets == std::vector<std::pair<std::string, std::int64_t>>{{"n", 3}});
  CHECK(told.parameters.at(0).what == "elements");
  CHECK(told.parameters.at(0).test_value == 2);
  CHECK(told.parameters.at(1).default_value == 8);
}

TEST_CASE("a text gets the chosen values as defaults, and keeps everything else") {
  const std::string text =
      "# of n elements\ngpusim trace 1\nparam n  =  8*1024   in 2..90000 \"elements\"   # n\nparam m = n\n"
      "param t=f32 in f32|f16\nkernel k\n  grid (1)\n  block (32)\ncode\n  EXIT  # ends\nend\n";
  trace::ParameterChoice choice = words({{"t", "f16"}});
  choice.overrides = {{"n", 100}};
  CHECK(frontend::text_with_defaults(text, "t", choice) ==
        "# of n elements\ngpusim trace 1\nparam n  =  100   in 2..90000 \"elements\"   # n\nparam m = n\n"
        "param t=f16 in f32|f16\nkernel k\n  grid (1)\n  block (32)\ncode\n  EXIT  # ends\nend\n");
  CHECK(frontend::text_with_defaults(text, "t", {}) == text);
  CHECK_THAT(frontend::text_with_defaults(text, "t", {}, "adds"), Contains("gpusim trace 1\ntitle \"adds\"\nparam n"));
  choice.overrides = {{"n", 1}};
  CHECK_THROWS_WITH(frontend::text_with_defaults(text, "t", choice), Contains("allowed: 2 to 90000"));
}

}  // namespace choices_test
