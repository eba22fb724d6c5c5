// SPDX-License-Identifier: MIT
#include "sim/code/cubin/module.h"

#include <catch2/catch.hpp>

#include "sim/code/cubin/bytes.h"

#include "tests/code/cubin/data.h"

using namespace gpusim;
using namespace gpusim::cubin;
using Catch::Contains;

TEST_CASE("a cubin's kernels come with their code, registers, shared memory, launch bounds and parameters") {
  const Module ampere = module_of("kernels_sm80.cubin");
  CHECK(ampere.sm == 80);
  CHECK(ampere.generation() == sass::Generation::kSm80);
  REQUIRE(ampere.functions.size() == 3);
  const Function& saxpy = function_of(ampere, "saxpy");
  CHECK(saxpy.is_kernel);
  CHECK(saxpy.registers == 10);
  CHECK(saxpy.shared_bytes == 0);
  CHECK(saxpy.parameter_base == 0x160);
  CHECK(saxpy.parameter_bytes == 24);
  CHECK(saxpy.parameters == std::vector<Parameter>{{0, 0, 4}, {1, 4, 4}, {2, 8, 8}, {3, 16, 8}});
  CHECK(saxpy.banks.at(0).size() == 0x160 + 24);
  CHECK(saxpy.code.size() % 8 == 0);
  CHECK(saxpy.fixups.empty());

  const Function& sum = function_of(ampere, "sum");
  CHECK(sum.shared_bytes == 512);
  CHECK(sum.barriers == 1);
  CHECK(sum.most_threads == Dim3{128, 1, 1});
  CHECK_FALSE(sum.required_threads);
  const Function& spill = function_of(ampere, "spill");
  CHECK(spill.local_bytes == 40);
  CHECK(spill.parameters[0].size == 32);

  const Module turing = module_of("twice_sm75.cubin");
  CHECK(turing.sm == 75);
  CHECK(turing.functions[0].required_threads == Dim3{64, 2, 1});
}

TEST_CASE("on sm_90 parameters begin elsewhere, and shared memory has what the system keeps") {
  const Module hopper = module_of("kernels_sm90.cubin");
  CHECK(hopper.sm == 90);
  CHECK(function_of(hopper, "saxpy").parameter_base == 0x210);
  CHECK(function_of(hopper, "sum").shared_bytes == 512 + 1024);
}

TEST_CASE("constants and variables of a module come with their contents, and the addresses that a linker fills in") {
  const Module module = module_of("kernels_sm80.cubin");
  const std::string& weights = module.banks.at(3);
  REQUIRE(weights.size() == 16);
  CHECK(weights.substr(4, 4) == std::string("\0\0\0\x40", 4));  // 2.0F
  CHECK(module.initialised.size() == 8);
  CHECK(module.zeroed_bytes == 4);
  CHECK(module.variables.size() == 2);
  REQUIRE_FALSE(module.bank_fixups.at(4).empty());
  CHECK(module.bank_fixups.at(4)[0].type == 2);
}

TEST_CASE("instructions know their lines where the code was compiled with -lineinfo") {
  const Module hopper = module_of("kernels_sm90.cubin");
  const Function& saxpy = function_of(hopper, "saxpy");
  REQUIRE_FALSE(saxpy.lines.empty());
  const LineEntry* first = line_at(saxpy, 0);
  REQUIRE(first != nullptr);
  CHECK_THAT(hopper.files[first->file], Catch::EndsWith("kernels.cu"));
  CHECK(first->line == 8);
  std::uint32_t most = 0;
  for (std::uint64_t at = 0; at < 16 * saxpy.code.size(); at += 16) {
    most = std::max(most, line_at(saxpy, at)->line);
  }
  CHECK(most == 13);
  CHECK(line_at(function_of(module_of("kernels_sm80.cubin"), "saxpy"), 0) == nullptr);
}

TEST_CASE("cubins of CUDA 11 and 12 keep the SM elsewhere in their flags") {
  std::string bytes = bytes_of("kernels_sm80.cubin");
  bytes[7] = 0x33;
  put(bytes, 48, 0x500550, 4);
  CHECK(read_cubin(bytes, "old.cubin").sm == 80);
  bytes[7] = 0x11;
  CHECK_THAT(error_of([&] { (void)read_cubin(bytes, "odd.cubin"); }), Contains("unknown form (17)"));
}

TEST_CASE("names are shown as C++ writes them, and known without what surrounds them") {
  CHECK(demangled("_ZN4demo3sumIfEEvPKT_PS1_") == "void demo::sum<float>(float const*, float*)");
  CHECK(short_name("_ZN4demo3sumIfEEvPKT_PS1_") == "sum");
  CHECK(short_name("_ZN6gpusim7silicon46_GLOBAL__N__cf3196db_8_saxpy_cu_b338b143_278135saxpyEifPKfPf") == "saxpy");
  CHECK(demangled("saxpy") == "saxpy");
  CHECK(short_name("triton_poi_fused_0d1d") == "triton_poi_fused_0d1d");
  CHECK(demangled("_Zbroken") == "_Zbroken");
  CHECK(short_name(")").size() <= 1);
  CHECK(demangled(std::string(10'000, 'a')).size() == 10'000);
}

TEST_CASE("a cubin that is cut off anywhere, or no cubin, is refused and does no harm") {
  const std::string whole = bytes_of("kernels_sm90.cubin");
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const std::string error = error_of([&] { (void)read_cubin(whole.substr(0, size), "part.cubin"); });
    REQUIRE_THAT(error, Contains("part.cubin: is"));
  }
  CHECK_THAT(error_of([] { (void)read_cubin(program_with(".text", "x"), "a.out"); }), Contains("of another machine"));
  std::string odd = whole;
  odd[4] = 1;
  CHECK_THAT(error_of([&] { (void)read_cubin(odd, "k.cubin"); }), Contains("32 bits"));
}

TEST_CASE(
    "a cubin all of whose sections are the whole file is refused: it must not take more memory than it has bytes") {
  std::string bytes = bytes_of("kernels_sm90.cubin");
  const Bytes file(bytes, "k.cubin");
  const std::uint64_t table = file.u64(40);
  const std::uint16_t sections = file.u16(60);
  for (std::uint16_t i = 4; i < sections; ++i) {
    put(bytes, table + 64U * i + 24, 0, 8);
    put(bytes, table + 64U * i + 32, bytes.size(), 8);
  }
  CHECK(error_of([&] { (void)read_cubin(bytes, "k.cubin"); }) ==
        "k.cubin: is damaged: its sections overlap (copy or compile it again)");
}
