// SPDX-License-Identifier: MIT
// What a student's CUDA may say to the compiler: no words with which it reads another file, however they are written.
#include "sim/commands/lab/run/source_rules.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

std::string refused(const std::string& text) {
  try {
    lab::require_own_text(text, "kernel.cu");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("kernels with headers of the compiler, macros, conditions and comments are accepted") {
  CHECK(refused("#include <cuda_fp16.h>\n #  include <cooperative_groups/reduce.h> // it's here\n"
                "#define TILE 32\n#if TILE > 16 && defined(X) /* don't\n#include \"x\" */\n#endif\n"
                "#define MOVE(a) \\\n  a = #a[0]; \\\n  b = a\n"
                "__global__ void k(char* c) {\n  #pragma unroll\n  for (;;) c[0] = '#', c[1] = '\\'', c[2] = '\"';\n"
                "  const char* s = \"// \\\" #include /* \";  // 'quotes' don't matter here, nor do \"\n}\n")
            .empty());
  CHECK(refused("\xEF\xBB\xBF#include <mma.h>\r\n// r\xC3\xBChrt\r\n#\r\n").empty());
}

TEST_CASE("no directive names a file") {
  CHECK_THAT(refused("int a;\n#include \"/etc/passwd\"\n"),
             Contains("kernel.cu:2: '#include \"/etc/passwd\"' is not accepted in a lab"));
  for (const char* const text : {"#include </etc/passwd>",
                                 "#include <../../etc/passwd>",
                                 "#include <./x>",
                                 "#include NAME",
                                 "#include_next <a>",
                                 "#import \"a\"",
                                 "#embed \"a\"",
                                 "#line 1 \"/etc/passwd\"",
                                 "# 1 \"/etc/passwd\"",
                                 "%:include \"a\"",
                                 "  \t#include \"a\"",
                                 "\v#include \"a\"",
                                 "/**/ # /**/ include \"a\"",
                                 "#/*\n*/include \"a\"",
                                 "/* */ /*\n\n*/#include \"a\"",
                                 "#inc\\\nlude \"a\"",
                                 "#\\ \t\n include \"a\"",
                                 "\\\n#include \"a\"",
                                 "/\\\n* \" */ #include \"a\" /* \" */",
                                 "#include <a> \"b\"",
                                 "#include <a>b>",
                                 "#pragma GCC dependency \"a\"",
                                 "#ident \"a\"",
                                 "#assert a"}) {
    INFO(text);
    CHECK_THAT(refused(text), Contains("is not accepted in a lab"));
  }
}

TEST_CASE("no question asks whether there is a file") {
  for (const char* const text : {"#if __has_include(\"/etc/passwd\")\n#endif", "#if __has_embed(<a>)\n#endif",
                                 "#if __has_\\\ninclude_next(<a>)\n#endif", "_Pragma(\"GCC dependency \\\"a\\\"\")"}) {
    INFO(text);
    CHECK_THAT(refused(text), Contains("is not accepted in a lab (a kernel needs no other file)"));
  }
}

TEST_CASE("no word is made of two, which could be a question for files") {
  CHECK_THAT(refused("#define P(a, b) a##b\n#if P(__has_, include)(\"/etc/passwd\")\n#endif\n"),
             Contains("kernel.cu:1: '##' is not accepted in a lab (write the whole word)"));
  CHECK_THAT(refused("#define P(a, b) a %:%: b\n"), Contains("'%:%:' is not accepted in a lab"));
  CHECK_THAT(refused("#if __has_include__(<a>)\n#endif"), Contains("'__has_include__' is not accepted in a lab"));
  CHECK(refused("const char* s = \"##\";  // ##\n").empty());
}

TEST_CASE("what one reader could take for a text and another for code is refused") {
  CHECK_THAT(refused("const char* s = R\"(\n#include \"a\"\n)\";"), Contains("kernel.cu:1: has a raw string"));
  CHECK_THAT(refused("int n = 1'000;"), Contains("has a ' behind a letter or a digit (write numbers without it)"));
  CHECK_THAT(refused("int a;\n#error don't"), Contains("kernel.cu:2: has a ' behind a letter"));
  CHECK_THAT(refused("#if 0\n \" /*\n#endif"), Contains("kernel.cu:2: has a \" without its partner"));
  CHECK_THAT(refused("\?\?=include <a>"), Contains("has a trigraph"));
  CHECK_THAT(refused("int a; \?\?/\n"), Contains("has a trigraph"));
  CHECK_THAT(refused(std::string("int a;\0#include", 15)), Contains("has a character that is not text"));
  CHECK_THAT(refused("int a;\r#include \"a\""), Contains("has a character that is not text"));
}
