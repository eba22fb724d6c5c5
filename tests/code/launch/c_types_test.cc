// SPDX-License-Identifier: MIT
#include "sim/code/launch/c_types.h"

#include <catch2/catch.hpp>

namespace c_types_test {

using namespace gpusim;
using namespace gpusim::launch;
using array::Element;
using Kind = ParameterType::Kind;

namespace {

std::string names_of(const std::optional<std::vector<NamedType>>& parameters) {
  std::string text;
  for (const NamedType& one : parameters.value_or(std::vector<NamedType>{{"none", {}}})) {
    text += (text.empty() ? "" : " ") + one.name + ":" + one.type.text;
  }
  return text;
}

}  // namespace

TEST_CASE("types of C++ are numbers, pointers or structs") {
  CHECK(type_of_cpp("int").element == Element::kI32);
  CHECK(type_of_cpp("unsigned long").element == Element::kU64);
  CHECK(type_of_cpp("unsigned").kind == Kind::kNumber);
  CHECK(type_of_cpp("float const*").kind == Kind::kPointer);
  CHECK(type_of_cpp("float const*").element == Element::kF32);
  CHECK(type_of_cpp("const __half* __restrict__").element == Element::kF16);
  CHECK(type_of_cpp("std::uint8_t *").element == Element::kU8);
  CHECK(type_of_cpp("float**").kind == Kind::kPointer);
  CHECK_FALSE(type_of_cpp("float**").element);
  CHECK_FALSE(type_of_cpp("void*").element);
  CHECK(type_of_cpp("demo::Work").kind == Kind::kStruct);
}

TEST_CASE("a demangled name has the types of the parameters") {
  const auto found = parameters_of_demangled("void demo::sum<float, (int)4>(float const*, demo::Pair<int, int>, int)");
  CHECK(names_of(found) == ":float const* :demo::Pair<int, int> :int");
  CHECK(parameters_of_demangled("saxpy()")->empty());
  CHECK_FALSE(parameters_of_demangled("saxpy"));
}

TEST_CASE("a source has the names of the parameters") {
  const std::string source = R"(
    // __global__ void saxpy(int wrong) is said in a comment
    __global__ void saxpy_all(int other);
    extern "C" __global__ void __launch_bounds__(256, 2)
    saxpy(int n, /* the factor */ float a, const float* __restrict__ x,
          float *y) {
      saxpy_all<<<1, 1>>>(n);
    })";
  CHECK(names_of(parameters_of_source(source, "saxpy")) == "n:int a:float x:const float* __restrict__ y:float *");
  CHECK(names_of(parameters_of_source(source, "saxpy_all")) == "other:int");
  CHECK_FALSE(parameters_of_source(source, "sax"));
  CHECK(parameters_of_source("__global__ void f() {}", "f")->empty());
}

TEST_CASE("what only a compiler understands has no names") {
  CHECK_FALSE(parameters_of_source("__global__ void f(int a\n#ifdef B\n, int b\n#endif\n) {}", "f"));
  CHECK_FALSE(parameters_of_source("__global__ void f(int (*g)(int)) {}", "f"));
  CHECK_FALSE(parameters_of_source("__global__ void f(int a", "f"));
  CHECK_FALSE(parameters_of_source("", "f"));
}

TEST_CASE("what Triton keeps beside a cubin has names and types") {
  const auto found = parameters_of_ttir(
      "module {\n  tt.func public @add_kernel(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(\"x_ptr\"(#loc)), "
      "%n: i32 {tt.divisibility = 16 : i32}, %scale: f32) attributes {noinline = false} {\n");
  REQUIRE(found);
  CHECK(names_of(found) == "x_ptr:!tt.ptr<f32> n:i32 scale:f32");
  CHECK((*found)[0].type.kind == Kind::kPointer);
  CHECK((*found)[0].type.element == Element::kF32);
  CHECK((*found)[1].type.element == Element::kI32);
  CHECK(names_of(parameters_of_ttir("tt.func public @f(%arg0: !tt.ptr<bf16, 1>)")) == ":!tt.ptr<bf16,");
  CHECK_FALSE(parameters_of_ttir("module {}"));
  CHECK(type_of_triton("*fp16").element == Element::kF16);
  CHECK(type_of_triton("i1").element == Element::kBool);
}

TEST_CASE("PTX has names where its author gave them, and types of what has a fraction or is a pointer") {
  const std::string triton =
      "// add_kernel\n.visible .entry add_kernel(\n\t.param .u64 .ptr .global .align 1 add_kernel_param_0,\n"
      "\t.param .u32 add_kernel_param_1, // rows, columns\n\t.param .f32 add_kernel_param_2\n)\n.reqntid 128\n{";
  const auto found = parameters_of_ptx(triton, "add_kernel");
  REQUIRE(found);
  CHECK(names_of(found) == ":pointer : :f32");
  CHECK((*found)[0].type.kind == Kind::kPointer);
  CHECK_FALSE((*found)[0].type.element);
  CHECK((*found)[1].type.kind == Kind::kUnknown);
  CHECK((*found)[2].type.element == Element::kF32);
  CHECK(names_of(parameters_of_ptx(".entry f ( .param .b64 x, .param .align 4 .b8 work[12] )", "f")) == "x: work:");
  CHECK(parameters_of_ptx(".entry f\n{", "f")->empty());
  CHECK_FALSE(parameters_of_ptx(triton, "add"));
  CHECK_FALSE(parameters_of_ptx(".entry f(.param .b64 x", "f"));
}

}  // namespace c_types_test
