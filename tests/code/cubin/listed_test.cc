// SPDX-License-Identifier: MIT
#include "sim/code/cubin/listed.h"

#include <catch2/catch.hpp>

#include "sim/code/cubin/images.h"
#include "sim/code/cubin/listing.h"

#include "tests/code/cubin/data.h"
#include "tests/input/listing/listings.h"

namespace listed_test {

using namespace gpusim;
using namespace gpusim::cubin;
using Catch::Contains;

namespace {

Module listed(const std::string& text) {
  return read_listed(text, "k.sass", 1);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

/// What disasm --hex prints of a kernel of kernels_sm80.cubin, without the sections of data and without resources.
std::string bare(const std::string& kernel) {
  const Module module = module_of("kernels_sm80.cubin");
  const std::string text = listing_of(module, function_of(module, kernel), ShowControl::kNo, ShowHex::kYes).text;
  return "code for sm_80\nFunction : " + kernel + "\n" + text.substr(text.find("/*0000*/"));
}

}  // namespace

TEST_CASE("a listing of cuobjdump is a module with the SM, the code and what the code uses") {
  const Module module = listed(test::kCuobjdump);
  CHECK(module.sm == 80);
  REQUIRE(module.functions.size() == 1);
  const Function& sums = module.functions[0];
  CHECK(sums.is_kernel);
  CHECK(sums.code.size() == 22);
  CHECK(sums.code[13] == sass::Code{0x0000000100007810, 0x000fc80007ffe0ff});
  CHECK(sums.registers == 10);
  CHECK(sums.barriers == 0);
  CHECK(sums.parameter_base == 0x160);
  REQUIRE(sums.unknown_parameters);
  CHECK(sums.unknown_parameters->reads == std::vector<ParameterRead>{{0, 8}, {8, 8}, {16, 4}});
  CHECK_FALSE(sums.unknown_parameters->all_bytes);
}

TEST_CASE("lines of cuobjdump -res-usage say registers, shared memory, the stack and the size of the parameters") {
  const std::string usage = "Function sums:\n REG:14 STACK:8 SHARED:512 LOCAL:0 CONSTANT[0]:376 TEXTURE:0\n";
  const Function sums = listed(usage + test::kCuobjdump).functions[0];
  CHECK(sums.registers == 14);
  CHECK(sums.shared_bytes == 512);
  CHECK(sums.local_bytes == 8);
  CHECK(sums.unknown_parameters->all_bytes == 24U);
  CHECK(sums.parameter_bytes == 24);
}

TEST_CASE("a kernel has the registers that its code uses where the listing names fewer") {
  const auto with = [](const std::string& count) {
    return listed(replaced(test::kNvdisasm, "SHI_REGISTERS=12", "SHI_REGISTERS=" + count)).functions[0].registers;
  };
  const std::uint32_t used =
      listed(replaced(test::kNvdisasm, "SHI_REGISTERS=12", "SHI_NOTHING=12")).functions[0].registers;
  REQUIRE(used > 1);
  CHECK(with("1") == used);
  CHECK(with("200") == 200);
}

TEST_CASE("shared memory, barriers and the stack follow from the code where nothing else says them") {
  const Function sum = listed(bare("sum")).functions[0];
  CHECK(sum.unknown_shared_bytes);
  CHECK(sum.barriers == 1);
  CHECK(listed(bare("spill")).functions[0].local_bytes == 40);
  CHECK_FALSE(listed(bare("spill")).functions[0].unknown_shared_bytes);
}

TEST_CASE("code without a word on its SM is refused, as is code for two SMs in one part") {
  CHECK_THAT(error_of([] { (void)listed("/*0000*/ EXIT ; /* 0x000000000000794d */\n/* 0x000fea0003800000 */\n"); }),
             Contains("k.sass: does not say which SM its code is for") && Contains("code for sm_80"));
  const std::string other = replaced(replaced(test::kNvdisasm, "SM80", "SM90"), "EF_CUDA_64BIT_ADDRESS ", "");
  CHECK_THAT(error_of([&] { (void)listed(test::kCuobjdump + other); }),
             Contains("is code for sm_90 among code for sm_80"));
}

TEST_CASE("attributes of a kernel that nvdisasm prints say where its parameters lie, and its launch bounds") {
  const std::string info =
      "\t.section\t.nv.info.spin,\"\",@\"SHT_CUDA_INFO\"\n"
      "\t.align\t4\n"
      "\t//----- nvinfo : EIATTR_PARAM_CBANK\n"
      "        /*0000*/ \t.byte\t0x04, 0x0a\n"
      "        /*0002*/ \t.short\t(.L_2 - .L_1)\n"
      "\t.align\t\t4\n"
      ".L_1:\n"
      "        /*0004*/ \t.word\tindex@(.nv.constant0.spin)\n"
      "        /*0008*/ \t.short\t0x0160\n"
      "        /*000a*/ \t.short\t0x0010\n"
      ".L_2:\n"
      "        /*000c*/ \t.byte\t0x03, 0x19\n"
      "        /*000e*/ \t.short\t0x0010\n"
      "        /*0010*/ \t.byte\t0x04, 0x17\n"
      "        /*0012*/ \t.short\t(.L_4 - .L_3)\n"
      ".L_3:\n"
      "        /*0014*/ \t.word\t0x00000000\n"
      "        /*0018*/ \t.short\t0x0001\n"
      "        /*001a*/ \t.short\t0x0008\n"
      "        /*001c*/ \t.byte\t0x00, 0xf0, 0x21, 0x00\n"
      ".L_4:\n"
      "        /*0020*/ \t.byte\t0x04, 0x05\n"
      "        /*0022*/ \t.short\t(.L_6 - .L_5)\n"
      ".L_5:\n"
      "        /*0024*/ \t.word\t0x00000080\n"
      "        /*0028*/ \t.word\t0x00000001\n"
      "        /*002c*/ \t.word\t0x00000001\n"
      ".L_6:\n";
  const Function spin = listed(info + test::kNvdisasm).functions[0];
  CHECK(spin.parameters == std::vector<Parameter>{{1, 8, 8}});
  CHECK(spin.parameter_bytes == 16);
  CHECK(spin.most_threads == Dim3{128, 1, 1});
  CHECK_FALSE(spin.unknown_parameters);
  const std::string without_size = replaced(info, "0x03, 0x19", "0x03, 0x1b");
  CHECK(listed(without_size + test::kNvdisasm).functions[0].parameter_bytes == 16);
  const Function damaged = listed(replaced(info, "(.L_4 - .L_3)", "0x7fff") + test::kNvdisasm).functions[0];
  CHECK(damaged.unknown_parameters);
  CHECK_FALSE(damaged.most_threads);
}

TEST_CASE("constant banks that a listing prints are those of the module and of the function") {
  const Module module = listed(
      "\t.section\t.nv.constant3,\"a\",@progbits\n\t.word 0x3f800000\n"
      "\t.section\t.nv.constant0.spin,\"a\",@progbits\n\t.zero 368\n"
      "\t.section\t.nv.constant2.other,\"a\",@progbits\n\t.zero 8\n"
      "\t.section\t.nv.constant4,\"a\",@progbits\n\t.dword table\n" +
      test::kNvdisasm);
  CHECK(module.banks.at(3) == std::string("\0\0\x80\x3f", 4));
  CHECK(module.banks.at(4).size() == 8);
  REQUIRE(module.bank_fixups.at(4).size() == 1);
  CHECK(module.bank_fixups.at(4)[0].symbol == "table");
  CHECK_FALSE(module.banks.contains(2));
  CHECK(module.functions[0].unknown_parameters->all_bytes == 16U);
}

TEST_CASE("operands that a linker fills in are fixups, unless they lead into the function itself") {
  const auto fixups = [](const std::string& operand) {
    std::string text = test::kCuobjdump;
    return listed(text.replace(text.find("R9, 0x4 ;"), 9, "R9, " + operand + " ;")).functions[0].fixups;
  };
  REQUIRE(fixups("32@lo(vprintf)").size() == 1);
  CHECK(fixups("32@lo(vprintf)")[0].symbol == "vprintf");
  CHECK(fixups("32@lo(vprintf)")[0].offset == 0x90);
  CHECK(fixups("`(vprintf)").size() == 1);
  CHECK(fixups("32@lo((sums + .L_x_5@srel))").empty());
  CHECK(fixups("`(.L_x_5)").empty());
}

TEST_CASE("a function that returns and has no exit is called by kernels, unless the listing calls it one") {
  const Function sums = listed(test::kCuobjdump).functions[0];
  const std::string ret =
      replaced(replaced(test::kNvdisasm, "0x000000000000794d", "0x0000000000007950"), "EXIT", "RET");
  CHECK(listed(ret).functions[0].is_kernel);
  CHECK_FALSE(listed(replaced(ret, "STO_CUDA_ENTRY", "")).functions[0].is_kernel);
}

TEST_CASE("a listing of several cubins is as many images, each with the lines of the whole") {
  const std::string both = test::kCuobjdump + replaced(test::kCuobjdump, "Function : sums", "Function : more");
  std::vector<Image> images;
  const Found found = for_each_image_in(both, "k.sass", 0, [&](Image image) { images.push_back(std::move(image)); });
  CHECK(found.images == 2);
  REQUIRE(images.size() == 2);
  CHECK(images[0].name == "k.sass");
  CHECK(images[1].name == "k.sass, from line " + std::to_string(images[1].first_line));
  CHECK(read_image(images[0]).functions[0].name == "sums");
  CHECK(read_image(images[1]).functions[0].name == "more");
}

TEST_CASE("only the code for the SM that is asked for is taken of a listing") {
  const std::string hopper = replaced(replaced(test::kCuobjdump, "code for sm_80", "code for sm_90"), "SM80", "SM90");
  unsigned sm = 0;
  const Found found = for_each_image_in(test::kCuobjdump + hopper, "k.sass", 90,
                                        [&](const Image& image) { sm = read_image(image).sm; });
  CHECK(sm == 90);
  CHECK(found.other == std::vector<unsigned>{80});
}

TEST_CASE("parts of a listing from before Volta are passed over, unless there are no others") {
  const std::string older = replaced(replaced(test::kCuobjdump, "code for sm_80", "code for sm_52"), "SM80", "SM52");
  std::size_t images = 0;
  const auto count = [&](const Image& image) { images += read_image(image).sm == 80 ? 1 : 0; };
  CHECK(for_each_image_in(older + test::kCuobjdump, "k.sass", 0, count).other == std::vector<unsigned>{52});
  CHECK(images == 1);
  CHECK_THAT(error_of([&] { (void)for_each_image_in(older, "k.sass", 0, count); }),
             Contains("k.sass: has no kernels (it has machine code for sm_52)"));
}

TEST_CASE("a listing with constants and symbols is printed as it was read") {
  const Module module = module_of("kernels_sm90.cubin");
  const std::string head = listing_head(module, ShowHex::kYes);
  CHECK_THAT(head, Contains(".section        .nv.constant3,") && Contains(".byte           0x00, 0x00, 0x80, 0x3f") &&
                       Contains(".dword          table"));
  CHECK_THAT(listing_of(module, function_of(module, "saxpy"), ShowControl::kNo, ShowHex::kYes).text,
             Contains("LDC R1, c[0x0][0x28] ;") && Contains("/* 0x00000a00ff017b82 */\n") &&
                 Contains("/* 0x000fe20000000800 */\n") && Contains("@\"STO_CUDA_ENTRY STV_DEFAULT\""));
}

}  // namespace listed_test
