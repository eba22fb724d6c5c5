// SPDX-License-Identifier: MIT
#include "sim/machine/lower/kernel_image.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/machine/lower/generations.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/files.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/isa/flops.h"

#include "tests/machine/lower/listing.h"

using namespace gpusim;
using Catch::Contains;

namespace {

/// What making an image of the instruction complains about; "" when the GPU has it.
std::string refusal(const std::string& instruction, const arch::Arch& arch) {
  trace::Kernel kernel = test::kernel_from(instruction + "\nEXIT\n");
  kernel.block = {128, 1, 1};
  kernel.texts.resize(kernel.code.size());
  try {
    (void)lower::make_image(kernel, arch);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

arch::Arch tested_gpu() {
  arch::Arch arch;
  arch.name = "a GPU";
  arch.sm.timing = test::test_timing();
  return arch;
}

}  // namespace

TEST_CASE("an instruction of a class that the GPU lacks is refused") {
  arch::Arch arch = tested_gpu();
  CHECK(refusal("REDUX.SUM UR4, R2", arch).empty());
  arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kRedux)].supported = false;
  CHECK_THAT(refusal("REDUX.SUM UR4, R2", arch), Contains("does not exist on a GPU") && Contains("'redux'"));
}

TEST_CASE("all instructions of a feature that the GPU lacks are one problem, with a remedy") {
  arch::Arch arch = tested_gpu();
  arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kAsyncCopy)].supported = false;
  arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kRedux)].supported = false;
  trace::Kernel kernel =
      test::kernel_from("LDGSTS.E.128 [R2], [R4.64]\nLDGDEPBAR\nREDUX.SUM UR4, R2\nLDGSTS.E.128 [R2], [R4.64]\nEXIT\n");
  kernel.name = "k";
  kernel.where.file = "k.trace";
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    const std::array<const char*, 5> opcodes{"LDGSTS.E.128", "LDGDEPBAR", "REDUX.SUM", "LDGSTS.E.128", "EXIT"};
    kernel.texts.push_back({opcodes.at(i), "", 10 + i, 0});
  }
  CHECK_THROWS_WITH(
      lower::make_image(kernel, arch),
      "k.trace:10: kernel 'k': LDGSTS.E.128 does not exist on a GPU, nor does LDGDEPBAR; 3 instructions in lines 10, "
      "11, 13 (its timing class 'async_copy' is marked unsupported in the architecture file; it needs compute "
      "capability 8.0 or higher: choose such a GPU, or a kernel that is made for this one)\n"
      "k.trace:12: kernel 'k': REDUX.SUM does not exist on a GPU (its timing class 'redux' is marked unsupported in "
      "the architecture file; it needs compute capability 8.0 or higher: choose such a GPU, or a kernel that is made "
      "for this one)");
}

TEST_CASE("a GPU that lacks an instruction of tensor cores is told that they are needed") {
  arch::Arch arch = tested_gpu();
  arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kHmma1688F32)].supported = false;
  CHECK_THAT(refusal("HMMA.1688.F32 R4, R8, R12, R4", arch),
             Contains("it needs tensor cores and compute capability 7.5 or higher"));
}

TEST_CASE("no GPU that lacks a class of instructions is among those that the advice names") {
  const auto number = [](std::string_view text) { return std::stod(std::string(text)); };
  const std::array<std::filesystem::path, 1> folders{std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs"};
  for (const arch::ArchFile& file : arch::list_archs(folders)) {
    const arch::Arch arch = arch::load_arch(file.file, {}, folders);
    const double own = number(arch.compute_capability);
    const bool has_tensor_cores = arch::flops_per_cycle(arch.sm, isa::FlopClass::kTensorFp16) > 0;  // GTX 16 has none
    for (std::size_t i = 0; i < arch.sm.timing.size(); ++i) {
      const std::string_view needs = lower::generations_of(static_cast<isa::TimingClass>(i));
      const bool needs_tensor_cores = isa::kTimingClasses[i].pipe == isa::Pipe::kTensor;
      if (arch.sm.timing[i].supported || (needs_tensor_cores && !has_tensor_cores)) {
        continue;
      }
      INFO(file.name << " " << isa::kTimingClasses[i].key << ": " << needs);
      REQUIRE_FALSE(needs.empty());
      const std::size_t range = needs.find(" to ");
      const bool from = needs.ends_with("or higher") || range != std::string_view::npos;
      const double last = range == std::string_view::npos ? 1000 : number(needs.substr(range + 4));
      CHECK_FALSE((from ? own >= number(needs) && own <= last : own == number(needs)));
    }
  }
}

TEST_CASE("an instruction whose type the tensor cores lack is refused, although its class is there") {
  arch::Arch arch = tested_gpu();
  arch.sm.tensor.flops_per_cycle.fp16 = 1024;
  CHECK(refusal("HMMA.1688.F32 R4, R8, R10, R4", arch).empty());
  CHECK_THAT(refusal("HMMA.1688.F32.BF16 R4, R8, R10, R4", arch), Contains("no rate of tensor_bf16"));
}

TEST_CASE("a WGMMA operation, or a wait for one, is refused on a GPU without wgmma") {
  arch::Arch arch = tested_gpu();
  arch.sm.tensor.flops_per_cycle.fp16 = 4096;
  const std::string product = "HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0";
  CHECK_THAT(refusal(product, arch), Contains("does not exist on a GPU") && Contains("'sm.wgmma.queue_entries' is 0"));
  CHECK_THAT(refusal("WARPGROUP.DEPBAR.LE gsb0, 0x0", arch), Contains("does not exist on a GPU"));
  arch.sm.wgmma.queue_entries = 32;
  CHECK(refusal(product, arch).empty());
  CHECK_THAT(refusal("QGMMA.64x64x32.F32.E4M3.E4M3 R24, gdesc[UR4], R24, gsb0", arch),
             Contains("no rate of tensor_fp8"));
}

TEST_CASE("a WGMMA operation is refused where a CTA has fewer than four warps") {
  arch::Arch arch = tested_gpu();
  arch.sm.tensor.flops_per_cycle.fp16 = 4096;
  arch.sm.wgmma.queue_entries = 32;
  trace::Kernel kernel = test::kernel_from("HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0\nEXIT\n");
  kernel.texts.resize(kernel.code.size());
  kernel.block = {96, 1, 1};
  CHECK_THROWS_WITH(lower::make_image(kernel, arch), Contains("a CTA of 3 warps has none"));
}

TEST_CASE("a WGMMA operation takes the tensor cores at the peak of its type, and reads its matrices once") {
  arch::Arch arch = tested_gpu();
  arch.sm.tensor.flops_per_cycle.fp16 = 4096;
  arch.sm.wgmma = {32, 13, 0};
  const auto op_of = [&](const std::string& instruction) {
    trace::Kernel kernel = test::kernel_from(instruction + "\nEXIT\n");
    kernel.texts.resize(kernel.code.size());
    kernel.block = {128, 1, 1};
    return lower::make_image(kernel, arch).ops[0];
  };
  const lower::WarpOp shared = op_of("HGMMA.64x256x16.F32 R24, gdesc[UR4], R24, gsb0");
  CHECK(shared.latency == 128);
  CHECK(shared.shared_wavefronts == (64 * 16 + 256 * 16) * 2 / 128);
  CHECK(shared.closes_group);
  CHECK(shared.write_period == 2);  // 64 pairs of registers in 128 cycles
  CHECK(op_of("HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, gsb0").write_period == 18 / 2);
  const lower::WarpOp registers = op_of("HGMMA.SP.64x256x32.F32 R24, R4, gdesc[UR4], R24, R2");
  CHECK(registers.latency == 128);
  CHECK(registers.shared_wavefronts == 256 * 32 * 2 / 128);
  CHECK_FALSE(registers.closes_group);
  CHECK(op_of("HGMMA.64x8x16.F32 R24, R4, gdesc[UR4], R24").latency == 13);
}

TEST_CASE("a product of zeros that loads a constant does no FLOPs, other half-precision arithmetic does") {
  const auto flops = [](const std::string& instruction) {
    return isa::flops_of(test::kernel_from(instruction + "\nEXIT\n").code.at(0));
  };
  CHECK(flops("HFMA2.MMA R7, -RZ, RZ, 1.875, 0") == 0);
  CHECK(flops("HFMA2.MMA R7, -RZ, RZ, R5") == 0);
  CHECK(flops("HFMA2.MMA R7, R2, R3, RZ") == 4);
  CHECK(flops("HFMA2.MMA R7, R2, 1, 1, R4") == 4);
  CHECK(flops("HADD2 R7, -RZ, R3") == 2);
  CHECK(flops("FFMA R7, RZ, RZ, R3") == 2);
}

TEST_CASE("more than its sub-core may hear of an access, a barrier, a constant operand and an exit") {
  arch::Arch arch = tested_gpu();
  arch.sm.constant.model = arch::ConstantModel::kCached;
  trace::Kernel kernel = test::kernel_from(
      "FFMA R1, R2, R3, R1\nLDS R4, [R2]\nBAR.SYNC 0x0\nMOV R4, c[0x0][0x160]\nISETP.NE.AND P0, PT, R4, RZ, PT\n"
      "MUFU.EX2 R5, R4\nSHFL.BFLY PT, R6, R5, 0x1, 0x1f\n@P0 EXIT\nNANOSLEEP 0x20\nEXIT\n");
  kernel.texts.resize(kernel.code.size());
  kernel.texts[3].text = "MOV R4, c[0x0][0x160]";
  const lower::KernelImage image = lower::make_image(kernel, arch);
  std::vector<bool> reach_out;
  for (const lower::WarpOp& op : image.ops) {
    reach_out.push_back(op.reaches_out);
  }
  // MUFU counts a dependence counter up, which an event counts down.
  CHECK(reach_out == std::vector<bool>{false, true, true, true, false, true, true, true, true, true});
}
