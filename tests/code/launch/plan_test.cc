// SPDX-License-Identifier: MIT
#include "sim/code/launch/plan.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "sim/code/array/npy.h"
#include "sim/code/launch/c_types.h"
#include "sim/code/launch/launch_file.h"
#include "sim/code/launch/signature.h"

#include "tests/code/launch/problems.h"

namespace plan_test {

using namespace gpusim;
using namespace gpusim::launch;
using Catch::Contains;

namespace {

/// saxpy(int n, float a, const float* x, float* y), as a cubin has it.
Signature saxpy() {
  Signature out;
  out.kernel = "saxpy";
  out.file = "saxpy.cubin";
  out.parameter_bytes = 24;
  for (const auto& [offset, size] : {std::pair{0U, 4U}, std::pair{4U, 4U}, std::pair{8U, 8U}, std::pair{16U, 8U}}) {
    out.parameters.push_back({offset, size, "", {}});
  }
  return out;
}

/// The same with the names and types of its source.
Signature named_saxpy() {
  Signature out = saxpy();
  REQUIRE(take_names(
      out, *parameters_of_source("__global__ void saxpy(int n, float a, const float* x, float* y) {}", "saxpy"),
      "saxpy.cu"));
  return out;
}

Plan plan_of(const std::string& yaml, const Signature& signature = named_saxpy()) {
  return make_plan(parse_launch_file(yaml, "s.yaml"), [&](const std::string&) { return signature; });
}

std::string problems_in(const std::string& yaml, const Signature& signature = named_saxpy()) {
  return problems_of([&] { static_cast<void>(plan_of(yaml, signature)); });
}

template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

const std::string kHead = "grid: 4\nblock: 256\n";

/// A .npy file that goes away with this.
struct NpyOnDisk {
  NpyOnDisk(const std::string& name, array::Element element, const std::vector<std::uint64_t>& shape,
            const std::string& bytes)
      : path(std::filesystem::temp_directory_path() / ("gpusim_plan_" + name)) {
    std::ofstream(path, std::ios::binary) << array::npy_header(element, shape) << bytes;
  }
  ~NpyOnDisk() { std::filesystem::remove(path); }
  NpyOnDisk(const NpyOnDisk&) = delete;
  NpyOnDisk& operator=(const NpyOnDisk&) = delete;
  std::filesystem::path path;
};

}  // namespace

TEST_CASE("arguments by name become the bytes that the kernel finds") {
  const Plan plan = plan_of(
      "param: {size: 1000}\ngrid: (n + 255) / 256, 2\nblock: 256\n"
      "args: {y: \"[n]\", x: \"f32[n*2]:random\", a: 2, n: size}\n");
  REQUIRE(plan.launches.size() == 1);
  const Launch& launch = plan.launches[0];
  CHECK(launch.grid == Dim3{4, 2, 1});
  CHECK(launch.block == Dim3{256, 1, 1});
  REQUIRE(plan.buffers.size() == 2);
  CHECK(plan.buffers[0].name == "y");
  CHECK(plan.buffers[0].element == array::Element::kF32);
  CHECK(plan.buffers[0].count == 1000);
  CHECK(plan.buffers[1].count == 2000);
  const std::vector<Address> addresses{0x1000, 0x2000};
  const std::string bytes = parameters_of(launch, addresses);
  REQUIRE(bytes.size() == 24);
  CHECK(value_at<std::int32_t>(bytes, 0) == 1000);
  CHECK(value_at<float>(bytes, 4) == 2.0F);  // the source says that it is a float
  CHECK(value_at<std::uint64_t>(bytes, 8) == 0x2000);
  CHECK(value_at<std::uint64_t>(bytes, 16) == 0x1000);
  CHECK(plan.notes.empty());
}

TEST_CASE("without names arguments are taken in the order given, and the user is told") {
  const Plan plan = plan_of(kHead + "args: {n: 8, a: 2.0, x: \"f32[n]\", y: \"f32[n]:ones\"}", saxpy());
  const std::string bytes = parameters_of(plan.launches[0], std::vector<Address>{0x1000, 0x2000});
  CHECK(value_at<float>(bytes, 4) == 2.0F);
  CHECK(value_at<std::uint64_t>(bytes, 16) == 0x2000);
  REQUIRE(plan.notes.size() == 1);
  CHECK(plan.notes[0] ==
        "saxpy.cubin has no names of parameters; the arguments of 'saxpy' were taken in the order given: n is 0 (4 "
        "bytes), a is 1 (4 bytes), x is 2 (8 bytes), y is 3 (8 bytes)");
}

TEST_CASE("positions and names go together") {
  const Plan plan = plan_of(kHead + "args: {3: \"f32[4]\", 0: 4, a: f32:2, x: \"f32[4]\"}\nout: {3: y.npy}", saxpy());
  const std::string bytes = parameters_of(plan.launches[0], std::vector<Address>{0x1000, 0x2000});
  CHECK(value_at<float>(bytes, 4) == 2.0F);
  CHECK(value_at<std::uint64_t>(bytes, 16) == 0x1000);
  CHECK(plan.outputs.at(0).buffer == 0);
  const Plan middle = plan_of(kHead + "args: {0: 4, 1: f32:2, 3: \"f32[4]\", 2: \"&3[1]\"}", saxpy());
  CHECK(value_at<std::uint64_t>(parameters_of(middle.launches[0], std::vector<Address>{0x1000}), 8) == 0x1004);
}

TEST_CASE("each missing argument is told with the line to add") {
  const std::string problems = problems_in(kHead + "args: {n: 4}");
  CHECK_THAT(problems, Contains("s.yaml: parameter a (float) of kernel 'saxpy' has no value (add to 'args:'  a: 1.0)"));
  CHECK_THAT(problems,
             Contains("x (const float*) of kernel 'saxpy' has no value (add to 'args:'  x: f32[COUNT]:random)"));
  CHECK_THAT(problems, Contains("y (float*)"));
  Request request = parse_launch_file(kHead + "args: {n: 4}", "s.yaml");
  request.from_command_line = true;
  const std::string inline_problems =
      problems_of([&] { static_cast<void>(make_plan(request, [](const std::string&) { return saxpy(); })); });
  CHECK_THAT(inline_problems,
             Contains("parameters 1 (4 bytes), 2 (8 bytes), 3 (8 bytes) of kernel 'saxpy' have no values (add --arg "
                      "'1=1024' --arg '2=f32[COUNT]:random' --arg '3=f32[COUNT]:random')"));
}

TEST_CASE("an argument that the kernel does not have is refused with the nearest") {
  CHECK_THAT(problems_in(kHead + "args: {n: 4, alpha: 1, X_: 2}"), Contains("has no parameter 'alpha'"));
  CHECK_THAT(problems_in(kHead + "args: {nn: 4, a: 1.0, x: \"f32[4]\", y: \"f32[4]\"}"),
             Contains("s.yaml:3:12: kernel 'saxpy' has no parameter 'nn' (did you mean 'n'?)"));
  CHECK_THAT(problems_in(kHead + "args: {0: 4, 1: 1.0, 2: x, 3: y, 4: 1}", saxpy()),
             Contains("has no parameter 4 (its parameters are 0 to 3)"));
  CHECK_THAT(problems_in(kHead + "args: {a: 4, b: 1.0, c: \"f32[4]\", d: \"f32[4]\", e: 5}", saxpy()),
             Contains("has no parameter left for 'e'"));
  CHECK_THAT(problems_in(kHead + "args: {0: 4, n: 5, a: 1.0, x: \"f32[4]\", y: \"f32[4]\"}"),
             Contains("parameter n (int) is given twice (once as '0', and as 'n')"));
}

TEST_CASE("a value that is not a number is one problem, and what uses it is none") {
  CHECK(problems_in("grid: (n + 255) / 256\nblock: 256\nargs: {n: 1M, a: 1.0, x: \"f32[n]\", y: \"f32[2 * n]\"}") ==
        "s.yaml:3:11: '1M' is not an integer (integers only, such as 1048576 or 1000000 for 1M)");
  CHECK(problems_in("param: {size: 1M}\n" + kHead + "args: {n: size, a: 1.0, x: \"f32[size]\", y: \"f32[n]\"}") ==
        "s.yaml:1:15: '1M' is not an integer (integers only, such as 1048576 or 1000000 for 1M)");
}

TEST_CASE("an argument of the wrong size or type is refused") {
  const std::string rest = ", x: \"f32[4]\", y: \"f32[4]\"}";
  CHECK_THAT(problems_in(kHead + "args: {n: f64:4, a: 1.0" + rest),
             Contains("f64 has 8 bytes, and parameter n (int) has 4"));
  CHECK_THAT(problems_in(kHead + "args: {n: 2.5, a: 1.0" + rest), Contains("'2.5' is not a number of type i32"));
  CHECK_THAT(problems_in(kHead + "args: {n: 5000000000, a: 1.0" + rest), Contains("is not a number of type i32"));
  CHECK_THAT(problems_in(kHead + "args: {n: 5000000000, a: 1.0" + rest, saxpy()), Contains("does not fit parameter 0"));
  CHECK_THAT(problems_in(kHead + "args: {n: \"f32[4]\", a: 1.0" + rest),
             Contains("parameter n (int) is not a pointer, and 'f32[4]' is a buffer"));
  CHECK_THAT(problems_in(kHead + "args: {n: 4, a: 1.0, x: 17, y: \"f32[4]\"}"),
             Contains("parameter x (const float*) is a pointer, and '17' is not a buffer"));
  CHECK_THAT(problems_in(kHead + "args: {n: 4, a: 1.0, x: \"f64[4]\", y: \"f32[4]\"}"),
             Contains("does not point to elements of type f64 (expected f32)"));
  CHECK_THAT(problems_in(kHead + "args: {n: 4, a: 1.0, x: \"f31[4]\", y: \"f32[4]\"}"),
             Contains("unknown type 'f31' in 'f31[4]' (did you mean 'f32'?)"));
  CHECK_THAT(problems_in(kHead + "args: {n: m, a: 1.0" + rest), Contains("'m': unknown name 'm'"));
  CHECK_THAT(problems_in(kHead + "args: {n: 4 +, a: 1.0" + rest), Contains("'4 +': expected a number, a name or '('"));
  CHECK_THAT(problems_in(kHead + "args: {n: 1/0, a: 1.0" + rest), Contains("'1/0'"));
}

TEST_CASE("buffers have bounds") {
  const auto with_x = [](const std::string& x) { return kHead + "args: {n: 4, a: 1.0, y: nullptr, x: \"" + x + "\"}"; };
  CHECK_THAT(problems_in(with_x("f32[0]")), Contains("buffer 'x' has 0 elements (at least 1)"));
  CHECK_THAT(problems_in(with_x("f32[n - 5]")), Contains("buffer 'x' has -1 elements"));
  CHECK_THAT(problems_in(with_x("f32[1 << 41]")), Contains("larger than any GPU's memory (at most 1 TiB)"));
  CHECK_THAT(problems_in(with_x("f32[1 << 39]")), Contains("larger than any GPU's memory"));
  CHECK_THAT(problems_in(with_x("f32[")), Contains("the '[' of 'f32[' is not closed"));
  CHECK_THAT(problems_in(with_x("f32[]")), Contains("does not say how many elements"));
  CHECK_THAT(problems_in(with_x("f32[4]zeros")), Contains("unexpected 'zeros' behind the ']'"));
  CHECK_THAT(problems_in(with_x("f32[4]:zeross")), Contains("did you mean 'zeros'?"));
  CHECK(plan_of(with_x("f32[4, 8]:zeros")).buffers.at(0).shape == std::vector<std::uint64_t>{4, 8});
}

TEST_CASE("a pointer may lead to the buffer of another argument, into its middle, or nowhere") {
  const Plan two = plan_of(kHead +
                           "buffers: {z: \"f32[16]:ones\"}\nlaunches:\n  - args: {n: 4, a: 1.0, x: z, y: \"f32[4]\"}\n"
                           "  - args: {n: 4, a: 1.0, x: \"&z[n*2]\", y: y}\n"
                           "  - args: {n: 4, a: 1.0, x: nullptr, y: y}\n");
  REQUIRE(two.buffers.size() == 2);
  const std::vector<Address> addresses{0x1000, 0x2000};
  CHECK(value_at<std::uint64_t>(parameters_of(two.launches[0], addresses), 8) == 0x1000);
  CHECK(value_at<std::uint64_t>(parameters_of(two.launches[1], addresses), 8) == 0x1000 + 8 * 4);
  CHECK(value_at<std::uint64_t>(parameters_of(two.launches[1], addresses), 16) == 0x2000);
  CHECK(value_at<std::uint64_t>(parameters_of(two.launches[2], addresses), 8) == 0);
  CHECK_THAT(problems_in(kHead + "args: {n: 4, a: 1.0, x: zz, y: \"f32[4]\"}\nbuffers: {z: \"f32[4]\"}"),
             Contains("there is no buffer 'zz' (did you mean 'z'?)"));
  CHECK_THAT(problems_in(kHead + "args: {n: 4, a: 1.0, x: \"&y[5]\", y: \"f32[4]\"}"),
             Contains("buffer 'y' has no element 5 (it has 4 elements)"));
  CHECK_THAT(problems_in(kHead + "args: {n: 4, a: 1.0, x: \"f32[4]\", y: \"f32[4]\"}\nbuffers: {x: \"f32[4]\"}"),
             Contains("buffer 'x' is made twice"));
}

TEST_CASE("a file of NumPy's is a buffer, and has to agree with what is said of it") {
  const NpyOnDisk floats("f.npy", array::Element::kF32, {2, 3}, std::string(24, '\1'));
  const NpyOnDisk brain("b.npy", array::Element::kBF16, {4}, std::string(8, '\1'));
  const auto with_x = [](const std::string& x) { return kHead + "args: {n: 4, a: 1.0, y: nullptr, x: \"" + x + "\"}"; };
  const Buffer whole_file = plan_of(with_x(floats.path.string())).buffers.at(0);
  CHECK(whole_file.count == 6);
  CHECK(whole_file.shape == std::vector<std::uint64_t>{2, 3});
  CHECK(plan_of(with_x("f32[6]:" + floats.path.string())).buffers.at(0).count == 6);
  CHECK_THAT(problems_in(with_x("f32[7]:" + floats.path.string())),
             Contains("has 6 elements of NumPy's type f4, and buffer 'x' has 7 of f32"));
  CHECK_THAT(problems_in(with_x("f32[4]:" + brain.path.string())), Contains("of NumPy's type V2"));
  CHECK_THAT(problems_in(with_x("nowhere.npy")), Contains("nowhere.npy: no such file"));
  CHECK(plan_of(with_x("bf16[4]:" + brain.path.string()), saxpy()).buffers.at(0).element == array::Element::kBF16);
  CHECK_THAT(problems_in(with_x(brain.path.string()), saxpy()), Contains("elements of 2 bytes without a type"));
}

TEST_CASE("a struct by value is given as bytes") {
  Signature signature = saxpy();
  signature.parameters = {{0, 12, "", {}}};
  signature.parameter_bytes = 12;
  const NpyOnDisk file("s.npy", array::Element::kI32, {3}, std::string(12, '\7'));
  const auto bytes_of = [&](const std::string& text) {
    return parameters_of(plan_of(kHead + "args: {0: \"" + text + "\"}", signature).launches[0], {});
  };
  CHECK(bytes_of("bytes:000102030405060708090aff") == std::string("\0\1\2\3\4\5\6\7\10\11\12\377", 12));
  CHECK(bytes_of("bytes:" + file.path.string()) == std::string(12, '\7'));
  CHECK_THAT(problems_in(kHead + "args: {0: \"bytes:00\"}", signature),
             Contains("has 1 byte, and parameter 0 (12 bytes) has 12"));
  CHECK_THAT(problems_in(kHead + "args: {0: \"bytes:0x\"}", signature), Contains("are not bytes"));
  CHECK_THAT(problems_in(kHead + "args: {0: 5}", signature), Contains("is a struct by value, not a number"));
  CHECK_THAT(problems_in(kHead, signature), Contains("add to 'args:'  0: bytes:FILE.npy"));
}

TEST_CASE("sizes that no GPU has are refused, and what the code says of them is obeyed") {
  const std::string args = "args: {n: 4, a: 1.0, x: nullptr, y: nullptr}\n";
  CHECK_THAT(problems_in("block: 256\n" + args), Contains("kernel 'saxpy' needs a grid (add  grid: 1024)"));
  CHECK_THAT(problems_in("grid: 4\n" + args), Contains("does not say how many threads a CTA has (add  block: 256)"));
  CHECK_THAT(problems_in("grid: 0\nblock: 1\n" + args),
             Contains("the grid has size 0 in x (allowed: 1 to 2,147,483,647)"));
  CHECK_THAT(problems_in("grid: [1, 70000]\nblock: 1\n" + args), Contains("the grid has size 70000 in y"));
  CHECK_THAT(problems_in("grid: 1\nblock: 64, 32\n" + args), Contains("the block has 2,048 threads (at most 1,024)"));
  CHECK_THAT(problems_in("grid: 1, 1, 1, 1\nblock: 64\n" + args), Contains("unexpected ','"));
  CHECK_THAT(problems_in("grid: 3\nblock: 64\ncluster: 2\n" + args),
             Contains("is not made of whole clusters of 2 CTAs"));
  CHECK_THAT(problems_in("grid: 3\nblock: 64\nshared: 300000\n" + args), Contains("at most 232,448"));
  CHECK_THAT(problems_in("grid: 3\nblock: 64\nrepeat: 0\n" + args), Contains("cannot be made 0 times"));
  Signature bounded = named_saxpy();
  bounded.most_threads = Dim3{128, 1, 1};
  CHECK_THAT(problems_in("grid: 3\nblock: 256\n" + args, bounded), Contains("at most 128, by its __launch_bounds__"));
}

TEST_CASE("Triton's metadata fills what it knows, and hidden parameters are null") {
  Signature signature = saxpy();
  signature.is_triton = true;
  signature.block = Dim3{128, 1, 1};
  signature.shared_bytes = 4096;
  signature.parameters.push_back({24, 8, "", {}});
  signature.parameter_bytes = 32;
  REQUIRE(take_names(signature,
                     *parameters_of_ttir("tt.func public @f(%n: i32, %a: f32, %x_ptr: !tt.ptr<f32>, %y: !tt.ptr<f32>)"),
                     "f.ttir"));
  const Plan plan = plan_of("grid: 4\nargs: {n: 4, a: 1, x_ptr: \"[n]\", y: x_ptr}", signature);
  CHECK(plan.launches[0].block == Dim3{128, 1, 1});
  CHECK(plan.launches[0].shared_bytes == 4096);
  const std::string bytes = parameters_of(plan.launches[0], std::vector<Address>{0x1000});
  CHECK(value_at<std::uint64_t>(bytes, 16) == 0x1000);
  CHECK(value_at<std::uint64_t>(bytes, 24) == 0);
  CHECK_THAT(problems_in("args: {n: 4, a: 1, x_ptr: nullptr, y: nullptr}", signature),
             Contains("needs a grid, which Triton's cache does not have"));
  CHECK_THAT(problems_in("grid: 1\nblock: 64\nargs: {n: 4, a: 1, x_ptr: nullptr, y: nullptr}", signature),
             Contains("needs CTAs of 128x1x1 threads (as Triton compiled it; leave the block out)"));
}

TEST_CASE("memory that Triton works in is made for each CTA, and no argument of a launch") {
  cubin::Function function;
  function.name = "k";
  function.parameters = {{0, 0, 8}, {1, 8, 8}, {2, 16, 8}};
  const cubin::TritonLaunch triton{"k", 4, 0, {}, {128, 0}};
  const Signature signature = signature_of(function, "k.cubin", &triton);
  CHECK(visible_parameters(signature) == 1);
  const Plan plan = plan_of("grid: 3, 2\nargs: {0: \"f32[4]\"}", signature);
  REQUIRE(plan.buffers.size() == 2);
  CHECK(plan.buffers[1].bytes() == 6 * 128);
  const std::string bytes = parameters_of(plan.launches[0], std::vector<Address>{0x1000, 0x2000});
  CHECK(value_at<std::uint64_t>(bytes, 8) == 0x2000);
  CHECK(value_at<std::uint64_t>(bytes, 16) == 0);
  CHECK_THAT(problems_in("grid: 1\nargs: {x: \"f32[4]\", y: 1}", signature),
             Contains("has no parameter left for 'y' (its parameters are 0 to 0)"));
}

TEST_CASE("a struct by value is written member by member, with pointers to buffers") {
  Signature signature;
  signature.kernel = "gemm";
  signature.file = "gemm.cubin";
  signature.parameter_bytes = 48;
  signature.parameters = {{0, 40, "", {}}, {40, 8, "", {}}};
  const std::string head = "grid: 1\nblock: 64\n";
  const Plan plan =
      plan_of(head + "args: {0: \"{a=f32[8]:ones, b=a, nullptr, 5, 1.5, f16:2}\", 1: a}\nout: {a: a.npy}", signature);
  REQUIRE(plan.buffers.size() == 1);
  const std::string bytes = parameters_of(plan.launches[0], std::vector<Address>{0x1000});
  CHECK(value_at<std::uint64_t>(bytes, 0) == 0x1000);
  CHECK(value_at<std::uint64_t>(bytes, 8) == 0x1000);
  CHECK(value_at<std::uint64_t>(bytes, 16) == 0);
  CHECK(value_at<std::uint32_t>(bytes, 24) == 5);
  CHECK(value_at<float>(bytes, 28) == 1.5F);
  CHECK(value_at<std::uint16_t>(bytes, 32) == 0x4000);
  CHECK(value_at<std::uint64_t>(bytes, 40) == 0x1000);
  CHECK(plan.outputs.at(0).buffer == 0);
  CHECK_THAT(problems_in(head + "args: {0: \"{1, 2}\", 1: nullptr}", signature),
             Contains("the members of '0' have 8 bytes, and the parameter has 40 (one value for each member"));
  CHECK_THAT(problems_in(head + "args: {0: \"{1, 2\", 1: nullptr}", signature), Contains("is not closed"));
  CHECK_THAT(problems_in(head + "args: {0: \"{bf61[8], 2}\", 1: nullptr}", signature), Contains("unknown type 'bf61'"));
}

TEST_CASE("results are asked for by the buffer's name") {
  const std::string args = kHead + "args: {n: 4, a: 1.0, x: \"f32[4]\", y: \"f32[4]\"}\n";
  const Plan plan = plan_of(args + "out: {y: y.npy}\nexpect: {x: zeros, y: {file: \"2.5\", tolerance: 0.5}}\n");
  CHECK(plan.outputs.at(0).buffer == 1);
  CHECK(plan.expectations.at(1).buffer == 1);
  CHECK(plan.expectations.at(1).tolerance == 0.5);
  CHECK(plan.expectations.at(1).fill.first.real == 2.5);
  CHECK_THAT(problems_in(args + "out: {yy: y.npy}"), Contains("there is no buffer 'yy' (did you mean 'y'?)"));
  const NpyOnDisk three("three.npy", array::Element::kF32, {3}, std::string(12, '\0'));
  CHECK_THAT(problems_in(args + "expect: {y: \"" + three.path.string() + "\"}"),
             Contains("has 3 elements, and buffer 'y' has 4"));
}

TEST_CASE("names that do not fit the sizes in the cubin are not taken") {
  Signature signature = saxpy();
  CHECK_FALSE(
      take_names(signature, *parameters_of_source("__global__ void saxpy(int n, float a) {}", "saxpy"), "s.cu"));
  CHECK_FALSE(take_names(signature,
                         *parameters_of_source("__global__ void saxpy(double n, float a, int* x, int* y) {}", "saxpy"),
                         "s.cu"));
  CHECK(signature.names_from.empty());
}

TEST_CASE("a tensor map by value names its buffer, its box and its swizzle") {
  Signature signature = named_saxpy();
  signature.parameters[3].size = kTensorMapBytes;
  signature.parameters[3].type = {};
  signature.parameter_bytes = 16 + kTensorMapBytes;
  const std::string args = kHead + "param: {k: 64}\nargs: {n: 4, a: 1.0, x: \"f32[128, k]\", y: \"";
  const Plan plan = plan_of(args + "map(32, k, swizzle=128):f16[96, 2*k]:ones\"}", signature);
  REQUIRE(plan.buffers.size() == 2);
  CHECK(plan.buffers[1].name == "y");
  CHECK(plan.buffers[1].shape == std::vector<std::uint64_t>{96, 128});
  const Argument& map = plan.launches[0].arguments.back();
  CHECK(map.buffer == 1U);
  REQUIRE(map.map.has_value());
  CHECK(map.map->box == std::vector<std::uint32_t>{32, 64});
  CHECK(map.map->swizzle_bytes == 128);
  const Plan of_another = plan_of(args + "map(8, 8):x\"}", signature);
  CHECK(of_another.buffers.size() == 1);
  CHECK(of_another.launches[0].arguments.back().buffer == 0U);
  const auto problem = [&](const std::string& text) { return problems_in(args + text + "\"}", signature); };
  CHECK_THAT(problem("map(32):x"), Contains("the box has 1 dimension, and buffer 'x' has 2"));
  CHECK_THAT(problem("map(8, 8, swizzle=48):x"), Contains("cannot swizzle by 48 bytes (0, 32, 64 or 128)"));
  CHECK_THAT(problem("map(8, 8)x"), Contains("is not a tensor map of a buffer"));
  CHECK_THAT(problem("map(8, 8):12"), Contains("there is no buffer '12'"));
  CHECK_THAT(problem("map(8, 8):z"), Contains("there is no buffer 'z'"));
  CHECK_THAT(problems_in(kHead + "args: {n: 4, a: 1.0, x: \"f32[4]\", y: \"map(4):x\"}"),
             Contains("is not a tensor map, which has 128 bytes"));
}

}  // namespace plan_test
